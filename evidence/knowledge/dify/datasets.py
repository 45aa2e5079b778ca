"""Knowledge, answered by Dify's datasets API (recorded on 1.10.1 and 1.13.3). It only ever reads."""

import re
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from evidence.errors import DatasetNotFound, InvalidRequest, KnowledgeError, Misconfigured, NothingListed
from evidence.http.client import Client
from evidence.http.failures import AddressMissing, ServerFault, TooLarge
from evidence.knowledge.dify.retrieval import (
    MANY,
    Capabilities,
    Request,
    manner_of,
    plan_request,
    refuse_external,
    strange,
)
from evidence.knowledge.dify.shapes import (
    DatasetShape,
    DocumentShape,
    Listing,
    One,
    OwnedSegment,
    Record,
    Records,
    SegmentShape,
)
from evidence.knowledge.metadata_filter import matches
from evidence.knowledge.shapes import Readable, Shape
from evidence.model import (
    EVERYTHING,
    Dataset,
    Document,
    MetadataFilter,
    Page,
    Passage,
    Provenance,
    Query,
    Retrieved,
    Segment,
)

PAGE = 100  # larger pages are cut silently while has_more lies, so `total` is trusted
_ID = re.compile(r"[\w-]{1,64}")
_NEEDED = ("provider", "indexing_technique", "retrieval_model_dict", "doc_metadata")


