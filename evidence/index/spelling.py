"""Misspelt words of a question, written as the documents write them.

A word is taken for misspelt where no text holds it and no word list of its language, and where one slip of the
keyboard makes it of a word of the texts: a letter too many or too few, or two exchanged (Damerau, 1964). A letter for
another is no such slip: it makes one word of another too often. Names are left alone: what is not there must not be
read as what is.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from rapidfuzz import process
from rapidfuzz.distance import OSA

_WORD = re.compile(r"(?<!\w)[^\W\d_]{5,24}(?!\w)")
_WORDS = 50_000  # different ones of a collection that are looked through
_TEXTS = 3_000_000  # characters of it
_MISSPELT = (
    12  # words of a question; one that holds more unknown words is no question in the documents' language
)


def spellings(texts: Iterable[str]) -> Counter[str]:
    """How often texts hold each word of five letters and more, without capitals."""
    counts: Counter[str] = Counter()
    left = _TEXTS
    for text in texts:
        counts.update(_WORD.findall(text[:left].casefold()))
        left -= len(text)
        if left <= 0 or len(counts) > _WORDS:
            break
    return counts


def misspelt(
    question: str, known: Callable[[str], bool], words: Callable[[], Mapping[str, int]]
) -> Mapping[str, str]:
    """The misspelt words of a question with their spelling in the texts; `known` is true for a word that is none."""
    unknown = {
        match.group()
        for match in _WORD.finditer(question)
        if (match.group().islower() or not match.start()) and not known(match.group())
    }
    if not 0 < len(unknown) <= _MISSPELT:
        return {}
    spelt = words()
    nearest = {word: _nearest(word.casefold(), spelt) for word in unknown if word.casefold() not in spelt}
    return {word: near for word, near in nearest.items() if near}


def written_as(question: str, spelling: Mapping[str, str]) -> str:
    """The question with those words written so."""
    return _WORD.sub(lambda match: spelling.get(match.group(), match.group()), question)


def _nearest(word: str, words: Mapping[str, int]) -> str:
    """The commonest of the words that one slip of the keyboard makes this one; empty where there is none."""
    near = process.extract(word, words.keys(), scorer=OSA.distance, score_cutoff=1, limit=None)
    slips = (
        other
        for other, _, _ in near
        if other[0] == word[0] and (len(other) != len(word) or sorted(other) == sorted(word))
    )
    return max(slips, key=words.__getitem__, default="")
