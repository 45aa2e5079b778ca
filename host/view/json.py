"""A result as the JSON of the contract (schema "1"), and as the variables a workflow takes."""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from evidence.corpus.building import IndexReport
from evidence.knowledge.allow_list import is_id
from evidence.knowledge.port import AGENT
from evidence.language.tokens import counter_name
from evidence.limits import Limits
from evidence.model import (
    Cell,
    Citation,
    Comparison,
    Dataset,
    Document,
    Outcome,
    Page,
    Passage,
    RankedDocument,
    Segment,
    Status,
)
from evidence.trace import Receipt
from host.view.status import ask_back_of, lack

SCHEMA = "1"
_COUNTED = (
    "knowledge_calls model_calls rerank_calls prompt_tokens completion_tokens cache_hits calls_behind".split()
)


def no_proof(_segment: Segment) -> str:
    """No address of a proof."""
    return ""


@dataclass(frozen=True, slots=True)
class Listing:
    """One page of documents; `page` counts from 1, `limit` is how many documents a page holds."""

    documents: Page[Document]
    page: int
    limit: int

    def __len__(self) -> int:
        return len(self.documents.items)

    @property
    def pages(self) -> int:
        return -(-self.documents.total // self.limit)


def outcome_json(outcome: Outcome, status: Status, receipt: Receipt, limits: Limits) -> dict[str, Any]:
    """All fields of the contract; what the tool has nothing for is empty."""
    answer = outcome.answer
    return {
        "schema": SCHEMA,
        "question": outcome.question,
        "status": status,
        "reason": answer.reason if answer else lack(outcome),
        "intent": outcome.understanding.intent,
        "answer": answer.text if answer else "",
        "citations": [_citation(citation, receipt.began_at) for citation in answer.citations]
        if answer
        else [],
        "claims": [_with_lists(asdict(claim)) for claim in answer.claims] if answer else [],
        "facets": [_with_lists(asdict(facet)) for facet in answer.facets] if answer else [],
        "comparison": _comparison(answer.comparison) if answer and answer.comparison else None,
        "documents": [
            _ranked_document(rank, entry) for rank, entry in enumerate(outcome.shortlist.documents, 1)
        ],
        "missing": list(outcome.shortlist.missing),
        "searched": _where(outcome),
        "ask_back": ask_back_of(outcome),
        "queries": _queries(outcome),
        "keywords": _keywords(outcome),
        "passages": [_passage(passage, receipt.began_at) for passage in _passages(outcome)],
        "verdict": _with_lists(asdict(outcome.verdict)),
        "degraded": list(receipt.degraded),
        "receipt": _receipt(receipt, limits, outcome.verdict.status),
    }


def _passages(outcome: Outcome) -> Iterable[Passage]:
    """The first passages, and those behind them that the answer quotes: whoever judges it needs them."""
    quoted = (
        {citation.quote.segment for citation in outcome.answer.citations} if outcome.answer else frozenset()
    )
    yield from outcome.pool.passages
    yield from (passage for passage in outcome.pool.more if passage.segment in quoted)


def datasets_json(report: IndexReport, status: Status, receipt: Receipt, limits: Limits) -> dict[str, Any]:
    datasets = [_dataset(dataset) | _index(dataset, report, receipt) for dataset in report.datasets]
    return listed_json({"datasets": datasets, "total": len(datasets)}, status, receipt, limits)


def index_json(report: IndexReport, status: Status, receipt: Receipt, limits: Limits) -> dict[str, Any]:
    names = ("home", "read", "failed", "unread", "unembedded", "seconds_left", "busy")
    work = {name: getattr(report, name) for name in names}
    return datasets_json(report, status, receipt, limits) | {"work": work}


def _index(dataset: Dataset, report: IndexReport, receipt: Receipt) -> dict[str, Any]:
    """How far the index of a dataset was built; sizes are in bytes, ages in seconds."""
    if report.home == "memory":
        return {}
    state = report.state(dataset)
    fields: dict[str, Any] = {"state": state.name, "documents": state.documents, "read": state.read}
    ages = {"listed_age": state.listed_at, "oldest_text_age": state.oldest}
    since = {name: max(0, round(receipt.began_at - moment)) for name, moment in ages.items() if moment}
    return {"index": fields | {"characters": state.characters, "bytes": state.size} | since}


def documents_json(listing: Listing, status: Status, receipt: Receipt, limits: Limits) -> dict[str, Any]:
    fields = {
        "documents": [_document(document) for document in listing.documents.items],
        "total": listing.documents.total,
        "page": listing.page,
        "limit": listing.limit,
        "pages": listing.pages,
    }
    return listed_json(fields, status, receipt, limits)


def listed_json(
    fields: Mapping[str, Any], status: Status, receipt: Receipt, limits: Limits
) -> dict[str, Any]:
    foot = {"degraded": list(receipt.degraded), "receipt": _receipt(receipt, limits)}
    return {"schema": SCHEMA, "status": status, **fields, **foot}


def _where(outcome: Outcome) -> dict[str, list[str]]:
    """The names of what was retrieved from or read, and of what could not be."""
    searched, lost = outcome.pool.searched, (*outcome.shortlist.unreached, *outcome.pool.unreached)
    return {
        "datasets": list(searched.datasets),
        "documents": list(searched.documents),
        "unreached": [item.name for item in lost],
    }


def _receipt(receipt: Receipt, limits: Limits, verdict: str = "unknown") -> dict[str, Any]:
    """The receipt in the contract's names; seconds are rounded to milliseconds.

    Beside what Dify says of the evidence of an agent knowledge base stands our verdict on the answer.
    """
    steps = [
        {
            "name": step.name,
            "began": round(step.began, 3),
            "seconds": round(step.seconds, 3),
            "facts": step.facts | ({"verdict": verdict} if "evidence_state" in step.facts else {}),
        }
        | ({"error": step.error} if step.error else {})
        for step in receipt.steps
    ]
    spent = {name: receipt.spent.get(name, 0) for name in _COUNTED}
    measured = {"seconds": round(receipt.seconds, 3), "token_counter": counter_name()}
    return {**measured, **spent, "limits": asdict(limits), "steps": steps}


def result_items(
    passages: Iterable[Passage], proof: Callable[[Segment], str] = no_proof
) -> list[dict[str, Any]]:
    """Passages in the shape of Dify's knowledge-retrieval node, for an LLM node's Context (Dify 1.10 to 1.13)."""
    return [_result(position, passage, proof) for position, passage in enumerate(passages, 1)]


def _dataset(dataset: Dataset) -> dict[str, Any]:
    return {
        "dataset_id": dataset.dataset_id,
        "dataset_name": dataset.name,
        "description": dataset.description,
        "technique": dataset.technique,
        "provider": dataset.provider,
        "document_count": dataset.document_count,
        "word_count": dataset.word_count,
    }


def _document(document: Document) -> dict[str, Any]:
    return {
        "dataset_id": document.dataset_id,
        "dataset_name": document.dataset_name,
        "document_id": document.document_id,
        "document_name": document.name,
    }


def freshness_fields(segment: Segment, began_at: float) -> dict[str, Any]:
    """When the text was read, and whether that was for this answer; `began_at` is in Unix seconds."""
    read_at = (
        datetime.fromtimestamp(segment.read_at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if segment.read_at else ""
    )
    return {"read_at": read_at, "freshness": "verified" if segment.read_since(began_at) else "not_reread"}


def content_of(segment: Segment) -> str:
    """The text of a segment; of one with a question both, as Dify joins the two."""
    return f"question:{segment.question} \nanswer:{segment.text}" if segment.question else segment.text


def _citation(citation: Citation, began_at: float) -> dict[str, Any]:
    quote = citation.quote
    segment = quote.segment
    return {
        "marker": citation.marker,
        "quote": quote.text,
        "match": quote.match,
        "start": quote.span.start,
        "end": quote.span.end,
        **_document(segment.document),
        "segment_id": segment.segment_id,
        "position": segment.position,
        "segment_sha256": _sha256(segment),
        **freshness_fields(segment, began_at),
        "revision": segment.document.revision,
        "proof": None,
    }


def _sha256(segment: Segment) -> str:
    return hashlib.sha256(segment.text.encode("utf-8", "surrogatepass")).hexdigest()


def _comparison(comparison: Comparison) -> dict[str, Any]:
    rows = [
        {
            "document_id": row.document.document_id,
            "document_name": row.document.name,
            "cells": [_cell(cell) for cell in row.cells],
        }
        for row in comparison.rows
    ]
    return {"dimensions": list(comparison.dimensions), "rows": rows}


def _cell(cell: Cell) -> dict[str, Any]:
    if cell.text is None:
        return {"text": None, "queries": list(cell.queries)}
    return {"text": cell.text, "markers": list(cell.markers)}


def _ranked_document(rank: int, ranked: RankedDocument) -> dict[str, Any]:
    score = round(ranked.score, 6)
    return {"rank": rank, "score": score, **_document(ranked.document), "why": list(ranked.why)}


def _passage(passage: Passage, began_at: float) -> dict[str, Any]:
    segment = passage.segment
    fields: dict[str, Any] = {
        "rank": passage.rank,
        "score": round(passage.score, 6),
        **_document(segment.document),
        "segment_id": segment.segment_id,
        "position": segment.position,
        "text": segment.text,
        "why": [{"query": why.query, "list": why.signal, "rank": why.rank} for why in passage.why],
        "context": False,  # of the schema: none is a neighbour of what was found
        **freshness_fields(segment, began_at),
    }
    optional = {"question": segment.question, "heading": passage.heading, "parts": dict(passage.parts)}
    return fields | {name: value for name, value in optional.items() if value}


def _queries(outcome: Outcome) -> list[dict[str, Any]]:
    queries = outcome.plan.queries or outcome.pool.queries
    return [{"text": query.text, "origin": query.origin, "weight": query.weight} for query in queries]


def _keywords(outcome: Outcome) -> list[dict[str, Any]]:
    names = {entry.document.document_id: entry.document.name for entry in outcome.shortlist.documents}
    return [
        {"document_id": document_id, "document_name": names.get(document_id, ""), "keywords": list(words)}
        for document_id, words in outcome.plan.keywords.items()
    ]


def _with_lists(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Tuples as JSON's lists."""
    return {name: list(value) if isinstance(value, tuple) else value for name, value in fields.items()}


def _result(position: int, passage: Passage, proof: Callable[[Segment], str]) -> dict[str, Any]:
    segment = passage.segment
    document = segment.document
    metadata: dict[str, Any] = {
        "_source": "knowledge",
        "position": position,
        "dataset_id": document.dataset_id.removeprefix(AGENT),
        "dataset_name": document.dataset_name,
        "document_id": document.document_id,
        "document_name": document.name,
        "data_source_type": "upload_file",  # Dify needs a text here, and tells only "notion" from the rest
        "retriever_from": "workflow",
        "score": float(passage.score),
        "child_chunks": [],
        "segment_hit_count": 0,
        "segment_word_count": len(segment.text),
        "segment_position": segment.position,
        "segment_index_node_hash": _sha256(segment),
        "doc_metadata": dict(document.metadata),
    }
    if is_id(segment.segment_id):  # Dify looks it up in its database, where anything else is an error
        metadata["segment_id"] = segment.segment_id
    if url := proof(segment):
        metadata["proof"] = url
    return {"metadata": metadata, "title": document.name, "content": content_of(segment), "files": None}
