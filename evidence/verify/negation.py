"""
Does a sentence forbid what its quotes allow, or the reverse?

Said only when it is clear: the same verb (English) or the same words of a clause (other languages) stand
under a duty or permission on one side and under a negation on the other, the quotes never say it the sentence's
way, and no exception is in play.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice

from evidence.language.detect import language_of
from evidence.language.figures import figures
from evidence.language.function_words import STOP, content_terms, content_words
from evidence.language.rules import by_language
from evidence.language.tables import LANGUAGES
from evidence.language.terms import terms, terms_of

_MODAL = r"(?:shall|may|must|will|can|could|should|would|do|does|did|is|are|was|were|has|have|had)"
_GRANT = (
    r"(?:permitted|allowed|entitled|required|obliged|obligated|authori[sz]ed|free|agree[sd]?|undertakes?)"
)
_VERB = r"(?:be\s+|been\s+|have\s+)?(?:[a-z]+ly\s+)?(?P<verb>[a-z]{3,20})\b"
_NEGATIVE = (
    rf"\b(?:not|never)\s+(?:be\s+)?{_GRANT}\s+to\s+{_VERB}",
    rf"\b(?:no|neither|nothing|none|nobody)\b(?:\s+[\w’'-]+){{0,6}}?\s+(?:shall|may|must|will|can)\s+{_VERB}",
    rf"\b{_MODAL}\s+(?:not|never|no\s+longer|in\s+no\s+event)\s+{_VERB}",
    rf"\b(?:cannot|{_MODAL}n[’']t|won[’']t|can[’']t)\s+{_VERB}",
    r"\b(?:prohibited|barred|forbidden|refrains?|precluded)\s+from\s+(?:[a-z]+ly\s+)?(?P<verb>[a-z]{3,20}ing)\b",
    rf"\bnot\s+to\s+{_VERB}",
)
_POSITIVE = (rf"\b{_GRANT}\s+to\s+{_VERB}", rf"\b{_MODAL}\s+(?:also\s+|only\s+)?{_VERB}")
_SUBJECT = r"\b(?P<subject>[a-z]{3,20})\s+(?:is|are|was|were|be)\s+"
_LEAVE = r"(?:allowed|permitted|authori[sz]ed|admissible|possible)\b(?!\s+to\b)"
_BANNED = (
    rf"{_SUBJECT}(?:not|never|no\s+longer)\s+{_LEAVE}",
    rf"{_SUBJECT}(?:strictly\s+|expressly\s+)?(?:prohibited|forbidden|banned|barred|impossible)\b(?!\s+from\b)",
    r"\bno\s+(?P<subject>[a-z]{3,20})\s+(?:is|are|was|were)\s+" + _LEAVE,
)
_ALLOWED = (rf"{_SUBJECT}(?:also\s+|only\s+|always\s+)?{_LEAVE}",)
_LEAVES = tuple(
    (affirms, re.compile(pattern, re.IGNORECASE))
    for affirms, patterns in ((False, _BANNED), (True, _ALLOWED))
    for pattern in patterns
)
_PATTERNS = tuple(
    (affirms, re.compile(pattern, re.IGNORECASE))
    for affirms, patterns in ((False, _NEGATIVE), (True, _POSITIVE))
    for pattern in patterns
)
_DUTY = (
    rf"\b(?:must|shall|(?:has|have)\s+to|(?:is|are)\s+(?:required|obliged|obligated)\s+to)\s+{_VERB}",
    rf"{_SUBJECT}(?:mandatory|compulsory|obligatory)\b",
)
_NO_DUTY = (
    rf"\bneed(?:\s+not|n[’']t)\s+{_VERB}",
    rf"\b(?:do|does)(?:\s+not|n[’']t)\s+(?:have|need)\s+to\s+{_VERB}",
    rf"\b(?:is|are)(?:\s+not|n[’']t)\s+(?:required|obliged|obligated)\s+to\s+{_VERB}",
    rf"\b(?:nobody|no\s+one|no\s+[a-z]+)\s+(?:has|have|needs?|(?:is|are)\s+(?:required|obliged))\s+to\s+{_VERB}",
    rf"{_SUBJECT}(?:entirely\s+|purely\s+)?(?:optional|voluntary)\b",
    rf"\bmay\s+{_VERB}",
)
_DUTIES = tuple(  # without a duty first: "does not have to" holds "have to"
    (affirms, re.compile(pattern, re.IGNORECASE))
    for affirms, patterns in ((False, _NO_DUTY), (True, _DUTY))
    for pattern in patterns
)
_NARROWED = re.compile(r"\b(?:solely|exclusively|or\s+may|may\s+or)\b", re.IGNORECASE)
_DEADLINE = re.compile(
    r"\b(?:(?P<by>within|(?:no|not)\s+later\s+than)|after|(?:no|not)\s+(?:earlier|sooner)\s+than)"
    r"\s+(?:a\s+period\s+of\s+|the\s+first\s+|the\s+)?$",
    re.IGNORECASE,
)
_BEFORE = 80  # characters before a deadline that say what is due
_STATEMENTS = 200  # looked at in one text
_NO_VERBS = frozenset(
    "not never only also any all the this that such been being have has had with from under upon with into than then "
    "there here deemed apply applicable subject mean".split()
)
_EXCEPTION = re.compile(
    r"\b(?:except|exception|other\s+than|save|provided|however|but|notwithstanding|only|unless)\b",
    re.IGNORECASE,
)


_STOP = re.compile(r"[.;:!?]")
_CLAUSE = re.compile(r"[^，。；！？,.;!?\n]{2,300}")
_FORBIDS, _GRANTS = by_language("forbids"), by_language("grants")
_MUST, _EXCEPTS = by_language("must"), by_language("excepts")
_HAN_WORD = re.compile(r"[\u3400-\u9fff\u30a1-\u30fa\u30fc]{2,}")
_LEAST = 2  # terms, or pairs of characters, that two clauses are compared by


@dataclass(frozen=True, slots=True)
class _Assertion:
    """An assertion or denial about a verb stem, or pairs of characters, and where it stands."""

    start: int
    end: int
    affirms: bool
    about: frozenset[str]
    excepted: bool


def contradicted(sentence: str, quotes: Sequence[str]) -> tuple[tuple[int, int], ...]:
    """The places in the sentence that say yes where its quotes say no, or no where they say yes."""
    places: list[tuple[int, int]] = []
    language = language_of(" ".join((sentence, *quotes)))  # one of them alone may be too short to tell
    for statements in (_english, _duties, _deadlines, partial(_clauses, language=language)):
        quoted = [statement for quote in quotes for statement in islice(statements(quote), _STATEMENTS)]
        places.extend(
            (mine.start, mine.end)
            for mine in islice(statements(sentence), _STATEMENTS)
            if _is_opposed(mine, quoted)
        )
    return tuple(places)


def _is_opposed(mine: _Assertion, quoted: Sequence[_Assertion]) -> bool:
    if mine.excepted:
        return False
    same = max(
        (_share_in_common(mine, quote) for quote in quoted if quote.affirms == mine.affirms), default=0.0
    )
    against = max(
        (
            _share_in_common(mine, quote)
            for quote in quoted
            if quote.affirms != mine.affirms and not quote.excepted
        ),
        default=0.0,
    )
    return against >= 0.5 and against > same


def _share_in_common(mine: _Assertion, quote: _Assertion) -> float:
    return len(mine.about & quote.about) / len(mine.about)


def _english(text: str) -> Iterator[_Assertion]:
    taken = bytearray(len(text))
    excepted = _EXCEPTION.search(text) is not None
    for affirms, pattern in (*_LEAVES, *_PATTERNS):
        for match in pattern.finditer(text):
            if any(taken[match.start() : match.end()]):
                continue
            taken[match.start() : match.end()] = b"\1" * (match.end() - match.start())
            if "subject" in pattern.groupindex:  # what is allowed, under one name for all words of leave
                allowed = frozenset(f"allow {term}" for term in terms_of(match["subject"].lower()))
                yield _Assertion(*match.span(), affirms, allowed, excepted)
                continue
            verb = match["verb"].lower()
            if verb not in _NO_VERBS and terms_of(verb):
                yield _Assertion(*match.span(), affirms, frozenset(terms_of(verb)), excepted)


def _duties(text: str) -> Iterator[_Assertion]:
    """The duties of a text, and what it says may or need not be done."""
    taken = bytearray(len(text))
    excepted = (_EXCEPTION.search(text) or _NARROWED.search(text)) is not None
    for affirms, pattern in _DUTIES:
        for match in pattern.finditer(text):
            if any(taken[match.start() : match.end()]):
                continue
            taken[match.start() : match.end()] = b"\1" * (match.end() - match.start())
            word = match["subject" if "subject" in pattern.groupindex else "verb"].lower()
            if word not in _NO_VERBS and terms_of(word):
                due = frozenset(f"must {term}" for term in terms_of(word))
                yield _Assertion(*match.span(), affirms, due, excepted)


def _deadlines(text: str) -> Iterator[_Assertion]:
    """The deadlines of a text: what is due within a period, and what is after it."""
    excepted = _EXCEPTION.search(text) is not None
    for figure in figures(text):
        if figure.kind != "period":
            continue
        before = _STOP.split(text[max(0, figure.start - _BEFORE) : figure.start])[-1]
        limit = _DEADLINE.search(before)
        done = frozenset(terms(before[: limit.start()])) - STOP if limit else frozenset[str]()
        if limit and done:
            number = sorted(map(str, figure.numbers))
            about = frozenset(f"{number} {term}" for term in done)
            start = figure.start - len(limit[0])
            yield _Assertion(start, figure.end, limit["by"] is not None, about, excepted)


def _clauses(text: str, language: str) -> Iterator[_Assertion]:
    """In other languages than English: what a clause with a word that forbids, or grants, is about."""
    excepted = _EXCEPTS[language].search(text) is not None
    for clause in _CLAUSE.finditer(text) if language != "en" else ():
        words = clause[0]
        negative = None if _MUST[language].search(words) else _FORBIDS[language].search(words)
        marker = negative or _GRANTS[language].search(words)
        if not marker:
            continue
        rest = words[: marker.start()] + " " + words[marker.end() :]
        about = _about(_GRANTS[language].sub(" ", rest) if LANGUAGES[language].spaced else rest, language)
        if len(about) >= _LEAST:
            yield _Assertion(*clause.span(), negative is None, about, excepted)


def _about(words: str, language: str) -> frozenset[str]:
    """The content of a clause: terms, or pairs of characters where there are no blanks between words."""
    if LANGUAGES[language].spaced:
        return frozenset(content_terms(words)) if content_words(words) else frozenset()
    return frozenset(run[0][i : i + 2] for run in _HAN_WORD.finditer(words) for i in range(len(run[0]) - 1))
