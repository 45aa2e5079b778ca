"""What stands now where a quote stood: the segment with those around it, read at the source in two calls."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from evidence.context import Context
from evidence.corpus.fetch import PAGE, all_datasets
from evidence.errors import DatasetNotFound
from evidence.language.headings import headings
from evidence.model import Dataset, Document, Segment, Span

CALLS = 2  # a page of segments and the document; one more where an allow-list of names was not listed yet
_MOST_STARTS = 8_000  # at which words that have moved are looked for
_FEWEST = PAGE // 2  # segments of a page that is asked for

type State = Literal["verified", "changed", "gone"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where words stood: position is that of the segment in its document, `same` tells the words from others."""

    document: Document
    segment_id: str
    position: int
    span: Span
    same: Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Rechecked:
    """What stands there now.

    `verified`: the words stand at `span` of `segment`. `changed`: the segment is there and they are not. `gone`: the
    segment, its document or its dataset is gone, disabled or not to be seen, and nothing of it is told.
    """

    state: State
    segment: Segment | None = None
    span: Span | None = None
    before: Segment | None = None
    after: Segment | None = None
    heading: str = ""


def recheck(place: Place, ctx: Context) -> Rechecked:
    """The state of a quote; raises KnowledgeError, Misconfigured or LimitReached where the server does not say."""
    try:
        around = _around(place, ctx)
        match = _match(place, around, ctx)
        document = _document(place, ctx) if match else None
    except DatasetNotFound:
        return Rechecked("gone")
    if match is None or document is None or not document.usable:
        return Rechecked("gone")
    segment, span = match
    at = next((at for at, stored in enumerate(around) if stored.segment_id == segment.segment_id), None)
    before, after = (None, None) if at is None else (_beside(around, at, -1), _beside(around, at, 1))
    return Rechecked(
        "verified" if span else "changed",
        replace(segment, document=document),
        span,
        before,
        after,
        _heading(around[: at or 0], segment, span),
    )


def _around(place: Place, ctx: Context) -> Sequence[Segment]:
    """A page of the document that holds the segment and its neighbours, as far as positions tell."""
    index = max(place.position - 1, 0)
    limits = (limit for limit in range(PAGE, _FEWEST, -1) if not index or 0 < index % limit < limit - 1)
    limit = max(limits, key=lambda limit: index % limit)  # far from its beginning: segments may have left
    page = index // limit + 1
    try:
        return ctx.knowledge.segments(place.document, page, limit=limit).items
    except DatasetNotFound:
        if ctx.meter.spent()["knowledge_calls"]:
            raise
    all_datasets(ctx)  # refused unasked: a name on the allow-list counts once it was listed
    return ctx.knowledge.segments(place.document, page, limit=limit).items


def _match(place: Place, around: Sequence[Segment], ctx: Context) -> tuple[Segment, Span | None] | None:
    """The segment in which the words stand, and where; without a span, the one in which they stood."""
    own = next((stored for stored in around if stored.segment_id == place.segment_id), None)
    near = sorted(
        (stored for stored in around if stored is not own), key=lambda stored: _distance(stored, place)
    )
    starts = _MOST_STARTS
    for segment in ([own] if own else []) + near:
        span, starts = _span(segment, place, starts)
        if span:
            return segment, span
    own = own or ctx.knowledge.segment(place.document, place.segment_id)
    return (own, _span(own, place, _MOST_STARTS)[0]) if own else None


def _distance(segment: Segment, place: Place) -> int:
    return abs(segment.position - place.position)


def _span(segment: Segment, place: Place, most: int) -> tuple[Span | None, int]:
    """Where the words stand in a segment, and how many of `most` starts are left to be looked at."""
    length, text = place.span.end - place.span.start, segment.text
    if place.span.end <= len(text) and place.same(text[place.span.start : place.span.end]):
        return place.span, most
    starts = range(max(0, min(len(text) - length + 1, most)))
    start = next((start for start in starts if place.same(text[start : start + length])), None)
    return (None if start is None else Span(start, start + length)), most - len(starts)


def _document(place: Place, ctx: Context) -> Document | None:
    """The document as it is now, with the name of its dataset where that is known; None where it is gone."""
    listed = ctx.cache.datasets(float("inf"))
    names = {dataset.dataset_id: dataset.name for dataset in listed.items} if listed else {}
    dataset = Dataset(place.document.dataset_id, names.get(place.document.dataset_id, ""))
    if (
        ctx.meter.left("knowledge_calls") < 1
    ):  # they went into looking for the segment, which says itself if it counts
        return replace(place.document, dataset_name=dataset.name)
    return ctx.knowledge.document(dataset, place.document.document_id)


def _beside(around: Sequence[Segment], at: int, step: int) -> Segment | None:
    return around[at + step] if 0 <= at + step < len(around) else None


def _heading(before: Sequence[Segment], segment: Segment, span: Span | None) -> str:
    """The last title before the words, in their segment or before it."""
    return next(_titles(before, segment, span.start if span else 0), "")


def _titles(before: Sequence[Segment], segment: Segment, until: int) -> Iterator[str]:
    yield from (title for at, title in reversed(headings(segment.text)) if at <= until)
    for stored in reversed(before):
        yield from (title for _, title in reversed(headings(stored.text)))
