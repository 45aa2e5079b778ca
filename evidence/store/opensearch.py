"""The index in OpenSearch, for bases and fleets that outgrow one machine: a few REST calls, and no script.

Documents with their texts, segments with their words, vectors, and when each dataset was listed. Everything bears its
scope (a server, a key and an allow-list), and every query filters by it.
"""

import base64
import hashlib
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from evidence.errors import EvidenceError
from evidence.http.failures import IndexRefused
from evidence.index.names import name_terms
from evidence.model import Dataset, Document
from evidence.store.packing import Damaged, packed, packed_document, unpacked, unpacked_document
from evidence.store.port import IndexRanking, IndexState, SegmentVectors, StoredText
from evidence.store.search_server import PAGE, Action, Row, SearchServer, alias, deleting, writing

RANKED = 200  # segments
_NAMED = 40  # documents by their names, before those by their words
_LEASE = 300.0  # seconds after which a builder that was killed no longer counts
_KEY = 16  # bytes of the key of a vector
_NO_TEXTS: Mapping[str, StoredText] = {}
_NO_STATES: Mapping[str, IndexState] = {}


@dataclass(slots=True)
class _Health:
    """What is wrong with the server now, and once what was."""

    warning: str = ""
    notice: str = ""


@dataclass(frozen=True, slots=True)
class OpenSearchStore:
    """The part of an index server that belongs to one `scope`. Thread-safe; `clock` is in Unix seconds."""

    server: SearchServer
    scope: str
    clock: Callable[[], float] = time.time
    health: _Health = field(default_factory=_Health)

    @property
    def home(self) -> str:
        return "opensearch"

    @property
    def working(self) -> bool:
        return not self.health.warning

    def warnings(self) -> tuple[str, ...]:
        notice, self.health.notice = self.health.notice, ""
        return tuple(filter(None, dict.fromkeys((self.health.warning, notice))))

    @contextmanager
    def building(self) -> Iterator[bool]:
        inside = self._run(self._locked, otherwise=False)
        try:
            yield inside
        finally:
            if inside:
                self._run(lambda: self.server.send("DELETE", f"{alias('builders')}/_doc/{self.scope}"), None)

    def _locked(self) -> bool:
        """Whether the lock is ours now: it was free, or its holder is long gone."""
        path, until = f"{alias('builders')}/_doc/{self.scope}", {"until": self.clock() + _LEASE}
        if self._put(f"{alias('builders')}/_create/{self.scope}", until, {}):
            return True
        holder = self.server.send("GET", path)
        if holder["_source"]["until"] > self.clock():
            return False
        seen = {"if_seq_no": str(holder["_seq_no"]), "if_primary_term": str(holder["_primary_term"])}
        return self._put(path, until, seen)

    def _put(self, path: str, row: Row, seen: Mapping[str, str]) -> bool:
        """Whether it was written: not where another one was faster."""
        try:
            self.server.send("PUT", path, row, seen)
        except IndexRefused as refused:
            if refused.status != 409:
                raise
            return False
        return True

    def listed(self, dataset: Dataset, most: int) -> tuple[tuple[Document, ...], float] | None:
        def work() -> tuple[tuple[Document, ...], float] | None:
            listing = self.server.rows("datasets", [self._key(dataset.dataset_id)])[0]
            if listing is None or listing["version"] != dataset.version:
                return None
            rows = self._listed_rows(dataset.dataset_id, {}, most + 1)
            if len(rows) > most:
                return None
            return tuple(_document(dataset.dataset_id, row) for row in rows), listing["listed_at"]

        return self._run(work, None)

    def _listed_rows(self, dataset_id: str, more: Row, most: int, skipped: int = 0) -> list[Row]:
        query = {**self._owned(dataset_id), **more}
        paging = {"size": most, "from": skipped, "sort": ["place", "document"]}
        return [
            hit["_source"] for hit in self.server.hits("documents", query, ["document", "record"], paging)
        ]

    def keep_list(self, dataset: Dataset, documents: Sequence[Document]) -> None:
        dataset_id = dataset.dataset_id

        def work() -> None:
            rows = self.server.all("documents", self._owned(dataset_id), ["version", "count", "place"])
            stored = {row["document"]: row for row in rows}
            there = {document.document_id: document.version for document in documents}
            gone = [row for key, row in stored.items() if there.get(key) != row["version"]]
            actions = [action for row in gone for action in self._deletions(dataset_id, row)]
            actions += [
                deleting("vectors", self._key(dataset_id, row["document"]))
                for row in gone
                if row["document"] not in there
            ]
            actions += [
                writing("documents", self._key(dataset_id, document.document_id), self._row(document, place))
                for place, document in enumerate(documents)
                if stored.get(document.document_id, {}).get("version") != document.version
            ]
            listing = {"scope": self.scope, "dataset": dataset_id, "version": dataset.version}
            listing_row = listing | {"listed_at": self.clock()}
            self.server.bulk([*actions, writing("datasets", self._key(dataset_id), listing_row)])
            self.server.refresh()

        self._run(work, None)

    def texts(self, documents: Sequence[Document]) -> Mapping[str, StoredText]:
        def work() -> Mapping[str, StoredText]:
            texts: dict[str, StoredText] = {}
            rows = self.server.rows("documents", self._keys(documents), ["version", "body"])
            for document, row in zip(documents, rows, strict=True):
                if row and row["version"] == document.version and row.get("body"):
                    texts[document.document_id] = unpacked(base64.b64decode(row["body"]), document)
            return texts

        return self._run(work, _NO_TEXTS) if documents else _NO_TEXTS

    def keep(self, texts: Sequence[StoredText]) -> bool:
        def work() -> bool:
            keys = self._keys([text.document for text in texts])
            before = self.server.rows("documents", keys, ["place", "count"])
            for text, key, row in zip(texts, keys, before, strict=True):
                self.server.bulk(self._storing(text, key, row or {}))
            return True

        return self._run(work, otherwise=False)

    def _storing(self, text: StoredText, key: str, before: Row) -> Iterator[Action]:
        """The segments, and then the document that says that they are there; more of an earlier text are deleted."""
        document, body, postings = text.document, packed(text), text.postings
        owner = self._owner(document)
        for place in range(len(text.segments)):
            numbers, counts = postings.row(place)
            terms = zip(numbers.tolist(), counts.tolist(), strict=True)
            words = " ".join(text.terms[number] for number, count in terms for _ in range(count))
            yield writing("segments", f"{key}-{place}", owner | {"place": place, "words": words})
        for place in range(len(text.segments), before.get("count") or 0):
            yield deleting("segments", f"{key}-{place}")
        row = self._row(document, before.get("place") or 0)
        row |= {"read_at": text.read_at, "characters": text.characters, "size": len(body)}
        yield writing("documents", key, row | {"count": len(text.segments), "body": _written(body)})

    def unread(self, dataset_id: str, before: float, skipped: int = 0) -> tuple[Document, ...]:
        def work() -> tuple[Document, ...]:
            self.server.refresh()
            more = {
                "must": [{"term": {"usable": True}}],
                "must_not": [{"range": {"read_at": {"gte": before}}}],
            }
            rows = self._listed_rows(dataset_id, more, PAGE, skipped)
            return tuple(_document(dataset_id, row) for row in rows)

        return self._run(work, ())

    def arrange(self, dataset_id: str) -> bool:  # noqa: ARG002 - segments are ranked as soon as they are stored
        self._run(self.server.refresh, None)
        return False

    def ranked(self, dataset: Dataset, weights: Mapping[str, float]) -> IndexRanking | None:
        dataset_id = dataset.dataset_id

        def work() -> IndexRanking | None:
            listing = self.server.rows("datasets", [self._key(dataset_id)])[0]
            if listing is None:
                return None
            by_words = self._scored("segments", "words", dataset_id, weights, RANKED)
            by_names = self._scored("documents", "names", dataset_id, weights, _NAMED)
            ids = list(dict.fromkeys(row["document"] for row, _ in (*by_names, *by_words)))
            rows = self.server.rows("documents", [self._key(dataset_id, each_id) for each_id in ids])
            known = {row["document"]: _document(dataset_id, row) for row in rows if row and row["usable"]}
            segments = tuple((row["document"], row["place"], score) for row, score in by_words)
            documents = tuple(known[each_id] for each_id in ids if each_id in known)
            return IndexRanking(documents, segments, listing["version"] == dataset.version)

        return self._run(work, None) if weights else None

    def _scored(
        self, name: str, words: str, dataset_id: str, weights: Mapping[str, float], most: int
    ) -> list[tuple[Row, float]]:
        terms = [
            {"term": {words: {"value": term, "boost": weight}}}
            for term, weight in weights.items()
            if weight > 0
        ]
        query = self._owned(dataset_id) | {"should": terms, "minimum_should_match": 1}
        hits = self.server.hits(name, query, ["document", "place"], {"size": most})
        return [(hit["_source"], float(hit["_score"])) for hit in hits]

    def unembedded(self, dataset_id: str, model: str) -> tuple[Document, ...]:
        def work() -> tuple[Document, ...]:
            self.server.refresh()
            owned = self._owned(dataset_id)
            made = {
                row["document"]: (row["model"], row["read_at"])
                for row in self.server.all("vectors", owned, ["model", "read_at"])
            }
            rows = self.server.all("documents", owned, ["record", "read_at"])
            lacking = [
                row
                for row in rows
                if row.get("read_at") and made.get(row["document"]) != (model, row["read_at"])
            ]
            return tuple(_document(dataset_id, row) for row in lacking)

        return self._run(work, ())

    def vectors(
        self, documents: Sequence[Document], model: str, *, current: bool = True
    ) -> dict[str, SegmentVectors]:
        def work() -> dict[str, SegmentVectors]:
            keys = self._keys(documents)
            made, texts = self.server.rows("vectors", keys), self.server.rows("documents", keys, ["read_at"])
            return {
                document.document_id: _vectors(row)
                for document, row, text in zip(documents, made, texts, strict=True)
                if row and row["model"] == model
                if not current or (text and text.get("read_at") == row["read_at"])
            }

        none: dict[str, SegmentVectors] = {}
        return self._run(work, none) if documents else none

    def keep_vectors(self, document: Document, model: str, vectors: SegmentVectors) -> bool:
        def work() -> bool:
            key = self._keys([document])[0]
            text = self.server.rows("documents", [key], ["read_at"])[0]
            if not text or not text.get("read_at"):
                return False
            row = self._owner(document) | {"model": model, "read_at": text["read_at"]}
            row |= {"keys": _written(b"".join(vectors.keys)), "rows": _written(vectors.rows.tobytes())}
            self.server.bulk([writing("vectors", key, row)])
            return True

        return self._run(work, otherwise=False)

    def forget(self, document: Document) -> None:
        def work() -> None:
            key = self._keys([document])[0]
            before = self.server.rows("documents", [key], ["place", "count"])[0]
            if before is not None:
                row = self._row(document, before.get("place") or 0) | {"version": ""}
                gone = self._deletions(document.dataset_id, {**before, "document": document.document_id})
                self.server.bulk([*gone, writing("documents", key, row)])

        self._run(work, None)

    def states(self) -> Mapping[str, IndexState]:
        def work() -> Mapping[str, IndexState]:
            self.server.refresh()
            body = {"query": {"bool": self._owned("")}, "size": 0, "aggs": {"groups": _GROUPS}}
            answer = self.server.send("POST", f"{alias('documents')}/_search", body)
            buckets = answer["aggregations"]["groups"]["buckets"]
            listings = self.server.rows("datasets", [self._key(bucket["key"]) for bucket in buckets])
            pairs = zip(buckets, listings, strict=True)
            return {bucket["key"]: _state(bucket, listing) for bucket, listing in pairs}

        return self._run(work, _NO_STATES)

    def drop(self, dataset_id: str = "") -> bool:
        def work() -> bool:
            self.server.refresh()
            for name in ("segments", "vectors", "documents", "datasets"):
                self.server.remove(name, self._owned(dataset_id))
            return True

        return self._run(work, otherwise=False)

    def _run[R](self, work: Callable[[], R], otherwise: R) -> R:
        """What the work gives, or `otherwise` where the server fails."""
        try:
            self.server.prepare()
            result = work()
        except (EvidenceError, Damaged, KeyError, TypeError, ValueError) as error:
            why = (
                str(error)
                if isinstance(error, EvidenceError)
                else "the index server answered in another form"
            )
            self.health.warning = self.health.notice = f"index: {why}; what is read is kept in memory"
            return otherwise
        self.health.warning = ""
        return result

    def _owned(self, dataset_id: str) -> dict[str, Any]:
        owner = {"scope": self.scope} | ({"dataset": dataset_id} if dataset_id else {})
        return {"filter": [{"term": {name: value}} for name, value in owner.items()]}

    def _owner(self, document: Document) -> dict[str, Any]:
        return {"scope": self.scope, "dataset": document.dataset_id, "document": document.document_id}

    def _row(self, document: Document, place: int) -> dict[str, Any]:
        return self._owner(document) | {
            "version": document.version,
            "record": _written(packed_document(document).encode()),
            "place": place,
            "usable": document.usable,
            "names": " ".join(sorted(name_terms(document.name))),
        }

    def _deletions(self, dataset_id: str, row: Row) -> Iterator[Action]:
        key = self._key(dataset_id, row["document"])
        yield deleting("documents", key)
        for place in range(row.get("count") or 0):
            yield deleting("segments", f"{key}-{place}")

    def _keys(self, documents: Sequence[Document]) -> list[str]:
        return [self._key(document.dataset_id, document.document_id) for document in documents]

    def _key(self, *ids: str) -> str:
        return hashlib.sha256(json.dumps([self.scope, *ids]).encode()).hexdigest()[:40]


