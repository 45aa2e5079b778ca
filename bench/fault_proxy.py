"""What stands before the embedded servers and spoils their answers: one HTTP server, one address a tenant.

`http://…/TENANT/v1` is the tenant's Dify, `…/TENANT/chat/v1` its chat API, `…/TENANT/rank/v1` its rerank API.
"""

import json
import re
import socket
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Literal, Self
from urllib.parse import unquote, urlsplit

from standalone.http_server import Connection, HttpServer
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
    connection: Connection

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
        self.connection.send(status, content, {"Content-Type": content_type, **(headers or {})}.items())

    def raw(self, content: bytes) -> None:
        self.connection.drop()
        self.connection.connection.sendall(content)

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
        self._http: HttpServer | None = None

    def tenant(self, name: str, servers: Servers) -> Tenant:
        self.tenants[name] = Tenant(name, servers)
        return self.tenants[name]

    def address(self, tenant: Tenant) -> str:
        if self._http is None:
            raise RuntimeError("the proxy has no address before it is started")
        return f"http://127.0.0.1:{self._http.port}/{tenant.name}"

    def close(self) -> None:
        for tenant in tuple(self.tenants.values()):
            tenant.close()
        if self._http is not None:
            self._http.close()

    def __enter__(self) -> Self:
        self._http = HttpServer(self._respond)
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _respond(self, connection: Connection) -> None:
        url = urlsplit(connection.path)
        _, name, *rest = unquote(url.path).split("/", 2)
        tenant = self.tenants.get(name)
        if tenant is None or tenant.over.is_set():
            connection.drop()
            return
        path = "/" + "".join(rest)
        headers = {name.lower(): value for name, value in connection.headers.items()}
        call = Call(connection.command, path, url.query, headers, connection.body)
        exchange = Exchange(route_of(path), call, tenant, connection)
        tenant.enter(exchange.route, connection.connection)
        with suppress(ConnectionError):
            if tenant.fault and tenant.fault(exchange):
                return
            answer = exchange.true()
            exchange.reply(answer.status, answer.body, answer.content_type, dict(answer.headers))


def route_of(path: str) -> Route:
    return next((route for route, pattern in _PATHS.items() if re.fullmatch(pattern, path)), "other")
