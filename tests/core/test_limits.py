"""What a run may spend: refused before it is spent, by however many threads."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.errors import LimitReached
from evidence.limits import Deadline, Limits, Meter, PrefetchCalls
from tests.fakes import HandClock


def test_a_charge_within_the_limit_is_spent() -> None:
    meter = Meter(Limits(knowledge_calls=3))
    meter.charge("knowledge_calls", 2)
    assert 2 == meter.spent()["knowledge_calls"]
    assert 1 == meter.left("knowledge_calls")


def test_a_charge_above_the_limit_is_refused_and_reserves_nothing() -> None:
    meter = Meter(Limits(model_calls=1))
    with pytest.raises(LimitReached, match="limit of 1 model calls reached \\(needed 2\\)") as caught:
        meter.charge("model_calls", 2)
    assert "model_calls" == caught.value.limit
    assert 0 == meter.spent()["model_calls"]


def test_charges_that_belong_together_are_made_together_or_not_at_all() -> None:
    meter = Meter(Limits(model_calls=1, model_tokens=100))
    with pytest.raises(LimitReached, match="needed 2"):
        meter.charge_all({"model_tokens": 10, "model_calls": 2})
    assert (0, 0) == (meter.spent()["model_tokens"], meter.spent()["model_calls"])
    meter.charge_all({"model_tokens": 10, "model_calls": 1})
    assert (10, 1) == (meter.spent()["model_tokens"], meter.spent()["model_calls"])


def test_what_has_no_limit_is_only_counted() -> None:
    meter = Meter(Limits())
    meter.charge("cache_hits", 1_000_000)
    assert 1_000_000 == meter.spent()["cache_hits"]


def test_settling_corrects_a_reservation_in_both_directions() -> None:
    meter = Meter(Limits(model_tokens=100))
    meter.charge("model_tokens", 60)
    meter.settle("model_tokens", 60, 10)
    assert 10 == meter.spent()["model_tokens"]
    meter.settle("model_tokens", 10, 30)
    assert 30 == meter.spent()["model_tokens"]


def test_eight_threads_cannot_overspend() -> None:
    meter = Meter(Limits(knowledge_calls=50))

    def charge(_: int) -> bool:
        try:
            meter.charge("knowledge_calls")
        except LimitReached:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        allowed = list(pool.map(charge, range(200)))
    assert 50 == sum(allowed)
    assert 50 == meter.spent()["knowledge_calls"]


@given(st.lists(st.integers(0, 20)), st.integers(0, 100))
def test_no_sequence_of_charges_passes_the_limit(amounts: list[int], granted: int) -> None:
    meter = Meter(Limits(knowledge_calls=granted))
    kept = 0
    for amount in amounts:
        try:
            meter.charge("knowledge_calls", amount)
        except LimitReached:
            assert kept + amount > granted
        else:
            kept += amount
    assert kept == meter.spent()["knowledge_calls"] <= granted


def test_a_deadline_counts_down_and_then_refuses() -> None:
    clock = HandClock()
    deadline = Deadline(10.0, clock)
    clock.forward(4)
    assert 6.0 == deadline.remaining()
    assert not deadline.passed()
    clock.forward(6)
    assert deadline.passed()
    with pytest.raises(LimitReached, match="limit of 10 seconds reached") as caught:
        deadline.remaining()
    assert "seconds" == caught.value.limit


def test_what_is_limited_is_not_charged_once_the_deadline_has_passed() -> None:
    clock = HandClock()
    meter = Meter(Limits(seconds=10.0), clock)
    meter.charge("model_calls")
    clock.forward(10)
    for name in ("model_calls", "rerank_calls", "knowledge_calls"):
        with pytest.raises(LimitReached, match="limit of 10 seconds reached"):
            meter.charge(name)
    meter.charge("cache_hits")
    assert (1, 0, 1) == tuple(meter.spent()[name] for name in ("model_calls", "rerank_calls", "cache_hits"))


def test_what_was_spent_is_a_copy() -> None:
    meter = Meter(Limits())
    before = meter.spent()
    meter.charge("retrieves")
    assert 0 == before["retrieves"]


# --- calls behind the answers -------------------------------------------------------------------------------


def test_calls_made_behind_the_answers_are_told_once() -> None:
    behind = PrefetchCalls()
    behind.add(3)
    behind.add(4)
    assert [7, 0] == [behind.take(), behind.take()]


def test_calls_of_late_are_those_of_the_last_seconds_told_or_not() -> None:
    clock = HandClock()
    behind = PrefetchCalls(clock)
    behind.add(3)
    clock.forward(500)
    behind.add(4)
    behind.take()
    assert 7 == behind.lately(600)
    clock.forward(101)
    assert 4 == behind.lately(600)


def test_an_extended_deadline_is_the_same_one_later() -> None:
    clock = HandClock()
    deadline = Deadline(3, clock)
    clock.forward(4)
    later = deadline.extended(2)
    assert (True, False) == (deadline.passed(), later.passed())
    clock.forward(1)
    with pytest.raises(LimitReached, match="limit of 3 seconds reached"):
        later.remaining()
