"""Every dataset of a route is asked or read whole before anything is said to be nowhere."""

import pytest

from evidence.model import Question
from evidence.stages.route import RouteOptions, route
from evidence.stages.understand import understand
from tests.fakes import FakeKnowledge, Holding, holding, metered
from tests.pipeline_samples import ask, quotes

PARTIES = "Ash Beech Cherry Dogwood Elder Fir Gorse Hazel Ivy Juniper Kapok Larch".split()
TEXTS = {
    f"{party} NDA.txt": [
        f"Agreement with {party} on confidential information.",
        f"{party} keeps what it was told for five years after the end.",
        "An employee who travels takes the documents along.",
    ]
    for party in PARTIES
}
HOUSE = {"Handbook.txt": ["Rules of the house.", "An employee may work from abroad for thirty days a year."]}
ABROAD = "For how many days may an employee work from abroad?"


def _bases(technique: str) -> tuple[Holding, ...]:
    """Two large datasets of the same documents and a small one that holds the answer."""
    return (
        holding("Contracts", TEXTS, technique="high_quality"),
        holding("Contracts by keyword", TEXTS),
        holding("House", HOUSE, technique=technique),
    )


@pytest.mark.parametrize("technique", ["economy", "high_quality"])
def test_the_first_question_finds_what_the_smallest_of_three_datasets_holds(technique: str) -> None:
    knowledge = FakeKnowledge(*_bases(technique))
    outcome, left_out, spent = ask(ABROAD, knowledge=knowledge)
    assert "An employee may work from abroad for thirty days a year." in quotes(outcome)
    assert {call[1] for call in knowledge.asked("retrieve")} == {each.dataset_id for each in knowledge.listed}
    assert spent["knowledge_calls"] <= 14
    assert () == left_out


@pytest.mark.parametrize("number", [1, 2, 3, 6])
def test_every_dataset_that_the_caller_names_is_asked_before_it_is_said_that_nothing_was_found(
    number: int,
) -> None:
    held = [holding(f"Folder {at}", TEXTS, technique="high_quality") for at in range(number)]
    knowledge = FakeKnowledge(*held)
    outcome, _, _ = ask("What colour is the boat?", knowledge=knowledge)
    assert outcome.answer is not None
    assert "not_found" == outcome.answer.status
    assert {call[1] for call in knowledge.asked("retrieve")} == {each.dataset_id for each in knowledge.listed}


def test_a_description_that_fits_is_looked_into_before_larger_datasets() -> None:
    vague = [holding(f"Folder {at}", TEXTS) for at in range(9)]
    fits = holding("Small", HOUSE, description="What staff may do abroad")
    knowledge = FakeKnowledge(*vague, fits)
    question = Question("In the rules of the house that staff signed, how long is a stay abroad in days?")
    found = route(question, understand(question), RouteOptions(), metered(knowledge))
    assert "Small" == found.datasets[0].dataset.name
    assert fits[0].dataset_id in {call[1] for call in knowledge.asked("documents")}
