"""One server's gate and pause: no more at once than it bears, and nothing while it asks to wait."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait

import pytest

from evidence.errors import EvidenceError, KnowledgeUnavailable, LimitReached, RateLimited
from evidence.http.failures import ServerFault
from evidence.knowledge.middleware import GuardedKnowledge
from evidence.knowledge.throttle import Gate, Pause, Throttle
from evidence.limits import Deadline, Limits, Meter
from evidence.model import Query
from evidence.trace import Trace
from tests.fakes import FakeKnowledge, HandClock, holding

HOLDING = holding("Leases", {"Harbour Lease.txt": ["The rent is ten."]})
DATASET, (DOCUMENT, *_) = HOLDING[0], tuple(HOLDING[1])
AMPLE = Deadline(3_600)
PLAN_LIMIT = RateLimited("the plan's limit is reached", 60, retrieves_only=True)


class Crowd:
    """Counts who is inside a gate at the same time."""

    def __init__(self, gate: Gate) -> None:
        self.gate, self.inside, self.most = gate, 0, 0
        self._lock = threading.Lock()

    def pass_through(self, _: int) -> None:
        with self.gate.passing(AMPLE):
            with self._lock:
                self.inside += 1
                self.most = max(self.most, self.inside)
            threading.Event().wait(0.002)
            with self._lock:
                self.inside -= 1


def test_no_more_calls_than_allowed_are_under_way_and_all_come_through() -> None:
    crowd = Crowd(Gate(at_once=4))
    with ThreadPoolExecutor(16) as pool:
        assert 100 == len(list(pool.map(crowd.pass_through, range(100))))
    assert (0, 4) == (crowd.inside, crowd.most)


def _together(gate: Gate, calls: int, end: Callable[[int], None]) -> None:
    """So many calls, all under way together, end that way."""
    begun = threading.Barrier(calls)

    def call(_: int) -> None:
        with gate.passing(AMPLE) as number:
            begun.wait(5)
            end(number)

    with ThreadPoolExecutor(calls) as pool:
        list(pool.map(call, range(calls)))


def test_calls_that_fail_together_halve_the_number_once() -> None:
    gate = Gate(at_once=8)
    _together(gate, 8, gate.failed)
    assert 4 == gate.at_once
    _together(gate, 4, gate.failed)
    assert 2 == gate.at_once


def test_two_calls_at_a_time_are_always_allowed() -> None:
    gate = Gate(10)
    for _ in range(9):
        _together(gate, 1, gate.failed)
    assert 2 == gate.at_once


def test_a_full_gate_whose_calls_go_well_opens_quickly_until_something_fails_and_slowly_then() -> None:
    gate = Gate(at_once=2, most=16)
    sizes = []
    for _ in range(4):
        _together(gate, gate.at_once, gate.went_well)
        sizes.append(gate.at_once)
    assert [4, 8, 16, 16] == sizes
    _together(gate, 1, gate.failed)
    after = []
    for _ in range(3):
        _together(gate, gate.at_once, gate.went_well)
        after.append(gate.at_once)
    assert [8, 9, 10] == after


def test_a_gate_that_is_never_full_does_not_open() -> None:
    gate = Gate(at_once=4)
    for _ in range(20):
        with gate.passing(AMPLE) as number:
            gate.went_well(number)
    assert 4 == gate.at_once


def test_who_waits_at_the_gate_waits_no_longer_than_his_deadline_and_leaves_no_trace() -> None:
    gate = Gate(at_once=1)
    with gate.passing(AMPLE), pytest.raises(LimitReached), gate.passing(Deadline(0.02)):
        pytest.fail("the gate was full")
    with gate.passing(Deadline(1)) as number:
        assert 2 == number


def test_who_waited_longest_goes_first() -> None:
    gate, order = Gate(at_once=1), list[int]()
    ranking = threading.Semaphore(0)

    def call(number: int) -> None:
        ranking.release()
        with gate.passing(AMPLE):
            order.append(number)

    with ThreadPoolExecutor(5) as pool:
        with gate.passing(AMPLE):
            waiting = []
            for number in range(5):
                waiting.append(pool.submit(call, number))
                ranking.acquire()
                threading.Event().wait(0.01)
        wait(waiting, 5)
    assert [0, 1, 2, 3, 4] == order


# --- waiting as the server asks -----------------------------------------------------------------------------


def test_a_limit_on_retrieves_stops_retrieves_for_its_time_and_lists_go_on() -> None:
    clock = HandClock()
    pause = Pause(clock)
    pause.note(PLAN_LIMIT)
    pause.check(retrieve=False)
    clock.forward(20)
    with pytest.raises(RateLimited, match="no retrieves for 40 s more") as caught:
        pause.check(retrieve=True)
    assert (40, True) == (caught.value.wait, caught.value.retrieves_only)
    clock.forward(40)
    pause.check(retrieve=True)


def test_a_server_that_is_asked_too_often_is_left_alone_altogether() -> None:
    clock = HandClock()
    pause = Pause(clock)
    pause.note(RateLimited("asks to wait (429)", 7))
    for retrieve in (True, False):
        with pytest.raises(RateLimited, match="for 7 s more"):
            pause.check(retrieve=retrieve)
    clock.forward(7)
    pause.check(retrieve=False)


def _run(
    knowledge: FakeKnowledge,
    throttle: Throttle,
    limits: Limits = Limits(),  # noqa: B008 - a frozen value
) -> tuple[GuardedKnowledge, Meter]:
    meter = Meter(limits)
    run = GuardedKnowledge(knowledge, meter, Trace(), throttle=throttle, attempts=1)
    return run, meter


def _two_runs(knowledge: FakeKnowledge) -> tuple[Throttle, GuardedKnowledge, GuardedKnowledge]:
    shared = Throttle(Gate(10))
    return shared, _run(knowledge, shared)[0], _run(knowledge, shared)[0]


def test_what_one_run_was_told_holds_for_the_next_run_of_the_server() -> None:
    knowledge = FakeKnowledge(HOLDING, failing={("retrieve",): PLAN_LIMIT})
    shared, one, other = _two_runs(knowledge)
    for run in (one, other, other):
        with pytest.raises(RateLimited):
            run.retrieve(DATASET, Query("rent"), 4)
    assert 1 == len(knowledge.asked("retrieve"))
    assert 1 == other.segments(DOCUMENT, 1).total
    assert 10 == shared.gate.at_once


def test_a_call_that_is_not_made_is_not_charged() -> None:
    knowledge = FakeKnowledge(HOLDING, failing={("retrieve",): PLAN_LIMIT})
    run, meter = _run(knowledge, Throttle(Gate(10)))
    for _ in range(3):
        with pytest.raises(RateLimited):
            run.retrieve(DATASET, Query("rent"), 4)
    assert (1, 1) == (meter.spent()["retrieves"], meter.spent()["knowledge_calls"])


@pytest.mark.parametrize(
    ("error", "left"),
    [
        (KnowledgeUnavailable("502"), 5),
        (RateLimited("429"), 5),
        (PLAN_LIMIT, 10),
        (ServerFault("500"), 10),
        (LimitReached("x", 0, 1), 10),
    ],
)
def test_what_does_not_tell_of_load_leaves_the_gate_as_it_is_and_what_does_halves_the_gate(
    error: EvidenceError, left: int
) -> None:
    shared, run, _ = _two_runs(FakeKnowledge(HOLDING, failing={("datasets",): error}))
    with pytest.raises(type(error)):
        run.datasets(1)
    assert left == shared.gate.at_once


def test_a_refused_limit_leaves_the_gate_to_the_next_call() -> None:
    shared = Throttle(Gate(at_once=1))
    run, _ = _run(FakeKnowledge(HOLDING), shared, Limits(knowledge_calls=1))
    calls: list[Callable[[], object]] = [lambda: run.datasets(1)] * 3
    run.datasets(1)
    for call in calls:
        with pytest.raises(LimitReached, match="1 knowledge calls"):
            call()
    assert 1 == _run(FakeKnowledge(HOLDING), shared)[0].datasets(1).total
