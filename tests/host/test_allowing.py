"""The allow-list fails closed."""

import pytest

from evidence.errors import DatasetNotFound, ListingRefused
from evidence.knowledge.allow_list import AllowList
from evidence.knowledge.middleware import GuardedKnowledge
from evidence.limits import Limits, Meter
from evidence.model import Dataset, Document, Page, Query
from evidence.trace import Trace
from tests.fakes import FakeKnowledge

OPEN = Dataset("id-open", "Open")
SECRET = Dataset("id-secret", "Secret")
UUID = "6f1c1f2e-0f0a-5d3b-9a57-2f6d0c4b8e11"


def server(*datasets: Dataset) -> FakeKnowledge:
    """A knowledge server that permits everything."""
    held = {each: (each, {Document(each.dataset_id, "d", "name"): ()}) for each in datasets}
    return FakeKnowledge(*held.values())


def allowing(inner: FakeKnowledge, *allowed: str) -> GuardedKnowledge:
    return GuardedKnowledge(inner, Meter(Limits()), Trace(), allowed=AllowList(allowed), attempts=1)


def permitted(knowledge: GuardedKnowledge, dataset: Dataset) -> bool:
    document = Document(dataset.dataset_id, "d", "name")
    calls = (
        lambda: knowledge.dataset(dataset.dataset_id),
        lambda: knowledge.documents(dataset, 1),
        lambda: knowledge.segments(document, 1),
        lambda: knowledge.segment(document, "s"),
        lambda: knowledge.retrieve(dataset, Query("q"), 1),
    )
    refused = 0
    for call in calls:
        try:
            call()
        except DatasetNotFound:
            refused += 1
    assert refused in (0, len(calls))
    return refused == 0


@pytest.mark.parametrize("entry", ["Open", "id-open"])
def test_only_what_is_allowed_is_listed_and_read(entry: str) -> None:
    knowledge = allowing(server(SECRET, OPEN), entry)
    assert Page((OPEN,), 2) == knowledge.datasets(1)
    assert permitted(knowledge, OPEN)
    assert not permitted(knowledge, SECRET)


def test_a_name_is_believed_only_when_the_server_lists_it() -> None:
    knowledge = allowing(server(SECRET), "Open")
    assert not permitted(knowledge, Dataset("id-secret", "Open"))
    assert Page((), 1) == knowledge.datasets(1)


def test_letter_case_counts() -> None:
    knowledge = allowing(server(OPEN), "open")
    assert Page((), 1) == knowledge.datasets(1)


def test_a_renamed_dataset_is_not_permitted_any_more() -> None:
    inner = server(OPEN)
    knowledge = allowing(inner, "Open")
    knowledge.datasets(1)
    assert permitted(knowledge, OPEN)
    inner.listed = (Dataset("id-open", "Closed"),)
    knowledge.datasets(1)
    assert not permitted(knowledge, OPEN)


def test_the_refusal_names_nothing() -> None:
    knowledge = allowing(server(SECRET), "Open")
    with pytest.raises(DatasetNotFound) as caught:
        knowledge.documents(SECRET, 1)
    assert str(caught.value) == "this dataset is not among those that the administrator allowed"


def test_where_listing_is_refused_the_ids_of_the_list_may_be_asked_for() -> None:
    refused = ListingRefused("it does not let this key list datasets")
    unlisted = FakeKnowledge(failing={("datasets",): refused})
    knowledge = allowing(unlisted, "Open", UUID, UUID.upper())
    with pytest.raises(ListingRefused) as caught:
        knowledge.datasets(1)
    assert (UUID,) == caught.value.dataset_ids
