"""What could not be read is said to everybody who uses the rest, also to who finds it in the cache."""

from dataclasses import replace

from evidence.cache import Cache
from evidence.context import Context
from evidence.corpus.fetch import all_datasets, catalogue_of, read_document
from evidence.discover.survey import SurveyOptions, survey
from evidence.model import (
    EVERYTHING,
    Dataset,
    Document,
    MetadataFilter,
    Page,
    Query,
    Question,
    Retrieved,
    Route,
    Segment,
    Understanding,
)
from evidence.model.ranking import RankedDataset
from tests.fakes import FakeKnowledge, degraded, holding, metered

HARBOUR = holding("harbour", {"Rules.txt": ["Dogs stay on a lead."], "Fees.txt": ["Mooring is free."]})
DATASET, RULES = HARBOUR[0], next(iter(HARBOUR[1]))


class Lossy(FakeKnowledge):
    """Says of everything that one more record could not be read."""

    def datasets(self, page: int) -> Page[Dataset]:
        return _lossy(super().datasets(page), "datasets: 1 left out")

    def documents(self, dataset: Dataset, page: int, keyword: str = "") -> Page[Document]:
        return _lossy(super().documents(dataset, page, keyword), "documents: 1 left out")

    def segments(self, document: Document, page: int, keyword: str = "", limit: int = 100) -> Page[Segment]:
        return _lossy(super().segments(document, page, keyword, limit), "segments: 1 left out")

    def retrieve(
        self, dataset: Dataset, query: Query, top_k: int, metadata_filter: MetadataFilter = EVERYTHING
    ) -> Retrieved:
        found = super().retrieve(dataset, query, top_k, metadata_filter)
        return replace(found, warnings=("found: 1 left out",))


def _lossy[T](page: Page[T], warning: str) -> Page[T]:
    return replace(page, total=page.total + 1, lost=1, warnings=(warning,))


def _runs() -> list[Context]:
    knowledge, cache = Lossy(HARBOUR), Cache()
    return [metered(knowledge, cache=cache) for _ in range(2)]


def test_who_finds_datasets_documents_or_segments_in_the_cache_is_told_what_was_left_out() -> None:
    for ctx in _runs():
        all_datasets(ctx)
        catalogue = catalogue_of(DATASET, ctx)
        read_document(RULES, ctx)
        assert catalogue.complete
        assert ("datasets: 1 left out", "documents: 1 left out", "segments: 1 left out") == degraded(ctx)


def test_what_of_a_retrieve_could_not_be_read_is_said() -> None:
    ctx = _runs()[0]
    route = Route((RankedDataset(DATASET, 1.0),))
    survey(Question("dogs"), Understanding("dogs"), route, SurveyOptions(), ctx)
    assert ("documents: 1 left out", "found: 1 left out") == tuple(sorted(degraded(ctx)))
