"""Reading on behind the answer, bounded: a base that is small enough is read whole, once, and kept current."""

from collections.abc import Sequence
from dataclasses import dataclass

from evidence.context import Context
from evidence.errors import EvidenceError
from evidence.model import Dataset, Document
from evidence.reading.fetching import ReadOptions, all_datasets, catalogue_of, may_go_on, read_document
from evidence.shelf import Catalogue, Shelf


@dataclass(frozen=True, slots=True)
class AheadOptions:
    """A dataset of at most `documents` documents and `characters` characters is read whole.

    The catalogues of at most `catalogues` further datasets are listed, so that the next question is routed by what
    they hold. Once `calls` were made behind the answers in the last `window` seconds, nothing more is read there: a
    process that is asked about more bases than it can hold would read them again and again.
    """

    documents: int = 400
    characters: int = 6_000_000
    catalogues: int = 40
    calls: int = 4_000
    window: float = 600.0
    reading: ReadOptions = ReadOptions()


@dataclass(frozen=True, slots=True)
class Names:
    """Names of datasets and documents that are known without a call."""

    datasets: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()


def names_at_hand(shelf: Shelf) -> Names:
    known = shelf.datasets(float("inf"))
    datasets = known.items if known else ()
    catalogues = [shelf.catalogue(dataset, float("inf")) for dataset in datasets]
    listed = [document.name for catalogue in catalogues if catalogue for document in catalogue.documents]
    return Names(tuple(dataset.name for dataset in datasets), tuple(listed))


def begin(datasets: Sequence[Dataset], options: AheadOptions, ctx: Context) -> None:
    """Start reading in the background and return, if there is any; one such reading at a time on each shelf."""
    if not _too_much(options, ctx) and _anything(datasets, options, ctx) and ctx.shelf.claim("ahead"):
        ctx.start(lambda: _run(datasets, options, ctx))


def _run(datasets: Sequence[Dataset], options: AheadOptions, ctx: Context) -> None:
    try:
        for dataset in _small(datasets, options):
            _read_whole(dataset, options, ctx)
        for dataset in _to_be_listed(all_datasets(options.reading, ctx), options):
            catalogue_of(dataset, options.reading, ctx)
    except EvidenceError:
        return  # nobody waits for it; what is missing is read when it is asked for
    finally:
        ctx.shelf.behind.add(ctx.meter.spent()["knowledge_calls"])
        ctx.shelf.release("ahead")


def _anything(datasets: Sequence[Dataset], options: AheadOptions, ctx: Context) -> bool:
    """Whether a document is unread, or a catalogue or the list of datasets is missing or not fresh."""
    freshness = options.reading.freshness
    known = ctx.shelf.datasets(freshness.unasked)
    if known is None or planned(datasets, options, ctx):
        return True
    return any(
        ctx.shelf.catalogue(dataset, freshness.stale) is None
        for dataset in _to_be_listed(known.items, options)
    )


def _to_be_listed(datasets: Sequence[Dataset], options: AheadOptions) -> list[Dataset]:
    return [d for d in datasets[: options.catalogues] if d.provider != "external" and d.document_count]


def planned(datasets: Sequence[Dataset], options: AheadOptions, ctx: Context) -> int:
    """How many documents `begin` would read now; of a dataset that was not listed, as many as it says it holds."""
    count = 0
    for dataset in () if _too_much(options, ctx) else _small(datasets, options):
        catalogue = ctx.shelf.catalogue(dataset, options.reading.freshness.stale)
        count += len(_unread(catalogue, options, ctx)) if catalogue else dataset.document_count
    return count


def _too_much(options: AheadOptions, ctx: Context) -> bool:
    return ctx.shelf.behind.lately(options.window) >= options.calls


def _small(datasets: Sequence[Dataset], options: AheadOptions) -> list[Dataset]:
    return [
        d for d in datasets if d.document_count <= options.documents and d.word_count <= options.characters
    ]


def _unread(catalogue: Catalogue, options: AheadOptions, ctx: Context) -> list[Document]:
    usable = [document for document in catalogue.documents if document.usable]
    held = zip(usable, ctx.shelf.readings(usable, options.reading.freshness.stale), strict=True)
    return [document for document, reading in held if reading is None or may_go_on(reading)]


def _read_whole(dataset: Dataset, options: AheadOptions, ctx: Context) -> None:
    unread = _unread(catalogue_of(dataset, options.reading, ctx), options, ctx)
    ctx.gather(lambda document: read_document(document, options.reading, ctx), unread)
