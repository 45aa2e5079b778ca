"""What is alike in meaning: vectors of segments in their context, made when the index is built, asked by a question."""

import hashlib
from collections.abc import Iterator, Sequence
from itertools import batched

import numpy as np

from evidence.cache import Reading
from evidence.context import Context
from evidence.errors import ModelError
from evidence.index.names import unpack
from evidence.index.vectors import Bytes, likeness, rounded
from evidence.language.headings import heading_paths
from evidence.model import Dataset, Document, Passage, Query, Retrieved, Segment
from evidence.store.port import SegmentVectors, Store
from evidence.workers import Failure

TOGETHER = 16  # texts in one request
_LONGEST = 4_000  # characters of a text: more than a small model reads
_CONTEXT = 300  # characters of what stands before it
_DEEP = 100  # segments of a ranking


def embed(dataset: Dataset, store: Store, ctx: Context) -> int:
    """Make the vectors that are missing of the stored documents of a dataset; how many documents got theirs.

    What was embedded before, by the same model, is not embedded again. One failure ends it, and is told.
    """
    if ctx.embedder is None:
        return 0
    count = 0
    for some in batched(store.unembedded(dataset.dataset_id, ctx.embedder.name), ctx.limits.workers):
        results = ctx.gather(lambda document: _embed(document, store, ctx), some)
        count += sum(result is True for result in results)
        for failure in results:
            if isinstance(failure, Failure):
                ctx.trace.degrade(f"index: not all texts of {dataset.name} were embedded ({failure.error})")
                return count
    return count


def _embed(document: Document, store: Store, ctx: Context) -> bool:
    assert ctx.embedder is not None  # noqa: S101 - asked by who has one
    text = store.texts([document]).get(document.document_id)
    if text is None:
        return False
    texts = list(_in_context(document, text.segments))
    keys = tuple(
        hashlib.sha256(each_text.encode("utf-8", "surrogatepass")).digest()[:16] for each_text in texts
    )
    before = store.vectors([document], ctx.embedder.name, current=False).get(document.document_id)
    known: dict[bytes, Bytes] = dict(zip(before.keys, before.rows, strict=True)) if before else {}
    new = {key: each_text for key, each_text in zip(keys, texts, strict=True) if key not in known}
    for some in batched(new.items(), TOGETHER):
        rows = rounded(ctx.embedder.vectors([each_text for _, each_text in some]))
        known |= dict(zip((key for key, _ in some), rows, strict=True))
    rows = np.stack([known[key] for key in keys]) if keys else np.zeros((0, 0), dtype=np.int8)
    return store.keep_vectors(document, ctx.embedder.name, SegmentVectors(keys, rows))


def _in_context(document: Document, segments: Sequence[Segment]) -> Iterator[str]:
    """Each segment after the name of its document and the titles that it stands under."""
    paths = heading_paths([segment.text for segment in segments])
    for segment, path in zip(segments, paths, strict=True):
        context = " > ".join((unpack(document.name), *path))[:_CONTEXT]
        yield f"{context}\n{segment.question}\n{segment.text}"[:_LONGEST]


def alike(dataset: Dataset, documents: Sequence[Document], query: Query, ctx: Context) -> Retrieved:
    """The segments of these documents that are most alike a query; none, and a warning, where it cannot be embedded."""
    store, embedder = ctx.cache.store, ctx.embedder
    if store is None or embedder is None:
        return Retrieved(query, "semantic", ())
    readings = [reading for reading in ctx.cache.readings(documents, ctx.reading.stale) if reading]
    stored = store.vectors([reading.document for reading in readings], embedder.name)
    if not stored:
        return Retrieved(query, "semantic", ())
    try:
        vector = embedder.vectors([query.text])[0]
    except ModelError as error:
        warning = f"discover: {dataset.name} was ranked by words alone ({error})"
        return Retrieved(query, "semantic", (), warnings=(warning,))
    scored: list[tuple[float, Segment]] = []
    for reading, rows in _aligned(readings, stored):
        scored += zip(likeness(rows, vector).tolist(), reading.segments, strict=True)
    best = sorted(scored, key=lambda pair: -pair[0])[:_DEEP]
    return Retrieved(
        query,
        "semantic",
        tuple(Passage(segment, score, rank) for rank, (score, segment) in enumerate(best, 1)),
    )


def _aligned(
    readings: Sequence[Reading], stored: dict[str, SegmentVectors]
) -> Iterator[tuple[Reading, Bytes]]:
    for reading in readings:
        vectors = stored.get(reading.document.document_id)
        if vectors is not None and len(vectors.keys) == len(reading.segments):
            yield reading, vectors.rows
