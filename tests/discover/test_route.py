"""Which datasets are searched, and why the others are not."""

from dataclasses import replace

import pytest

from evidence.context import Context
from evidence.corpus.fetch import all_datasets, catalogue_of, read_document
from evidence.discover.route import RouteOptions, route, widened
from evidence.errors import (
    DatasetNotFound,
    EvidenceError,
    InvalidRequest,
    KnowledgeUnavailable,
    LimitReached,
    Misconfigured,
)
from evidence.limits import Limits
from evidence.model import Dataset, Question, Route
from evidence.understand.question import understand
from tests.fakes import Call, FakeKnowledge, Holding, degraded, holding, metered

OPTIONS = RouteOptions(most=3)
LEASES = holding("Leases", {"Harbour Lease.txt": ["The rent is ten."]}, description="Rented houses")
STAFF = holding("Staff rules", {"Holidays.txt": ["Twenty days."]}, description="Rules for employees")
OUTSIDE = holding("Outside", {"x": []}, provider="external")
EMPTY = holding("Empty", {})
TOPICS = (
    "harbours mountains rivers bridges tunnels trains ferries airports bicycles taxis bread cheese wine olives "
    "honey apples rice coffee tea salt wolves bears foxes owls bees trout whales ants snails frogs granite marble "
    "copper silver timber glass paper cotton wool silk"
).split()


def _forty() -> tuple[Holding, ...]:
    """Forty datasets of mixed kinds; some cannot be searched."""
    found = [
        holding(
            f"Archive of {topic}",
            {f"{topic.title()} handbook.txt": [f"All about {topic}."]},
            technique="high_quality" if number % 2 else "economy",
            description=f"What is known of {topic}" if number % 3 else "",
            provider="external" if number % 10 == 9 else "vendor",
        )
        for number, topic in enumerate(TOPICS)
    ]
    return *found[:38], EMPTY, OUTSIDE


def _route(ctx: Context, text: str, *datasets: str) -> Route:
    question = Question(text, datasets)
    return route(question, understand(question), OPTIONS, ctx)


def _widened(first: Route, text: str, ctx: Context, *datasets: str) -> Route:
    question = Question(text, datasets)
    return widened(first, question, understand(question), OPTIONS, ctx)


def _names(found: Route) -> list[str]:
    return [entry.dataset.name for entry in found.datasets]


@pytest.mark.parametrize("asked", ["set Leases", "Leases", " leases "])
def test_a_dataset_is_chosen_by_id_or_by_name(asked: str) -> None:
    assert ["Leases"] == _names(_route(metered(FakeKnowledge(LEASES, STAFF)), "How many days?", asked))


def test_two_datasets_of_one_name_are_both_meant() -> None:
    twin: Holding = (Dataset("set twin", "Leases", document_count=1), {})
    found = _route(metered(FakeKnowledge(LEASES, twin)), "rent", "Leases")
    assert {"set Leases", "set twin"} == {entry.dataset.dataset_id for entry in found.datasets}


def test_an_unknown_dataset_is_an_error_that_names_what_there_is() -> None:
    with pytest.raises(DatasetNotFound) as caught:
        _route(metered(FakeKnowledge(LEASES, STAFF)), "rent", "Leases", "Ghost")
    assert 'There is no dataset "Ghost" that this key may read; it may read: Leases, Staff rules.' == str(
        caught.value
    )


def test_external_and_empty_datasets_are_skipped_with_reasons() -> None:
    found = _route(metered(FakeKnowledge(OUTSIDE, LEASES, EMPTY)), "rent")
    assert ["Leases"] == _names(found)
    assert (
        "Outside: an external knowledge base, which cannot be read through Dify's API",
        "Empty: it holds no documents",
    ) == found.skipped


def test_where_nothing_can_be_searched_nothing_fits() -> None:
    found = _route(metered(FakeKnowledge(OUTSIDE, EMPTY)), "rent")
    assert ((), "nothing_fits", 2) == (found.datasets, found.verdict, len(found.skipped))


def test_a_chosen_dataset_that_cannot_be_searched_is_not_replaced_by_another() -> None:
    found = _route(metered(FakeKnowledge(EMPTY, LEASES)), "rent", "Empty")
    assert ((), "nothing_fits") == (found.datasets, found.verdict)


