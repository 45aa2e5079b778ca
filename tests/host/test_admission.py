"""Large requests share a bounded part of the process; small ones need no admission."""

import threading
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from evidence.errors import Overloaded
from evidence.settings import Settings
from host.admission import Admission, size_of
from host.mcp.answering import answer_mcp
from host.web import HttpRequest
from host.wiring import Caller, open_context

AGES = 1e9  # seconds


class Visitors:
    """Requests that stay inside until `leave` is set, and are counted."""

    def __init__(self, admission: Admission) -> None:
        self.admission = admission
        self.leave = threading.Event()
        self.inside = 0
        self.most_inside = 0
        self.came: list[int] = []
        self.changed = threading.Condition()

    def visit(self, size: int) -> None:
        with self.admission.admitted(size, AGES):
            with self.changed:
                self.inside += 1
                self.most_inside = max(self.inside, self.most_inside)
                self.came.append(size)
                self.changed.notify_all()
            self.leave.wait()
            with self.changed:
                self.inside -= 1

    def send(self, pool: ThreadPoolExecutor, *sizes: int) -> list[Future[None]]:
        """Begin visits one after the other, each once the one before is inside or waits."""
        begun = []
        for size in sizes:
            expected = self.seen() + 1
            begun.append(pool.submit(self.visit, size))
            self.until(expected)
        return begun

    def seen(self) -> int:
        return self.inside + self.admission.waiting

    def until(self, seen: int) -> None:
        with self.changed:
            while self.seen() < seen:
                self.changed.wait(0.01)


def test_of_large_requests_only_so_many_are_inside_as_fit_and_the_others_wait() -> None:
    visitors = Visitors(Admission(most=100, small=10))
    with ThreadPoolExecutor(9) as pool:
        begun = visitors.send(pool, *[40] * 9)
        assert (2, 7) == (visitors.inside, visitors.admission.waiting)
        visitors.leave.set()
        assert [None] * 9 == [each.result() for each in begun]
    assert (2, 0, 0) == (visitors.most_inside, visitors.inside, visitors.admission.waiting)


def test_a_small_request_is_never_held_up_by_large_ones() -> None:
    visitors = Visitors(Admission(most=100, small=10))
    with ThreadPoolExecutor(9) as pool:
        visitors.send(pool, 100, 100, 100)
        with visitors.admission.admitted(10, AGES) as waited:
            assert (0.0, 1) == (waited, visitors.inside)
        visitors.leave.set()


def test_the_largest_request_is_answered_alone_and_in_its_turn() -> None:
    visitors = Visitors(Admission(most=100, small=10))
    with ThreadPoolExecutor(9) as pool:
        begun = visitors.send(pool, 60, 1_000, 40, 30)
        assert ([60], 3) == (visitors.came, visitors.admission.waiting)
        visitors.leave.set()
        assert [None] * 4 == [each.result() for each in begun]
    assert [60, 1_000] == visitors.came[:2]


def test_who_is_not_admitted_in_time_is_refused_in_one_clear_line_and_leaves_the_queue() -> None:
    admission = Admission(most=100, small=10)
    with admission.admitted(100, AGES):
        with pytest.raises(Overloaded) as refused, admission.admitted(100, 0.0):
            raise AssertionError("it does not fit")
        assert "too many large requests are being answered; ask again later, or hand in less text" == str(
            refused.value
        )
    assert 0 == admission.waiting
    with admission.admitted(100, AGES):
        assert 0 == admission.waiting


def test_where_too_much_waits_the_next_one_is_refused_at_once() -> None:
    visitors = Visitors(Admission(most=100, waiting=150, small=10))
    with ThreadPoolExecutor(9) as pool:
        visitors.send(pool, 100, 100)
        with pytest.raises(Overloaded), visitors.admission.admitted(60, AGES):
            raise AssertionError("too much waits")
        visitors.send(pool, 50)
        visitors.leave.set()


def test_what_fails_inside_makes_room() -> None:
    admission = Admission(most=100, small=10)
    for _ in range(3):
        with pytest.raises(ZeroDivisionError), admission.admitted(100, AGES):
            raise ZeroDivisionError


def test_what_a_run_has_waited_is_taken_from_its_seconds() -> None:
    given = {"dify_base_url": "http://127.0.0.1:1", "dify_api_key": "dataset-sample"}
    left = open_context(Caller(given, waited=50.0), Settings.of("extractive", seconds=60.0)).deadline.left()
    assert 0 < left <= 10


def test_a_request_weighs_what_all_values_in_it_take() -> None:
    words = "word " * 1_000
    inside = size_of({"passages": [{"text": words}, {"text": words * 2}], "query": words})
    assert 4 * len(words) <= inside <= 4 * len(words) + 2_000
    assert size_of("漢" * 1_000) >= 2_000


def test_a_body_that_is_too_large_to_be_read_does_not_wait() -> None:
    assert [50, 1_000_000, 0] == [
        HttpRequest(body=b"x" * size).parsed_bytes for size in (50, 10**6, 10**6 + 1)
    ]
    request = HttpRequest(
        headers={"authorization": "Bearer k", "content-type": "application/json"}, body=b"x" * 2_000_000
    )
    assert 413 == answer_mcp(request, Caller({"endpoint_key": "k"})).status
