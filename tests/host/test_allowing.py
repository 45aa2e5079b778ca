"""The allow-list fails closed."""

import pytest

from evidence.errors import DatasetNotFound, ListingRefused
from evidence.knowledge.allow_list import AllowedKnowledge
from evidence.model import EVERYTHING, Dataset, Document, MetadataFilter, Page, Query, Retrieved, Segment

OPEN = Dataset("id-open", "Open")
SECRET = Dataset("id-secret", "Secret")
UUID = "6f1c1f2e-0f0a-5d3b-9a57-2f6d0c4b8e11"


class Everything:
    """A knowledge server that permits everything."""

    def __init__(self, *datasets: Dataset) -> None:
        self.held = datasets

    def datasets(self, page: int) -> Page[Dataset]:
        return Page(self.held, len(self.held))

    def dataset(self, dataset_id: str) -> Dataset:
        return next(each for each in self.held if each.dataset_id == dataset_id)

    def documents(self, dataset: Dataset, page: int, keyword: str = "") -> Page[Document]:
        return Page((Document(dataset.dataset_id, "d", "name"),), 1)

    def segments(self, document: Document, page: int, keyword: str = "") -> Page[Segment]:
        return Page((Segment(document, "s", 1, "text"),), 1)

    def segment(self, document: Document, segment_id: str) -> Segment | None:
        return Segment(document, segment_id, 1, "The crane.")

    def retrieve(
        self, dataset: Dataset, query: Query, top_k: int, metadata_filter: MetadataFilter = EVERYTHING
    ) -> Retrieved:
        return Retrieved(query, "keyword", ())


def permitted(knowledge: AllowedKnowledge, dataset: Dataset) -> bool:
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
    knowledge = AllowedKnowledge(Everything(SECRET, OPEN), [entry])
    assert Page((OPEN,), 2) == knowledge.datasets(1)
    assert permitted(knowledge, OPEN)
    assert not permitted(knowledge, SECRET)


def test_a_name_is_believed_only_when_the_server_lists_it() -> None:
    knowledge = AllowedKnowledge(Everything(SECRET), ["Open"])
    assert not permitted(knowledge, Dataset("id-secret", "Open"))
    assert Page((), 1) == knowledge.datasets(1)


def test_letter_case_counts() -> None:
    knowledge = AllowedKnowledge(Everything(OPEN), ["open"])
    assert Page((), 1) == knowledge.datasets(1)


def test_a_renamed_dataset_is_not_permitted_any_more() -> None:
    server = Everything(OPEN)
    knowledge = AllowedKnowledge(server, ["Open"])
    knowledge.datasets(1)
    assert permitted(knowledge, OPEN)
    server.held = (Dataset("id-open", "Closed"),)
    knowledge.datasets(1)
    assert not permitted(knowledge, OPEN)


def test_the_refusal_names_nothing() -> None:
    knowledge = AllowedKnowledge(Everything(SECRET), ["Open"])
    with pytest.raises(DatasetNotFound) as caught:
        knowledge.documents(SECRET, 1)
    assert str(caught.value) == "this dataset is not among those that the administrator allowed"


class Unlisted(Everything):
    """A server whose key is bound to single datasets."""

    def datasets(self, page: int) -> Page[Dataset]:
        raise ListingRefused("it does not let this key list datasets")


def test_where_listing_is_refused_the_ids_of_the_list_may_be_asked_for() -> None:
    knowledge = AllowedKnowledge(Unlisted(), ["Open", UUID, UUID.upper()])
    with pytest.raises(ListingRefused) as caught:
        knowledge.datasets(1)
    assert (UUID,) == caught.value.dataset_ids
