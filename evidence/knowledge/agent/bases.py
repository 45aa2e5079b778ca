"""Knowledge, answered by Dify's agent knowledge bases (`/v1/knowledge-fs`, 1.16 to 1.18, a beta). It only ever reads.

A key cannot list them, so they are named one by one. Lists are paged by cursors, in the order of ids: they are read to
their end, and put into reading order here. A query runs in two calls and is billed, so it is never run twice.
"""

import re
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Literal

from pydantic import ValidationError

from evidence.errors import (
    DatasetNotFound,
    InvalidRequest,
    KnowledgeError,
    KnowledgeUnavailable,
    ListingRefused,
    RateLimited,
)
from evidence.http.client import Client
from evidence.http.failures import AddressMissing, NotPublished, unreadable
from evidence.knowledge.agent.known import Known
from evidence.knowledge.agent.shapes import (
    Admission,
    ChunkShape,
    CursorPage,
    DocumentShape,
    Done,
    EvidenceItem,
    RecordedEvidence,
    SettingsShape,
    hash_of,
    in_reading_order,
    segment_of,
)
from evidence.knowledge.metadata_filter import matches
from evidence.knowledge.port import AGENT
from evidence.knowledge.shapes import Readable, Shape
from evidence.limits import DOCUMENT_CHARACTERS
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

LONGEST_QUERY = 16_000  # characters, and bytes of UTF-8
MOST_PAGES = 500
MOST_ITEMS = 20_000  # documents of a base, chunks of a document
MOST_EVIDENCE = 100
MOST_LOOKED_UP = 5  # found chunks of documents that were not read, one call each
NONE: Mapping[str, str] = {}
_ID = re.compile(r"[\w-]{1,64}")

type Depth = Literal["fast", "deep"]


