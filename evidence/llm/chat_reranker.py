"""Reranking: the order that a reranker makes, and a chat model as one. It gives each passage 0 to 10, many in one call.

Passages go by keys that say nothing, inside a fence (pointwise grading in a batch: Zhuang et al., 2024, "Beyond Yes
and No"). A passage that the model forgot stands below all that it graded.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, model_validator

from evidence.errors import LimitReached, ModelError, UnusableReply
from evidence.index.fusion import Ranking, reciprocal_rank_fusion
from evidence.llm import fence, replies
from evidence.llm.port import LLM, Reranker
from evidence.llm.prompts import render
from evidence.trace import Trace

LONGEST = 1_200  # characters of a passage that are shown
BATCH = 30  # passages in one call
TOKENS_A_GRADE = 12


class Grades(BaseModel):
    """Grades by key; read from {"scores": {key: 7}}, {key: 7} or [{"key": …, "score": 7}]."""

    model_config = ConfigDict(extra="ignore")

    scores: dict[str, float] = {}

    @model_validator(mode="before")
    @classmethod
    def _tolerant(cls, reply: Any) -> Any:
        grades = reply.get("scores", reply) if isinstance(reply, Mapping) else reply
        if isinstance(grades, list):
            rows = [row for row in grades if isinstance(row, Mapping)]
            grades = {str(row.get("key", row.get("id", ""))): row.get("score") for row in rows}
        pairs = grades.items() if isinstance(grades, Mapping) else ()
        return {
            "scores": {
                str(key).casefold(): grade for key, value in pairs if (grade := _grade(value)) is not None
            }
        }


def _grade(value: Any) -> float | None:
    """A number in 0..10, from a number or text such as "7/10"; None where there is none."""
    try:
        number = float(str(value).split("/")[0])
    except ValueError:
        return None
    return min(10.0, max(0.0, number)) if math.isfinite(number) else None


def reranked(
    question: str, texts: Sequence[str], reranker: Reranker | None, trace: Trace
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Places of the texts in the reranker's order, and in the order that it makes with the one they came in.

    The two are fused, for no reranker is believed alone. Empty where there is none or nothing to order; its failure
    costs a line on the receipt.
    """
    if reranker is None or len(texts) < 2:
        return (), ()
    try:
        judged = reranker.scores(question, texts)
    except (ModelError, LimitReached) as error:
        trace.degrade(f"rerank: {error}; the order stays without it")
        return (), ()
    places = tuple(range(len(texts)))
    scored = {at: score for at, score in enumerate(judged) if score is not None}
    if unscored := len(places) - len(scored):
        trace.degrade(f"rerank: {unscored} of {len(places)} texts got no score; they stand last in its order")
    ranked = tuple(sorted(places, key=lambda at: (at not in scored, -scored.get(at, 0.0))))
    fused = reciprocal_rank_fusion([Ranking(places), Ranking(ranked)], k=20)
    return ranked, tuple(sorted(places, key=lambda at: (-fused[at], at)))


class ChatReranker:
    """Reranker over the LLM port. Raises ModelError, LimitReached; UnusableReply where a reply grades nothing."""

    def __init__(self, llm: LLM) -> None:
        self._llm = llm

    def scores(self, query: str, texts: Sequence[str]) -> Sequence[float | None]:
        """A grade in 0..10 for each text, None for one that got none; one call for `BATCH` texts."""
        grades: list[float | None] = []
        for start in range(0, len(texts), BATCH):
            grades.extend(self._grades(query, texts[start : start + BATCH]))
        return tuple(grades)

    def _grades(self, query: str, texts: Sequence[str]) -> list[float | None]:
        keys = fence.opaque_keys(len(texts))
        shown = [(key, "a passage", text[:LONGEST]) for key, text in zip(keys, texts, strict=True)]
        fenced = fence.fenced([("q", "the question", query), *shown])
        prompt = render("rerank", data=fenced.text, boundary=fenced.boundary)
        grades = replies.read(
            self._llm.complete(prompt, 40 + TOKENS_A_GRADE * len(texts)).text, Grades
        ).scores
        if not any(key in grades for key in keys):
            raise UnusableReply("the chat model graded none of the passages")
        return [grades.get(key) for key in keys]
