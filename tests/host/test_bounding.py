"""The workspace's models, waited for no longer than the run may last."""

import threading
from collections.abc import Sequence

import pytest

from evidence.errors import Abandoned, LimitReached, ModelUnavailable
from evidence.limits import Deadline
from evidence.model import Completion, Prompt
from host.bounding import BoundedLLM, BoundedReranker, SessionPresence, within
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


@pytest.mark.parametrize("looks", [[False, False], [True, False, False], [False, True, False, False]])
def test_a_model_is_left_when_twice_in_a_row_nobody_waits_for_it(looks: list[bool]) -> None:
    silent, seen = Silent(), iter(looks)
    llm = BoundedLLM(silent, Deadline(30), lambda: next(seen), patience=0.01)
    with pytest.raises(Abandoned, match="has left"):
        llm.complete(PROMPT, 100)
    silent.told.set()
    assert [] == list(seen)


def test_a_slow_model_is_waited_for_while_somebody_is_there() -> None:
    silent, looks = Silent(), list[None]()

    def present() -> bool:
        looks.append(None)
        if len(looks) == 3:
            silent.told.set()
        return True

    assert "late" == BoundedLLM(silent, Deadline(30), present, patience=0.01).complete(PROMPT, 100).text
    assert 3 <= len(looks)


class Session:
    """Its storage answers when it is told to, with a failure."""

    def __init__(self) -> None:
        self.told = threading.Event()
        self.storage = self

    def exist(self, _key: str) -> bool:
        self.told.wait(30)
        raise RuntimeError("permission denied")


def test_a_session_is_there_as_long_as_it_answers_anything_at_all() -> None:
    session = Session()
    assert not SessionPresence(session, 0.02)()
    session.told.set()
    assert SessionPresence(session, 30)()
