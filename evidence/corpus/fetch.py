"""Fetch datasets, catalogues and documents, from the cache where it holds them, else page by page in parallel."""

from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from typing import Any

from evidence.cache import Catalogue, Reading
from evidence.context import Context
from evidence.errors import EvidenceError, KnowledgeError, LimitReached, ListingRefused, Misconfigured
from evidence.limits import DOCUMENT_CHARACTERS, DOCUMENT_PAGES
from evidence.model import Dataset, Document, Lack, Page, Segment, Unreached
from evidence.workers import Failure

DATASETS_BY_ID = 30  # the most that are asked for one by one
PAGE = 100  # the most that a server gives on one page
DOCUMENTS_CHARACTERS = 2_000_000  # of documents that are read together; each has its share
PAGE_CHARACTERS = 40_000  # a page of segments of about 500 characters, with room to spare


def all_datasets(ctx: Context) -> tuple[Dataset, ...]:
    """Every dataset that the key may see."""
    cached = ctx.cache.datasets(ctx.reading.unasked)
    if cached is not None:
        ctx.meter.charge("cache_hits")
        return _report_warnings(cached, ctx).items

    def ask() -> Page[Dataset]:
        datasets = _listed(ctx)
        if ctx.unlisted:
            more = _by_id(tuple(ctx.unlisted), ctx, required=not datasets.items)
            ctx.meter.settle("further_calls", 0, len(ctx.unlisted))  # they are pages of one list
            items = (*datasets.items, *more.items)
            datasets = Page(items, len(items), datasets.lost, (*datasets.warnings, *more.warnings))
        ctx.cache.keep_datasets(datasets)
        return datasets

    return _report_warnings(ctx.single_flight("datasets", ask), ctx).items


def _listed(ctx: Context) -> Page[Dataset]:
    """The datasets that the server lists; where others are known by id, that it lists none is a warning."""
    try:
        return _pages(ctx.knowledge.datasets, ctx, most=20)
    except ListingRefused as refused:
        if refused.dataset_ids:
            return _by_id(refused.dataset_ids, ctx, required=not ctx.unlisted)
        if not ctx.unlisted:
            raise
        return Page((), 0)  # a key for agent knowledge bases alone
    except (KnowledgeError, Misconfigured) as error:
        if not ctx.unlisted:
            raise
        return Page((), 0, warnings=(f"route: the datasets could not be listed ({error})",))


def _by_id(dataset_ids: Sequence[str], ctx: Context, *, required: bool) -> Page[Dataset]:
    """Datasets that no server lists for the key, one call each; those that it may not read are left out and said.

    Where one is `required`, raises the first error if there is none.
    """
    first = dataset_ids[:DATASETS_BY_ID]
    left = len(dataset_ids) - len(first)
    warnings = (
        [f"route: {left} of {len(dataset_ids)} allowed datasets were not asked for by id"] if left else []
    )
    datasets: list[Dataset] = []
    errors: list[KnowledgeError] = []
    for dataset_id, result in zip(first, ctx.gather(ctx.knowledge.dataset, first), strict=True):
        if not isinstance(result, Failure):
            datasets.append(result)
        elif isinstance(result.error, KnowledgeError):
            name = ctx.unlisted.get(dataset_id, dataset_id)
            warnings.append(f"route: the dataset {name} was left out ({result.error})")
            errors.append(result.error)
        else:
            raise result.error
    if errors and not datasets and required:
        raise errors[0]
    return Page(tuple(datasets), len(datasets), warnings=tuple(warnings))


