"""What stands before the embedded servers and spoils their answers: one HTTP server, one address a tenant.

`http://…/TENANT/v1` is the tenant's Dify, `…/TENANT/chat/v1` its chat API, `…/TENANT/rank/v1` its rerank API.
"""

import json
import re
import socket
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal, Self
from urllib.parse import unquote, urlsplit

from standalone.knowledge import KnowledgeServer
from standalone.knowledge.api import Call
from standalone.knowledge.errors import Answer
from standalone.models import ChatServer, Request, RerankServer

type Route = Literal[
    "datasets",
    "dataset",
    "documents",
    "document",
    "segments",
    "segment",
    "retrieve",
    "chat",
    "rerank",
    "workspace chat",
    "workspace rerank",
    "elsewhere",
    "other",
]
_QUIET_SECONDS = 0.3
_PATHS: Mapping[Route, str] = {
    "datasets": "/v1/datasets",
    "dataset": "/v1/datasets/[^/]+",
    "documents": "/v1/datasets/[^/]+/documents",
    "document": "/v1/datasets/[^/]+/documents/[^/]+",
    "segments": "/v1/datasets/[^/]+/documents/[^/]+/segments",
    "segment": "/v1/datasets/[^/]+/documents/[^/]+/segments/[^/]+",
    "retrieve": "/v1/datasets/[^/]+/retrieve",
    "chat": "/chat/v1/chat/completions",
    "rerank": "/rank/v1/rerank",
    "elsewhere": "/elsewhere.*",  # where a redirect leads to
}


@dataclass(frozen=True, slots=True)
class Servers:
    """The servers whose answers are passed on; they need not listen."""

    knowledge: KnowledgeServer
    chat: ChatServer
    ranker: RerankServer

    def answer(self, call: Call) -> Answer:
        """The true answer to one request, its path without the tenant."""
        if not call.path.startswith(("/chat/", "/rank/")):
            return self.knowledge.answer(call) or Answer(500, b"{}")
        server: ChatServer | RerankServer = self.chat if call.path.startswith("/chat/") else self.ranker
        try:
            body = json.loads(call.body or b"{}")
        except ValueError:
            body = {}
        reply = server.answer(Request(call.path[len("/chat") :], call.headers, body))
        text = reply.body if isinstance(reply.body, str) else json.dumps(reply.body)
        return Answer(reply.status, text.encode())


@dataclass(eq=False)
class Tenant:
    """One address of the proxy. `fault` is asked for each request and may answer it; `asked` counts by route.

    `reverse` is made of what a model of the workspace sends. `spoiled` counts what was not answered truly.
    """

    name: str
    servers: Servers
    fault: "Callable[[Exchange], bool] | None" = None
    reverse: Callable[[Iterator[Mapping[str, Any]]], Iterator[Mapping[str, Any]]] | None = None
    asked: Counter[Route] = field(default_factory=Counter)
    spoiled: int = 0
    over: threading.Event = field(default_factory=threading.Event)
    _open: set[socket.socket] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def enter(self, route: Route, connection: socket.socket | None = None) -> None:
        with self._lock:
            self.asked[route] += 1
            if connection:
                self._open.add(connection)

    def spoil(self) -> None:
        with self._lock:
            self.spoiled += 1

    def settle(self) -> None:
        """Waits until nothing more is read behind an answer."""
        seen = -1
        while seen != (seen := self.asked.total()):
            self.over.wait(_QUIET_SECONDS)

    def relieve(self) -> None:
        """From now on every answer is true; what still drips ends, as does every connection."""
        self.fault = self.reverse = None
        before, self.over = self.over, threading.Event()
        self._end(before)

    def close(self) -> None:
        """Ends what still drips, and every connection; nobody is answered any more."""
        self._end(self.over)

    def _end(self, over: threading.Event) -> None:
        over.set()
        with self._lock:
            connections = tuple(self._open)
            self._open.clear()
        for connection in connections:
            with suppress(OSError):  # it may have ended by itself
                connection.shutdown(socket.SHUT_RDWR)


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request, and the ways to answer it. Whoever answers in part must end the connection: `raw` sees to it."""

    route: Route
    call: Call
    tenant: Tenant
    handler: "_Handler"

    def true(self) -> Answer:
        return self.tenant.servers.answer(self.call)

    def json(self) -> Any:
        """The true answer's JSON."""
        return json.loads(self.true().body)

    def reply(
        self,
        status: int,
        body: Any = b"",
        content_type: str = "application/json",
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """A whole answer; what is not bytes is sent as JSON."""
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.handler.send_response(status)
        fields = {"Content-Type": content_type, "Content-Length": str(len(content))} | dict(headers or {})
        for name, value in fields.items():
            self.handler.send_header(name, value)
        self.handler.end_headers()
        self.handler.wfile.write(content)
        self.handler.wfile.flush()

    def raw(self, content: bytes) -> None:
        self.handler.close_connection = True
        self.handler.connection.sendall(content)

    def drip(self, pieces: Callable[[int], bytes], every: float, most: int = 10_000) -> None:
        """The pieces one by one, each after so many seconds, until the tenant is gone."""
        for number in range(most):
            if self.tenant.over.wait(every):
                return
            self.raw(pieces(number))


class FaultProxy:
    """Listens on the loopback interface; a context manager."""

    def __init__(self) -> None:
        self.tenants: dict[str, Tenant] = {}
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.tenants = self.tenants

    def tenant(self, name: str, servers: Servers) -> Tenant:
        self.tenants[name] = Tenant(name, servers)
        return self.tenants[name]

    def address(self, tenant: Tenant) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/{tenant.name}"

    def close(self) -> None:
        for tenant in tuple(self.tenants.values()):
            tenant.close()
        self._server.shutdown()
        self._server.server_close()

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256
    tenants: Mapping[str, Tenant]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is what most faults are about; anything else is a bug and is shown."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def log_message(self, *_: Any) -> None:
        """Say nothing."""

    def respond(self) -> None:
        url = urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        _, name, *rest = unquote(url.path).split("/", 2)
        tenant = self.server.tenants.get(name)
        if tenant is None or tenant.over.is_set():
            self.close_connection = True
            return
        path = "/" + "".join(rest)
        headers = {name.lower(): value for name, value in self.headers.items()}
        exchange = Exchange(route_of(path), Call(self.command, path, url.query, headers, body), tenant, self)
        tenant.enter(exchange.route, self.connection)
        with suppress(ConnectionError):
            if tenant.fault and tenant.fault(exchange):
                return
            answer = exchange.true()
            exchange.reply(answer.status, answer.body, answer.content_type, dict(answer.headers))

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = respond  # noqa: N815 - names the base class calls


def route_of(path: str) -> Route:
    return next((route for route, pattern in _PATHS.items() if re.fullmatch(pattern, path)), "other")
