"""The JSON of a segment, its children and a record, with every key the recorded servers send."""

import hashlib
from typing import Any
from uuid import UUID, uuid5

from standalone.knowledge.catalogue import StoredChild, StoredSegment
from standalone.knowledge.dataset_shape import ACCOUNT
from standalone.knowledge.profiles import Profile


def segment_json(segment: StoredSegment, profile: Profile) -> dict[str, Any]:
    """Give a segment as the segment endpoints show it."""
    shape = {
        **_segment_core(segment),
        "updated_at": segment.document.created_at,
        "updated_by": None,
        "child_chunks": [child_json(child, segment) for child in segment.children],
        "attachments": [],
    }
    return shape | ({"summary": None} if profile.summaries else {})


def _segment_core(segment: StoredSegment) -> dict[str, Any]:
    content, made = segment.source.content, segment.document.created_at
    economy = segment.keywords is not None
    enabled = segment.source.enabled and segment.document.source.searchable
    return {
        "id": segment.id,
        "position": segment.position,
        "document_id": segment.document.id,
        "content": content,
        "sign_content": content,
        "answer": segment.source.answer,
        "word_count": len(content) + len(segment.source.answer or ""),
        "tokens": 0 if economy else len(content) // 4,
        "keywords": list(segment.keywords) if segment.keywords is not None else None,
        "index_node_id": str(uuid5(UUID(segment.id), "index")),
        "index_node_hash": hashlib.sha256(content.encode()).hexdigest(),
        "hit_count": 0,
        "enabled": enabled,
        "disabled_at": None if enabled else made,
        "disabled_by": None if enabled else ACCOUNT,
        "status": "completed",
        "created_by": ACCOUNT,
        "created_at": made,
        "indexing_at": made,
        "completed_at": made + 1,
        "error": None,
        "stopped_at": None,
    }


def child_json(child: StoredChild, segment: StoredSegment) -> dict[str, Any]:
    return {
        "id": child.id,
        "segment_id": segment.id,
        "content": child.content,
        "position": child.position,
        "word_count": len(child.content),
        "type": "automatic",
        "created_at": segment.document.created_at,
        "updated_at": segment.document.created_at,
    }


def record_json(
    segment: StoredSegment,
    score: float | None,
    children: tuple[tuple[StoredChild, float], ...] | None,
    profile: Profile,
) -> dict[str, Any]:
    """Give one line of a retrieve answer; `children` are those found, None outside a parent-child dataset."""
    document = segment.document
    shape: dict[str, Any] = {
        "segment": {
            **_segment_core(segment),
            "document": {
                "id": document.id,
                "data_source_type": "upload_file",
                "name": document.source.name,
                "doc_type": None,
                "doc_metadata": dict(document.metadata) if document.metadata else None,
            },
        },
        "child_chunks": None
        if children is None
        else [
            {"id": child.id, "content": child.content, "position": child.position, "score": own}
            for child, own in children
        ],
        "score": score,
        "tsne_position": None,
        "files": None,
    }
    if profile.agents:  # empty lists in the place of null
        shape |= {name: shape[name] or [] for name in ("child_chunks", "files")}
        shape["segment"]["keywords"] = shape["segment"]["keywords"] or []
    return shape | ({"summary": None} if profile.summaries else {})
