"""Admission of large requests: what all of them together make the process hold is bounded.

The SDK has read a request before anybody may refuse it. What is then made of a text (terms, sentences, spans) takes
about forty times its bytes, so of large requests only as many are answered at once as fit; the others wait in the
order in which they came. Small ones never wait.
"""

import sys
import threading
import time
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

from evidence.errors import Overloaded
from evidence.limits import Deadline

SMALL = 50_000  # bytes of a request that needs no admission; eight passages of a search have about 20,000
MOST_AT_ONCE = 1_500_000  # bytes of all large requests that are answered at the same time
MOST_WAITING = 24_000_000  # bytes of those that wait


@dataclass(eq=False, slots=True)
class _Ticket:
    size: int
    share: int  # of what fits at once: the largest requests take all of it
    admitted: threading.Event = field(default_factory=threading.Event)


class Admission:
    """Thread-safe; requests are admitted by their size in bytes, first come, first served."""

    def __init__(self, most: int = MOST_AT_ONCE, waiting: int = MOST_WAITING, small: int = SMALL) -> None:
        self._most, self._most_waiting, self._small = most, waiting, small
        self._inside = 0
        self._queue: deque[_Ticket] = deque()
        self._lock = threading.Lock()

    @property
    def waiting(self) -> int:
        """Requests that wait now."""
        with self._lock:
            return len(self._queue)

    @contextmanager
    def admitted(self, size: int, seconds: float) -> Iterator[float]:
        """The seconds that a request of so many bytes has waited, at most `seconds`; it is answered inside.

        Raises Overloaded when it is not admitted by then, and at once when too much waits already.
        """
        if size <= self._small:
            yield 0.0
            return
        began = time.monotonic()
        ticket = _Ticket(size, min(size, self._most))
        self._enter(ticket, Deadline(seconds))
        try:
            yield time.monotonic() - began
        finally:
            self._leave(ticket)

    def _enter(self, ticket: _Ticket, deadline: Deadline) -> None:
        with self._lock:
            size = sum(waiting.size for waiting in self._queue) + ticket.size
            if self._queue and size > self._most_waiting:
                raise _overloaded()
            self._queue.append(ticket)
            self._admit()
        with ExitStack() as undone:
            undone.callback(self._leave, ticket)
            while not ticket.admitted.is_set():
                if deadline.passed():
                    raise _overloaded()
                ticket.admitted.wait(deadline.left())
            undone.pop_all()

    def _admit(self) -> None:
        """Let in who waited longest; the lock is held."""
        while self._queue and self._inside + self._queue[0].share <= self._most:
            ticket = self._queue.popleft()
            self._inside += ticket.share
            ticket.admitted.set()

    def _leave(self, ticket: _Ticket) -> None:
        with self._lock:
            if ticket.admitted.is_set():
                self._inside -= ticket.share
            else:
                self._queue.remove(ticket)
            self._admit()


LARGE_REQUESTS = Admission()


def size_of(value: Any) -> int:
    """Bytes that a value takes in memory, with all values in it."""
    total, values = 0, [value]
    while values:
        item = values.pop()
        total += sys.getsizeof(item)
        if isinstance(item, Mapping):
            values.extend(item.keys())
            values.extend(item.values())
        elif isinstance(item, list | tuple):
            values.extend(item)
    return total


def _overloaded() -> Overloaded:
    return Overloaded("too many large requests are being answered; ask again later, or hand in less text")