@dataclass(frozen=True, slots=True)
class AgentKnowledge:
    """Thread-safe. `bases` are names by id, with AGENT before them; no other base is ever asked.

    `known` belongs to one server and key. `turning` is called before each further request of one call.
    """

    client: Client
    bases: Mapping[str, str]
    depth: Depth = "fast"
    known: Known = field(default_factory=Known)
    turning: Callable[[], object] = lambda: None

    def datasets(self, page: int) -> Page[Dataset]:  # noqa: ARG002 - of the port
        """No key can list them. Raises ListingRefused with the ids that may be asked for."""
        raise ListingRefused("agent knowledge bases cannot be listed", tuple(self.bases))

    def dataset(self, dataset_id: str) -> Dataset:
        """A base that opens, whether or not its index answers; its documents are counted."""
        dataset, settings = self._named(dataset_id), self.settings(dataset_id)
        if self.known.documents(dataset_id) is None:
            self.turning()
            self.known.hand_on(dataset_id, self.documents(dataset, 1))
        documents = self.known.documents(dataset_id) or {}
        if not documents and not settings.answers:
            raise self._unpublished()
        return Dataset(
            dataset_id,
            dataset.name,
            technique="high_quality",
            provider="agent",
            document_count=len(documents),
            version=f"{settings.revision}.{len(documents)}",
        )

    def settings(self, dataset_id: str) -> SettingsShape:
        """What a base says of itself: whether it opens, and whether its index answers."""
        settings = self._read(SettingsShape, self.client.get(f"{self._path(dataset_id)}/settings"))
        self.known.learn_answers(dataset_id, answers=settings.answers)
        return settings

    def documents(self, dataset: Dataset, page: int, keyword: str = "") -> Page[Document]:
        """All of them on page 1, oldest first; unusable ones are in it. `keyword` minds letter case."""
        if page > 1:
            return Page((), 0)
        if not keyword and (listed := self.known.handed(dataset.dataset_id)):
            return listed
        asked_at, by_file = time.time(), dict[tuple[str, int], Document]()
        shapes = self._walk(
            DocumentShape, f"{self._path(dataset.dataset_id)}/logical-documents", dataset.name
        )
        documents: dict[str, Document] = {}
        for shape in shapes:
            document = documents[shape.id] = shape.value(dataset, asked_at)
            if shape.active is not None:
                by_file[shape.active.document_asset_id, shape.active.document_asset_version] = document
            if len(documents) >= MOST_ITEMS:
                shapes.warnings[f"of {dataset.name} the first {MOST_ITEMS:,} documents were listed"] = None
                break
        self.known.learn_documents(dataset.dataset_id, by_file)
        items = tuple(document for document in documents.values() if keyword in document.name)
        return Page(items, len(items), warnings=tuple(shapes.warnings))

    def document(self, dataset: Dataset, document_id: str) -> Document | None:
        asked_at = time.time()
        answer = self._one(f"{self._path(dataset.dataset_id)}/logical-documents/{_id(document_id)}")
        if answer is None:
            return None
        shape = self._read(DocumentShape, answer)
        return shape.value(dataset, asked_at) if shape.id == document_id else None

    def segments(self, document: Document, page: int, keyword: str = "", limit: int = 100) -> Page[Segment]:
        """All pieces of the active revision that may be quoted, on page 1; of a very long document, the first.

        A later page holds `limit` of them.
        """
        document, asked_at = self._revised(document), time.time()
        walk = self._walk(ChunkShape, self._chunks_path(document), document.name, {"query": keyword[:512]})
        chunks: list[ChunkShape] = []
        size = 0
        for chunk in walk:
            if (chunk.document_id, chunk.document_revision) == (document.document_id, document.revision):
                chunks.append(chunk)
                size += chunk.size
            if len(chunks) >= MOST_ITEMS or size > 2 * DOCUMENT_CHARACTERS:
                chunks, cut = _first(chunks)
                size = sum(chunk.size for chunk in chunks)
                walk.cut |= cut
        chunks = _first(chunks)[0] if walk.cut else chunks
        segments = tuple(chunk.value(document, asked_at) for chunk in in_reading_order(chunks))
        if not keyword and not walk.cut:
            self.known.learn_chunks(document, segments)
        more = (f"of {document.name} only the first pieces were read",) if walk.cut else ()
        shown = segments if page == 1 else segments[(page - 1) * limit : page * limit]
        return Page(shown, len(segments), warnings=(*walk.warnings, *more))

    def segment(self, document: Document, segment_id: str) -> Segment | None:
        """One piece of the revision that the document is known by."""
        document, asked_at = self._revised(document), time.time()
        answer = self._one(f"{self._chunks_path(document)}/{_id(segment_id)}")
        if answer is None:
            return None
        chunk = self._read(ChunkShape, answer)
        owned = (chunk.id, chunk.document_id, chunk.document_revision) == (
            segment_id,
            document.document_id,
            document.revision,
        )
        return chunk.value(document, asked_at) if owned and chunk.usable else None

    def retrieve(
        self, dataset: Dataset, query: Query, top_k: int, metadata_filter: MetadataFilter = EVERYTHING
    ) -> Retrieved:
        """At most `top_k` passages of its own ranking; the filter is applied here, there is none in its API."""
        text = _fitting(query.text)
        if top_k < 1 or not text:
            raise InvalidRequest("the query is empty" if top_k >= 1 else "top_k must be at least 1")
        if self.known.silent(dataset.dataset_id):
            raise self._unpublished()
        done = self._query(dataset, text)
        items = self._evidence(dataset, done)
        evidence = Readable(EvidenceItem, items, MOST_EVIDENCE, f"evidence of {dataset.name}")
        passages: list[Passage] = []
        segments = self._segments_of(dataset, evidence)
        for segment, score in segments:
            if matches(metadata_filter, segment.document.name, segment.document.metadata):
                rank = len(passages) + 1
                passages.append(Passage(segment, score, rank, (Provenance(query.text, "agent", rank),)))
            if len(passages) == top_k:
                break
        warnings = evidence.warnings
        if items and not passages and not metadata_filter.conditions:
            warnings = (*warnings, f"what {dataset.name} ranked itself is none of the chunks that it lists")
        facts = {"depth": self.depth, **done.metadata.facts}
        return Retrieved(query, "agent", tuple(passages), warnings=warnings, facts=facts)

    def _query(self, dataset: Dataset, text: str) -> Done:
        """What its retrieval found, by one admission and one stream."""
        body = {"query": text, "mode": self.depth}
        admission = self._read(
            Admission, self.client.post(f"{self._path(dataset.dataset_id)}/queries/admission", body)
        )
        self.turning()
        headers = {"Authorization": f"Bearer {admission.token}", "X-Trace-ID": admission.trace_id}
        path = "knowledge-fs/query-stream"
        try:
            name, data = self.client.event(path, admission.request, headers, ("answer.done", "answer.error"))
        except RateLimited:
            raise
        except KnowledgeUnavailable as error:  # it may have run, and is billed each time
            raise KnowledgeError(f"{error}; the query is not run again") from None
        if name == "answer.error":
            raise KnowledgeError(f"{self.client.place} could not end the query of {dataset.name}")
        return self._read(Done, data)

    def _evidence(self, dataset: Dataset, done: Done) -> list[Any]:
        """The items that the stream brought; else those of the record that Dify keeps of the query."""
        if done.metadata.bundle is not None:
            return done.metadata.bundle.items
        if done.record_id is None:
            raise unreadable("knowledge", self.client.place)
        self.turning()
        path = f"{self._path(dataset.dataset_id)}/traces/{done.record_id}/evidence"
        rows = islice(self._walk(RecordedEvidence, path, dataset.name), MOST_EVIDENCE)
        return [row.item for row in rows if "reason" not in row.metadata]

    def _segments_of(
        self, dataset: Dataset, evidence: Readable[EvidenceItem]
    ) -> Iterator[tuple[Segment, float]]:
        """Pieces that are in the active revision of a usable document, each once, word by word as they are listed."""
        items = list(evidence)
        by_file = self.known.documents(dataset.dataset_id) or {}
        if any((item.place.document_id, item.place.version) not in by_file for item in items):
            self.turning()
            self.documents(dataset, 1)
            by_file = self.known.documents(dataset.dataset_id) or {}
        looked_up, seen = 0, set[str]()
        for item in items:
            document = by_file.get((item.place.document_id, item.place.version))
            if document is None or not document.usable:
                continue
            known, text_hash = self.known.chunks(document), hash_of(item.text)
            chunk = (known or {}).get(item.node_id) or (known or {}).get(text_hash)
            segment: Segment | None = None
            if chunk is not None and chunk[2] == text_hash:
                segment = segment_of(document, chunk[0], chunk[1], item.text, item.place.section_path, 0.0)
            elif (chunk is not None or known is None) and looked_up < MOST_LOOKED_UP:
                looked_up += 1
                self.turning()
                segment = self.segment(document, chunk[0] if chunk else item.node_id)
            if segment is not None and segment.segment_id not in seen:
                seen.add(segment.segment_id)
                yield segment, item.score

    def _revised(self, document: Document) -> Document:
        """The document by its active revision, where it is known by none: one that a caller handed in."""
        if document.revision is not None:
            return document
        current = self.document(self._named(document.dataset_id), document.document_id)
        if current is None or current.revision is None:
            raise DatasetNotFound(f"{self.client.place} has no such document in this agent knowledge base")
        self.turning()
        return current

    def _one(self, path: str) -> Any:
        """The answer for one thing; None where there is none of that id."""
        try:
            return self.client.get(path)
        except AddressMissing as missing:
            raise KnowledgeError(str(missing)) from None
        except DatasetNotFound:
            return None

    def _named(self, dataset_id: str) -> Dataset:
        if dataset_id not in self.bases:
            raise DatasetNotFound("this agent knowledge base is not among those of the credentials")
        return Dataset(dataset_id, self.bases[dataset_id])

    def _path(self, dataset_id: str) -> str:
        self._named(dataset_id)
        return f"knowledge-fs/spaces/{_id(dataset_id.removeprefix(AGENT))}"

    def _chunks_path(self, document: Document) -> str:
        place = f"{self._path(document.dataset_id)}/documents/{_id(document.document_id)}"
        return f"{place}/revisions/{document.revision}/chunks"

    def _unpublished(self) -> NotPublished:
        return NotPublished(f"{self.client.place} has published no index of this agent knowledge base")

    def _read[Kind: Shape](self, kind: type[Kind], answer: Any) -> Kind:
        return _read(kind, answer, self.client)

    def _walk[Kind: Shape](
        self, kind: type[Kind], path: str, name: str, params: Mapping[str, str] = NONE
    ) -> "_Walk[Kind]":
        return _Walk(self.client, self.turning, kind, path, name, params)


