"""One job for identical requests, and what is ready when time is up."""

import threading
from collections.abc import Callable

import pytest

from evidence.errors import KnowledgeUnavailable
from evidence.model import Query
from host.external.flights import Flights
from host.external.ready import Remembering
from tests.fakes import FakeKnowledge, HandClock, holding

HOLDING = holding("harbour", {"Crane rules.txt": ["The crane."]})
HARBOUR, (CRANE, *_) = HOLDING[0], tuple(HOLDING[1])


class Counting:
    """Numbers what it makes, and notes what it runs."""

    def __init__(self) -> None:
        self.made = 0
        self.ran: list[int] = []

    def make(self) -> int:
        self.made += 1
        return self.made

    def run(self, number: int) -> bool:
        self.ran.append(number)
        return True


def flown(
    flights: Flights[int], jobs: Counting, key: str = "a", run: Callable[[int], bool] | None = None
) -> int:
    number, waiting = flights.join(key, jobs.make, run or jobs.run)
    waiting.result(5)
    return number


def test_identical_requests_share_a_job_while_it_runs() -> None:
    flights, jobs, gate = Flights[int](), Counting(), threading.Event()

    def slow(_: int) -> bool:
        return gate.wait(5)

    joined = [flights.join("a", jobs.make, slow) for _ in range(4)]
    other = flights.join("b", jobs.make, slow)
    gate.set()
    assert [True] * 5 == [waiting.result(5) for _, waiting in (*joined, other)]
    assert [1, 1, 1, 1, 2] == [number for number, _ in (*joined, other)]


def test_no_more_jobs_are_under_way_than_can_be_borne_and_identical_ones_join_all_the_same() -> None:
    flights, jobs, gate = Flights[int](at_once=2), Counting(), threading.Event()

    def slow(_: int) -> bool:
        return gate.wait(5)

    joined = [flights.join(key, jobs.make, slow) for key in "aba"]
    with pytest.raises(KnowledgeUnavailable, match="too many searches are under way; ask again in a moment"):
        flights.join("c", jobs.make, slow)
    gate.set()
    assert [True] * 3 == [waiting.result(5) for _, waiting in joined]
    assert 3 == flown(flights, jobs, "c")


def test_a_result_is_kept_for_a_while_from_the_moment_it_was_there() -> None:
    clock = HandClock()
    flights, jobs = Flights[int](keep=30.0, clock=clock), Counting()
    assert 1 == flown(flights, jobs)
    clock.forward(29)
    assert 1 == flown(flights, jobs)
    clock.forward(2)
    assert 2 == flown(flights, jobs)


def test_a_job_that_failed_is_not_kept() -> None:
    flights, jobs = Flights[int](), Counting()

    def fail(_: int) -> bool:
        raise KnowledgeUnavailable("down")

    with pytest.raises(KnowledgeUnavailable):
        flown(flights, jobs, run=fail)
    assert 2 == flown(flights, jobs)
    assert [2] == jobs.ran


def test_a_result_that_is_not_to_be_kept_is_given_to_those_who_waited_for_it_alone() -> None:
    flights, jobs, gate = Flights[int](), Counting(), threading.Event()
    joined = [flights.join("a", jobs.make, lambda _: not gate.wait(5)) for _ in range(2)]
    gate.set()
    assert [(1, False)] * 2 == [(number, waiting.result(5)) for number, waiting in joined]
    assert 2 == flown(flights, jobs)
    assert 2 == flown(flights, jobs)


def test_the_oldest_results_go_when_there_are_too_many() -> None:
    flights, jobs = Flights[int](most=2), Counting()
    for key in "abcd":
        flown(flights, jobs, key)
    flown(flights, jobs, "d")
    assert 4 == jobs.made
    flown(flights, jobs, "a")
    assert 5 == jobs.made


def test_what_is_ready_is_what_was_answered_and_nothing_is_asked_any_more() -> None:
    server = FakeKnowledge(HOLDING)
    knowledge = Remembering(server)
    listed, found = knowledge.datasets(1), knowledge.retrieve(HARBOUR, Query("crane"), 5)
    ready = knowledge.ready()
    assert (listed, found) == (ready.datasets(1), ready.retrieve(HARBOUR, Query("crane"), 5))
    for ask in (
        lambda: ready.documents(HARBOUR, 1),
        lambda: ready.segments(CRANE, 1),
        lambda: ready.retrieve(HARBOUR, Query("ferry"), 5),
    ):
        with pytest.raises(KnowledgeUnavailable, match="has not answered yet"):
            ask()
    assert 2 == len(server.calls)
    assert (CRANE,) == knowledge.documents(HARBOUR, 1).items
    assert "The crane." == knowledge.segments(CRANE, 1).items[0].text


def test_what_is_forgotten_is_asked_for_anew() -> None:
    server = FakeKnowledge(HOLDING)
    knowledge = Remembering(server)
    knowledge.datasets(1)
    ready = knowledge.ready()
    knowledge.forget()
    assert knowledge.datasets(1) == ready.datasets(1)
    assert 2 == len(server.calls)
