"""The lists and texts read from one server with one key, so that they need not be read again.

A cache is never shared across keys. It is bounded in bytes; the documents read longest ago leave first. What shows
a change is in the versions of datasets and documents; an edit that changes neither is seen when the reader's age bound
passes. Behind it there may be an index: what was read stays there, for other processes and for later ones.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from sys import getsizeof
from typing import Any

import numpy as np

from evidence.index.bm25 import MOST_TERMS, Integers, Postings, Vocabulary
from evidence.index.contexts import words_in_context
from evidence.limits import PrefetchCalls
from evidence.lru import LRU
from evidence.model import Dataset, Document, Page, Segment
from evidence.store.port import Store, StoredText

MOST_BYTES = 40 * 1024 * 1024  # of one cache: about 13 million characters of English, 3.5 million of Chinese
FULL = 0.9  # of that
LIFE = 900.0  # seconds for which what was read is believed
SEGMENT_BYTES = 600  # of a segment besides its texts
TERM_BYTES = 190  # of a term of the vocabulary
MEMOS = 64  # derived values kept: collections and the words of datasets
MEMOS_WEIGHT = 2_000_000  # of all of them together, in postings: about two collections of a full cache
LISTED = 20_000  # documents in all catalogues together
DOUBTED = 10.0  # seconds for which a list or text is believed of which the server's answer left something out
STORED_LIFE = 86_400.0  # seconds for which texts of an index are believed that show no change
RESTORED_LIST = 1_000  # documents of a list that is taken from the index: a larger base is ranked there
RESTORED = 6_000_000  # characters that are taken from the index at once: as much as is read of a base
LEAD_CHARACTERS = 3_000  # the beginning of a document, which says what it is


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """A document as it was read. `total` is what the server holds; `lead` segments begin the document.

    `partial` marks single segments that the server retrieved of a document that was not read; `pages` were asked for,
    `intact` unless something on them could not be read.
    """

    document: Document
    segments: tuple[Segment, ...]
    total: int
    postings: Postings
    lead: int
    read_at: float
    partial: bool = False
    pages: int = 1
    warnings: tuple[str, ...] = ()
    intact: bool = True
    titles: list[list[str]] = field(
        default_factory=list, init=False
    )  # of each segment, once they were looked for

    @property
    def complete(self) -> bool:
        return not self.partial and len(self.segments) >= self.total

    @property
    def size(self) -> int:
        """Bytes of memory, about."""
        texts = sum(getsizeof(segment.text) + getsizeof(segment.question) for segment in self.segments)
        return texts + SEGMENT_BYTES * len(self.segments) + self.postings.size


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The documents of a dataset as they were listed; `total` is what the server says it holds."""

    dataset: Dataset
    documents: tuple[Document, ...]
    total: int
    read_at: float
    warnings: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        return len(self.documents) >= self.total


@dataclass(frozen=True, slots=True, eq=False)
class _Memo:
    version: object
    value: Any
    weight: int


