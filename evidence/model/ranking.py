"""Routes, shortlists and rankings: where to look, and what the search found."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from evidence.model.question import Query
from evidence.model.stored import Dataset, Document, Segment

type Lack = Literal["knowledge_unavailable", "limit_reached"]
type SignalName = Literal["semantic", "full_text", "keyword", "hybrid", "agent", "local", "section", "rerank"]


@dataclass(frozen=True, slots=True)
class RankedDataset:
    """`documents` are those that were found by name while the dataset was chosen; there may be more."""

    dataset: Dataset
    score: float
    why: tuple[str, ...] = ()
    documents: tuple[Document, ...] = ()


@dataclass(frozen=True, slots=True)
class Route:
    """`datasets` to search, best first, of those `considered`: the ones that the question is asked of.

    `skipped` are "name: reason"; `ask_back` is said when ambiguous; `unseen` datasets were not looked into for what the
    question names, and no other has it.
    """

    datasets: tuple[RankedDataset, ...]
    skipped: tuple[str, ...] = ()
    verdict: Literal["chosen", "nothing_fits", "ambiguous"] = "chosen"
    ask_back: str = ""
    considered: tuple[Dataset, ...] = ()
    unseen: int = 0


@dataclass(frozen=True, slots=True)
class RankedDocument:
    """`score` is in 0..1; `subject` is the index of the named subject that it answers to, -1 for none.

    `named`, in 0..1, is how much of what is asked its name holds, as a share of the best name.
    """

    document: Document
    score: float
    why: tuple[str, ...] = ()
    subject: int = -1
    named: float = 0.0


@dataclass(frozen=True, slots=True)
class Unreached:
    """A dataset that was not searched to its end, or a document that was not read, though it was to be, and why."""

    kind: Literal["dataset", "document"]
    id: str
    name: str
    reason: Lack


@dataclass(frozen=True, slots=True)
class Searched:
    """Names of the datasets and documents that were read, or that the server retrieved from.

    Of `partly` documents nothing was read but `pieces` that were retrieved; they are among `documents`.
    """

    datasets: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    partly: int = 0
    pieces: int = 0


@dataclass(frozen=True, slots=True)
class Shortlist:
    """The documents worth searching, best first.

    `missing` are subjects of the question that no document answers to; `named`, in 0..1, is how surely the question
    names a document at all; `known` documents were considered; `unread` are names of documents that are surely
    meant and could not be read. What else could not be searched or read is `unreached`: where there is any, that
    nothing was found does not prove that nothing is there.
    """

    documents: tuple[RankedDocument, ...]
    named: float = 0.0
    missing: tuple[str, ...] = ()
    known: int = 0
    verdict: Literal["found", "nothing_fits", "ambiguous"] = "found"
    ask_back: str = ""
    unread: tuple[str, ...] = ()
    unreached: tuple[Unreached, ...] = ()


@dataclass(frozen=True, slots=True)
class Provenance:
    """One reason why a passage stands where it stands: the query, the list it was in, its rank there."""

    query: str
    signal: SignalName
    rank: int


@dataclass(frozen=True, slots=True)
class Passage:
    """A segment as it was ranked.

    `parts` are the named shares that the score is the sum of; `heading` is the title that the segment stands under.
    """

    segment: Segment
    score: float
    rank: int
    why: tuple[Provenance, ...] = ()
    parts: tuple[tuple[str, float], ...] = ()
    heading: str = ""


@dataclass(frozen=True, slots=True)
class Retrieved:
    """A ranking of the server's own; `warnings` say what of it could not be read.

    `filtered` is False when the filter that was sent was not applied. `facts` are scalars for the receipt.
    """

    query: Query
    signal: SignalName
    passages: tuple[Passage, ...]
    filtered: bool = True
    warnings: tuple[str, ...] = ()
    facts: Mapping[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Pool:
    """The fused ranking; `read` of the `total` segments of `documents` documents were read, single pieces not counted.

    `strength` is the best passage's score as a share of what other documents' best passages score; 0 where other
    documents are too unlike to tell. Well below 1, other documents speak of what is asked and this one does not.
    Long documents that were not searched to their end are `unreached`.
    `more` is the ranking behind the passages: what lists, summaries and comparisons are swept for, and where a
    contradiction is looked for.
    """

    passages: tuple[Passage, ...] = ()
    queries: tuple[Query, ...] = ()
    read: int = 0
    total: int = 0
    documents: int = 0
    searched: Searched = Searched()
    unreached: tuple[Unreached, ...] = ()
    strength: float = 0.0
    more: tuple[Passage, ...] = ()

    @property
    def ranked(self) -> tuple[Passage, ...]:
        """The whole ranking, best first."""
        return (*self.passages, *self.more)
