"""Words of any script, made alike for matching.

Words of scripts with blanks are case-folded and stemmed (Snowball, Porter 2001), irregular past forms as their verb;
runs of Chinese, Japanese and Korean characters become single characters and pairs (Nie, Gao, Zhang and Zhou, 2000:
n-grams rank Chinese as well as a segmenter does, with no dictionary).

The stemmer is that of the language of the text. A name of a document is matched by English stems too: it is too short
to tell its language, and so is many a query.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache

import Stemmer

from evidence.language.detect import language_of
from evidence.language.scripts import CJK
from evidence.language.tables import LANGUAGES

_TOKEN = re.compile(rf"[{CJK}]+|[^\W_{CJK}]+(?:['’][^\W\d_]+)*")
_CJK_RUN = re.compile(rf"[{CJK}]+")
_PLURAL = re.compile(r"(?<=[A-Z]{2})s$")  # of an abbreviation: NDAs
_POSSESSIVE = re.compile(r"['’]s?$")
_FIRST_CJK = "\u3005"  # runs of these are seldom met twice
_LONGEST = 64  # letters; a longer run of them is a hash, a path, a slip of the keyboard
_STEMMERS = {code: Stemmer.Stemmer(table.stemmer) for code, table in LANGUAGES.items() if table.stemmer}
_IRREGULAR = {
    form: verb.split()[0] for verb in LANGUAGES["en"].irregular.split(";") for form in verb.split()[1:]
}


def words(text: str) -> list[str]:
    """The surface words of a text in order; a run of CJK characters is one word."""
    return _TOKEN.findall(text)


def terms_of(word: str, language: str = "en") -> tuple[str, ...]:
    """The terms that one word of a text in that language is matched by; of a word that is none, its first letters."""
    short = word[:1] < _FIRST_CJK and len(word) <= _LONGEST
    return _cached_terms_of(word, language) if short else _terms_of(word, language)


def _terms_of(word: str, language: str) -> tuple[str, ...]:
    folded = unicodedata.normalize("NFKC", _PLURAL.sub("", word)).casefold()
    if _CJK_RUN.fullmatch(folded):
        return (*folded, *(folded[i : i + 2] for i in range(len(folded) - 1)))
    folded = _POSSESSIVE.sub("", folded[:_LONGEST])
    if (own := _STEMMERS.get(language)) and language != "en":
        stem = own.stemWord(folded)
    else:
        stem = _STEMMERS["en"].stemWord(_IRREGULAR.get(folded, folded))
    return (stem,) if stem else ()


_cached_terms_of = lru_cache(maxsize=100_000)(_terms_of)


def terms(text: str, language: str = "") -> list[str]:
    """The terms of a text, in order, repeats kept; of its own language where none is given."""
    language = language or language_of(text)
    return [term for word in words(text) for term in terms_of(word, language)]


def term_spans(text: str, language: str = "") -> Iterator[tuple[int, int, str]]:
    """Each term with its place in the text; of a run of CJK characters the pairs, of one character that."""
    language = language or language_of(text)
    for match in _TOKEN.finditer(text):
        start, end = match.span()
        if not _CJK_RUN.fullmatch(match[0]):
            yield from ((start, end, term) for term in terms_of(match[0], language))
        else:
            pairs = range(start, max(end - 1, start + 1))
            yield from ((at, min(at + 2, end), text[at : min(at + 2, end)]) for at in pairs)


def terms_of_texts(texts: Iterable[str]) -> list[list[str]]:
    """The terms of each text."""
    return [terms(text) for text in texts]
