"""LLM, answered by any OpenAI-compatible chat API: POST /chat/completions."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from evidence.errors import UnusableReply
from evidence.http.client import Client, address, normalise_base_url
from evidence.http.failures import Refused
from evidence.llm.remembered import Remembered
from evidence.model import Completion, Prompt

type _Dialect = tuple[
    str, bool, bool
]  # the name of the limit, and whether temperature and JSON mode are asked for
_ENDPOINT = "/chat/completions"


def chat_base_url(text: str) -> str:
    """The base of a chat API, typed with or without /v1 or /chat/completions; raises Misconfigured."""
    base = address(text)
    return base.removesuffix(_ENDPOINT) if base.endswith(_ENDPOINT) else normalise_base_url(base)


@dataclass(frozen=True, slots=True)
class OpenAIChat:
    """Thread-safe. What a model refuses (max_tokens, temperature, JSON mode) is left out from then on.

    By whoever shares it. JSON mode is asked for where the prompt speaks of JSON.
    """

    client: Client
    model: str
    dialect: Remembered[_Dialect] = field(default_factory=lambda: Remembered(("max_tokens", True, True)))

    def complete(self, prompt: Prompt, max_tokens: int) -> Completion:
        """One completion. A dialect that is not known yet takes up to three attempts more, the first time."""
        dialect = self.dialect.get()
        for _ in range(3):
            try:
                answer = self._ask(prompt, max_tokens, dialect)
                break
            except Refused as refusal:
                changed = _other(dialect, refusal.names)
                if changed == dialect:
                    raise
                dialect = changed
        else:
            answer = self._ask(prompt, max_tokens, dialect)
        self.dialect.put(dialect)
        return self._completion(answer)

    def _ask(self, prompt: Prompt, max_tokens: int, dialect: _Dialect) -> Any:
        limit_name, with_temperature, as_json = dialect
        roles = (("system", prompt.system), ("user", prompt.user))
        body: dict[str, Any] = {
            "model": self.model,
            "messages": [{"role": role, "content": content} for role, content in roles if content],
            limit_name: max_tokens,
            "stream": False,
        }
        if with_temperature:
            body["temperature"] = 0
        if as_json and "JSON" in f"{prompt.system}{prompt.user}":
            body["response_format"] = {"type": "json_object"}
        return self.client.post("chat/completions", body)

    def _completion(self, answer: Any) -> Completion:
        try:
            choice = answer["choices"][0]
            text = _text(choice["message"]["content"])
        except (KeyError, IndexError, TypeError):
            raise UnusableReply(f"{self.client.place} returned an unexpected response format") from None
        if not text.strip():
            cut = " before it wrote anything (max_tokens)" if choice.get("finish_reason") == "length" else ""
            raise UnusableReply(f"{self.client.place} answered nothing{cut}")
        usage, ended = answer.get("usage"), choice.get("finish_reason")
        spent = (_count(usage, "prompt_tokens"), _count(usage, "completion_tokens"))
        return Completion(text, *spent, ended if isinstance(ended, str) else "")


def _other(dialect: _Dialect, refused: frozenset[str]) -> _Dialect:
    limit_name, with_temperature, as_json = dialect
    if limit_name == "max_tokens" and "max_completion_tokens" in refused:
        limit_name = "max_completion_tokens"
    return (
        limit_name,
        with_temperature and "temperature" not in refused,
        as_json and "response_format" not in refused,
    )


def _text(content: Any) -> str:
    """Content is a text, null, or a list of parts."""
    if isinstance(content, list):
        return "".join(str(part.get("text") or "") for part in content if isinstance(part, Mapping))
    if content is None:
        return ""
    if not isinstance(content, str):
        raise TypeError("content is neither text nor parts")
    return content


def _count(usage: Any, name: str) -> int:
    value = usage.get(name) if isinstance(usage, Mapping) else 0
    return value if isinstance(value, int) and value > 0 else 0
