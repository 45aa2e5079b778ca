"""The points of a comparison: those that the question names, or, where it names none, what differs between two."""

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
_IS_QUESTION = re.compile(r"(?:does|do|is|are|may|can|must|shall|will)\b", re.IGNORECASE)
_MARKS = re.compile(r"^[\s#*\d.)(]+|[\s*#]+$")
_MOST = 8  # points
_CELL_QUOTES = 2  # quotes in a cell
_SAME = 0.3  # of their terms that two sentences, or two headings, share
_VERSIONS = 0.3  # of one document's sentences that the other must hold to be a version of it


def dimensions(understanding: Understanding) -> tuple[str, ...]:
    """The points that the question names, without the words that ask for a comparison; empty when it names none."""
    points: dict[str, None] = {}
    for part in parts(understanding):
        text = " ".join(part.split())
        bare = text if _IS_QUESTION.match(text) else _FRAME.sub(" ", _ABOUT.sub("", text))
        named = _trim(_LEAD.sub("", " ".join(bare.split())))
        if content_terms(named):
            points.update(dict.fromkeys(_split_pair(named)))
    return tuple(points)


def _trim(text: str) -> str:
    """The text without the marks and the joining words at its end."""
    words = text.rstrip(_MARKS_AROUND).split(" ")
    while len(words) > 1 and words[-1].rstrip(_MARKS_AROUND).casefold() in _DANGLING | {""}:
        words.pop()
    return " ".join(words).rstrip(_MARKS_AROUND)


def _split_pair(named: str) -> tuple[str, ...]:
    """ "payment terms and late interest" are two points; shorter sides may belong together."""
    sides = _TWO.split(named)
    return tuple(sides) if len(sides) == 2 and all(map(_SIDE.match, sides)) else (named,)


type Points = Mapping[str, Mapping[Document, tuple[Quote, ...]]]


def between(pool: Pool, documents: Sequence[Document]) -> Points:
    """The points of two documents where the question names none: what changed, or the headings that both have."""
    if len(documents) != 2:
        return {}
    first, second = (_pieces(pool, document) for document in documents)
    alike = sum(_most_similar(one, second) is not None for one in first)
    if alike >= _VERSIONS * max(len(first), 1):
        return _differences(first, second)
    return _shared_headings(first, second)


def _differences(first: Sequence[Piece], second: Sequence[Piece]) -> Points:
    """By heading: sentences that say other things, or stand in one document alone."""
    points: dict[str, dict[Document, list[Quote]]] = {}
    paired: set[Quote] = set()
    for one in first:
        other = _most_similar(one, second)
        if other is None or differ(one.text, other.text):
            _add(points, one, one.head)
        if other is not None:
            paired.add(other.quote)
            if differ(one.text, other.text):
                _add(points, other, one.head)
    for other in second:
        if other.quote not in paired and _most_similar(other, first) is None:
            _add(points, other, other.head)
    return _largest(points)


def _shared_headings(first: Sequence[Piece], second: Sequence[Piece]) -> Points:
    """By heading that both have: the sentences under it."""
    points: dict[str, dict[Document, list[Quote]]] = {}
    theirs = tuple(dict.fromkeys(piece.head for piece in second))
    for head in dict.fromkeys(piece.head for piece in first):
        other = max(theirs, key=lambda title: overlap(_label(head), title), default="")
        if overlap(_label(head), other) >= _SAME:
            for piece in first:
                if piece.head == head:
                    _add(points, piece, head)
            for piece in second:
                if piece.head == other:
                    _add(points, piece, head)
    return _largest(points)


def _largest(points: Mapping[str, Mapping[Document, Sequence[Quote]]]) -> Points:
    """The points that hold most, in their order, with the first quotes of each document."""
    most = sorted(points, key=lambda head: -sum(map(len, points[head].values())))[:_MOST]
    return {
        head: {document: tuple(quotes[:_CELL_QUOTES]) for document, quotes in points[head].items()}
        for head in points
        if head in most
    }


def _pieces(pool: Pool, document: Document) -> list[Piece]:
    own = [passage for passage in pool.ranked if passage.segment.document == document]
    titled = [piece for piece in pieces(own) if piece.head and not suspicious(piece.text)]
    return sorted(titled, key=reading_order)


def _most_similar(piece: Piece, among: Sequence[Piece]) -> Piece | None:
    """The piece that shares most of its terms, if any shares enough."""
    best = max(among, key=lambda other: _similarity(piece, other), default=None)
    return best if best is not None and _similarity(piece, best) >= _SAME else None


def _similarity(one: Piece, other: Piece) -> float:
    return len(one.own & other.own) / len(one.own | other.own)


def _add(points: dict[str, dict[Document, list[Quote]]], piece: Piece, head: str) -> None:
    quotes = points.setdefault(_label(head), {}).setdefault(piece.passage.segment.document, [])
    quotes.append(piece.quote)


def _label(head: str) -> str:
    """A heading without its number and its marks."""
    return _MARKS.sub("", head) or head
