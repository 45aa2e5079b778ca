"""The workspace's models, waited for no longer than the run may last."""

import threading
from collections.abc import Sequence

import pytest

from evidence.errors import LimitReached, ModelUnavailable
from evidence.limits import Deadline
from evidence.model import Completion, Prompt
from host.bounding import BoundedLLM, BoundedReranker, within
from tests.fakes import FakeReranker, ScriptedLLM

PROMPT = Prompt("aggregate", "12345678", "You answer.", "What is the rent?")


def test_what_comes_in_time_is_given() -> None:
    assert "ten" == BoundedLLM(ScriptedLLM("ten"), Deadline(5)).complete(PROMPT, 100).text
    assert [1.0] == list(BoundedReranker(FakeReranker(), Deadline(5)).scores("rent", ["the rent"]))


def test_a_failure_is_passed_on() -> None:
    with pytest.raises(ModelUnavailable, match="down"):
        BoundedLLM(ScriptedLLM(ModelUnavailable("down")), Deadline(5)).complete(PROMPT, 100)
    with pytest.raises(TimeoutError, match="its own"):
        within(Deadline(5), _times_out)


def _times_out() -> None:
    raise TimeoutError("its own")


class Silent:
    """Answers when it is told to."""

    def __init__(self) -> None:
        self.told = threading.Event()
        self.calls = 0

    def complete(self, prompt: Prompt, max_tokens: int) -> Completion:
        self.calls += 1
        self.told.wait(30)
        return Completion("late")

    def scores(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        self.calls += 1
        self.told.wait(30)
        return [0.0 for _ in texts]


def test_a_model_that_is_silent_is_left_at_the_deadline() -> None:
    silent = Silent()
    with pytest.raises(LimitReached, match="seconds"):
        BoundedLLM(silent, Deadline(0.03)).complete(PROMPT, 100)
    with pytest.raises(LimitReached, match="seconds"):
        BoundedReranker(silent, Deadline(0.03)).scores("rent", ["the rent"])
    silent.told.set()
    assert 2 == silent.calls


def test_after_the_deadline_no_model_is_asked() -> None:
    silent = Silent()
    with pytest.raises(LimitReached):
        BoundedLLM(silent, Deadline(0)).complete(PROMPT, 100)
    assert 0 == silent.calls
