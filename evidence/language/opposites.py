"""Words that may stand for each other, and words that mean the opposite, by the language of a text."""

from collections.abc import Mapping
from dataclasses import dataclass

from evidence.language.rules import tokens_by_language
from evidence.language.table import Language
from evidence.language.tables import LANGUAGES
from evidence.language.terms import terms_of

type Sides = frozenset[tuple[int, int]]  # pairs of opposites by number, and on which side of each, 1 or -1


@dataclass(frozen=True, slots=True)
class Lexicon:
    """`alike` is the term that stands for a term; `sides` are kept by term, those of one form alone by "=form"."""

    alike: Mapping[str, str]
    sides: Mapping[str, Sides]


def _term(word: str, table: Language) -> str:
    if word[0] == "=" or not table.spaced:
        return word
    return " ".join(term for part in word.split("_") for term in terms_of(part, table.code))


def _lexicon(table: Language) -> Lexicon:
    sides: dict[str, set[tuple[int, int]]] = {}
    for number, pair in enumerate(table.opposites.split(";")):
        for side, words in zip((1, -1), pair.split("/"), strict=False):
            for word in words.split():
                sides.setdefault(_term(word, table), set()).add((number, side))
    groups = [group.split() for group in table.alike.split(";") if group.strip()]
    alike = {_term(word, table): _term(group[0], table) for group in groups for word in group}
    return Lexicon(alike, {word: frozenset(pairs) for word, pairs in sides.items()})


LEXICONS = {code: _lexicon(table) for code, table in LANGUAGES.items()}


def _counterparts(table: Language) -> Mapping[str, frozenset[str]]:
    """The terms of actors, each with those who stand against it."""
    alike = LEXICONS[table.code].alike
    groups = [
        frozenset(alike.get(term, term) for term in (_term(word, table) for word in group.split()))
        for group in table.actors.split(";")
    ]
    return {
        actor: frozenset().union(*(group for group in groups if actor in group)) - {actor}
        for actor in frozenset().union(*groups)
    }


def _phrases(table: Language) -> list[str]:
    """The listed words that no pattern of a word finds."""
    listed = f"{table.opposites} {table.alike} {table.actors}".replace(";", " ").replace("/", " ").split()
    return [word.replace("_", " ") for word in listed if "_" in word or not table.spaced]


ACTORS = {code: _counterparts(table) for code, table in LANGUAGES.items()}
TOKENS = tokens_by_language({code: _phrases(table) for code, table in LANGUAGES.items()})
