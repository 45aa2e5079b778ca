"""The receipt: what was done, in which order, and what was left out."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from evidence.errors import KnowledgeUnavailable
from evidence.trace import Step, Trace


def _steps(trace: Trace) -> tuple[Step, ...]:
    return trace.receipt({}).steps


def test_a_step_holds_its_facts_and_its_time() -> None:
    trace = Trace()
    with trace.step("search.rank", documents=3) as step:
        step.facts["segments"] = 12
    (found,) = _steps(trace)
    assert ("search.rank", {"documents": 3, "segments": 12}, "") == (found.name, found.facts, found.error)
    assert 0 <= found.began
    assert 0 <= found.seconds < 5


def test_a_step_that_fails_is_named_by_the_kind_of_its_error_and_the_error_passes_on() -> None:
    trace = Trace()
    with pytest.raises(KnowledgeUnavailable), trace.step("knowledge.datasets"):
        raise KnowledgeUnavailable("the address and the key")
    (found,) = _steps(trace)
    assert "KnowledgeUnavailable" == found.error
    assert "the address" not in str(found)


def test_steps_stand_in_the_order_in_which_they_began() -> None:
    trace = Trace()
    with trace.step("outer"), trace.step("inner"):
        pass
    assert ["outer", "inner"] == [step.name for step in _steps(trace)]


def test_a_reason_to_degrade_is_said_once() -> None:
    trace = Trace()
    for reason in ("no reranker", "slow server", "no reranker"):
        trace.degrade(reason)
    assert ("no reranker", "slow server") == trace.receipt({}).degraded


def test_steps_of_many_threads_are_all_kept() -> None:
    trace = Trace()

    def work(number: int) -> None:
        with trace.step("work", number=number):
            pass

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(100)))
    assert set(range(100)) == {step.facts["number"] for step in _steps(trace)}


def test_a_receipt_says_what_was_spent() -> None:
    receipt = Trace().receipt({"model_calls": 2})
    assert {"model_calls": 2} == receipt.spent
    assert receipt.seconds >= 0
