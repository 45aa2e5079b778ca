"""Which terms of a text say nothing about what is asked.

Function words, and the words that frame a question ("does the document state", "please list") with those for kinds of
documents. Both are known as terms (see terms), by the language of the text. Chinese and Japanese have no blanks
between words, so whole function phrases are cut out of the text before it is made terms; this keeps a pair of a word's
last and a particle's first character from making a term that no document holds.
"""

import re
from collections.abc import Mapping

from evidence.language.detect import language_of
from evidence.language.scripts import has_cjk
from evidence.language.table import Language
from evidence.language.tables import LANGUAGES
from evidence.language.terms import terms, terms_of, words


def _terms(table: Language, listed: str) -> frozenset[str]:
    """The terms of listed words; where words have no blanks, phrases of one or two characters are terms."""
    if table.spaced:
        return frozenset(
            t for word in listed.split() for part in words(word) for t in terms_of(part, table.code)
        )
    return frozenset(phrase for phrase in listed.split() if len(phrase) <= 2) | set(table.function_characters)


def _by_language(own: Mapping[str, frozenset[str]]) -> Mapping[str, frozenset[str]]:
    """English words, and those of scripts without blanks, stand in texts of each other."""
    mixed = frozenset[str]().union(
        *(own[c] for c, table in LANGUAGES.items() if not table.spaced or c == "en")
    )
    return {code: mixed if code == "en" or not LANGUAGES[code].spaced else own[code] for code in own}


STOP_OF = _by_language({code: _terms(table, table.function_words) for code, table in LANGUAGES.items()})
_SCAFFOLD = _by_language(
    {code: _terms(table, table.function_words + table.framing_words) for code, table in LANGUAGES.items()}
)
STOP: frozenset[str] = STOP_OF["en"]
SCAFFOLD: frozenset[str] = _SCAFFOLD["en"]


def _any_of(lists: list[str]) -> str:
    """Longest phrase first; single characters stay for the term filter: each may be part of a word."""
    phrases = {phrase for listed in lists for phrase in listed.split() if len(phrase) > 1}
    return "|".join(map(re.escape, sorted(phrases, key=lambda phrase: (-len(phrase), phrase))))


_UNSPACED = [table for table in LANGUAGES.values() if not table.spaced]
_PARTICLE = "|".join(table.particles for table in _UNSPACED if table.particles)
_FUNCTION = _any_of([table.function_words for table in _UNSPACED])
STOP_PHRASES = f"{_FUNCTION}|{_PARTICLE}"  # a pattern of the function words of scripts without blanks
_STOP_PHRASES = re.compile(_FUNCTION)
_SCAFFOLD_PHRASES = re.compile(_any_of([table.function_words + table.framing_words for table in _UNSPACED]))
_PARTICLES = re.compile(_PARTICLE)


def _cut(text: str, phrases: re.Pattern[str]) -> str:
    return _PARTICLES.sub(" ", phrases.sub(" ", _PARTICLES.sub(" ", text))) if has_cjk(text) else text


def _left(text: str, phrases: re.Pattern[str], unwanted: Mapping[str, frozenset[str]]) -> list[str]:
    language = language_of(text)
    candidates = (term for word in words(_cut(text, phrases)) for term in terms_of(word, language))
    return [term for term in candidates if term not in unwanted[language]]


def content_terms(text: str) -> list[str]:
    """The terms of a question that say what is asked, in order, repeats kept.

    Falls back to all but the function words, then to all terms: empty only when the text has no term.
    """
    return _left(text, _SCAFFOLD_PHRASES, _SCAFFOLD) or telling_terms(text)


def telling_terms(text: str) -> list[str]:
    """The terms of a question without the function words; all of them where nothing else is left."""
    return _left(text, _STOP_PHRASES, STOP_OF) or terms(text)


def content_words(text: str) -> list[str]:
    """The surface words that say what is asked, each once, in order; may be empty."""
    language = language_of(text)
    content = (
        word
        for word in words(_cut(text, _SCAFFOLD_PHRASES))
        if any(term not in _SCAFFOLD[language] for term in terms_of(word, language))
    )
    return list({word.casefold(): word for word in content}.values())


def significant_terms(text: str, language: str = "") -> frozenset[str]:
    """The terms of a text without its function words; read as of its own language where none is given."""
    own = language_of(text)
    return frozenset(terms(text, language or own)) - STOP_OF[own] - STOP_OF[language or own]
