"""What the core asks of models. Every method is one request."""

from collections.abc import Sequence
from typing import Protocol

from evidence.model import Completion, Prompt


class LLM(Protocol):
    """A chat model. Raises ModelError."""

    def complete(self, prompt: Prompt, max_tokens: int) -> Completion: ...


class Reranker(Protocol):
    """A reranking model. Raises ModelError."""

    def scores(self, query: str, texts: Sequence[str]) -> Sequence[float | None]:
        """A score a text, in the order of the texts: higher is better, on any scale; None for one that got none."""
        ...
