"""The one way from a run to a knowledge server: allow-list, retry, gate, meter and trace around each call.

Full jitter after M. Brooker, "Exponential Backoff And Jitter" (AWS Architecture Blog, 2015).
"""

import random
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field

from evidence.errors import KnowledgeError, ListingRefused, RateLimited
from evidence.knowledge.allow_list import AllowList
from evidence.knowledge.port import Knowledge
from evidence.knowledge.throttle import Throttle
from evidence.limits import Meter
from evidence.model import (
    EVERYTHING,
    Dataset,
    Document,
    MetadataFilter,
    Page,
    Query,
    Retrieved,
    Segment,
)
from evidence.trace import Fact, Step, Trace

_BACKOFF, _LONGEST_BACKOFF = 0.2, 3.0  # seconds: the longest wait before the second attempt, and before any


@dataclass(frozen=True, slots=True)
class Call:
    """One call of the port. `about` tells it from others of its name; `facts` may be traced: they hold no contents."""

    name: str
    dataset_id: str
    about: tuple[Hashable, ...]
    facts: Mapping[str, Fact] = field(default_factory=dict, hash=False, compare=False)


class WrappedKnowledge(ABC):
    """Hands each call of the port on to `inner` by `_ask`."""

    def __init__(self, inner: Knowledge) -> None:
        self._inner = inner

    def datasets(self, page: int) -> Page[Dataset]:
        return self._ask(Call("datasets", "", (page,), {"page": page}), lambda: self._list(page))

    def dataset(self, dataset_id: str) -> Dataset:
        return self._ask(Call("dataset", dataset_id, ()), lambda: self._inner.dataset(dataset_id))

    def documents(self, dataset: Dataset, page: int, keyword: str = "") -> Page[Document]:
        facts: dict[str, Fact] = {"page": page, "by_keyword": bool(keyword)}
        call = Call("documents", dataset.dataset_id, (page, keyword), facts)
        return self._ask(call, lambda: self._inner.documents(dataset, page, keyword))

    def document(self, dataset: Dataset, document_id: str) -> Document | None:
        call = Call("document", dataset.dataset_id, (document_id,))
        return self._ask(call, lambda: self._inner.document(dataset, document_id))

    def segments(self, document: Document, page: int, keyword: str = "", limit: int = 100) -> Page[Segment]:
        facts: dict[str, Fact] = {"page": page, "by_keyword": bool(keyword)}
        call = Call("segments", document.dataset_id, (document.document_id, page, keyword, limit), facts)
        return self._ask(call, lambda: self._inner.segments(document, page, keyword, limit))

    def segment(self, document: Document, segment_id: str) -> Segment | None:
        call = Call("segment", document.dataset_id, (document.document_id, segment_id))
        return self._ask(call, lambda: self._inner.segment(document, segment_id))

    def retrieve(
        self, dataset: Dataset, query: Query, top_k: int, metadata_filter: MetadataFilter = EVERYTHING
    ) -> Retrieved:
        facts: dict[str, Fact] = {"origin": query.origin, "top_k": top_k}
        call = Call("retrieve", dataset.dataset_id, (query.text, top_k, metadata_filter), facts)
        return self._ask(call, lambda: self._inner.retrieve(dataset, query, top_k, metadata_filter))

    def _list(self, page: int) -> Page[Dataset]:
        return self._inner.datasets(page)

    @abstractmethod
    def _ask[R](self, call: Call, ask: Callable[[], R]) -> R: ...


class GuardedKnowledge(WrappedKnowledge):
    """A knowledge server for one run: only what is allowed, as often as granted, and no harder than it bears.

    Each attempt is charged before it is made, refused once the deadline has passed, and traced. A call is made up to
    `attempts` times where its error says that it may help and the deadline allows the wait. What the gate or a pause
    of the server holds back is not charged.
    """

    def __init__(
        self,
        inner: Knowledge,
        meter: Meter,
        trace: Trace,
        *,
        throttle: Throttle | None = None,
        allowed: AllowList | None = None,
        attempts: int = 3,
    ) -> None:
        super().__init__(inner)
        self._meter, self._trace = meter, trace
        self._throttle, self._allowed, self._attempts = throttle or Throttle(), allowed, attempts

    def _list(self, page: int) -> Page[Dataset]:
        if self._allowed is None:
            return super()._list(page)
        try:
            return self._allowed.shown(super()._list(page))
        except ListingRefused as refused:
            raise self._allowed.unlisted(refused) from None

    def _ask[R](self, call: Call, ask: Callable[[], R]) -> R:
        if self._allowed and call.dataset_id:
            self._allowed.check(call.dataset_id)
        attempt = 1
        while True:
            try:
                return self._attempt(call, ask)
            except KnowledgeError as error:
                if attempt >= self._attempts or not self._worth_another(error):
                    raise
                wait = random.uniform(0, min(_LONGEST_BACKOFF, _BACKOFF * 2 ** (attempt - 1)))  # noqa: S311 - jitter
                if isinstance(error, RateLimited):
                    self._trace.degrade("the knowledge server asked to wait (rate limit)")
                    wait += error.wait
            time.sleep(wait)
            attempt += 1

    def _attempt[R](self, call: Call, ask: Callable[[], R]) -> R:
        retrieve = call.name == "retrieve"
        with self._throttle.passing(self._meter.deadline, retrieve=retrieve):
            self._meter.charge_all({"knowledge_calls": 1, **({"retrieves": 1} if retrieve else {})})
            with self._trace.step(f"knowledge.{call.name}", **call.facts) as step:
                answer = ask()
                self._note(step, answer)
                return answer

    def _note(self, step: Step, answer: object) -> None:
        match answer:
            case Page(items=items, warnings=warnings) | Retrieved(passages=items, warnings=warnings):
                step.facts |= {"items": len(items), **getattr(answer, "facts", {})}
                self._trace.degrade(*warnings)
            case Document() | Segment() | None:
                step.facts["items"] = int(answer is not None)

    def _worth_another(self, error: KnowledgeError) -> bool:
        """Whether to try again: not where the wait would take more than half of the time left to answer in."""
        wait = error.wait if isinstance(error, RateLimited) else 0.0
        return error.retryable and self._meter.deadline.left() > 2 * (wait + 1.0)
