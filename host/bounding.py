"""The workspace's models, waited for no longer than the run's deadline: the SDK's calls have no timeout of ours.

What is still under way then goes on behind, until its own time limit ends it; its answer is not used. Nor is a model
waited for when nobody waits for the answer: Dify closes the session of a client that has left, tells nobody, and
answers nothing that is asked in it.
"""

from collections.abc import Callable, Sequence
from typing import Any

from evidence.errors import ClientDisconnected
from evidence.limits import Deadline
from evidence.llm.port import LLM, Reranker
from evidence.model import Completion, Prompt
from evidence.workers import settled, start

_NOTHING = "presence"  # a key of the plugin's storage under which nothing is kept
PATIENCE = 10.0  # seconds of a model's silence after which Dify is asked whether it still answers
ABSENT = 2  # times in a row that it did not

type Present = Callable[[], object]
"""Asks Dify something that it answers at once in an open session, and never in a closed one."""


def within[R](
    deadline: Deadline, call: Callable[[], R], present: Present | None = None, patience: float = PATIENCE
) -> R:
    """The call's result. Raises LimitReached when the deadline passes first, ClientDisconnected when nobody waits.

    Silence tells only where Dify answered before: a storage that is slow for everybody tells nothing.
    """
    deadline.remaining()
    work = start(call)
    answered, absent, pause = False, 0, patience / 4
    while not settled(work, min(deadline.remaining(), pause)):
        if present is None:
            continue
        probe = start(present)
        if settled(work, min(deadline.remaining(), patience / 2)):
            break
        answered, absent = answered or probe.done(), 0 if probe.done() else absent + 1
        if answered and absent >= ABSENT:
            raise ClientDisconnected("the caller closed the session")
        pause = patience
    return work.result()


class SessionPresence:
    """Asks for the least that can be asked in a session, whatever the answer is."""

    def __init__(self, session: Any) -> None:
        self._session = session

    def __call__(self) -> object:
        return self._session.storage.exist(_NOTHING)


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

    def scores(self, query: str, texts: Sequence[str]) -> Sequence[float | None]:
        return within(self._deadline, lambda: self._inner.scores(query, texts), self._present)
