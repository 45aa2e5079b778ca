"""The workspace's models, waited for no longer than the run's deadline: the SDK's calls have no timeout of ours.

What is still under way then goes on behind, until its own time limit ends it; its answer is not used. Nor is a model
waited for when nobody waits for the answer: Dify closes the session of a client that has left, tells nobody, and
answers nothing that is asked in it.
"""

from collections.abc import Callable, Sequence
from typing import Any

from evidence.errors import Abandoned
from evidence.limits import Deadline
from evidence.model import Completion, Prompt
from evidence.ports import LLM, Reranker
from evidence.workers import settled, start

_NOTHING = "presence"  # a key of the plugin's storage under which nothing is kept
PATIENCE = 10.0  # seconds of a model's silence after which is looked whether anybody still waits
ABSENT = 2  # times in a row that nobody was there: one may be a slow moment of Dify's

type Present = Callable[[], bool]
"""Whether Dify still answers in the session."""


def within[R](
    deadline: Deadline, call: Callable[[], R], present: Present | None = None, patience: float = PATIENCE
) -> R:
    """The call's result; raises LimitReached when the deadline passes first, Abandoned when nobody waits for it."""
    deadline.remaining()
    work = start(call)
    absent = 0
    while not settled(work, min(deadline.remaining(), patience)):
        absent = absent + 1 if present and deadline.left() and not present() else 0
        if absent >= ABSENT and not work.done():
            raise Abandoned("whoever asked has left")
    return work.result()


class SessionPresence:
    """Whether Dify still answers in a session; asked for the least that can be asked, whatever the answer is."""

    def __init__(self, session: Any, seconds: float = 5.0) -> None:
        self._session, self._seconds = session, seconds

    def __call__(self) -> bool:
        asked = start(lambda: self._session.storage.exist(_NOTHING))
        return settled(asked, self._seconds)


class BoundedLLM:
    def __init__(
        self, inner: LLM, deadline: Deadline, present: Present | None = None, patience: float = PATIENCE
    ) -> None:
        self._inner, self._deadline, self._present, self._patience = inner, deadline, present, patience

    def complete(self, prompt: Prompt, max_tokens: int) -> Completion:
        def call() -> Completion:
            return self._inner.complete(prompt, max_tokens)

        return within(self._deadline, call, self._present, self._patience)


class BoundedReranker:
    def __init__(self, inner: Reranker, deadline: Deadline, present: Present | None = None) -> None:
        self._inner, self._deadline, self._present = inner, deadline, present

    def scores(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        return within(self._deadline, lambda: self._inner.scores(query, texts), self._present)
