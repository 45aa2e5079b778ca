"""The variants that are asked of every document, and words for single documents.

Several rankings of variants fused by rank beat one ranking of a better question (Rackauckas, 2024, RAG-Fusion;
Gao et al., 2023, HyDE for `hypothetical_answers`). Each variant carries its origin and its weight.
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
from evidence.model import Query, QueryPlan, Shortlist, Understanding

_DOCUMENTS = 12  # that a model writes keywords for
OPENING = 300  # characters of a document that it is shown
PART_WEIGHT = 0.7  # of a query for one part of a question
_REPLY_TOKENS = 600


@dataclass(frozen=True, slots=True)
class BoostOptions:
    """`most` variants are planned; with `ask_model` one call writes keywords for single documents."""

    ask_model: bool = False
    most: int = 8


def plan_queries(
    understanding: Understanding,
    shortlist: Shortlist,
    openings: Mapping[str, str],
    options: BoostOptions,
    ctx: Context,
) -> QueryPlan:
    """The plan; `openings` holds the beginning of documents by document id. A failing model costs its keywords."""
    queries = variants(understanding, options.most)
    if not options.ask_model or ctx.llm is None or not shortlist.documents:
        return QueryPlan(queries)
    try:
        return QueryPlan(queries, _keywords(understanding, shortlist, openings, ctx))
    except (ModelError, LimitReached) as error:
        ctx.trace.degrade(f"no keywords for single documents: {error}")
        return QueryPlan(queries)


def variants(understanding: Understanding, most: int) -> tuple[Query, ...]:
    """At most so many variants, one for each set of terms: of two alike the one that weighs more in the fusion."""
    by_terms: dict[tuple[str, ...], Query] = {}
    for query in sorted(_queries(understanding), key=lambda query: -query.weight):
        key = tuple(sorted(set(terms(query.text))))
        if key:
            by_terms.setdefault(key, query)
    return tuple(by_terms.values())[:most]


def _queries(understanding: Understanding) -> Iterator[Query]:
    """Each query with its origin and its weight in the fusion."""
    yield Query(understanding.topic, "topic", 1.0)
    yield Query(understanding.text, "question", 0.5)
    yield from (Query(facet, "facet", PART_WEIGHT) for facet in understanding.facets)
    yield from (Query(text, "hypothetical_answer", 0.8) for text in understanding.hypothetical_answers)
    yield Query(" ".join(understanding.keywords), "keywords", 0.4)
    yield from (Query(rewrite, "rewrite", 0.4) for rewrite in understanding.rewrites)


class Keywords(BaseModel):
    """Words by the key of a document; read from {"documents": {key: […]}}, {key: […]} or [{"key", "keywords"}]."""

    model_config = ConfigDict(extra="ignore")

    documents: dict[str, tuple[str, ...]] = {}

    @model_validator(mode="before")
    @classmethod
    def _tolerant(cls, reply: Any) -> Any:  # noqa: ANN401 - a model may answer anything
        documents = reply.get("documents", reply) if isinstance(reply, dict) else reply
        return {"documents": {key: words for key, value in _pairs(documents) if (words := _words(value))}}


def _pairs(documents: Any) -> Iterator[tuple[str, Any]]:  # noqa: ANN401 - a model may answer anything
    if isinstance(documents, dict):
        yield from ((str(key), value) for key, value in documents.items())
    for item in documents if isinstance(documents, list) else ():
        if isinstance(item, dict):
            yield str(item.get("key", item.get("document", ""))), item.get("keywords", item.get("words"))


def _words(value: Any) -> tuple[str, ...]:  # noqa: ANN401 - a model may answer anything
    """At most ten short strings out of a list or of one string with commas."""
    items = value.replace("，", ",").replace("、", ",").split(",") if isinstance(value, str) else value
    words = (item.strip()[:80] for item in items if isinstance(item, str)) if isinstance(items, list) else ()
    return tuple(dict.fromkeys(word for word in words if terms(word)))[:10]


def _keywords(
    understanding: Understanding, shortlist: Shortlist, openings: Mapping[str, str], ctx: Context
) -> dict[str, tuple[str, ...]]:
    """Keywords by document id. Documents go by keys that say nothing: an id in a prompt would come back misspelt."""
    assert ctx.llm is not None  # noqa: S101 - the caller has looked
    by_key = {f"D{at}": ranked.document for at, ranked in enumerate(shortlist.documents[:_DOCUMENTS], 1)}
    documents = [
        (key, document.name, openings.get(document.document_id, "")[:OPENING])
        for key, document in by_key.items()
    ]
    fenced = fence.fenced([("Q", "the question", understanding.text), *documents])
    prompt = render("boost", data=fenced.text, boundary=fenced.boundary)
    reply = replies.read(ctx.llm.complete(prompt, _REPLY_TOKENS).text, Keywords)
    named = ((by_key.get(key.strip().upper()), words) for key, words in reply.documents.items())
    return {document.document_id: words for document, words in named if document is not None}
