"""A text as the bytes that are stored, and back; damaged bytes are noticed by their checksum."""

import hashlib
import json
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from evidence.index.bm25 import Postings
from evidence.model import Document, Segment
from evidence.store.port import StoredText

_FAST = 1  # the level of zlib: half of the size that it can reach takes a tenth of the time
_COLUMNS = (np.int32, np.uint16, np.int32, np.int32)
_MOST = 256 * 1024 * 1024  # bytes of one text, unpacked


class Damaged(Exception):
    """Bytes that are no text of this format."""


def packed(text: StoredText) -> bytes:
    postings = text.postings
    columns = (postings.terms, postings.frequencies, postings.starts, postings.lengths)
    segments = [
        [
            segment.segment_id,
            segment.position,
            segment.text,
            segment.question,
            segment.read_at,
            segment.heading,
        ]
        for segment in text.segments
    ]
    head = {
        "segments": segments,
        "terms": text.terms,
        "total": text.total,
        "pages": text.pages,
        "read_at": text.read_at,
        "warnings": text.warnings,
        "columns": [len(column) for column in columns],
    }
    written = json.dumps(head, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
    parts = (len(written).to_bytes(8, "little"), written, *(column.tobytes() for column in columns))
    return zlib.compress(b"".join(parts), _FAST)


def unpacked(stored: bytes, document: Document) -> StoredText:
    """The text of a document, as it was packed; raises Damaged."""
    try:
        bytes_ = zlib.decompressobj().decompress(stored, _MOST)
        at = 8 + int.from_bytes(bytes_[:8], "little")
        head = json.loads(bytes_[8:at].decode("utf-8", "surrogatepass"))
        columns = []
        for count, kind in zip(head["columns"], _COLUMNS, strict=True):
            columns.append(np.frombuffer(bytes_, kind, count, at))
            at += columns[-1].nbytes
        terms, frequencies, starts, lengths = columns
        return StoredText(
            document,
            tuple(_segment(document, *fields) for fields in head["segments"]),
            tuple(head["terms"]),
            Postings(terms, frequencies, starts, lengths),
            head["total"],
            head["pages"],
            head["read_at"],
            tuple(head["warnings"]),
        )
    except (zlib.error, ValueError, KeyError, TypeError) as error:
        raise Damaged(type(error).__name__) from None


def _segment(
    document: Document,
    segment_id: str,
    position: int,
    text: str,
    question: str,
    read_at: float,
    heading: str = "",
) -> Segment:
    content_hash = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return Segment(document, segment_id, position, text, question, content_hash, read_at, heading)


def packed_document(document: Document) -> str:
    """What a list tells of a document, as JSON."""
    fields = {
        "name": document.name,
        "dataset_name": document.dataset_name,
        "version": document.version,
        "word_count": document.word_count,
        "usable": document.usable,
        "created_at": document.created_at,
        "metadata": dict(document.metadata),
        "read_at": document.read_at,
        "revision": document.revision,
    }
    return json.dumps(fields, default=str)


def unpacked_document(dataset_id: str, document_id: str, stored: str) -> Document:
    """Raises Damaged."""
    try:
        fields: Mapping[str, Any] = json.loads(stored)
        return Document(dataset_id=dataset_id, document_id=document_id, **fields)
    except (ValueError, TypeError) as error:
        raise Damaged(type(error).__name__) from None
