"""The front: HTTP/1.1 on the loopback interface, each request an endpoint invocation of the plugin."""

from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from types import TracebackType
from typing import Any, Self

from standalone.daemon import PluginError, PluginProcess
from standalone.daemon.requests import endpoint_invocation
from standalone.front.forwarding import endpoint_path, raw_request
from standalone.http_server import Connection, HttpServer

HOOK = "local"
_CLOSE = ("Connection", "close")


class Front:
    """Forwards `/e/local/…` to the endpoints of a plugin process, under `settings`; a context manager.

    port: 0 takes a free one. `settings` may be changed at any time. `page` answers what is asked of `/`.
    """

    def __init__(
        self,
        process: PluginProcess,
        settings: Mapping[str, Any],
        port: int = 0,
        page: Callable[[Connection], None] | None = None,
    ) -> None:
        self.process, self.settings, self._page = process, settings, page
        self._port = port
        self._http: HttpServer | None = None

    @property
    def base_url(self) -> str:
        """The address to enter in Dify, without `/retrieval`; for MCP clients add `/mcp`."""
        if self._http is None:
            raise RuntimeError("The front is not running; start it first.")
        return f"http://127.0.0.1:{self._http.port}/e/{HOOK}"

    def start(self) -> Self:
        """Listen; raises OSError when the port is taken. A front is started once."""
        self._http = HttpServer(self._respond, self._port)
        return self

    def close(self) -> None:
        """Finish the answers under way and free the port. May be called twice."""
        http, self._http = self._http, None
        if http is not None:
            http.close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def pieces(self, raw: bytes) -> Iterator[Mapping[str, Any]]:
        """What the plugin sends for a raw request, piece by piece; raises PluginError."""
        return self.process.request(endpoint_invocation(raw, self.settings))

    def _respond(self, connection: Connection) -> None:
        """One request a connection: nothing is kept open that would have to be closed."""
        if self._page and connection.path.partition("?")[0] == "/":
            self._page(connection)
            return
        path = endpoint_path(connection.path, HOOK)
        if path is None:
            connection.send(404, b"", [_CLOSE])
            return
        origin = (HOOK, self.base_url + path)
        raw = raw_request(connection.command, path, connection.headers.items(), connection.body, origin)
        try:
            _answer(connection, self.pieces(raw))
        except PluginError as error:
            content = f"Internal Server Error: {error}".encode()
            connection.send(500, content, [("Content-Type", "text/plain"), _CLOSE])


def _answer(connection: Connection, pieces: Iterator[Mapping[str, Any]]) -> None:
    """A streamed answer goes out in chunks, as it is made; its first piece is its head."""
    first = next(pieces)
    headers = [*first["headers"].items(), _CLOSE]
    if "result" in first:
        connection.send(first["status"], bytes.fromhex(first["result"]), headers)
        for _ in pieces:
            continue
        return
    connection.begin(first["status"], [*headers, ("Transfer-Encoding", "chunked")])
    for content in chain((bytes.fromhex(piece["result"]) for piece in pieces), (b"",)):
        connection.chunk(content)
