"""A reply of the workspace's chat model, put together from the pieces in which Dify hands it over."""

from collections.abc import Generator
from types import SimpleNamespace

import pytest

from evidence.errors import ModelUnavailable
from evidence.model import LONGEST_REPLY, Completion
from host.session_models import gathered, translated


def piece(text: str, ended: str | None = None, tokens: int = 0) -> SimpleNamespace:
    """A chunk as the SDK reads it."""
    usage = SimpleNamespace(prompt_tokens=12, completion_tokens=tokens) if tokens else None
    return SimpleNamespace(
        delta=SimpleNamespace(message=SimpleNamespace(content=text), usage=usage, finish_reason=ended)
    )


def pieces(*each: SimpleNamespace) -> Generator[SimpleNamespace]:
    yield from each


def test_the_pieces_are_one_reply_with_its_usage_and_why_it_ended() -> None:
    told = pieces(piece("Nine "), piece("coins."), piece("", "stop", 3))
    assert Completion("Nine coins.", 12, 3, "stop") == gathered(told, 100)


def test_a_reply_that_spent_its_tokens_was_cut_off_even_where_the_provider_does_not_say_so() -> None:
    assert gathered(pieces(piece("Nine", "length", 3)), 100).truncated
    assert gathered(pieces(piece("Nine", "", 100)), 100).truncated
    assert not gathered(pieces(piece("Nine", "stop", 100)), 100).truncated
    assert not gathered(pieces(piece("Nine", "", 99)), 100).truncated
    assert not gathered(pieces(piece("Nine", "", 99)), None).truncated


def test_a_reply_without_end_is_left_where_it_is_no_longer_read() -> None:
    told = pieces(*(piece("word " * 2_000) for _ in range(10)))
    reply = gathered(told, 100)
    assert reply.truncated
    assert LONGEST_REPLY < len(reply.text) <= LONGEST_REPLY + 10_000
    assert [] == list(told)


def test_a_failure_midway_is_no_short_reply() -> None:
    def failing() -> Generator[SimpleNamespace]:
        yield piece("Nine ")
        raise RuntimeError("429 too many requests")

    with pytest.raises(ModelUnavailable, match="rate limit"):
        translated(lambda: gathered(failing(), 100), "the workspace's model")
