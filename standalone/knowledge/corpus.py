"""What the knowledge server serves, as plain values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

type Technique = Literal["high_quality", "economy"]
type DocForm = Literal["text_model", "qa_model", "hierarchical_model"]
type Provider = Literal["vendor", "external"]
type MetadataValue = str | int | float


@dataclass(frozen=True, slots=True)
class SourceSegment:
    """A hand-made segment: for questions and answers, parents with children, or exact positions.

    In a Q&A dataset `content` is the question. `children` matter only in a hierarchical dataset.
    """

    content: str
    answer: str | None = None
    children: tuple[str, ...] = ()
    enabled: bool = True


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """One document. Its text is cut into segments, unless `segments` are given by hand.

    Only a completed, enabled, unarchived document is retrieved; the others are listed with their state.
    `key` is what its id is made of, so that a renamed document keeps its id; the name where it is empty. One that is
    `deleted` is gone, but its place is not given to another. Where `indexed` is given, its segments and the indexes
    have not followed yet: they show whether it was available before. An agent knowledge base counts its revisions, and
    the `former` ones stay.
    """

    name: str
    text: str = ""
    metadata: Mapping[str, MetadataValue] = field(default_factory=dict)
    segments: tuple[SourceSegment, ...] | None = None
    enabled: bool = True
    archived: bool = False
    indexing_status: str = "completed"
    key: str = ""
    deleted: bool = False
    indexed: bool | None = None
    revision: int = 1
    former: "SourceDocument | None" = None

    @property
    def searchable(self) -> bool:
        """Whether its segments say that they are enabled, and are found."""
        return self.available if self.indexed is None else self.indexed

    @property
    def available(self) -> bool:
        return self.enabled and not self.archived and self.indexing_status == "completed"


@dataclass(frozen=True, slots=True)
class Collection:
    """One dataset.

    `segment_characters` is the longest segment cut from a text. `key` is what its id is made of, as of a document.
    Without `api_access` a key is refused it (1.18).
    Without `built_in_fields` a filter on `document_name` finds nothing, as in Dify before they are enabled.
    """

    name: str
    documents: tuple[SourceDocument, ...]
    technique: Technique = "high_quality"
    description: str = ""
    doc_form: DocForm = "text_model"
    provider: Provider = "vendor"
    segment_characters: int = 500
    built_in_fields: bool = True
    key: str = ""
    api_access: bool = True


@dataclass(frozen=True, slots=True)
class Corpus:
    """Everything one server serves; the datasets in the order they were made, oldest first."""

    collections: tuple[Collection, ...]
