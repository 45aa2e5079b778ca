"""
Find where quoted words really stand.

A quote is a span of a stored segment, never a string that a model wrote. `locate` tries the claimed segment,
then all others: the words as they are; the words folded (see folding); the parts around `…` in their order.
A paraphrase is not a quote. Time is linear in the text: occurrences looked at are bounded.
"""

import functools
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evidence.language.normalise import Folded, fold, fold_all, is_cjk
from evidence.language.tables import LANGUAGES
from evidence.model import Quote, Segment, Span

_OMISSION = re.compile(r"[\[(]\s*(?:…|\.{3,})\s*[\])]|…+|\.{3,}|\. \. \.")
_FRAMES = " -'.,;:!?*_#()[]{}<>|。、，；："
_WORD = re.compile(r"\w+")
_OCCURRENCES = 400  # places looked at for one quote; more would make hostile text slow
_CLOSING = {"”": "“", "」": "「", "』": "『", "»": "«", "》": "《", ")": "(", "）": "（"}
_GAP = 1_500  # characters that one `…` may stand for
_COMPLETED = 12  # folded characters from which a cut word at an end is completed, not refused
_LONGEST_WORD = 40
_EMPTY_WORDS = frozenset(word for table in LANGUAGES.values() for word in table.light_words.split())


@dataclass(frozen=True, slots=True)
class Located:
    """`repointed` says that the words stand in another segment than was claimed."""

    quote: Quote
    repointed: bool = False


@dataclass(frozen=True, slots=True)
class _Haystack:
    """Segments folded as one text; `raw` and `folded` say where each begins, and where the last one ends."""

    text: Folded
    raw: tuple[int, ...]
    folded: tuple[int, ...]


def locate(words: str, segments: Sequence[Segment], claimed: Segment | None = None) -> Located | None:
    """The quote, or None when the words stand nowhere or say too little to be proof of anything.

    A quote that would begin or end inside a word or number is completed to its end, or refused when short.
    """
    words = words.strip()
    if is_trivial(words):
        return None
    if claimed is not None and (quote := _search(words, (claimed,))):
        return Located(quote)
    quote = _search(words, tuple(segments))
    return Located(quote, repointed=claimed is not None and quote.segment != claimed) if quote else None


def is_trivial(words: str) -> bool:
    """Fewer than two characters that are no punctuation, or nothing but function words."""
    content = sum(unicodedata.category(char)[0] in "LNS" for char in words[:500])
    spoken = _WORD.findall(words[:500].lower())
    return content < 2 or (bool(spoken) and all(word in _EMPTY_WORDS for word in spoken))


def _search(words: str, segments: tuple[Segment, ...]) -> Quote | None:
    return (_exact_match(words, segments) or _folded_match(words, segments)) if segments else None


# --- the three ways to match -------------------------------------------------------------------------------


def _exact_match(words: str, segments: tuple[Segment, ...]) -> Quote | None:
    for segment in segments:
        matches = [(at, at + len(words)) for at in _occurrences(segment.text, words)]
        span = _best(segment.text, matches)
        if span is not None:
            same = segment.text[span.start : span.end] == words
            return Quote(segment, span, "exact" if same else "normalised")
    return None


def _folded_match(words: str, segments: tuple[Segment, ...]) -> Quote | None:
    texts = tuple(segment.text for segment in segments)
    haystack = _haystack(texts) if len(texts) > 1 else _Haystack(*fold_all(texts))
    plain = fold(words.replace("\x00", " ")).text.strip(" -")
    for needle in dict.fromkeys((plain, plain.strip(_FRAMES))):
        quote = None if is_trivial(needle) else _normalised_match(needle, haystack, segments)
        if quote:
            return quote
    return _elided_match(words, haystack, segments)


def _normalised_match(needle: str, haystack: _Haystack, segments: tuple[Segment, ...]) -> Quote | None:
    spans: dict[int, list[tuple[int, int]]] = {}
    for at in _occurrences(haystack.text.text, needle):
        raw = haystack.text.span(at, at + len(needle))
        index = bisect_right(haystack.folded, at) - 1
        if raw and at + len(needle) <= haystack.folded[index + 1]:
            base = haystack.raw[index]
            spans.setdefault(index, []).append((raw[0] - base, raw[1] - base))
    for index, matches in spans.items():
        span = _best(segments[index].text, matches, marks=False)
        if span is not None:
            return Quote(segments[index], span, "normalised")
    return None


