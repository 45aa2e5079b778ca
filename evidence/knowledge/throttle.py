"""How hard one server may be asked, by all runs together: how many calls at once, and when not at all.

The number at once follows the server: half after a failure that tells of load, one more after a round of calls that
went well (additive increase, multiplicative decrease; Chiu and Jain, 1989); until something fails for the first time,
a round that went well doubles it (slow start; Jacobson, 1988). Callers wait in the order in which they came, each no
longer than its own deadline.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

from evidence.errors import KnowledgeUnavailable, RateLimited
from evidence.limits import Deadline

LONGEST_PAUSE = 600.0  # seconds


class Gate:
    """Thread-safe; lets at most `at_once` calls through, `least` to `most` as the server bears."""

    def __init__(self, at_once: int = 32, least: int = 2, most: int = 64) -> None:
        self._allowed = float(at_once)
        self._least, self._most = float(least), float(most)
        self._inside = 0
        self._spared = 0  # calls before this number began under a cap that was halved since
        self._full_at = 0  # the latest call with which the gate was full
        self._begun = 0
        self._queue: deque[threading.Event] = deque()
        self._lock = threading.Lock()

    @property
    def at_once(self) -> int:
        with self._lock:
            return int(self._allowed)

    @contextmanager
    def passing(self, deadline: Deadline) -> Iterator[int]:
        """One call's number; raises LimitReached when the deadline passes before there is one."""
        number = self._enter(deadline)
        try:
            yield number
        finally:
            with self._lock:
                self._inside -= 1
                self._admit()

    def went_well(self, number: int) -> None:
        """More may go at once, if the gate was full while the call was under way."""
        with self._lock:
            if self._full_at >= number:
                more = 1 / self._allowed if self._spared else 1.0
                self._allowed = min(self._most, self._allowed + more)

    def failed(self, number: int) -> None:
        """Half, once for all the calls that were under way together."""
        with self._lock:
            if number > self._spared:
                self._allowed = max(self._least, self._allowed / 2)
                self._spared = self._begun

    def _enter(self, deadline: Deadline) -> int:
        ticket = threading.Event()
        with self._lock:
            self._queue.append(ticket)
            self._admit()
        with ExitStack() as undone:
            undone.callback(self._give_up, ticket)
            while not ticket.is_set():
                ticket.wait(deadline.remaining())
            undone.pop_all()
        with self._lock:
            self._begun += 1
            if self._inside >= int(self._allowed):
                self._full_at = self._begun
            return self._begun

    def _admit(self) -> None:
        """Let in who waited longest; the lock is held."""
        while self._queue and self._inside < int(self._allowed):
            self._inside += 1
            self._queue.popleft().set()

    def _give_up(self, ticket: threading.Event) -> None:
        with self._lock:
            if ticket.is_set():
                self._inside -= 1
                self._admit()
            else:
                self._queue.remove(ticket)


class Pause:
    """Thread-safe; until when one key may not retrieve, or not ask at all. Times are in seconds of the clock."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lists_at = self._retrieves_at = float("-inf")
        self._lock = threading.Lock()

    def note(self, error: RateLimited) -> None:
        """Remember how long the server asked to wait."""
        at = self._clock() + min(error.wait, LONGEST_PAUSE)
        with self._lock:
            self._retrieves_at = max(self._retrieves_at, at)
            if not error.retrieves_only:
                self._lists_at = max(self._lists_at, at)

    def check(self, *, retrieve: bool) -> None:
        """Raises RateLimited with what is left of the wait."""
        with self._lock:
            left = (self._retrieves_at if retrieve else self._lists_at) - self._clock()
        if left > 0:
            what = "retrieves" if retrieve else "calls"
            raise RateLimited(
                f"the knowledge server's rate limit is reached: no {what} for {left:.0f} s more",
                left,
                retrieves_only=retrieve,
            )


@dataclass(frozen=True, slots=True)
class Throttle:
    """The limits that all runs of one server share: `gate` by its address, `pause` by address and key."""

    gate: Gate = field(default_factory=Gate)
    pause: Pause = field(default_factory=Pause)

    @contextmanager
    def passing(self, deadline: Deadline, *, retrieve: bool) -> Iterator[None]:
        """One call, made inside; raises LimitReached, or RateLimited where the server asked to wait."""
        with self.gate.passing(deadline) as number:
            self.pause.check(retrieve=retrieve)
            try:
                yield
            except RateLimited as error:
                self.pause.note(error)
                if not error.retrieves_only:
                    self.gate.failed(number)
                raise
            except KnowledgeUnavailable as error:
                if error.of_load:
                    self.gate.failed(number)
                raise
            self.gate.went_well(number)
