"""Ports that charge the meter and write the trace, so that neither adapters nor stages have to."""

from collections.abc import Sequence
from dataclasses import replace

from evidence.errors import EvidenceError
from evidence.knowledge.port import Knowledge
from evidence.language.tokens import count
from evidence.limits import Deadline, Meter
from evidence.llm.port import LLM, Reranker
from evidence.model import (
    EVERYTHING,
    LONGEST_REPLY,
    Completion,
    Dataset,
    Document,
    MetadataFilter,
    Page,
    Prompt,
    Query,
    Retrieved,
    Segment,
)
from evidence.trace import Trace


class MeteredKnowledge:
    """Each call is charged before it is made; calls are refused once the deadline has passed."""

    def __init__(self, inner: Knowledge, meter: Meter, deadline: Deadline, trace: Trace) -> None:
        self._inner, self._meter, self._deadline, self._trace = inner, meter, deadline, trace

    def _charge(self, *names: str) -> None:
        self._deadline.remaining()
        self._meter.charge_all(dict.fromkeys(("knowledge_calls", *names), 1))

    def datasets(self, page: int) -> Page[Dataset]:
        self._charge()
        with self._trace.step("knowledge.datasets", page=page) as step:
            found = self._inner.datasets(page)
            step.facts["items"] = len(found.items)
            self._trace.degrade(*found.warnings)
            return found

    def dataset(self, dataset_id: str) -> Dataset:
        self._charge()
        with self._trace.step("knowledge.dataset"):
            return self._inner.dataset(dataset_id)

    def documents(self, dataset: Dataset, page: int, keyword: str = "") -> Page[Document]:
        self._charge()
        with self._trace.step("knowledge.documents", page=page, by_keyword=bool(keyword)) as step:
            found = self._inner.documents(dataset, page, keyword)
            step.facts["items"] = len(found.items)
            self._trace.degrade(*found.warnings)
            return found

    def segments(self, document: Document, page: int, keyword: str = "") -> Page[Segment]:
        self._charge()
        with self._trace.step("knowledge.segments", page=page, by_keyword=bool(keyword)) as step:
            found = self._inner.segments(document, page, keyword)
            step.facts["items"] = len(found.items)
            self._trace.degrade(*found.warnings)
            return found

    def segment(self, document: Document, segment_id: str) -> Segment | None:
        self._charge()
        with self._trace.step("knowledge.segment") as step:
            found = self._inner.segment(document, segment_id)
            step.facts["items"] = int(found is not None)
            return found

    def retrieve(
        self, dataset: Dataset, query: Query, top_k: int, metadata_filter: MetadataFilter = EVERYTHING
    ) -> Retrieved:
        self._charge("retrieves")
        with self._trace.step("knowledge.retrieve", origin=query.origin, top_k=top_k) as step:
            found = self._inner.retrieve(dataset, query, top_k, metadata_filter)
            step.facts["items"] = len(found.passages)
            self._trace.degrade(*found.warnings)
            return found


class MeteredLLM:
    """Tokens are reserved before the call (the prompt's and the most allowed in reply) and settled after.

    A call that fails gives its tokens back, but counts as a call. A reply of any length is cut to what is read.
    """

    def __init__(self, inner: LLM, meter: Meter, deadline: Deadline, trace: Trace) -> None:
        self._inner, self._meter, self._deadline, self._trace = inner, meter, deadline, trace

    def complete(self, prompt: Prompt, max_tokens: int) -> Completion:
        self._deadline.remaining()
        asked = count(prompt.system) + count(prompt.user)
        self._meter.charge_all({"model_tokens": asked + max_tokens, "model_calls": 1})
        with self._trace.step("model.complete", prompt=f"{prompt.name}@{prompt.fingerprint}") as step:
            try:
                reply = self._bounded(self._inner.complete(prompt, max_tokens))
            except EvidenceError:
                self._meter.settle("model_tokens", asked + max_tokens, 0)
                raise
            used = (reply.input_tokens or asked, reply.output_tokens or count(reply.text))
            self._meter.settle("model_tokens", asked + max_tokens, sum(used))
            self._meter.settle("prompt_tokens", 0, used[0])
            self._meter.settle("completion_tokens", 0, used[1])
            step.facts.update(prompt_tokens=used[0], completion_tokens=used[1])
            if reply.truncated:
                step.facts["truncated"] = True
            return reply

    def _bounded(self, reply: Completion) -> Completion:
        """A reply that is longer than any that was asked for counts as cut off where it is no longer read."""
        if len(reply.text) <= LONGEST_REPLY:
            return reply
        self._trace.degrade(f"model: a reply of more than {LONGEST_REPLY:,} characters was cut off there")
        return replace(reply, text=reply.text[:LONGEST_REPLY], finish_reason="length")


class MeteredReranker:
    def __init__(self, inner: Reranker, meter: Meter, deadline: Deadline, trace: Trace) -> None:
        self._inner, self._meter, self._deadline, self._trace = inner, meter, deadline, trace

    def scores(self, query: str, texts: Sequence[str]) -> Sequence[float | None]:
        self._deadline.remaining()
        self._meter.charge("rerank_calls")
        with self._trace.step("model.rerank", texts=len(texts)):
            return self._inner.scores(query, texts)
