"""The conversation with the plugin: sorts what it says, and answers what it asks of Dify."""

import json
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from functools import partial
from types import TracebackType
from typing import Any

from standalone.daemon.child import Child
from standalone.daemon.requests import envelope
from standalone.daemon.results import PluginError
from standalone.daemon.reverse import Handler, answers, demand_permission
from standalone.daemon.sessions import Sessions

_REVERSE_WORKERS = 256  # reverse invocations answered at once; threads start only when needed


class Wire:
    """Speaks the protocol over one child, from its first line to its last. Safe for many threads."""

    def __init__(self, child: Child, handler: Handler) -> None:
        self.heartbeats = 0
        self.first_heartbeat_seconds: float | None = None
        self.manifest: Mapping[str, Any] = {}
        self.logs: list[str] = []
        self.stray: list[str] = []
        self.child = child
        self._handler = handler
        self._sessions = Sessions()
        self._ready = threading.Event()
        self._started = time.monotonic()
        self._pool = ThreadPoolExecutor(_REVERSE_WORKERS, thread_name_prefix="reverse")
        child.listen(self._hear, self._end)

    def wait_until_ready(self, seconds: float) -> None:
        """Wait for the first heartbeat; raises PluginError where none comes."""
        if not self._ready.wait(seconds):
            self._end(PluginError("Timeout", f"no heartbeat after {seconds:g} seconds"))
        if not self.heartbeats:
            self._sessions.open()  # raises what ended the plugin

    def request(self, data: Mapping[str, Any], seconds: float, caller: Mapping[str, str]) -> Iterator[Any]:
        """Send a request and yield its stream objects; raises PluginError."""
        session_id = self._sessions.open()
        try:
            self._tell(envelope(session_id, data, caller))
            yield from self._sessions.read(session_id, seconds)
        finally:
            self._sessions.close(session_id)

    def close(self) -> None:
        """End the child and everything that served it; may be called twice."""
        self.child.close()
        self._pool.shutdown(cancel_futures=True)

    def _tell(self, message: Mapping[str, Any]) -> None:
        self.child.write(json.dumps(message).encode())

    def _hear(self, line: bytes) -> None:
        text = line.decode(errors="replace").strip()
        if not text:
            return
        try:
            self._sort(json.loads(text), text)
        except ValueError:
            self.stray.append(text)

    def _sort(self, message: Any, text: str) -> None:
        match message:
            case {"event": "heartbeat"}:
                self._beat()
            case {"event": "session", "session_id": session_id, "data": {"type": "invoke", "data": asked}}:
                self._pool.submit(self._answer, session_id, asked)
            case {"event": "session", "session_id": session_id, "data": said}:
                self._sessions.deliver(session_id, said)
            case {"event": "log", "data": {"message": logged}}:
                self.logs.append(str(logged))
            case {"event": "error", "data": complaint}:
                self.logs.append(f"error: {complaint}")
            case {"type": "plugin"}:
                self.manifest = message
            case _:
                self.stray.append(text)

    def _beat(self) -> None:
        self.heartbeats += 1
        if self.first_heartbeat_seconds is None:
            self.first_heartbeat_seconds = time.monotonic() - self._started
        self._ready.set()

    def _end(self, error: PluginError) -> None:
        self._sessions.end(error)
        self._ready.set()  # whoever waits for a heartbeat need not wait any longer

    def _answer(self, session_id: str, asked: Mapping[str, Any]) -> None:
        if not self._sessions.holds(session_id):
            return  # its client has left: the daemon has closed the session, and answers nothing in it
        with ExitStack() as stack:
            stack.push(partial(self._conclude, session_id, asked))
            demand_permission(asked["type"], self.manifest)
            for part in answers(self._handler, asked["type"], asked["request"]):
                self._reply(session_id, asked, "response", "stream", part)

    def _conclude(
        self,
        session_id: str,
        asked: Mapping[str, Any],
        _kind: type[BaseException] | None,
        error: BaseException | None,
        _trace: TracebackType | None,
    ) -> bool:
        """Whatever becomes of the handler, a bug included, the plugin hears the end of it."""
        with suppress(PluginError):  # the plugin is gone: nobody is left to hear
            if error:
                self._reply(session_id, asked, "error", str(error) or type(error).__name__, None)
            self._reply(session_id, asked, "end", "", None)
        return True

    def _reply(self, session_id: str, asked: Mapping[str, Any], event: str, message: str, data: Any) -> None:
        if not self._sessions.holds(session_id):
            return
        reply = {
            "backwards_request_id": asked["backwards_request_id"],
            "event": event,
            "message": message,
            "data": data,
        }
        self._tell({"session_id": session_id, "event": "backwards_response", "data": reply})