def catalogue_of(dataset: Dataset, ctx: Context, *, pages: int = 0, now: bool = False) -> Catalogue:
    """The documents of a dataset, up to `pages` pages of them; of a large one, the newest only (`complete` tells).

    With `now`, one that a single page holds is listed by this run, whatever was known before.
    """
    most = pages or ctx.reading.catalogue_pages
    most = 1 if dataset.document_count > most * PAGE else most
    believed = ctx.reading.listed
    if now and dataset.document_count <= PAGE:
        believed = min(believed, ctx.trace.elapsed())
    cached = ctx.cache.catalogue(dataset, believed)
    if cached is not None and _page_count(len(cached.documents)) >= min(_page_count(cached.total), most):
        ctx.meter.charge("cache_hits")
        return _report_warnings(cached, ctx)

    def ask() -> Catalogue:
        listed = _pages(lambda page: ctx.knowledge.documents(dataset, page), ctx, most)
        return ctx.cache.keep_catalogue(dataset, listed.items, listed.total - listed.lost, listed.warnings)

    key = ("catalogue", dataset.dataset_id, dataset.version, most)
    return _report_warnings(ctx.single_flight(key, ask), ctx)


def listed_until(dataset: Dataset, document_ids: Sequence[str], ctx: Context) -> Catalogue:
    """The catalogue of a large dataset, listed on until it holds the ids or `pinned_pages` were listed.

    No server finds documents by id among names, so the pages are turned, several at once; they are kept.
    """
    known = catalogue_of(dataset, ctx)
    documents = {document.document_id: document for document in known.documents}
    pages = range(
        len(known.documents) // PAGE + 1, min(_page_count(known.total), ctx.reading.pinned_pages) + 1
    )
    for first in range(pages.start, pages.stop, ctx.limits.workers):
        if all(document_id in documents for document_id in document_ids):
            break
        turned = [page for page in range(first, first + ctx.limits.workers) if page < pages.stop]
        for page in _successes(ctx.gather(lambda page: ctx.knowledge.documents(dataset, page), turned)):
            documents |= {document.document_id: document for document in page.items}
    return ctx.cache.keep_catalogue(dataset, tuple(documents.values()), known.total, known.warnings)


def documents_named(
    dataset: Dataset, keywords: Sequence[str], ctx: Context
) -> tuple[tuple[Document, ...], tuple[Unreached, ...]]:
    """Documents of a large dataset whose names hold one of the keywords, one call a keyword; and what failed.

    Servers mind letter case in names, so a keyword that nothing holds is asked for once more in another.
    """
    by_keyword, lost = _search_names(dataset, keywords, ctx)
    again = [_otherwise(word) for word in keywords if not by_keyword.get(word, True)]
    more, later = _search_names(dataset, again, ctx) if again else ({}, ())
    named = {d.document_id: d for documents in (by_keyword | more).values() for d in documents}
    return tuple(named.values()), (*lost, *later)[:1]


def _otherwise(word: str) -> str:
    """A keyword in another letter case; of a run without cases, its first two characters."""
    if word.casefold() == word.upper():
        return word[:2]
    return word.capitalize() if word == word.casefold() else word.casefold()


def _search_names(
    dataset: Dataset, keywords: Sequence[str], ctx: Context
) -> tuple[dict[str, tuple[Document, ...]], tuple[Unreached, ...]]:
    pages = ctx.gather(lambda keyword: ctx.knowledge.documents(dataset, 1, keyword), keywords)
    by_keyword: dict[str, tuple[Document, ...]] = {}
    lost: tuple[Unreached, ...] = ()
    for keyword, page in zip(keywords, pages, strict=True):
        if isinstance(page, Failure):
            if not isinstance(page.error, KnowledgeError | LimitReached):
                raise page.error
            ctx.trace.degrade(f"discover: a search by name in {dataset.name} failed ({page.error})")
            lost = (unreached(dataset, page.error),)
        else:
            by_keyword[keyword] = page.items
    return by_keyword, lost


def cached_readings(documents: Iterable[Document], ctx: Context) -> list[Reading]:
    """The cached readings of these documents."""
    cached = ctx.cache.readings(documents, ctx.reading.stale)
    return [reading for reading in cached if reading is not None]


