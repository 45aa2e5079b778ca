"""The workspace's models, waited for no longer than the run's deadline: the SDK's calls have no timeout of ours.

What is still under way then goes on behind, until its own time limit ends it; its answer is not used.
"""

from collections.abc import Callable, Sequence

from evidence.limits import Deadline
from evidence.model import Completion, Prompt
from evidence.ports import LLM, Reranker
from evidence.workers import awaited, start


def within[R](deadline: Deadline, call: Callable[[], R]) -> R:
    """The call's result; raises LimitReached when the deadline passes before it is there."""
    deadline.remaining()
    return awaited(start(call), deadline)


class BoundedLLM:
    def __init__(self, inner: LLM, deadline: Deadline) -> None:
        self._inner, self._deadline = inner, deadline

    def complete(self, prompt: Prompt, max_tokens: int) -> Completion:
        return within(self._deadline, lambda: self._inner.complete(prompt, max_tokens))


class BoundedReranker:
    def __init__(self, inner: Reranker, deadline: Deadline) -> None:
        self._inner, self._deadline = inner, deadline

    def scores(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        return within(self._deadline, lambda: self._inner.scores(query, texts))
