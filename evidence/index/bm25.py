"""BM25 over segments (Robertson and Zaragoza, 2009, "The Probabilistic Relevance Framework").

Postings are kept in a few arrays: a segment costs about six bytes for each different term in it, and a
query of a hundred terms over ten thousand segments takes a few milliseconds.
"""

import math
import threading
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
import numpy.typing as npt
from rapidfuzz import fuzz, process

from evidence.index.names import LIKENESS

K1, B = 1.2, 0.75

MOST_TERMS = 250_000  # different ones: what a large base of Chinese has; about 50 MB
BATCH = 200_000  # postings that are put in order at once
MOST_OFTEN = 65_535  # times that a term counts in one segment

type Floats = npt.NDArray[np.float64]
type Integers = npt.NDArray[np.int32]
type Counts = npt.NDArray[np.uint16]
type Booleans = npt.NDArray[np.bool_]


class Vocabulary:
    """Numbers for terms, given out once and for all, to so many as there is room for; thread-safe."""

    def __init__(self, most: int = MOST_TERMS) -> None:
        self._most = most
        self._numbers: dict[str, int] = {}
        self._terms: list[str] = []
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._terms)

    @property
    def full(self) -> bool:
        return len(self._terms) >= self._most

    def number(self, term: str) -> int:
        """The number of a term, -1 when no text holds it."""
        return self._numbers.get(term, -1)

    def numbers(self, terms: Iterable[str]) -> list[int]:
        """The numbers of terms, -1 of one that no text holds."""
        return [self._numbers.get(term, -1) for term in terms]

    def learn(self, terms: Iterable[str]) -> list[int]:
        """The numbers of terms, -1 of a new one where there is no more room."""
        with self._lock:
            return [self._number(term) for term in terms]

    def term(self, number: int) -> str:
        return self._terms[number]

    def _number(self, term: str) -> int:
        number = self._numbers.get(term, -1)
        if number < 0 and not self.full:
            number = self._numbers[term] = len(self._terms)
            self._terms.append(term)
        return number


@dataclass(frozen=True, slots=True, eq=False)
class Postings:
    """Which term stands how often in which segment: those of segment i are at [starts[i], starts[i + 1]).

    `lengths` are terms a segment.
    """

    terms: Integers
    frequencies: Counts
    starts: Integers
    lengths: Integers

    @classmethod
    def of(cls, segments: Iterable[Sequence[str]], vocabulary: Vocabulary) -> "Postings":
        numbers, counts = array("i"), array("H")
        starts, lengths = array("i", [0]), array("i")
        for words in segments:
            occurrences = Counter(words)
            for number, often in zip(vocabulary.learn(occurrences), occurrences.values(), strict=True):
                if number >= 0:
                    numbers.append(number)
                    counts.append(min(often, MOST_OFTEN))
            starts.append(len(numbers))
            lengths.append(len(words))
        columns = (np.asarray(column, dtype=np.int32) for column in (numbers, starts, lengths))
        terms, begins, sizes = columns
        return cls(terms, np.asarray(counts, dtype=np.uint16), begins, sizes)

    @property
    def segments(self) -> Integers:
        """The segment of each posting."""
        return np.repeat(np.arange(len(self.lengths), dtype=np.int32), np.diff(self.starts))

    @property
    def size(self) -> int:
        """Bytes."""
        return self.terms.nbytes + self.frequencies.nbytes + self.starts.nbytes + self.lengths.nbytes

    def row(self, segment: int) -> tuple[Integers, Integers]:
        """The terms of one segment and how often each stands there."""
        part = slice(self.starts[segment], self.starts[segment + 1])
        return self.terms[part], self.frequencies[part].astype(np.int32)

    def renumbered(self, numbers: Integers) -> "Postings":
        """The same with `numbers[term]` in the place of each term; without those that have none (below 0)."""
        terms = numbers[self.terms] if len(self.terms) else self.terms.copy()
        known = terms >= 0
        starts = np.concatenate([[0], np.cumsum(known, dtype=np.int32)]).astype(np.int32)[self.starts]
        return Postings(terms[known], self.frequencies[known], starts, self.lengths.copy())

    @classmethod
    def joined(cls, parts: Sequence["Postings"]) -> "Postings":
        """One after another, in the order of the parts."""
        if not parts:
            return cls.of((), Vocabulary())
        before = np.cumsum([0, *(len(part.terms) for part in parts[:-1])], dtype=np.int32)
        starts = [part.starts[:-1] + offset for part, offset in zip(parts, before, strict=True)]
        end = np.asarray([sum(len(part.terms) for part in parts)], dtype=np.int32)
        return cls(
            np.concatenate([part.terms for part in parts]),
            np.concatenate([part.frequencies for part in parts]),
            np.concatenate([*starts, end]),
            np.concatenate([part.lengths for part in parts]),
        )


@overload
def idf(holding: float, size: int) -> float: ...
@overload
def idf(holding: Integers, size: int) -> Floats: ...
def idf(holding: float | Integers, size: int) -> float | Floats:
    """How rare is a term that so many of `size` texts hold: log(1 + (size - holding + 0.5) / (holding + 0.5)).

    Spärck Jones (1972) in the form of Robertson and Walker (1994), kept above 0.
    """
    odds = 1 + (size - holding + 0.5) / (holding + 0.5)
    return math.log(odds) if isinstance(odds, float) else np.log(odds)


def norms(lengths: Integers, mean: float) -> Floats:
    """What the length of each segment adds below the line of `saturated`; `mean` is that of all segments."""
    shares: Floats = lengths / max(mean, 1.0)
    return K1 * (1 - B + B * shares)