def read_documents(
    plan: Sequence[tuple[Document, int]], ctx: Context, *, required: bool = False
) -> tuple[Unreached, ...]:
    """Read each document's segments, up to so many pages; what cannot be read (in time) is said and given back.

    Where reading is `required` and the server failed for every document, its error is raised: failed is not empty.
    """
    errors: dict[Document, KnowledgeError | LimitReached] = {}
    share = DOCUMENTS_CHARACTERS // max(len(plan), 1)
    results = ctx.gather(lambda entry: read_document(entry[0], ctx, entry[1], share), plan)
    for (document, _), result in zip(plan, results, strict=True):
        if isinstance(result, Failure):
            if not isinstance(result.error, KnowledgeError | LimitReached):
                raise result.error
            ctx.trace.degrade(f"reading: {document.name} was left out ({result.error})")
            errors[document] = result.error
    failed = [error for error in errors.values() if isinstance(error, KnowledgeError)]
    if required and len(failed) == len(plan) > 0:
        raise failed[0]
    return tuple(unreached(document, error) for document, error in errors.items())


def unreached(item: Dataset | Document, error: EvidenceError) -> Unreached:
    """A dataset or document that could not be searched or read, and whether the server or a limit is the reason."""
    reason: Lack = "limit_reached" if isinstance(error, LimitReached) else "knowledge_unavailable"
    if isinstance(item, Dataset):
        return Unreached("dataset", item.dataset_id, item.name, reason)
    return Unreached("document", item.document_id, item.name, reason)


def read_document(
    document: Document, ctx: Context, pages: int = DOCUMENT_PAGES, characters: int = DOCUMENT_CHARACTERS
) -> Reading:
    """One document's segments in reading order; of a long one the first pages (`complete` tells)."""
    most, characters = min(pages, ctx.reading.document_pages), min(characters, ctx.reading.characters)
    cached = ctx.cache.reading(document, ctx.reading.stale)
    if cached is not None and not may_go_on(cached, most):
        ctx.meter.charge("cache_hits")
        return _report_warnings(cached, ctx)

    def ask() -> Reading:
        read = _pages_read(document, most, characters, ctx)
        segments, cut = fitting(_distinct(read), document.name, characters)
        total = read[0].total
        intact = _last_page(read[0]) <= len(read) and not cut  # the server counts disabled segments too
        warnings = _warnings(read)
        return ctx.cache.keep_reading(
            document,
            segments,
            len(segments) if intact else total,
            most,
            (*warnings, *cut),
            intact=not warnings,
        )

    likely = (
        min(most, pages_of(document, ctx)) if document.word_count else most
    )  # who asks for more shares it too
    key = ("reading", document.dataset_id, document.document_id, document.version, likely)
    return _report_warnings(ctx.single_flight(key, ask), ctx)


