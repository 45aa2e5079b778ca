"""Requests under way: each waits on a queue of its own for what the plugin says about it."""

import queue
import time
from collections.abc import Iterator, Mapping
from threading import Lock
from typing import Any
from uuid import uuid4

from standalone.daemon.results import PluginError

_Said = Mapping[str, Any] | PluginError


class Sessions:
    """The open requests of one plugin process; safe for many threads."""

    def __init__(self) -> None:
        self._queues: dict[str, queue.SimpleQueue[_Said]] = {}
        self._lock = Lock()
        self._ended: PluginError | None = None

    def open(self) -> str:
        """A new session id; raises PluginError where the plugin has already ended."""
        session_id = uuid4().hex
        with self._lock:
            if self._ended:
                raise PluginError(self._ended.error_type, self._ended.message)
            self._queues[session_id] = queue.SimpleQueue()
        return session_id

    def close(self, session_id: str) -> None:
        with self._lock:
            self._queues.pop(session_id, None)

    def holds(self, session_id: str) -> bool:
        """Whether somebody still waits for this session's end."""
        with self._lock:
            return session_id in self._queues

    def deliver(self, session_id: str, said: Mapping[str, Any]) -> None:
        """Hand on what the plugin said; a session nobody waits for any more is no error."""
        with self._lock:
            waiting = self._queues.get(session_id)
        if waiting is not None:
            waiting.put(said)

    def end(self, error: PluginError) -> None:
        """The plugin is gone: wake everybody who waits, refuse everybody who comes."""
        with self._lock:
            self._ended = self._ended or error
            waiting = tuple(self._queues.values())
        for one in waiting:
            one.put(error)

    def read(self, session_id: str, seconds: float) -> Iterator[Any]:
        """Yield the stream objects of a session until its end; raises PluginError."""
        with self._lock:
            waiting = self._queues[session_id]
        deadline = time.monotonic() + seconds
        while True:
            try:
                said = waiting.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise PluginError("Timeout", f"no end after {seconds:g} seconds") from None
            if isinstance(said, PluginError):
                # a fresh one: an exception raised in two threads would share its traceback
                raise PluginError(said.error_type, said.message)
            if said["type"] == "end":
                return
            if said["type"] == "error":
                failed = said["data"]
                raise PluginError(failed["error_type"], failed["message"], failed.get("args"))
            yield said["data"]
