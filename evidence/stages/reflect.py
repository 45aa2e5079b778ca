"""Is the answer good enough: first what can be counted, then, where it was asked for, a model's opinion."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from evidence.answers.judging import facets_of, parts
from evidence.answers.phrases import language_name
from evidence.answers.scoring import (
    completeness,
    consistency,
    follow_ups,
    grounding,
    specificity,
)
from evidence.answers.weighing import prior
from evidence.context import Context
from evidence.errors import ModelError
from evidence.model import Answer, Facet, Passage, Pool, Understanding, Verdict
from evidence.prompts import render
from evidence.text.fence import fenced, opaque_keys
from evidence.text.markdown import plain
from evidence.text.replies import read
from evidence.text.tokens import fill

_LONGEST_OPINION = 200  # characters
_JUDGE_FAILED = "reflect: the judge could not be used ({}); its verdict is unknown"


@dataclass(frozen=True, slots=True)
class ReflectOptions:
    """An answer is settled when grounding and completeness reach these shares and nothing is contradicted."""

    ask_model: bool = False
    grounding: float = 1.0
    completeness: float = 1.0
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

    @field_validator("unsupported", "contradicting", "missing", "searches", mode="before")
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
        verdict = counted(understanding, answer, options)
        if options.ask_model and ctx.llm is not None:
            verdict = _with_opinion(verdict, understanding, answer, pool, options, ctx)
        step.facts.update(status=verdict.status, grounding=verdict.grounding)
        return verdict


def counted(understanding: Understanding, answer: Answer, options: ReflectOptions) -> Verdict:
    """What can be counted without a model. An answer that gives a reason for what it lacks is never settled."""
    facets = _as_held(answer)
    grounded, complete = grounding(answer), completeness(facets)
    agreed, concrete = consistency(facets), specificity(answer)
    settled = (
        answer.status in ("answered", "partial")
        and answer.reason is None
        and grounded.value >= options.grounding
        and complete.value >= options.completeness
        and agreed.value >= 1
    )
    return Verdict(
        status="settled" if settled else "unsettled",
        grounding=round(grounded.value, 3),
        completeness=round(complete.value, 3),
        consistency=round(agreed.value, 3),
        specificity=round(concrete.value, 3),
        reason=f"counted: {grounded}; {complete}; {agreed}; {concrete}",
        follow_ups=() if settled else follow_ups(understanding, facets),
    )


def _as_held(answer: Answer) -> tuple[Facet, ...]:
    """The parts of an answer; where its evidence is thin none is more than touched, however well it is quoted."""
    if answer.reason != "no_evidence":
        return answer.facets
    return tuple(
        replace(each, status="partial") if each.status == "covered" else each for each in answer.facets
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
        opinion = _judged(understanding, answer, pool, options, ctx)
    except ModelError as error:
        ctx.trace.degrade(_JUDGE_FAILED.format(type(error).__name__))
        reason = f"{verdict.reason}; the judge failed: {type(error).__name__}"
        return replace(verdict, status="unknown", reason=reason)
    wanted = parts(understanding)
    faults = _within(opinion.unsupported or (), len(answer.claims))
    missing = _within(opinion.missing, len(wanted))
    clashing = _within(opinion.contradicting, len(answer.claims))
    doubted = bool(faults or missing or clashing)
    said = _quoted(opinion.opinion) or ("no fault found" if not doubted else "faults found")
    told = (
        f"model's opinion: {said} ({faults} unsupported, {missing} parts missing, {clashing} contradicting)"
    )
    return replace(
        verdict,
        status="unsettled" if doubted else verdict.status,
        grounding=min(verdict.grounding, _rest(faults, len(answer.claims))),
        completeness=min(verdict.completeness, _rest(missing, len(wanted))),
        consistency=min(verdict.consistency, _rest(clashing, len(answer.claims))),
        reason=f"{verdict.reason}; {told}",
        follow_ups=tuple(dict.fromkeys((*verdict.follow_ups, *opinion.searches[:4])))
        if doubted
        else verdict.follow_ups,
    )


def _quoted(opinion: str) -> str:
    """A model's words as its words: one line in quote marks, nothing in it that renders, short."""
    words = " ".join(plain(opinion).split())
    return f"“{words[:_LONGEST_OPINION].rstrip()}”" if words else ""


def _within(numbers: Sequence[int], most: int) -> int:
    return len({number for number in numbers if 1 <= number <= most})


def _rest(faults: int, whole: int) -> float:
    return round(1 - faults / whole, 3) if whole else 1.0


def _judged(
    understanding: Understanding, answer: Answer, pool: Pool, options: ReflectOptions, ctx: Context
) -> _Opinion:
    """What a model says of the answer, shown with its sources. Raises ModelError."""
    shown = _sources(answer, pool, options.passage_tokens)
    keys = opaque_keys(len(shown))
    sources = [
        (key, each.segment.document.name, each.segment.text) for key, each in zip(keys, shown, strict=True)
    ]
    sentences = "\n".join(f"{number}. {claim.text}" for number, claim in enumerate(answer.claims, 1))
    fence = fenced([*sources, ("ANSWER", "to be judged", sentences or answer.text)])
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
    return read(ctx.llm.complete(prompt, options.answer_tokens).text, _Opinion)


def _sources(answer: Answer, pool: Pool, budget: int) -> tuple[Passage, ...]:
    """The passages of the pool, and others that are cited, as far as they fit; cited ones first."""
    cited = {citation.quote.segment.segment_id for citation in answer.citations}
    passages = (*pool.passages, *(each for each in pool.more if each.segment.segment_id in cited))
    values = [
        prior(place) + (2.0 if passage.segment.segment_id in cited else 0.0)
        for place, passage in enumerate(passages)
    ]
    texts = [passage.segment.text for passage in passages]
    return tuple(passages[index] for index in sorted(fill(list(zip(texts, values, strict=True)), budget)))
