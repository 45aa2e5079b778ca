"""The plugin as Dify runs it: one process, many requests at once, models and storage lent to it."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from standalone.daemon.child import Child
from standalone.daemon.requests import (
    endpoint_invocation,
    http_request,
    tool_invocation,
    validation,
)
from standalone.daemon.results import EndpointResult, PluginError, ToolResult
from standalone.daemon.reverse import Handler, first_of
from standalone.daemon.storage import MemoryStorage
from standalone.daemon.wire import Wire

PROVIDER = "context_aware_retriever"
_PROJECT = Path(__file__).resolve().parents[2]


def _nobody(_kind: str, _request: Mapping[str, Any]) -> None:
    return None


class PluginProcess:
    """Runs the plugin that lies in `root` and talks to it as the daemon does (INSTALL_METHOD=local).

    `on_invoke` answers reverse invocations (see `reverse.Handler`); storage it leaves alone is kept
    in `storage`. `timeout` is the default for every request, start included, in seconds.
    Use it as a context manager, or call `start` and `close`. All methods may be called from
    many threads. Failures of the plugin are raised as PluginError.
    """

    def __init__(
        self,
        root: Path = _PROJECT,
        *,
        on_invoke: Handler = _nobody,
        python: str = sys.executable,
        env: Mapping[str, str] | None = None,
        timeout: float = 60.0,
    ) -> None:
        self.timeout = timeout
        self.storage = MemoryStorage()
        self._command = (root, python, dict(env or {}))
        self._handler = first_of(on_invoke, self.storage)
        self._wire: Wire | None = None

    # --- life -------------------------------------------------------------------------------

    def start(self) -> Self:
        """Start the process and wait for its first heartbeat; raises PluginError where none comes."""
        self._wire = Wire(Child(*self._command), self._handler)
        with ExitStack() as undone:
            undone.callback(self.close)
            self._wire.wait_until_ready(self.timeout)
            undone.pop_all()
        return self

    def close(self) -> None:
        """End the process and everything that served it; may be called twice."""
        if self._wire:
            self._wire.close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # --- requests ---------------------------------------------------------------------------

    def invoke_tool(
        self,
        tool: str,
        parameters: Mapping[str, Any],
        credentials: Mapping[str, Any] | None = None,
        provider: str = PROVIDER,
        *,
        timeout: float | None = None,
        caller: Mapping[str, str] | None = None,
    ) -> ToolResult:
        """Invoke a tool to its end. `caller` may name app_id, message_id, conversation_id."""
        request = tool_invocation(provider, tool, parameters, credentials or {})
        return ToolResult(tuple(self.request(request, timeout=timeout, caller=caller)))

    def validate(
        self, credentials: Mapping[str, Any], provider: str = PROVIDER, *, timeout: float | None = None
    ) -> None:
        """Have the provider check its credentials; raises PluginError where it refuses them."""
        if list(self.request(validation(provider, credentials), timeout=timeout)) != [{"result": True}]:
            raise PluginError("Refused", "the credentials were not accepted")

    def endpoint(
        self,
        method: str,
        path: str,
        headers: Mapping[str, str] | None = None,
        body: bytes = b"",
        settings: Mapping[str, Any] | None = None,
        *,
        timeout: float | None = None,
    ) -> EndpointResult:
        """Send an HTTP request to an endpoint and wait for the whole answer."""
        pieces = self.endpoint_pieces(method, path, headers, body, settings, timeout=timeout)
        return EndpointResult.joined(pieces)

    def endpoint_pieces(
        self,
        method: str,
        path: str,
        headers: Mapping[str, str] | None = None,
        body: bytes = b"",
        settings: Mapping[str, Any] | None = None,
        *,
        timeout: float | None = None,
    ) -> Iterator[EndpointResult]:
        """The same, piece by piece as the endpoint produces them.

        The first piece of a streamed answer has its status and headers and no body yet.
        """
        http = http_request(method, path, headers or {}, body)
        status = 0
        answered: Mapping[str, str] = {}
        for piece in self.request(endpoint_invocation(http, settings or {}), timeout=timeout):
            status, answered = piece.get("status", status), piece.get("headers") or answered
            yield EndpointResult(status, answered, bytes.fromhex(piece.get("result") or ""))

    def request(
        self,
        data: Mapping[str, Any],
        *,
        timeout: float | None = None,
        caller: Mapping[str, str] | None = None,
    ) -> Iterator[Any]:
        """Send any request of the protocol; yields its stream objects. Raises PluginError."""
        seconds = self.timeout if timeout is None else timeout
        return self._running().request(data, seconds, caller or {})

    # --- observation ------------------------------------------------------------------------

    @property
    def heartbeats(self) -> int:
        """Heartbeats heard so far; the SDK sends one every 10 seconds."""
        return self._running().heartbeats

    @property
    def first_heartbeat_seconds(self) -> float | None:
        """Seconds from the start of the process to its first heartbeat."""
        return self._running().first_heartbeat_seconds

    @property
    def manifest(self) -> Mapping[str, Any]:
        """The manifest, as the plugin declared it when it started."""
        return self._running().manifest

    @property
    def stderr(self) -> str:
        """What the plugin wrote to standard error."""
        return self._running().child.stderr

    @property
    def logs(self) -> tuple[str, ...]:
        """What the plugin logged through the SDK, oldest first."""
        return tuple(self._running().logs)

    @property
    def stray_output(self) -> tuple[str, ...]:
        """Lines on standard output that are no message: somebody printed."""
        return tuple(self._running().stray)

    @property
    def process_id(self) -> int:
        return self._running().child.process_id

    def resident_megabytes(self) -> float:
        """Memory the plugin's process uses now, in MiB. Needs /proc (Linux), else OSError."""
        return self._running().child.resident_megabytes()

    def _running(self) -> Wire:
        if self._wire is None:
            raise PluginError("NotStarted", "use the process as a context manager, or call start()")
        return self._wire
