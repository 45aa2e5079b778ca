"""What other processes read of the chosen datasets: put on the shelf here, and kept for them in turn."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from evidence.context import Context
from evidence.limits import Deadline
from evidence.model import Dataset, Document
from evidence.reading.fetching import ReadOptions, held_readings
from evidence.sharing import SECONDS, Shared, Sharing


def fetches(datasets: Sequence[Dataset], options: ReadOptions, ctx: Context) -> list[Callable[[], Shared]]:
    """What to ask the store beside the server: each dataset that the shelf does not hold."""
    if ctx.sharing is None:
        return []
    stale = options.freshness.stale
    missing = (each for each in datasets if not ctx.shelf.holds_whole(each, stale))
    return [partial(_fetch, ctx.sharing, each, stale, ctx) for each in missing if each.provider != "external"]


def _fetch(sharing: Sharing, dataset: Dataset, stale: float, ctx: Context) -> Shared:
    return ctx.shelf.once(("shared", dataset.dataset_id), lambda: sharing.fetch(dataset, stale), ctx.deadline)


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
