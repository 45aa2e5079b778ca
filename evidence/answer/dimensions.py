"""What documents are compared on: the question's own points, or, where it names none, what differs between two."""

import re
from collections.abc import Mapping, Sequence

from evidence.answer.conflicts import differ
from evidence.answer.coverage import parts
from evidence.answer.sentence_scoring import Piece, overlap, pieces, reading_order
from evidence.language.function_words import content_terms
from evidence.language.rules import every
from evidence.llm.fence import suspicious
from evidence.model import Document, Pool, Quote, Understanding

_FRAME = re.compile(every("compare_frame"), re.IGNORECASE)
_ABOUT = re.compile(r"^.*\b(?:regarding|concerning|with (?:regard|respect) to|in terms of)\b", re.IGNORECASE)
_LEAD = re.compile(
    r"^(?:[\s:,;，、：]|(?:on|about|regarding|concerning|as to|in terms of|between|of|in|and)\b)+",
    re.IGNORECASE,
)
_MARKS_AROUND = " :,;.?？。，、："
_DANGLING = frozenset("and between in of".split())
_TWO = re.compile(r" (?:and|as well as) (?:the |on )?", re.IGNORECASE)
_SIDE = re.compile(r"^(?:[A-Za-z][\w’'-]*\s+){1,3}[A-Za-z][\w’'-]*$")
_WHOLE = re.compile(r"(?:does|do|is|are|may|can|must|shall|will)\b", re.IGNORECASE)
_MARKS = re.compile(r"^[\s#*\d.)(]+|[\s*#]+$")
_MOST = 8  # points
_EACH = 2  # quotes in a cell
_SAME = 0.3  # of their terms that two sentences, or two headings, share
_VERSIONS = 0.3  # of one document's sentences that the other must hold to be a version of it


def dimensions(understanding: Understanding) -> tuple[str, ...]:
    """The points that the question names, without the words that ask for a comparison; empty when it names none."""
    found: dict[str, None] = {}
    for part in parts(understanding):
        asked = " ".join(part.split())
        bare = asked if _WHOLE.match(asked) else _FRAME.sub(" ", _ABOUT.sub("", asked))
        named = _ended(_LEAD.sub("", " ".join(bare.split())))
        if content_terms(named):
            found.update(dict.fromkeys(_two(named)))
    return tuple(found)


def _ended(text: str) -> str:
    """The text without the marks and the joining words at its end."""
    words = text.rstrip(_MARKS_AROUND).split(" ")
    while len(words) > 1 and words[-1].rstrip(_MARKS_AROUND).casefold() in _DANGLING | {""}:
        words.pop()
    return " ".join(words).rstrip(_MARKS_AROUND)


def _two(named: str) -> tuple[str, ...]:
    """ "payment terms and late interest" are two points; shorter sides may belong together."""
    sides = _TWO.split(named)
    return tuple(sides) if len(sides) == 2 and all(map(_SIDE.match, sides)) else (named,)


type Points = Mapping[str, Mapping[Document, tuple[Quote, ...]]]


def between(pool: Pool, documents: Sequence[Document]) -> Points:
    """What two documents are compared on when nothing is named: what changed, or the headings that both have."""
    if len(documents) != 2:
        return {}
    first, second = (_pieces(pool, document) for document in documents)
    alike = sum(_like(one, second) is not None for one in first)
    if alike >= _VERSIONS * max(len(first), 1):
        return _changed(first, second)
    return _headings(first, second)


def _changed(first: Sequence[Piece], second: Sequence[Piece]) -> Points:
    """By heading: sentences that say other things, or stand in one document alone."""
    found: dict[str, dict[Document, list[Quote]]] = {}
    paired: set[Quote] = set()
    for one in first:
        other = _like(one, second)
        if other is None or differ(one.text, other.text):
            _add(found, one, one.head)
        if other is not None:
            paired.add(other.quote)
            if differ(one.text, other.text):
                _add(found, other, one.head)
    for other in second:
        if other.quote not in paired and _like(other, first) is None:
            _add(found, other, other.head)
    return _largest(found)


def _headings(first: Sequence[Piece], second: Sequence[Piece]) -> Points:
    """By heading that both have: the sentences under it."""
    found: dict[str, dict[Document, list[Quote]]] = {}
    theirs = tuple(dict.fromkeys(piece.head for piece in second))
    for head in dict.fromkeys(piece.head for piece in first):
        other = max(theirs, key=lambda each: overlap(_label(head), each), default="")
        if overlap(_label(head), other) >= _SAME:
            for piece in first:
                if piece.head == head:
                    _add(found, piece, head)
            for piece in second:
                if piece.head == other:
                    _add(found, piece, head)
    return _largest(found)


def _largest(found: Mapping[str, Mapping[Document, Sequence[Quote]]]) -> Points:
    """The points that hold most, in their order, with the first quotes of each document."""
    most = sorted(found, key=lambda head: -sum(map(len, found[head].values())))[:_MOST]
    return {
        head: {document: tuple(quotes[:_EACH]) for document, quotes in found[head].items()}
        for head in found
        if head in most
    }


def _pieces(pool: Pool, document: Document) -> list[Piece]:
    own = [passage for passage in pool.ranked if passage.segment.document == document]
    told = [each for each in pieces(own) if each.head and not suspicious(each.text)]
    return sorted(told, key=lambda each: reading_order(each.quote))


def _like(piece: Piece, among: Sequence[Piece]) -> Piece | None:
    """The piece that shares most of its terms, if any shares enough."""
    best = max(among, key=lambda other: _shared(piece, other), default=None)
    return best if best is not None and _shared(piece, best) >= _SAME else None


def _shared(one: Piece, other: Piece) -> float:
    return len(one.own & other.own) / len(one.own | other.own)


def _add(found: dict[str, dict[Document, list[Quote]]], piece: Piece, head: str) -> None:
    quotes = found.setdefault(_label(head), {}).setdefault(piece.passage.segment.document, [])
    quotes.append(piece.quote)


def _label(head: str) -> str:
    """A heading without its number and its marks."""
    return _MARKS.sub("", head) or head
