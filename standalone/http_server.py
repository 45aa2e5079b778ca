"""The one HTTP server of what runs beside the plugin: HTTP/1.1 on a thread a connection, and an end that waits."""

import socket
import sys
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

_CLOSE_SECONDS = 10.0  # for the answers under way


class Connection(BaseHTTPRequestHandler):
    """One connection; `body` is what its present request holds."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1  # head and body in one packet: two would wait for each other's acknowledgement
    server: "HttpServer"
    body: bytes

    def respond(self) -> None:
        self.body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.server.respond(self)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = do_HEAD = respond  # noqa: N815 - names of the base class

    def begin(self, status: int, headers: Iterable[tuple[str, str]]) -> None:
        """The head of an answer."""
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()

    def send(self, status: int, content: bytes, headers: Iterable[tuple[str, str]] = ()) -> None:
        """A whole answer."""
        others = [(name, value) for name, value in headers if name.lower() != "content-length"]
        self.begin(status, [*others, ("Content-Length", str(len(content)))])
        self.wfile.write(content)
        self.wfile.flush()

    def chunk(self, content: bytes) -> None:
        """A piece of an answer that has begun with Transfer-Encoding: chunked; the last one is empty."""
        self.wfile.write(f"{len(content):x}\r\n".encode() + content + b"\r\n")
        self.wfile.flush()

    def drop(self) -> None:
        """No answer, and the end of the connection."""
        self.close_connection = True

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


class HttpServer(ThreadingHTTPServer):
    """Listens from the beginning, and has `respond` answer each request; raises OSError when the port is taken."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 128  # many clients may connect at once

    def __init__(self, respond: Callable[[Connection], None], port: int = 0, host: str = "127.0.0.1") -> None:
        self.respond = respond
        self._open: dict[socket.socket, threading.Thread] = {}
        self._lock = threading.Lock()
        super().__init__((host, port), Connection)
        self._thread = threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def close(self) -> None:
        """Free the port, let the answers under way go out, and see off who keeps a connection open."""
        self.shutdown()
        self._thread.join()
        self.server_close()
        with self._lock:
            still_open = dict(self._open)
        for connection in still_open:
            with suppress(OSError):  # it may just have ended by itself
                connection.shutdown(socket.SHUT_RD)
        for thread in still_open.values():
            thread.join(_CLOSE_SECONDS)

    def process_request(self, request: Any, client_address: Any) -> None:
        arguments = (request, client_address)
        thread = threading.Thread(target=self.process_request_thread, args=arguments, daemon=True)
        with self._lock:
            self._open[request] = thread
        thread.start()

    def shutdown_request(self, request: Any) -> None:
        with self._lock:
            self._open.pop(request, None)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is no news; anything else is a bug and is shown."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)
