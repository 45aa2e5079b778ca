"""Catalogues as a person asks for them: what datasets there are, and one page of their documents."""

from collections.abc import Sequence

from evidence.context import Context
from evidence.corpus.fetch import PAGE
from evidence.model import Dataset, Document, Page
from evidence.workers import Failure


def page_of(datasets: Sequence[Dataset], name: str, page: int, limit: int, ctx: Context) -> Page[Document]:
    """Items (page - 1) * limit to page * limit of all documents whose names hold `name`, dataset by dataset.

    `total` counts them all. Asks for the first page of each dataset, and for the pages that hold the items.
    """
    firsts = ctx.gather(lambda dataset: ctx.knowledge.documents(dataset, 1, name), datasets)
    totals = [_total(first) for first in firsts]
    start, end = (page - 1) * limit, page * limit
    documents: list[Document] = []
    before = 0
    for dataset, first, total in zip(datasets, firsts, totals, strict=True):
        low, high = max(start - before, 0), min(end - before, total)
        before += total
        for number in range(low // PAGE + 1, -(-high // PAGE) + 1) if low < high else ():
            items = first if number == 1 else ctx.knowledge.documents(dataset, number, name)
            assert isinstance(items, Page)  # noqa: S101 - a failure was raised when it was counted
            offset = (number - 1) * PAGE
            documents.extend(items.items[max(low - offset, 0) : high - offset])
    return Page(tuple(documents), sum(totals))


def _total(first: Page[Document] | Failure) -> int:
    if isinstance(first, Failure):
        raise first.error
    return first.total
