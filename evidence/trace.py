"""The receipt: what was done, how long it took, what was left out and why. Scalars only, never contents."""

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

type Fact = str | int | float | bool


@dataclass(slots=True)
class Step:
    """One thing done; `began` and `seconds` are in seconds since the trace began."""

    name: str
    facts: dict[str, Fact] = field(default_factory=dict)
    began: float = 0.0
    seconds: float = 0.0
    error: str = ""


@dataclass(frozen=True, slots=True)
class Receipt:
    """`began_at` is in Unix seconds: what was read since was read for this run."""

    seconds: float
    steps: tuple[Step, ...]
    degraded: tuple[str, ...]
    spent: Mapping[str, int]
    began_at: float = float("inf")


class Trace:
    """Thread-safe record of one run."""

    def __init__(self) -> None:
        self._began = time.perf_counter()
        self.began_at = time.time()
        self._steps: list[Step] = []
        self._degraded: dict[str, None] = {}
        self._lock = threading.Lock()

    @contextmanager
    def step(self, name: str, **facts: Fact) -> Iterator[Step]:
        began = time.perf_counter()
        step = Step(name, dict(facts), began - self._began)
        try:
            yield step
        except Exception as error:
            step.error = type(error).__name__
            raise
        finally:
            step.seconds = time.perf_counter() - began
            with self._lock:
                self._steps.append(step)

    def elapsed(self) -> float:
        """Seconds since the run began."""
        return time.perf_counter() - self._began

    def degrade(self, *reasons: str) -> None:
        """Say aloud what was left out, and why; once for each reason."""
        with self._lock:
            self._degraded |= dict.fromkeys(reasons)

    def receipt(self, spent: Mapping[str, int]) -> Receipt:
        with self._lock:
            steps = tuple(sorted(self._steps, key=lambda step: step.began))
            seconds = time.perf_counter() - self._began
            return Receipt(seconds, steps, tuple(self._degraded), spent, self.began_at)
