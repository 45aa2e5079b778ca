"""One call for many callers."""

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from evidence.errors import KnowledgeUnavailable, LimitReached
from evidence.limits import Deadline
from evidence.single_flight import SingleFlight


def _together(flights: SingleFlight, call: Callable[[], int], callers: int = 8) -> list[int | Exception]:
    """Every caller's result; the call does not end before all callers have begun."""
    begun = threading.Barrier(callers)

    def ask(_: int) -> int | Exception:
        begun.wait(5)
        try:
            return flights.call("datasets", call)
        except KnowledgeUnavailable as error:
            return error

    with ThreadPoolExecutor(callers) as pool:
        return list(pool.map(ask, range(callers)))


def test_eight_callers_at_once_cost_one_call() -> None:
    calls: list[int] = []

    def slow() -> int:
        calls.append(1)
        threading.Event().wait(0.1)
        return 7

    assert [7] * 8 == _together(SingleFlight(), slow)
    assert 1 == len(calls)


def test_eight_callers_at_once_share_one_error() -> None:
    calls: list[int] = []

    def failing() -> int:
        calls.append(1)
        threading.Event().wait(0.1)
        raise KnowledgeUnavailable("down")

    errors = _together(SingleFlight(), failing)
    assert ["down"] * 8 == [str(error) for error in errors]
    assert 1 == len(calls)


def test_a_call_that_failed_is_made_again_for_who_asks_later() -> None:
    flights = SingleFlight()

    def failing() -> int:
        raise KnowledgeUnavailable("down")

    with pytest.raises(KnowledgeUnavailable):
        flights.call("page", failing)
    assert 7 == flights.call("page", lambda: 7)


def _under_way(flights: SingleFlight, call: Callable[[], int]) -> "Future[int]":
    """Begins a call and comes back once it is under way."""
    begun, told = threading.Event(), Future[int]()

    def slow() -> int:
        begun.set()
        return call()

    def run() -> None:
        try:
            told.set_result(flights.call("page", slow))
        except LimitReached as error:
            told.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    assert begun.wait(5)
    return told


def test_who_waits_for_anothers_call_waits_no_longer_than_his_own_deadline() -> None:
    flights, over, calls = SingleFlight(), threading.Event(), list[int]()
    leader = _under_way(flights, lambda: over.wait(30) and 7)
    with pytest.raises(LimitReached, match="seconds"):
        flights.call("page", lambda: calls.append(1), Deadline(0.02))
    assert not leader.done()
    over.set()
    assert (7, []) == (leader.result(5), calls)


def test_anothers_limit_is_not_taken_over_and_one_of_those_who_waited_asks_for_all() -> None:
    flights, over, calls = SingleFlight(), threading.Event(), list[int]()

    def limited() -> int:
        over.wait(30)
        raise LimitReached("seconds", 1, 2)

    def ask() -> int:
        calls.append(1)
        threading.Event().wait(0.05)
        return 7

    leader = _under_way(flights, limited)
    with ThreadPoolExecutor(4) as pool:
        waiting = [pool.submit(flights.call, "page", ask, Deadline(30)) for _ in range(4)]
        threading.Event().wait(0.05)
        over.set()
        assert [7, 7, 7, 7] == [each.result(5) for each in waiting]
    assert isinstance(leader.exception(5), LimitReached)
    assert 1 == len(calls)


def test_other_keys_do_not_wait_for_each_other() -> None:
    flights = SingleFlight()
    assert 3 == flights.call("outer", lambda: flights.call("inner", lambda: 3))


def test_a_failure_of_a_run_that_had_little_time_left_is_not_taken_over() -> None:
    flights, begun, go = SingleFlight(), threading.Event(), threading.Event()

    def failing() -> int:
        begun.set()
        go.wait(5)
        raise KnowledgeUnavailable("broke off")

    with ThreadPoolExecutor(2) as pool:
        hasty = pool.submit(flights.call, "list", failing, Deadline(5))
        begun.wait(5)
        patient = pool.submit(flights.call, "list", lambda: 7, Deadline(60))
        threading.Event().wait(0.05)  # so that it waits for the other's call
        go.set()
        assert isinstance(hasty.exception(10), KnowledgeUnavailable)
        assert 7 == patient.result(10)