def test_an_external_dataset_that_is_named_is_said_to_be_one() -> None:
    ctx = metered(FakeKnowledge(OUTSIDE, LEASES))
    with pytest.raises(InvalidRequest) as caught:
        _route(ctx, "rent", "Outside")
    expected = (
        '"Outside" is an external knowledge base, which cannot be read through Dify\'s API: '
        "name one that Dify itself stores"
    )
    assert expected == str(caught.value)
    assert ["Leases"] == _names(_route(ctx, "rent", "Outside", "Leases"))
    assert (
        "route: Outside: an external knowledge base, which cannot be read through Dify's API",
    ) == degraded(ctx)


def test_of_few_datasets_all_are_searched_the_likelier_ones_first() -> None:
    found = _route(metered(FakeKnowledge(LEASES, STAFF)), "What rules do employees have?")
    assert ["Staff rules", "Leases"] == _names(found)
    assert ("words: 1.00",) == found.datasets[0].why


@pytest.mark.parametrize("topic", [topic for number, topic in enumerate(TOPICS[:38]) if number % 10 != 9])
def test_of_forty_datasets_the_right_one_is_among_the_first_two(topic: str) -> None:
    knowledge = FakeKnowledge(*_forty())
    ctx = metered(knowledge)
    all_datasets(ctx)
    found = _route(ctx, f"What does the handbook say of {topic} in winter?")
    assert f"Archive of {topic}" in _names(found)[:2]
    assert len(found.datasets) <= 3
    assert len(knowledge.calls) - 1 <= 2


def test_a_dataset_is_found_by_what_its_documents_are_called_once_they_were_listed() -> None:
    vague = [holding(f"Folder {number}", {f"{topic}.txt": ["x"]}) for number, topic in enumerate(TOPICS)]
    knowledge = FakeKnowledge(*vague)
    ctx = metered(knowledge)
    for dataset in all_datasets(ctx):
        catalogue_of(dataset, ctx)
    knowledge.calls.clear()
    expected = f"Folder {TOPICS.index('snails')}"
    assert expected in _names(_route(ctx, "How long do snails live?"))[:2]
    assert [] == knowledge.calls


def test_a_dataset_is_found_by_what_was_read_in_it() -> None:
    vague = [
        holding(f"Folder {number}", {"a.txt": [f"All of {topic}."]}) for number, topic in enumerate(TOPICS)
    ]
    ctx = metered(FakeKnowledge(*vague), limits=Limits(knowledge_calls=200))
    for dataset, documents in vague:
        catalogue_of(dataset, ctx)
        for document in documents:
            read_document(document, ctx)
    expected = f"Folder {TOPICS.index('cheese')}"
    assert expected in _names(_route(ctx, "How is cheese made?"))[:2]


def test_where_names_say_nothing_a_few_catalogues_are_listed() -> None:
    vague = [holding(f"Folder {number}", {f"{topic}.txt": ["x"]}) for number, topic in enumerate(TOPICS[:6])]
    knowledge = FakeKnowledge(*vague)
    assert "Folder 2" == _names(_route(metered(knowledge), "How long are rivers?"))[0]
    assert 6 == len(knowledge.asked("documents"))


def test_as_many_datasets_as_are_searched_at_once_are_searched_whatever_their_names_say() -> None:
    vague = [holding(f"Folder {number}", {f"{topic}.txt": ["x"]}) for number, topic in enumerate(TOPICS[:6])]
    knowledge = FakeKnowledge(*vague)
    question = Question("How long are rivers in folder 2?")
    assert 6 == len(route(question, understand(question), RouteOptions(), metered(knowledge)).datasets)
    assert not knowledge.asked("documents")


def test_one_common_word_does_not_keep_unknown_datasets_from_being_looked_into() -> None:
    vague = [holding(f"Folder {number}", {f"{topic}.txt": ["x"]}) for number, topic in enumerate(TOPICS[:5])]
    fees = holding("Prices", {"a.txt": ["x"], "b.txt": ["x"]}, description="Every fee of the town hall")
    found = _route(metered(FakeKnowledge(*vague, fees)), "What is the fee for crossing the rivers?")
    assert "Folder 2" in _names(found)[:2]


def test_a_catalogue_that_cannot_be_listed_costs_a_line() -> None:
    vague = [holding(f"Folder {number}", {f"{topic}.txt": ["x"]}) for number, topic in enumerate(TOPICS[:6])]
    failing: dict[Call, EvidenceError] = {("documents", "set Folder 3"): KnowledgeUnavailable("down")}
    ctx = metered(FakeKnowledge(*vague, failing=failing))
    assert "Folder 2" == _names(_route(ctx, "How long are rivers?"))[0]
    assert ("route: the documents of Folder 3 could not be listed (down)",) == degraded(ctx)


