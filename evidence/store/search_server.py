"""The few REST calls of OpenSearch that an index needs, over our own bounded client."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evidence.http.client import Client
from evidence.http.failures import IndexRefused
from evidence.store.port import FORMAT

PAGE = 1_000  # rows of one page of a list
_BULK = 500  # actions in one request
_KEYWORD, _BYTES, _MOMENT = {"type": "keyword"}, {"type": "binary"}, {"type": "double"}
_WORDS = {"type": "text", "analyzer": "whitespace"}
_OWNED = {"scope": _KEYWORD, "dataset": _KEYWORD, "document": _KEYWORD, "place": {"type": "integer"}}
_FIELDS: Mapping[str, Mapping[str, Any]] = {
    "datasets": _OWNED | {"version": _KEYWORD, "listed_at": _MOMENT},
    "documents": _OWNED
    | {name: {"type": "long"} for name in ("count", "characters", "size")}
    | {"version": _KEYWORD, "record": _BYTES, "body": _BYTES, "names": _WORDS}
    | {"usable": {"type": "boolean"}, "read_at": _MOMENT},
    "segments": _OWNED | {"words": _WORDS},
    "vectors": _OWNED | {"model": _KEYWORD, "read_at": _MOMENT, "keys": _BYTES, "rows": _BYTES},
    "builders": {"until": _MOMENT},
}

type Row = Mapping[str, Any]
type Action = tuple[Row, Row | None]
"""What is done to a row, and the row where one is written."""


@dataclass(frozen=True, slots=True)
class SearchServer:
    """An index server at one address. Raises EvidenceError, of which IndexRefused bears the status."""

    client: Client
    ready: set[str] = field(default_factory=set)

    def send(
        self, method: str, path: str, body: Row | None = None, params: Mapping[str, str] | None = None
    ) -> Any:  # noqa: ANN401 - JSON is Any
        return self.client.send(method, path, [body] if body is not None else [], params)

    def prepare(self) -> None:
        """Make the indices that are not there."""
        for name in _FIELDS.keys() - self.ready:
            body = {"mappings": {"dynamic": False, "properties": _FIELDS[name]}, "aliases": {alias(name): {}}}
            try:
                self.send("PUT", f"{alias(name)}-1", body)
            except IndexRefused as refused:
                if refused.status != 400:  # it is there
                    raise
            self.ready.add(name)

    def bulk(self, actions: Iterable[Action]) -> None:
        """Do all of it; that there is nothing to delete is no failure."""
        todo = list(actions)
        for at in range(0, len(todo), _BULK):
            lines = [line for action in todo[at : at + _BULK] for line in action if line is not None]
            answer = self.client.send("POST", "_bulk", lines)
            statuses = [entry["status"] for item in answer["items"] for entry in item.values()]
            failed = [status for status in statuses if status not in {200, 201, 404}]
            if failed:
                raise IndexRefused(f"{self.client.place} did not store what it was given", failed[0])

    def rows(self, name: str, keys: Sequence[str], fields: Sequence[str] = ()) -> list[Row | None]:
        """The rows of these keys, None for those that are not there."""
        rows: list[Row | None] = []
        for at in range(0, len(keys), _BULK):
            docs: list[Row] = [{"_id": key} for key in keys[at : at + _BULK]]
            if fields:
                docs = [{**entry, "_source": list(fields)} for entry in docs]
            answer = self.send("POST", f"{alias(name)}/_mget", {"docs": docs})
            rows += [entry["_source"] if entry.get("found") else None for entry in answer["docs"]]
        return rows

    def hits(self, name: str, query: Row, fields: Sequence[str], more: Row) -> list[Row]:
        """What a search finds; `more` are its other settings."""
        body = {"query": {"bool": query}, "_source": list(fields), "track_total_hits": False, **more}
        listed: list[Row] = self.send("POST", f"{alias(name)}/_search", body)["hits"]["hits"]
        return listed

    def all(self, name: str, query: Row, fields: Sequence[str]) -> Iterator[Row]:
        """All rows that a query finds, page by page."""
        more: dict[str, Any] = {"size": PAGE, "sort": ["document"]}
        while True:
            hits = self.hits(name, query, ["document", *fields], more)
            yield from (hit["_source"] for hit in hits)
            if len(hits) < PAGE:
                return
            more["search_after"] = hits[-1]["sort"]

    def remove(self, name: str, query: Row) -> None:
        """Delete all rows that a query finds, page by page (deletion by query is not part of every distribution)."""
        while hits := self.hits(name, query, ["scope"], {"size": PAGE, "sort": ["_doc"]}):
            self.bulk(({"delete": {"_index": alias(name), "_id": hit["_id"]}}, None) for hit in hits)
            self.send("POST", f"{alias(name)}/_refresh")
        self.send("POST", f"{alias(name)}/_forcemerge", None, {"only_expunge_deletes": "true"})

    def refresh(self) -> None:
        """Let searches see what was written."""
        self.send("POST", ",".join(map(alias, ("documents", "segments", "vectors"))) + "/_refresh")


def alias(name: str) -> str:
    """An index of the format of today."""
    return f"context-aware-retriever-{FORMAT}-{name}"


def writing(name: str, key: str, row: Row) -> Action:
    return {"index": {"_index": alias(name), "_id": key}}, row


def deleting(name: str, key: str) -> Action:
    return {"delete": {"_index": alias(name), "_id": key}}, None
