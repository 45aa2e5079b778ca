"""Large bases, from the index: which of all their documents and segments are worth a look, without a call."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate

from evidence.cache import Catalogue
from evidence.context import Context
from evidence.corpus.prefetch import is_small
from evidence.model import Dataset, Document, Passage, Query, Retrieved

CHARACTERS = 2_500_000  # of the documents that are looked at for one question


@dataclass(frozen=True, slots=True)
class IndexedBase:
    """The documents of a base that are worth a look, as if it held no others, and its segments ranked by words.

    `current` unless the base shows a change since it was listed: then the server is asked as well.
    """

    catalogue: Catalogue
    retrieved: Retrieved
    current: bool


def from_index(
    dataset: Dataset, query: str, weights: Mapping[str, float], ctx: Context
) -> IndexedBase | None:
    """What the index ranks of a base for weighted terms; None where it is small, or was not arranged."""
    store = ctx.cache.store
    if store is None or is_small(dataset):
        return None
    with ctx.trace.step("index.ranked") as step:
        ranking = store.ranked(dataset, weights)
        if ranking is None:
            return None
        documents = _worth_a_look(ranking.documents)
        readings = ctx.cache.readings(documents, ctx.reading.stale)
        texts = {reading.document.document_id: reading.segments for reading in readings if reading}
        ranked = [
            (texts[document_id][place], score)
            for document_id, place, score in ranking.segments
            if document_id in texts and place < len(texts[document_id])
        ]
        step.facts.update(documents=len(documents), read=len(texts), segments=len(ranked))
    passages = tuple(Passage(segment, score, rank) for rank, (segment, score) in enumerate(ranked, 1))
    retrieved = Retrieved(Query(query, "question"), "keyword", passages)
    catalogue = Catalogue(dataset, documents, len(documents), ctx.cache.now())
    return IndexedBase(catalogue, retrieved, ranking.current)


def _worth_a_look(documents: tuple[Document, ...]) -> tuple[Document, ...]:
    """The first documents, as many as may be looked at."""
    before = accumulate((document.word_count for document in documents), initial=0)
    return tuple(document for document, read in zip(documents, before, strict=False) if read <= CHARACTERS)
