"""Calls back into Dify: the SDK raises bare Exception for every failure of theirs."""

from collections.abc import Callable, Generator
from contextlib import closing
from typing import Any

from evidence.errors import EvidenceError
from evidence.model import LONGEST_REPLY, Completion


def asked[R](call: Callable[[], R], meant: Callable[[Exception], EvidenceError]) -> R:
    """What Dify answers, after 250 s of silence at the latest; raises what the failure meant."""
    try:
        return call()
    except Exception as error:  # noqa: BLE001 - the SDK raises bare Exception for every failure
        raise meant(error) from None


def gathered(pieces: Generator[Any], limit: Any) -> Completion:
    """The reply as a whole, read no further than any reply is; it is cut off where the `limit` of tokens is spent.

    Not every provider says why a reply ended, and those that count tokens do so in one of the pieces.
    """
    texts, ended, spent, length = list[str](), "", (0, 0), 0
    with closing(pieces):
        for piece in pieces:
            delta = piece.delta
            texts.append(delta.message.content if isinstance(delta.message.content, str) else "")
            ended = delta.finish_reason or ended
            if delta.usage:
                spent = (int(delta.usage.prompt_tokens or 0), int(delta.usage.completion_tokens or 0))
            length += len(texts[-1])
            if length > LONGEST_REPLY:
                ended = "length"
                break
    if not ended and isinstance(limit, int) and 0 < limit <= spent[1]:
        ended = "length"
    return Completion("".join(texts), *spent, ended)
