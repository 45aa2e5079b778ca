"""One job for identical requests: who asks while it runs waits for it, who asks soon after gets its result."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from evidence.errors import KnowledgeUnavailable
from evidence.lru import LRU
from evidence.workers import Work, begun, start


@dataclass(slots=True)
class _Flight[T]:
    """A job and what belongs to it; `landed` is the time at which it ended."""

    of: T
    waiting: Work[bool] = field(default_factory=begun)
    landed: float = float("inf")


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
        self._keep, self._at_once, self._clock = keep, at_once, clock
        self._flights: LRU[_Flight[T]] = LRU(most, spent=self._over)

    def join(self, key: str, make: Callable[[], T], run: Callable[[T], bool]) -> tuple[T, Work[bool]]:
        """The job of this key, begun with `run(make())` unless it is under way or just done; `run` says what to keep.

        Raises KnowledgeUnavailable when too many others are under way, and what `make` raises.
        """

        def begin() -> _Flight[T]:
            if sum(not flight.waiting.done() for flight in self._flights.values()) >= self._at_once:
                raise KnowledgeUnavailable("too many searches are under way; ask again in a moment")
            flight = _Flight(make())
            start(lambda: self._fly(flight, run), flight.waiting)
            return flight

        flight = self._flights.get(key, begin)
        return flight.of, flight.waiting

    def forget(self, key: str) -> None:
        """Begin anew for who asks next, whatever is kept."""
        self._flights.drop(key)

    def _fly(self, flight: _Flight[T], run: Callable[[T], bool]) -> bool:
        try:
            return run(flight.of)
        finally:
            flight.landed = self._clock()

    def _over(self, flight: _Flight[T]) -> bool:
        if not flight.waiting.done():
            return False
        worth_keeping = flight.waiting.exception() is None and flight.waiting.result()
        return not worth_keeping or self._clock() - flight.landed > self._keep
