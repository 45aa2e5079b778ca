"""Vectors on disk, a row a document. They outlive a text that is read again, so that nothing is embedded twice."""

import json
import sqlite3
from collections.abc import Sequence

import numpy as np

from evidence.model import Document
from evidence.store.packing import Damaged, unpacked_document
from evidence.store.port import SegmentVectors

_KEY = 16  # bytes

type Owner = tuple[str, str]  # scope and dataset


def unembedded(connection: sqlite3.Connection, owner: Owner, model: str) -> tuple[Document, ...]:
    rows = connection.execute(
        "SELECT document, record FROM documents LEFT JOIN vectors AS v USING (scope, dataset, document)"
        " WHERE scope = ? AND dataset = ? AND documents.read_at IS NOT NULL"
        " AND (v.model IS NULL OR v.model != ? OR v.read_at != documents.read_at) ORDER BY place",
        (*owner, model),
    )
    return tuple(unpacked_document(owner[1], *row) for row in rows)


def vectors(
    connection: sqlite3.Connection, owner: Owner, documents: Sequence[Document], model: str, *, current: bool
) -> dict[str, SegmentVectors]:
    rows = connection.execute(
        "SELECT document, keys, rows FROM vectors JOIN documents AS d USING (scope, dataset, document)"
        " WHERE scope = ? AND dataset = ? AND model = ? AND (NOT ? OR d.read_at = vectors.read_at)"
        " AND document IN (SELECT value FROM json_each(?))",
        (*owner, model, current, json.dumps([document.document_id for document in documents])),
    )
    return {document_id: _vectors(keys, values) for document_id, keys, values in rows}


def _vectors(keys: bytes, values: bytes) -> SegmentVectors:
    """Raises Damaged."""
    count = len(keys) // _KEY
    if len(keys) % _KEY or (len(values) % count if count else values):
        raise Damaged("vectors")
    parted = tuple(keys[at : at + _KEY] for at in range(0, len(keys), _KEY))
    return SegmentVectors(parted, np.frombuffer(values, np.int8).reshape(count, -1 if count else 0))


def keep(
    connection: sqlite3.Connection, owner: Owner, document: Document, model: str, made: SegmentVectors
) -> bool:
    own = (*owner, document.document_id)
    connection.execute("DELETE FROM vectors WHERE scope = ? AND dataset = ? AND document = ?", own)
    inserted = connection.execute(
        "INSERT INTO vectors SELECT scope, dataset, document, ?, read_at, ?, ? FROM documents"
        " WHERE scope = ? AND dataset = ? AND document = ? AND read_at IS NOT NULL",
        (model, b"".join(made.keys), made.rows.tobytes(), *own),
    )
    return inserted.rowcount == 1


def clean(connection: sqlite3.Connection, owner: Owner) -> None:
    """Drop the vectors of documents that are listed no more."""
    connection.execute(
        "DELETE FROM vectors WHERE scope = ? AND dataset = ? AND document NOT IN"
        " (SELECT document FROM documents WHERE scope = ? AND dataset = ?)",
        (*owner, *owner),
    )