class Cache:
    """Thread-safe. Times are in seconds of the given clock. Who reads on behind an answer holds `prefetching`.

    `store` is the index behind it, if there is one; moments there are of `wall`, in Unix seconds.
    """

    def __init__(
        self,
        most: int = MOST_BYTES,
        clock: Callable[[], float] = time.monotonic,
        store: Store | None = None,
        wall: Callable[[], float] = time.time,
        words: int = MOST_TERMS,
    ) -> None:
        self.store = store
        self._wall = wall
        self.vocabulary = Vocabulary(words)
        self.behind = PrefetchCalls(clock)
        self.prefetching = threading.Lock()
        self.changes = 0
        self._limit = most
        self._clock = clock
        self._begun_at = clock()
        self._datasets: Page[Dataset] = Page((), 0)
        self._datasets_at = float("-inf")
        self._catalogues: OrderedDict[str, Catalogue] = OrderedDict()
        self._readings: OrderedDict[tuple[str, str], Reading] = OrderedDict()
        self._size = 0
        self._lock = threading.RLock()
        self._memos: LRU[_Memo] = LRU(MEMOS, lambda memo: memo.weight, MEMOS_WEIGHT)

    def now(self) -> float:
        return self._clock()

    @property
    def size(self) -> int:
        """Bytes of all that is held, about."""
        with self._lock:
            return self._size + TERM_BYTES * len(self.vocabulary)

    @property
    def spent(self) -> bool:
        """Whether a new one should take its place: no room for new words, and nothing that is believed any more."""
        return self.vocabulary.full and self.now() - self._begun_at > LIFE

    @property
    def full(self) -> bool:
        """Whether so much was read that something had to leave, or soon will."""
        with self._lock:
            return self._size > FULL * self._limit

    def datasets(self, age: float) -> Page[Dataset] | None:
        """The datasets, if they were listed at most `age` seconds ago."""
        with self._lock:
            datasets, read_at = self._datasets, self._datasets_at
            return datasets if self._is_fresh(read_at, age, intact=not datasets.warnings) else None

    def keep_datasets(self, datasets: Page[Dataset]) -> None:
        with self._lock:
            self._datasets = datasets
            self._datasets_at = self.now()

    def catalogue(self, dataset: Dataset, age: float) -> Catalogue | None:
        """The documents of a dataset, if it shows no change since and they are at most `age` seconds old."""
        with self._lock:
            catalogue = self._catalogues.get(dataset.dataset_id)
        if catalogue is None:
            catalogue = self._restored_list(dataset)
        if catalogue is None or catalogue.dataset.version != dataset.version:
            return None
        return catalogue if self._is_fresh(catalogue.read_at, age, intact=not catalogue.warnings) else None

    def catalogues(self) -> tuple[Catalogue, ...]:
        """All that were listed, whatever their age."""
        with self._lock:
            return tuple(self._catalogues.values())

    def keep_catalogue(
        self, dataset: Dataset, documents: Sequence[Document], total: int, warnings: tuple[str, ...] = ()
    ) -> Catalogue:
        if self.store and len(documents) >= total and not warnings:
            self.store.keep_list(dataset, documents)
        return self._keep_list(Catalogue(dataset, tuple(documents), total, self.now(), warnings))

    def _keep_list(self, catalogue: Catalogue) -> Catalogue:
        with self._lock:
            self._catalogues[catalogue.dataset.dataset_id] = catalogue
            self._catalogues.move_to_end(catalogue.dataset.dataset_id)
            listed = sum(len(catalogue.documents) for catalogue in self._catalogues.values())
            while listed > LISTED and len(self._catalogues) > 1:
                listed -= len(self._catalogues.popitem(last=False)[1].documents)
            if catalogue.complete:
                self._drop_missing(catalogue)
        return catalogue

    def fully_read(self, dataset: Dataset, age: float) -> bool:
        """Whether every document of a dataset was listed and read to its end at most `age` seconds ago."""
        catalogue = self.catalogue(dataset, self._life(age))
        if catalogue is None or not catalogue.complete:
            return False
        readings = self.readings((document for document in catalogue.documents if document.usable), age)
        return all(reading is not None and reading.complete for reading in readings)

    def reading(self, document: Document, age: float) -> Reading | None:
        """A document as it was read, if it shows no change since and is at most `age` seconds old."""
        return self.readings((document,), age)[0]

    def readings(self, documents: Iterable[Document], age: float) -> list[Reading | None]:
        """The cached readings of many documents, in their order, None where there is none.

        Those that the index holds are taken from there, if they are not too many at once.
        """
        documents = tuple(documents)
        believed = self._at_hand(documents, self._life(age))
        absent = [document for document, reading in zip(documents, believed, strict=True) if reading is None]
        if not (self._restore(absent) if absent else ()):
            return believed
        return self._at_hand(documents, self._life(age))

    def _at_hand(self, documents: Iterable[Document], age: float) -> list[Reading | None]:
        believed: list[Reading | None] = []
        with self._lock:
            readings = self._readings
            for document in documents:
                key = (document.dataset_id, document.document_id)
                reading = readings.get(key)
                known = reading is not None and reading.document.version == document.version
                if reading and known and self._is_fresh(reading.read_at, age, intact=reading.intact):
                    readings.move_to_end(key)
                    believed.append(reading)
                else:
                    believed.append(None)
        return believed

    def keep_reading(
        self,
        document: Document,
        segments: Sequence[Segment],
        total: int,
        pages: int = 1,
        warnings: tuple[str, ...] = (),
        intact: bool = True,
    ) -> Reading:
        """Keep a document as it was read just now."""
        terms = Vocabulary()
        postings = Postings.of(words_in_context(segments), terms)
        words = tuple(map(terms.term, range(len(terms))))
        text = StoredText(document, tuple(segments), words, postings, total, pages, self._wall(), warnings)
        if self.store and intact and document.version:
            self.store.keep((text,))
        return self._keep(self._reading(text, self.now(), intact=intact))

    def _reading(self, text: StoredText, read_at: float, *, intact: bool = True) -> Reading:
        numbers = np.asarray(self.vocabulary.learn(text.terms), dtype=np.int32)
        postings, lead = text.postings.renumbered(numbers), _lead(text.segments)
        known = (text.document, text.segments, text.total, postings, lead, read_at)
        return Reading(*known, pages=text.pages, warnings=text.warnings, intact=intact)

    def _keep(self, reading: Reading) -> Reading:
        key = (reading.document.dataset_id, reading.document.document_id)
        with self._lock:
            self._remove(key)
            self._readings[key] = reading
            self._size += reading.size
            self.changes += 1
            while self._size > self._limit and len(self._readings) > 1:
                self._remove(next(iter(self._readings)))
        return reading

    def _restore(self, documents: Sequence[Document]) -> int:
        """Take what the index holds of these documents; how many they are."""
        if self.store is None or sum(document.word_count for document in documents) > RESTORED:
            return 0
        texts = self.store.texts([document for document in documents if document.version])
        for text in texts.values():
            self._keep(self._reading(text, self._since(text.read_at)))
        return len(texts)

    def _restored_list(self, dataset: Dataset) -> Catalogue | None:
        """The list of a dataset as the index has it, kept as if it had been listed then."""
        stored = self.store.listed(dataset, RESTORED_LIST) if self.store else None
        if stored is None:
            return None
        documents, listed_at = stored
        return self._keep_list(Catalogue(dataset, documents, len(documents), self._since(listed_at)))

    def _since(self, moment: float) -> float:
        """A moment in Unix seconds by the clock of this cache."""
        return self.now() - max(0.0, self._wall() - moment)

    def _life(self, age: float) -> float:
        """How old a text may be that shows no change."""
        return age if self.store is None or age < LIFE else max(age, STORED_LIFE)

    def forget(self, document: Document) -> None:
        """Drop what was read of a document: it shows that it is no longer so."""
        if self.store:
            self.store.forget(document)
        with self._lock:
            self._remove((document.dataset_id, document.document_id))

    def correct(self, document: Document) -> None:
        """Put a document that was asked for by itself into the catalogue, and drop what was read of it.

        One that nobody has seen at the server is not added.
        """
        if self.store:
            self.store.forget(document)
        with self._lock:
            self._remove((document.dataset_id, document.document_id))
            catalogue = self._catalogues.get(document.dataset_id)
            if catalogue is not None:
                documents = {known.document_id: known for known in catalogue.documents}
                if document.document_id in documents or document.read_at:
                    documents[document.document_id] = document
                corrected = replace(catalogue, documents=tuple(documents.values()))
                self._catalogues[document.dataset_id] = corrected

    def partial_reading(self, document: Document, segments: Sequence[Segment]) -> Reading:
        """Single segments of a document as a reading of its own; it is not kept."""
        postings = self._postings(segments)
        return Reading(document, tuple(segments), len(segments), postings, 0, self.now(), partial=True)

    def joined(self, reading: Reading, segments: Iterable[Segment]) -> Reading:
        """A reading with those segments of its document that it does not hold yet, in reading order; it is not kept."""
        known = {segment.segment_id for segment in reading.segments}
        beyond = sorted(
            (segment for segment in segments if segment.segment_id not in known), key=lambda s: s.position
        )
        if not beyond:
            return reading
        postings = Postings.joined((reading.postings, self._postings(beyond)))
        together = (*reading.segments, *beyond)
        return replace(reading, segments=together, postings=postings, total=max(reading.total, len(together)))

    def _postings(self, segments: Sequence[Segment]) -> Postings:
        return Postings.of(words_in_context(segments), self.vocabulary)

    def words_of(self, dataset_id: str, words: Iterable[str]) -> dict[str, float]:
        """The given words that texts read of a dataset hold, each with the share of its documents that hold it."""
        with self._lock:
            readings = [reading for key, reading in self._readings.items() if key[0] == dataset_id]
            version = self.changes
        counts = self.memo(
            ("words", dataset_id), version, lambda: _counts(readings, len(self.vocabulary)), len
        )
        numbers = {word: self.vocabulary.number(word) for word in words}
        known = {word: number for word, number in numbers.items() if 0 <= number < len(counts)}
        return {word: int(counts[number]) / len(readings) for word, number in known.items() if counts[number]}

    def holds_words(self, dataset_id: str) -> bool:
        """Whether any text was read of a dataset."""
        with self._lock:
            return any(
                key[0] == dataset_id and len(reading.postings.terms)
                for key, reading in self._readings.items()
            )

    def memo[R](
        self, key: Hashable, version: object, make: Callable[[], R], weigh: Callable[[R], int] = lambda _: 1
    ) -> R:
        """Something derived from readings, kept until `version` changes; those used last are kept.

        `weigh` is in postings; what is heavier than all may be together is kept alone.
        """
        memo = self._memos.find(key)
        if memo is not None and memo.version == version:
            return memo.value  # type: ignore[no-any-return]
        self._memos.drop(key)  # before the new one is made: there is not room for both
        value = make()
        self._memos.put(key, _Memo(version, value, weigh(value)))
        return value

    def _is_fresh(self, read_at: float, age: float, *, intact: bool) -> bool:
        """Whether what was read then still counts; what was wrong with the server's answer may soon be over."""
        return self.now() - read_at <= (age if intact else min(age, DOUBTED))

    def _remove(self, key: tuple[str, str]) -> None:
        gone = self._readings.pop(key, None)
        if gone is not None:
            self._size -= gone.size
            self.changes += 1

    def _drop_missing(self, catalogue: Catalogue) -> None:
        there = {document.document_id for document in catalogue.documents}
        dataset_id = catalogue.dataset.dataset_id
        for key in [key for key in self._readings if key[0] == dataset_id and key[1] not in there]:
            self._remove(key)


def _counts(readings: Sequence[Reading], terms: int) -> Integers:
    """In how many of the readings each term stands, by its number."""
    counts = np.zeros(terms, dtype=np.int32)
    for reading in readings:
        counts[np.unique(reading.postings.terms)] += 1
    return counts


def _lead(segments: Sequence[Segment]) -> int:
    """How many segments at the beginning make up the lead of a document."""
    characters = 0
    for place, segment in enumerate(segments):
        if characters >= LEAD_CHARACTERS:
            return place
        characters += len(segment.text)
    return len(segments)
