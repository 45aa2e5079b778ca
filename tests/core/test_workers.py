"""Parallel work: in the order of the items, expected failures in their place, bugs raised."""

import threading
import time
import weakref

import pytest

from evidence.errors import KnowledgeUnavailable, LimitReached
from evidence.limits import Deadline
from evidence.single_flight import SingleFlight
from evidence.workers import Failure, gather, start
from tests.fakes import HandClock

AMPLE = Deadline(3_600)


def test_answers_stand_in_the_order_of_the_items() -> None:
    def slow_first(number: int) -> int:
        time.sleep(0.02 if number == 0 else 0)
        return number * 10

    assert [0, 10, 20, 30] == gather(slow_first, range(4), workers=4, deadline=AMPLE)


def test_an_expected_failure_takes_its_items_place() -> None:
    error = KnowledgeUnavailable("down")

    def call(number: int) -> int:
        if number == 1:
            raise error
        return number

    assert [0, Failure(error), 2] == gather(call, range(3), workers=2, deadline=AMPLE)


@pytest.mark.parametrize("count", [1, 3])
def test_a_bug_is_raised(count: int) -> None:
    def call(_: int) -> int:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        gather(call, range(count), workers=2, deadline=AMPLE)


def test_no_items_start_no_thread() -> None:
    before = threading.active_count()
    assert [] == gather(lambda item: item, [], workers=4, deadline=AMPLE)
    assert before == threading.active_count()


def test_nothing_begins_after_the_deadline() -> None:
    clock = HandClock()
    deadline = Deadline(1.0, clock)
    clock.forward(2)
    begun: list[int] = []
    results = gather(begun.append, range(3), workers=2, deadline=deadline)
    assert [] == begun
    assert [LimitReached] * 3 == [type(each.error) for each in results if isinstance(each, Failure)]


def test_no_more_threads_work_at_once_than_allowed() -> None:
    lock, now, most = threading.Lock(), 0, 0

    def call(_: int) -> None:
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        time.sleep(0.005)
        with lock:
            now -= 1

    gather(call, range(12), workers=3, deadline=AMPLE)
    assert 1 < most <= 3


def test_work_that_was_started_hands_back_its_value() -> None:
    assert 42 == start(lambda: 42).result(timeout=5)


def test_work_that_was_started_hands_back_its_error() -> None:
    def call() -> int:
        raise KnowledgeUnavailable("down")

    with pytest.raises(KnowledgeUnavailable, match="down"):
        start(call).result(timeout=5)


def test_started_work_runs_beside_its_caller() -> None:
    go = threading.Event()
    future = start(lambda: go.wait(5))
    assert not future.done()
    go.set()
    assert future.result(timeout=5)


class _Page:
    """Something large that was at hand when an error was raised."""


def _failing(pages: "list[weakref.ref[_Page]]") -> None:
    page = _Page()
    pages.append(weakref.ref(page))
    try:
        _refuse(page)
    except ValueError:
        raise KnowledgeUnavailable("down") from None


def _refuse(page: _Page) -> None:
    raise ValueError(page)


def test_a_failure_keeps_nothing_alive_of_where_it_happened() -> None:
    pages: list[weakref.ref[_Page]] = []
    failures = gather(lambda _: _failing(pages), range(2), workers=2, deadline=AMPLE)
    assert [None, None] == [page() for page in pages]
    assert all(isinstance(each, Failure) for each in failures)


def test_an_error_that_is_waited_for_keeps_nothing_alive_of_where_it_happened() -> None:
    pages: list[weakref.ref[_Page]] = []
    work = start(lambda: _failing(pages))
    with pytest.raises(KnowledgeUnavailable):
        work.result(60)
    with pytest.raises(KnowledgeUnavailable):
        SingleFlight().call("page", lambda: _failing(pages))
    assert [None, None] == [page() for page in pages]
