"""The only place that starts threads (greenlets, once Dify's SDK has patched them)."""

import threading
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass

from evidence.errors import EvidenceError, bare
from evidence.limits import Deadline, interruptible

type Work[R] = Future[R]
"""Work that was started: `result(seconds)` waits, and raises TimeoutError when it is not done by then."""


@dataclass(frozen=True, slots=True)
class Failure:
    error: EvidenceError


def gather[T, R](
    call: Callable[[T], R], items: Iterable[T], *, workers: int, deadline: Deadline
) -> list[R | Failure]:
    """Call for every item, in parallel, and answer in the order of the items.

    An expected failure takes its item's place; anything else is a bug and is raised.
    """

    def attempt(item: T) -> R | Failure:
        try:
            deadline.remaining()
            return interruptible(deadline, lambda: call(item))
        except EvidenceError as error:
            return Failure(bare(error))

    todo = list(items)
    if len(todo) <= 1:
        return [attempt(item) for item in todo]
    with ThreadPoolExecutor(max_workers=min(workers, len(todo))) as pool:
        return list(pool.map(attempt, todo))


def begun[R]() -> Work[R]:
    """Work that is to be started: others may wait for it already."""
    return Future()


def start[R](call: Callable[[], R], into: "Future[R] | None" = None) -> "Future[R]":
    """Begin one piece of work beside the caller's own; its result or error is in the future, `into` where given."""
    future: Future[R] = Future() if into is None else into

    def run() -> None:
        try:
            future.set_result(call())
        except BaseException as error:  # noqa: BLE001 - the waiting thread raises it, whatever it is
            future.set_exception(bare(error) if isinstance(error, EvidenceError) else error)

    threading.Thread(target=run, daemon=True).start()
    return future


def settled[R](work: Work[R], seconds: float) -> bool:
    """Whether what was begun has come to its end, after so many seconds at the latest."""
    wait((work,), seconds)
    return work.done()
