"""Prompts of a language model, and its completions."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Prompt:
    name: str
    fingerprint: str
    system: str
    user: str


LONGEST_REPLY = 50_000  # characters of a reply that are read; ten times what any prompt of ours asks for
_FINISHED = frozenset(  # what providers say of a reply that ended by itself; "null" and the like say nothing
    """
    complete completed done end end_of_sequence end_of_turn end_turn eos eos_token finish finished function_call none
    null stop stop_sequence stop_token stopped success tool_call tool_calls tool_use unknown unspecified
    finish_reason_unspecified finish_reason_stop
    """.split()
)


@dataclass(frozen=True, slots=True)
class Completion:
    """A reply; `finish_reason` is the provider's word for why it ended, empty where nobody said."""

    text: str
    input_tokens: int = 0
    output_tokens: int = 0
    finish_reason: str = ""

    @property
    def truncated(self) -> bool:
        """Whether more was to come: the token limit was reached, a filter stepped in, or it ended otherwise.

        A reason without letters says nothing; of an enumeration's, as `FinishReason.STOP`, the last part counts.
        """
        reason = self.finish_reason.rpartition(".")[2].strip().casefold()
        return any(map(str.isalpha, reason)) and reason not in _FINISHED
