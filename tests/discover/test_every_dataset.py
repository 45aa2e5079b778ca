"""Every dataset of a route is asked or read whole before anything is said to be nowhere."""

import pytest

from evidence.context import Context
from evidence.corpus.fetch import all_datasets, catalogue_of
from evidence.discover.route import RouteOptions, route
from evidence.errors import DatasetNotFound
from evidence.model import Question, Route
from evidence.understand.question import understand
from tests.fakes import FakeKnowledge, Holding, degraded, holding, metered
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


def test_a_dataset_that_ranks_by_words_stands_beside_one_that_ranks_by_vectors() -> None:
    outcome, _, _ = ask(ABROAD, knowledge=FakeKnowledge(*_bases("economy")))
    assert "Handbook.txt" == outcome.shortlist.documents[0].document.name
    assert "Handbook.txt" == outcome.pool.passages[0].segment.document.name


@pytest.mark.parametrize("number", [1, 2, 3, 6])
def test_every_dataset_is_asked_before_it_is_said_that_nothing_was_found(
    number: int,
) -> None:
    held = [holding(f"Folder {at}", TEXTS, technique="high_quality") for at in range(number)]
    knowledge = FakeKnowledge(*held)
    outcome, _, _ = ask("What colour is the boat?", knowledge=knowledge)
    assert outcome.answer is not None
    assert "not_found" == outcome.answer.status
    assert {call[1] for call in knowledge.asked("retrieve")} == {each.dataset_id for each in knowledge.listed}


# --- what says most of a dataset ----------------------------------------------------------------------------


def _route(ctx: Context, text: str, *datasets: str) -> Route:
    question = Question(text, datasets)
    return route(question, understand(question), RouteOptions(), ctx)


def test_a_description_that_fits_is_looked_into_before_larger_datasets() -> None:
    vague = [holding(f"Folder {at}", TEXTS) for at in range(9)]
    fits = holding("Small", HOUSE, description="What staff may do abroad")
    knowledge = FakeKnowledge(*vague, fits)
    asked = "In the rules of the house that staff signed, how long is a stay abroad in days?"
    assert "Small" == _route(metered(knowledge), asked).datasets[0].dataset.name
    assert fits[0].dataset_id in {call[1] for call in knowledge.asked("documents")}


def test_many_names_that_hold_a_word_each_say_less_than_a_description_that_holds_them_together() -> None:
    words = "Travel Leave Family Event Policy Days".split()
    large = holding("Archive", {f"{word} {number}.txt": ["x"] for word in words for number in range(10)})
    fits = holding("Staff", HOUSE, description="Leave and travel of staff, also for family events")
    others = [holding(f"Folder {at}", TEXTS) for at in range(3)]
    knowledge = FakeKnowledge(large, *others, fits)
    ctx = metered(knowledge)
    for dataset in all_datasets(ctx):
        catalogue_of(dataset, ctx)
    found = _route(ctx, "How many days of leave does the travel policy allow for a family event?")
    assert ["Staff", "Archive"] == [entry.dataset.name for entry in found.datasets][:2]


# --- external datasets --------------------------------------------------------------------------------------

OUTSIDE = holding("Outside", {"x": []}, provider="external")
NEVER_SEARCHED = "route: Outside: an external knowledge base, which cannot be read through Dify's API"


def test_an_external_dataset_that_the_caller_names_is_said_not_to_be_searched() -> None:
    ctx = metered(FakeKnowledge(OUTSIDE, holding("House", HOUSE)))
    assert ["House"] == [entry.dataset.name for entry in _route(ctx, ABROAD, "Outside", "House").datasets]
    assert (NEVER_SEARCHED,) == degraded(ctx)


def test_where_nothing_but_an_external_dataset_is_there_it_is_said() -> None:
    ctx = metered(FakeKnowledge(OUTSIDE))
    assert () == _route(ctx, ABROAD).datasets
    assert (NEVER_SEARCHED,) == degraded(ctx)


def test_an_external_dataset_that_nobody_names_is_no_loss_worth_a_line() -> None:
    ctx = metered(FakeKnowledge(OUTSIDE, holding("House", HOUSE)))
    _route(ctx, ABROAD)
    assert () == degraded(ctx)


def test_an_unknown_name_is_answered_with_the_names_that_can_be_searched() -> None:
    held = [holding(f"Folder {at}", HOUSE) for at in range(7)]
    with pytest.raises(DatasetNotFound) as caught:
        _route(metered(FakeKnowledge(OUTSIDE, *held)), ABROAD, "Ghost")
    first = ", ".join(f"Folder {at}" for at in range(6))
    assert f'There is no dataset "Ghost" that this key may read; it may read: {first}, ….' == str(
        caught.value
    )
