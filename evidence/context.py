"""What every stage is handed, explicitly: no globals, no context variables."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field

from evidence.cache import Cache
from evidence.knowledge.port import Knowledge
from evidence.limits import CallBudget, Deadline, Limits, Meter, ReadPolicy, interruptible
from evidence.llm.port import LLM, Embedder, Reranker
from evidence.single_flight import SingleFlight
from evidence.trace import Trace
from evidence.workers import Failure, gather, start

GRACE = 0.6  # seconds after the deadline in which what was found by then may still become an answer


@dataclass(frozen=True, slots=True)
class Context:
    """`llm`, `reranker` and `embedder` are None when nobody granted one.

    `cache` is what was read before, `flights` what is being read now: runs of one server and key share both.
    `unlisted` are knowledge bases that no server lists, and that are asked for one by one: names by id.
    `model` tells one model with its settings from another, so that what one said is not taken for another's.
    """

    knowledge: Knowledge
    llm: LLM | None
    reranker: Reranker | None
    cache: Cache
    meter: Meter
    trace: Trace
    unlisted: Mapping[str, str] = field(default_factory=dict)
    model: str = ""
    reading: ReadPolicy = ReadPolicy()
    budget: CallBudget = CallBudget()
    embedder: Embedder | None = None
    flights: SingleFlight = field(default_factory=SingleFlight)

    @property
    def limits(self) -> Limits:
        return self.meter.limits

    @property
    def deadline(self) -> Deadline:
        return self.meter.deadline

    def calls_left(self, most: int) -> int:
        """How many of the first `most` knowledge calls of the run are left; below 0 once more were made.

        Further pages of one list, and the second half of a query, are not counted.
        """
        spent = self.meter.spent()
        return most - spent["knowledge_calls"] + spent["further_calls"]

    def single_flight[R](self, key: Hashable, call: Callable[[], R]) -> R:
        """The call's result, made once for all runs on these flights that ask the same at the same time."""
        return self.flights.call(key, call, self.deadline)

    def gather[T, R](
        self, call: Callable[[T], R], items: Iterable[T], *, at_once: int = 0
    ) -> list[R | Failure]:
        return gather(call, items, workers=at_once or self.limits.workers, deadline=self.deadline)

    def start[R](self, call: Callable[[], R]) -> "Future[R]":
        return start(lambda: self.interruptible(call))

    def interruptible[R](self, call: Callable[[], R]) -> R:
        """The call's result; LimitReached is raised in what still computes once the deadline has passed."""
        return interruptible(self.deadline, call)

    def ending[R](self, call: Callable[[], R]) -> R:
        """The result of the whole run, which may compute for a moment after the deadline."""
        return interruptible(self.deadline.extended(GRACE), call)
