"""The front: HTTP/1.1 on the loopback interface, each request an endpoint invocation of the plugin."""

import threading
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

from standalone.daemon import PluginError, PluginProcess
from standalone.daemon.requests import endpoint_invocation
from standalone.front.forwarding import endpoint_path, raw_request

HOOK = "local"


class Front:
    """Forwards `/e/local/…` to the endpoints of a plugin process, under `settings`; a context manager.

    port: 0 takes a free one. `settings` may be changed at any time.
    """

    def __init__(self, process: PluginProcess, settings: Mapping[str, Any], port: int = 0) -> None:
        self.process, self.settings = process, settings
        self._port = port
        self._http: _Http | None = None
        self._thread = threading.Thread(target=self._serve, name="front")

    @property
    def base_url(self) -> str:
        """The address to enter in Dify, without `/retrieval`; for MCP clients add `/mcp`."""
        if self._http is None:
            raise RuntimeError("The front is not running; start it first.")
        return f"http://127.0.0.1:{self._http.server_address[1]}/e/{HOOK}"

    def start(self) -> Self:
        """Listen; raises OSError when the port is taken. A front is started once."""
        self._http = _Http(("127.0.0.1", self._port), self)
        self._thread.start()
        return self

    def close(self) -> None:
        """Finish the answers under way and free the port. May be called twice."""
        http, self._http = self._http, None
        if http is not None:
            http.shutdown()
            self._thread.join()
            http.server_close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def pieces(self, raw: bytes) -> Iterator[Mapping[str, Any]]:
        """What the plugin sends for a raw request, piece by piece; raises PluginError."""
        return self.process.request(endpoint_invocation(raw, self.settings))

    def _serve(self) -> None:
        if self._http:
            self._http.serve_forever(poll_interval=0.05)


class _Http(ThreadingHTTPServer):
    daemon_threads = False  # server_close waits for them
    request_queue_size = 128

    def __init__(self, address: tuple[str, int], front: Front) -> None:
        self.front = front
        super().__init__(address, _Connection)


class _Connection(BaseHTTPRequestHandler):
    """One request a connection: nothing is kept open that would have to be closed."""

    protocol_version = "HTTP/1.1"
    timeout = 30.0  # seconds that a client may be silent
    wbufsize = -1
    server: _Http

    def forward(self) -> None:
        self.close_connection = True
        front = self.server.front
        path = endpoint_path(self.path, HOOK)
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if path is None:
            self._begin(404, {"Content-Length": "0"})
            return
        origin = (HOOK, front.base_url + path)
        pieces = front.pieces(raw_request(self.command, path, self.headers.items(), body, origin))
        try:
            self._answer(pieces)
        except PluginError as error:
            content = f"Internal Server Error: {error}".encode()
            self._begin(500, {"Content-Type": "text/plain", "Content-Length": str(len(content))})
            self.wfile.write(content)
        except ConnectionError:
            return  # the client gave up waiting

    def _answer(self, pieces: Iterator[Mapping[str, Any]]) -> None:
        """A streamed answer goes out in chunks, as it is made; its first piece is its head."""
        first = next(pieces)
        headers = dict(first["headers"])
        whole = "result" in first
        if whole:
            content = bytes.fromhex(first["result"])
            headers["Content-Length"] = str(len(content))
        else:
            headers["Transfer-Encoding"] = "chunked"
        self._begin(first["status"], headers)
        if whole:
            self.wfile.write(content)
            self.wfile.flush()
        for piece in pieces:
            self._chunk(bytes.fromhex(piece["result"]))
        if not whole:
            self._chunk(b"")

    def _begin(self, status: int, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in (dict(headers) | {"Connection": "close"}).items():
            self.send_header(name, value)
        self.end_headers()

    def _chunk(self, content: bytes) -> None:
        self.wfile.write(f"{len(content):x}\r\n".encode() + content + b"\r\n")
        self.wfile.flush()

    do_GET = do_POST = do_PUT = do_DELETE = do_OPTIONS = do_HEAD = forward  # noqa: N815 - names the base class calls

    def log_message(self, *_: Any) -> None:
        """Stay silent."""
