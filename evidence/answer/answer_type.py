"""Whether a question asks for a figure, of which kind, and with which words: "how long", "the cap", 多久, いくら.

A passage hardly ever repeats such words; it holds the figure.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from evidence.language.figures import Kind, figures
from evidence.language.terms import terms

_ANY: frozenset[Kind] = frozenset({"date", "share", "amount", "period", "number"})
_TIME: frozenset[Kind] = frozenset({"period", "date"})
_MONEY: frozenset[Kind] = frozenset({"amount", "share", "number"})
_COUNT: frozenset[Kind] = frozenset({"number", "period", "amount"})

_ASKED: Mapping[str, frozenset[Kind]] = {
    r"\bhow (?:long|soon|quickly|fast|often|late|early)\b|\bby when\b|\buntil when\b": _TIME,
    r"\b(?:period|deadline|duration|time limit)s?\b|多久|多长时间|期限|期間|いつまで": _TIME,
    r"\bwhen\b|\b(?:what|which) (?:date|day|month|year)\b|什么时候|何时|哪[天日年月]|いつ": _TIME,
    r"\bhow much\b|\b(?:amount|fee|price|cost|budget|penalty|rent|salary|rate)s?\b": _MONEY,
    r"多少钱|多少费用|金额|金額|费用|いくら|何円": _MONEY,
    r"\b(?:cap|limit|ceiling|threshold|maximum|minimum)s?\b|上限|下限|限额": _ANY,
    r"\bhow many\b|多少|几[天日个年月次人]|何[日社人回件個か]|いくつ": _COUNT,
    r"\b(?:percentage|percent|share)\b": frozenset({"share"}),
}
_PATTERNS = tuple((re.compile(pattern, re.IGNORECASE), kinds) for pattern, kinds in _ASKED.items())
_QUESTION = re.compile(
    r"\b(?:what|which|how|when|list|state|quote|give|name)\b|[几幾何]|多[久少长]|什么|哪|いつ|いく",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Quantity:
    """The kinds of figure that would answer, and the terms that ask for one; empty when none is asked for."""

    kinds: frozenset[Kind] = frozenset()
    terms: frozenset[str] = frozenset()

    def held(self, text: str) -> bool:
        """Whether a text holds a figure of a kind that is asked for."""
        return bool(self.kinds) and any(figure.kind in self.kinds for figure in figures(unnumbered(text)))


_NUMBERING = re.compile(
    r"^[\s#*>-]*(?:\(?\d{1,3}(?:\.\d{1,3})*[.)]?\s+|第[一二三四五六七八九十百\d]+[条條章]\s*)"
)
_POINTED = re.compile(
    r"\b(?:sections?|clauses?|articles?|paragraphs?|annex|version|schedule)\s+\d[\d.]*", re.IGNORECASE
)


def unnumbered(text: str) -> str:
    """The text of the same length with its own number, and the numbers of clauses it points to, blanked."""
    blanked = _POINTED.sub(lambda found: " " * len(found[0]), text)
    own = _NUMBERING.match(blanked)
    return " " * own.end() + blanked[own.end() :] if own else blanked


def quantity(question: str) -> Quantity:
    """What figure a question asks for."""
    if not _QUESTION.search(question):
        return Quantity()
    kinds: set[Kind] = set()
    asking: set[str] = set()
    for pattern, fitting in _PATTERNS:
        for found in pattern.finditer(question):
            kinds |= fitting
            asking |= set(terms(found[0]))
    return Quantity(frozenset(kinds), frozenset(asking))
