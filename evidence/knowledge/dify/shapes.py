"""The parts of Dify's answers that we read, and the values they become."""

import hashlib
import json
import math
from typing import Annotated, Any

from pydantic import Field

from evidence.knowledge.shapes import (
    LONGEST_DESCRIPTION,
    LONGEST_NAME,
    LONGEST_TEXT,
    MOST,
    Count,
    Id,
    Shape,
    Share,
    Text,
    bounded_name,
    cut_metadata,
    metadata_of,
)
from evidence.model import Dataset, Document, Segment


class Listing(Shape):
    data: list[Any]
    total: Annotated[int, Field(ge=0, le=MOST)]


class VectorSetting(Shape):
    vector_weight: Share
    embedding_provider_name: Text = ""
    embedding_model_name: Text = ""


class KeywordSetting(Shape):
    keyword_weight: Share


class Weights(Shape):
    weight_type: Text = "customized"
    vector_setting: VectorSetting
    keyword_setting: KeywordSetting


class RetrievalSetting(Shape):
    search_method: Text = ""
    weights: Any = None


class DatasetShape(Shape):
    id: Id
    name: str
    description: str | None = ""
    provider: Text = "vendor"
    indexing_technique: Text = ""
    document_count: Count = 0
    total_available_documents: Count = 0
    word_count: Count = 0
    updated_at: Count = 0
    embedding_model: Text = ""
    embedding_model_provider: Text = ""
    retrieval_model_dict: RetrievalSetting | None = None
    built_in_field_enabled: bool | None = None
    enable_api: bool | None = None

    @property
    def cut(self) -> bool:
        return len(self.name) > LONGEST_NAME or len(self.description or "") > LONGEST_DESCRIPTION

    def value(self) -> Dataset:
        """A dataset without documents has no technique yet; asking it as economy is safe."""
        return Dataset(
            dataset_id=self.id,
            name=bounded_name(self.name),
            description=(self.description or "")[:LONGEST_DESCRIPTION],
            technique=self.indexing_technique or "economy",
            provider=self.provider or "",
            document_count=int(self.document_count or 0),
            word_count=int(self.word_count or 0),
            version=self._version(),
            closed=self.enable_api is False,
        )

    def _version(self) -> str:
        """Nothing moves when a segment is edited; the available documents do when one is disabled or indexed."""
        counts = (self.updated_at, self.word_count, self.document_count, self.total_available_documents)
        return ".".join([*(f"{count or 0:.15g}" for count in counts), bounded_name(self.name)])


class RetrievedDocument(Shape):
    id: Id
    name: str
    doc_metadata: Any = None

    @property
    def cut(self) -> bool:
        return len(self.name) > LONGEST_NAME or cut_metadata(self.doc_metadata)

    def value(self, dataset: Dataset) -> Document:
        metadata = metadata_of(self.doc_metadata)
        return Document(dataset.dataset_id, self.id, bounded_name(self.name), dataset.name, metadata=metadata)


class DocumentShape(RetrievedDocument):
    enabled: bool | None = True
    archived: bool | None = None
    indexing_status: Text = "completed"
    word_count: Count = 0
    tokens: Count = 0
    created_at: Count = 0
    data_source_info: Any = None

    def value(self, dataset: Dataset, read_at: float = 0.0) -> Document:
        return Document(
            dataset_id=dataset.dataset_id,
            document_id=self.id,
            name=bounded_name(self.name),
            dataset_name=dataset.name,
            version=self._version(dataset),
            word_count=int(self.word_count or 0),
            usable=self.enabled is not False and not self.archived and self.indexing_status == "completed",
            created_at=int(self.created_at or 0),
            metadata=metadata_of(self.doc_metadata),
            read_at=read_at,
        )

    def _version(self, dataset: Dataset) -> str:
        """The list tells no change time: whatever else shows a change. Hit counts change by reading."""
        source = json.dumps(self.data_source_info, sort_keys=True)
        shown = [
            self.id,
            self.name,
            dataset.name,
            self.word_count,
            self.tokens,
            self.enabled,
            self.archived,
            self.indexing_status,
            source,
        ]
        return hashlib.sha256(json.dumps(shown).encode()).hexdigest()[:24]


class SegmentShape(Shape):
    id: Id
    content: str | None
    answer: str | None = ""
    position: Count = 0
    enabled: bool | None = True
    status: Text = "completed"

    @property
    def usable(self) -> bool:
        return self.enabled is not False and self.status in {"completed", "", None}

    @property
    def cut(self) -> bool:
        return max(len(self.content or ""), len(self.answer or "")) > LONGEST_TEXT

    @property
    def size(self) -> int:
        return min(len(self.content or ""), LONGEST_TEXT) + min(len(self.answer or ""), LONGEST_TEXT)

    def value(self, document: Document, read_at: float) -> Segment:
        """The segment; its text is the answer of a question and answer, the parent's content of parent-child."""
        content, answer = (self.content or "")[:LONGEST_TEXT], (self.answer or "")[:LONGEST_TEXT]
        text, question = (answer, content) if answer else (content, "")
        content_hash = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        position = int(self.position or 0)
        return Segment(document, self.id, position, text, question, content_hash, read_at)


class OwnedSegment(SegmentShape):
    document_id: Id


class One[Item](Shape):
    data: Item


class RetrievedSegment(SegmentShape):
    document: RetrievedDocument


class Record(Shape):
    segment: RetrievedSegment
    score: float | None = None

    @property
    def cut(self) -> bool:
        return self.segment.cut or self.segment.document.cut

    @property
    def finite_score(self) -> float:
        """Keyword search gives no score: 0 then, the rank tells."""
        return self.score if self.score is not None and math.isfinite(self.score) else 0.0


class Records(Shape):
    records: list[Any]
