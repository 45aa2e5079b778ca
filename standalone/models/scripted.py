"""A chat model that says what it was told to say."""

from collections.abc import Callable, Mapping, Sequence
from threading import Lock
from typing import Any

Message = Mapping[str, Any]
"""`{"role": "system" | "user" | "assistant", "content": text}`, with more keys at the caller's wish."""

Model = Callable[[Sequence[Message]], str]
"""Any callable from messages to the text of the reply."""


class ModelRefusal(Exception):
    """The model does not answer; `status` is what an HTTP API would say (429, 500, …)."""

    def __init__(self, message: str, status: int = 500) -> None:
        super().__init__(message)
        self.status = status


class ScriptedModel:
    """Replies with the next line of a script, or with what a function makes of the messages.

    A line may be a ModelRefusal: it is raised. Past the last line every call is refused (500).
    `calls` keeps the messages of each call, oldest first. Safe for many threads.
    """

    def __init__(self, script: Sequence[str | ModelRefusal] | Model) -> None:
        self._script = script
        self._calls: list[tuple[Message, ...]] = []
        self._lock = Lock()

    @property
    def calls(self) -> tuple[tuple[Message, ...], ...]:
        with self._lock:
            return tuple(self._calls)

    def __call__(self, messages: Sequence[Message]) -> str:
        with self._lock:
            turn = len(self._calls)
            self._calls.append(tuple(messages))
        if callable(self._script):
            return self._script(messages)
        if turn >= len(self._script):
            raise ModelRefusal(f"the script has only {len(self._script)} lines")
        line = self._script[turn]
        if isinstance(line, ModelRefusal):
            raise line
        return line


def plain_text(message: Message) -> str:
    """The text of a message whose content is a string or a list of parts."""
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "".join(str(part.get("text") or part.get("data") or "") for part in content)


def estimate_tokens(text: str) -> int:
    """About what a tokenizer would count: a token for 4 Latin characters or for 1 of CJK."""
    wide = sum(character >= "\u2e80" for character in text)
    return wide + -(-(len(text) - wide) // 4)


def cut_off(text: str, most: Any) -> tuple[str, str]:
    """The text as far as `most` tokens reach, and why it ended: "length" where there was more, else "stop"."""
    if not isinstance(most, int) or estimate_tokens(text) <= most:
        return text, "stop"
    end = 4 * most
    while estimate_tokens(text[:end]) > most:
        end -= estimate_tokens(text[:end]) - most
    return text[:end], "length"


def prompt_tokens(messages: Sequence[Message]) -> int:
    """Estimated tokens of a prompt, with 4 a message for its frame."""
    return sum(4 + estimate_tokens(plain_text(message)) for message in messages)
