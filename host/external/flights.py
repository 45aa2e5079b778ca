"""One job for identical requests: who asks while it runs waits for it, who asks soon after gets its result."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from evidence.errors import KnowledgeUnavailable
from evidence.workers import start


class Waiting[R](Protocol):
    """A future, as far as it matters here."""

    def result(self, timeout: float | None = None) -> R:
        """What the job gave, or the error it raised; TimeoutError after `timeout` seconds."""
        ...

    def done(self) -> bool: ...

    def exception(self, timeout: float | None = None) -> BaseException | None: ...


@dataclass(slots=True)
class _Flight[T]:
    """A job and what belongs to it; `landed` is the time at which it was first seen to be done."""

    waiting: Waiting[bool]
    of: T
    landed: float | None = None


class Flights[T]:
    """Thread-safe. `keep` is in seconds of the clock, `most` results are kept, the oldest go first.

    A job that failed, or whose result is not to be kept, is forgotten, so that the next request tries anew. At most
    `at_once` are under way.
    """

    def __init__(
        self,
        keep: float = 30.0,
        most: int = 128,
        at_once: int = 64,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._keep, self._most, self._at_once, self._clock = keep, most, at_once, clock
        self._flights: OrderedDict[str, _Flight[T]] = OrderedDict()
        self._lock = threading.Lock()

    def join(self, key: str, make: Callable[[], T], run: Callable[[T], bool]) -> tuple[T, Waiting[bool]]:
        """The job of this key, begun with `run(make())` unless it is under way or just done; `run` says what to keep.

        Raises KnowledgeUnavailable when too many others are under way, and what `make` raises.
        """
        with self._lock:
            self._forget()
            flight = self._flights.get(key)
            if flight is None:
                if sum(not each.waiting.done() for each in self._flights.values()) >= self._at_once:
                    raise KnowledgeUnavailable("too many searches are under way; ask again in a moment")
                of = make()
                flight = self._flights[key] = _Flight(start(lambda: run(of)), of)
            return flight.of, flight.waiting

    def _forget(self) -> None:
        now = self._clock()
        for key, flight in tuple(self._flights.items()):
            if not flight.waiting.done():
                continue
            flight.landed = now if flight.landed is None else flight.landed
            failed = flight.waiting.exception() is not None
            if failed or not flight.waiting.result() or now - flight.landed > self._keep:
                del self._flights[key]
        while len(self._flights) > self._most:
            self._flights.popitem(last=False)
