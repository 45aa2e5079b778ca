"""The datasets of a server that the administrator allowed to be seen; the list fails closed."""

import threading
from collections.abc import Collection
from dataclasses import replace
from uuid import UUID

from evidence.errors import DatasetNotFound, ListingRefused
from evidence.model import Dataset, Page


class AllowList:
    """Thread-safe. `allowed` are ids or exact names; a name counts for an id that the server listed under it.

    Share one among the runs of one server, key and list: what a listing showed is remembered.
    """

    def __init__(self, allowed: Collection[str]) -> None:
        self._allowed = frozenset(allowed)
        self._named: set[str] = set()
        self._lock = threading.Lock()

    def shown(self, page: Page[Dataset]) -> Page[Dataset]:
        """The allowed datasets of a page; `total` stays the server's, because pages are counted by it."""
        with self._lock:
            for dataset in page.items:
                # A dataset that was renamed loses what its old name permitted.
                learn = self._named.add if dataset.name.strip() in self._allowed else self._named.discard
                learn(dataset.dataset_id)
        return replace(
            page, items=tuple(dataset for dataset in page.items if self._permits(dataset.dataset_id))
        )

    def unlisted(self, refused: ListingRefused) -> ListingRefused:
        """The refusal of a server whose key may not list datasets, with the ids that may be asked for instead."""
        return ListingRefused(str(refused), tuple(sorted(filter(is_id, self._allowed))))

    def check(self, dataset_id: str) -> None:
        """Raises DatasetNotFound for all that was not allowed."""
        if not self._permits(dataset_id):
            raise DatasetNotFound("this dataset is not among those that the administrator allowed")

    def _permits(self, dataset_id: str) -> bool:
        with self._lock:
            return dataset_id in self._allowed or dataset_id in self._named


def is_id(text: str) -> bool:
    """Whether a text is an id as Dify writes them, a UUID in lower case."""
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False
