"""One fake a port: they behave, they count, they never reach the network. And builders of short values."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from evidence.cache import Cache
from evidence.context import Context
from evidence.errors import DatasetNotFound, EvidenceError, KnowledgeUnavailable
from evidence.index.vectors import Vectors
from evidence.knowledge.metadata_filter import matches
from evidence.knowledge.middleware import Call as PortCall
from evidence.knowledge.middleware import GuardedKnowledge, WrappedKnowledge
from evidence.knowledge.port import Knowledge
from evidence.language.terms import terms
from evidence.limits import Limits, Meter
from evidence.llm.port import LLM, MeteredLLM, MeteredReranker, Reranker
from evidence.model import (
    EVERYTHING,
    Completion,
    Dataset,
    Document,
    MetadataFilter,
    Page,
    Passage,
    Pool,
    Prompt,
    Query,
    Retrieved,
    Segment,
    SignalName,
)
from evidence.single_flight import SingleFlight
from evidence.trace import Trace

type Scripted = str | EvidenceError | Callable[[Prompt], str]

_FENCE = re.compile(
    r"<<(?P<wall>\w+) (?P<key>\w+) \| [^\n]*>>\n(?P<text>.*?)\n<<(?P=wall) end (?P=key)>>", re.DOTALL
)


class ScriptedLLM:
    """Says its replies one after the other, the last one for ever; `prompts` is what it was asked.

    A reply is cut off where the tokens are spent, as a real model's is.
    """

    def __init__(self, *replies: Scripted) -> None:
        self._replies = list(replies)
        self.prompts: list[Prompt] = []

    def complete(self, prompt: Prompt, max_tokens: int) -> Completion:
        self.prompts.append(prompt)
        reply = self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]
        if isinstance(reply, EvidenceError):
            raise reply
        text = reply if isinstance(reply, str) else reply(prompt)
        written = text[: max_tokens * 4]  # characters of a token
        ended = "stop" if written == text else "length"
        return Completion(written, len(prompt.user) // 4, len(written) // 4, ended)


class FakeReranker:
    """Scores a text by the number of words that it shares with the query."""

    def __init__(self, failure: EvidenceError | None = None) -> None:
        self._failure = failure
        self.calls: list[tuple[str, int]] = []

    def scores(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        self.calls.append((query, len(texts)))
        if self._failure is not None:
            raise self._failure
        wanted = set(query.lower().split())
        return [float(len(wanted & set(text.lower().split()))) for text in texts]


class FakeEmbedder:
    """Texts by what they speak of: a dimension a group of words, and one for all else. `texts` are those embedded."""

    name = "fake"

    def __init__(self, *groups: str, failure: EvidenceError | None = None) -> None:
        self._groups = [frozenset(group.split()) for group in groups]
        self._failure = failure
        self.texts: list[str] = []

    def vectors(self, texts: Sequence[str]) -> Vectors:
        if self._failure is not None:
            raise self._failure
        self.texts.extend(texts)
        words = [re.findall(r"\w+", text.lower()) for text in texts]
        rows = [[sum(word in group for word in text) for group in self._groups] + [0.1] for text in words]
        return np.asarray(rows, dtype=np.float32)


class NoKnowledge(WrappedKnowledge):
    """A server that is down, for stages that must not ask it anything."""

    def __init__(self) -> None:
        super().__init__(self)

    def _ask[R](self, call: PortCall, ask: Callable[[], R]) -> R:
        raise KnowledgeUnavailable("nothing may be asked here")


def context(
    llm: LLM | None = None,
    *,
    reranker: Reranker | None = None,
    knowledge: Knowledge | None = None,
    limits: Limits | None = None,
) -> Context:
    """A context with generous limits; the ports are not metered."""
    granted = limits or Limits()
    return Context(
        knowledge or NoKnowledge(),
        llm,
        reranker,
        Cache(),
        Meter(granted),
        Trace(),
    )


def degraded(ctx: Context) -> tuple[str, ...]:
    """What a run said that it left out."""
    return ctx.trace.receipt(ctx.meter.spent()).degraded


def segment(text: str, name: str = "Handbook.txt", position: int = 1, question: str = "") -> Segment:
    """A segment of the document of that name; name and position make it another segment."""
    document = Document("set-1", f"id of {name}", name, "Papers")
    return Segment(document, f"{name} {position}", position, text, question)


def pool(*segments: Segment, queries: Sequence[str] = ("what was asked",)) -> Pool:
    """The segments as they were ranked, best first."""
    passages = tuple(Passage(each, round(1 / rank, 4), rank) for rank, each in enumerate(segments, 1))
    documents = len({each.document for each in segments})
    return Pool(passages, tuple(map(Query, queries)), len(segments), len(segments), documents)


def keys(prompt: Prompt) -> Mapping[str, str]:
    """The keys of a prompt's fenced passages by their text."""
    return {found["text"]: found["key"] for found in _FENCE.finditer(prompt.user)}


def replying(build: Callable[[Mapping[str, str]], object]) -> Callable[[Prompt], str]:
    """A reply in JSON made from the keys of the passages."""
    return lambda prompt: json.dumps(build(keys(prompt)), ensure_ascii=False)


# --- a server in memory -----------------------------------------------------------------------------------

type Holding = tuple[Dataset, Mapping[Document, tuple[Segment, ...]]]
type Call = tuple[str | int, ...]