def _pages_read(document: Document, most: int, characters: int, ctx: Context) -> list[Page[Segment]]:
    """The first page, and of the others, all at once, as many as are likely to hold so many characters."""
    first = ctx.knowledge.segments(document, 1)
    length = sum(len(segment.text) + len(segment.question) for segment in first.items)
    enough = -(-characters // length) if length else most
    rest = range(2, min(most, enough, _last_page(first)) + 1)
    return [first, *_successes(ctx.gather(lambda page: ctx.knowledge.segments(document, page), rest))]


def fitting(
    segments: Sequence[Segment], name: str, characters: int
) -> tuple[tuple[Segment, ...], tuple[str, ...]]:
    """The first segments of a document that hold so many characters together, and a warning where there are more."""
    ends = accumulate(len(segment.text) + len(segment.question) for segment in segments)
    count = sum(end <= characters for end in ends)
    if count == len(segments):
        return tuple(segments), ()
    return tuple(segments[:count]), (f"reading: of {name} the first {characters:,} characters were read",)


def may_go_on(reading: Reading, pages: int = DOCUMENT_PAGES) -> bool:
    """Whether reading up to so many pages would show more of the document."""
    return reading.partial or (not reading.complete and reading.pages < pages)


def pages_of(document: Document, ctx: Context) -> int:
    """How many pages a document is likely to fill, as far as reading goes; its length is in characters."""
    likely = -(-document.word_count // PAGE_CHARACTERS) if document.word_count else 1
    return min(max(likely, 1), ctx.reading.document_pages)


def _successes[T](results: Iterable[T | Failure]) -> Iterable[T]:
    for result in results:
        if isinstance(result, Failure):
            raise result.error
        yield result


def _distinct(pages: Sequence[Page[Segment]]) -> list[Segment]:
    by_id = {segment.segment_id: segment for page in pages for segment in page.items}
    return sorted(by_id.values(), key=lambda segment: segment.position)


def _last_page(first: Page[Any]) -> int:
    """The number of the last page; the first, where it holds all that there is."""
    return 1 if len(first.items) + first.lost >= first.total else _page_count(first.total)


def _page_count(total: int) -> int:
    return -(-total // PAGE)


def _pages[T: Dataset | Document](ask: Callable[[int], Page[T]], ctx: Context, most: int) -> Page[T]:
    """The first page, then all others at once; a page that fails is an error, never an empty page.

    Each item stands once. Where a page brings nothing new, the server shows the same again, and its count is no count.
    """
    first = ask(1)
    pages = [first, *_successes(ctx.gather(ask, range(2, min(most, _last_page(first)) + 1)))]
    items: dict[str, T] = {}
    repeats = False
    for page in pages:
        new = {_id_of(item): item for item in page.items if _id_of(item) not in items}
        repeats = repeats or (bool(page.items) and not new)
        items |= new
    lost = sum(page.lost for page in pages)
    if not repeats:
        return Page(tuple(items.values()), first.total, lost, _warnings(pages))
    warning = f"the server counts {first.total:,}, and lists the same {len(items):,} again and again"
    return Page(tuple(items.values()), len(items) + lost, lost, (*_warnings(pages), warning))


def _id_of(item: Dataset | Document) -> str:
    return item.dataset_id if isinstance(item, Dataset) else item.document_id


def _warnings(pages: Iterable[Page[Any]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(warning for page in pages for warning in page.warnings))


def _report_warnings[Fetched: Page[Any] | Catalogue | Reading](fetched: Fetched, ctx: Context) -> Fetched:
    """The same value; its warnings go on the receipt of every run that uses it, not only of the one that fetched it."""
    ctx.trace.degrade(*fetched.warnings)
    return fetched


# --- a catalogue as a person asks for it --------------------------------------------------------------------


def page_of(datasets: Sequence[Dataset], name: str, page: int, limit: int, ctx: Context) -> Page[Document]:
    """Items (page - 1) * limit to page * limit of all documents whose names hold `name`, dataset by dataset.

    `total` counts them all. Asks for the first page of each dataset, and for the pages that hold the items.
    """
    firsts = ctx.gather(lambda dataset: ctx.knowledge.documents(dataset, 1, name), datasets)
    totals = [_total(dataset, first, name, ctx) for dataset, first in zip(datasets, firsts, strict=True)]
    start, end = (page - 1) * limit, page * limit
    documents: list[Document] = []
    before = 0
    for dataset, first, total in zip(datasets, firsts, totals, strict=True):
        low, high = max(start - before, 0), min(end - before, total)
        before += total
        for number in range(low // PAGE + 1, -(-high // PAGE) + 1) if low < high else ():
            assert isinstance(first, Page)  # noqa: S101 - a failure was raised when it was counted
            at_hand = number == 1 or _last_page(first) == 1  # the first page holds all of them
            items = (
                first.items[(number - 1) * PAGE :]
                if at_hand
                else ctx.knowledge.documents(dataset, number, name).items
            )
            offset = (number - 1) * PAGE
            documents.extend(items[:PAGE][max(low - offset, 0) : high - offset])
    return Page(tuple(documents), sum(totals))


def _total(dataset: Dataset, first: Page[Document] | Failure, name: str, ctx: Context) -> int:
    """How many there are; no more than are shown where nothing bears the count out and the next page is no news."""
    if isinstance(first, Failure):
        raise first.error
    shown = len(first.items) + first.lost
    if first.total <= max(shown, dataset.document_count if shown >= PAGE else 0):
        return first.total
    known = {document.document_id for document in first.items}
    second = {document.document_id for document in ctx.knowledge.documents(dataset, 2, name).items}
    return first.total if second - known else shown
