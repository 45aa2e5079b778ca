"""
Whether the figures of a sentence say what the same figures of its quotes say.

A figure is not only its number: "at most 20 days", "20 days a year" and "20 days after delivery" are three things.
Each is compared where both sides say it; what only one side says is no conflict. A figure that no quote holds may still
be right: repeated from the question to compare it, or calculated from figures that are proven.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from evidence.language.figures import MEASURES, UNITS, Figure, agrees, figures, known
from evidence.language.numerals import Number
from evidence.language.rules import any_word, every
from evidence.language.scripts import CJK
from evidence.language.tables import LANGUAGES
from evidence.verify.calculation import is_calculated, values
from evidence.verify.words import Text, Word, excerpt

type Doubt = tuple[int, int, str]  # a place in the sentence, and what a quote says instead, if anything

_WINDOW = 48  # characters before and behind a figure that are looked at
_STOP = re.compile(r"[.;!?。；！？\n](?!\d)")
_FILLER = r"(?:\W{0,3}\b(?:the|an?|of|age|period|first|full|total|another|der|die|das|dem|den|von|eine[mnrs]?)\b){0,4}"
_BEFORE = re.compile(
    rf"(?:\b(?:(?P<up>{every('at_least', spaced=True)})|(?P<down>{every('at_most', spaced=True)})"
    rf"|(?P<by>{every('by', spaced=True)}))\b{_FILLER}"
    rf"|(?P<up2>{every('at_least', spaced=False)})|(?P<down2>{every('at_most', spaced=False)})"
    rf"|(?P<by2>{every('by', spaced=False)}))[^\w.;]{{0,4}}[{CJK}]{{0,4}}[^\w.;]{{0,4}}$",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    rf"[^\w.;]{{0,3}}(?:(?P<up>(?:{every('or_more', spaced=True)})\b|{every('or_more', spaced=False)})"
    rf"|(?P<down>(?:{every('or_less', spaced=True)})\b|{every('or_less', spaced=False)}))",
    re.IGNORECASE,
)
_AHEAD = re.compile(
    rf"(?:\W{{0,3}}+\w{{1,12}}+){{0,2}}?\W{{0,3}}+\b(?:{every('ahead', spaced=True)})"
    rf"|.?(?:{every('ahead', spaced=False)})(?P<late>{every('until', spaced=False)})?",
    re.IGNORECASE,
)
_RANGE = re.compile(rf"\s?(?:[-–—~～]|(?:{every('range')}))\s?", re.IGNORECASE)
_PER = re.compile(
    rf"(?:\b(?:{every('per', spaced=True)})|/|{every('per', spaced=False)})\s?"
    rf"(?P<unit>{any_word([*UNITS, *MEASURES])})(?![a-z])",
    re.IGNORECASE,
)
_ROW = re.compile(rf"(?:[,;、，]|\s|[-–~～]|{every('range')}|\b(?:und|oder|et|y|e)\b){{1,4}}", re.IGNORECASE)
_ASIDE = re.compile(r"[(（][^()（）]{0,60}$")
_ABOUT = re.compile(
    rf"(?:\b(?:{every('about', spaced=True)})|{every('about', spaced=False)})\s?$", re.IGNORECASE
)
_TWICE = re.compile(rf"\b(?:{every('twice', spaced=True)})\b|{every('twice', spaced=False)}", re.IGNORECASE)
_DENIES = re.compile(
    rf"\b(?:{every('denies', spaced=True)})\b|{every('denies', spaced=False)}", re.IGNORECASE
)
_MOST = 60  # figures of a text that are compared
_CALCULATED = 12  # figures of a sentence that are calculated
_NEAR = 14  # characters behind a figure that its rate begins in
_REACH = 8  # words about a figure that tell what it is of
_RATIO, _LEAST = 2, 0.2  # how much more alike the surroundings of another figure must be
_ROUNDED = Decimal("0.05")  # of a figure said to be "about" it
_YES = re.compile("|".join(table.openings["yes"] for table in LANGUAGES.values()), re.IGNORECASE)
_NAMES = dict.fromkeys(name for table in LANGUAGES.values() for name in table.events)
_EVENTS = {
    name: re.compile(
        "|".join(
            rf"\b(?:{table.events[name]})\b" if table.spaced else table.events[name]
            for table in LANGUAGES.values()
            if name in table.events
        ),
        re.IGNORECASE,
    )
    for name in _NAMES
}
_SINCE = re.compile(
    rf"\b(?:{every('since', spaced=True)})\b(?:\W{{1,3}}\w{{1,14}}){{0,4}}?\W{{1,3}}$"
    rf"|(?:{every('since', spaced=False)}).{{0,6}}$",
    re.IGNORECASE,
)
_STARTS = re.compile(
    rf"\b(?:{every('starts', spaced=True)})\b|{every('starts', spaced=False)}", re.IGNORECASE
)
_THENCE = re.compile(every("thence", spaced=False))


@dataclass(frozen=True, slots=True)
class Figured:
    """A text with its figures; what goes on after so many of them is not compared."""

    text: str
    figures: tuple[Figure, ...]


def figured(text: str) -> Figured:
    return Figured(text, figures(text)[:_MOST])


def unproven_figures(sentence: str, quotes: Sequence[str], question: str) -> Iterator[Doubt]:
    """Figures that no quote holds, that do not follow from its figures, and that do not repeat the question."""
    stated, of_question = known(quotes), known([question])
    sources = [figure for text in quotes for figure in figures(text)]
    of_query = figures(question)
    sources += [figure for figure in of_query if figure.kind in ("date", "number")]
    counts = [n for figure in of_query if figure.kind == "period" for n in figure.numbers]
    counts += [Decimal(2) for text in quotes if _TWICE.search(text)]
    mine = figures(sentence)
    open_ones = [figure for figure in mine if not agrees(figure, stated)]
    followed = [figure for figure in open_ones[:_CALCULATED] if _follows(figure, sentence, sources, counts)]
    repeats = not _YES.match(sentence) and (bool(followed) or len(open_ones) < len(mine))
    fits = {figure for figure in open_ones if agrees(figure, of_question) and _fits(figure, sentence, quotes)}
    for figure in open_ones:
        if figure not in followed and figure not in fits and not (repeats and agrees(figure, of_question)):
            yield figure.start, figure.end, ""


def _fits(figure: Figure, sentence: str, quotes: Sequence[str]) -> bool:
    """Whether a figure that was asked for is within a bound of the quotes; beyond it, where the sentence denies."""
    within = {
        (value - limit) * bound(quote, other) >= 0
        for quote in map(figured, quotes)
        for other in quote.figures
        for unit, value in values(figure)
        for kind, limit in values(other)
        if figure.kind == other.kind and kind == unit and bound(quote, other)
    }
    return within == {_DENIES.search(sentence) is None} and not bound(figured(sentence), figure)


def _follows(figure: Figure, sentence: str, sources: Sequence[Figure], counts: Sequence[Number]) -> bool:
    """Whether a figure is calculated, or rounded and said to be, from figures of the sources."""
    fraction = figure.kind == "share" and not any(map(str.isdigit, sentence[figure.start : figure.end]))
    rounded = fraction or _ABOUT.search(sentence[max(0, figure.start - _WINDOW) : figure.start]) is not None
    near = rounded and any(_is_near(figure, other) for other in sources[:_MOST])
    return near or is_calculated(figure, sentence, sources, counts)


def _is_near(figure: Figure, other: Figure) -> bool:
    return figure.kind in ("number", other.kind) and any(
        abs(a - b) <= _ROUNDED * max(a, b)
        for a in figure.numbers
        for b in other.numbers
        if isinstance(a, Decimal) and isinstance(b, Decimal)
    )


def turned_bounds(sentence: Figured, quotes: Sequence[Figured], question: Figured) -> Iterator[Doubt]:
    """Figures that are the least on one side and the most on the other; but for what repeats the question."""
    for figure in sentence.figures:
        same = alike(figure, quotes)
        own = bound(sentence, figure) if same else 0
        others = {bound(quote, other): (quote, other) for quote, other in same}
        repeated = any(bound(question, other) == own for _, other in alike(figure, [question]))
        if -own in others and own not in others and not repeated:
            yield _doubt(figure, *others[-own])


def other_terms(sentence: Figured, quotes: Sequence[Figured]) -> Iterator[Doubt]:
    """Figures that are counted for another time or thing, or from another event: "a month", "after delivery"."""
    for figure in sentence.figures:
        same = alike(figure, quotes)
        for terms in (rates, events) if same else ():
            own = terms(sentence.text, figure)
            others = [terms(quote.text, other) for quote, other in same] if own else []
            if others and all(item and not item & own for item in others):
                yield _doubt(figure, *same[0])


def other_start(sentence: Figured, quotes: Sequence[Figured]) -> Iterator[Doubt]:
    """An event that something begins with, where the quotes let a period begin with another."""
    starts = _STARTS.search(sentence.text)
    own = (
        {name for name, pattern in _EVENTS.items() if pattern.search(sentence.text)} if starts else set[str]()
    )
    theirs = {name for quote in quotes for figure in quote.figures for name in events(quote.text, figure)}
    if starts and own and theirs and not own & theirs:
        yield starts.start(), starts.end(), ""


def alike(figure: Figure, texts: Sequence[Figured]) -> list[tuple[Figured, Figure]]:
    """The figures of the texts that may mean the same, each with its text."""
    return [(text, other) for text in texts for other in text.figures if figure.readings & other.readings]


def _doubt(figure: Figure, quote: Figured, other: Figure) -> Doubt:
    return figure.start, figure.end, excerpt(quote.text, other.start, other.end)


def bound(given: Figured, figure: Figure) -> int:
    """1 where the figure is the least that is meant, -1 where it is the most, 0 where it is neither."""
    before, behind = _about(given.text, figure)
    ahead = _AHEAD.match(behind)
    if ahead and ahead["late"]:
        return 1
    match = _BEHIND.match(behind)
    if match:
        return 1 if match["up"] else -1
    match = _BEFORE.search(before)
    if not match:
        return _in_range(given, figure)
    if match["by"] or match["by2"]:
        return 1 if ahead else -1
    return 1 if match["up"] or match["up2"] else -1


def _about(text: str, figure: Figure) -> tuple[str, str]:
    """What stands before and behind a figure in its sentence."""
    before, behind = (
        text[max(0, figure.start - _WINDOW) : figure.start],
        text[figure.end : figure.end + _WINDOW],
    )
    return _STOP.split(before)[-1], _STOP.split(behind)[0]


def _in_range(given: Figured, figure: Figure) -> int:
    """A figure "from" is the least, a figure "to" the most."""
    at = given.figures.index(figure)
    if at and _RANGE.fullmatch(given.text, given.figures[at - 1].end, figure.start):
        return -1
    if at + 1 < len(given.figures) and _RANGE.fullmatch(given.text, figure.end, given.figures[at + 1].start):
        return 1
    return 0


def rates(text: str, figure: Figure) -> frozenset[str]:
    """The units of time or measure that a figure is counted for: "a month"."""
    before, behind = _about(text, figure)
    near = [m for m in _PER.finditer(behind) if m.start() < _NEAR][:1] or list(_PER.finditer(before))[-1:]
    return frozenset(str(UNITS.get(m["unit"].lower()) or MEASURES.get(m["unit"].lower())) for m in near)


def events(text: str, figure: Figure) -> frozenset[str]:
    """What a period begins with, as far as it is one of the events of the tables."""
    if figure.kind != "period":
        return frozenset()
    before, behind = _about(text, figure)
    return frozenset(
        name
        for name, pattern in _EVENTS.items()
        if any(_SINCE.search(behind[: m.start()]) for m in pattern.finditer(behind))
        or any(
            _SINCE.search(before[: m.start()]) or _THENCE.match(before, m.end())
            for m in pattern.finditer(before)
        )
    )


# --- exchanged figures -------------------------------------------------------------------------------------


def exchanged(sentence: Text, quotes: Sequence[Text]) -> Iterator[Doubt]:
    """Figures that stand in the sentence beside words that stand beside another figure in the quotes."""
    mine = [(at, word) for at, word in enumerate(sentence.words) if word.is_figure and not _is_year(word)]
    kinds = {word.kind for _, word in mine}
    theirs = [
        (quote.words[at], quote, weights)
        for quote in quotes
        for at, weights in (_surroundings(quote).items() if kinds else ())
    ]
    about = [item for item in theirs if item[0].kind in kinds and not _is_year(item[0])][:_MOST]
    for at, word in mine[:_MOST]:
        own = [weights for other, _, weights in about if other.term == word.term][:_NEAR]
        near = _weights(sentence.words, at) if own else {}
        if _ASIDE.search(sentence.text, 0, word.start):
            continue
        for rival, quote, weights in about:
            if not own or rival.kind != word.kind or rival.term == word.term:
                continue
            compared = {term: weight for term, weight in near.items() if term != rival.term}
            right = max(_likeness(compared, item, weights) for item in own)
            wrong = min(_likeness(compared, weights, item) for item in own)
            if wrong > _RATIO * right + _LEAST:
                yield word.start, word.end, quote.around(rival)


def _surroundings(quote: Text) -> dict[int, Mapping[str, float]]:
    """What stands about each figure; those that are counted up share it: 3.4, 3.6 and 3.8."""
    places = [place for place, word in enumerate(quote.words) if word.is_figure][:_MOST]
    rows: dict[int, dict[str, float]] = {}
    last = -1
    for place in places:
        joined = last >= 0 and _ROW.fullmatch(quote.text, quote.words[last].end, quote.words[place].start)
        row = rows[place] = rows[last] if joined else {}
        for term, weight in _weights(quote.words, place).items():
            row[term] = max(row.get(term, 0.0), weight)
        last = place
    return dict(rows)


def _is_year(word: Word) -> bool:
    number = word.term[1:]
    return word.kind == "date" or (number.isdecimal() and 1000 <= int(number) < 2200)


def _likeness(near: Mapping[str, float], there: Mapping[str, float], elsewhere: Mapping[str, float]) -> float:
    """How alike two surroundings are, but for the words that tell them from no third: the nearer a word the more."""
    return sum(
        weight * max(0.0, there.get(term, 0.0) - elsewhere.get(term, 0.0)) for term, weight in near.items()
    )


def _weights(words: Sequence[Word], at: int) -> dict[str, float]:
    """The words about a figure by how near they are, but for those that are nearer to another of its kind."""
    near = range(max(0, at - _REACH), min(len(words), at + _REACH + 1))
    far = range(max(0, at - 2 * _REACH), min(len(words), at + 2 * _REACH + 1))
    rivals = [n for n in far if n != at and words[n].kind == words[at].kind]
    weights: dict[str, float] = {}
    for place in near:
        steps = _distance(words, place, at)
        timed = (
            words[place].term in UNITS or words[place].term[1:] in UNITS
        )  # "every month" tells no two apart
        if (
            place != at
            and not timed
            and not any(n != place and _distance(words, place, n) < steps for n in rivals)
        ):
            weights[words[place].term] = max(weights.get(words[place].term, 0.0), 1 / steps)
    return weights


def _distance(words: Sequence[Word], one: int, other: int) -> int:
    return abs(one - other) + 2 * abs(words[one].clause - words[other].clause)
