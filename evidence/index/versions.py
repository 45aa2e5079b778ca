"""Versions of one document: told by dates, version numbers and words in their names, else by when they were stored.

Of two versions that answer equally well the newer stands first; one that the question names wins.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from evidence.index.names import unpack
from evidence.language.editions import EDITION_NOUN
from evidence.language.figures import MONTHS, ORDINALS, dates
from evidence.language.numerals import small
from evidence.language.rules import every
from evidence.language.tables import LANGUAGES
from evidence.language.terms import terms
from evidence.model import Document

TIE = 0.02  # versions whose scores differ by less than this share of the better one answer equally well
REQUESTED, NEWER = (
    1.2,
    1.001,
)  # how far the version that is named, or the newer of two equals, is lifted above the others
_DATE = re.compile(
    r"(?<!\d)(?:(?P<day>\d{1,2}) (?P<month>\d{1,2}) (?P<year>(?:19|20)\d\d)"
    r"|(?P<y>(?:19|20)\d\d)(?: ?(?P<m>0[1-9]|1[0-2]|[1-9](?!\d))(?: ?(?P<d>0[1-9]|[12]\d|3[01]|[1-9](?!\d)))?)?)(?!\d)"
)
_ORDINALS = {word: at for word, at in ORDINALS.items() if at <= 5}
_DIGITS = r"\d{1,9}"
_PARTS = rf"{_DIGITS}(?:[. ]{_DIGITS}){{0,5}}"
_NUMBER = re.compile(
    rf"(?i)(?<![A-Za-z])(?:v|ver|rev|{EDITION_NOUN})\W*+(?P<latin>{_PARTS})"
    rf"|{every('edition_number', spaced=False)}"
    rf"|(?<![\w.])(?:(?P<ordinal>{'|'.join(_ORDINALS)})|(?P<nth>\d{{1,2}}) ?(?:st|nd|rd|th)) {EDITION_NOUN}\b"
)
_SIGN = re.compile(  # what versions of one document may differ by
    rf"(?i)(?<![A-Za-z0-9_])(?:v|ver|version|rev|revision|draft|final|copy|signed|clean)(?:\W*+{_PARTS})?(?![^\W\d])"
    rf"|\b(?:\d{{1,2}} ?(?:st|nd|rd|th)|{'|'.join(_ORDINALS)}) {EDITION_NOUN}\b|\b{EDITION_NOUN} {_PARTS}\b"
    rf"|\b(?:19|20)\d\d {EDITION_NOUN}\b|{every('edition_in_name', spaced=False)}"
    r"|\b(?:19|20)\d\d(?:[01]\d(?:[0-3]\d)?)?(?: \d{1,2}){0,2}\b|\b\d{1,2}$"
)
_INTEGER = re.compile(r"\d+")
_STAGE = re.compile(r"(?i)(?<![^\W\d_])(draft|final|signed|executed)(?![^\W\d_])")
_STAGES = {"draft": -1, "final": 1, "signed": 2, "executed": 2}
_BARE = re.compile(r"(?<!\S)\d{1,4}$")
# a first "May" is no month
_FULL = (month.partition("/")[0] for table in LANGUAGES.values() for month in table.months.split())
_MONTH = re.compile(rf"(?<=[\w,] )({'|'.join(dict.fromkeys(_FULL))})\b(?:,? ((?:19|20)\d\d))?")
_TELLING = re.compile(every("dated_field"), re.IGNORECASE)
_NEWEST = re.compile(every("newest"), re.IGNORECASE)
_OLDEST = re.compile(every("oldest"), re.IGNORECASE)
_PREVIOUS = re.compile(every("previous"), re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Edition:
    """What a name says of which version it is: a date (year, month, day), a version number, a stage of drafting.

    `bare` is a number at the end that no word explains: `Lease 7` and `Lease 8` are two leases.
    """

    date: tuple[int, ...] = ()
    number: tuple[int, ...] = ()
    stage: int = 0
    bare: str = ""


@lru_cache(maxsize=20_000)
def edition_of(text: str) -> Edition:
    """The edition that a name, or a question, speaks of."""
    plain = unpack(text)
    date = _DATE.search(plain)
    without = _DATE.sub(" ", plain)
    number, stage = _NUMBER.search(without), _STAGE.search(without)
    bare = _BARE.search(_NUMBER.sub(" ", without).strip())
    return Edition(
        max([_date(date) if date else (), *_written(text)]),
        _number(number) if number else (),
        _STAGES[stage[1].casefold()] if stage else 0,
        bare[0] if bare else "",
    )


def _written(text: str) -> list[tuple[int, ...]]:
    """The dates that a text writes out, without what they leave open."""
    return [tuple(part for part in date if part) for date in dates(text)]


def _number(match: re.Match[str]) -> tuple[int, ...]:
    if match["han"]:
        return (small(match["han"]),)
    if match["ordinal"]:
        return (_ORDINALS[match["ordinal"].casefold()],)
    return tuple(map(int, _INTEGER.findall(match[0])))


def _date(match: re.Match[str]) -> tuple[int, ...]:
    parts = match.group("year", "month", "day") if match["year"] else match.group("y", "m", "d")
    return tuple(int(part) for part in parts if part)


@lru_cache(maxsize=50_000)
def family(name: str) -> str:
    """What is left of a name without its dates and versions: equal for versions of one document."""
    return " ".join(terms(_SIGN.sub(" ", unpack(name))))


def families(documents: Sequence[Document]) -> list[list[Document]]:
    """The documents that are versions of each other, two or more together, in the order given."""
    groups: dict[tuple[str, ...], list[Document]] = {}
    for document in documents:
        root = family(document.name)
        if root:
            key = (document.dataset_id, root, edition_of(document.name).bare)
            groups.setdefault(key, []).append(document)
    return [group for group in groups.values() if len(group) > 1]


def in_turn(documents: Sequence[Document], order: Sequence[int]) -> list[int]:
    """The order of the documents' places, in which versions of each other stand as they stood before."""
    settled = list(order)
    place = {document.document_id: at for at, document in enumerate(documents)}
    for group in families([documents[at] for at in order]):
        members = sorted(place[document.document_id] for document in group)
        slots = [slot for slot, at in enumerate(order) if at in members]
        for slot, at in zip(slots, members, strict=True):
            settled[slot] = at
    return settled


