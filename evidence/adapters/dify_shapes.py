"""The parts of Dify's answers that we read, and the values they become. Unknown fields are ignored."""

import hashlib
import json
import math
import time
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict

from evidence.model import Dataset, Document, Segment

# Dify sends null where a text or a number is not known yet.
type Text = Annotated[str, BeforeValidator(lambda value: "" if value is None else value)]
type Count = Annotated[float, BeforeValidator(lambda value: 0 if value is None else value)]
type Flag = Annotated[bool, BeforeValidator(lambda value: True if value is None else value)]


class Shape(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class Listing[Item](Shape):
    data: list[Item]
    total: int


class VectorSetting(Shape):
    vector_weight: float
    embedding_provider_name: Text = ""
    embedding_model_name: Text = ""


class KeywordSetting(Shape):
    keyword_weight: float


class Weights(Shape):
    weight_type: Text = "customized"
    vector_setting: VectorSetting
    keyword_setting: KeywordSetting


class RetrievalSetting(Shape):
    search_method: Text = ""
    weights: Any = None


class DatasetShape(Shape):
    id: str
    name: str
    description: Text = ""
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

    def value(self) -> Dataset:
        """A dataset without documents has no technique yet; asking it as economy is safe."""
        return Dataset(
            dataset_id=self.id,
            name=self.name,
            description=self.description,
            technique=self.indexing_technique or "economy",
            provider=self.provider,
            document_count=int(self.document_count),
            word_count=int(self.word_count),
            version=self._version(),
        )

    def _version(self) -> str:
        """Nothing moves when a segment is edited; the available documents do when one is disabled or indexed."""
        counts = (self.updated_at, self.word_count, self.document_count, self.total_available_documents)
        return ".".join([*(f"{count:.15g}" for count in counts), self.name])


class DocumentShape(Shape):
    id: str
    name: str
    enabled: Flag = True
    archived: bool | None = None
    indexing_status: Text = "completed"
    word_count: Count = 0
    tokens: Count = 0
    created_at: Count = 0
    data_source_info: Any = None
    doc_metadata: Any = None

    def value(self, dataset: Dataset) -> Document:
        return Document(
            dataset_id=dataset.dataset_id,
            document_id=self.id,
            name=self.name,
            dataset_name=dataset.name,
            version=self._version(dataset),
            word_count=int(self.word_count),
            usable=self.enabled and not self.archived and self.indexing_status == "completed",
            created_at=int(self.created_at),
            metadata=metadata_of(self.doc_metadata),
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
    id: str
    content: Text
    answer: Text = ""
    position: Count = 0
    enabled: Flag = True
    status: Text = "completed"

    @property
    def usable(self) -> bool:
        return self.enabled and self.status in {"completed", ""}

    def value(self, document: Document) -> Segment:
        """Of a question-and-answer segment the answer is the text; of parent-child the parent's content."""
        text, question = (self.answer, self.content) if self.answer else (self.content, "")
        content_hash = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        return Segment(document, self.id, int(self.position), text, question, content_hash, time.time())


class OwnedSegment(SegmentShape):
    document_id: str


class One[Item](Shape):
    data: Item


class FoundDocument(Shape):
    id: str
    name: str
    doc_metadata: Any = None


class FoundSegment(SegmentShape):
    document: FoundDocument


class Record(Shape):
    segment: FoundSegment
    score: float | None = None

    @property
    def finite_score(self) -> float:
        """Keyword search gives no score: 0 then, the rank tells."""
        return self.score if self.score is not None and math.isfinite(self.score) else 0.0


class Records(Shape):
    records: list[Record]


def metadata_of(given: Any) -> Mapping[str, Any]:
    """Name to value. Documents carry a list of {name, type, value as text}, found segments an object."""
    if not given:
        return {}
    if isinstance(given, Mapping):
        return {str(name): value for name, value in given.items() if value is not None}
    if not isinstance(given, Sequence) or isinstance(given, str):
        return {}
    fields = (each for each in given if isinstance(each, Mapping) and isinstance(each.get("name"), str))
    return {each["name"]: _typed(each) for each in fields if each.get("value") is not None}


def _typed(field: Mapping[str, Any]) -> Any:
    value = field["value"]
    if field.get("type") not in {"number", "time"} or not isinstance(value, str):
        return value
    try:
        number = float(value)
    except ValueError:
        return value
    return int(number) if number.is_integer() else number
