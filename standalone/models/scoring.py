"""What the stand-ins for rerankers and embedding models compute, deterministic and offline."""

import math
import re
from collections.abc import Callable, Sequence
from zlib import crc32

Score = Callable[[str, str], float]
"""(query, text) -> 0..1"""

Embed = Callable[[str], Sequence[float]]
"""text -> vector; all of one length"""

_DIMENSIONS = 64
_WORD = re.compile(r"\w+")


def words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def shared_words(query: str, text: str) -> float:
    """Share of the query's different words that stand in the text, 0..1."""
    asked = set(words(query))
    return len(asked & set(words(text))) / len(asked) if asked else 0.0


def word_vector(text: str) -> tuple[float, ...]:
    """Counts of words hashed into 64 dimensions, of length 1 (all zero for a text without words)."""
    counts = [0.0] * _DIMENSIONS
    for word in words(text):
        counts[crc32(word.encode()) % _DIMENSIONS] += 1.0
    length = math.sqrt(sum(count * count for count in counts)) or 1.0
    return tuple(count / length for count in counts)


def rank(score: Score, query: str, texts: Sequence[str]) -> list[tuple[int, float]]:
    """(index, score) of all texts, best first; equals keep their order."""
    scored = [(index, score(query, text)) for index, text in enumerate(texts)]
    return sorted(scored, key=lambda pair: -pair[1])