def holding(
    name: str,
    texts: Mapping[str, Sequence[str]],
    *,
    technique: str = "economy",
    description: str = "",
    provider: str = "vendor",
    metadata: Mapping[str, Mapping[str, Any]] | None = None,
) -> Holding:
    """A dataset and the segments of its documents; `Name.txt#2` is a second document called `Name.txt`."""
    dataset = Dataset(
        f"set {name}", name, description, technique, provider, document_count=len(texts), version="1"
    )
    held: dict[Document, tuple[Segment, ...]] = {}
    for label, parts in texts.items():
        document = Document(
            dataset.dataset_id,
            f"{name}/{label}",
            label.split("#")[0],
            name,
            version="1",
            metadata=(metadata or {}).get(label, {}),
        )
        held[document] = tuple(
            Segment(document, f"{name}/{label}/{at}", at, text) for at, text in enumerate(parts, 1)
        )
    return dataset, held


class FakeKnowledge:
    """Datasets in memory, a hundred items a page; `calls` is what was asked, as (port, id, page, keyword).

    `failing` maps the beginning of a call to the error that it ends in. `disabled` segment ids are counted in
    `total` but not given out. With `drops_filter` a retrieve ignores the metadata filter, and says so.
    """

    def __init__(
        self,
        *held: Holding,
        failing: Mapping[Call, EvidenceError] | None = None,
        disabled: Sequence[str] = (),
        drops_filter: bool = False,
    ) -> None:
        self.held = {dataset.dataset_id: documents for dataset, documents in held}
        self.listed = tuple(dataset for dataset, _ in held)
        self.failing = dict(failing or {})
        self.calls: list[Call] = []
        self._disabled = frozenset(disabled)
        self._drops_filter = drops_filter

    def datasets(self, page: int) -> Page[Dataset]:
        self._note("datasets", "", page)
        return _page(self.listed, page)

    def dataset(self, dataset_id: str) -> Dataset:
        self._note("dataset", dataset_id, 1, "")
        found = next((each for each in self.listed if each.dataset_id == dataset_id), None)
        if found is None:
            raise DatasetNotFound("there is no such dataset")
        return found

    def documents(self, dataset: Dataset, page: int, keyword: str = "") -> Page[Document]:
        self._note("documents", dataset.dataset_id, page, keyword)
        found = _page([each for each in self.held[dataset.dataset_id] if keyword in each.name], page)
        return replace(found, items=tuple(map(_listed, found.items)))

    def document(self, dataset: Dataset, document_id: str) -> Document | None:
        self._note("document", dataset.dataset_id, 1, document_id)
        stored = self.held.get(dataset.dataset_id, {})
        return next((_listed(each) for each in stored if each.document_id == document_id), None)

    def segments(self, document: Document, page: int, keyword: str = "", limit: int = 100) -> Page[Segment]:
        self._note("segments", document.document_id, page, keyword)
        stored = self.held[document.dataset_id][document]
        found = _page([each for each in stored if keyword.casefold() in each.text.casefold()], page, limit)
        given = tuple(_now(each) for each in found.items if each.segment_id not in self._disabled)
        return Page(given, found.total)

    def segment(self, document: Document, segment_id: str) -> Segment | None:
        self._note("segment", document.document_id, 1, segment_id)
        stored = self.held.get(document.dataset_id, {}).get(document, ())
        found = next((each for each in stored if each.segment_id == segment_id), None)
        return None if found is None or segment_id in self._disabled else _now(found)

    def retrieve(
        self, dataset: Dataset, query: Query, top_k: int, metadata_filter: MetadataFilter = EVERYTHING
    ) -> Retrieved:
        self._note("retrieve", dataset.dataset_id, 1, query.text)
        wanted, asked = metadata_filter, set(terms(query.text))
        scored = [
            (len(asked & set(terms(segment.text))), segment)
            for document, segments in self.held[dataset.dataset_id].items()
            for segment in segments
            if document.usable and (self._drops_filter or matches(wanted, document.name, document.metadata))
        ]
        best = sorted((each for each in scored if each[0]), key=lambda each: -each[0])[:top_k]
        passages = tuple(Passage(_now(each), score / 100, rank) for rank, (score, each) in enumerate(best, 1))
        signal: SignalName = "semantic" if dataset.technique == "high_quality" else "keyword"
        return Retrieved(query, signal, passages, not (wanted.conditions and self._drops_filter))

    def asked(self, port: str) -> list[Call]:
        """The calls of one port."""
        return [call for call in self.calls if call[0] == port]

    def _note(self, *call: str | int) -> None:
        self.calls.append(call)
        for beginning, error in self.failing.items():
            if call[: len(beginning)] == beginning:
                raise error


def _now(segment: Segment) -> Segment:
    """The segment as it is given out: with the moment in which that happens, by the clock that runs begin with."""
    return replace(segment, read_at=Trace().began_at)


def _listed(document: Document) -> Document:
    return replace(document, read_at=Trace().began_at)


def _page[T](items: Sequence[T], page: int, limit: int = 100) -> Page[T]:
    return Page(tuple(items[(page - 1) * limit : page * limit]), len(items))


class HandClock:
    """A clock in seconds that moves when it is told to."""

    def __init__(self) -> None:
        self.seconds = 1_000.0

    def __call__(self) -> float:
        return self.seconds

    def forward(self, seconds: float) -> None:
        self.seconds += seconds


def metered(
    knowledge: Knowledge,
    llm: LLM | None = None,
    *,
    reranker: Reranker | None = None,
    limits: Limits | None = None,
    cache: Cache | None = None,
    flights: SingleFlight | None = None,
) -> Context:
    """A context whose ports charge the meter and write the trace, as the plugin's do."""
    granted = limits or Limits()
    meter, trace = Meter(granted), Trace()
    return Context(
        GuardedKnowledge(knowledge, meter, trace, attempts=1),
        MeteredLLM(llm, meter, trace) if llm else None,
        MeteredReranker(reranker, meter, trace) if reranker else None,
        cache or Cache(),
        meter,
        trace,
        flights=flights or SingleFlight(),
    )
