"""What Dify and MCP clients send, and a small world that the endpoints search."""

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from standalone.daemon import EndpointResult, PluginProcess
from standalone.knowledge import Collection, Corpus, KnowledgeServer, SourceDocument, SourceSegment

KEY = "a-key-of-our-own"
DIFY_KEY = "dataset-sample-for-endpoints"
QUESTION = "How often is the harbour crane inspected?"

CRANES = (
    "The harbour crane is inspected every ninety days by the port engineer.\n\n"
    "A crane that fails its inspection is closed until it is repaired.\n\n"
    "Loads above forty tonnes need a written permit of the harbour master."
)
FERRIES = (
    "Ferries leave the harbour every two hours from six in the morning.\n\n"
    "A ferry waits ten minutes for late buses.\n\nBicycles travel free of charge."
)
LIBRARY = (
    "Books are lent for twenty-one days and may be renewed twice.\n\n"
    "A lost book is replaced by its reader.\n\nThe reading room closes at eight in the evening."
)
DOCUMENTS = (
    SourceDocument("Crane rules.txt", CRANES, {"kind": "rules", "year": 2021, "owner": "port"}),
    SourceDocument("Ferry timetable.txt", FERRIES, {"kind": "timetable", "year": 2024}),
    SourceDocument(
        "Harbour rules 2019.txt", CRANES.replace("ninety", "sixty"), {"kind": "rules", "year": 2019}
    ),
)
FAQ = SourceDocument(
    "faq.csv",
    segments=(SourceSegment("When does the reading room close?", answer="At eight in the evening."),),
)
WORLD = Corpus(
    (
        Collection(
            "harbour", DOCUMENTS, description="Rules and timetables of the port", segment_characters=120
        ),
        Collection("library", (SourceDocument("Lending.txt", LIBRARY),), description="The public library"),
        Collection("questions", (FAQ,), doc_form="qa_model", description="Questions and answers"),
        Collection("mirror", (), provider="external", description="This endpoint, seen from outside"),
    )
)

# What Dify 1.14 and later send when an endpoint is registered; earlier versions send no body.
PROBE = {"knowledge_id": "", "query": "", "retrieval_setting": {"top_k": 1, "score_threshold": 0.0}}


def body_of(query: str = QUESTION, knowledge_id: Any = "harbour", **changed: Any) -> dict[str, Any]:
    """A request as Dify writes it; `top_k`, `score_threshold` and `metadata_condition` may be changed."""
    setting = {"top_k": changed.pop("top_k", 3), "score_threshold": changed.pop("score_threshold", 0.0)}
    return {
        "retrieval_setting": setting,
        "query": query,
        "knowledge_id": knowledge_id,
        "metadata_condition": changed.pop("metadata_condition", None),
    } | changed


def dify_headers(key: str = KEY) -> dict[str, str]:
    """The headers of Dify 1.13.3, in its order."""
    return {
        "Accept": "*/*",
        "Accept-Encoding": "gzip, deflate, br, zstd",
        "Connection": "keep-alive",
        "User-Agent": "python-httpx/0.28.1",
        "Content-Type": "application/json",
        "Authorization": f"Bearer {key}",
        "traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    }


def mcp_headers(key: str = KEY, **more: str) -> dict[str, str]:
    headers = {
        "Accept": "application/json, text/event-stream",
        "Content-Type": "application/json",
        "Authorization": f"Bearer {key}",
    }
    return headers | {name.replace("_", "-"): value for name, value in more.items()}


def request(method: str, params: Mapping[str, Any] | None = None, request_id: Any = 1) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": request_id, "method": method} | ({"params": params} if params else {})


@contextmanager
def held_back(server: KnowledgeServer, ending: str) -> Iterator[threading.Event]:
    """Requests whose path ends so get no answer until the event is set; at the end it is."""
    go_on = threading.Event()

    def hold(_method: str, path: str) -> None:
        if path.endswith(ending):
            go_on.wait(60)

    server.faults = hold
    try:
        yield go_on
    finally:
        go_on.set()
        server.faults = None


@dataclass(frozen=True)
class Endpoints:
    """The plugin's endpoints under settings that search `server`."""

    process: PluginProcess
    server: KnowledgeServer

    @property
    def settings(self) -> dict[str, Any]:
        return {
            "dify_base_url": self.server.base_url,
            "dify_api_key": DIFY_KEY,
            "endpoint_key": KEY,
            "effort": "fast",
        }

    def retrieve(
        self, body: Any, headers: Mapping[str, str] | None = None, **settings: Any
    ) -> EndpointResult:
        """POST /retrieval; `body` is bytes, or anything that becomes JSON as Dify writes it."""
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        sent = dify_headers() if headers is None else headers
        return self.process.endpoint("POST", "/retrieval", sent, content, self.settings | settings)

    def records(self, body: Any, **settings: Any) -> list[dict[str, Any]]:
        answer = self.retrieve(body, **settings)
        assert answer.status == 200, answer.body
        found: list[dict[str, Any]] = answer.json()["records"]
        return found

    def mcp(self, message: Any, headers: Mapping[str, str] | None = None, **settings: Any) -> EndpointResult:
        """POST /mcp."""
        content = message if isinstance(message, bytes) else json.dumps(message).encode()
        sent = mcp_headers() if headers is None else headers
        return self.process.endpoint("POST", "/mcp", sent, content, self.settings | settings)

    def over(self, server: KnowledgeServer) -> "Endpoints":
        """The same plugin before another knowledge server."""
        return Endpoints(self.process, server)
