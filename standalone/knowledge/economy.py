"""The economy index: ten keywords a segment, a rank that only counts matches."""

import math
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable

import numpy as np

from standalone.knowledge.words import STOP_WORDS, words

KEYWORDS_A_SEGMENT = 10


def document_keywords(segments: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Choose at most ten keywords a segment, by tf·idf among the segments of its document.

    Case counts and nothing is stemmed, as with Dify's jieba keywords.
    """
    counts = [_counts(text) for text in segments]
    frequency = Counter(word for count in counts for word in count)
    chosen = []
    for count in counts:
        weights = {word: tf * math.log(1 + len(segments) / frequency[word]) for word, tf in count.items()}
        # Sorting is stable: among equals the word that comes first in the text is taken.
        chosen.append(tuple(sorted(weights, key=lambda word: -weights[word])[:KEYWORDS_A_SEGMENT]))
    return tuple(chosen)


class KeywordIndex:
    """Which segments carry which keyword. Segments are known by their number in the order given.

    `ties` holds a number a segment that orders equals: arbitrary in Dify, reproducible here.
    """

    def __init__(self, keywords: Iterable[tuple[str, ...]], ties: Iterable[int]) -> None:
        self._numbers: defaultdict[str, array[int]] = defaultdict(lambda: array("I"))
        for number, chosen in enumerate(keywords):
            for word in chosen:
                self._numbers[word].append(number)
        self._ties = np.fromiter(ties, dtype=np.uint64)

    def rank(self, query: str) -> tuple[int, ...]:
        """All segments with a keyword of the query, those with most of them first."""
        (wanted,) = document_keywords((query,))
        matches = np.zeros(len(self._ties), dtype=np.int64)
        for word in wanted:
            if word in self._numbers:
                matches[np.array(self._numbers[word])] += 1
        found = np.flatnonzero(matches)
        order = np.lexsort((self._ties[found], -matches[found]))
        return tuple(found[order].tolist())


def _counts(text: str) -> Counter[str]:
    return Counter(word for word in words(text) if word.lower() not in STOP_WORDS)
