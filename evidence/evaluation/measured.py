"""One evaluated question in figures, and the figures of many. Pure, and small: no text of a document is kept."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal

DEPTHS = (1, 3, 5, 10)
TOP_K = DEPTHS[-1]  # passages that are looked at
type Kind = Literal["document", "words", "no answer"]
type Fault = Literal[
    "failed",
    "answered",
    "missing_document",
    "missing_text",
    "split",
    "wrong_dataset",
    "duplicate",
    "heading",
    "ranked_low",
    "abstained",
    "not_quoted",
]


@dataclass(frozen=True, slots=True)
class Measured:
    """`kind` is what was expected; `rank` and `dify_rank` are places of the first right passage, 0 for none.

    `quoted` says whether the expected words, or the expected document, are quoted, and `share`, 0..1, how many of the
    words; `holds` whether the first passages hold them, `dify_holds` whether the server's own do, which `dify_failed`
    where they could not be asked for. `fault` is what went wrong, empty where nothing did, `about` what it is about.
    """

    question: str
    kind: Kind
    status: str
    right: bool
    rank: int = 0
    dify_rank: int = 0
    quoted: bool = False
    share: float = 0.0
    holds: bool = False
    dify_holds: bool = False
    dify_failed: bool = False
    fault: Fault | Literal[""] = ""
    about: str = ""
    drafted: bool = False
    seconds: float = 0.0
    dify_seconds: float = 0.0
    knowledge_calls: int = 0
    model_calls: int = 0
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class Summary:
    """Shares are 0..1, of the questions that they are about; None where there is none of these."""

    questions: int
    drafted: int
    right: float
    hit: Mapping[str, float | None]
    dify_hit: Mapping[str, float | None]
    quoted: float | None
    share: float | None
    holds: float | None
    dify_holds: float | None
    abstained: float | None
    wrongly_abstained: float | None
    seconds: float
    slowest: float
    dify_seconds: float
    knowledge_calls: float
    model_calls: float
    tokens: float
    faults: Mapping[str, int] = field(default_factory=dict)


def summary_of(measured: Sequence[Measured]) -> Summary:
    """The figures of all questions; of none, zeros."""
    answerable = [one for one in measured if one.kind != "no answer"]
    nothing = [one for one in measured if one.kind == "no answer"]
    ranked = [one for one in answerable if not one.dify_failed]
    shares = [one.share for one in answerable if one.kind == "words"]
    return Summary(
        questions=len(measured),
        drafted=sum(one.drafted for one in measured),
        right=_share([one.right for one in measured]) or 0.0,
        hit=_hits([one.rank for one in answerable]),
        dify_hit=_hits([one.dify_rank for one in ranked]),
        quoted=_share([one.quoted for one in answerable]),
        share=_mean(shares) if shares else None,
        holds=_share([one.holds for one in answerable]),
        dify_holds=_share([one.dify_holds for one in ranked]),
        abstained=_share([one.right for one in nothing]),
        wrongly_abstained=_share([one.status == "not_found" for one in answerable]),
        seconds=_mean([one.seconds for one in measured]),
        slowest=round(max((one.seconds for one in measured), default=0.0), 3),
        dify_seconds=_mean([one.dify_seconds for one in measured]),
        knowledge_calls=_mean([one.knowledge_calls for one in measured]),
        model_calls=_mean([one.model_calls for one in measured]),
        tokens=_mean([one.tokens for one in measured]),
        faults=dict(Counter(one.fault for one in measured if one.fault).most_common()),
    )


def worst(measured: Sequence[Measured]) -> list[Measured]:
    """The questions that went wrong, those furthest from right first."""
    return sorted((one for one in measured if not one.right), key=lambda one: (bool(one.rank), one.rank))


def measured_from(row: Mapping[str, Any]) -> Measured:
    """A measured question from its JSON, which may hold more; raises KeyError for what is none."""
    return Measured(**{one.name: row[one.name] for one in fields(Measured)})


def _hits(ranks: Sequence[int]) -> dict[str, float | None]:
    return {str(depth): _share([0 < rank <= depth for rank in ranks]) for depth in DEPTHS}


def _share(truths: Sequence[bool]) -> float | None:
    return round(sum(truths) / len(truths), 4) if truths else None


def _mean(values: Sequence[float]) -> float:
    return round(sum(values) / len(values), 3) if values else 0.0
