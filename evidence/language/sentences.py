"""
Where sentences begin and end, in any script.

Every character that is no white space belongs to exactly one span, in reading order; spans are trimmed.
Headings, list items and paragraphs on lines of their own are units; a line that was only wrapped is not. One
scan of the text, so time is linear.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from evidence.language.figures import MONTHS
from evidence.language.headings import is_heading
from evidence.language.memo import remembered
from evidence.language.rules import every
from evidence.language.tables import LANGUAGES
from evidence.language.terms import terms
from evidence.model import Span

LONGEST = 600  # characters of a sentence above which it is cut at clause bounds

_CLOSERS = "\"'’”»›)\\]}」』】）〕》〉"
_STOP = re.compile(rf"(?:[.!?…]+|[。！？｡．؟۔।॥]+)[{_CLOSERS}]*(?:[ \t]+\.(?=\s|$))*")
_FULL = frozenset("。！？｡؟۔।॥")
_LINE = re.compile(r"[^\r\n\u2028\u2029]+")
_KIND = rf"(?:{every('clause_kind')})"
_WIDE_NUMBER = rf"(?:{every('list_number', spaced=False)}|\d{{1,4}})"
_ITEM = re.compile(
    r"(?:[-–—*•·▪◦●○■□※]\s"
    r"|\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)]\s"
    r"|(?:\d{1,3}\.){1,5}\d{0,3}\s"
    rf"|[（(]?{_WIDE_NUMBER}[、）)]"
    rf"|(?:{every('clause_number', spaced=False)})"
    rf"|#{{1,6}}\s|\||(?i:{_KIND})\s+[\dA-Z])"
)
_NUMBERED = re.compile(
    r"(?:#{1,6}\s++)?[(\[]?(?:[\d.]{1,12}|[A-Za-z]|[ivxlIVXL]{1,6})[.)\]]{0,4}\s*+\.?$"
    rf"|{_KIND}\s+[\dIVXA-Z.]{{1,10}}\.?$",
    re.IGNORECASE,
)
_LAST_WORD = re.compile(r"[^\s(\[“\"]{1,24}$")
_NEXT_WORD = re.compile(r"[^\W_]+")
_ROMAN = re.compile(r"[IVXL]+")
_DOTTED = re.compile(r"(?:[a-z]\.)+[a-z]")
_NEVER_LAST = frozenset(word for table in LANGUAGES.values() for word in table.never_last.split())
_BEFORE_NUMBER = frozenset(word for table in LANGUAGES.values() for word in table.before_number.split())
_SELDOM_LAST = frozenset(word for table in LANGUAGES.values() for word in table.seldom_last.split())
_OPENERS = frozenset(word for table in LANGUAGES.values() for word in table.sentence_openers.split())
_LETTERED = frozenset(
    "exhibit schedule appendix annex section part class series group party plan type table".split()
)
_GOES_ON = re.compile(rf"[,，、;；]|{every('goes_on', spaced=False)}")
_CLAUSE = re.compile(
    r"[;；]\s*(?:and|or)?\s*"
    rf"|(?<=[\s:：,，])(?=[(（](?:[a-z]{{1,2}}|[ivx]{{1,5}}|\d{{1,2}}|{every('list_number', spaced=False)})[)）])"
)


def sentences(text: str) -> tuple[Span, ...]:
    """The sentences of a text as spans of it; nothing for blank text."""
    return tuple(span for start, end in _units(text) for span in _split(text, start, end))


def clauses(text: str, span: Span) -> tuple[Span, ...]:
    """The parts of a long sentence: between semicolons, and from each (a), (b), (i) to the next."""
    cuts = [match.end() for match in _CLAUSE.finditer(text, span.start, span.end)]
    return _spans(text, [span.start, *cuts, span.end])


def short_sentences(text: str) -> tuple[Span, ...]:
    """The sentences of a text; a very long one as its clauses, short clauses joined to their neighbour."""
    parts: list[Span] = []
    for span in sentences(text):
        if span.end - span.start <= LONGEST:
            parts.append(span)
        else:
            parts.extend(_join_short(clauses(text, span)))
    return tuple(parts)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a text, or a clause of a very long one, with its terms."""

    span: Span
    terms: frozenset[str]
    is_heading: bool


@remembered(300, 4_000)
def analysed(text: str) -> tuple[Sentence, ...]:
    """The short sentences of a text, headings among them; one answer asks for them several times."""
    parts = ((span, text[span.start : span.end]) for span in short_sentences(text))
    return tuple(Sentence(span, frozenset(terms(part)), is_heading(part)) for span, part in parts)


