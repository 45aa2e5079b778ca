"""A knowledge server that remembers what it answered, so that a run cut short can stand on what is ready."""

import copy
import threading
from collections.abc import Callable, Hashable
from typing import Self, cast

from evidence.errors import KnowledgeUnavailable
from evidence.knowledge.port import Knowledge
from evidence.model import EVERYTHING, Dataset, Document, MetadataFilter, Page, Query, Retrieved, Segment


class Remembering:
    """Thread-safe. Passes every call on, once, and keeps its answer for `ready`."""

    def __init__(self, inner: Knowledge) -> None:
        self._inner = inner
        self._asks = True
        self._answers: dict[Hashable, object] = {}
        self._lock = threading.Lock()

    def datasets(self, page: int) -> Page[Dataset]:
        return self._ask(("datasets", page), lambda: self._inner.datasets(page))

    def dataset(self, dataset_id: str) -> Dataset:
        return self._ask(("dataset", dataset_id), lambda: self._inner.dataset(dataset_id))

    def documents(self, dataset: Dataset, page: int, keyword: str = "") -> Page[Document]:
        key = ("documents", dataset.dataset_id, page, keyword)
        return self._ask(key, lambda: self._inner.documents(dataset, page, keyword))

    def segments(self, document: Document, page: int, keyword: str = "") -> Page[Segment]:
        key = ("segments", document.document_id, page, keyword)
        return self._ask(key, lambda: self._inner.segments(document, page, keyword))

    def segment(self, document: Document, segment_id: str) -> Segment | None:
        key = ("segment", document.document_id, segment_id)
        return self._ask(key, lambda: self._inner.segment(document, segment_id))

    def retrieve(
        self, dataset: Dataset, query: Query, top_k: int, metadata_filter: MetadataFilter = EVERYTHING
    ) -> Retrieved:
        key = ("retrieve", dataset.dataset_id, query.text, top_k)
        return self._ask(key, lambda: self._inner.retrieve(dataset, query, top_k, metadata_filter))

    def ready(self) -> Self:
        """The same answers and no others: whatever was not answered yet fails at once."""
        still = copy.copy(self)
        with self._lock:
            still._answers = dict(self._answers)  # noqa: SLF001 - a copy of ours
        still._asks = False  # noqa: SLF001 - a copy of ours
        return still

    def forget(self) -> None:
        """Keep nothing of what was answered so far."""
        with self._lock:
            self._answers.clear()

    def _ask[R](self, key: Hashable, call: Callable[[], R]) -> R:
        with self._lock:
            if key in self._answers:
                return cast("R", self._answers[key])
        if not self._asks:
            raise KnowledgeUnavailable("the knowledge server has not answered yet")
        answer = call()
        with self._lock:
            self._answers[key] = answer
        return answer
