"""What is remembered of agent knowledge bases between calls, for all who ask one server with one key."""

import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from evidence.lru import LRU
from evidence.model import Document, Page, Segment

_DOCUMENTS, _CHUNKS = 1_000, 30_000
_AS_NEW = 3.0  # seconds


@dataclass(frozen=True, slots=True)
class _Chunks:
    """Of one revision of a document: what may be quoted, as (id, position, hash), by id and by the hash of its text."""

    revision: int | None
    by_key: Mapping[str, tuple[str, int, str]]

    def __len__(self) -> int:
        return len(self.by_key) // 2


class Known:
    """Thread-safe. `clock` is in seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._handed: dict[str, tuple[float, Page[Document]]] = {}
        self._listed: dict[str, Mapping[tuple[str, int], Document]] = {}
        self._chunks: LRU[_Chunks] = LRU(_DOCUMENTS, len, _CHUNKS)
        self._silent: dict[str, bool] = {}
        self._lock = threading.Lock()

    def hand_on(self, dataset_id: str, listed: Page[Document]) -> None:
        """A list that was read on the way to something else, for who asks for it next."""
        with self._lock:
            self._handed[dataset_id] = (self._clock(), listed)

    def handed(self, dataset_id: str) -> Page[Document] | None:
        """That list, once, and only as long as it is as good as new; it says itself when it was read."""
        with self._lock:
            at, listed = self._handed.pop(dataset_id, (float("-inf"), None))
            return listed if self._clock() - at <= _AS_NEW else None

    def learn_documents(self, dataset_id: str, by_file: Mapping[tuple[str, int], Document]) -> None:
        """The documents of a base by the file, and its version, that each was last made from."""
        with self._lock:
            self._listed[dataset_id] = by_file

    def documents(self, dataset_id: str) -> Mapping[tuple[str, int], Document] | None:
        """None where they were never listed."""
        with self._lock:
            return self._listed.get(dataset_id)

    def learn_chunks(self, document: Document, segments: Iterable[Segment]) -> None:
        by_key: dict[str, tuple[str, int, str]] = {}
        for segment in segments:
            chunk = (segment.segment_id, segment.position, segment.content_hash)
            by_key[segment.segment_id] = by_key[segment.content_hash] = chunk
        self._chunks.put((document.dataset_id, document.document_id), _Chunks(document.revision, by_key))

    def chunks(self, document: Document) -> Mapping[str, tuple[str, int, str]] | None:
        """None where this revision was not read."""
        known = self._chunks.find((document.dataset_id, document.document_id))
        return known.by_key if known is not None and known.revision == document.revision else None

    def learn_answers(self, dataset_id: str, *, answers: bool) -> None:
        with self._lock:
            self._silent[dataset_id] = not answers

    def silent(self, dataset_id: str) -> bool:
        """Whether its settings said that it cannot be queried."""
        with self._lock:
            return self._silent.get(dataset_id, False)
