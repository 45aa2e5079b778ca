"""What a run may spend, and the meter that says no before it is spent."""

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from evidence.errors import LimitReached


@dataclass(frozen=True, slots=True)
class Limits:
    """What the user grants one run: `seconds` of wall time, counts of calls, tokens, rounds, threads."""

    seconds: float = 60.0
    knowledge_calls: int = 60
    retrieves: int = 6
    model_calls: int = 3
    rerank_calls: int = 2
    model_tokens: int = 24_000
    rounds: int = 1
    workers: int = 8


class Deadline:
    """A moment after which nothing new is begun. The clock is in seconds."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._seconds = seconds
        self._at = clock() + seconds

    def remaining(self) -> float:
        """Seconds left; raises LimitReached when there are none."""
        left = self._at - self._clock()
        if left <= 0:
            raise LimitReached("seconds", self._seconds, round(self._seconds - left, 1))
        return left

    def passed(self) -> bool:
        return self._clock() >= self._at


class Meter:
    """Thread-safe. `charge` reserves before the call, so that parallel calls cannot overspend."""

    COUNTED = (
        "knowledge_calls",
        "retrieves",
        "model_calls",
        "rerank_calls",
        "model_tokens",
        "prompt_tokens",
        "completion_tokens",
        "cache_hits",
    )

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._spent = dict.fromkeys(self.COUNTED, 0)
        self._lock = threading.Lock()

    def charge(self, name: str, amount: int = 1) -> None:
        """Reserve `amount`; raises LimitReached, and reserves nothing, when more is asked than granted."""
        self.charge_all({name: amount})

    def charge_all(self, amounts: Mapping[str, int]) -> None:
        """Reserve all of the amounts, or none of them."""
        with self._lock:
            wanted = {name: self._spent[name] + amount for name, amount in amounts.items()}
            for name, amount in wanted.items():
                allowed = getattr(self._limits, name, None)
                if allowed is not None and amount > allowed:
                    raise LimitReached(name, allowed, amount)
            self._spent.update(wanted)

    def settle(self, name: str, reserved: int, actual: int) -> None:
        with self._lock:
            self._spent[name] += actual - reserved

    def left(self, name: str) -> int:
        with self._lock:
            return int(getattr(self._limits, name)) - self._spent[name]

    def spent(self) -> Mapping[str, int]:
        with self._lock:
            return dict(self._spent)
