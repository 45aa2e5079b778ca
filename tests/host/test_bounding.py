"""The workspace's models, waited for no longer than the run may last."""

import threading
import time
from collections.abc import Sequence

import pytest

from evidence.errors import ClientDisconnected, LimitReached, ModelUnavailable
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


class Dify:
    """Answers as it is told, then no more; `asked` counts."""

    def __init__(self, *answers: bool) -> None:
        self.answers, self.asked = list(answers), 0
        self.never = threading.Event()

    def __call__(self) -> bool:
        self.asked += 1
        if not (self.answers.pop(0) if self.answers else False):
            self.never.wait(30)
        return True


@pytest.mark.parametrize(("answers", "asked"), [((True,), 3), ((True, False, True), 5), ((False, True), 4)])
def test_a_model_is_left_when_dify_answered_and_then_twice_no_more(
    answers: tuple[bool, ...], asked: int
) -> None:
    silent, dify = Silent(), Dify(*answers)
    with pytest.raises(ClientDisconnected, match="closed the session"):
        BoundedLLM(silent, Deadline(30), dify, patience=0.02).complete(PROMPT, 100)
    silent.told.set()
    dify.never.set()
    assert asked == dify.asked


def test_a_model_is_waited_for_where_dify_never_answered_such_a_question() -> None:
    silent, dify = Silent(), Dify()
    with pytest.raises(LimitReached, match="seconds"):
        BoundedLLM(silent, Deadline(0.3), dify, patience=0.02).complete(PROMPT, 100)
    silent.told.set()
    dify.never.set()
    assert 3 < dify.asked


def test_a_slow_model_is_waited_for_while_dify_answers() -> None:
    silent, dify = Silent(), Dify(*([True] * 1_000))

    def told() -> None:
        while dify.asked < 3:
            time.sleep(0.01)
        silent.told.set()

    threading.Thread(target=told).start()
    assert "late" == BoundedLLM(silent, Deadline(30), dify, patience=0.02).complete(PROMPT, 100).text


def test_a_quick_model_costs_no_such_question() -> None:
    dify = Dify(True)
    assert "ten" == BoundedLLM(ScriptedLLM("ten"), Deadline(5), dify).complete(PROMPT, 100).text
    assert 0 == dify.asked


class Storage:
    """Of a session; notes the keys that were asked for."""

    def __init__(self) -> None:
        self.storage, self.keys = self, list[str]()

    def exist(self, key: str) -> bool:
        self.keys.append(key)
        return False


def test_presence_asks_for_a_key_that_is_never_stored() -> None:
    session = Storage()
    assert SessionPresence(session)() is False
    assert ["presence"] == session.keys
