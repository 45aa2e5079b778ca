"""Is the answer good enough: first what can be counted, then, where it was asked for, a model's opinion."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from evidence.answer.coverage import facets_of, parts
from evidence.answer.metrics import (
    completeness,
    consistency,
    follow_ups,
    grounding,
    specificity,
    uncompared,
)
from evidence.answer.phrases import language_name
from evidence.answer.sentence_scoring import prior
from evidence.context import Context
from evidence.errors import ModelError, UnusableReply
from evidence.language.markdown import plain
from evidence.language.tables import LANGUAGES
from evidence.language.tokens import fill
from evidence.llm.fence import fenced, opaque_keys
from evidence.llm.prompts import render
from evidence.llm.replies import parse
from evidence.model import Answer, Claim, Facet, Outcome, Passage, Pool, Reason, Understanding, Verdict

_NONE = frozenset({"", "none", "null", "n/a"}.union(*(table.nothing.split() for table in LANGUAGES.values())))
_NUMBER = re.compile(r"\d{1,5}")
_LACKING = frozenset[Reason | None](
    {"no_evidence", "no_document_fits", "limit_reached", "knowledge_unavailable"}
)
_LONGEST_OPINION = 200  # characters
_JUDGE_FAILED = "reflect: the judge could not be used ({}); its verdict is unknown"


def _is_none(value: Any) -> bool:  # noqa: ANN401 - a model may reply anything
    return value is None or value is False or (isinstance(value, str) and value.strip(" .-").lower() in _NONE)


@dataclass(frozen=True, slots=True)
class ReflectOptions:
    """An answer is settled when all of it is grounded, nothing is missing and nothing is contradicted."""

    ask_model: bool = False
    passage_tokens: int = 3_500
    answer_tokens: int = 400


class _Opinion(BaseModel):
    """Numbers of sentences and parts, from 1."""

    model_config = ConfigDict(extra="ignore")

    unsupported: list[int] | None = None
    contradicting: list[int] = Field(default_factory=list)
    missing: list[int] = Field(default_factory=list)
    opinion: str = ""
    searches: list[str] = Field(default_factory=list)

    @field_validator("unsupported", "contradicting", "missing", mode="before")
    @classmethod
    def _numbers(cls, value: Any) -> list[Any]:  # noqa: ANN401 - a model may reply anything
        """ "1 and 3" names two, "none" names none; other words are no numbers."""
        listed = value if isinstance(value, list) else [value]
        named = (_NUMBER.findall(item) or [item] if isinstance(item, str) else [item] for item in listed)
        return [number for numbers in named for number in numbers if not _is_none(number)]

    @field_validator("searches", mode="before")
    @classmethod
    def _listed(cls, value: Any) -> list[Any]:  # noqa: ANN401 - a model may reply anything
        return list(value) if isinstance(value, list | tuple) else [value] if value else []

    @model_validator(mode="after")
    def _judges(self) -> Self:
        if self.unsupported is None:
            raise ValueError("no judgement of the sentences")
        return self


def reflect(
    understanding: Understanding, answer: Answer, pool: Pool, options: ReflectOptions, ctx: Context
) -> Verdict:
    """The verdict, with what was counted in its reason. Raises LimitReached."""
    with ctx.trace.step("reflect", claims=len(answer.claims)) as step:
        if not answer.facets:
            answer = replace(answer, facets=facets_of(understanding, answer, pool))
        verdict = counted(understanding, answer)
        if options.ask_model and ctx.llm is not None:
            verdict = _with_opinion(verdict, understanding, answer, pool, options, ctx)
        step.facts.update(status=verdict.status, grounding=verdict.grounding)
        return verdict


def counted(understanding: Understanding, answer: Answer) -> Verdict:
    """The verdict without a model, by counting. An answer that gives a reason for what it lacks is never settled.

    It is unknown where nothing is wrong, and something cannot be compared.
    """
    facets, thin = _facets_at_most_partial(answer), answer.reason == "no_evidence"
    grounded, complete = grounding(answer), completeness(facets)
    agreed, concrete = consistency(facets), specificity(answer)
    unknown = uncompared(answer)
    faultless = grounded.value >= 1 or (unknown.part > 0 and grounded.total == 0)
    whole = answer.status == "answered" and answer.reason is None and min(complete.value, agreed.value) >= 1
    settled = faultless and whole
    counts = (grounded, complete, agreed, concrete, *((unknown,) if unknown.part else ()))
    return Verdict(
        status="unsettled" if not settled else "unknown" if unknown.part else "settled",
        grounding=round(grounded.value, 3),
        completeness=round(complete.value, 3),
        consistency=round(agreed.value, 3),
        specificity=round(concrete.value, 3),
        reason=f"counted: {'; '.join(map(str, counts))}",
        follow_ups=() if settled else follow_ups(understanding, facets if thin else answer.facets),
    )


def as_read(outcome: Outcome, since: float) -> Outcome:
    """The outcome; not settled where a segment is quoted that was not read since that moment, in Unix seconds."""
    quoted = {citation.quote.segment for citation in outcome.answer.citations} if outcome.answer else set()
    unread = sum(not segment.read_since(since) for segment in quoted)
    if not unread:
        return outcome
    verdict = outcome.verdict
    reason = f"the text of {unread} of {len(quoted)} quoted segments could not be read again"
    lowered = replace(
        verdict,
        status="unsettled" if verdict.status == "settled" else verdict.status,
        reason="; ".join(filter(None, (verdict.reason, reason))),
    )
    return replace(outcome, verdict=lowered)


def _facets_at_most_partial(answer: Answer) -> tuple[Facet, ...]:
    """The parts of an answer; where something is known to lack none is more than touched, however well quoted."""
    if answer.reason not in _LACKING:
        return answer.facets
    return tuple(
        replace(facet, status="partial") if facet.status == "covered" else facet for facet in answer.facets
    )


def _with_opinion(
    verdict: Verdict,
    understanding: Understanding,
    answer: Answer,
    pool: Pool,
    options: ReflectOptions,
    ctx: Context,
) -> Verdict:
    """The counted verdict, lowered where a model found fault; unknown when it cannot be asked."""
    try:
        opinion = _ask_judge(understanding, answer, pool, options, ctx)
    except ModelError as error:
        ctx.trace.degrade(_JUDGE_FAILED.format(type(error).__name__))
        reason = f"{verdict.reason}; the judge failed: {type(error).__name__}"
        return replace(verdict, status="unknown", reason=reason)
    question_parts, shown = parts(understanding), [claim.text for claim in _shown_claims(answer)]
    unsupported = _named_by_number(opinion.unsupported or (), shown)
    contradicting, missing = (
        _named_by_number(opinion.contradicting, shown),
        _named_by_number(opinion.missing, question_parts),
    )
    faults, clashing, left_open = len(unsupported), len(contradicting), len(missing)
    doubted = bool(faults or left_open or clashing)
    opinion_text = _in_quote_marks(opinion.opinion) or ("no fault found" if not doubted else "faults found")
    counts = f"{faults} unsupported, {left_open} parts missing, {clashing} contradicting"
    judgement = f"model's opinion: {opinion_text} ({counts})"
    return replace(
        verdict,
        status="unsettled" if doubted else verdict.status,
        grounding=min(verdict.grounding, _share_without(faults, len(shown))),
        completeness=min(verdict.completeness, _share_without(left_open, len(question_parts))),
        consistency=min(verdict.consistency, _share_without(clashing, len(shown))),
        doubted=tuple(dict.fromkeys((*unsupported, *contradicting))),
        missing=missing,
        reason=f"{verdict.reason}; {judgement}",
        follow_ups=tuple(dict.fromkeys((*verdict.follow_ups, *(opinion.searches[:4] or missing))))
        if doubted
        else verdict.follow_ups,
    )


def _in_quote_marks(opinion: str) -> str:
    """A model's words as its words: one line in quote marks, nothing in it that renders, short."""
    words = " ".join(plain(opinion).split())
    return f"“{words[:_LONGEST_OPINION].rstrip()}”" if words else ""


