"""Whether a question asks for a figure, of which kind, and with which words: "how long", "the cap".

A passage hardly ever repeats such words; it holds the figure.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from evidence.language.detect import language_of
from evidence.language.figures import Kind, figures
from evidence.language.rules import by_language, every
from evidence.language.table import Rule
from evidence.language.terms import terms

_ANY: frozenset[Kind] = frozenset({"date", "share", "amount", "period", "number"})
_TIME: frozenset[Kind] = frozenset({"period", "date"})
_MONEY: frozenset[Kind] = frozenset({"amount", "share", "number"})
_COUNT: frozenset[Kind] = frozenset({"number", "period", "amount"})

_ASKING: Mapping[Rule, frozenset[Kind]] = {
    "asks_time": _TIME,
    "asks_money": _MONEY,
    "asks_limit": _ANY,
    "asks_count": _COUNT,
    "asks_share": frozenset({"share"}),
}
_PATTERNS = tuple((by_language(rule), kinds) for rule, kinds in _ASKING.items())
_QUESTION = by_language("asks_figure")


@dataclass(frozen=True, slots=True)
class Quantity:
    """The kinds of figure that would answer, and the terms that ask for one; empty when none is asked for."""

    kinds: frozenset[Kind] = frozenset()
    terms: frozenset[str] = frozenset()

    def stated_in(self, text: str) -> bool:
        """Whether a text holds a figure of a kind that is asked for."""
        return bool(self.kinds) and any(figure.kind in self.kinds for figure in figures(unnumbered(text)))


_NUMBERING = re.compile(
    rf"^[\s#*>-]*(?:\(?\d{{1,3}}(?:\.\d{{1,3}})*[.)]?\s+|(?:{every('clause_number')})\s*)"
)
_POINTED = re.compile(rf"\b(?:paragraphs?|version|(?:{every('clause_kind')})s?)\s+\d[\d.]*", re.IGNORECASE)


def unnumbered(text: str) -> str:
    """The text of the same length with its own number, and the numbers of clauses it points to, blanked."""
    blanked = _POINTED.sub(lambda match: " " * len(match[0]), text)
    own = _NUMBERING.match(blanked)
    return " " * own.end() + blanked[own.end() :] if own else blanked


def quantity(question: str) -> Quantity:
    """The kinds of figure that a question asks for, with the terms that ask."""
    language = language_of(question)
    if not _QUESTION[language].search(question):
        return Quantity()
    kinds: set[Kind] = set()
    asking: set[str] = set()
    for patterns, fitting in _PATTERNS:
        for match in patterns[language].finditer(question):
            kinds |= fitting
            asking |= set(terms(match[0]))
    return Quantity(frozenset(kinds), frozenset(asking))
