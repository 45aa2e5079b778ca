"""A small JSON server on the loopback interface that can be told to misbehave."""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

from standalone.http_server import Connection, HttpServer


@dataclass(frozen=True, slots=True)
class Request:
    """What a client sent. `body` is the parsed JSON object, empty where there was none."""

    path: str
    headers: Mapping[str, str]  # names in lower case
    body: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Reply:
    """What it gets: any JSON, or a string to send as it is."""

    status: int
    body: Any
    headers: Mapping[str, str] = field(default_factory=dict)


Fault = Callable[[Request], Reply | None]
"""Asked before each request: a Reply is sent instead of the proper answer, None lets it pass."""


def error(status: int, message: str) -> Reply:
    """An error in OpenAI's shape."""
    return Reply(status, {"error": {"message": message, "type": f"http_{status}", "code": None}})


class JsonServer:
    """Serves POST requests with JSON bodies, each connection in a thread; a context manager.

    `fault` may be set at any time. With an `api_key`, any other bearer gets 401. A subclass
    answers in `reply`.
    """

    def __init__(self, latency: float = 0.0, api_key: str = "") -> None:
        self.latency = latency  # seconds before every answer, faults included
        self.fault: Fault | None = None
        self._api_key = api_key
        self._closed = False
        self._http: HttpServer | None = None

    @property
    def base_url(self) -> str:
        """`http://127.0.0.1:port/v1`, once started."""
        if self._http is None:
            raise RuntimeError("the server has no address before it is started")
        return f"http://127.0.0.1:{self._http.port}/v1"

    def reply(self, request: Request) -> Reply:
        """The proper answer to a request that passed the key and the fault."""
        raise NotImplementedError

    def answer(self, request: Request) -> Reply:
        time.sleep(self.latency)
        if self.fault and (faulty := self.fault(request)):
            return faulty
        if self._api_key and request.headers.get("authorization") != f"Bearer {self._api_key}":
            return error(401, "the API key is not valid")
        return self.reply(request)

    def start(self) -> Self:
        """Listen on a free port of the loopback interface. A server is started once."""
        self._http = HttpServer(self._respond)
        return self

    def close(self) -> None:
        """Finish the answers under way and free the port; leaves no thread. May be called twice."""
        if self._http is not None and not self._closed:
            self._closed = True
            self._http.close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _respond(self, connection: Connection) -> None:
        reply = self._replied(connection)
        content = reply.body if isinstance(reply.body, str) else json.dumps(reply.body)
        headers = {"Content-Type": "application/json"} | dict(reply.headers)
        connection.send(reply.status, content.encode(), headers.items())

    def _replied(self, connection: Connection) -> Reply:
        if connection.command != "POST":
            return error(405, "only POST is served")
        try:
            body = json.loads(connection.body or b"{}")
        except ValueError:
            return error(400, "the body is not JSON")
        if not isinstance(body, dict):
            return error(400, "the body is not a JSON object")
        headers = {name.lower(): value for name, value in connection.headers.items()}
        return self.answer(Request(connection.path, headers, body))
