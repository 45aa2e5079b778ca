"""
Numbers, dates, amounts, shares and periods in a text, each with what it means.

A figure keeps every reading that is possible: "1.000" is one or a thousand, "03/04/2024" is in March or April,
"$" is any dollar. Two figures agree when one reading of each is the same. English, Chinese and Japanese.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import product
from typing import Literal

from evidence.language.memo import remembered
from evidence.language.numerals import FIGURE, HAN, HAN_SCALED, SCALED, SCALES, WORDS, Number, small, values

type Kind = Literal["date", "share", "amount", "period", "number"]
type Reading = tuple[str | Number, ...]

_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_DOLLARS = ("USD", "HKD", "AUD", "CAD", "TWD", "SGD", "NZD")
_CODES = "USD|HKD|AUD|CAD|TWD|SGD|NZD|EUR|GBP|JPY|CNY|KRW|INR|CHF|SEK|NOK|DKK"
_NAMED = """
USD us$ 美元; HKD hk$ 港元; TWD nt$; AUD a$; CAD c$; SGD s$; EUR € euro 欧元 ユーロ; GBP £ pound 英镑;
JPY yen 円 日元; CNY yuan rmb renminbi 人民币; KRW ₩; INR ₹
"""
_CURRENCIES: dict[str, tuple[str, ...]] = {
    name: (names.split()[0],) for names in _NAMED.split(";") for name in names.split()[1:]
}
_CURRENCIES |= dict.fromkeys(("$", "dollar", "ドル"), _DOLLARS)
_CURRENCIES |= {"¥": ("JPY", "CNY"), "元": ("CNY", "TWD", "HKD")}
_UNITS = """
seconds 1 second; seconds 60 minute 分钟; seconds 3600 hour 小时 時間; seconds 86400 day 天 日;
seconds 604800 week 周 週 星期; months 1 month 月; months 3 quarter 季度; months 12 year 年;
working-days 1 工作日 营业日 営業日
"""
_PERIODS: dict[str, tuple[str, int]] = {
    name: (unit.split()[0], int(unit.split()[1])) for unit in _UNITS.split(";") for name in unit.split()[2:]
}

_ANY = rf"(?:{SCALED}|{WORDS}|{HAN})"
_COUNT = rf"(?P<a>{_ANY})(?:\s?\((?P<b>{_ANY})\))?"
_MONTH = (
    r"(?P<mon>(?i:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|June?|July?|Aug(?:ust)?|Sept?(?:ember)?"
    r"|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)|May|MAY)\b\.?"
)
_DAY = r"(?<!\d)(?P<d>\d{1,2})(?:st|nd|rd|th)?\b"
_YEAR = r"(?P<y>\d{4})(?!\d)"
_HAN_MONTH = r"(?P<m>\d{1,2}|[一二三四五六七八九十]{1,2})\s?月"
_HAN_DAY = r"(?P<d>\d{1,2}|[一二三四五六七八九十]{1,3})\s?[日号]"
_POINTS = ("-", "/", ".")
_DATES = (  # signs of which one is there; named groups: y, m or mon, d
    (_POINTS, rf"(?<!\d){_YEAR}[-/.](?P<m>\d{{1,2}})[-/.](?P<d>\d{{1,2}})(?!\d)"),
    (_POINTS, rf"(?<!\d)(?P<m>\d{{1,2}})[-/.](?P<d>\d{{1,2}})[-/.]{_YEAR}"),
    (_MONTHS, rf"{_MONTH}\s+{_DAY}(?:,?\s+{_YEAR})?"),
    (_MONTHS, rf"{_DAY}\s+(?:day\s+of\s+|of\s+)?{_MONTH}(?:,?\s+{_YEAR})?"),
    (_MONTHS, rf"{_MONTH},?\s+{_YEAR}"),
    ("年", rf"(?P<y>\d{{4}}|[〇零○一二三四五六七八九]{{4}})\s?年(?:\s?{_HAN_MONTH}(?:\s?{_HAN_DAY})?)?"),
    ("月", rf"{_HAN_MONTH}\s?{_HAN_DAY}"),
)
_SHARE = rf"{_COUNT}\s?(?:%|percent\b|per\s+cent\b|パーセント)|百分之(?P<c>{FIGURE}|{HAN})"
_BEFORE = rf"(?P<cur>(?:US|HK|NT|A|C|S)?\$|[€£¥₩₹]|\b(?:{_CODES}|RMB)\b|人民币)"
_AFTER = (
    rf"(?P<cur>(?:dollar|euro|pound)s?\b|(?:yen|yuan|renminbi|{_CODES}|RMB)\b"
    r"|美元|ドル|港元|欧元|ユーロ|英镑|円|日元|元|€)"
)
_AMOUNTS = (rf"{_BEFORE}\s?{_COUNT}(?:\s?(?P<scale>k|mn?|bn)\b)?", rf"{_COUNT}\s?{_AFTER}")
_PERIOD = (
    rf"{_COUNT}(?:[\s-]*+(?:(?P<kind>business|working|calendar|consecutive)[\s-]*+)?"
    r"(?P<unit>second|minute|hour|day|week|month|quarter|year)s?\b"
    r"|\s?(?:[个個か\u30f6\u30ab\u30b1箇]\s?)?(?P<han>工作日|营业日|営業日|分钟|小时|時間|星期|季度|[天日周週月年])[間间]?)"
)
_BASIS = rf"{_COUNT}\s?(?:basis\s+points?|bps?)\b"
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()
_ORDINAL = re.compile(rf"\b(?:{'|'.join(_ORDINALS)})\b", re.IGNORECASE)
_HALF = r"(?P<half>半年|half[\s-]a[\s-]year)"
_NUMBER = rf"(?P<a>{SCALED}|{WORDS}|{HAN_SCALED})"
_LONGEST = 20_000
_COUNTS = re.compile(rf"\d|○|半|{HAN}|half|{WORDS}", re.IGNORECASE)  # one of these stands in every figure
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
    found: list[Figure] = []
    for kind, signs, pattern, read in _READERS:
        for match in pattern.finditer(text) if any(sign in low for sign in signs) else ():
            start, end = match.span()
            readings = frozenset() if any(taken[start:end]) else frozenset(read(match))
            if readings:
                taken[start:end] = b"\1" * (end - start)
                parts = frozenset(
                    part for reading in readings for part in reading if isinstance(part, Decimal)
                )
                found.append(Figure(start, end, kind, readings, _counted(match) or parts))
    return tuple(sorted(found, key=lambda figure: figure.start))


@dataclass(frozen=True, slots=True)
class Known:
    """What some figures mean: readings with their kind, all numbers counted, and those counted without a unit."""

    readings: frozenset[tuple[Kind, Reading]]
    numbers: frozenset[Number]
    bare: frozenset[Number]


def known(texts: Sequence[str]) -> Known:
    found = [figure for text in texts for figure in figures(text)]
    readings = frozenset((figure.kind, part) for figure in found for part in _implied(figure))
    numbers = frozenset(number for figure in found for number in figure.numbers)
    bare = frozenset(number for figure in found if figure.kind == "number" for number in figure.numbers)
    return Known(readings, numbers | frozenset(_ordinals(texts)), bare)


def _ordinals(texts: Iterable[str]) -> Iterator[Decimal]:
    """What "second" counts: "2nd" agrees with it; as a word it is no figure that must be proven."""
    for text in texts:
        for found in _ORDINAL.finditer(text):
            yield Decimal(_ORDINALS.index(found[0].lower()) + 1)


def agrees(figure: Figure, among: Known) -> bool:
    """Whether a figure is among the known ones, or is a bare number that one of them counts, or the reverse."""
    if any((figure.kind, reading) in among.readings for reading in figure.readings):
        return True
    if figure.kind == "date":
        return False
    return bool(figure.numbers & (among.numbers if figure.kind == "number" else among.bare))


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
    named = parts.get("mon", "")[:3].lower()
    month = _MONTHS.index(named) + 1 if named else small(parts.get("m", "0"))
    certain = named or match[0][:4].isdecimal() or "年" in match[0] or "月" in match[0]
    for m, d in ((month, day),) if certain else ((month, day), (day, month)):
        if m <= 12 and d <= 31:
            yield (Decimal(year), Decimal(m), Decimal(d))


def _shares(match: re.Match[str]) -> Iterator[Reading]:
    for number in _counted(match):
        yield ("%", number)


def _basis_points(match: re.Match[str]) -> Iterator[Reading]:
    for number in _counted(match):
        if isinstance(number, Decimal):
            yield ("%", number / 100)


def _amounts(match: re.Match[str]) -> Iterator[Reading]:
    named = match["cur"].lower()
    codes = _CURRENCIES.get(named.removesuffix("s")) or _CURRENCIES.get(named) or (named.upper(),)
    short = match.groupdict().get("scale")
    scale = SCALES[short.lower()] if short else 1
    for code, number in product(codes, _counted(match)):
        yield (code, number * scale if isinstance(number, Decimal) else number)


def _periods(match: re.Match[str]) -> Iterator[Reading]:
    unit, length = _PERIODS[match["han"] or match["unit"].lower()]
    if (match["kind"] or "").lower() in ("business", "working"):
        unit, length = f"working-{match['unit'].lower()}s", 1
    for number in _counted(match):
        yield (unit, number * length if isinstance(number, Decimal) else number)


def _half_years(_: re.Match[str]) -> Iterator[Reading]:
    yield ("months", Decimal(6))


def _numbers(match: re.Match[str]) -> Iterator[Reading]:
    if match[0].lower() != "one":  # mostly a pronoun
        for number in _counted(match):
            yield (number,)


# Each with signs of which one stands wherever it is found, so that most patterns need not be tried.
type _Reader = tuple[Kind, Sequence[str], re.Pattern[str], Callable[[re.Match[str]], Iterator[Reading]]]
_SHARES = ("%", "percent", "per", "パーセント", "百分之")
_MONEY = tuple(dict.fromkeys(sign.casefold() for sign in (*_CURRENCIES, *_CODES.split("|"))))
_SPANS = tuple(_PERIODS)
_READERS: tuple[_Reader, ...] = (
    *(("date", signs, re.compile(pattern), _dates) for signs, pattern in _DATES),
    ("share", _SHARES, re.compile(_SHARE, re.IGNORECASE), _shares),
    ("share", ("bp", "basis"), re.compile(_BASIS, re.IGNORECASE), _basis_points),
    *(("amount", _MONEY, re.compile(pattern, re.IGNORECASE), _amounts) for pattern in _AMOUNTS),
    ("period", ("半年", "half"), re.compile(_HALF, re.IGNORECASE), _half_years),
    ("period", _SPANS, re.compile(_PERIOD, re.IGNORECASE), _periods),
    ("number", ("",), re.compile(_NUMBER, re.IGNORECASE), _numbers),
)
