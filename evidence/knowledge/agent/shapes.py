"""The parts of the answers about agent knowledge bases that we read, and the values they become.

It is a beta: every list of words is open, and what is not known is read as what it most likely is.
"""

import hashlib
import json
import re
from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any

from pydantic import Field

from evidence.knowledge.shapes import (
    LONGEST_NAME,
    LONGEST_TEXT,
    Count,
    Id,
    Shape,
    Text,
    bounded_name,
    cut_metadata,
    metadata_of,
)
from evidence.model import Dataset, Document, Segment

_QUOTABLE = frozenset({"chunk", "table", "section"})  # a summary is a model's words, an image's text too
_WORD = re.compile(r"[\w.:-]{1,80}")

type Revision = Annotated[int, Field(ge=0, le=10**9)]
type Path = Annotated[list[Annotated[str, Field(max_length=2_000)]], Field(max_length=50)]


class CursorPage(Shape):
    data: list[Any]
    next_cursor: Annotated[str, Field(max_length=1_000)] | None = None


class Capabilities(Shape):
    query: bool | None = None


class SettingsShape(Shape):
    revision: int = 0
    capabilities: Capabilities = Capabilities()

    @property
    def answers(self) -> bool:
        """Whether it says that it can be queried; not to say is no refusal."""
        return self.capabilities.query is not False


class RevisionShape(Shape):
    document_asset_id: Id
    document_asset_version: Revision = 0
    content_hash: Text = ""


class DocumentShape(Shape):
    id: Id
    title: str | None = ""
    status: Text = "ready"
    enabled: bool | None = True
    active_revision: Revision | None = None
    active: RevisionShape | None = None
    user_metadata: Any = None
    created_at: Text = ""
    updated_at: Text = ""

    @property
    def cut(self) -> bool:
        return len(self.title or "") > LONGEST_NAME or cut_metadata(self.user_metadata)

    def value(self, dataset: Dataset, read_at: float) -> Document:
        return Document(
            dataset_id=dataset.dataset_id,
            document_id=self.id,
            name=bounded_name(self.title or self.id),
            dataset_name=dataset.name,
            version=self._version(dataset),
            usable=self.enabled is not False and self.active_revision is not None and self.status == "ready",
            created_at=_seconds(self.created_at or ""),
            metadata=metadata_of(self.user_metadata),
            read_at=read_at,
            revision=self.active_revision,
        )

    def _version(self, dataset: Dataset) -> str:
        content_hash = self.active.content_hash if self.active else ""
        shown = [self.id, self.title, dataset.name, self.status, self.enabled, self.active_revision]
        return hashlib.sha256(json.dumps([*shown, content_hash, self.updated_at]).encode()).hexdigest()[:24]


class ChunkShape(Shape):
    id: Id
    document_id: Id
    document_revision: Revision
    ordinal: Annotated[int, Field(ge=0, le=10**9)]
    kind: Text = ""
    text: str | None = ""
    enabled: bool | None = True
    section_path: Path | None = None
    start_offset: Count = None
    end_offset: Count = None
    parent_chunk_id: Text = None

    @property
    def usable(self) -> bool:
        return self.enabled is not False and self.kind in _QUOTABLE and bool((self.text or "").strip())

    @property
    def cut(self) -> bool:
        return len(self.text or "") > LONGEST_TEXT

    @property
    def size(self) -> int:
        return min(len(self.text or ""), LONGEST_TEXT)

    def value(self, document: Document, read_at: float) -> Segment:
        return segment_of(document, self.id, self.ordinal + 1, self.text or "", self.section_path, read_at)

    def covers(self, other: "ChunkShape") -> bool:
        """Whether this section holds words of the other piece; without offsets, whether it holds its whole text."""
        if self.id == other.parent_chunk_id:
            return True
        mine, its = (self.start_offset, self.end_offset), (other.start_offset, other.end_offset)
        if None not in mine and None not in its:
            return bool(self.start_offset < other.end_offset and other.start_offset < self.end_offset)  # type: ignore[operator]
        path, inner = self.section_path or [], other.section_path or []
        return inner[: len(path)] == path and (other.text or "").strip() in (self.text or "")


