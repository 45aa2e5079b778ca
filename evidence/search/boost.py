"""The variants that are asked of every document, and words for single documents.

Several rankings of variants fused by rank beat one ranking of a better question (Rackauckas, 2024, RAG-Fusion;
Gao et al., 2023, HyDE for `hypothetical_answers`). Each variant carries the source that wrote it and its weight.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, model_validator

from evidence.context import Context
from evidence.errors import LimitReached, ModelError
from evidence.language.terms import terms
from evidence.llm import fence, replies
from evidence.llm.prompts import render
from evidence.model import Prompt, Query, QueryPlan, Shortlist, Understanding


@dataclass(frozen=True, slots=True)
class BoostOptions:
    """Weights multiply a variant's share in the fusion; 0 leaves the source out.

    `most` variants are kept; with `ask_model` one call writes keywords for at most `documents` documents.
    """

    ask_model: bool = False
    topic: float = 1.0
    question: float = 0.5
    facets: float = 0.7
    hypothetical_answers: float = 0.8
    rewrites: float = 0.4
    keywords: float = 0.4
    most: int = 8
    documents: int = 12
    opening: int = 300
    max_tokens: int = 600


def boost(
    understanding: Understanding,
    shortlist: Shortlist,
    openings: Mapping[str, str],
    options: BoostOptions,
    ctx: Context,
) -> QueryPlan:
    """The plan; `openings` holds the beginning of documents by document id. A failing model costs its keywords."""
    queries = variants(understanding, options)
    if not options.ask_model or ctx.llm is None or not shortlist.documents:
        return QueryPlan(queries)
    try:
        return QueryPlan(queries, _keywords(understanding, shortlist, openings, options, ctx))
    except (ModelError, LimitReached) as error:
        ctx.trace.degrade(f"no keywords for single documents: {error}")
        return QueryPlan(queries)


def variants(understanding: Understanding, options: BoostOptions) -> tuple[Query, ...]:
    """At most `options.most` variants, one for each set of terms; the heavier of two alike is kept."""
    told = sorted(_told(understanding, options), key=lambda query: -query.weight)
    alike: dict[tuple[str, ...], Query] = {}
    for query in told:
        key = tuple(sorted(set(terms(query.text))))
        if key and query.weight > 0:
            alike.setdefault(key, query)
    return tuple(alike.values())[: options.most]


def _told(understanding: Understanding, options: BoostOptions) -> Iterator[Query]:
    yield Query(understanding.topic, "topic", options.topic)
    yield Query(understanding.text, "question", options.question)
    yield from (Query(facet, "facet", options.facets) for facet in understanding.facets)
    for text in understanding.hypothetical_answers:
        yield Query(text, "hypothetical_answer", options.hypothetical_answers)
    yield Query(" ".join(understanding.keywords), "keywords", options.keywords)
    yield from (Query(rewrite, "rewrite", options.rewrites) for rewrite in understanding.rewrites)


class Keywords(BaseModel):
    """Words by the key of a document; read from {"documents": {key: […]}}, {key: […]} or [{"key", "keywords"}]."""

    model_config = ConfigDict(extra="ignore")

    documents: dict[str, tuple[str, ...]] = {}

    @model_validator(mode="before")
    @classmethod
    def _tolerant(cls, told: Any) -> Any:  # noqa: ANN401 - a model may answer anything
        held = told.get("documents", told) if isinstance(told, dict) else told
        return {"documents": {key: found for key, value in _pairs(held) if (found := _words(value))}}


def _pairs(held: Any) -> Iterator[tuple[str, Any]]:  # noqa: ANN401 - a model may answer anything
    if isinstance(held, dict):
        yield from ((str(key), value) for key, value in held.items())
    for item in held if isinstance(held, list) else ():
        if isinstance(item, dict):
            yield str(item.get("key", item.get("document", ""))), item.get("keywords", item.get("words"))


def _words(value: Any) -> tuple[str, ...]:  # noqa: ANN401 - a model may answer anything
    """At most ten short strings out of a list or of one string with commas."""
    items = value.replace("，", ",").replace("、", ",").split(",") if isinstance(value, str) else value
    kept = (item.strip()[:80] for item in items if isinstance(item, str)) if isinstance(items, list) else ()
    return tuple(dict.fromkeys(word for word in kept if terms(word)))[:10]


def _keywords(
    understanding: Understanding,
    shortlist: Shortlist,
    openings: Mapping[str, str],
    options: BoostOptions,
    ctx: Context,
) -> dict[str, tuple[str, ...]]:
    assert ctx.llm is not None  # noqa: S101 - the caller has looked
    ids = {
        f"D{at}": ranked.document.document_id
        for at, ranked in enumerate(shortlist.documents[: options.documents], 1)
    }
    prompt = _prompt(understanding, shortlist, openings, options)
    told = replies.read(ctx.llm.complete(prompt, options.max_tokens).text, Keywords).documents
    return {ids[key.strip().upper()]: words for key, words in told.items() if key.strip().upper() in ids}


def _prompt(
    understanding: Understanding, shortlist: Shortlist, openings: Mapping[str, str], options: BoostOptions
) -> Prompt:
    """Documents go by keys that say nothing: an id in a prompt would come back misspelt."""
    documents = [
        (f"D{at}", ranked.document.name, openings.get(ranked.document.document_id, "")[: options.opening])
        for at, ranked in enumerate(shortlist.documents[: options.documents], 1)
    ]
    asked = [("Q", "the question", understanding.text)]
    fenced = fence.fenced([*asked, *documents])
    return render("boost", data=fenced.text, boundary=fenced.boundary)
