"""Words of Latin and of Chinese, Japanese and Korean text, for the two kinds of index."""

import re
from collections.abc import Callable, Iterable

import Stemmer

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_WORD = re.compile(rf"[{_CJK}]+|[^\W_{_CJK}]+")
_LATIN_WORD = re.compile(r"[^\W_]+")
_CJK_RUN = re.compile(rf"[{_CJK}]")

_STOP_WORDS = """
    a about above after again against all am an and any are as at be because been before being below
    between both but by can could did do does doing down during each few for from further had has have
    having he her here hers herself him himself his how i if in into is it its itself just me more most my
    myself no nor not now of off on once only or other our ours ourselves out over own same she should so
    some such than that the their theirs them themselves then there these they this those through to too
    under until up very was we were what when where which while who whom why will with would you your yours
    yourself yourselves"""
STOP_WORDS = frozenset(_STOP_WORDS.split())


def words(text: str) -> tuple[str, ...]:
    """Words as they are written, and pairs of characters where a script has no blanks. For keywords.

    A single character is no keyword, as in Dify.
    """
    found: list[str] = []
    for word in _WORD.findall(text):
        if _CJK_RUN.match(word):
            found.extend(word[at : at + 2] for at in range(len(word) - 1))
        elif len(word) > 1:
            found.append(word)
    return tuple(found)


def analyser(language: str = "english") -> Callable[[str], list[str]]:
    """Make a function from text to lower-case stems of a Snowball language, and single and paired CJK characters.

    The function is for one thread: the stemmer behind it keeps state.
    """
    stem: Callable[[Iterable[str]], list[str]] = Stemmer.Stemmer(language).stemWords

    def terms(text: str) -> list[str]:
        lowered = text.lower()
        if lowered.isascii():
            return stem(_LATIN_WORD.findall(lowered))
        found: list[str] = []
        latin: list[str] = []
        for word in _WORD.findall(lowered):
            if _CJK_RUN.match(word):
                found.extend(word)
                found.extend(word[at : at + 2] for at in range(len(word) - 1))
            else:
                latin.append(word)
        return found + stem(latin)

    return terms
