"""
Numbers, dates, amounts, shares and periods in a text, each with what it means.

A figure keeps every reading that is possible: "1.000" is one or a thousand, "03/04/2024" is in March or April,
"$" is any dollar. Two figures agree when one reading of each is the same. Words are those of the tables of languages.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise, product
from typing import Literal

from evidence.language.memo import remembered
from evidence.language.numerals import FIGURE, HAN, HAN_SCALED, SCALED, SCALES, WORDS, Number, small, values
from evidence.language.rules import any_word, every
from evidence.language.scripts import has_cjk
from evidence.language.tables import LANGUAGES

type Kind = Literal["date", "time", "share", "amount", "period", "measure", "number"]
type Reading = tuple[str | Number, ...]

MONTHS: dict[str, int] = {  # by all spellings, in lower case
    spelled.lower(): at
    for table in LANGUAGES.values()
    for at, month in enumerate(table.months.split(), 1)
    for spelled in month.split("/")
}
_DOLLARS = ("USD", "HKD", "AUD", "CAD", "TWD", "SGD", "NZD")
_CODES = "USD|HKD|AUD|CAD|TWD|SGD|NZD|EUR|GBP|JPY|CNY|KRW|INR|CHF|SEK|NOK|DKK"
_SIGNS = "USD us$; HKD hk$; TWD nt$; AUD a$; CAD c$; SGD s$; EUR € euro euros; GBP £; CNY rmb; KRW ₩; INR ₹"
_CURRENCIES: dict[str, tuple[str, ...]] = {
    name: (names.split()[0],) for names in _SIGNS.split(";") for name in names.split()[1:]
}
_CURRENCIES |= dict.fromkeys(("$", "dollar", "dollars"), _DOLLARS) | {"¥": ("JPY", "CNY")}
UNITS: dict[str, tuple[str, int]] = {}
_LATIN_UNITS, _WIDE_UNITS, _LATIN_MONEY, _WIDE_MONEY = list[str](), list[str](), list[str](), list[str]()
for _table in LANGUAGES.values():
    for _codes, _names in _table.currencies.items():
        _words = [name.replace("_", " ") for name in _names.split()]
        _CURRENCIES |= dict.fromkeys(_words, tuple(_codes.split()))
        (_LATIN_MONEY if _table.spaced else _WIDE_MONEY).extend(_words)
    for _worth, _names in _table.units.items():
        UNITS |= dict.fromkeys(_names.split(), _worth)
        (_LATIN_UNITS if _table.spaced else _WIDE_UNITS).extend(_names.split())
MEASURES = {  # a name of a measure: what it measures, and how much of it
    name.replace("_", " "): (unit, Decimal(worth))
    for table in LANGUAGES.values()
    for (unit, worth), names in table.measures.items()
    for name in names.split()
}
_SPOKEN: dict[str, tuple[str, Decimal]] = {
    phrase.replace("_", " "): (unit, Decimal(worth))
    for table in LANGUAGES.values()
    for (unit, worth), phrases in table.spoken_figures.items()
    for phrase in phrases.split()
}

_ANY = rf"(?:{SCALED}|{WORDS}|{HAN})"
_COUNT = rf"(?P<a>{_ANY})(?:\s?\((?P<b>{_ANY})\))?"
_NAMED_MONTHS = any_word([word for word in MONTHS if word != "may"])
_MONTH = rf"(?<![^\W\d_])(?P<mon>(?i:{_NAMED_MONTHS})|May|MAY)\b\.?"  # a "may" is mostly a verb
_DAY = r"(?<!\d)(?P<d>\d{1,2})(?:st|nd|rd|th|\.|º|er)?(?!\w)"
_YEAR = r"(?P<y>\d{4})(?!\d)"
_POINTS = ("-", "/", ".")
_DATES = (  # signs of which one is there; named groups: y, m or mon, d
    (_POINTS, rf"(?<!\d){_YEAR}[-/.](?P<m>\d{{1,2}})[-/.](?P<d>\d{{1,2}})(?!\d)"),
    (_POINTS, rf"(?<!\d)(?P<m>\d{{1,2}})[-/.](?P<d>\d{{1,2}})[-/.]{_YEAR}"),
    (tuple(MONTHS), rf"{_MONTH}\s+{_DAY}(?:,?\s+{_YEAR})?"),
    (tuple(MONTHS), rf"{_DAY}\s+(?:day\s+of\s+|of\s+|de\s+)?{_MONTH}(?:(?:,|\s+de)?\s+{_YEAR})?"),
    (tuple(MONTHS), rf"{_MONTH}(?:,|\s+de)?\s+{_YEAR}"),
    *(((sign,), pattern) for table in LANGUAGES.values() for sign, pattern in table.dates.items()),
)
_OF_HUNDRED = LANGUAGES["zh"].rules["share_before"]
_SHARE = (
    rf"{_COUNT}\s?(?:%|{every('share')}|(?P<tenths>{every('tenths')}))|(?:{_OF_HUNDRED})(?P<c>{FIGURE}|{HAN})"
)
_SHARE_SCALES = {"tenths": Decimal(10), "thousand": Decimal("0.1"), "myriad": Decimal("0.01")}
_CLOCK = tuple(table.rules["clock"] for table in LANGUAGES.values() if "clock" in table.rules)
_SIGN_WORDS = any_word([word for word in _WIDE_MONEY if len(word) > 2])
_BEFORE = rf"(?P<cur>(?:US|HK|NT|A|C|S)?\$|[€£¥₩₹]|\b(?:{_CODES}|RMB)\b|{_SIGN_WORDS})"
_AFTER = (
    rf"(?P<cur>(?:dollar|euro)s?\b|(?:{any_word(_LATIN_MONEY)}|{_CODES}|RMB)\b|{any_word(_WIDE_MONEY)}|€)"
)
_AMOUNTS = (rf"{_BEFORE}\s?{_COUNT}(?:\s?(?P<scale>k|mn?|bn)\b)?", rf"{_COUNT}\s?{_AFTER}")
_COUNTERS = "".join(table.rules.get("counter", "") for table in LANGUAGES.values())
_PERIOD = (
    rf"{_COUNT}(?:[\s-]*+(?:(?P<kind>business|working|calendar|consecutive)[\s-]*+)?(?P<unit>{any_word(_LATIN_UNITS)})\b"
    rf"|\s?(?:[{_COUNTERS}]\s?)?(?P<han>{any_word(_WIDE_UNITS)})(?:{every('after_unit')})?(?P<more>{every('and_half')})?)"
)
_MEASURE = rf"{_COUNT}\s?(?P<unit>{any_word([*MEASURES])})(?![a-z])"
_COUNTED = rf"(?<![{every('of_rank')}])(?P<a>{HAN})(?={every('counted')})"
_BASIS = rf"{_COUNT}\s?(?:basis\s+points?|bps?)\b"
ORDINALS = {word: at for table in LANGUAGES.values() for at, word in enumerate(table.ordinals.split(), 1)}
_ORDINAL = re.compile(rf"\b(?:{'|'.join(ORDINALS)})\b", re.IGNORECASE)
_SPOKEN_KINDS: dict[str, Kind] = {"seconds": "period", "months": "period", "%": "share", "": "number"}
_SPOKEN_PATTERNS = {
    kind: rf"(?<![a-zäöü])(?:{words})(?![a-zäöü])".replace(r"\ ", r"[\s-]")
    for kind in dict.fromkeys(_SPOKEN_KINDS.values())
    if (words := any_word([word for word, (unit, _) in _SPOKEN.items() if _SPOKEN_KINDS[unit] == kind]))
}
_NUMBER = rf"(?P<a>{SCALED}|{WORDS}|{HAN_SCALED})"
_BLANK = re.compile(r"[\s-]")
_YEARS = range(1900, 2100)
_LONGEST = 20_000
_COUNTS = re.compile(
    rf"\d|{HAN}|{'|'.join(_SPOKEN_PATTERNS.values())}|{WORDS}", re.IGNORECASE
)  # one of these stands in every figure
_JOINED = re.compile(
    rf"\s?(?:[-–—~～,/]|\b(?:{every('or', spaced=True)}|to|bis|à)\b|{every('range', spaced=False)})\s?",
    re.IGNORECASE,
)
_ODD = str.maketrans(
    "ıİſ", "iis"
)  # letters that patterns take for others, but that stay themselves in lower case


@dataclass(frozen=True, slots=True)
class Figure:
    """`start` and `end` are places in the text; `readings` are all that it may mean."""

    start: int
    end: int
    kind: Kind
    readings: frozenset[Reading]
    numbers: frozenset[Number]


@remembered(4_096, 2_000)
def figures(text: str) -> tuple[Figure, ...]:
    """The figures of a text in reading order; none overlaps another. Those of a sentence are kept for next time.

    After 20,000 characters none is looked for: no sentence is as long.
    """
    text = text[:_LONGEST].translate(_ODD)
    if not _COUNTS.search(text):
        return ()
    taken, low = bytearray(len(text)), text.casefold()
    matched: list[Figure] = []
    for kind, signs, pattern, read in _READERS:
        for match in pattern.finditer(text) if any(sign in low for sign in signs) else ():
            start, end = match.span()
            readings = frozenset() if any(taken[start:end]) else frozenset(read(match))
            if readings:
                taken[start:end] = b"\1" * (end - start)
                parts = frozenset(
                    part for reading in readings for part in reading if isinstance(part, Decimal)
                )
                matched.append(Figure(start, end, kind, readings, _counted(match) or parts))
    return tuple(sorted(matched, key=lambda figure: figure.start))


def dates(text: str) -> list[tuple[int, ...]]:
    """The dates of a text as (year, month, day), all that each may mean; 0 for what is not said, but the year is."""
    readings = [reading for figure in figures(text) if figure.kind == "date" for reading in figure.readings]
    read = [tuple(int(part) for part in reading if isinstance(part, Decimal)) for reading in readings]
    return [date for date in read if date and date[0] in _YEARS]


@dataclass(frozen=True, slots=True)
class Known:
    """What some figures mean: readings with their kind, all numbers counted, and those counted without a unit."""

    readings: frozenset[tuple[Kind, Reading]]
    numbers: frozenset[Number]
    bare: frozenset[Number]


def known(texts: Sequence[str]) -> Known:
    matched = [figure for text in texts for figure in figures(text)]
    readings = frozenset((figure.kind, part) for figure in matched for part in _implied(figure))
    readings |= frozenset(reading for text in texts for reading in _shared_units(text))
    numbers = frozenset(number for figure in matched for number in figure.numbers)
    bare = frozenset(number for figure in matched if figure.kind == "number" for number in figure.numbers)
    return Known(readings, numbers | frozenset(_ordinals(texts)), bare)


def _shared_units(text: str) -> Iterator[tuple[Kind, Reading]]:
    """What a number means that shares the unit of the figure behind it: the 30 of "30 or 60 days"."""
    for one, other in pairwise(figures(text)):
        if one.kind != "number" or not _JOINED.fullmatch(text, one.end, other.start):
            continue
        for (*unit, worth), counted, number in product(other.readings, other.numbers, one.numbers):
            if not isinstance(worth, str) and isinstance(counted, Decimal) and isinstance(number, Decimal):
                yield other.kind, (*unit, worth * number / counted if counted else worth)


def _ordinals(texts: Iterable[str]) -> Iterator[Decimal]:
    """What "second" counts: "2nd" agrees with it; as a word it is no figure that must be proven."""
    for text in texts:
        for match in _ORDINAL.finditer(text):
            yield Decimal(ORDINALS[match[0].lower()])


def agrees(figure: Figure, among: Known) -> bool:
    """Whether a figure is among the known ones, or is a bare number that one of them counts, or the reverse."""
    if any((figure.kind, reading) in among.readings for reading in figure.readings):
        return True
    if figure.kind == "date":  # of which a year alone may be written as any number is
        return any(not any(reading[1:]) and reading[0] in among.bare for reading in figure.readings)
    if figure.kind == "number":
        return bool(figure.numbers & among.numbers)
    units = {reading[0] for kind, reading in among.readings if kind == figure.kind}
    return not any(reading[0] in units for reading in figure.readings) and bool(figure.numbers & among.bare)


def _implied(figure: Figure) -> Iterator[Reading]:
    """A date also says its month, its year, and its day without the year."""
    for reading in figure.readings:
        yield reading
        if figure.kind == "date":
            year, month, day = reading
            none = Decimal(0)
            yield from ((year, month, none), (year, none, none), (none, month, day))


# --- readings ----------------------------------------------------------------------------------------------


def _counted(match: re.Match[str]) -> frozenset[Number]:
    """The values of the counted part: of "thirty (30)" those of the second, which is written in figures."""
    groups = match.groupdict()
    text = groups.get("b") or groups.get("a") or groups.get("c")
    return values(text) if text else frozenset()


def _dates(match: re.Match[str]) -> Iterator[Reading]:
    parts = {key: value for key, value in match.groupdict().items() if value}
    year, day = small(parts.get("y", "0")), small(parts.get("d", "0"))
    named = parts.get("mon", "").lower()
    month = MONTHS[named] if named else small(parts.get("m", "0"))
    certain = named or match[0][:4].isdecimal() or has_cjk(match[0])
    for m, d in ((month, day),) if certain else ((month, day), (day, month)):
        if m <= 12 and d <= 31:
            yield (Decimal(year), Decimal(m), Decimal(d))


def _shares(match: re.Match[str]) -> Iterator[Reading]:
    for number in _counted(match):
        scale = next(
            (worth for name, worth in _SHARE_SCALES.items() if match.groupdict().get(name)), Decimal(1)
        )
        yield ("%", number * scale if isinstance(number, Decimal) else number)


def _basis_points(match: re.Match[str]) -> Iterator[Reading]:
    for number in _counted(match):
        if isinstance(number, Decimal):
            yield ("%", number / 100)


def _amounts(match: re.Match[str]) -> Iterator[Reading]:
    named = match["cur"].lower()
    codes = _CURRENCIES.get(named) or (named.upper(),)
    short = match.groupdict().get("scale")
    scale = SCALES[short.lower()] if short else 1
    for code, number in product(codes, _counted(match)):
        yield (code, number * scale if isinstance(number, Decimal) else number)


def _periods(match: re.Match[str]) -> Iterator[Reading]:
    unit, length = UNITS[match["han"] or match["unit"].lower()]
    if (match["kind"] or "").lower() in ("business", "working"):
        unit, length = f"working-{match['unit'].lower().removesuffix('s')}s", 1
    more = Decimal("0.5") if match["more"] else Decimal(0)
    for number in _counted(match):
        yield (unit, (number + more) * length if isinstance(number, Decimal) else number)


def _spoken(match: re.Match[str]) -> Iterator[Reading]:
    unit, worth = _SPOKEN[_BLANK.sub(" ", match[0].lower())]
    yield (unit, worth) if unit else (worth,)


def _measures(match: re.Match[str]) -> Iterator[Reading]:
    unit, worth = MEASURES[match["unit"].lower()]
    for number in _counted(match):
        yield (unit, number * worth if isinstance(number, Decimal) else number)


def _clock(match: re.Match[str]) -> Iterator[Reading]:
    """Minutes after midnight."""
    parts = match.groupdict()
    hour, late = int(parts["h"] or parts["h24"]), (parts.get("late") or "").lower()
    if late.startswith("a") and hour == 12:
        hour = 0
    elif late and not late.startswith("a") and hour < 12:
        hour += 12
    yield ("clock", Decimal(60 * hour + int(parts.get("n") or parts.get("n24") or 0)))


def _numbers(match: re.Match[str]) -> Iterator[Reading]:
    if match[0].lower() != "one":  # mostly a pronoun
        for number in _counted(match):
            yield (number,)


# Each with signs of which one stands wherever it is found, so that most patterns need not be tried.
type _Reader = tuple[Kind, Sequence[str], re.Pattern[str], Callable[[re.Match[str]], Iterator[Reading]]]
_SHARES = (
    "%",
    "p",
    *every("share", spaced=False).split("|"),
    _OF_HUNDRED[1:3],
    *(tenths[0] for tenths in every("tenths").split("|") if tenths[0] != "("),
)
_MONEY = tuple(dict.fromkeys(sign.casefold() for sign in (*_CURRENCIES, *_CODES.split("|"))))
_SPANS = tuple(UNITS)
_READERS: tuple[_Reader, ...] = (
    *(("date", signs, re.compile(pattern), _dates) for signs, pattern in _DATES),
    *(("time", ("",), re.compile(pattern, re.IGNORECASE), _clock) for pattern in _CLOCK),
    ("share", _SHARES, re.compile(_SHARE, re.IGNORECASE), _shares),
    ("share", ("bp", "basis"), re.compile(_BASIS, re.IGNORECASE), _basis_points),
    *(("amount", _MONEY, re.compile(pattern, re.IGNORECASE), _amounts) for pattern in _AMOUNTS),
    *(
        (kind, tuple(word.split()[0] for word in _SPOKEN), re.compile(pattern, re.IGNORECASE), _spoken)
        for kind, pattern in _SPOKEN_PATTERNS.items()
    ),
    ("period", _SPANS, re.compile(_PERIOD, re.IGNORECASE), _periods),
    ("measure", tuple(name[-1:] for name in MEASURES), re.compile(_MEASURE, re.IGNORECASE), _measures),
    ("number", ("",), re.compile(_NUMBER, re.IGNORECASE), _numbers),
    ("number", ("",), re.compile(_COUNTED), _numbers),
)
