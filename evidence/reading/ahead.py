"""Reading on behind the answer, bounded: a base that is small enough is read whole, once, and kept current."""

from collections.abc import Sequence
from dataclasses import dataclass

from evidence.context import Context
from evidence.errors import EvidenceError
from evidence.model import Dataset
from evidence.reading.fetching import ReadOptions, all_datasets, catalogue_of, may_go_on, read_document
from evidence.shelf import Shelf


@dataclass(frozen=True, slots=True)
class AheadOptions:
    """A dataset of at most `documents` documents and `characters` characters is read whole.

    The catalogues of at most `catalogues` further datasets are listed, so that the next question is routed by what
    they hold.
    """

    documents: int = 400
    characters: int = 6_000_000
    catalogues: int = 40
    reading: ReadOptions = ReadOptions()


@dataclass(frozen=True, slots=True)
class Names:
    """Names of datasets and documents that are known without a call."""

    datasets: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()


def names_at_hand(shelf: Shelf) -> Names:
    known = shelf.datasets(float("inf")) or ()
    catalogues = [shelf.catalogue(dataset, float("inf")) for dataset in known]
    listed = [document.name for catalogue in catalogues if catalogue for document in catalogue.documents]
    return Names(tuple(dataset.name for dataset in known), tuple(listed))


def begin(datasets: Sequence[Dataset], options: AheadOptions, ctx: Context) -> None:
    """Start reading in the background and return; one such reading at a time on each shelf."""
    if ctx.shelf.claim("ahead"):
        ctx.start(lambda: _run(datasets, options, ctx))


def _run(datasets: Sequence[Dataset], options: AheadOptions, ctx: Context) -> None:
    try:
        for dataset in datasets:
            if dataset.document_count <= options.documents and dataset.word_count <= options.characters:
                _read_whole(dataset, options, ctx)
        for dataset in all_datasets(options.reading, ctx)[: options.catalogues]:
            if dataset.provider != "external" and dataset.document_count:
                catalogue_of(dataset, options.reading, ctx)
    except EvidenceError:
        return  # nobody waits for it; what is missing is read when it is asked for
    finally:
        ctx.shelf.release("ahead")


def _read_whole(dataset: Dataset, options: AheadOptions, ctx: Context) -> None:
    stale = options.reading.freshness.stale
    usable = [
        document for document in catalogue_of(dataset, options.reading, ctx).documents if document.usable
    ]
    held = ((document, ctx.shelf.reading(document, stale)) for document in usable)
    unread = [document for document, reading in held if reading is None or may_go_on(reading)]
    ctx.gather(lambda document: read_document(document, options.reading, ctx), unread)
