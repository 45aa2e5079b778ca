"""The JSON of a document, with every key the recorded servers send."""

import mimetypes
from pathlib import PurePath
from typing import Any
from uuid import UUID, uuid5

from standalone.knowledge.catalogue import StoredDocument
from standalone.knowledge.dataset_shape import ACCOUNT, field_id
from standalone.knowledge.profiles import Profile

BUILT_IN_FIELDS = {
    "document_name": "string",
    "uploader": "string",
    "upload_date": "time",
    "last_update_date": "time",
    "source": "string",
}


def document_row(document: StoredDocument, profile: Profile) -> dict[str, Any]:
    """Give a document as lists show it."""
    file = _upload_file(document)
    return {
        **_document_core(document, profile),
        "data_source_info": {"upload_file_id": file["id"]},
        "data_source_detail_dict": {"upload_file": file},
        "word_count": document.word_count,
        "doc_metadata": _metadata_list(document, as_text=True),
    }


def document_detail(document: StoredDocument, profile: Profile, metadata: str) -> dict[str, Any]:
    """Give one document; `metadata` is all, only or without."""
    described = {"doc_type": None, "doc_metadata": _metadata_list(document, as_text=False)}
    if metadata == "only":
        return {"id": document.id, **described}
    rule = {"mode": "custom", "rules": _rules(document)}
    core = _document_core(document, profile)
    done = document.source.indexing_status == "completed"
    count = len(document.segments)
    detail = {
        **core,
        "data_source_info": {"upload_file": _upload_file(document)},
        "dataset_process_rule": rule,
        "document_process_rule": {
            "id": core["dataset_process_rule_id"],
            "dataset_id": document.dataset.id,
            **rule,
        },
        "completed_at": document.created_at + 1 if done else None,
        "updated_at": document.created_at,
        "indexing_latency": 0.5 if done else None,
        "segment_count": count,
        "average_segment_length": document.word_count // count if count else 0,
        "doc_language": "English",
    }
    return detail if metadata == "without" else detail | described


def _document_core(document: StoredDocument, profile: Profile) -> dict[str, Any]:
    source = document.source
    core = {
        "id": document.id,
        "position": document.position,
        "data_source_type": "upload_file",
        "dataset_process_rule_id": str(uuid5(UUID(document.id), "process rule")),
        "name": source.name,
        "created_from": "api",
        "created_by": ACCOUNT,
        "created_at": document.created_at,
        "tokens": 0 if document.dataset.collection.technique == "economy" else document.word_count // 4,
        "indexing_status": source.indexing_status,
        "error": "The document could not be read." if source.indexing_status == "error" else None,
        "enabled": source.enabled,
        "disabled_at": None if source.enabled else document.created_at,
        "disabled_by": None if source.enabled else ACCOUNT,
        "archived": source.archived,
        "display_status": display_status(document),
        "hit_count": 0,
        "doc_form": document.dataset.collection.doc_form,
    }
    return core | ({"summary_index_status": None, "need_summary": False} if profile.summaries else {})


def display_status(document: StoredDocument) -> str:
    """Dify's word for a document's state, which its `status` parameter filters by."""
    source = document.source
    if source.indexing_status != "completed":
        known = {"waiting": "queuing", "error": "error", "paused": "paused"}
        return known.get(source.indexing_status, "indexing")
    if source.archived:
        return "archived"
    return "available" if source.enabled else "disabled"


def _upload_file(document: StoredDocument) -> dict[str, Any]:
    name = document.source.name
    return {
        "id": str(uuid5(UUID(document.id), "file")),
        "name": name,
        "size": len(document.source.text.encode()),
        "extension": PurePath(name).suffix.lstrip(".").lower(),
        "mime_type": mimetypes.guess_type(name)[0] or "text/plain",
        "created_by": ACCOUNT,
        "created_at": float(document.created_at),
    }


def _rules(document: StoredDocument) -> dict[str, Any]:
    limit = document.dataset.collection.segment_characters
    return {
        "pre_processing_rules": [],
        "segmentation": {"separator": "\n\n", "max_tokens": limit, "chunk_overlap": 0},
        "parent_mode": None,
        "subchunk_segmentation": None,
    }


def _metadata_list(document: StoredDocument, *, as_text: bool) -> list[dict[str, Any]] | None:
    """Lists show every value as text; one document keeps numbers, except built-in times."""
    values = document.metadata
    if values is None:
        return None
    rows = []
    for name, value in values.items():
        kind = BUILT_IN_FIELDS.get(name) if document.dataset.collection.built_in_fields else None
        shown = str(value) if as_text or kind == "time" else value
        own = "string" if isinstance(value, str) else "number"
        identity = "built-in" if kind else field_id(document.dataset, name)
        rows.append({"id": identity, "name": name, "type": kind or own, "value": shown})
    return rows