@dataclass(slots=True)
class _Walk[Kind: Shape]:
    """The items of a list, page after page, each by itself; a cursor that comes again is the end."""

    client: Client
    turning: Callable[[], object]
    kind: type[Kind]
    path: str
    name: str
    params: Mapping[str, str]
    warnings: dict[str, None] = field(default_factory=dict)
    cut: bool = False

    def __iter__(self) -> Iterator[Kind]:
        params = {name: value for name, value in self.params.items() if value}
        seen: set[str] = set()
        for _ in range(MOST_PAGES):
            page = _read(CursorPage, self.client.get(self.path, params), self.client)
            shapes = Readable(self.kind, page.data, MOST_ITEMS, f"records of {self.name}")
            yield from shapes
            if shapes.strange:
                raise unreadable("knowledge", self.client.place)
            self.warnings |= dict.fromkeys(shapes.warnings)
            if not page.next_cursor or page.next_cursor in seen:
                return
            seen.add(page.next_cursor)
            params["cursor"] = page.next_cursor
            self.turning()
        self.cut = True


def _read[Kind: Shape](kind: type[Kind], answer: Any, client: Client) -> Kind:
    try:
        return kind.model_validate(answer)
    except ValidationError:  # it quotes what it read: no cause, lest texts reach a log
        raise unreadable("knowledge", client.place) from None


def _first(chunks: list[ChunkShape]) -> tuple[list[ChunkShape], bool]:
    """The first pieces in reading order that fit into memory, and whether any were left out."""
    fitting: list[ChunkShape] = []
    room = DOCUMENT_CHARACTERS
    for chunk in sorted(chunks, key=lambda chunk: chunk.ordinal):
        room -= chunk.size
        if room < 0 or len(fitting) >= MOST_ITEMS // 2:
            return fitting, True
        fitting.append(chunk)
    return fitting, False


def _fitting(text: str) -> str:
    clean = text.encode("utf-8", "ignore").decode().replace("\x00", " ").strip()[:LONGEST_QUERY]
    return clean.encode()[:LONGEST_QUERY].decode("utf-8", "ignore").strip()


def _id(given: str) -> str:
    if not _ID.fullmatch(given):
        raise DatasetNotFound("an id holds characters that no id of Dify has")
    return given
