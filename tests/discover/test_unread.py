"""A document that is surely meant and could not be read: the answer says so, and is no whole answer."""

import pytest

from evidence.errors import KnowledgeUnavailable
from evidence.limits import Limits
from tests.fakes import FakeKnowledge, holding
from tests.pipeline_samples import ask, sources

HOUSES = holding(
    "Houses",
    {
        f"{name} Lease.md": [f"Lease of the {name.lower()} house.", f"The rent is {coins} coins a month."]
        for coins, name in enumerate(("Harbour", "Mountain", "Valley", "Forest", "Island", "Meadow"), 10)
    },
)
CHINESE = holding(
    "房屋",
    {
        f"{name}租赁合同.md": [f"{name}房屋。", f"每月租金为{coins}元。"]
        for name, coins in (("港口", 10), ("山地", 12), ("森林", 14))
    },
)
DOWN = KnowledgeUnavailable("down")


def test_a_named_document_that_cannot_be_read_is_said_and_the_answer_is_partial() -> None:
    knowledge = FakeKnowledge(
        HOUSES, failing={("segments", "Houses/Valley Lease.md"): DOWN, ("retrieve",): DOWN}
    )
    outcome, left_out, _ = ask("In the Valley Lease, what is the rent?", knowledge=knowledge)
    assert outcome.answer is not None
    assert ("Valley Lease.md",) == outcome.shortlist.unread
    assert ("partial", "knowledge_unavailable") == (outcome.answer.status, outcome.answer.reason)
    assert "Valley Lease.md" in outcome.answer.text
    assert "could not be read" in outcome.answer.text
    assert "discover: Valley Lease.md, which the question names, was not read" in left_out


def test_of_two_named_documents_the_one_that_the_calls_did_not_reach_is_said() -> None:
    knowledge = FakeKnowledge(HOUSES, failing={("retrieve",): DOWN})
    limits = Limits(knowledge_calls=4)
    text = "Compare the rent in the Harbour Lease, the Valley Lease and the Island Lease."
    outcome, left_out, _ = ask(text, knowledge=knowledge, limits=limits)
    assert outcome.answer is not None
    assert outcome.shortlist.unread
    assert "partial" == outcome.answer.status
    assert not set(outcome.shortlist.unread) & sources(outcome)
    assert [
        f"discover: {name}, which the question names, was not read" for name in outcome.shortlist.unread
    ] == [line for line in left_out if "which the question names" in line]


def test_a_chinese_document_that_cannot_be_read_is_said() -> None:
    knowledge = FakeKnowledge(
        CHINESE, failing={("segments", "房屋/山地租赁合同.md"): DOWN, ("retrieve",): DOWN}
    )
    outcome = ask("山地租赁合同的租金是多少？", knowledge=knowledge)[0]
    assert outcome.answer is not None
    assert "未能读取" in outcome.answer.text


@pytest.mark.parametrize("text", ["In the Valley Lease, what is the rent?", "What is the rent?"])
def test_where_all_that_is_named_was_read_nothing_is_said(text: str) -> None:
    outcome, left_out, _ = ask(text, knowledge=FakeKnowledge(HOUSES))
    assert ((), ()) == (outcome.shortlist.unread, left_out)


def test_a_document_that_is_not_named_may_stay_unread() -> None:
    knowledge = FakeKnowledge(HOUSES, failing={("segments", "Houses/Valley Lease.md"): DOWN})
    outcome = ask("In the Harbour Lease, what is the rent?", knowledge=knowledge)[0]
    assert outcome.answer is not None
    assert ((), "answered") == (outcome.shortlist.unread, outcome.answer.status)
