"""Routes, keys and bodies of the agent knowledge bases: from a request to an answer. Nothing is ever written."""

import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Literal
from urllib.parse import parse_qs

from pydantic import ValidationError

from standalone.knowledge.agent.bases import (
    PREFIX,
    AgentBase,
    AgentDocument,
    document_json,
    node_json,
    revisions_json,
)
from standalone.knowledge.agent.errors import agent_refusal, violated
from standalone.knowledge.agent.queries import AdmissionBody, Queries
from standalone.knowledge.api import Call, bearer, check_key
from standalone.knowledge.catalogue import StoredDataset, StoredSegment
from standalone.knowledge.errors import Answer, Refusal, json_answer, method_not_allowed, unknown_url

PATH = "/v1/knowledge-fs/"
_ID = r"([0-9A-Za-z-]{1,64})"
_PAGE = 40
_MOST_BYTES = 65_536  # of a body

type State = Literal["closed", "unpublished", "deleting"]
type Handler = Callable[[Call, AgentBase, tuple[str, ...]], Any]


class AgentApi:
    """`states` by the name of a base: its API access is off, nothing is indexed yet, or knowledge is being deleted."""

    def __init__(
        self,
        datasets: Sequence[StoredDataset],
        api_key: str,
        queries: Queries,
        states: Mapping[str, State],
        bound_to: Collection[str] = (),
    ) -> None:
        self.bases = {base.id: base for base in map(AgentBase, datasets) if not base.dataset.external}
        self._key, self._queries, self._states = api_key, queries, states
        self._bound = frozenset(bound_to)
        space = f"{PATH}spaces/{_ID}"
        document = f"{space}/documents/{_ID}"
        chunks = f"{document}/revisions/([0-9]+)/chunks"
        routes: tuple[tuple[str, str, str, Handler], ...] = (
            (f"{space}/settings", "GET", "", self._settings),
            (f"{space}/logical-documents", "GET", "cursor", self._list_documents),
            (f"{space}/logical-documents/{_ID}", "GET", "", self._get_document),
            (f"{document}/revisions", "GET", "cursor", self._list_revisions),
            (chunks, "GET", "cursor query", self._list_chunks),
            (f"{chunks}/{_ID}", "GET", "", self._get_chunk),
            (
                f"{space}/document-references/resolve",
                "GET",
                "documentAssetId documentAssetVersion",
                self._resolve,
            ),
            (f"{space}/queries/admission", "POST", "", self._admit),
            (f"{space}/traces/{_ID}/evidence", "GET", "cursor limit", self._evidence),
        )
        self._routes = tuple((re.compile(p), method, set(names.split()), h) for p, method, names, h in routes)

    def answer(self, call: Call) -> Answer:
        """Answer one request; what is refused is an answer too."""
        try:
            if call.path == f"{PATH}query-stream":
                return self._stream(call)
            check_key(call.headers.get("authorization"), self._key)
            handler, ids, known = self._route(call)
            if set(parse_qs(call.query, keep_blank_values=True)) - known:
                raise agent_refusal(400)
            return json_answer(handler(call, self._base(ids[0]), ids))
        except Refusal as refused:
            return refused.answer
        except ValidationError as error:
            return violated(error).answer

    def segment(self, node_id: str) -> StoredSegment:
        """The classic segment with the text of a chunk; raises KeyError."""
        for base in self.bases.values():
            if node_id in base.segments:
                return base.segments[node_id]
        raise KeyError(node_id)

    def _route(self, call: Call) -> tuple[Handler, tuple[str, ...], set[str]]:
        for path, method, known, handler in self._routes:
            if found := path.fullmatch(call.path):
                if call.method != method:
                    raise method_not_allowed()
                return handler, found.groups(), known
        raise unknown_url()

    def _base(self, base_id: str) -> AgentBase:
        """A base that the key may open. One that nobody has looks like a wrong key."""
        base = self.bases.get(base_id)
        if base is None:
            raise agent_refusal(401)
        if (self._bound and PREFIX + base.name not in self._bound) or self._state(base) == "closed":
            raise agent_refusal(403)
        base.dataset.prepare()
        return base

    def _state(self, base: AgentBase) -> State | None:
        return self._states.get(base.name)

    def _settings(self, _: Call, base: AgentBase, __: tuple[str, ...]) -> Any:
        ready = self._state(base) != "unpublished"
        names = ("query", "deep", "research", "ingest", "index", "source_sync")
        retrieval = {
            "default_mode": "fast",
            "reasoning_model": None,
            "rerank": {"enabled": True, "model": "rerank"},
            "score_threshold": {"enabled": False, "stage": "final", "value": 0.0},
            "top_k": 20,
            "revision": 1,
        }
        return {
            "revision": 1,
            "configuration_state": "active" if ready else "setup-required",
            "active_profile_available": ready,
            "active_profile_revisions": {"embedding": 1, "retrieval": 1},
            "capabilities": dict.fromkeys(names, ready),
            "embedding": None,
            "retrieval": retrieval if ready else None,
            "issues": [],
        }

    def _list_documents(self, call: Call, base: AgentBase, _: tuple[str, ...]) -> Any:
        return _page([document_json(document) for document in base.documents], call)

    def _get_document(self, _: Call, base: AgentBase, ids: tuple[str, ...]) -> Any:
        return document_json(_document(base, ids))

    def _list_revisions(self, call: Call, base: AgentBase, ids: tuple[str, ...]) -> Any:
        return _page(revisions_json(_document(base, ids)), call)

    def _list_chunks(self, call: Call, base: AgentBase, ids: tuple[str, ...]) -> Any:
        document, revision = _document(base, ids), int(ids[2])
        nodes = document.nodes(revision)
        if not nodes and revision > document.revision:
            raise agent_refusal(404)
        wanted = _parameter(call, "query").casefold()
        rows = [node_json(document, revision, node) for node in nodes if wanted in node.text.casefold()]
        return _page(rows, call)

    def _get_chunk(self, _: Call, base: AgentBase, ids: tuple[str, ...]) -> Any:
        document, revision = _document(base, ids), int(ids[2])
        for node in document.nodes(revision):
            if node.id == ids[3]:
                return node_json(document, revision, node)
        raise agent_refusal(404)

    def _resolve(self, call: Call, base: AgentBase, _: tuple[str, ...]) -> Any:
        asset, version = _parameter(call, "documentAssetId"), _parameter(call, "documentAssetVersion")
        for document in base.documents:
            if document.file_id == asset and version.isdigit() and int(version) <= document.revision:
                return {"document_id": document.id, "revision": int(version)}
        raise agent_refusal(404)

    def _admit(self, call: Call, base: AgentBase, _: tuple[str, ...]) -> Any:
        body = AdmissionBody.model_validate(_json(call))
        match self._state(base):
            case "unpublished":
                raise agent_refusal(503)
            case "deleting":
                raise agent_refusal(409)
        return self._queries.admit(base, body)

    def _stream(self, call: Call) -> Answer:
        if call.method != "POST":
            raise method_not_allowed()
        token = bearer(call.headers.get("authorization"))
        trace_id = call.headers.get("x-trace-id", "")
        admission = self._queries.admitted(token, trace_id, _json(call))
        base = self._base(admission.base_id)
        events = self._queries.stream(base, admission.request)
        return Answer(200, events, "text/event-stream", (("x-trace-id", trace_id),))

    def _evidence(self, call: Call, base: AgentBase, ids: tuple[str, ...]) -> Any:
        page = _page(self._queries.evidence(base, ids[1]), call)
        return {**page, "path": f"/queries/{ids[1]}/evidence", "truncated": False}


def _document(base: AgentBase, ids: tuple[str, ...]) -> AgentDocument:
    document = base.by_id.get(ids[1])
    if document is None:
        raise agent_refusal(404)
    return document


def _page(rows: Sequence[dict[str, Any]], call: Call) -> dict[str, Any]:
    """One page, short as they are; the cursor is the place of the next row."""
    cursor = _parameter(call, "cursor") or "0"
    if not cursor.isdigit():
        raise agent_refusal(400)
    end = int(cursor) + _PAGE
    return {"data": list(rows[int(cursor) : end]), "next_cursor": str(end) if end < len(rows) else None}


def _parameter(call: Call, name: str) -> str:
    return next(iter(call.parameters.get(name, ())), "")


def _json(call: Call) -> Any:
    if len(call.body) > _MOST_BYTES:
        raise agent_refusal(413)
    try:
        return json.loads(call.body)
    except ValueError:
        raise agent_refusal(400) from None
