"""The words of a base in parts on disk: they rank documents of any number, and are read as far as a question needs."""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from itertools import batched

import numpy as np

from evidence.index.names import name_terms
from evidence.index.parts import NAME, POSTINGS, SEGMENTS, IndexedWords, Part, PartScores, made, scored
from evidence.store.packing import unpacked, unpacked_document

SCHEMA = """
CREATE TABLE IF NOT EXISTS parts (
  part INTEGER PRIMARY KEY AUTOINCREMENT, scope TEXT, dataset TEXT, documents BLOB, firsts BLOB, lengths BLOB,
  postings INTEGER);
CREATE INDEX IF NOT EXISTS owned ON parts (scope, dataset);
CREATE TABLE IF NOT EXISTS postings (part INTEGER, term TEXT, places BLOB, PRIMARY KEY (part, term)) WITHOUT ROWID;
CREATE TRIGGER IF NOT EXISTS dissolved AFTER DELETE ON parts BEGIN
  UPDATE documents SET part = NULL WHERE part = OLD.part; DELETE FROM postings WHERE part = OLD.part; END;
"""
_SMALL = 4  # a part with less than a quarter of what it may hold is put together with others again
_AT_ONCE = 200  # terms in one statement


def dissolve(connection: sqlite3.Connection, scope: str, dataset_id: str) -> None:
    """Take small parts apart, and those of which half is gone: their documents go into the next ones."""
    parts = connection.execute(
        "SELECT part, length(documents) / 8, length(lengths) / 4, postings,"
        " (SELECT count(*) FROM documents WHERE documents.part = parts.part)"
        " FROM parts WHERE scope = ? AND dataset = ?",
        (scope, dataset_id),
    ).fetchall()
    small = {
        part for part, _, size, terms, _ in parts if _SMALL * size < SEGMENTS and _SMALL * terms < POSTINGS
    }
    gone = {part for part, documents, _, _, there in parts if 2 * there < documents}
    again = small if len(small) > 1 or _waiting(connection, scope, dataset_id) else set()
    connection.executemany("DELETE FROM parts WHERE part = ?", ((part,) for part in again | gone))


def _waiting(connection: sqlite3.Connection, scope: str, dataset_id: str) -> list[tuple[int, str, str]]:
    return connection.execute(
        "SELECT number, document, record FROM documents"
        " WHERE scope = ? AND dataset = ? AND part IS NULL AND read_at IS NOT NULL ORDER BY number LIMIT ?",
        (scope, dataset_id, SEGMENTS),
    ).fetchall()


def add_part(connection: sqlite3.Connection, scope: str, dataset_id: str) -> bool:
    """Put the words of documents that are in no part into one more; whether there were any."""
    words: list[IndexedWords] = []
    segments = postings = 0
    for number, document_id, record in _waiting(connection, scope, dataset_id):
        document = unpacked_document(dataset_id, document_id, record)
        body = connection.execute("SELECT body FROM texts WHERE number = ?", (number,)).fetchone()
        text = unpacked(body[0], document)
        segments, postings = segments + len(text.segments), postings + len(text.postings.terms)
        words.append(IndexedWords(number, text.terms, text.postings, name_terms(document.name)))
        if segments >= SEGMENTS or postings >= POSTINGS:
            break
    if not words:
        return False
    part, by_term = made(words)
    columns = (part.documents.tobytes(), part.firsts.tobytes(), part.lengths.tobytes())
    own = connection.execute(
        "INSERT INTO parts (scope, dataset, documents, firsts, lengths, postings) VALUES (?, ?, ?, ?, ?, ?)",
        (scope, dataset_id, *columns, postings),
    ).lastrowid
    connection.executemany(
        "INSERT INTO postings VALUES (?, ?, ?)", ((own, term, places) for term, places in by_term)
    )
    connection.executemany(
        "UPDATE documents SET part = ? WHERE number = ?", ((own, document.number) for document in words)
    )
    return True


def ranking(
    connection: sqlite3.Connection, owner: tuple[str, str], weights: Mapping[str, float], most: int
) -> tuple[PartScores, PartScores] | None:
    """The best segments of a base by their words, and its documents by their names; None where it has no parts."""
    rows = connection.execute(
        "SELECT part, documents, firsts, lengths FROM parts WHERE scope = ? AND dataset = ? ORDER BY part",
        owner,
    ).fetchall()
    if not rows:
        return None
    parts = [
        Part(
            np.frombuffer(documents, np.int64),
            np.frombuffer(firsts, np.int32),
            np.frombuffer(lengths, np.int32),
        )
        for _, documents, firsts, lengths in rows
    ]
    names = {NAME + term: weight for term, weight in weights.items()}
    postings = _postings(connection, [row[0] for row in rows], [*weights, *names])
    return scored(parts, postings, weights, most), scored(parts, postings, names, most)


def _postings(
    connection: sqlite3.Connection, parts: Sequence[int], terms: Sequence[str]
) -> dict[tuple[int, str], bytes]:
    at = {part: place for place, part in enumerate(parts)}
    postings: dict[tuple[int, str], bytes] = {}
    for some in batched(terms, _AT_ONCE):
        rows = connection.execute(
            "SELECT part, term, places FROM postings WHERE part IN (SELECT value FROM json_each(?))"
            " AND term IN (SELECT value FROM json_each(?))",
            (json.dumps(parts), json.dumps(some)),
        )
        postings |= {(at[part], term): places for part, term, places in rows}
    return postings
