"""Whether a figure follows from others: a sum, a difference, a multiple, a number of things, or the end of a period."""

import re
from calendar import monthrange
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from decimal import Decimal
from itertools import combinations, pairwise, permutations

from evidence.language.figures import Figure
from evidence.language.numerals import Number
from evidence.language.rules import every

_MOST = 24  # figures that are calculated with
_DAY = 86_400  # seconds
_RECKONS = re.compile(
    rf"\b(?:{every('reckons', spaced=True)})\b|{every('reckons', spaced=False)}", re.IGNORECASE
)


def is_calculated(
    figure: Figure, text: str, sources: Sequence[Figure], counts: Sequence[Number] = ()
) -> bool:
    """Whether the figure of a text can be calculated from the sources in one step, or is one of them in other units.

    A source may be taken so many times as one of the `counts` says.
    """
    sources = sources[:_MOST]
    if figure.kind == "date":
        return any(_ends(start, length, figure) for start, length in permutations(sources, 2))
    many = {n for n in counts if isinstance(n, Decimal)}
    multiples = {(unit, value * n) for source in sources for unit, value in values(source) for n in many}
    return any(
        (unit and (unit, value) in multiples) or _follows(unit, value, text, sources)
        for unit, value in values(figure)
    )


def values(figure: Figure) -> Iterator[tuple[str, Decimal]]:
    """Each value with its unit, "" for none."""
    for reading in figure.readings:
        value = reading[-1]
        if isinstance(value, Decimal) and figure.kind != "date":
            yield (str(reading[0]) if len(reading) == 2 else "", value)


def _follows(unit: str, value: Decimal, text: str, sources: Sequence[Figure]) -> bool:
    if not unit and value >= 3 and value == _listed(sources):
        return True
    if not unit and not _RECKONS.search(text):
        return False
    pairs = [pair for source in sources for pair in values(source)]
    if any(_same_length(unit, value, *pair) for pair in pairs):
        return True
    years = sorted({_year(source) for source in sources} - {0})
    if unit == "months" and any(value == 12 * (late - early) for early, late in combinations(years, 2)):
        return True
    own = [n for kind, n in pairs if kind == unit]
    if not unit:
        own = [n for source in sources for n in source.numbers if isinstance(n, Decimal)]
    counts = [n for kind, n in pairs if not kind or kind == "seconds"] + [
        n / 3600 for kind, n in pairs if kind == "seconds"
    ]
    sums = (
        {a + b for a, b in combinations(own, 2)} | {abs(a - b) for a, b in combinations(own, 2)} | {sum(own)}
    )
    multiples = {a * n for a in own for n in counts} if unit else set[Decimal]()
    return value in sums | multiples or any(value - many in own for many in multiples)


def _same_length(unit: str, value: Decimal, other: str, length: Decimal) -> bool:
    """Whether two periods are as long in the way people say it: a month is 30 days, four weeks are 20 working days."""
    if (unit, other) in (("seconds", "months"), ("months", "seconds")):
        months, days = (length, value / _DAY) if other == "months" else (value, length / _DAY)
        return days in (30 * months, 365 * months / 12, 365 * months // 12) or (
            months == 12 and days in (365, 366)
        )
    if (unit, other) in (("seconds", "working-days"), ("working-days", "seconds")):
        working, days = (length, value / _DAY) if other == "working-days" else (value, length / _DAY)
        return working * 7 == days * 5
    return False


def _listed(sources: Sequence[Figure]) -> int:
    """How many figures of one kind stand in a row, a few characters apart."""
    longest = run = 1
    for one, other in pairwise(sources):
        run = run + 1 if one.kind == other.kind and 0 < other.start - one.end <= 6 else 1
        longest = max(longest, run)
    return longest


def _year(figure: Figure) -> int:
    for reading in figure.readings:
        value = reading[0]
        if isinstance(value, Decimal) and figure.kind in ("date", "number") and 1000 <= value < 2200:
            return int(value)
    return 0


def _ends(start: Figure, length: Figure, end: Figure) -> bool:
    """Whether a period that begins on a date ends on another, or on the day before it."""
    if (start.kind, length.kind) != ("date", "period"):
        return False
    for day in _days(start):
        for unit, value in values(length):
            if (last := _after(day, unit, int(value))) is None:
                continue
            for at in (last, last - timedelta(days=1)):
                if {(at.year, at.month, at.day), (at.year, at.month, 0)} & {
                    tuple(map(int, r)) for r in end.readings
                }:
                    return True
    return False


def _days(figure: Figure) -> Iterator[date]:
    for year, month, day in figure.readings:
        try:
            yield date(int(year), int(month), int(day))
        except ValueError:
            continue


def _after(day: date, unit: str, value: int) -> date | None:
    try:
        if unit == "months":
            months = day.month - 1 + value
            year, month = day.year + months // 12, months % 12 + 1
            return date(year, month, min(day.day, monthrange(year, month)[1]))
        return day + timedelta(seconds=value) if unit == "seconds" else None
    except (OverflowError, ValueError):
        return None
