"""How a dataset is to be asked: search method, weights, filter and number of records of one request."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from evidence.errors import KnowledgeError, KnowledgeUnavailable
from evidence.knowledge.dify.shapes import DatasetShape, Weights
from evidence.knowledge.dify.truncate_query import fit_query
from evidence.knowledge.metadata_filter import BUILT_IN, ORDERING, PRESENCE
from evidence.lru import LRU
from evidence.model import Dataset, MetadataFilter, Query, SignalName

LONGEST_QUERY = 250  # characters, in 1.10.1 and 1.13.3
ALL = 100_000  # economy filters after the cut: nothing may be cut
MANY = 1_000  # what is asked of economy where the filter is dropped, or everything is too large
SOME = 100  # the same where vectors rank
SIGNALS: Mapping[str, SignalName] = {
    "keyword_search": "keyword",
    "semantic_search": "semantic",
    "full_text_search": "full_text",
    "hybrid_search": "hybrid",
}


@dataclass(frozen=True, slots=True)
class Manner:
    """How one dataset is searched; `weights` for hybrid search only."""

    method: str
    weights: Mapping[str, Any] | None = None
    built_in_fields: bool = True


class Capabilities:
    """The abilities of one server and its datasets as they were learnt, for all who ask it. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._manners: dict[str, Manner] = {}
        self._dropped: set[frozenset[str]] = set()
        self._harmful: set[frozenset[str]] = set()
        self._breaking: LRU[bool] = LRU(100)  # whole filters
        self._most = ALL

    def learn_manner(self, dataset_id: str, manner: Manner) -> None:
        with self._lock:
            self._manners[dataset_id] = manner

    def manner(self, dataset: Dataset) -> Manner:
        method = "semantic_search" if dataset.technique == "high_quality" else "keyword_search"
        with self._lock:
            return self._manners.get(dataset.dataset_id, Manner(method))

    def learn_dropped(self, operators: frozenset[str]) -> None:
        """A filter of these operators was sent, and other documents came back."""
        with self._lock:
            self._dropped.add(operators)

    def drops(self, operators: frozenset[str]) -> bool:
        with self._lock:
            return any(known <= operators for known in self._dropped)

    def learn_harmful(self, metadata_filter: MetadataFilter) -> None:
        """It broke the request: numbers compared with texts end in status 500, and in 1.16 what matches nothing."""
        with self._lock:
            if ordering := metadata_filter.operators & ORDERING:
                self._harmful.add(ordering)
        if not ordering:
            self._breaking.put(metadata_filter, value=True)

    def harms(self, metadata_filter: MetadataFilter) -> bool:
        with self._lock:
            by_operator = any(known <= metadata_filter.operators for known in self._harmful)
        return by_operator or self._breaking.find(metadata_filter) is not None

    def learn_too_large(self) -> None:
        with self._lock:
            self._most = MANY

    def most(self) -> int:
        with self._lock:
            return self._most


def manner_of(shape: DatasetShape) -> Manner:
    """The dataset's own search method where the server can follow it.

    Economy has keywords only. Hybrid search without complete weights ignores top_k and does not sort
    (1.10.1 and 1.13.3), so it needs them.
    """
    built_in = shape.built_in_field_enabled is not False
    if shape.indexing_technique != "high_quality":
        return Manner("keyword_search", None, built_in)
    own = shape.retrieval_model_dict
    method = own.search_method if own else ""
    if method == "full_text_search":
        return Manner(method, None, built_in)
    weights = _weights(shape) if method == "hybrid_search" else None
    return Manner("hybrid_search" if weights else "semantic_search", weights, built_in)


def _weights(shape: DatasetShape) -> Mapping[str, Any] | None:
    own = shape.retrieval_model_dict
    try:
        weights = Weights.model_validate(own.weights if own else None)
    except ValidationError:
        return None
    vector = weights.vector_setting
    provider = vector.embedding_provider_name or shape.embedding_model_provider
    model = vector.embedding_model_name or shape.embedding_model
    if not provider or not model:
        return None
    names = {"embedding_provider_name": provider, "embedding_model_name": model}
    return {
        "weight_type": weights.weight_type or "customized",
        "vector_setting": {"vector_weight": vector.vector_weight, **names},
        "keyword_setting": {"keyword_weight": weights.keyword_setting.keyword_weight},
    }


@dataclass(frozen=True, slots=True)
class Request:
    """One retrieval as it will be sent; `sent_filter` tells whether the server is asked to filter."""

    query: str
    manner: Manner
    top_k: int
    metadata_filter: MetadataFilter
    sent_filter: bool

    @property
    def signal(self) -> SignalName:
        return SIGNALS[self.manner.method]

    def body(self) -> dict[str, Any]:
        """`score_threshold_enabled` and `reranking_enable` are required, their absence is a 500 in 1.10.1."""
        model: dict[str, Any] = {
            "search_method": self.manner.method,
            "reranking_enable": False,
            "top_k": self.top_k,
            "score_threshold_enabled": False,
        }
        if self.manner.weights:
            model |= {"reranking_mode": "weighted_score", "weights": self.manner.weights}
        if self.sent_filter:
            model["metadata_filtering_conditions"] = filter_body(self.metadata_filter)
        return {"query": self.query, "retrieval_model": model}


def filter_body(metadata_filter: MetadataFilter) -> dict[str, Any]:
    """The object that Dify's API takes as `metadata_filtering_conditions`."""
    conditions = []
    for condition in metadata_filter.conditions:
        body: dict[str, Any] = {"name": condition.name, "comparison_operator": condition.operator}
        if condition.operator not in PRESENCE:
            body["value"] = list(condition.value) if isinstance(condition.value, tuple) else condition.value
        conditions.append(body)
    return {"logical_operator": metadata_filter.joined_by, "conditions": conditions}


def plan_request(
    query: Query, top_k: int, metadata_filter: MetadataFilter, manner: Manner, known: Capabilities
) -> Request:
    operators = metadata_filter.operators
    sent = bool(operators) and not known.harms(metadata_filter) and _filterable(metadata_filter, manner)
    helped = sent and not known.drops(operators)
    if not metadata_filter.conditions:
        count = top_k
    elif manner.method == "keyword_search":
        count = max(top_k, known.most() if helped else MANY)
    else:
        count = top_k if helped else max(top_k, SOME)
    return Request(_query_text(query.text, manner), manner, count, metadata_filter, sent)


def _filterable(metadata_filter: MetadataFilter, manner: Manner) -> bool:
    """Built-in fields that are not enabled match no document on the server, though we know the name."""
    return manner.built_in_fields or not any(
        condition.name in BUILT_IN for condition in metadata_filter.conditions
    )


def _query_text(text: str, manner: Manner) -> str:
    """Dify writes \\" for " before it looks for words, which makes another word of a quoted one."""
    clean = text.encode("utf-8", "ignore").decode().replace("\x00", " ")
    if manner.method != "semantic_search":
        clean = clean.replace('"', " ")
    return fit_query(clean.strip(), LONGEST_QUERY)


def refuse_external(dataset: Dataset) -> None:
    if dataset.provider == "external":
        raise KnowledgeError("an external knowledge base cannot be read through Dify's API")


def strange(place: str) -> KnowledgeUnavailable:
    return KnowledgeUnavailable(f"{place} returned an unexpected response format")
