"""Admissions, what a query retrieves, and its stream of server-sent events."""

import json
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal
from uuid import NAMESPACE_OID, uuid4, uuid5

from pydantic import BaseModel, ConfigDict, Field, field_validator

from standalone.knowledge.agent.bases import AgentBase, AgentDocument, Node, moment
from standalone.knowledge.agent.errors import agent_refusal

_LIFE = 60.0  # seconds of an admission
_MOST_ITEMS = 20
_MOST_BYTES = 16_384  # of a query
_ENOUGH = 0.5  # a score from which on evidence counts
_NOTHING = "I could not find evidence for that query in the indexed retrieval projections."

type Mode = Literal["fast", "deep", "research"]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class AdmissionBody(_Strict):
    query: str = Field(max_length=16_000)
    mode: Mode | None = None
    active_document_ids: list[str] = Field([], alias="activeDocumentIds", max_length=100)
    active_entity_ids: list[str] = Field([], alias="activeEntityIds", max_length=100)
    session_id: str | None = Field(None, alias="sessionId")

    @field_validator("query")
    @classmethod
    def _is_a_question(cls, query: str) -> str:
        if not query.strip() or len(query.encode("utf-8", "surrogatepass")) > _MOST_BYTES:
            raise ValueError("a query is not blank and has at most 16,384 bytes")
        return query


@dataclass(frozen=True, slots=True)
class _Admission:
    base_id: str
    trace_id: str
    request: Mapping[str, Any]
    until: float


