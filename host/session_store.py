"""The plugin's storage in the workspace, as a store that all processes of the plugin see."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from evidence.errors import LimitReached, StoreUnavailable
from evidence.limits import Deadline
from host.bounding import within
from host.session_calls import asked

_NOT_THERE = (
    "load data failed"  # the daemon says the same of a key that was never set and of one that is lost
)


class _NotThere(StoreUnavailable):
    """Nothing lies under a key."""


class SessionStore:
    """Usable for as long as the invocation lasts: Dify answers nothing that is asked after its end."""

    def __init__(self, session: Any) -> None:
        self._storage = session.storage

    def get(self, key: str, seconds: float) -> bytes | None:
        try:
            value = _answered(lambda: self._storage.get(key), seconds)
        except _NotThere:
            return None
        return bytes(value)

    def put(self, key: str, value: bytes, seconds: float) -> None:
        """Daemons before 0.5.7 count a value that is overwritten twice: drop the old one first where one may lie."""
        _answered(lambda: self._storage.set(key, value), seconds)

    def drop(self, key: str, seconds: float) -> None:
        with suppress(StoreUnavailable):  # the daemon refuses to drop what is not there
            _answered(lambda: self._storage.delete(key), seconds)


def _answered[R](call: Callable[[], R], seconds: float) -> R:
    try:
        return within(Deadline(seconds), lambda: asked(call, _meant))
    except LimitReached:
        raise StoreUnavailable("the plugin's storage did not answer in time") from None


def _meant(error: Exception) -> StoreUnavailable:
    """The error's own words are judged, never shown."""
    said = str(error)
    if _NOT_THERE in said:
        return _NotThere("nothing is stored there")
    if "permission denied" in said:
        return StoreUnavailable("the plugin is not permitted to use its storage; reinstall the plugin")
    if "storage size" in said:
        return StoreUnavailable("the plugin's storage is full")
    return StoreUnavailable(f"the plugin's storage failed ({type(error).__name__})")
