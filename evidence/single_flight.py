"""One call for all who ask the same at the same time."""

import threading
from collections.abc import Callable, Hashable
from concurrent.futures import Future, wait

from evidence.errors import EvidenceError, LimitReached, bare
from evidence.limits import Deadline


class SingleFlight:
    """Thread-safe; the calls under way, by key."""

    def __init__(self) -> None:
        self._flights: dict[Hashable, tuple[Future[object], Deadline | None]] = {}
        self._lock = threading.Lock()

    def call[R](self, key: Hashable, call: Callable[[], R], deadline: Deadline | None = None) -> R:
        """Make a call for the first who asks; who asks the same meanwhile gets the same result or error.

        Who waits, waits no longer than his own deadline allows, and does not take over another run's limit, nor the
        failure of a run that had too little time left to try again.
        """
        with self._lock:
            first = key not in self._flights
            flight, theirs = self._flights.setdefault(key, (Future(), deadline))
        if first:
            self._fly(key, flight, call)
            return flight.result()  # type: ignore[return-value]
        while deadline is not None and not flight.done():
            wait((flight,), deadline.remaining())
        error = flight.exception()
        own = isinstance(error, LimitReached) or not isinstance(error, Exception | None)
        if own or _gave_up_early(error, theirs, deadline):
            return self.call(key, call, deadline)
        return flight.result()  # type: ignore[return-value]

    def _fly(self, key: Hashable, flight: "Future[object]", call: Callable[[], object]) -> None:
        """The flight is forgotten before its result is set: whoever comes after its end starts another."""
        try:
            value = call()
        except BaseException as error:  # noqa: BLE001 - whoever waits raises it, whatever it is
            self._forget(key)
            flight.set_exception(bare(error) if isinstance(error, EvidenceError) else error)
        else:
            self._forget(key)
            flight.set_result(value)

    def _forget(self, key: Hashable) -> None:
        with self._lock:
            del self._flights[key]


def _gave_up_early(error: BaseException | None, theirs: Deadline | None, mine: Deadline | None) -> bool:
    if not (isinstance(error, EvidenceError) and error.retryable and theirs and mine):
        return False
    return mine.left() > 2 * theirs.left() + 2
