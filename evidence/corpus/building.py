"""Building the index by command: all that a dataset holds is listed, and what is not stored yet is read.

Each document is stored as soon as it was read, so that a build goes on where the last one ended, however that was.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from evidence.cache import STORED_LIFE, Cache
from evidence.context import Context
from evidence.corpus.fetch import catalogue_of, read_document
from evidence.corpus.meaning import embed
from evidence.corpus.prefetch import is_small
from evidence.errors import KnowledgeError, KnowledgeUnavailable, LimitReached, Misconfigured
from evidence.model import Dataset, Document
from evidence.store.port import IndexState, Store
from evidence.workers import Failure

ALL_PAGES = 1_000_000
_STORED_AT_ONCE = 1  # bytes of texts that a build holds besides those that it is reading


@dataclass(frozen=True, slots=True)
class IndexReport:
    """How far the index of each dataset was built; `home` says where it is.

    `read` documents were read in this run, `failed` could not be; `seconds_left` is a guess for the rest, 0 where
    nothing is known. `unembedded` documents have no vectors yet. `busy` tells that another process builds.
    """

    datasets: tuple[Dataset, ...]
    states: Mapping[str, IndexState]
    home: str = "memory"
    read: int = 0
    failed: int = 0
    unembedded: int = 0
    seconds_left: float = 0.0
    busy: bool = False

    def __len__(self) -> int:
        return len(self.datasets)

    def state(self, dataset: Dataset) -> IndexState:
        return self.states.get(dataset.dataset_id, IndexState(dataset.document_count))

    @property
    def unread(self) -> int:
        """Documents that are not in the index yet."""
        states = map(self.state, self.datasets)
        return sum(max(0, state.documents - state.read) for state in states)


def report_of(datasets: Sequence[Dataset], ctx: Context) -> IndexReport:
    """The state of the index of these datasets."""
    store = ctx.cache.store
    if store is None:
        return IndexReport(tuple(datasets), {})
    states = store.states()
    ctx.trace.degrade(*store.warnings())
    name = ctx.embedder.name if ctx.embedder else ""
    unembedded = sum(len(store.unembedded(dataset.dataset_id, name)) for dataset in datasets if name)
    return IndexReport(tuple(datasets), states, store.home, unembedded=unembedded)


def store_in(ctx: Context) -> Store:
    """The index; raises Misconfigured where it is in memory alone."""
    if ctx.cache.store is None:
        raise Misconfigured(
            "the index is kept in memory, which needs no building; choose another home in the plugin's credentials"
        )
    return ctx.cache.store


def build(datasets: Sequence[Dataset], ctx: Context, *, again: bool = False) -> IndexReport:
    """Read what the index has not of these datasets, until all is there or the deadline comes.

    With `again`, texts that were read more than a day ago are read once more.
    """
    store, before = store_in(ctx), time.time() - STORED_LIFE if again else 0.0
    with store.building() as alone:
        if not alone:
            report = report_of(datasets, ctx)
            return replace(report, busy=store.working)
        began = ctx.trace.elapsed()
        reading = replace(ctx.reading, catalogue_pages=ALL_PAGES, listed=0.0)
        own = replace(ctx, cache=_passing(store), reading=reading)
        counts = [_build(dataset, before, store, own) for dataset in datasets]
    read, failed = (sum(column) for column in zip(*counts, strict=True)) if counts else (0, 0)
    report = report_of(datasets, ctx)
    left = report.unread * (ctx.trace.elapsed() - began) / read if read else 0.0
    return replace(report, read=read, failed=failed, seconds_left=round(left, 1))


def _build(dataset: Dataset, before: float, store: Store, ctx: Context) -> tuple[int, int]:
    """How many documents of a dataset were read and stored now, and how many could not be."""
    try:
        catalogue_of(dataset, replace(ctx, cache=_passing(store)))
    except (KnowledgeError, LimitReached) as error:
        ctx.trace.degrade(f"index: {dataset.name} could not be listed ({error})")
        return 0, 0
    read, errors = _read_all(dataset, before, store, ctx)
    if errors:
        ctx.trace.degrade(f"index: {len(errors)} documents of {dataset.name} could not be read ({errors[0]})")
    while not is_small(dataset) and not ctx.deadline.passed() and store.arrange(dataset.dataset_id):
        pass
    embed(dataset, store, ctx)
    return read, len(errors)


def _read_all(
    dataset: Dataset, before: float, store: Store, ctx: Context
) -> tuple[int, list[KnowledgeError]]:
    """Read what is not stored, some documents after the others; where as many are left unanswered as are read at once,
    the server is asked no further.
    """
    unanswered: list[Document] = []

    def read(document: Document) -> bool:
        if len(unanswered) >= ctx.limits.workers or not store.working:
            return False
        try:
            read_document(document, ctx)
        except KnowledgeUnavailable as error:
            if error.of_load:
                unanswered.append(document)
            raise
        return True

    done, skipped, errors = 0, 0, list[KnowledgeError]()
    while documents := store.unread(dataset.dataset_id, before, skipped):
        results = ctx.gather(read, documents)
        failures = [result.error for result in results if isinstance(result, Failure)]
        errors += [error for error in failures if isinstance(error, KnowledgeError)]
        fresh = sum(result is True for result in results)
        done, skipped = done + fresh, skipped + len(documents) - fresh
        if not fresh:
            break
    return done, errors


def _passing(store: Store) -> Cache:
    """A cache that hands what is read on to the index, and holds next to nothing itself."""
    return Cache(_STORED_AT_ONCE, store=store, words=0)
