"""What the core asks of models, each method one request; and the same metered and traced, once for all adapters."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from evidence.errors import EvidenceError
from evidence.index.vectors import Vectors
from evidence.language.tokens import count
from evidence.limits import Meter
from evidence.model import LONGEST_REPLY, Completion, Prompt
from evidence.trace import Trace


class LLM(Protocol):
    """A chat model. Raises ModelError."""

    def complete(self, prompt: Prompt, max_tokens: int) -> Completion: ...


class Reranker(Protocol):
    """A reranking model. Raises ModelError."""

    def scores(self, query: str, texts: Sequence[str]) -> Sequence[float | None]:
        """A score a text, in the order of the texts: higher is better, on any scale; None for one that got none."""
        ...


class Embedder(Protocol):
    """A model of sentences. Raises ModelError."""

    @property
    def name(self) -> str:
        """What tells one model from another."""

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """A row a text, in the order of the texts."""
        ...


class MeteredLLM:
    """Tokens are reserved before the call (the prompt's and the most allowed in reply) and settled after.

    A call that fails gives its tokens back, but counts as a call. A reply of any length is cut to what is read.
    """

    def __init__(self, inner: LLM, meter: Meter, trace: Trace) -> None:
        self._inner, self._meter, self._trace = inner, meter, trace

    def complete(self, prompt: Prompt, max_tokens: int) -> Completion:
        prompt_tokens = count(prompt.system) + count(prompt.user)
        self._meter.charge_all({"model_tokens": prompt_tokens + max_tokens, "model_calls": 1})
        with self._trace.step("model.complete", prompt=f"{prompt.name}@{prompt.fingerprint}") as step:
            try:
                reply = self._cut_to_length(self._inner.complete(prompt, max_tokens))
            except EvidenceError:
                self._meter.settle("model_tokens", prompt_tokens + max_tokens, 0)
                raise
            used = (reply.input_tokens or prompt_tokens, reply.output_tokens or count(reply.text))
            self._meter.settle("model_tokens", prompt_tokens + max_tokens, sum(used))
            self._meter.settle("prompt_tokens", 0, used[0])
            self._meter.settle("completion_tokens", 0, used[1])
            step.facts.update(prompt_tokens=used[0], completion_tokens=used[1])
            if reply.truncated:
                step.facts["truncated"] = True
            return reply

    def _cut_to_length(self, reply: Completion) -> Completion:
        """A reply that is longer than any that was asked for counts as cut off where it is no longer read."""
        if len(reply.text) <= LONGEST_REPLY:
            return reply
        self._trace.degrade(f"model: a reply of more than {LONGEST_REPLY:,} characters was cut off there")
        return replace(reply, text=reply.text[:LONGEST_REPLY], finish_reason="length")


class MeteredReranker:
    def __init__(self, inner: Reranker, meter: Meter, trace: Trace) -> None:
        self._inner, self._meter, self._trace = inner, meter, trace

    def scores(self, query: str, texts: Sequence[str]) -> Sequence[float | None]:
        self._meter.charge("rerank_calls")
        with self._trace.step("model.rerank", texts=len(texts)):
            return self._inner.scores(query, texts)


class MeteredEmbedder:
    def __init__(self, inner: Embedder, trace: Trace) -> None:
        self._inner, self._trace = inner, trace

    @property
    def name(self) -> str:
        return self._inner.name

    def vectors(self, texts: Sequence[str]) -> Vectors:
        with self._trace.step("model.embed", texts=len(texts)):
            return self._inner.vectors(texts)