_GROUPS: Row = {
    "terms": {"field": "dataset", "size": 10_000},
    "aggs": {
        "usable": {"filter": {"term": {"usable": True}}},
        "read": {"filter": {"exists": {"field": "read_at"}}},
        "characters": {"sum": {"field": "characters"}},
        "size": {"sum": {"field": "size"}},
        "oldest": {"min": {"field": "read_at"}},
    },
}


def _state(bucket: Row, listing: Row | None) -> IndexState:
    return IndexState(
        bucket["usable"]["doc_count"],
        bucket["read"]["doc_count"],
        int(bucket["characters"]["value"]),
        int(bucket["size"]["value"]),
        listing["listed_at"] if listing else 0.0,
        bucket["oldest"]["value"] or 0.0,
    )


def _written(content: bytes) -> str:
    return base64.b64encode(content).decode("ascii")


def _document(dataset_id: str, row: Row) -> Document:
    return unpacked_document(dataset_id, row["document"], base64.b64decode(row["record"]).decode())


def _vectors(row: Row) -> SegmentVectors:
    keys, values = base64.b64decode(row["keys"]), base64.b64decode(row["rows"])
    count = len(keys) // _KEY
    parted = tuple(keys[at : at + _KEY] for at in range(0, len(keys), _KEY))
    return SegmentVectors(parted, np.frombuffer(values, np.int8).reshape(count, -1 if count else 0))
