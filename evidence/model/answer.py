"""Answers, the quotes that they stand on, verdicts, and the outcome of a run."""

from dataclasses import dataclass
from typing import Literal

from evidence.model.question import QueryPlan, Understanding
from evidence.model.ranking import Pool, Route, Shortlist
from evidence.model.stored import Document, Segment

type Status = Literal["answered", "partial", "not_found", "ambiguous"]
type Reason = Literal[
    "no_dataset_fits",
    "no_document_fits",
    "no_evidence",
    "conflicting",
    "limit_reached",
    "model_unavailable",
    "knowledge_unavailable",
]
type Match = Literal["exact", "normalised", "elided"]


@dataclass(frozen=True, slots=True)
class Span:
    """Half-open range [start, end) of characters in one segment's text."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Quote:
    """Words that really stand in a segment: the text is read from the span, never stored."""

    segment: Segment
    span: Span
    match: Match = "exact"

    def __post_init__(self) -> None:
        if not 0 <= self.span.start < self.span.end:
            raise ValueError(f"a quote holds characters, not [{self.span.start}, {self.span.end})")

    @property
    def text(self) -> str:
        return self.segment.text[self.span.start : self.span.end]


@dataclass(frozen=True, slots=True)
class Citation:
    """A quote by its marker; `shown` where the text of the answer holds the quoted words."""

    marker: int
    quote: Quote
    shown: bool = False


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence of the answer, the markers it leans on, and details that none of their quotes holds.

    One that nothing proves may be left out of the text: it is not `shown`. One is `unknown` that cannot be compared
    with passages in another language.
    """

    text: str
    markers: tuple[int, ...] = ()
    supported: bool = False
    unsupported_details: tuple[str, ...] = ()
    shown: bool = True
    unknown: bool = False


@dataclass(frozen=True, slots=True)
class Facet:
    """A part of the question; `denied` where a model said that the passages do not answer it."""

    question: str
    status: Literal["covered", "partial", "missing", "contradicted"]
    markers: tuple[int, ...] = ()
    queries: tuple[str, ...] = ()
    denied: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """One place of a comparison; `text` is None when nothing was found, and `queries` says what was tried."""

    text: str | None
    markers: tuple[int, ...] = ()
    queries: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    document: Document
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    dimensions: tuple[str, ...]
    rows: tuple[ComparisonRow, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """`text` is Markdown with [n]; every n has a citation."""

    text: str
    status: Status = "answered"
    reason: Reason | None = None
    citations: tuple[Citation, ...] = ()
    claims: tuple[Claim, ...] = ()
    facets: tuple[Facet, ...] = ()
    comparison: Comparison | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """`unknown` means that the judge failed or was not asked; it is never read as a pass. Scores are 0..1.

    `doubted` are sentences, and `missing` parts of the question, that a model found fault with.
    """

    status: Literal["settled", "unsettled", "unknown"] = "unknown"
    grounding: float = 0.0
    completeness: float = 0.0
    consistency: float = 0.0
    specificity: float = 0.0
    rounds: int = 0
    reason: str = ""
    follow_ups: tuple[str, ...] = ()
    doubted: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """All that a run found out; empty where the tool did not get that far."""

    question: str
    understanding: Understanding
    answer: Answer | None = None
    shortlist: Shortlist = Shortlist(())
    route: Route = Route(())
    plan: QueryPlan = QueryPlan(())
    pool: Pool = Pool()
    verdict: Verdict = Verdict()
