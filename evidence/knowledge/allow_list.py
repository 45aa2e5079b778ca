"""A port wrapper that shows only what the administrator allowed, and fails closed."""

import copy
import threading
from collections.abc import Collection
from dataclasses import replace
from typing import Self
from uuid import UUID

from evidence.errors import DatasetNotFound, ListingRefused
from evidence.knowledge.port import Knowledge
from evidence.model import EVERYTHING, Dataset, Document, MetadataFilter, Page, Query, Retrieved, Segment


class AllowedKnowledge:
    """Thread-safe. `allowed` are ids or exact names; a name counts for an id that the server listed under it.

    Share one among the runs of one server, key and list: what a listing showed is remembered. `total` of
    datasets() stays the server's, because pages are counted by it. Raises DatasetNotFound for all the rest.
    """

    def __init__(self, inner: Knowledge, allowed: Collection[str]) -> None:
        self._inner = inner
        self._allowed = frozenset(allowed)
        self._named: set[str] = set()
        self._lock = threading.Lock()

    def over(self, inner: Knowledge) -> Self:
        """The same list, and what was learned of it, before the same server in another form."""
        other = copy.copy(self)
        other._inner = inner  # noqa: SLF001 - a copy of ours
        return other

    def datasets(self, page: int) -> Page[Dataset]:
        try:
            found = self._inner.datasets(page)
        except ListingRefused as refused:
            raise ListingRefused(str(refused), tuple(sorted(filter(is_id, self._allowed)))) from None
        with self._lock:
            for dataset in found.items:
                # A dataset that was renamed loses what its old name permitted.
                learn = self._named.add if dataset.name.strip() in self._allowed else self._named.discard
                learn(dataset.dataset_id)
        return replace(found, items=tuple(each for each in found.items if self._permits(each.dataset_id)))

    def dataset(self, dataset_id: str) -> Dataset:
        self._check(dataset_id)
        return self._inner.dataset(dataset_id)

    def documents(self, dataset: Dataset, page: int, keyword: str = "") -> Page[Document]:
        self._check(dataset.dataset_id)
        return self._inner.documents(dataset, page, keyword)

    def segments(self, document: Document, page: int, keyword: str = "") -> Page[Segment]:
        self._check(document.dataset_id)
        return self._inner.segments(document, page, keyword)

    def segment(self, document: Document, segment_id: str) -> Segment | None:
        self._check(document.dataset_id)
        return self._inner.segment(document, segment_id)

    def retrieve(
        self, dataset: Dataset, query: Query, top_k: int, metadata_filter: MetadataFilter = EVERYTHING
    ) -> Retrieved:
        self._check(dataset.dataset_id)
        return self._inner.retrieve(dataset, query, top_k, metadata_filter)

    def _permits(self, dataset_id: str) -> bool:
        with self._lock:
            return dataset_id in self._allowed or dataset_id in self._named

    def _check(self, dataset_id: str) -> None:
        if not self._permits(dataset_id):
            raise DatasetNotFound("this dataset is not among those that the administrator allowed")


def is_id(text: str) -> bool:
    """Whether a text is an id as Dify writes them, a UUID in lower case."""
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False