@dataclass(eq=False)
class Queries:
    """What outlives a change of the documents: admissions and query records. Thread-safe.

    With `bare` an answer has no evidence beside it; with `own_ids` evidence names nodes by other ids than the list of
    chunks does. `breaks` ends the next streams in an error after the answer has begun. `clock` is in seconds.
    """

    clock: Callable[[], float] = time.time
    own_ids: bool = False
    breaks: bool = False
    bare: bool = False
    _admitted: dict[str, _Admission] = field(default_factory=dict)
    _records: dict[str, tuple[str, Mapping[str, Any]]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def admit(self, base: AgentBase, body: AdmissionBody) -> dict[str, Any]:
        """A token for one base and trace, and what is to be sent with it."""
        request = {
            "query": body.query,
            "mode": body.mode or "fast",
            "activeDocumentIds": body.active_document_ids,
            "activeEntityIds": body.active_entity_ids,
            "knowledgeSpaceId": base.space_id,
        }
        token, trace = ".".join(secrets.token_urlsafe(24) for _ in range(3)), str(uuid4())
        until = self.clock() + _LIFE
        with self._lock:
            self._admitted[token] = _Admission(base.id, trace, request, until)
        return {
            "token": token,
            "trace_id": trace,
            "expires_at": moment(until),
            "operation_id": "createQuery",
            "url": "/v1/knowledge-fs/query-stream",
            "request": request,
        }

    def admitted(self, token: str, trace_id: str, body: Any) -> _Admission:
        """The admission of a token; raises Refusal unless all of it fits and is in time."""
        with self._lock:
            admission = self._admitted.get(token)
        if admission is None or self.clock() > admission.until:
            raise agent_refusal(401)
        if trace_id != admission.trace_id:
            raise agent_refusal(403)
        if body != admission.request:
            raise agent_refusal(400)
        return admission

    def stream(self, base: AgentBase, request: Mapping[str, Any]) -> bytes:
        """All events of one query, as they go over the wire."""
        run = str(uuid4())
        return b"".join(
            f"event: {name}\ndata: {json.dumps(data | {'traceId': run}, ensure_ascii=False)}\n\n".encode()
            for name, data in self._events(base, request, run)
        )

    def _events(
        self, base: AgentBase, request: Mapping[str, Any], run: str
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        found = _found(base, str(request["query"]))
        lines = [
            f"{number}. {' / '.join(node.section_path) or 'Document'}: {node.text}"
            for number, (_, node, _) in enumerate(found, 1)
        ]
        yield (
            "answer.delta",
            {"delta": "\n".join(["Retrieval evidence answer:", *lines]) if found else _NOTHING},
        )
        if self.breaks:
            yield "answer.error", {"error": "Query generation failed"}
            return
        items = [_item(*each, self._node_id(each[1])) for each in found]
        bundle = _bundle(request, run, items)
        with self._lock:
            self._records[run] = (base.id, bundle)
        metadata = {
            "generator": "hybrid-query",
            "mode": request["mode"],
            "evidenceBundle": bundle,
            "projectionSnapshot": _snapshot(base),
        }
        if found:
            metadata |= {"citations": [_citation(item) for item in items], "topScore": items[0]["score"]}
        metadata = {} if self.bare else metadata
        reason = "retrieval-evidence" if found else "no-retrieval-evidence"
        yield "answer.done", {"finishReason": reason, "metadata": metadata}

    def _node_id(self, node: Node) -> str:
        return str(uuid5(NAMESPACE_OID, node.id)) if self.own_ids else node.id

    def evidence(self, base: AgentBase, run: str) -> list[dict[str, Any]]:
        """What a query retrieved, with a placeholder for what is gone since; raises Refusal."""
        with self._lock:
            owner, bundle = self._records.get(run, ("", {}))
        if owner != base.id:
            raise agent_refusal(404)
        there = {document.file_id for document in base.documents if document.searchable}
        return [_row(run, item, there) for item in bundle["items"]]


def _found(base: AgentBase, query: str) -> list[tuple[AgentDocument, Node, float]]:
    """Chunks of available documents like the query, best first; one in twelve is a summary in its document's place."""
    index, units = base.dataset.text_index(), base.dataset.units
    best: dict[str, float] = {}
    for number, score in index.semantic(query, 3 * _MOST_ITEMS):
        if score > 0:
            best.setdefault(units[number][0].id, score)
    ranked = [
        (*base.by_segment[segment_id], score)
        for segment_id, score in best.items()
        if segment_id in base.by_segment
    ]
    found = [each for each in ranked if each[0].searchable and each[1].enabled][:_MOST_ITEMS]
    if len(found) >= 12:
        document, _, score = found[11]
        summaries = [node for node in document.nodes(document.revision) if node.kind == "summary"]
        found[11] = (document, summaries[0], score)
    return found


def _item(document: AgentDocument, node: Node, score: float, node_id: str) -> dict[str, Any]:
    start, end = node.offsets or (None, None)
    citation = {
        "documentAssetId": document.file_id,
        "documentVersion": document.revision,
        "artifactHash": document.content_hash,
        "sectionPath": list(node.section_path),
        **({"startOffset": start, "endOffset": end} if start is not None else {}),
    }
    rounded = round(score, 4)
    return {
        "nodeId": node_id,
        "text": node.text,
        "score": rounded,
        "scores": {"final": rounded, "retrieval": rounded},
        "citations": [citation],
        "conflicts": [],
        "freshness": {"status": "fresh"},
        "metadata": {"projectionIds": [], "sources": ["dense", "fts"]},
    }


def _bundle(request: Mapping[str, Any], run: str, items: list[dict[str, Any]]) -> dict[str, Any]:
    enough = any(item["score"] >= _ENOUGH for item in items)
    return {
        "id": str(uuid4()),
        "query": request["query"],
        "createdAt": moment(0),
        "traceId": run,
        "state": "answerable" if enough else "not-enough-evidence",
        "items": items,
        "missingEvidence": [] if items else [{"reason": "not-retrieved", "text": "", "metadata": {}}],
    }


def _snapshot(base: AgentBase) -> dict[str, Any]:
    """Which state of the index answered."""
    head = sum(document.revision for document in base.documents)
    publication = str(uuid5(NAMESPACE_OID, f"{base.id} {head}"))
    return {
        "publicationId": publication,
        "projectionVersion": 1,
        "headRevision": head,
        "fingerprint": publication,
    }


def _citation(item: Mapping[str, Any]) -> dict[str, Any]:
    first = item["citations"][0]
    return {
        "nodeId": item["nodeId"],
        "documentAssetId": first["documentAssetId"],
        "label": f"node:{item['nodeId']}",
        "sectionPath": first["sectionPath"],
        "projectionIds": [],
        "sources": item["metadata"]["sources"],
    }


def _row(run: str, item: Mapping[str, Any], there: set[str]) -> dict[str, Any]:
    first = item["citations"][0]
    gone = first["documentAssetId"] not in there
    return {
        "kind": "resource",
        "name": item["nodeId"],
        "path": f"/queries/{run}/evidence/{item['nodeId']}",
        "resource_type": "node",
        "target_id": item["nodeId"],
        "metadata": {
            "text": "Evidence unavailable" if gone else item["text"],
            "score": item["score"],
            "documentId": first["documentAssetId"],
            "documentVersion": first["documentVersion"],
            "sectionPath": first["sectionPath"],
            **({"reason": "document-deleted-or-unavailable"} if gone else {}),
        },
    }