def newest_first(group: Sequence[Document]) -> list[Document]:
    """The versions in order of age, by the first sign that tells them apart; empty where none does."""
    editions = {document.document_id: edition_of(document.name) for document in group}
    signs: tuple[list[tuple[int, ...]], ...] = (
        [editions[document.document_id].date for document in group],
        [(*editions[d.document_id].number, editions[d.document_id].stage) for d in group],
        [stored_date(document.metadata) for document in group],
        [(document.created_at,) if document.created_at else () for document in group],
    )
    for at, ages in enumerate(signs):
        tells = all(ages) or at == 1
        if tells and len(set(ages)) > 1:
            ranked = sorted(zip(ages, group, strict=True), key=lambda entry: entry[0], reverse=True)
            return [document for _, document in ranked]
    return []


def lifts(
    documents: Sequence[Document], scores: Sequence[float], own: Sequence[float], query: str
) -> dict[str, float]:
    """What is added to the scores of documents, by id, so that the version asked for stands first of its family.

    Where the question names no version, the newest one does if its `own` score is as good (`TIE`): what is left of
    the score without the server's lists, where equals stand in any order.
    """
    score = dict(zip((document.document_id for document in documents), scores, strict=True))
    alone = dict(zip(score, own, strict=True))
    added: dict[str, float] = {}
    for group in families(documents):
        ranked = newest_first(group)
        requested = meant(group, ranked, query)
        margin = REQUESTED if requested else NEWER
        best = max(alone[document.document_id] for document in group)
        if not requested and ranked and alone[ranked[0].document_id] >= (1 - TIE) * best:
            requested = ranked[:1]
        others = [score[document.document_id] for document in group if document not in requested]
        for document in requested if others else ():
            short = max(others) * margin - score[document.document_id]
            if short > 0:
                added[document.document_id] = short
    return added


def meant(group: Sequence[Document], ranked: Sequence[Document], query: str) -> Sequence[Document]:
    """The versions that the question names: as the newest or the oldest, by number, by date."""
    for pattern, places in ((_NEWEST, slice(1)), (_OLDEST, slice(-1, None)), (_PREVIOUS, slice(1, 2))):
        if ranked and pattern.search(query):
            return ranked[places]
    return [document for document in group if _numbered(document, query)] or [
        document for document in group if _dated(document, query)
    ]


def _numbered(document: Document, query: str) -> bool:
    own = edition_of(document.name).number
    return any(own[: len(number)] == number for number in map(_number, _NUMBER.finditer(query)))


def _dated(document: Document, query: str) -> bool:
    own = edition_of(document.name).date or stored_date(document.metadata)
    return any(_within(own, date) for date in _dates(query))


def is_another(document: Document, query: str) -> bool:
    """Whether the words name an edition by number or by date, and the document is of another one."""
    number, date = _NUMBER.search(query) is not None, bool(_dates(query))
    return (number or date) and not _numbered(document, query) and not _dated(document, query)


def _dates(query: str) -> list[tuple[int, ...]]:
    """Dates in a question as (year, month, day); 0 stands for any."""
    plain = unpack(query)
    named = [(int(match[2] or 0), MONTHS[match[1].lower()]) for match in _MONTH.finditer(plain)]
    years = {year for year, _ in named if year}
    written = [_date(match) for match in _DATE.finditer(plain)]
    return [*named, *(date for date in written if len(date) > 1 or date[0] not in years)]


def _within(date: Sequence[int], named: Sequence[int]) -> bool:
    return len(date) >= len(named) and all(
        not want or have == want for have, want in zip(date, named, strict=False)
    )


def stored_date(metadata: Mapping[str, Any]) -> tuple[int, ...]:
    """The latest date that a document's metadata tell, as (year, month, day); empty where they tell none."""
    values = (value for name, value in metadata.items() if _TELLING.search(name))
    return max((_as_date(value) for value in values), default=())


def _as_date(value: Any) -> tuple[int, ...]:  # noqa: ANN401 - metadata may hold anything
    """A date from text, a year, or seconds since 1970."""
    if isinstance(value, str):
        match = _DATE.search(unpack(value))
        return _date(match) if match else ()
    if isinstance(value, bool) or not isinstance(value, int | float):
        return ()
    if 1900 <= value < 2100:
        return (int(value),)
    if not 1e8 <= value < 1e10:
        return ()
    moment = datetime.fromtimestamp(value, UTC)
    return moment.year, moment.month, moment.day


def version_notes(documents: Sequence[Document]) -> dict[str, str]:
    """What to say of each version, by document id."""
    notes: dict[str, str] = {}
    for group in families(documents):
        ranked = newest_first(group)
        for document in ranked:
            notes[document.document_id] = f"older version of {ranked[0].name}"
        for document in ranked[:1]:
            notes[document.document_id] = f"newest of {len(ranked)} versions"
    return notes
