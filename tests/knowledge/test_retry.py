"""Asking again: only where it may help, never past the deadline, each attempt charged."""

import pytest

from evidence.errors import (
    DatasetNotFound,
    EvidenceError,
    KnowledgeUnavailable,
    LimitReached,
    Misconfigured,
    RateLimited,
)
from evidence.knowledge.middleware import GuardedKnowledge
from evidence.limits import Limits, Meter
from evidence.model import Dataset, Page
from evidence.trace import Trace
from tests.fakes import FakeKnowledge, holding

HOLDING = holding("Leases", {"Harbour Lease.txt": ["The rent is ten."]})


class Recovering(FakeKnowledge):
    """Fails with each of the errors in turn, then answers."""

    def __init__(self, *errors: EvidenceError) -> None:
        super().__init__(HOLDING)
        self._errors = list(errors)

    def datasets(self, page: int) -> Page[Dataset]:
        found = super().datasets(page)
        if self._errors:
            raise self._errors.pop(0)
        return found


def _asking(
    knowledge: FakeKnowledge, seconds: float = 60.0, calls: int = 60
) -> tuple[GuardedKnowledge, Meter, Trace]:
    meter, trace = Meter(Limits(seconds=seconds, knowledge_calls=calls)), Trace()
    return GuardedKnowledge(knowledge, meter, trace), meter, trace


def test_a_server_that_recovers_is_asked_again_and_each_attempt_is_charged() -> None:
    asking, meter, trace = _asking(Recovering(KnowledgeUnavailable("down"), KnowledgeUnavailable("down")))
    assert ("Leases",) == tuple(dataset.name for dataset in asking.datasets(1).items)
    assert 3 == meter.spent()["knowledge_calls"]
    assert ["KnowledgeUnavailable", "KnowledgeUnavailable", ""] == [
        step.error for step in trace.receipt({}).steps
    ]


def test_a_server_that_stays_down_is_asked_three_times_and_its_own_error_is_raised() -> None:
    knowledge = FakeKnowledge(HOLDING, failing={("datasets",): KnowledgeUnavailable("down")})
    with pytest.raises(KnowledgeUnavailable, match="down"):
        _asking(knowledge)[0].datasets(1)
    assert 3 == len(knowledge.calls)


@pytest.mark.parametrize("error", [DatasetNotFound("gone"), Misconfigured("wrong key")])
def test_what_would_fail_again_is_not_asked_again(error: EvidenceError) -> None:
    knowledge = FakeKnowledge(HOLDING, failing={("datasets",): error})
    with pytest.raises(type(error)):
        _asking(knowledge)[0].datasets(1)
    assert 1 == len(knowledge.calls)


def test_a_rate_limit_is_waited_for_and_said() -> None:
    asking, _, trace = _asking(Recovering(RateLimited("slow down", wait=0.01)))
    assert 1 == asking.datasets(1).total
    assert ("the knowledge server asked to wait (rate limit)",) == trace.receipt({}).degraded


@pytest.mark.parametrize(
    ("error", "seconds"),
    [
        (RateLimited("slow down", wait=90), 60.0),
        (RateLimited("slow down", wait=40), 60.0),
        (KnowledgeUnavailable("down"), 1.5),
    ],
)
def test_a_wait_that_would_take_most_of_the_time_left_is_not_begun(
    error: EvidenceError, seconds: float
) -> None:
    knowledge = FakeKnowledge(HOLDING, failing={("datasets",): error})
    with pytest.raises(type(error)):
        _asking(knowledge, seconds)[0].datasets(1)
    assert 1 == len(knowledge.calls)


def test_a_spent_limit_ends_the_attempts() -> None:
    knowledge = FakeKnowledge(HOLDING, failing={("datasets",): KnowledgeUnavailable("down")})
    with pytest.raises(LimitReached, match="2 knowledge calls"):
        _asking(knowledge, calls=2)[0].datasets(1)
    assert 2 == len(knowledge.calls)
