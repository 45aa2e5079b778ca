"""A knowledge port whose every call goes through one place, for wrappers that do the same to all of them."""

from abc import ABC, abstractmethod
from collections.abc import Callable

from evidence.knowledge.port import Knowledge
from evidence.model import EVERYTHING, Dataset, Document, MetadataFilter, Page, Query, Retrieved, Segment


class WrappedKnowledge(ABC):
    """Hands each call of the port on to `inner` by `_ask`."""

    def __init__(self, inner: Knowledge) -> None:
        self._inner = inner

    def datasets(self, page: int) -> Page[Dataset]:
        return self._ask(lambda: self._inner.datasets(page))

    def dataset(self, dataset_id: str) -> Dataset:
        return self._ask(lambda: self._inner.dataset(dataset_id))

    def documents(self, dataset: Dataset, page: int, keyword: str = "") -> Page[Document]:
        return self._ask(lambda: self._inner.documents(dataset, page, keyword))

    def segments(self, document: Document, page: int, keyword: str = "") -> Page[Segment]:
        return self._ask(lambda: self._inner.segments(document, page, keyword))

    def segment(self, document: Document, segment_id: str) -> Segment | None:
        return self._ask(lambda: self._inner.segment(document, segment_id))

    def retrieve(
        self, dataset: Dataset, query: Query, top_k: int, metadata_filter: MetadataFilter = EVERYTHING
    ) -> Retrieved:
        return self._ask(lambda: self._inner.retrieve(dataset, query, top_k, metadata_filter), retrieve=True)

    @abstractmethod
    def _ask[R](self, call: Callable[[], R], *, retrieve: bool = False) -> R: ...
