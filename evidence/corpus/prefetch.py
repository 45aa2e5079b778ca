"""Reading on behind the answer, bounded: a base that is small enough is read whole, once, and kept current."""

from dataclasses import dataclass

from evidence.cache import Cache, Catalogue
from evidence.context import Context
from evidence.corpus.fetch import catalogue_of, may_go_on, read_document
from evidence.errors import EvidenceError, KnowledgeUnavailable
from evidence.model import Dataset, Document, Route


@dataclass(frozen=True, slots=True)
class PrefetchOptions:
    """A dataset of at most `documents` documents and `characters` characters is read whole.

    Of at most `catalogues` other datasets that the question was asked of the names are listed, so that the next such
    question is routed by what they hold. Once `calls` were made behind the answers in the last `window` seconds,
    nothing more is read there: a process that is asked about more bases than it can hold would read them again and
    again.
    """

    documents: int = 400
    characters: int = 6_000_000
    catalogues: int = 40
    calls: int = 4_000
    window: float = 600.0


def is_small(dataset: Dataset, options: PrefetchOptions = PrefetchOptions()) -> bool:
    """Whether a dataset is read whole into memory."""
    return dataset.document_count <= options.documents and dataset.word_count <= options.characters


@dataclass(frozen=True, slots=True)
class Names:
    """Names of datasets and documents that are known without a call."""

    datasets: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()


def names_at_hand(cache: Cache) -> Names:
    known = cache.datasets(float("inf"))
    datasets = known.items if known else ()
    catalogues = [cache.catalogue(dataset, float("inf")) for dataset in datasets]
    listed = [document.name for catalogue in catalogues if catalogue for document in catalogue.documents]
    return Names(tuple(dataset.name for dataset in datasets), tuple(listed))


def begin(route: Route, options: PrefetchOptions, ctx: Context) -> None:
    """Start reading in the background what a question was asked of, and no other dataset, and return.

    One such reading at a time for each cache.
    """
    unread = planned(route, options, ctx) or _unlisted_datasets(route, options, ctx)
    if unread and not _too_much(options, ctx) and ctx.cache.prefetching.acquire(blocking=False):
        ctx.start(lambda: _run(route, options, ctx))


def _run(route: Route, options: PrefetchOptions, ctx: Context) -> None:
    try:
        for dataset in _small(route, options):
            _read_dataset(dataset, ctx)
        for dataset in _unlisted_datasets(route, options, ctx):
            catalogue_of(dataset, ctx)
            _tell(ctx)
    except EvidenceError:
        return  # nobody waits for it; what is missing is read when it is asked for
    finally:
        _tell(ctx)
        ctx.cache.prefetching.release()


def _unlisted_datasets(route: Route, options: PrefetchOptions, ctx: Context) -> list[Dataset]:
    stale = ctx.reading.stale
    return [d for d in route.considered[: options.catalogues] if ctx.cache.catalogue(d, stale) is None]


def _tell(ctx: Context) -> None:
    """Tell the calls since this was last told: a receipt shows those beside its question too."""
    ctx.cache.behind.add(ctx.meter.take("knowledge_calls"))


def plan(route: Route, options: PrefetchOptions, ctx: Context) -> None:
    """Write on the receipt how many documents `begin` would read now, and the calls made behind earlier answers."""
    documents, behind = planned(route, options, ctx), ctx.cache.behind.take()
    ctx.meter.settle("calls_behind", 0, behind)
    with ctx.trace.step("read_ahead", documents=documents, calls_behind=behind):
        pass


def planned(route: Route, options: PrefetchOptions, ctx: Context) -> int:
    """How many documents `begin` would read now; of a dataset that was not listed, as many as it says it holds."""
    count = 0
    for dataset in () if _too_much(options, ctx) else _small(route, options):
        catalogue = ctx.cache.catalogue(dataset, ctx.reading.stale)
        count += len(_unread_documents(catalogue, ctx)) if catalogue else dataset.document_count
    return count


def _too_much(options: PrefetchOptions, ctx: Context) -> bool:
    return ctx.cache.full or ctx.cache.behind.lately(options.window) >= options.calls


def _small(route: Route, options: PrefetchOptions) -> list[Dataset]:
    routed = (entry.dataset for entry in route.datasets)
    return [dataset for dataset in routed if is_small(dataset, options)]


def _unread_documents(catalogue: Catalogue, ctx: Context) -> list[Document]:
    usable = [document for document in catalogue.documents if document.usable]
    cached = zip(usable, ctx.cache.readings(usable, ctx.reading.stale), strict=True)
    return [document for document, reading in cached if reading is None or may_go_on(reading)]


def _read_dataset(dataset: Dataset, ctx: Context) -> None:
    """Read the documents of a dataset while there is room, until as many are left unanswered as are read at once."""
    unanswered: list[Document] = []

    def read(document: Document) -> None:
        if len(unanswered) >= ctx.limits.workers or ctx.cache.full:
            return
        try:
            read_document(document, ctx)
        except KnowledgeUnavailable as error:
            if error.of_load:
                unanswered.append(document)
        finally:
            _tell(ctx)

    ctx.gather(read, _unread_documents(catalogue_of(dataset, ctx), ctx))