@dataclass(frozen=True, slots=True)
class DifyDatasets:
    """Thread-safe. `known` belongs to one server and may be shared by all who ask it."""

    client: Client
    known: Capabilities = field(default_factory=Capabilities)

    def probe(self) -> int:
        """How many datasets the key sees, by one request. Raises Misconfigured or KnowledgeError."""
        answer = self.client.get("datasets", {"page": 1, "limit": 1})
        place = self.client.place
        if not isinstance(answer, dict) or not isinstance(answer.get("data"), list):
            raise Misconfigured(f"{place} answers, but not as Dify's knowledge API does; check the address")
        if not answer["data"]:
            raise NothingListed(f"{place} accepts the key, but the key sees no dataset; create or share one")
        first = answer["data"][0]
        if not isinstance(first, dict) or "total" not in answer or any(name not in first for name in _NEEDED):
            raise Misconfigured(f"{place} is too old or too different: Dify 1.1 or newer is needed")
        return self._validate(Listing, answer).total

    def datasets(self, page: int) -> Page[Dataset]:
        """One page, external datasets included: they are told by `provider`."""
        answer = self.client.get("datasets", {"page": page, "limit": PAGE})
        listing = self._validate(Listing, answer)
        shapes = Readable(DatasetShape, listing.data, PAGE, "datasets")
        datasets: list[Dataset] = []
        for shape in shapes:
            self.known.learn_manner(shape.id, manner_of(shape))
            datasets.append(shape.value())
        total, odd = self._total(listing, page, "datasets")
        return Page(tuple(datasets), total, shapes.unreadable, (*self._warnings(shapes), *odd))

    def dataset(self, dataset_id: str) -> Dataset:
        shape = self._validate(DatasetShape, self.client.get(_path(dataset_id)))
        self.known.learn_manner(shape.id, manner_of(shape))
        return shape.value()

    def documents(self, dataset: Dataset, page: int, keyword: str = "") -> Page[Document]:
        """One page, newest first; unusable documents are in it. `keyword` minds letter case."""
        refuse_external(dataset)
        asked_at = time.time()
        answer = self.client.get(f"{_path(dataset.dataset_id)}/documents", _page_query(page, keyword))
        listing = self._validate(Listing, answer)
        shapes = Readable(DocumentShape, listing.data, PAGE, what := f"documents of {dataset.name}")
        documents = tuple(shape.value(dataset, asked_at) for shape in shapes)
        total, odd = self._total(listing, page, what)
        return Page(documents, total, shapes.unreadable, (*self._warnings(shapes), *odd))

    def document(self, dataset: Dataset, document_id: str) -> Document | None:
        path, asked_at = f"{_path(dataset.dataset_id)}/documents/{_id(document_id)}", time.time()
        answer = self._one(path, "document")
        if answer is None:
            return None
        shape = self._validate(DocumentShape, answer)
        return shape.value(dataset, asked_at) if shape.id == document_id else None

    def segments(self, document: Document, page: int, keyword: str = "", limit: int = PAGE) -> Page[Segment]:
        """One page in reading order, disabled segments left out; `total` counts these too."""
        path, asked_at = (
            f"{_path(document.dataset_id)}/documents/{_id(document.document_id)}/segments",
            time.time(),
        )
        listing = self._validate(Listing, self.client.get(path, _page_query(page, keyword, limit)))
        shapes = Readable(SegmentShape, listing.data, limit, what := f"segments of {document.name}")
        segments = [shape.value(document, asked_at) for shape in shapes if shape.usable]
        segments.sort(key=lambda segment: segment.position)
        total, odd = self._total(listing, page, what, limit)
        return Page(tuple(segments), total, shapes.unreadable, (*self._warnings(shapes), *odd))

    def segment(self, document: Document, segment_id: str) -> Segment | None:
        """One segment; Dify answers for any segment of the workspace, so the document that it names is checked."""
        path = (
            f"{_path(document.dataset_id)}/documents/{_id(document.document_id)}/segments/{_id(segment_id)}"
        )
        asked_at = time.time()
        answer = self._one(path, "segment")
        if answer is None:
            return None
        shape = self._validate(One[OwnedSegment], answer).data
        owned = shape.document_id == document.document_id and shape.id == segment_id
        return shape.value(document, asked_at) if owned and shape.usable else None

    def _one(self, path: str, what: str) -> Any:
        """The answer for one thing; None where the server has none of that id."""
        try:
            return self.client.get(path)
        except AddressMissing:
            raise KnowledgeError(f"{self.client.place} has no address for that {what} (404)") from None
        except DatasetNotFound:
            return None

    def retrieve(
        self, dataset: Dataset, query: Query, top_k: int, metadata_filter: MetadataFilter = EVERYTHING
    ) -> Retrieved:
        """At most `top_k` passages, every one of them checked against the filter by us."""
        refuse_external(dataset)
        if top_k < 1:
            raise InvalidRequest("top_k must be at least 1")
        request = plan_request(query, top_k, metadata_filter, self.known.manner(dataset), self.known)
        if not request.query:
            raise InvalidRequest("the query is empty")
        asked_at = time.time()  # what is edited while the server answers must not count as read since
        answered = self._records(dataset, request)
        records = Readable(Record, answered, max(request.top_k, MANY), f"segments found in {dataset.name}")
        passages: list[Passage] = []
        let_through = False
        for segment, score in _segments(dataset, records, asked_at):
            if not matches(metadata_filter, segment.document.name, segment.document.metadata):
                let_through = True
                continue
            rank = len(passages) + 1
            passages.append(Passage(segment, score, rank, (Provenance(query.text, request.signal, rank),)))
            if rank == top_k:
                break
        if let_through and request.sent_filter:
            self.known.learn_dropped(metadata_filter.operators)
        return Retrieved(query, request.signal, tuple(passages), not let_through, self._warnings(records))

    def _records(self, dataset: Dataset, request: Request) -> list[Any]:
        try:
            answer = self.client.post(f"{_path(dataset.dataset_id)}/retrieve", request.body())
        except TooLarge:
            self.known.learn_too_large()
            raise
        except ServerFault:
            if request.sent_filter:
                self.known.learn_harmful(request.metadata_filter)
            raise
        return self._validate(Records, answer).records

    def _total(
        self, listing: Listing, page: int, what: str, limit: int = PAGE
    ) -> tuple[int, tuple[str, ...]]:
        """How many there are, no fewer than are shown, and a warning where a page ends before it is said to.

        An empty page is the end. Raises KnowledgeUnavailable where nothing at all is shown of what is counted.
        """
        shown = min(len(listing.data), limit)
        seen = (page - 1) * limit + shown
        if shown == limit or listing.total <= seen:
            return max(listing.total, seen if shown else 0), ()
        if not seen:
            raise strange(self.client.place)
        warning = f"the server counts {listing.total:,} {what}, and shows {seen:,}"
        return (listing.total if shown else seen), (warning,)

    def _warnings(self, shapes: Readable[Any]) -> tuple[str, ...]:
        if shapes.strange:
            raise strange(self.client.place)
        return shapes.warnings

    def _validate[Kind: Shape](self, kind: type[Kind], answer: Any) -> Kind:
        try:
            return kind.model_validate(answer)
        except ValidationError:
            # The validator quotes what it read: no cause, lest texts reach a log.
            raise strange(self.client.place) from None


def _segments(
    dataset: Dataset, records: Iterable[Record], asked_at: float
) -> Iterable[tuple[Segment, float]]:
    """Usable segments in the server's order, each once: parents are found by several children."""
    documents: dict[str, Document] = {}
    seen: set[str] = set()
    for record in records:
        shape = record.segment
        if not shape.usable or shape.id in seen:
            continue
        seen.add(shape.id)
        if shape.document.id not in documents:
            documents[shape.document.id] = shape.document.value(dataset)
        yield shape.value(documents[shape.document.id], asked_at), record.finite_score


def _page_query(page: int, keyword: str, limit: int = PAGE) -> dict[str, str | int]:
    parameters: dict[str, str | int] = {"page": page, "limit": limit}
    return {**parameters, "keyword": keyword} if keyword else parameters


def _id(given: str) -> str:
    if not _ID.fullmatch(given):
        raise DatasetNotFound("an id holds characters that no id of Dify has")
    return given


def _path(dataset_id: str) -> str:
    return f"datasets/{_id(dataset_id)}"
