"""A query shortened to what a server takes, by leaving out the words that distinguish least.

Names and numbers tell one document from another, so they are kept first; then quoted words and runs of
Chinese, Japanese and Korean; then other words, long before short; then function words, the scaffolding of
questions and repeats. What is kept stays in order.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from evidence.language.function_words import SCAFFOLD, STOP, STOP_PHRASES
from evidence.language.scripts import CJK
from evidence.language.terms import terms

_MARKS = "\u3001-\u3003\u3008-\u301f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40"  # wide punctuation
_QUOTED = re.compile(
    r'"[^"]{1,200}"|“[^”]{1,200}”|«[^»]{1,200}»|「[^」]{1,200}」|『[^』]{1,200}』|《[^》]{1,200}》'
)
_PIECE = re.compile(
    rf"({STOP_PHRASES})|([{CJK}]{{1,8}}?(?={STOP_PHRASES}|[^{CJK}]|$)|[{CJK}]{{8}})|([^\s{CJK}{_MARKS}]+)"
)
_LONG = 40  # a longer "word" is no word: a hash, a path, a slip of the keyboard


@dataclass(frozen=True, slots=True)
class _Word:
    """`glued` words stood against the word before without a blank; a higher `value` is kept longer."""

    text: str
    index: int
    glued: bool
    value: tuple[int, int]


def fit_query(text: str, limit: int = 250) -> str:
    """At most `limit` characters of a query; the query itself when it is short enough."""
    if len(text) <= limit:
        return text
    plain = " ".join(text.split())
    if len(plain) <= limit:
        return plain
    words = _words(plain)
    chosen = _most_valuable(words, limit)
    return _join(chosen) if chosen else (words[0].text if words else plain)[:limit]


def _words(text: str) -> list[_Word]:
    quoted = bytearray(len(text))
    for match in _QUOTED.finditer(text):
        quoted[match.start() : match.end()] = b"\1" * len(match.group())
    words: list[_Word] = []
    seen: set[str] = set()
    end = -1
    for match in _PIECE.finditer(text):
        piece = _strip_punctuation(match.group())
        if not piece:
            continue
        scaffold, cjk = bool(match.group(1)), bool(match.group(2))
        if scaffold:
            value = (1, 0)
        elif cjk:
            value = (4, min(len(piece), 2))  # a single character alone says little
        else:
            value = _value(piece, bool(quoted[match.start()]), opening=not words)
        folded = piece.casefold()
        if folded in seen:
            value = (0, 0)
        seen.add(folded)
        words.append(_Word(piece, len(words), match.start() == end, value))
        end = match.end()
    return words


def _strip_punctuation(piece: str) -> str:
    """Without the punctuation around a word; `C++` and `$5` keep their signs, which are symbols."""
    start, stop = 0, len(piece)
    while start < stop and unicodedata.category(piece[start])[0] in "PCZ":
        start += 1
    while stop > start and unicodedata.category(piece[stop - 1])[0] in "PCZ":
        stop -= 1
    return piece[start:stop]


def _value(piece: str, quoted: bool, opening: bool) -> tuple[int, int]:
    """The value of a word that is not CJK; `opening` words are capitalised whatever they are."""
    length = len(piece)
    if length > _LONG:
        return (2, 0)
    named = any(letter.isupper() or letter.isdecimal() for letter in piece)
    if not _is_name(piece):
        if _all_in(STOP, piece):
            return (1, 0)
        if _all_in(SCAFFOLD, piece):
            return (3 if named and not opening else 2, length)
    if named:
        return (5, 0)
    return (4, 2) if quoted else (3, length)


def _all_in(unwanted: frozenset[str], piece: str) -> bool:
    return all(term in unwanted for term in terms(piece))


def _is_name(piece: str) -> bool:
    """5 is a number, May a month and US a country, whatever they are as words."""
    return piece == "May" or piece.isdecimal() or (len(piece) > 1 and piece.isupper())


def _most_valuable(words: list[_Word], limit: int) -> list[_Word]:
    """The most valuable words that fit; among equals, those nearest to an end of it."""
    last = len(words) - 1
    ranked = sorted(
        words, key=lambda word: (-word.value[0], -word.value[1], min(word.index, last - word.index))
    )
    glued = {word.index for word in words if word.glued}
    taken: dict[int, _Word] = {}
    room = limit + 1
    for word in ranked:
        beside = (word.index in glued and word.index - 1 in taken) or (
            word.index + 1 in glued and word.index + 1 in taken
        )
        cost = len(word.text) + (0 if beside else 1)
        if cost <= room:
            taken[word.index] = word
            room -= cost
    return [taken[index] for index in sorted(taken)]


def _join(words: Iterable[_Word]) -> str:
    text, before = "", -1
    for word in words:
        blank = "" if not text or (word.glued and word.index == before + 1) else " "
        text, before = f"{text}{blank}{word.text}", word.index
    return text
