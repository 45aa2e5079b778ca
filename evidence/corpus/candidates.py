"""What a question stands on: the documents known, what was read of them, and what the server itself ranked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from evidence.cache import Reading
from evidence.context import Context
from evidence.corpus.collection import Collection, collection_of
from evidence.corpus.fetch import cached_readings, may_go_on
from evidence.index.bm25 import Booleans, Floats
from evidence.model import Dataset, Document, Retrieved, Searched, Segment, Shortlist, Unreached

_DEEP = 20  # passages of a ranking whose lowest score tells what is unlike the question


@dataclass(frozen=True, slots=True)
class SurveyReport:
    """`large`: a catalogue was not listed to its end. `unknown`: pins that name nothing. `pinned`: pins chose.

    Of the `datasets` those `ranked` gave a ranking of their own. `unreached` ones, or documents, were not listed or
    read; `unranked` ones gave no ranking; `unended` documents were not searched to their end.
    """

    large: bool = False
    unknown: tuple[str, ...] = ()
    pinned: bool = False
    datasets: tuple[Dataset, ...] = ()
    ranked: frozenset[str] = frozenset()
    unreached: tuple[Unreached, ...] = ()
    unranked: tuple[Unreached, ...] = ()
    unended: tuple[Unreached, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """`documents` are those that may be searched."""

    documents: tuple[Document, ...]
    collection: Collection
    retrieved: tuple[Retrieved, ...] = ()
    report: SurveyReport = SurveyReport()


def candidates_of(
    documents: Sequence[Document],
    retrieved: Sequence[Retrieved],
    report: SurveyReport,
    ctx: Context,
) -> Candidates:
    """The candidates of these documents: what the cache holds of them, and the retrieved segments of the others."""
    readings = cached_readings(documents, ctx)
    pieces = {document.document_id: (document, segments) for document, segments in _pieces(retrieved).items()}
    known = {reading.document.document_id for reading in readings}
    joined = [
        ctx.cache.joined(reading, pieces[reading.document.document_id][1])
        if not reading.complete and reading.document.document_id in pieces
        else reading
        for reading in readings
    ]
    listed = {document.document_id for document in documents}
    partial = [
        ctx.cache.partial_reading(*pieces[unread_id]) for unread_id in pieces if unread_id in listed - known
    ]
    if partial or joined != readings:
        collection = Collection(documents, [*joined, *partial], ctx.cache)
    else:
        collection = collection_of(documents, readings, ctx)
    return Candidates(tuple(documents), collection, tuple(retrieved), report)


def unreached(candidates: Candidates) -> tuple[Unreached, ...]:
    """The datasets and documents that were to be searched or read and were not, each once, as of now."""
    read = {reading.document.document_id for reading in candidates.collection.readings if not reading.partial}
    lost = [item for item in candidates.report.unreached if item.id not in read]
    if candidates.report.unranked:
        partly = {document.dataset_id for document in unread(candidates, candidates.documents)}
        lost += [item for item in candidates.report.unranked if item.id in partly or candidates.report.large]
    return tuple({(item.kind, item.id): item for item in lost}.values())


def searched(candidates: Candidates, documents: Sequence[Document]) -> Searched:
    """Where a search of these documents looks: in what was read, and in what the server retrieved."""
    readings = {r.document.document_id: r for r in candidates.collection.readings if r.segments}
    inside = [readings[document.document_id] for document in documents if document.document_id in readings]
    partial = [reading for reading in inside if reading.partial]
    read = {r.document.dataset_id for r in readings.values() if not r.partial}
    return Searched(
        tuple(d.name for d in candidates.report.datasets if d.dataset_id in candidates.report.ranked | read),
        tuple(dict.fromkeys(reading.document.name for reading in inside)),
        len(partial),
        sum(len(reading.segments) for reading in partial),
    )


def renewed(candidates: Candidates, ctx: Context, changed: Sequence[Document] = ()) -> Candidates:
    """The same candidates with what was read since; `changed` documents as they stand now, if they are usable."""
    current = {document.document_id: document for document in changed}
    documents = [current.get(document.document_id, document) for document in candidates.documents]
    usable = [document for document in documents if document.usable]
    return candidates_of(usable, candidates.retrieved, candidates.report, ctx)


def ages(candidates: Candidates, ctx: Context) -> dict[str, int]:
    """How many seconds ago the oldest list of names, and the oldest text, that a question stands on were read."""
    now = ctx.cache.now()
    datasets = {document.dataset_id for document in candidates.documents}
    names = [
        catalogue.read_at for catalogue in ctx.cache.catalogues() if catalogue.dataset.dataset_id in datasets
    ]
    texts = [reading.read_at for reading in candidates.collection.readings]
    return {"names": round(now - min(names, default=now)), "texts": round(now - min(texts, default=now))}


def tell_index(candidates: Candidates, ctx: Context) -> None:
    """Write on the receipt how much of the datasets an index holds: documents, bytes, and the seconds since the oldest
    text was read. What is wrong with its home is told.
    """
    cache = ctx.cache
    if cache.store is None:
        return
    ctx.trace.degrade(*cache.store.warnings())
    states = cache.memo("index", cache.now() // 60, cache.store.states)
    datasets = candidates.report.datasets
    searched_states = [states[dataset.dataset_id] for dataset in datasets if dataset.dataset_id in states]
    oldest = min((state.oldest for state in searched_states if state.oldest), default=ctx.trace.began_at)
    facts = {
        "documents": sum(state.documents for state in searched_states),
        "read": sum(state.read for state in searched_states),
        "bytes": sum(state.size for state in searched_states),
        "age": round(max(0.0, ctx.trace.began_at - oldest)),
    }
    with ctx.trace.step("index", **facts):
        pass


def server_scores(candidates: Candidates) -> list[tuple[Retrieved, Floats]]:
    """The worth, 0..1, that each ranking of a server gives the segments.

    The scores of one method are of one scale, in every dataset; ranks begin anew in each.
    """
    methods = {run.signal: _Scale.of(candidates.retrieved, run.signal) for run in candidates.retrieved}
    return [(run, _placed(candidates, run, methods[run.signal])) for run in candidates.retrieved]


@dataclass(frozen=True, slots=True)
class _Scale:
    """The best score of a method, and the highest of the lowest ones of its deep rankings: what is unlike."""

    best: float
    unlike: float

    @classmethod
    def of(cls, runs: Sequence[Retrieved], signal: str) -> "_Scale":
        scores = [[passage.score for passage in run.passages] for run in runs if run.signal == signal]
        best = max((max(ranked, default=0.0) for ranked in scores), default=0.0)
        return cls(best, max((min(ranked) for ranked in scores if len(ranked) >= _DEEP), default=best))

    def worth(self, run: Retrieved) -> list[float]:
        """How far likenesses stand above what is unlike; ranks where scores mean something else."""
        ranked = [passage.score for passage in run.passages]
        if run.signal == "keyword" or len(ranked) < _DEEP or self.unlike == self.best:
            share = max(ranked, default=0.0) / (self.best or 1.0)
            return [share * 10.0 / (9.0 + passage.rank) for passage in run.passages]
        return [max(0.0, score - self.unlike) / (self.best - self.unlike) for score in ranked]


def without_likeness(candidates: Candidates) -> Booleans:
    """The segments of datasets that rank by words alone, where another one says how alike its segments are."""
    alike = {
        passage.segment.document.dataset_id
        for run in candidates.retrieved
        if run.signal != "keyword"
        for passage in run.passages
    }
    documents = [
        bool(alike) and document.dataset_id not in alike for document in candidates.collection.documents
    ]
    return np.asarray(documents, dtype=np.bool_)[candidates.collection.owners]


def _placed(candidates: Candidates, run: Retrieved, scale: _Scale) -> Floats:
    """The worth of what a server retrieved, at the places of its segments."""
    scores = np.zeros(len(candidates.collection.segments))
    for passage, worth in zip(run.passages, scale.worth(run), strict=True):
        place = candidates.collection.number.get(passage.segment.segment_id)
        if place is not None:
            scores[place] = worth
    return scores


def unread(candidates: Candidates, among: Sequence[Document]) -> list[Document]:
    """The documents that were not read as far as documents are read."""
    read: Mapping[str, Reading] = {r.document.document_id: r for r in candidates.collection.readings}
    readings = ((document, read.get(document.document_id)) for document in among)
    return [document for document, reading in readings if reading is None or may_go_on(reading)]


def openings(candidates: Candidates, shortlist: Shortlist, characters: int) -> dict[str, str]:
    """The beginnings of the shortlisted documents that were read, by document id."""
    read = {r.document.document_id: r for r in candidates.collection.readings if not r.partial and r.segments}
    ids = (entry.document.document_id for entry in shortlist.documents)
    return {key: read[key].segments[0].text[:characters] for key in ids if key in read}


def _pieces(retrieved: Sequence[Retrieved]) -> dict[Document, list[Segment]]:
    by_document: dict[Document, dict[str, Segment]] = {}
    for run in retrieved:
        for passage in run.passages:
            segment = passage.segment
            by_document.setdefault(segment.document, {})[segment.segment_id] = segment
    return {
        document: sorted(pieces.values(), key=lambda segment: segment.position)
        for document, pieces in by_document.items()
    }