def test_a_spent_limit_while_listing_is_raised() -> None:
    vague = [holding(f"Folder {number}", {f"{topic}.txt": ["x"]}) for number, topic in enumerate(TOPICS[:6])]
    ctx = metered(FakeKnowledge(*vague), limits=Limits(knowledge_calls=3))
    with pytest.raises(LimitReached):
        _route(ctx, "How long are rivers?")


def test_datasets_that_cannot_be_listed_are_an_error() -> None:
    with pytest.raises(KnowledgeUnavailable):
        _route(metered(FakeKnowledge(LEASES, failing={("datasets",): KnowledgeUnavailable("down")})), "rent")


def test_a_wider_route_holds_datasets_that_were_not_tried() -> None:
    ctx = metered(FakeKnowledge(*_forty()))
    first = _route(ctx, "What is known of cheese?")
    second = _widened(first, "What is known of cheese?", ctx)
    assert 3 == len(second.datasets)
    assert not set(_names(first)) & set(_names(second))


def test_what_the_caller_chose_is_not_widened() -> None:
    ctx = metered(FakeKnowledge(LEASES, STAFF))
    first = _route(ctx, "rent", "Leases")
    assert () == _widened(first, "rent", ctx, "Leases").datasets


def test_nothing_is_left_when_all_was_tried() -> None:
    ctx = metered(FakeKnowledge(LEASES, STAFF, OUTSIDE))
    found = _widened(_route(ctx, "rent"), "rent", ctx)
    assert ((), "nothing_fits") == (found.datasets, found.verdict)


def test_a_dataset_that_was_never_read_and_lists_the_named_document_comes_before_one_that_was_read() -> None:
    text = "Notice is given a month before the end of the lease."
    holdings = [
        holding(f"Folder {at}", {f"Lease {number:03}.txt": [text] for number in range(at * 10, at * 10 + 10)})
        for at in range(6)
    ]
    ctx = metered(FakeKnowledge(*holdings))
    for dataset in all_datasets(ctx):
        catalogue_of(dataset, ctx)
    for document in holdings[0][1]:
        read_document(document, ctx)
    asked = "In Lease 042, when is notice given before the end of the lease?"
    assert "Folder 4" == _names(_route(ctx, asked))[0]


def test_a_wider_route_takes_the_likelier_datasets_first() -> None:
    ctx = metered(FakeKnowledge(*_forty()))
    first = _route(ctx, "What is known of cheese?")
    second = _widened(first, "What is known of cheese, of wine and of granite?", ctx)
    likely = {"Archive of wine", "Archive of granite"} - set(_names(first))
    assert likely
    assert likely == set(_names(second)[: len(likely)])
    assert [entry.score for entry in second.datasets] == sorted(
        (e.score for e in second.datasets), reverse=True
    )


def test_a_probe_lists_one_page_of_a_catalogue_and_discovery_the_rest() -> None:
    texts = {f"{topic} {number}.txt": ["x"] for topic in TOPICS[:4] for number in range(60)}
    vague = [
        holding(f"Folder {number}", texts if number == 5 else {f"{number}.txt": ["x"]}) for number in range(6)
    ]
    knowledge = FakeKnowledge(*vague)
    ctx = metered(knowledge)
    assert "Folder 5" == _names(_route(ctx, "How high are mountains?"))[0]
    assert [1] == [call[2] for call in knowledge.asked("documents") if call[1] == "set Folder 5"]
    catalogue = catalogue_of(vague[5][0], ctx)
    assert (240, True) == (len(catalogue.documents), catalogue.complete)
    knowledge.calls.clear()
    catalogue_of(vague[5][0], ctx)
    assert [] == knowledge.calls


def test_where_the_key_sees_no_dataset_the_administrator_is_told() -> None:
    with pytest.raises(Misconfigured, match="no dataset is visible"):
        _route(metered(FakeKnowledge()), "rent")


def test_a_dataset_whose_api_access_is_off_is_skipped_with_its_reason() -> None:
    closed = holding("Closed", {"x": ["The rent is nine."]})
    closed = (replace(closed[0], closed=True), closed[1])
    found = _route(metered(FakeKnowledge(closed, LEASES)), "rent")
    assert (["Leases"], ("Closed: its API access is off in Dify",)) == (_names(found), found.skipped)
