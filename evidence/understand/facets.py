"""The parts that an answer must cover, each a question that can be asked alone.

Rules after what people write: several sentences, "… and how long …", and "… about A, B and C". What cannot be
parted safely stays whole; more than five parts are not made.
"""

import re

from evidence.language.detect import language_of
from evidence.language.function_words import content_words
from evidence.language.rules import by_language, patterns_by_language
from evidence.language.tables import LANGUAGES

MOST = 5
_SENTENCE = re.compile(r"(?<=[?？!！。；;])\s*|(?<=\w\w\w\w\.)\s+(?=[A-Z])|\n+")
_BREAK, _ASKS = by_language("facet_break"), by_language("facet_asks")
_LISTS = patterns_by_language("facet_list")
_SEPARATOR = by_language("facet_separator")
_PAIRS_TOO = re.compile(  # clearly a list of subjects, also of two
    r"\b(?:about|regarding|concerning)$|^(?:compare|contrast)\b|\bdiffer\b", re.IGNORECASE
)
_NO_ITEM = by_language("facet_asks", r"(?:{}|(?:by|in|to|with|at|from|if|a|an)\b|\d)")


def facets(topic: str) -> tuple[str, ...]:
    """One to five questions that together ask what the topic asks; none for a blank topic."""
    parts = [part for sentence in _SENTENCE.split(topic) for part in _questions(" ".join(sentence.split()))]
    listed = [facet for part in parts for facet in _listed(part)]
    unique = {facet.casefold(): facet for facet in map(_tidy, listed) if content_words(facet)}
    if not 1 < len(unique) <= MOST:
        tidy = _tidy(topic)
        return tuple(unique.values())[:1] if len(unique) == 1 else ((tidy,) if tidy else ())
    return tuple(unique.values())


def _tidy(text: str) -> str:
    return text.strip().strip(" ,;，；、").strip()


def _questions(sentence: str) -> list[str]:
    """A sentence parted where a new question begins; too little left of the cut keeps it whole."""
    language = language_of(sentence)
    parts = _BREAK[language].split(sentence)
    asking = LANGUAGES[language].spaced or all(map(_ASKS[language].search, parts))
    return parts if asking and all(map(content_words, parts)) else [sentence]


def _listed(question: str) -> list[str]:
    """ "… about A, B and C" asked of each; a pair is parted only where it is clearly a list of subjects."""
    language = language_of(question)
    match = next(filter(None, (pattern.match(question) for pattern in _LISTS[language])), None)
    if match is None:
        return [question]
    pairs = not LANGUAGES[language].spaced or _PAIRS_TOO.search(match["over"]) or _PAIRS_TOO.search(question)
    items = [item.strip() for item in _SEPARATOR[language].split(match["items"])]
    odd = any(
        len(item.split()) > 4 or _NO_ITEM[language].match(item) or not content_words(item) for item in items
    )
    if odd or not (2 if pairs else 3) <= len(items) <= MOST:
        return [question]
    return [f"{match['stem'] or ''}{item}{match['end']}" for item in items]
