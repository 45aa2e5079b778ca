"""A knowledge server that remembers what it answered, so that a run cut short can stand on what is ready."""

import threading
from collections.abc import Callable, Mapping
from typing import Self, cast

from evidence.errors import KnowledgeUnavailable
from evidence.knowledge.middleware import Call, WrappedKnowledge
from evidence.knowledge.port import Knowledge

NONE: Mapping[Call, object] = {}


class Remembering(WrappedKnowledge):
    """Thread-safe. Passes every call on, once, and keeps its answer for `ready`.

    One that does not ask has the `answers` and no others: every other call fails at once.
    """

    def __init__(self, inner: Knowledge, answers: Mapping[Call, object] = NONE, *, asks: bool = True) -> None:
        super().__init__(inner)
        self._asks = asks
        self._answers = dict(answers)
        self._lock = threading.Lock()

    def ready(self) -> Self:
        """The same answers and no others: whatever was not answered yet fails at once."""
        with self._lock:
            return type(self)(self._inner, self._answers, asks=False)

    def forget(self) -> None:
        """Keep nothing of what was answered so far."""
        with self._lock:
            self._answers.clear()

    def _ask[R](self, call: Call, ask: Callable[[], R]) -> R:
        with self._lock:
            if call in self._answers:
                return cast("R", self._answers[call])
        if not self._asks:
            raise KnowledgeUnavailable("the knowledge server has not answered yet")
        answer = ask()
        with self._lock:
            self._answers[call] = answer
        return answer
