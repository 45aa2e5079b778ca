"""What other processes read of the chosen datasets: put on the shelf here, and kept for them in turn."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from evidence.context import Context
from evidence.errors import LimitReached
from evidence.limits import Deadline
from evidence.model import Dataset, Document
from evidence.reading.fetching import ReadOptions, held_readings
from evidence.sharing import SECONDS, Shared, Sharing


def fetches(datasets: Sequence[Dataset], options: ReadOptions, ctx: Context) -> list[Callable[[], Shared]]:
    """What to ask the store beside the server: each dataset that the shelf does not hold, all in 2 s together."""
    if ctx.sharing is None:
        return []
    stale, until = options.freshness.stale, ctx.sharing.until()
    missing = [d for d in datasets if d.provider != "external" and not ctx.shelf.holds_whole(d, stale)]
    return [partial(_fetch, ctx.sharing, dataset, stale, until, ctx) for dataset in missing]


def _fetch(sharing: Sharing, dataset: Dataset, stale: float, until: Deadline, ctx: Context) -> Shared:
    """What was found; what another run asks for just now, and is not told in time, is done without."""
    try:
        key = ("shared", dataset.dataset_id)
        return ctx.shelf.once(key, lambda: sharing.fetch(dataset, stale, until), until)
    except LimitReached:
        return Shared((), 0.0)


def placed(
    found: Sequence[Shared], listed: Mapping[str, Document], options: ReadOptions, ctx: Context
) -> None:
    """Put on the shelf what was found of the documents that the server lists now, in the same version."""
    for shared in found:
        for read in shared.documents:
            document = listed.get(read.document_id)
            if document is None or document.version != read.version:
                continue
            if ctx.shelf.reading(document, options.freshness.stale) is None:
                age = max(0.0, shared.now - read.read_at)
                ctx.shelf.keep_reading(document, read.segments(document), read.total, read.pages, age)


def keep(datasets: Sequence[Dataset], options: ReadOptions, ctx: Context) -> None:
    """Keep for other processes what this one holds whole."""
    stale, until = options.freshness.stale, Deadline(SECONDS)
    for dataset in datasets:
        catalogue = ctx.shelf.catalogue(dataset, stale)
        if ctx.sharing is None or catalogue is None or not ctx.shelf.holds_whole(dataset, stale):
            continue
        usable = [document for document in catalogue.documents if document.usable]
        now, held = ctx.shelf.now(), held_readings(usable, options, ctx)
        ctx.sharing.keep(dataset, [(reading, now - reading.read_at) for reading in held], stale, until)
