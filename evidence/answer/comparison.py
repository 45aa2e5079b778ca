"""A matrix: documents down, what is asked across; every cell stands on a quote or says what was tried."""

from collections.abc import Mapping, Sequence

from evidence.answer.compose import Cells, Ledger, Statement, markers
from evidence.answer.coverage import asked_of, parts
from evidence.answer.dimensions import between, dimensions
from evidence.answer.focus import ALIKE, SURE
from evidence.answer.phrases import phrase
from evidence.answer.select_sentences import best_of
from evidence.language.markdown import safe, shown_name
from evidence.model import (
    Cell,
    Comparison,
    ComparisonRow,
    Document,
    Facet,
    Pool,
    Quote,
    Shortlist,
    Understanding,
)

_ROWS = 12
_TRIED = 2  # queries named in a cell
_SIDE_BY_SIDE = 3  # documents that fit side by side
CELL_FLOOR = 0.1  # share of a dimension that a document's best passage must hold
CELL_QUOTES = 3
_LIKELY = 0.85  # of the best document's score, from which a document is compared as well


def compared(shortlist: Shortlist, pool: Pool) -> tuple[Document, ...]:
    """The documents that the question names, else the likeliest, else those that the passages come from.

    For a named one that is missing no other stands in.
    """
    named: dict[int, Document] = {}
    for ranked in shortlist.documents:
        if ranked.subject >= 0:
            named.setdefault(ranked.subject, ranked.document)
    if len(named) > 1 or (named and shortlist.missing):
        return tuple(named[subject] for subject in sorted(named))
    documents = tuple(dict.fromkeys(passage.segment.document for passage in pool.passages))
    likely = tuple(
        ranked.document
        for ranked in shortlist.documents
        if ranked.score >= _LIKELY or (shortlist.named >= SURE and ranked.named >= ALIKE)
    )
    if len(likely) > 1:
        return likely[:_ROWS]
    return tuple(dict.fromkeys((*named.values(), *likely, *documents)))[:_ROWS]


type Matrix = tuple[tuple[str, ...], Cells]  # what is asked across, and the cells


def points(understanding: Understanding) -> tuple[str, ...]:
    """The columns of a comparison: the points that the question names, else the question."""
    return dimensions(understanding) or parts(understanding)


def cells_of(understanding: Understanding, pool: Pool, documents: Sequence[Document]) -> Matrix:
    """The sentences that speak most about each point, for each document by itself, without a model.

    Where the question names no point, the points are what differs between the two documents.
    """
    points = dimensions(understanding)
    if not points and (differing := between(pool, documents)):
        return tuple(differing), {
            (document.document_id, number): (_verbatim(quotes, number),)
            for number, by_document in enumerate(differing.values(), 1)
            for document, quotes in by_document.items()
        }
    points = points or parts(understanding)
    cells = {}
    for document in documents:
        own = tuple(passage for passage in pool.ranked if passage.segment.document == document)
        for number, part in enumerate(points, 1):
            quotes = best_of(part, own, CELL_FLOOR, CELL_QUOTES)
            if quotes:
                cells[document.document_id, number] = (_verbatim(quotes, number),)
    return points, cells


def _verbatim(quotes: Sequence[Quote], number: int) -> Statement:
    return Statement(" … ".join(quote.text for quote in quotes), tuple(quotes), part=number, verbatim=True)


def matrix(
    understanding: Understanding,
    pool: Pool,
    documents: Sequence[Document],
    filled: Matrix,
    ledger: Ledger,
) -> Comparison:
    """The whole matrix; markers are made in reading order of the table."""
    points_named, cells = filled
    tried = asked_of(pool, _TRIED) or (understanding.text,)
    rows = []
    for document in documents:
        row = [
            _cell(cells.get((document.document_id, number), ()), tried, ledger)
            for number in range(1, len(points_named) + 1)
        ]
        rows.append(ComparisonRow(document, tuple(row)))
    return Comparison(points_named, tuple(rows))


def _cell(statements: Sequence[Statement], tried: tuple[str, ...], ledger: Ledger) -> Cell:
    if not statements:
        return Cell(None, (), tried)
    quotes = [quote for statement in statements for quote in statement.quotes]
    for words in (words for statement in statements for words in _words(statement)):
        ledger.write(words)
    return Cell(" ".join(statement.text for statement in statements), ledger.mark(quotes))


def table(
    comparison: Comparison, cells: Cells, question: str, gaps: Mapping[tuple[str, int], str] | None = None
) -> str:
    """The matrix as a Markdown table; few documents stand side by side where many points go down.

    `gaps` name the phrases for cells that are empty without anybody having found nothing.
    """
    gaps = gaps or {}
    names = [shown_name(row.document.name) for row in comparison.rows]
    written = [
        [
            phrase(gap, question)
            if (gap := gaps.get((row.document.document_id, number)))
            else _cell_text(cell, cells.get((row.document.document_id, number), ()), question)
            for number, cell in enumerate(row.cells, 1)
        ]
        for row in comparison.rows
    ]
    points = [safe(point) for point in comparison.dimensions]
    if len(names) <= _SIDE_BY_SIDE and len(points) > len(names):
        heads = [phrase("point", question), *names]
        rows = [[point, *column] for point, column in zip(points, zip(*written, strict=True), strict=True)]
    else:
        heads = [phrase("document", question), *points]
        rows = [[name, *row] for name, row in zip(names, written, strict=True)]
    return "\n".join(map(_line, (heads, ["---"] * len(heads), *rows)))


def _words(statement: Statement) -> tuple[str, ...]:
    return tuple(quote.text for quote in statement.quotes) if statement.verbatim else (statement.text,)


def _cell_text(cell: Cell, statements: Sequence[Statement], question: str) -> str:
    if cell.text is None:
        return phrase("cell_missing", question, queries="; ".join(map(safe, cell.queries)))
    texts = [" … ".join(map(safe, _words(statement))) for statement in statements]
    unproven = [detail for statement in statements for detail in statement.missing]
    note = f" ({phrase('unproven', question, details='; '.join(map(safe, unproven)))})" if unproven else ""
    return f"{' '.join(texts)} {markers(cell.markers)}{note}"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', '\\|') for cell in cells)} |"


def facets(comparison: Comparison, tried: tuple[str, ...]) -> tuple[Facet, ...]:
    """A dimension is covered when every document has a cell for it, partial when some have."""
    parts = []
    for number, dimension in enumerate(comparison.dimensions):
        column = [row.cells[number] for row in comparison.rows]
        filled = [cell for cell in column if cell.text is not None]
        numbers = tuple(dict.fromkeys(marker for cell in filled for marker in cell.markers))
        if not filled:
            parts.append(Facet(dimension, "missing", (), tried))
        else:
            complete = len(filled) == len(column)
            parts.append(Facet(dimension, "covered" if complete else "partial", numbers, tried))
    return tuple(parts)
