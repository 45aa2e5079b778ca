"""A small JSON server on the loopback interface that can be told to misbehave."""

import json
import socket
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self


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
        self._http: _Server | None = None
        self._thread = threading.Thread(target=self._serve, name=type(self).__name__)

    @property
    def base_url(self) -> str:
        """`http://127.0.0.1:port/v1`, once started."""
        if self._http is None:
            raise RuntimeError("the server has no address before it is started")
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

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
        self._http = _Server(self.answer)
        self._thread.start()
        return self

    def close(self) -> None:
        """Finish the answers under way and free the port; leaves no thread. May be called twice."""
        if self._http is None:
            return
        self._http.shutdown()
        self._thread.join()
        self._http.hang_up()
        self._http.server_close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _serve(self) -> None:
        if self._http:
            self._http.serve_forever(poll_interval=0.05)


class _Server(ThreadingHTTPServer):
    daemon_threads = False  # server_close waits for them
    request_queue_size = 128  # many clients may connect at once

    def __init__(self, answer: Callable[[Request], Reply]) -> None:
        self.answer = answer
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        super().__init__(("127.0.0.1", 0), _Connection)

    def process_request(self, request: Any, client_address: Any) -> None:
        with self._lock:
            self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        with self._lock:
            self._open.discard(request)
        super().shutdown_request(request)

    def hang_up(self) -> None:
        """Stop to listen to clients that keep their connection open; answers under way still go out."""
        with self._lock:
            for connection in self._open:
                try:
                    connection.shutdown(socket.SHUT_RD)
                except OSError:
                    continue  # the client was faster


class _Connection(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # head and body in one packet: two would wait for each other's acknowledgement
    server: _Server

    def do_POST(self) -> None:
        content = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        try:
            body = json.loads(content or b"{}")
        except ValueError:
            self._send(error(400, "the body is not JSON"))
            return
        if not isinstance(body, dict):
            self._send(error(400, "the body is not a JSON object"))
            return
        self._send(self.server.answer(Request(self.path, headers, body)))

    def do_GET(self) -> None:
        self._send(error(405, "only POST is served"))

    def _send(self, reply: Reply) -> None:
        content = reply.body if isinstance(reply.body, str) else json.dumps(reply.body)
        encoded = content.encode()
        self.send_response(reply.status)
        headers = {"Content-Type": "application/json"} | dict(reply.headers)
        for name, value in (headers | {"Content-Length": str(len(encoded))}).items():
            self.send_header(name, value)
        self.end_headers()
        try:
            self.wfile.write(encoded)
            self.wfile.flush()
        except ConnectionError:
            self.close_connection = True  # the client gave up waiting

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the signature of http.server
        """Stay silent."""
