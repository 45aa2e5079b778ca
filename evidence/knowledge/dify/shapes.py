"""The parts of Dify's answers that we read, and the values they become. Unknown fields are ignored.

Each item of a list is read by itself: one that cannot be read takes no other along. Sizes are bounded here, where
texts enter: what is longer is cut, and `cut` tells.
"""

import hashlib
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from evidence.model import Dataset, Document, Segment

LONGEST_NAME = 255  # characters; Dify's own bound
LONGEST_DESCRIPTION = 2_000  # characters
LONGEST_TEXT = 100_000  # characters of one segment; Dify's own pieces have at most 4,000 tokens
LONGEST_PAGE = 2_000_000  # characters of all segments of one answer
MOST_FIELDS = 100  # metadata fields of a document
LONGEST_VALUE = 2_000  # characters of a metadata value
BOUNDS = f"a name may have {LONGEST_NAME} characters, a segment {LONGEST_TEXT:,}"
_HIGHEST = 1e300  # number of a metadata value
_MOST = 10**15  # of anything counted, and the last moment: more is no number that Dify writes

# Dify sends null where a text or a number is not known yet.
type Text = Annotated[str, Field(max_length=LONGEST_NAME)] | None
type Id = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
type Count = Annotated[float, Field(ge=0, le=_MOST, allow_inf_nan=False)] | None
type Share = Annotated[float, Field(allow_inf_nan=False)]


class Shape(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)

    @property
    def cut(self) -> bool:
        """Whether something was longer than is read."""
        return False

    @property
    def size(self) -> int:
        """Characters of the texts that are read."""
        return 0


class Listing(Shape):
    data: list[Any]
    total: Annotated[int, Field(ge=0, le=_MOST)]


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

    @property
    def cut(self) -> bool:
        return len(self.name) > LONGEST_NAME or len(self.description or "") > LONGEST_DESCRIPTION

    def value(self) -> Dataset:
        """A dataset without documents has no technique yet; asking it as economy is safe."""
        return Dataset(
            dataset_id=self.id,
            name=_bounded_name(self.name),
            description=(self.description or "")[:LONGEST_DESCRIPTION],
            technique=self.indexing_technique or "economy",
            provider=self.provider or "",
            document_count=int(self.document_count or 0),
            word_count=int(self.word_count or 0),
            version=self._version(),
        )

    def _version(self) -> str:
        """Nothing moves when a segment is edited; the available documents do when one is disabled or indexed."""
        counts = (self.updated_at, self.word_count, self.document_count, self.total_available_documents)
        return ".".join([*(f"{count or 0:.15g}" for count in counts), _bounded_name(self.name)])


class RetrievedDocument(Shape):
    id: Id
    name: str
    doc_metadata: Any = None

    @property
    def cut(self) -> bool:
        return len(self.name) > LONGEST_NAME or _cut_metadata(self.doc_metadata)

    def value(self, dataset: Dataset) -> Document:
        metadata = metadata_of(self.doc_metadata)
        return Document(
            dataset.dataset_id, self.id, _bounded_name(self.name), dataset.name, metadata=metadata
        )


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
            name=_bounded_name(self.name),
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


class Readable[Kind: Shape]:
    """The items of one answer that can be read, each by itself; what was lost on the way is in `warnings`.

    At most `most` items are read, and no more than `LONGEST_PAGE` characters. `what` names items for a person:
    "segments of Handbook.txt".
    """

    def __init__(self, kind: type[Kind], items: Sequence[Any], most: int, what: str) -> None:
        self._kind, self._items, self._most, self._what = kind, items, most, what
        self._used = len(items)
        self._read = self._cut = 0
        self.unreadable = 0

    def __iter__(self) -> Iterator[Kind]:
        room = LONGEST_PAGE
        for at, item in enumerate(self._items):
            if at >= self._most or room <= 0:
                self._used = at
                return
            try:
                shape = self._kind.model_validate(item)
            except (ValidationError, RecursionError):
                self.unreadable += 1
                continue
            self._read += 1
            room -= shape.size
            self._cut += shape.cut
            yield shape

    @property
    def strange(self) -> bool:
        """Whether there were items, and none of them could be read: that is a failure, and not an empty list."""
        return self.unreadable > 0 == self._read

    @property
    def warnings(self) -> tuple[str, ...]:
        """One line each, as far as the items were gone through."""
        counted = (
            (self.unreadable, "left out: the records cannot be read"),
            (self._cut, f"cut: {BOUNDS}"),
            (len(self._items) - self._used, "left out: too much was sent at once"),
        )
        return tuple(
            f"{count:,} of the {self._what} {'was' if count == 1 else 'were'} {lost}"
            for count, lost in counted
            if count
        )


def metadata_of(given: Any) -> Mapping[str, Any]:
    """Name to value. Documents carry a list of {name, type, value as text}, found segments an object.

    Values are texts and finite numbers; anything else is no value that Dify has, and is left out.
    """
    if isinstance(given, Mapping):
        fields: Iterator[tuple[Any, Any]] = iter(given.items())
    elif isinstance(given, Sequence) and not isinstance(given, str):
        fields = ((field.get("name"), _typed_value(field)) for field in given if isinstance(field, Mapping))
    else:
        return {}
    first = islice(fields, MOST_FIELDS)
    scalars = ((name, _scalar(value)) for name, value in first if isinstance(name, str))
    return {name[:LONGEST_NAME]: value for name, value in scalars if value is not None}


def _cut_metadata(given: Any) -> bool:
    return isinstance(given, Mapping | list) and len(given) > MOST_FIELDS


def _typed_value(field: Mapping[str, Any]) -> Any:
    value = field.get("value")
    if field.get("type") not in ("number", "time") or not isinstance(value, str):
        return value
    try:
        number = float(value)
    except ValueError:
        return value
    if not math.isfinite(number):
        return value
    return int(number) if number.is_integer() else number


def _scalar(value: Any) -> str | float | None:
    """The value bounded, None where it is none."""
    if isinstance(value, str):
        return value[:LONGEST_VALUE]
    return value if isinstance(value, int | float) and abs(value) <= _HIGHEST else None


def _bounded_name(name: str) -> str:
    """A name of bounded length, of whole characters."""
    valid = name.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return valid if len(valid) <= LONGEST_NAME else f"{valid[: LONGEST_NAME - 1]}…"
