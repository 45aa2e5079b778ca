"""Words that documents use for what people say in words of their own: "throw away" is delete, a boss is a manager.

`thesaurus/` holds a file a language. A row holds words that people use and, behind a colon, those of documents; around
an equals sign each stands for each.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations, product
from pathlib import Path

from evidence.language.detect import language_of
from evidence.language.function_words import SCAFFOLD, STOP
from evidence.language.tables import LANGUAGES
from evidence.language.terms import terms, words

_FILES = Path(__file__).parent / "thesaurus"
_WORTH = 0.7  # of another way to say something

type _Thesaurus = Mapping[tuple[str, ...], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Concept:
    """Something that a text says: its terms, and those of each other way to say it."""

    own: frozenset[str]
    others: tuple[frozenset[str], ...]


def concepts(text: str) -> tuple[Concept, ...]:
    """What a text says that the thesaurus of its language has other words for; of entries at one place the longest."""
    language = language_of(text)
    thesaurus = _thesaurus(language)
    longest = max(map(len, thesaurus), default=0)
    units, meant, at = _units(text, language), [], 0
    while at < len(units):
        keys = (tuple(units[at : at + length]) for length in range(longest, 0, -1))
        key = next((key for key in keys if key in thesaurus), ())
        if key:
            others = (_telling(other, language) for other in thesaurus[key])
            phrase = (" " if LANGUAGES[language].spaced else "").join(key)
            own = _telling(phrase, language)
            meant += [Concept(own, tuple(filter(None, others)))] if own - SCAFFOLD else []
        at += max(len(key), 1)
    return tuple(meant)


def related(text: str) -> Mapping[str, float]:
    """The terms of other ways to say what a text says, and what each is worth beside one of its own, in 0..1."""
    worth: dict[str, float] = {}
    for concept in concepts(text):
        for other in concept.others:
            for term in other:
                worth[term] = max(worth.get(term, 0.0), _WORTH / len(other))
    return worth


def _telling(phrase: str, language: str) -> frozenset[str]:
    """The terms of a phrase but function words; of characters in a run, the pairs."""
    known = frozenset(terms(phrase, language))
    if LANGUAGES[language].spaced:
        return known - STOP
    return frozenset(term for term in known if len(term) > 1) or known


def _units(text: str, language: str) -> list[str]:
    """What entries are matched by: stems, or characters where no blanks part the words."""
    if LANGUAGES[language].spaced:
        return [term for word in words(text) for term in terms(word, language)[:1]]
    return [*text.casefold()]


@cache
def _thesaurus(language: str) -> _Thesaurus:
    file = _FILES / f"{language}.txt"
    entries: dict[tuple[str, ...], dict[str, None]] = {}
    for row in file.read_text(encoding="utf-8").splitlines() if file.exists() else ():
        for word, other in _pairs(row):
            entries.setdefault(tuple(_units(word, language)), {})[other] = None
    return {key: tuple(others) for key, others in entries.items()}


def _pairs(row: str) -> Iterator[tuple[str, str]]:
    """Each word of a row with each that it may stand for."""
    mutual = "=" in row
    sides = [[word.strip() for word in side.split(",")] for side in row.split("=" if mutual else ":")]
    if mutual:
        yield from permutations([word for side in sides for word in side], 2)
    else:
        yield from product(*sides)


def is_listed(term: str, language: str = "") -> bool:
    """Whether a word list of a language holds a term; of the term's own language where none is given."""
    return term in _listed(language or language_of(term))


@cache
def _listed(language: str) -> frozenset[str]:
    table, entries = LANGUAGES[language], _thesaurus(language)
    words = (
        table.function_words,
        table.framing_words,
        *(word for entry in entries.values() for word in entry),
    )
    return frozenset(term for text in words for term in terms(text, language)).union(*entries)