def _join_short(parts: Sequence[Span]) -> list[Span]:
    joined: list[Span] = []
    for part in parts:
        if joined and part.end - joined[-1].start <= LONGEST // 2:
            joined[-1] = Span(joined[-1].start, part.end)
        else:
            joined.append(part)
    return joined


# --- lines -------------------------------------------------------------------------------------------------


def _units(text: str) -> Iterator[tuple[int, int]]:
    """Paragraphs, headings and list items: lines, joined where the writer only wrapped them."""
    start = end = -1
    last = ""
    for line in _LINE.finditer(text):
        if line[0].isspace():
            continue
        if start >= 0 and not _wrapped(last, text[end : line.start()], line[0]):
            yield start, end
            start = -1
        start = line.start() if start < 0 else start
        end, last = line.end(), line[0].strip()
    if start >= 0:
        yield start, end


def _wrapped(last: str, between: str, line: str) -> bool:
    """Whether a line goes on with the sentence of the last line."""
    if between not in ("\n", "\r\n", "\r", "\u2028") or _ITEM.match(line.lstrip()) or last.startswith("#"):
        return False
    if last[-1] in ".!?:：;；" or last[-1] in _FULL:
        return False
    first = line.lstrip()[0]
    if first.islower() or last[-1] in ",，、-(":
        return True
    wide = last[-1] > "\u2fff"  # a Han character is as wide as two letters
    return len(last) >= (30 if wide else 60) and not last.isupper()


# --- stops -------------------------------------------------------------------------------------------------


def _split(text: str, start: int, end: int) -> tuple[Span, ...]:
    cuts = [start]
    for stop in _STOP.finditer(text, start, end):
        if _ends(text, stop, cuts[-1], end):
            cuts.append(stop.end())
    return _spans(text, [*cuts, end])


def _ends(text: str, stop: re.Match[str], start: int, end: int) -> bool:
    """Whether a stop ends the sentence that began at `start`."""
    after = text[stop.end() : min(stop.end() + 1, end)]
    if not after:
        return True
    if stop[0][0] in _FULL or stop[0][0] == "．":
        quoted = stop[0][-1] not in _FULL
        return not (quoted and _GOES_ON.match(after)) and not (stop[0] == "．" and after.isdigit())
    if not after.isspace() and after < "\u2e80":
        return False
    following = _NEXT_WORD.match(text[stop.end() : min(stop.end() + 40, end)].lstrip().lstrip("\"'“‘(["))
    word = following[0] if following else ""
    if word[:1].islower():
        return False
    return "." not in stop[0] or _ends_at_dot(text, stop, start, word)


def _ends_at_dot(text: str, stop: re.Match[str], start: int, word: str) -> bool:
    """For a dot: not one of a number, an initial or an abbreviation."""
    before = text[max(start, stop.start() - 40) : stop.start()]
    if (
        not before.strip()
        or before[-1].isspace()
        or (stop.start() - start < 40 and _NUMBERED.match(before.lstrip()))
    ):
        return False
    return len(stop[0]) > 1 or not _abbreviated(before, word)  # a closing bracket or quote, or an ellipsis


def _abbreviated(before: str, word: str) -> bool:
    """Whether a dot after `before` and in front of `word` belongs to an abbreviation or an initial."""
    match = _LAST_WORD.search(before)
    last = match[0].lower() if match else ""
    if last in _NEVER_LAST or (last.isdecimal() and word.lower() in MONTHS):  # "am 3. März"
        return True
    if last in _BEFORE_NUMBER:
        return word[:1].isdigit() or _ROMAN.fullmatch(word) is not None
    if last in _SELDOM_LAST or _DOTTED.fullmatch(last):
        return word.lower() not in _OPENERS
    if len(last) == 1 and last.isalpha() and last.isascii():
        earlier = before[:-1].split()
        return not earlier or earlier[-1].lower() not in _LETTERED
    return False


def _spans(text: str, cuts: list[int]) -> tuple[Span, ...]:
    """The trimmed pieces between cuts; blank ones are left out."""
    spans = []
    for start, end in pairwise(cuts):
        piece = text[start:end]
        if piece.strip():
            left = start + len(piece) - len(piece.lstrip())
            spans.append(Span(left, left + len(piece.strip())))
    return tuple(spans)
