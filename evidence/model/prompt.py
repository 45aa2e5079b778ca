"""Prompts of a language model, and its completions."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Prompt:
    name: str
    fingerprint: str
    system: str
    user: str


LONGEST_REPLY = 50_000  # characters of a reply that are read; ten times what any prompt of ours asks for
_CUT_OFF = frozenset({"length", "max_tokens", "max_output_tokens", "model_length", "content_filter"})


@dataclass(frozen=True, slots=True)
class Completion:
    """A reply; `finish_reason` is the provider's word for why it ended, empty where nobody said."""

    text: str
    input_tokens: int = 0
    output_tokens: int = 0
    finish_reason: str = ""

    @property
    def truncated(self) -> bool:
        """Whether more was to come: the token limit was reached, or a filter stepped in."""
        return self.finish_reason.casefold() in _CUT_OFF
