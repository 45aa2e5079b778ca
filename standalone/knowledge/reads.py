"""The listing endpoints: datasets, documents, segments, children, metadata, models."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from standalone.knowledge.catalogue import StoredDataset, StoredDocument, StoredSegment
from standalone.knowledge.dataset_shape import (
    EMBEDDING_MODEL,
    EMBEDDING_PROVIDER,
    dataset_row,
    metadata_fields,
)
from standalone.knowledge.document_shape import BUILT_IN_FIELDS, display_status, document_detail, document_row
from standalone.knowledge.errors import refusal
from standalone.knowledge.like import holds
from standalone.knowledge.payloads import (
    ChildChunkListQuery,
    DatasetListQuery,
    DocumentListQuery,
    SegmentListQuery,
    ValidatedSegmentListQuery,
)
from standalone.knowledge.profiles import Profile
from standalone.knowledge.segment_shape import child_json, segment_json

type Query = Mapping[str, Sequence[str]]
"""Parameters as the URL gives them, each with all its values."""

_LARGEST_PAGE = 100
_DEFAULT_LIMIT = 20
_PAGE_DEFAULTS = {"page": 1, "limit": _DEFAULT_LIMIT}
_STATUSES = frozenset({"queuing", "indexing", "paused", "error", "available", "disabled", "archived"})


@dataclass(frozen=True, slots=True)
class Page:
    """The page asked for, as it is echoed; what is served is kept within bounds without saying so."""

    page: int
    limit: int

    def cut[T](self, rows: Sequence[T]) -> Sequence[T]:
        size = min(self.limit, _LARGEST_PAGE) if self.limit > 0 else _DEFAULT_LIMIT
        start = (max(self.page, 1) - 1) * size
        return rows[start : start + size]

    def answer[T](self, rows: Sequence[T], shape: Callable[[T], dict[str, Any]]) -> dict[str, Any]:
        """Dify's quirk: there is more whenever the page is as long as the limit that was asked for."""
        data = [shape(row) for row in self.cut(rows)]
        return {
            "data": data,
            "has_more": len(data) == self.limit,
            "limit": self.limit,
            "total": len(rows),
            "page": self.page,
        }


def list_datasets(datasets: Sequence[StoredDataset], query: Query, profile: Profile) -> dict[str, Any]:
    page = _page(query, profile, DatasetListQuery)
    # No dataset has tags, so a filter on tags leaves none.
    wanted = [] if query.get("tag_ids") else _named(datasets, _first(query, "keyword"))
    return page.answer(wanted, lambda dataset: dataset_row(dataset, profile))


def list_documents(dataset: StoredDataset, query: Query, profile: Profile) -> dict[str, Any]:
    page = _page(query, profile, DocumentListQuery)
    documents: Iterable[StoredDocument] = () if dataset.external else reversed(dataset.documents)
    if keyword := _first(query, "keyword"):
        found = holds(keyword)
        documents = (document for document in documents if found(document.source.name))
    status = (_first(query, "status") or "").lower()
    status = "available" if status in {"active", "enabled"} else status
    if status in _STATUSES:
        documents = (document for document in documents if display_status(document) == status)
    return page.answer(tuple(documents), lambda document: document_row(document, profile))


def get_document(document: StoredDocument, query: Query, profile: Profile) -> dict[str, Any]:
    metadata = _first(query, "metadata") or "all"
    if metadata not in {"all", "only", "without"}:
        raise refusal(400, "invalid_metadata", f"Invalid metadata value: {metadata}")
    return document_detail(document, profile, metadata)


def list_segments(document: StoredDocument, query: Query, profile: Profile) -> dict[str, Any]:
    page = _page(query, profile, ValidatedSegmentListQuery if profile.agents else SegmentListQuery)
    segments: Iterable[StoredSegment] = document.segments
    if keyword := _first(query, "keyword"):
        found = holds(keyword, ignore_case=True)
        segments = (segment for segment in segments if found(segment.source.content))
    statuses = query.get("status", ())
    if statuses and "completed" not in statuses:
        segments = ()
    answer = page.answer(tuple(segments), lambda segment: segment_json(segment, profile))
    return answer | {"doc_form": document.dataset.collection.doc_form}


def get_segment(segment: StoredSegment, profile: Profile) -> dict[str, Any]:
    return {
        "data": segment_json(segment, profile),
        "doc_form": segment.document.dataset.collection.doc_form,
    }


def list_children(segment: StoredSegment, query: Query) -> dict[str, Any]:
    """Unlike the other lists this one checks its parameters and echoes the limit it really used."""
    numbers = {name: _number(_first(query, name), default) for name, default in _PAGE_DEFAULTS.items()}
    asked = ChildChunkListQuery.model_validate({"keyword": _first(query, "keyword"), **numbers})
    found = holds(asked.keyword or "", ignore_case=True)
    rows = [child for child in segment.children if found(child.content)]
    limit = min(asked.limit, _LARGEST_PAGE)
    return {
        "data": [child_json(child, segment) for child in Page(asked.page, limit).cut(rows)],
        "total": len(rows),
        "total_pages": -(-len(rows) // limit),
        "page": asked.page,
        "limit": limit,
    }


def list_metadata(dataset: StoredDataset) -> dict[str, Any]:
    return {
        "doc_metadata": metadata_fields(dataset),
        "built_in_field_enabled": dataset.collection.built_in_fields,
    }


def list_built_in_fields() -> dict[str, Any]:
    return {"fields": [{"name": name, "type": kind} for name, kind in BUILT_IN_FIELDS.items()]}


def list_models(kind: str) -> dict[str, Any]:
    """One provider of embeddings, none of rerank models."""
    if kind != "text-embedding":
        return {"data": []}
    model = {
        "model": EMBEDDING_MODEL,
        "label": {"zh_Hans": "BM25", "en_US": "BM25"},
        "model_type": "text-embedding",
        "features": None,
        "fetch_from": "predefined-model",
        "model_properties": {"context_size": 8192},
        "deprecated": False,
        "status": "active",
        "load_balancing_enabled": False,
    }
    provider = {
        "provider": EMBEDDING_PROVIDER,
        "label": {"zh_Hans": "BM25", "en_US": "BM25"},
        "icon_small": None,
        "icon_large": None,
        "status": "active",
        "models": [model],
    }
    return {"data": [provider]}


def _first(query: Query, name: str) -> str | None:
    values = query.get(name)
    return values[0] if values else None


def _named(datasets: Sequence[StoredDataset], keyword: str | None) -> list[StoredDataset]:
    found = holds(keyword or "", ignore_case=True)
    return [dataset for dataset in reversed(datasets) if found(dataset.collection.name)]


def _page(query: Query, profile: Profile, model: type[BaseModel]) -> Page:
    """1.13.3 refuses what is no number, 1.10.1 takes the default for it."""
    given = {name: values[0] for name, values in query.items() if values}
    if profile.typed:
        checked = model.model_validate(given).model_dump()
        return Page(checked["page"], checked["limit"])
    return Page(_number(given.get("page"), 1), _number(given.get("limit"), _DEFAULT_LIMIT))


def _number(text: str | None, default: int) -> int:
    try:
        return default if text is None else int(text)
    except ValueError:
        return default
