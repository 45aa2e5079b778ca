"""The workspace's key-value storage, kept in memory."""

from collections.abc import Mapping
from threading import Lock
from typing import Any

from standalone.daemon.reverse import ReverseError

_LONGEST_KEY = 256  # characters; the daemon refuses more


class MemoryStorage:
    """Answers `session.storage`: set, get, del, exist. Values travel as hexadecimal text.

    A handler for `PluginProcess(on_invoke=…)`; a process without one has its own. Share one
    between two processes to see what survives a restart.
    """

    def __init__(self) -> None:
        self._values: dict[str, bytes] = {}
        self._lock = Lock()

    @property
    def values(self) -> dict[str, bytes]:
        """A copy of what is stored now."""
        with self._lock:
            return dict(self._values)

    def __call__(self, kind: str, request: Mapping[str, Any]) -> dict[str, Any] | None:
        if kind != "storage":
            return None
        key = str(request["key"])
        if not 0 < len(key) <= _LONGEST_KEY:
            raise ReverseError(f"storage keys have 1 to {_LONGEST_KEY} characters, not {len(key)}")
        with self._lock:
            return {"data": self._answer(str(request["opt"]), key, request)}

    def _answer(self, operation: str, key: str, request: Mapping[str, Any]) -> str | bool:
        match operation:
            case "set":
                self._values[key] = bytes.fromhex(request["value"])
                return "ok"
            case "get" if key in self._values:
                return self._values[key].hex()
            case "get":
                raise ReverseError("load data failed, the key is wrong or was never set")
            case "del":
                self._values.pop(key, None)
                return "ok"
            case "exist":
                return key in self._values
        raise ReverseError(f"unknown storage operation: {operation}")