def _named_by_number(numbers: Sequence[int], things: Sequence[str]) -> tuple[str, ...]:
    """The things that the numbers name, counted from 1, each once; what names none is passed over."""
    return tuple(thing for number, thing in enumerate(things, 1) if number in {*numbers})


def _shown_claims(answer: Answer) -> tuple[Claim, ...]:
    """The claims that a reader sees: nobody is to judge what was left out."""
    return tuple(claim for claim in answer.claims if claim.shown)


def _share_without(faults: int, total: int) -> float:
    return round(1 - faults / total, 3) if total else 1.0


def _ask_judge(
    understanding: Understanding, answer: Answer, pool: Pool, options: ReflectOptions, ctx: Context
) -> _Opinion:
    """A model's opinion of the answer, shown with its sources. Raises ModelError."""
    shown = _sources(answer, pool, options.passage_tokens)
    keys = opaque_keys(len(shown))
    sources = [
        (key, passage.segment.document.name, passage.segment.text)
        for key, passage in zip(keys, shown, strict=True)
    ]
    fence = fenced([*sources, ("ANSWER", "to be judged", _with_quotes(answer) or answer.text)])
    prompt = render(
        "reflect",
        language=language_name(understanding.text),
        passages=fence.text,
        boundary=fence.boundary,
        question=understanding.text,
        parts="\n".join(f"{number}. {part}" for number, part in enumerate(parts(understanding), 1)),
    )
    if ctx.llm is None:
        raise ModelError("no model is configured")
    reply = ctx.llm.complete(prompt, options.answer_tokens)
    opinion = parse(reply.text, _Opinion)
    if opinion.truncated or reply.truncated:  # what came after might have been a fault
        raise UnusableReply("the judge's reply was cut off")
    return opinion.value


def _with_quotes(answer: Answer) -> str:
    """The sentences by number, below each the quotes that it leans on."""
    quotes = {citation.marker: citation.quote.text for citation in answer.citations}
    lines = []
    for number, claim in enumerate(_shown_claims(answer), 1):
        lines.append(f"{number}. {claim.text}")
        lines += [
            f"   quotes “{' '.join(quotes[marker].split())}”" for marker in claim.markers if marker in quotes
        ]
    return "\n".join(lines)


def _sources(answer: Answer, pool: Pool, budget: int) -> tuple[Passage, ...]:
    """The passages of the pool, and others that are cited, as far as they fit; cited ones first."""
    cited = {citation.quote.segment.segment_id for citation in answer.citations}
    passages = (*pool.passages, *(passage for passage in pool.more if passage.segment.segment_id in cited))
    values = [
        prior(place) + (2.0 if passage.segment.segment_id in cited else 0.0)
        for place, passage in enumerate(passages)
    ]
    texts = [passage.segment.text for passage in passages]
    return tuple(passages[index] for index in sorted(fill(list(zip(texts, values, strict=True)), budget)))
