"""What a run may spend, and the meter that says no before it is spent."""

import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from evidence.errors import LimitReached


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits that the user grants one run: `seconds` of wall time, counts of calls, tokens, rounds, threads."""

    seconds: float = 60.0
    knowledge_calls: int = 60
    retrieves: int = 6
    model_calls: int = 3
    rerank_calls: int = 2
    model_tokens: int = 24_000
    rounds: int = 1
    workers: int = 10


DOCUMENT_PAGES = 20  # as far as a document is read
DOCUMENT_CHARACTERS = 1_000_000  # the same, where its segments are long


@dataclass(frozen=True, slots=True)
class ReadPolicy:
    """How long what was read is believed, and how far it is read; one for the whole run.

    The list of datasets is believed for `unasked` seconds, a catalogue for `listed`, texts for `stale`; what a server
    answered with something wrong in it for a moment only (`cache.DOUBTED`). Nothing that it lists tells that a segment
    was edited: what is quoted is read again, however old it is.

    `catalogue_pages` of 100 names are listed of a dataset, `document_pages` of 100 segments of a document.
    Of a dataset with more names only the first page is listed; others are asked for by keyword, and where the caller
    pins a document by its id, at most `pinned_pages` are turned. A document is read up to so many `characters`.
    """

    unasked: float = 20.0
    listed: float = 60.0
    stale: float = 900.0
    catalogue_pages: int = 5
    document_pages: int = DOCUMENT_PAGES
    pinned_pages: int = 30
    characters: int = DOCUMENT_CHARACTERS


@dataclass(frozen=True, slots=True)
class CallBudget:
    """After how many knowledge calls of a run each kind of call is no longer made; `Limits` bounds them all.

    `names`: words of names are looked up one by one, and long catalogues turned. `retrieves`: a dataset is asked for
    a second ranking. `reads`: documents are read before the answer (`few_reads` where at most `few_documents` are
    known, so that few reads tell enough), save `forced` more where a document that is surely meant was not read.
    `long_documents`: what lies beyond the end of what was read of a document is looked up by its words.
    """

    names: int = 6
    retrieves: int = 10
    reads: int = 13
    few_reads: int = 8
    few_documents: int = 24
    forced: int = 1
    long_documents: int = 14


class Deadline:
    """A moment after which nothing new is begun. The clock is in seconds."""

    def __init__(
        self, seconds: float, clock: Callable[[], float] = time.monotonic, at: float | None = None
    ) -> None:
        self._clock = clock
        self._seconds = seconds
        self._at = clock() + seconds if at is None else at

    def remaining(self) -> float:
        """Seconds left; raises LimitReached when there are none."""
        left = self._at - self._clock()
        if left <= 0:
            raise LimitReached("seconds", self._seconds, round(self._seconds - left, 1))
        return left

    def left(self) -> float:
        """Seconds left, 0 when there are none."""
        return max(0.0, self._at - self._clock())

    def passed(self) -> bool:
        return self._clock() >= self._at

    def extended(self, seconds: float) -> "Deadline":
        """The same deadline, so many seconds later."""
        return Deadline(self._seconds, self._clock, self._at + seconds)


def interruptible[R](deadline: Deadline, call: Callable[[], R]) -> R:  # noqa: ARG001 - it is read from the stack
    """The call's result, or LimitReached: what it computes may be interrupted once the deadline has passed.

    Whoever interrupts computations finds the deadline here, on the stack (the plugin does: host/time_slices.py). Of
    two deadlines the inner one counts.
    """
    return call()


class Meter:
    """Thread-safe. `charge` reserves before the call, so that parallel calls cannot overspend.

    It is the one place that refuses: what is limited is charged neither beyond its limit nor after the `deadline`.
    `waited` are the seconds that have passed before the run began.
    """

    COUNTED = (
        "knowledge_calls",
        "further_calls",  # of those: behind the first one of the same question to a server
        "retrieves",
        "model_calls",
        "rerank_calls",
        "model_tokens",
        "prompt_tokens",
        "completion_tokens",
        "cache_hits",
        "calls_behind",
    )

    def __init__(
        self, limits: Limits, clock: Callable[[], float] = time.monotonic, waited: float = 0.0
    ) -> None:
        self.limits = limits
        self.deadline = Deadline(limits.seconds, clock).extended(-waited)
        self._spent = dict.fromkeys(self.COUNTED, 0)
        self._taken: dict[str, int] = {}
        self._refused: set[str] = set()
        self._lock = threading.Lock()

    def charge(self, name: str, amount: int = 1) -> None:
        """Reserve `amount`; raises LimitReached, and reserves nothing, when more is asked than granted."""
        self.charge_all({name: amount})

    def charge_all(self, amounts: Mapping[str, int]) -> None:
        """Reserve all of the amounts, or none of them."""
        if any(hasattr(self.limits, name) for name in amounts):
            self.deadline.remaining()
        with self._lock:
            requested = {name: self._spent[name] + amount for name, amount in amounts.items()}
            for name, amount in requested.items():
                allowed = getattr(self.limits, name, None)
                if allowed is not None and amount > allowed:
                    self._refused.add(name)
                    raise LimitReached(name, allowed, amount)
            self._spent.update(requested)

    def settle(self, name: str, reserved: int, actual: int) -> None:
        with self._lock:
            self._spent[name] += actual - reserved

    def take(self, name: str) -> int:
        """What was spent by this name since it was last taken."""
        with self._lock:
            taken, self._taken[name] = self._taken.get(name, 0), self._spent[name]
            return self._spent[name] - taken

    def left(self, name: str) -> int:
        with self._lock:
            return int(getattr(self.limits, name)) - self._spent[name]

    def refused(self, name: str) -> bool:
        """Whether more was asked for by this name than was granted."""
        with self._lock:
            return name in self._refused

    def spent(self) -> Mapping[str, int]:
        with self._lock:
            return dict(self._spent)


class PrefetchCalls:
    """Thread-safe; calls that were made behind the answers: those on no receipt yet, and those of late."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._unreported = 0
        self._made: deque[tuple[float, int]] = deque()
        self._lock = threading.Lock()

    def add(self, calls: int) -> None:
        with self._lock:
            self._unreported += calls
            self._made.append((self._clock(), calls))

    def take(self) -> int:
        """The calls that are on no receipt yet; they count as reported then."""
        with self._lock:
            calls, self._unreported = self._unreported, 0
            return calls

    def lately(self, seconds: float) -> int:
        """The calls of the last `seconds`; earlier ones are forgotten."""
        with self._lock:
            while self._made and self._made[0][0] < self._clock() - seconds:
                self._made.popleft()
            return sum(calls for _, calls in self._made)