class Place(Shape):
    document_id: Id = Field(validation_alias="documentAssetId")
    version: Revision = Field(0, validation_alias="documentVersion")
    section_path: Path | None = Field(None, validation_alias="sectionPath")


class EvidenceItem(Shape):
    node_id: Id = Field(validation_alias="nodeId")
    text: str
    score: Annotated[float, Field(ge=0, le=1)] = 0.0
    citations: Annotated[list[Place], Field(min_length=1, max_length=100)]

    @property
    def size(self) -> int:
        return len(self.text)

    @property
    def place(self) -> Place:
        return self.citations[0]


class Bundle(Shape):
    items: list[Any]
    state: Any = None


class Snapshot(Shape):
    publication: Any = Field(None, validation_alias="publicationId")


class Metadata(Shape):
    bundle: Bundle | None = Field(None, validation_alias="evidenceBundle")
    snapshot: Snapshot | None = Field(None, validation_alias="projectionSnapshot")

    @property
    def facts(self) -> dict[str, str]:
        """What the receipt shows: which state of the index answered, and what Dify thinks of the evidence."""
        given = {
            "evidence_state": self.bundle.state if self.bundle else None,
            "publication": self.snapshot.publication if self.snapshot else None,
        }
        return {name: word for name, word in given.items() if isinstance(word, str) and _WORD.fullmatch(word)}


class Done(Shape):
    metadata: Metadata = Field(default_factory=lambda: Metadata.model_validate({}))
    record_id: Id | None = Field(None, validation_alias="traceId")


class RecordedEvidence(Shape):
    """An item of a query record; of one that is gone since only a placeholder with a `reason` is left."""

    target_id: Id
    metadata: dict[str, Any]

    @property
    def item(self) -> dict[str, Any]:
        """The same as a stream gives it."""
        names = {
            "documentAssetId": "documentId",
            "documentVersion": "documentVersion",
            "sectionPath": "sectionPath",
        }
        place = {name: self.metadata.get(recorded) for name, recorded in names.items()}
        given = {name: self.metadata.get(name) for name in ("text", "score")}
        return {"nodeId": self.target_id, "citations": [place], **given}


class Admission(Shape):
    token: Annotated[str, Field(pattern=r"^[!-~]{1,16384}$", repr=False)]
    trace_id: Annotated[str, Field(pattern=r"^[!-~]{1,255}$")]
    request: dict[str, Any]


def segment_of(
    document: Document, chunk_id: str, position: int, text: str, path: Path | None, read_at: float
) -> Segment:
    """A chunk as a segment; its section path is the heading."""
    shown = text[:LONGEST_TEXT]
    heading = bounded_name(" / ".join(path or ()))
    return Segment(
        document, chunk_id, position, shown, "", hash_of(shown), read_at, "" if heading.isspace() else heading
    )


def hash_of(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def in_reading_order(chunks: Sequence[ChunkShape]) -> list[ChunkShape]:
    """What may be quoted, by its place: chunks and tables, and sections that hold nothing of any of them."""
    quotable = [chunk for chunk in chunks if chunk.usable and chunk.kind != "section"]
    sections = [chunk for chunk in chunks if chunk.usable and chunk.kind == "section"]
    for section in sorted(sections, key=lambda chunk: -len(chunk.section_path or ())):  # the innermost first
        if not any(section.covers(other) for other in quotable):
            quotable.append(section)
    return sorted(quotable, key=lambda chunk: (chunk.ordinal, chunk.id))


def _seconds(moment: str) -> int:
    try:
        return max(int(datetime.fromisoformat(moment).timestamp()), 0)
    except (ValueError, OverflowError):
        return 0