def saturated(often: Floats, norm: Floats) -> Floats:
    """What so many occurrences of a term are worth: ever less more."""
    return often * (K1 + 1) / (often + norm)


class LexicalIndex:
    """BM25 scores of all segments at once; the statistics are those of the segments it was built from.

    It is built part by part, so that no more room is taken than it has in the end, and that of one part.
    """

    def __init__(self, parts: Iterable[Postings], vocabulary: Vocabulary, batch: int = BATCH) -> None:
        parts = _batches(parts, batch)
        highest = max((int(part.terms.max(initial=-1)) for part in parts), default=-1)
        sizes = np.zeros(highest + 1, dtype=np.int32)
        for part in parts:
            sizes += np.bincount(part.terms, minlength=highest + 1).astype(np.int32)
        ends = np.cumsum(sizes, dtype=np.int32)
        self._terms: Integers = np.flatnonzero(sizes).astype(np.int32)
        self._sizes: Integers = sizes[self._terms]
        self._starts: Integers = ends[self._terms] - self._sizes
        self._segments: Integers = np.empty(int(sizes.sum()), dtype=np.int32)
        self._frequencies: Counts = np.empty(len(self._segments), dtype=np.uint16)
        self._fill(parts, ends - sizes)
        self._vocabulary = vocabulary
        lengths = [part.lengths for part in parts]
        self.lengths: Integers = np.concatenate(lengths) if lengths else np.zeros(0, dtype=np.int32)
        self.size = len(self.lengths)
        mean = float(self.lengths.mean()) if self.size else 1.0
        self._norm = norms(self.lengths, mean)
        self._rarity: Floats = idf(self._sizes, self.size)

    def _fill(self, parts: Sequence[Postings], free: Integers) -> None:
        """Put the postings of each part behind those of the parts before; `free` is where each term goes on."""
        before = 0
        for part in parts:
            ordered, order = _by_term(part.terms)
            firsts = np.flatnonzero(np.diff(ordered, prepend=-1))
            terms, sizes = ordered[firsts], np.diff(np.append(firsts, len(ordered)))
            places = np.arange(len(ordered)) + np.repeat(free[terms] - firsts, sizes)
            self._segments[places] = part.segments[order] + before
            self._frequencies[places] = part.frequencies[order]
            free[terms] += sizes.astype(np.int32)
            before += len(part.lengths)

    def postings(self, term: str) -> tuple[Integers, Floats]:
        """The segments that hold a term, and how often."""
        place = self._place(term)
        if place < 0:
            return self._segments[:0], np.zeros(0)
        part = slice(self._starts[place], self._starts[place] + self._sizes[place])
        return self._segments[part], self._frequencies[part].astype(np.float64)

    def holds_near(self, term: str) -> bool:
        """Whether some text holds a near spelling of a term of at least five letters."""
        known = map(self._vocabulary.term, self._terms.tolist())
        return (
            len(term) >= 5
            and process.extractOne(term, known, scorer=fuzz.ratio, score_cutoff=LIKENESS) is not None
        )

    def idf(self, term: str) -> float:
        place = self._place(term)
        return float(self._rarity[place]) if place >= 0 else idf(0, self.size)

    def rarities(self, numbers: Integers) -> Floats:
        """The idf of terms by their numbers; each must stand in some segment."""
        idfs: Floats = self._rarity[np.searchsorted(self._terms, numbers)]
        return idfs

    def scores(self, weights: Mapping[str, float]) -> Floats:
        """One score a segment for a query given as weighted terms."""
        numbers = np.array(self._vocabulary.numbers(weights), dtype=np.int32)
        places = np.minimum(np.searchsorted(self._terms, numbers), max(len(self._terms) - 1, 0))
        known = np.flatnonzero(self._terms[places] == numbers) if len(self._terms) else places[:0]
        if not len(known):
            return np.zeros(self.size)
        places, term_weights = places[known], np.array(list(weights.values()))[known]
        sizes = self._sizes[places]
        ends = np.cumsum(sizes)
        rows = np.arange(ends[-1]) + np.repeat(self._starts[places] - ends + sizes, sizes)
        share = np.repeat(term_weights * self._rarity[places], sizes)
        segments, often = self._segments[rows], self._frequencies[rows].astype(np.float64)
        worth = share * saturated(often, self._norm[segments])
        return np.bincount(segments, weights=worth, minlength=self.size)

    def _place(self, term: str) -> int:
        """Where the term stands among those of the index, -1 if it does not."""
        number = self._vocabulary.number(term)
        place = int(self._terms.searchsorted(number)) if number >= 0 else len(self._terms)
        return place if place < len(self._terms) and self._terms[place] == number else -1


def _batches(parts: Iterable[Postings], size: int) -> list[Postings]:
    """The same parts, small ones joined to their neighbours up to so many postings."""
    batches: list[list[Postings]] = []
    room = 0
    for part in parts:
        if not batches or len(part.terms) > room:
            batches.append([])
            room = size
        batches[-1].append(part)
        room -= len(part.terms)
    return [Postings.joined(batch) if len(batch) > 1 else batch[0] for batch in batches]


def _by_term(terms: Integers) -> tuple[Integers, Integers]:
    """The terms in their order, and their places, equals as they came; sorted as one number, with little room."""
    keys = terms.astype(np.int64)
    keys <<= 32
    keys |= np.arange(len(terms), dtype=np.int32)
    keys.sort()
    places = keys.astype(np.int32)  # the lower half
    keys >>= 32
    return keys.astype(np.int32), places
