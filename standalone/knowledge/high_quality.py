"""The high-quality index: embeddings, or BM25 in their place, and a full-text search that wants every word."""

import math
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from standalone.knowledge.sentence_model import SentenceModel
from standalone.knowledge.words import STOP_WORDS, analyser

type Mask = NDArray[np.bool_]
type Ranking = tuple[tuple[int, float], ...]

_K1 = 1.2
_B = 0.75
_HALF = 10.0
"""The BM25 score that counts as a similarity of one half."""
_STOPS = frozenset(analyser()(" ".join(sorted(STOP_WORDS))))


class TextIndex:
    """Postings over units of text, known by their number in the order given.

    `language` is Snowball's name of theirs. With a `model` similarity is the cosine of its vectors, else made of BM25.

    Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009.
    """

    def __init__(
        self, texts: Iterable[str], language: str = "english", model: SentenceModel | None = None
    ) -> None:
        texts = tuple(texts)
        self._language = language
        self._model = model
        self._vectors = model.vectors(texts) if model else None
        terms = analyser(language)
        self._numbers: dict[str, array[int]] = {}
        self._counts: dict[str, array[int]] = {}
        lengths = array("I")
        for number, text in enumerate(texts):
            found = terms(text)
            lengths.append(len(found))
            for term, count in Counter(found).items():
                if term not in self._numbers:
                    self._numbers[term], self._counts[term] = array("I"), array("I")
                self._numbers[term].append(number)
                self._counts[term].append(count)
        self.size = len(lengths)
        self._lengths = np.array(lengths, dtype=np.float64)
        mean = float(self._lengths.mean()) if self.size else 0.0
        self._norm = _K1 * (1 - _B + _B * self._lengths / (mean or 1.0))

    def semantic(self, query: str, top_k: int, allowed: Mask | None = None) -> Ranking:
        """Give the `top_k` best units with their similarity: always that many, however bad they are."""
        similar = self._similar(query)
        order = np.argsort(-similar, kind="stable")
        if allowed is not None:
            order = order[allowed[order]]
        return tuple((int(number), float(similar[number])) for number in order[:top_k])

    def similarities(self, query: str, numbers: tuple[int, ...]) -> tuple[float, ...]:
        """Give the similarity of each of these units."""
        similar = self._similar(query)
        return tuple(float(similar[number]) for number in numbers)

    def full_text(self, query: str, top_k: int, allowed: Mask | None = None) -> Ranking:
        """Units with every word of the query, stop words aside; scores in 0..1 grow with repetitions."""
        wanted = sorted(set(analyser(self._language)(query)) - _STOPS)
        if not wanted:
            return ()
        every = reduce(np.intersect1d, (self._postings(term)[0] for term in wanted))
        if allowed is not None:
            every = every[allowed[every]]
        scores = np.zeros(len(every))
        for term in wanted:
            numbers, counts = self._postings(term)
            found = counts[np.searchsorted(numbers, every)]
            scores += found / (found + 1.0)
        order = np.argsort(-scores, kind="stable")[:top_k]
        return tuple((int(every[at]), float(scores[at]) / len(wanted)) for at in order)

    def overlap(self, query: str, number: int) -> float:
        """How much of the query, by idf, the unit holds: 0..1. The keyword half of a weighted score."""
        wanted = set(analyser(self._language)(query)) - _STOPS
        whole = sum(self._idf(term) for term in wanted)
        held = sum(self._idf(term) for term in wanted if self._holds(term, number))
        return held / whole if whole else 0.0

    def _similar(self, query: str) -> NDArray[np.floating[Any]]:
        """The cosine of the vectors, or what BM25 makes 0..1."""
        if self._model is None or self._vectors is None or not self.size:
            scores = self._bm25(query)
            return scores / (scores + _HALF)
        cosines: NDArray[np.floating[Any]] = self._vectors @ self._model.vectors([query])[0]
        return cosines

    def _bm25(self, query: str) -> NDArray[np.float64]:
        scores = np.zeros(self.size)
        for term, weight in Counter(analyser(self._language)(query)).items():
            numbers, counts = self._postings(term)
            scores[numbers] += weight * self._idf(term) * counts * (_K1 + 1) / (counts + self._norm[numbers])
        return scores

    def _postings(self, term: str) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
        return (
            np.array(self._numbers.get(term, ()), dtype=np.uint32),
            np.array(self._counts.get(term, ()), dtype=np.uint32),
        )

    def _holds(self, term: str, number: int) -> bool:
        numbers = self._numbers.get(term, array("I"))
        at = bisect_left(numbers, number)
        return at < len(numbers) and numbers[at] == number

    def _idf(self, term: str) -> float:
        frequency = len(self._numbers.get(term, ()))
        return math.log(1 + (self.size - frequency + 0.5) / (frequency + 0.5))
