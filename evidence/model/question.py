"""Questions, how they were understood, and the queries made of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from evidence.model.metadata_filter import EVERYTHING, MetadataFilter

type Intent = Literal["lookup", "list_all", "compare", "summarise", "yes_no", "define"]
type Effort = Literal["extractive", "fast", "balanced", "thorough"]


@dataclass(frozen=True, slots=True)
class Question:
    """The question of a person, and what the caller fixed about where to look."""

    text: str
    datasets: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    metadata_filter: MetadataFilter = EVERYTHING
    history: str = ""
    instructions: str = ""


@dataclass(frozen=True, slots=True)
class Understanding:
    """How a question was read; the same shape whether a model or rules read it.

    `text` is the question made whole; `subjects` are the words that name documents, one entry a document;
    `topic` is what is asked about them, `core` that same where a model said it; `facets` are the parts an answer must
    cover; `hypothetical_answers` are sentences as a document would put them.
    """

    text: str
    intent: Intent = "lookup"
    subjects: tuple[str, ...] = ()
    topic: str = ""
    facets: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    rewrites: tuple[str, ...] = ()
    hypothetical_answers: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    core: str = ""


@dataclass(frozen=True, slots=True)
class Query:
    """A query of an engine; `origin` names the source that wrote it, `weight` multiplies its share."""

    text: str
    origin: str = "question"
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class QueryPlan:
    """The variants asked of every shortlisted document, and words for single documents by document id."""

    queries: tuple[Query, ...]
    keywords: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