def _elided_match(words: str, haystack: _Haystack, segments: tuple[Segment, ...]) -> Quote | None:
    parts = [fold(part).text.strip(" -'[]()") for part in _OMISSION.split(words.replace("\x00", " "))]
    parts = [part for part in parts if part]
    if len(parts) < 2 or any(len(part) < 6 and len(part.split()) < 2 for part in parts):
        return None
    folded = haystack.text
    for at in _occurrences(folded.text, parts[0]):
        index = bisect_right(haystack.folded, at) - 1
        end = _follow(folded.text, parts, at, haystack.folded[index + 1])
        raw = folded.span(at, end) if end else None
        if raw:
            base = haystack.raw[index]
            text = segments[index].text
            span = _best(text, [(raw[0] - base, raw[1] - base)], marks=False)
            if span is not None:
                return Quote(segments[index], span, "elided")
    return None


def _follow(text: str, parts: Sequence[str], at: int, limit: int) -> int:
    """The end of the last part when all follow each other closely, else 0."""
    end = at + len(parts[0])
    for part in parts[1:]:
        start = text.find(part, end, min(limit, end + _GAP + len(part)))
        if start < 0:
            return 0
        end = start + len(part)
    return end if end <= limit else 0


# --- places ------------------------------------------------------------------------------------------------


def _occurrences(text: str, needle: str) -> Iterator[int]:
    """Where the needle stands: the first of its places."""
    at = text.find(needle)
    for _ in range(_OCCURRENCES):
        if at < 0:
            return
        yield at
        at = text.find(needle, at + 1)


def _best(text: str, spans: list[tuple[int, int]], *, marks: bool = True) -> Span | None:
    """The first occurrence that begins and ends with a word; else the first one, completed.

    Without `marks` an occurrence whose last letter carries a mark in the text is another word (cafe, café).
    """
    if not marks:
        spans = [(start, end) for start, end in spans if not _has_mark(text, end)]
    clean = [span for span in spans if not _cuts_word(text, span[0]) and not _cuts_word(text, span[1])]
    if clean:
        return _to_character_bounds(text, *clean[0])
    for start, end in spans:
        piece = text[start:end]
        if len(piece) >= _COMPLETED or len(piece.split()) > 2:
            return _to_character_bounds(text, *_to_word_bounds(text, start, end))
    return None


def _has_mark(text: str, end: int) -> bool:
    return end < len(text) and unicodedata.combining(text[end]) != 0


def _cuts_word(text: str, at: int) -> bool:
    """Whether a cut before character `at` falls inside a word or a number."""
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    if before in ".," and after.isdigit():
        return at > 1 and text[at - 2].isdigit()
    if after in ".," and before.isdigit():
        return at + 1 < len(text) and text[at + 1].isdigit()
    return _is_letter(before) and _is_letter(after)


def _is_letter(char: str) -> bool:
    """Letters and digits of scripts that separate words by spaces and have no glued particles."""
    return char.isalnum() and (ord(char) < 0x0590 or 0x1E00 <= ord(char) <= 0x1FFF) and not is_cjk(char)


def _to_word_bounds(text: str, start: int, end: int) -> tuple[int, int]:
    """Completed to word ends; a run of letters too long to be a word is left cut."""
    first = next(
        (at for at in range(start, max(start - _LONGEST_WORD, -1), -1) if not _cuts_word(text, at)), start
    )
    last = next(
        (at for at in range(end, min(end + _LONGEST_WORD, len(text) + 1)) if not _cuts_word(text, at)), end
    )
    return first, last


def _to_character_bounds(text: str, start: int, end: int) -> Span:
    """Widened so that no mark, variation selector, skin tone or joined emoji is cut off."""
    while start > 0 and _clings(text[start - 1], text[start]):
        start -= 1
    while end < len(text) and _clings(text[end - 1], text[end]):
        end += 1
    if end < len(text) and text[end] in _CLOSING:
        opening = _CLOSING[text[end]]
        end += text.count(opening, start, end) > text.count(text[end], start, end)
    return Span(start, end)


def _clings(before: str, after: str) -> bool:
    return (
        unicodedata.category(after) in ("Mn", "Me", "Mc")
        or after == "\u200d"
        or "\U0001f3fb" <= after <= "\U0001f3ff"
        or (before == "\u200d" and not after.isspace())
        or ("\ud800" <= before <= "\udbff" and "\udc00" <= after <= "\udfff")
    )


@functools.lru_cache(maxsize=4)
def _haystack(texts: tuple[str, ...]) -> _Haystack:
    return _Haystack(*fold_all(texts))
