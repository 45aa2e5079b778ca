"""Which of two documents is newer, as far as their names, their metadata and their first lines say."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from evidence.language.figures import figures
from evidence.model import Document, Pool

_DATE = re.compile(
    r"(?<!\d)((?:19|20)\d\d)(?:[-_./年\s]?(0?[1-9]|1[0-2])(?!\d))?(?:[-_./月\s]?([0-3]?\d)(?!\d))?"
)
_VERSION = re.compile(r"(?i)(?:\bv|\bver|\bversion|\brev|_v|版|第)[\s._-]*(\d+(?:\.\d+)*)")
_FIRST_LINES = 400  # characters in which a document says of when it is
_YEARS = range(1900, 2100)

type Date = tuple[int, int, int]  # year, month, day; 0 for what is not said


@dataclass(frozen=True, slots=True, order=True)
class Age:
    """Larger is newer; () is not known."""

    date: tuple[int, ...] = ()
    version: tuple[int, ...] = ()

    @property
    def known(self) -> bool:
        return bool(self.date or self.version)

    def __str__(self) -> str:
        if self.date:
            return "-".join(f"{part:02d}" for part in self.date if part)
        return ".".join(map(str, self.version))


def age(document: Document, opening: str = "") -> Age:
    """The date and the version of a document; `opening` is its first segment, where that is at hand."""
    stated = " ".join((document.name, *(str(value) for value in document.metadata.values())))
    dates = [_date(found) for found in _DATE.findall(stated)] or _said(opening[:_FIRST_LINES])
    versions = [tuple(map(int, found.split("."))) for found in _VERSION.findall(stated)]
    return Age(max(dates, default=()), max(versions, default=()))


def ages(documents: frozenset[Document], pool: Pool) -> Mapping[Document, Age]:
    """The age of each document; the pool is looked through for their beginnings."""
    openings: dict[Document, str] = {}
    for passage in (*pool.passages, *pool.more):
        if passage.segment.position == 1:
            openings[passage.segment.document] = passage.segment.text
    return {each: age(each, openings.get(each, "")) for each in documents}


def _date(found: tuple[str, str, str]) -> tuple[int, ...]:
    return tuple(int(piece or 0) for piece in found)


def _said(text: str) -> list[tuple[int, ...]]:
    dates = []
    for figure in figures(text):
        for reading in figure.readings if figure.kind == "date" else ():
            date = tuple(int(part) for part in reading if isinstance(part, Decimal))
            if date and date[0] in _YEARS:
                dates.append(date)
    return dates
