"""A thousand questions a minute over several replicas: a simulation that comes out the same every time.

A replica answers one question's own work at a time and waits for many at once. What it has read is bounded, so it
reads a base again that it has not been asked about for long. Nothing is shared between replicas but the server.
"""

import random
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from zlib import crc32

from bench.metrics import quantile
from evidence.limits import Tally


@dataclass(frozen=True, slots=True)
class Load:
    """`rate` questions a minute for `minutes`, each about one of `bases`; some bases are asked about more often.

    Times are in seconds: `work` of a question that finds all at hand, `cold_work` of one that does not, `behind_work`
    of reading a base behind the answer; `waiting` for the model and the server. Calls are those of a question that
    finds all at hand, of one that does not, and of reading a base. A replica holds `shelves` bases, and reads no base
    behind an answer once it made `behind_most` calls so in ten minutes.
    """

    rate: int = 1_000
    minutes: int = 10
    bases: int = 40
    shelves: int = 8
    work: float = 0.025
    cold_work: float = 0.08
    behind_work: float = 0.25
    waiting: float = 2.2
    calls: int = 1
    cold_calls: int = 13
    behind_calls: int = 100
    behind_most: int = 4_000


@dataclass(frozen=True, slots=True)
class Outcome:
    """Shares are in 0..1, seconds are of a question, calls are those that reach the server in a minute."""

    replicas: int
    routing: str
    busy: float
    cold: float
    p50: float
    p95: float
    calls_a_minute: float


type Choose = Callable[[int, int, int], int]


def simulate(replicas: int, routing: str, load: Load) -> Outcome:
    """Questions come at random (seeded) moments; `routing` is "any" or "by key"."""
    choose = _ROUTINGS[routing]
    chance = random.Random(0)  # noqa: S311 - a simulation that must come out the same
    free_at, work_done = [0.0] * replicas, [0.0] * replicas
    shelves: list[OrderedDict[int, None]] = [OrderedDict() for _ in range(replicas)]
    seconds, cold, calls, now = list[float](), 0, 0, 0.0
    tallies = [Tally(lambda: now) for _ in range(replicas)]
    weights = [1 / (base + 1) for base in range(load.bases)]
    questions = load.rate * load.minutes
    for number, base in enumerate(chance.choices(range(load.bases), weights, k=questions)):
        now += chance.expovariate(load.rate / 60)
        at = choose(number, base, replicas)
        warm = _at_hand(shelves[at], base)
        work = load.work if warm else load.cold_work
        began = max(now, free_at[at])
        reads = not warm and tallies[at].lately(600.0) < load.behind_most
        behind = load.behind_work if reads else 0.0
        free_at[at] = began + work + behind
        work_done[at] += work + behind
        seconds.append(began + work + load.waiting - now)
        cold += not warm
        calls += load.calls if warm else load.cold_calls
        if reads:
            tallies[at].add(load.behind_calls)
            calls += load.behind_calls
            _keep(shelves[at], base, load.shelves)
    return Outcome(
        replicas,
        routing,
        max(work_done) / now,
        cold / questions,
        quantile(seconds, 0.5),
        quantile(seconds, 0.95),
        calls / load.minutes,
    )


def _at_hand(shelf: OrderedDict[int, None], base: int) -> bool:
    if base in shelf:
        shelf.move_to_end(base)
    return base in shelf


def _keep(shelf: OrderedDict[int, None], base: int, most: int) -> None:
    shelf[base] = None
    while len(shelf) > most:
        shelf.popitem(last=False)


def _any(number: int, _base: int, replicas: int) -> int:
    return number % replicas


def _by_key(_number: int, base: int, replicas: int) -> int:
    return crc32(str(base).encode()) % replicas


_ROUTINGS: dict[str, Choose] = {"any": _any, "by key": _by_key}


def sweep(replicas: Sequence[int], load: Load) -> tuple[Outcome, ...]:
    return tuple(simulate(count, routing, load) for routing in _ROUTINGS for count in replicas)
