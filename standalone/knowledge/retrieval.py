"""POST …/retrieve: what is asked for, checked in the order Dify checks it, and the records found."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from standalone.knowledge.catalogue import StoredChild, StoredDataset, StoredSegment
from standalone.knowledge.errors import (
    internal_error,
    invalid_param,
    invalid_payload,
    no_model_provider,
    no_vector_table,
)
from standalone.knowledge.filters import matching
from standalone.knowledge.high_quality import Mask, Ranking, TextIndex
from standalone.knowledge.payloads import FilteringPayload, HitTestingPayload
from standalone.knowledge.profiles import Profile
from standalone.knowledge.segment_shape import record_json

_METHODS = ("semantic_search", "full_text_search", "hybrid_search", "keyword_search")
_LONGEST_QUERY = 250
# What a dataset without a retrieval model of its own is asked with.
_DEFAULT_MODEL = {
    "search_method": "semantic_search",
    "reranking_enable": False,
    "top_k": 4,
    "score_threshold_enabled": False,
}
# An external dataset carries a stored model that lacks reranking_enable: the cause of Dify's 500.
_EXTERNAL_MODEL = {"top_k": 4, "score_threshold": 0.5, "score_threshold_enabled": True}


@dataclass(frozen=True, slots=True)
class Settings:
    """How the server is set up."""

    profile: Profile
    no_model_provider: bool


@dataclass(frozen=True, slots=True)
class _Search:
    query: str
    method: str
    top_k: Any
    threshold: float
    reranker: str | None
    weights: Any
    allowed: frozenset[int] | None


def retrieve(dataset: StoredDataset, body: Any, settings: Settings) -> dict[str, Any]:
    """Answer a parsed body; None stands for one that could not be parsed (1.10.1 takes it for empty)."""
    profile = settings.profile
    payload = FilteringPayload if profile.agents else HitTestingPayload
    query, given = _typed(body, payload) if profile.typed else _lenient(body)
    model = given or (_EXTERNAL_MODEL if dataset.external else _DEFAULT_MODEL)
    conditions = model.get("metadata_filtering_conditions")
    allowed = matching(dataset, conditions) if conditions else None
    if profile.agents and allowed is not None and not allowed:
        raise internal_error("Internal Server Error")  # read in its source: a call without its argument
    records: list[dict[str, Any]] = []
    if allowed is None or allowed:
        records = _records(dataset, _search(query, model, allowed), settings)
    return {"query": {"content": query}, "records": records}


def _lenient(body: Any) -> tuple[str, dict[str, Any]]:
    """1.10.1: values are coerced, what cannot be parsed counts as absent. dict() gives the real messages."""
    body = body if isinstance(body, dict) else {}
    model = body.get("retrieval_model")
    try:
        model = {} if model is None else dict(model)
    except (TypeError, ValueError) as error:
        raise invalid_payload("retrieval_model", str(error)) from error
    query = "" if body.get("query") is None else str(body["query"])
    if not query:
        raise invalid_param("Query or attachment_ids is required")
    if len(query) > _LONGEST_QUERY:
        raise invalid_param("Query cannot exceed 250 characters")
    return query, model


def _typed(body: Any, kind: type[HitTestingPayload]) -> tuple[str, dict[str, Any]]:
    """Since 1.13.3: pydantic's checks and pydantic's messages."""
    payload = kind.model_validate(body or {})
    if not payload.query:
        raise invalid_param("Query or attachment_ids is required")
    return payload.query, payload.retrieval_model.model_dump(mode="json") if payload.retrieval_model else {}


def _search(query: str, model: Mapping[str, Any], allowed: frozenset[int] | None) -> _Search:
    method = model.get("search_method", "semantic_search")
    if method not in _METHODS:
        raise invalid_param(f"'{method}' is not a valid RetrievalMethod")
    threshold = 0.0
    if _required(model, "score_threshold_enabled"):
        threshold = _float(model.get("score_threshold") or 0.0)
    reranker = model.get("reranking_model") if _required(model, "reranking_enable") else None
    weighted = method == "hybrid_search" and model.get("reranking_mode") == "weighted_score"
    weights = model.get("weights") if weighted else None
    return _Search(
        query=query,
        method=method,
        top_k=model.get("top_k", 4),
        threshold=threshold,
        reranker=reranker.get("reranking_provider_name")
        if isinstance(reranker, dict) and not weights
        else None,
        weights=weights,
        allowed=allowed,
    )


def _required(model: Mapping[str, Any], key: str) -> Any:
    if key not in model:
        raise internal_error(f"'{key}'")  # the text of Python's KeyError
    return model[key]


def _float(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError) as error:
        raise invalid_param(str(error)) from error


def _records(dataset: StoredDataset, search: _Search, settings: Settings) -> list[dict[str, Any]]:
    if search.method == "keyword_search":
        return _by_keyword(dataset, search, settings)
    if settings.no_model_provider:
        raise no_model_provider()
    if type(search.top_k) is not int or search.top_k < 1:
        raise invalid_param("top_k must be a positive integer")
    vectors = not dataset.external and dataset.collection.technique == "high_quality"
    index = dataset.text_index() if vectors else None
    if index is None or not index.size:
        raise no_vector_table(dataset.id, 2 if search.method == "hybrid_search" else 1)
    if search.reranker:
        raise invalid_param(f"Provider {search.reranker} does not exist.")
    mask = _mask(dataset, search.allowed)
    ranking = _ranking(index, search, mask, settings.profile)
    return _shown(dataset, ranking, settings.profile)


def _by_keyword(dataset: StoredDataset, search: _Search, settings: Settings) -> list[dict[str, Any]]:
    """Filters come after the top_k cut, as in Dify; top_k is a Python slice, as in Dify."""
    if dataset.external or dataset.collection.technique != "economy":
        return []
    if search.top_k is not None and not isinstance(search.top_k, int):
        raise invalid_param("slice indices must be integers or None or have an __index__ method")
    index, segments = dataset.keyword_index(), dataset.searched
    kept = [segments[number] for number in index.rank(search.query)[: search.top_k]]
    return [
        record_json(segment, settings.profile.keyword_score, None, settings.profile)
        for segment in kept
        if search.allowed is None or segment.document.position in search.allowed
    ]


def _mask(dataset: StoredDataset, allowed: frozenset[int] | None) -> Mask | None:
    if allowed is None:
        return None
    return np.fromiter((segment.document.position in allowed for segment, _ in dataset.units), dtype=np.bool_)


def _ranking(index: TextIndex, search: _Search, mask: Mask | None, profile: Profile) -> Ranking:
    if search.method == "full_text_search":
        return index.full_text(search.query, search.top_k, mask)
    similar = tuple(
        (number, score)
        for number, score in index.semantic(search.query, search.top_k, mask)
        if score >= search.threshold
    )
    if search.method == "semantic_search":
        return similar
    both = similar + index.full_text(search.query, search.top_k, mask)
    if search.weights:
        return _weighted(index, search, dict.fromkeys(number for number, _ in both))
    merged: dict[int, float] = {}
    for number, score in both:
        # 1.10.1 keeps the first score of a segment found twice, 1.13.3 the better one; neither sorts or cuts.
        merged[number] = max(merged.get(number, score), score) if profile.typed else merged.get(number, score)
    return tuple(merged.items())


def _weighted(index: TextIndex, search: _Search, numbers: Mapping[int, None]) -> Ranking:
    vector_weight, keyword_weight = _weights(search.weights)
    similar = index.similarities(search.query, tuple(numbers))
    scored = [
        (number, vector_weight * similarity + keyword_weight * index.overlap(search.query, number))
        for number, similarity in zip(numbers, similar, strict=True)
    ]
    return tuple(sorted(scored, key=lambda row: -row[1])[: search.top_k])


def _weights(given: Any) -> tuple[float, float]:
    try:
        vector, keyword = given["vector_setting"], given["keyword_setting"]
        return float(vector["vector_weight"]), float(keyword["keyword_weight"])
    except (KeyError, TypeError) as error:
        raise internal_error(str(error)) from error


def _shown(dataset: StoredDataset, ranking: Ranking, profile: Profile) -> list[dict[str, Any]]:
    """Parents stand where their best child stands and show only the children that were found."""
    found: dict[StoredSegment, list[tuple[StoredChild, float]]] = {}
    scores: dict[StoredSegment, float] = {}
    for number, score in ranking:
        segment, child = dataset.units[number]
        scores[segment] = max(score, scores.get(segment, score))
        found.setdefault(segment, [])
        if child is not None:
            found[segment].append((child, score))
    nested = dataset.collection.doc_form == "hierarchical_model"
    return [
        record_json(segment, scores[segment], tuple(children) if nested else None, profile)
        for segment, children in found.items()
    ]
