"""The index on disk, in an SQLite file: it survives restarts, and the processes of a machine share it."""

import json
import sqlite3
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass

from evidence.model import Dataset, Document
from evidence.store import disk_vectors
from evidence.store.database import Database
from evidence.store.disk_parts import add_part, dissolve, ranking
from evidence.store.packing import Damaged, packed, packed_document, unpacked, unpacked_document
from evidence.store.port import IndexRanking, IndexState, SegmentVectors, StoredText

RANKED = 200  # segments, and documents by their names
_NAMED = 0.5  # of the best name's score: names that hold less of what is asked are not looked at
_NAMES = 40  # documents by their names, before those by their words
_UNREAD = 1_000  # documents that are given out to be read
_NO_TEXTS: Mapping[str, StoredText] = {}
_NO_STATES: Mapping[str, IndexState] = {}


@dataclass(frozen=True, slots=True)
class DiskStore:
    """The part of a file that belongs to one `scope`: a server, a key and an allow-list. `clock` is in Unix seconds."""

    database: Database
    scope: str
    clock: Callable[[], float] = time.time

    @property
    def home(self) -> str:
        return "disk"

    @property
    def working(self) -> bool:
        return self.database.working

    def warnings(self) -> tuple[str, ...]:
        return self.database.warnings()

    def building(self) -> AbstractContextManager[bool]:
        return self.database.alone(self.scope)

    def listed(self, dataset: Dataset, most: int) -> tuple[tuple[Document, ...], float] | None:
        own = (self.scope, dataset.dataset_id)

        def work(connection: sqlite3.Connection) -> tuple[tuple[Document, ...], float] | None:
            listing = connection.execute(
                "SELECT listed_at FROM datasets WHERE scope = ? AND dataset = ? AND version = ?",
                (*own, dataset.version),
            ).fetchone()
            if listing is None:
                return None
            rows = connection.execute(
                "SELECT document, record FROM documents WHERE scope = ? AND dataset = ? ORDER BY place LIMIT ?",
                (*own, most + 1),
            ).fetchall()
            if len(rows) > most:
                return None
            return tuple(unpacked_document(dataset.dataset_id, *row) for row in rows), listing[0]

        return self.database.read(work, None)

    def keep_list(self, dataset: Dataset, documents: Sequence[Document]) -> None:
        def work(connection: sqlite3.Connection) -> None:
            stored = self._versions(connection, dataset.dataset_id)
            versions = {document.document_id: document.version for document in documents}
            gone = [row[0] for key, row in stored.items() if versions.get(key) != row[1]]
            connection.executemany("DELETE FROM documents WHERE number = ?", ((number,) for number in gone))
            for place, document in enumerate(documents):
                number, version, before = stored.get(document.document_id, (0, None, 0))
                if version != document.version:
                    self._add(connection, document, place)
                elif before != place:
                    connection.execute("UPDATE documents SET place = ? WHERE number = ?", (place, number))
            if gone:
                disk_vectors.clean(connection, (self.scope, dataset.dataset_id))
            connection.execute(
                "INSERT OR REPLACE INTO datasets VALUES (?, ?, ?, ?)",
                (self.scope, dataset.dataset_id, dataset.version, self.clock()),
            )

        self.database.write(work, None)

    def texts(self, documents: Sequence[Document]) -> Mapping[str, StoredText]:
        requested = {document.document_id: document for document in documents}

        def work(connection: sqlite3.Connection) -> Mapping[str, StoredText]:
            texts: dict[str, StoredText] = {}
            for dataset_id, document_id, version, body in self._stored(connection, documents):
                document = requested[document_id]
                if (document.dataset_id, document.version) == (dataset_id, version):
                    with suppress(Damaged):  # it is read again, and kept in its place
                        texts[document_id] = unpacked(body, document)
            return texts

        return self.database.read(work, _NO_TEXTS) if requested else _NO_TEXTS

    def _stored(
        self, connection: sqlite3.Connection, documents: Sequence[Document]
    ) -> Iterable[tuple[str, str, str, bytes]]:
        by_dataset: dict[str, list[str]] = {}
        for document in documents:
            by_dataset.setdefault(document.dataset_id, []).append(document.document_id)
        for dataset_id, document_ids in by_dataset.items():
            yield from connection.execute(
                "SELECT dataset, document, version, body FROM documents JOIN texts USING (number)"
                " WHERE scope = ? AND dataset = ? AND document IN (SELECT value FROM json_each(?))",
                (self.scope, dataset_id, json.dumps(document_ids)),
            )

    def keep(self, texts: Sequence[StoredText]) -> bool:
        rows = [(text, packed(text)) for text in texts]

        def work(connection: sqlite3.Connection) -> bool:
            for text, body in rows:
                place = self._delete(connection, text.document)
                number = self._add(connection, text.document, place)
                connection.execute(
                    "UPDATE documents SET read_at = ?, characters = ?, size = ? WHERE number = ?",
                    (text.read_at, text.characters, len(body), number),
                )
                connection.execute("INSERT INTO texts VALUES (?, ?)", (number, body))
            return True

        return self.database.write(work, otherwise=False)

    def unread(self, dataset_id: str, before: float, skipped: int = 0) -> tuple[Document, ...]:
        def work(connection: sqlite3.Connection) -> tuple[Document, ...]:
            rows = connection.execute(
                "SELECT document, record FROM documents WHERE scope = ? AND dataset = ? AND usable"
                " AND (read_at IS NULL OR read_at < ?) ORDER BY place LIMIT ? OFFSET ?",
                (self.scope, dataset_id, before, _UNREAD, skipped),
            )
            return tuple(unpacked_document(dataset_id, *row) for row in rows)

        return self.database.read(work, ())

    def arrange(self, dataset_id: str) -> bool:
        self.database.write(lambda connection: dissolve(connection, self.scope, dataset_id), None)
        return self.database.write(
            lambda connection: add_part(connection, self.scope, dataset_id), otherwise=False
        )

    def ranked(self, dataset: Dataset, weights: Mapping[str, float]) -> IndexRanking | None:
        owner = (self.scope, dataset.dataset_id)

        def work(connection: sqlite3.Connection) -> IndexRanking | None:
            rankings = ranking(connection, owner, weights, RANKED)
            if rankings is None:
                return None
            by_words, by_names = rankings
            firsts = list(dict.fromkeys(by_words.documents.tolist()))
            named = by_names.documents[by_names.scores >= _NAMED * by_names.scores.max(initial=0.0)].tolist()
            numbers = list(dict.fromkeys((*named[:_NAMES], *firsts)))
            known = self._numbered(connection, numbers)
            listed = connection.execute(
                "SELECT version FROM datasets WHERE scope = ? AND dataset = ?", owner
            ).fetchone()
            triples = zip(
                by_words.documents.tolist(), by_words.places.tolist(), by_words.scores.tolist(), strict=True
            )
            segments = (
                (known[number].document_id, place, score)
                for number, place, score in triples
                if number in known
            )
            documents = tuple(known[number] for number in numbers if number in known)
            return IndexRanking(documents, tuple(segments), listed == (dataset.version,))

        return self.database.read(work, None) if weights else None

    def _numbered(self, connection: sqlite3.Connection, numbers: Sequence[int]) -> dict[int, Document]:
        rows = connection.execute(
            "SELECT number, dataset, document, record FROM documents"
            " WHERE usable AND number IN (SELECT value FROM json_each(?))",
            (json.dumps(numbers),),
        )
        return {number: unpacked_document(*fields) for number, *fields in rows}

    def unembedded(self, dataset_id: str, model: str) -> tuple[Document, ...]:
        owner = (self.scope, dataset_id)
        return self.database.read(lambda connection: disk_vectors.unembedded(connection, owner, model), ())

    def vectors(
        self, documents: Sequence[Document], model: str, *, current: bool = True
    ) -> dict[str, SegmentVectors]:
        def work(connection: sqlite3.Connection) -> dict[str, SegmentVectors]:
            return {
                document_id: vectors
                for dataset_id in dict.fromkeys(document.dataset_id for document in documents)
                for document_id, vectors in disk_vectors.vectors(
                    connection, (self.scope, dataset_id), documents, model, current=current
                ).items()
            }

        none: dict[str, SegmentVectors] = {}
        return self.database.read(work, none)

    def keep_vectors(self, document: Document, model: str, vectors: SegmentVectors) -> bool:
        owner = (self.scope, document.dataset_id)
        return self.database.write(
            lambda connection: disk_vectors.keep(connection, owner, document, model, vectors), otherwise=False
        )

    def forget(self, document: Document) -> None:
        def work(connection: sqlite3.Connection) -> None:
            own = (self.scope, document.dataset_id, document.document_id)
            connection.execute(
                "UPDATE documents SET version = '', read_at = NULL, characters = 0, size = 0"
                " WHERE scope = ? AND dataset = ? AND document = ?",
                own,
            )

        self.database.write(work, None)

    def states(self) -> Mapping[str, IndexState]:
        def work(connection: sqlite3.Connection) -> Mapping[str, IndexState]:
            rows = connection.execute(
                "SELECT dataset, sum(usable), count(read_at), ifnull(sum(characters), 0), ifnull(sum(size), 0),"
                " ifnull((SELECT listed_at FROM datasets WHERE scope = ? AND datasets.dataset = documents.dataset), 0),"
                " ifnull(min(read_at), 0) FROM documents WHERE scope = ? GROUP BY dataset",
                (self.scope, self.scope),
            )
            return {dataset_id: IndexState(*values) for dataset_id, *values in rows}

        return self.database.read(work, _NO_STATES)

    def drop(self, dataset_id: str = "") -> bool:
        def work(connection: sqlite3.Connection) -> bool:
            chosen = (self.scope, dataset_id, dataset_id)
            connection.execute("DELETE FROM documents WHERE scope = ? AND (? = '' OR dataset = ?)", chosen)
            connection.execute("DELETE FROM parts WHERE scope = ? AND (? = '' OR dataset = ?)", chosen)
            connection.execute("DELETE FROM vectors WHERE scope = ? AND (? = '' OR dataset = ?)", chosen)
            connection.execute("DELETE FROM datasets WHERE scope = ? AND (? = '' OR dataset = ?)", chosen)
            return True

        removed = self.database.write(work, otherwise=False)
        if removed:
            self.database.compact()
        return removed

    def _delete(self, connection: sqlite3.Connection, document: Document) -> int:
        """The place in the list of its dataset that the document had."""
        row = connection.execute(
            "DELETE FROM documents WHERE scope = ? AND dataset = ? AND document = ? RETURNING place",
            (self.scope, document.dataset_id, document.document_id),
        ).fetchone()
        return int(row[0]) if row else 0

    def _add(self, connection: sqlite3.Connection, document: Document, place: int) -> int:
        """The number of the row of a document, without its text yet."""
        own = (self.scope, document.dataset_id, document.document_id)
        cursor = connection.execute(
            "INSERT INTO documents (scope, dataset, document, version, record, place, usable)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            (*own, document.version, packed_document(document), place, document.usable),
        )
        return cursor.lastrowid or 0

    def _versions(self, connection: sqlite3.Connection, dataset_id: str) -> dict[str, tuple[int, str, int]]:
        rows = connection.execute(
            "SELECT document, number, version, place FROM documents WHERE scope = ? AND dataset = ?",
            (self.scope, dataset_id),
        )
        return {document: row for document, *row in rows}
