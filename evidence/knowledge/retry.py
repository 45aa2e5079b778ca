"""A port wrapper that asks again: reads only, with jitter, never past the deadline.

It stands outside the meter, so that each attempt is charged and traced.
Full jitter after M. Brooker, "Exponential Backoff And Jitter" (AWS Architecture Blog, 2015).
"""

from collections.abc import Callable

from tenacity import RetryCallState, Retrying, retry_if_exception, stop_after_attempt, wait_random_exponential

from evidence.errors import KnowledgeError, RateLimited
from evidence.knowledge.middleware import WrappedKnowledge
from evidence.knowledge.port import Knowledge
from evidence.limits import Deadline
from evidence.trace import Trace


class RetryingKnowledge(WrappedKnowledge):
    """Asks up to `attempts` times where the error says that it may help and the deadline allows the wait."""

    def __init__(self, inner: Knowledge, deadline: Deadline, trace: Trace, attempts: int = 3) -> None:
        super().__init__(inner)
        self._deadline, self._trace = deadline, trace
        self._backoff = wait_random_exponential(multiplier=0.2, max=3.0)
        self._attempts = attempts

    def _ask[R](self, call: Callable[[], R], *, retrieve: bool = False) -> R:  # noqa: ARG002 - all are tried again
        retrying = Retrying(
            retry=retry_if_exception(self._worth_another),
            stop=stop_after_attempt(self._attempts),
            wait=self._wait,
            reraise=True,
        )
        return retrying(call)

    def _wait(self, state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        if isinstance(error, RateLimited):
            self._trace.degrade("the knowledge server asked to wait (rate limit)")
            return error.wait + self._backoff(state)
        return self._backoff(state)

    def _worth_another(self, error: BaseException) -> bool:
        """Not where the wait would take more than half of what is left: then nothing is left to answer with."""
        if not (isinstance(error, KnowledgeError) and error.retryable):
            return False
        wait = error.wait if isinstance(error, RateLimited) else 0.0
        return self._deadline.left() > 2 * (wait + 1.0)
