"""A matrix: documents down, what is asked across; every cell stands on a quote or says what was tried."""

from collections.abc import Sequence

from evidence.answers.composing import Cells, Ledger, Statement, markers, safe, shown
from evidence.answers.extractive import best_of
from evidence.answers.judging import parts
from evidence.answers.phrases import phrase
from evidence.model import (
    Cell,
    Comparison,
    ComparisonRow,
    Document,
    Facet,
    Pool,
    Query,
    Shortlist,
    Understanding,
)

_ROWS = 12
_TRIED = 4  # queries named in a cell
CELL_FLOOR = 0.1  # share of a dimension that a document's best passage must hold
CELL_QUOTES = 2


def compared(shortlist: Shortlist, pool: Pool) -> tuple[Document, ...]:
    """The documents that the question names, else those that the passages come from, best first."""
    named: dict[int, Document] = {}
    for ranked in shortlist.documents:
        if ranked.subject >= 0:
            named.setdefault(ranked.subject, ranked.document)
    if len(named) > 1:
        return tuple(named[subject] for subject in sorted(named))
    found = dict.fromkeys(passage.segment.document for passage in pool.passages)
    return tuple(dict.fromkeys((*named.values(), *found)))[:_ROWS]


def cells_of(understanding: Understanding, pool: Pool, documents: Sequence[Document]) -> Cells:
    """The sentences that speak most about each part, for each document by itself, without a model."""
    cells = {}
    for document in documents:
        own = tuple(each for each in pool.passages if each.segment.document == document)
        for number, part in enumerate(parts(understanding), 1):
            quotes = best_of(part, own, CELL_FLOOR, CELL_QUOTES)
            if quotes:
                text = " … ".join(quote.text for quote in quotes)
                cells[document.document_id, number] = (Statement(text, quotes, part=number, verbatim=True),)
    return cells


def matrix(
    understanding: Understanding, pool: Pool, documents: Sequence[Document], cells: Cells, ledger: Ledger
) -> Comparison:
    """The whole matrix; markers are made in reading order of the table."""
    dimensions = parts(understanding)
    tried = _tried(pool.queries, understanding.text)
    rows = []
    for document in documents:
        row = [
            _cell(cells.get((document.document_id, number), ()), tried, ledger)
            for number in range(1, len(dimensions) + 1)
        ]
        rows.append(ComparisonRow(document, tuple(row)))
    return Comparison(dimensions, tuple(rows))


def _tried(queries: Sequence[Query], question: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(query.text for query in queries))[:_TRIED] or (question,)


def _cell(statements: Sequence[Statement], tried: tuple[str, ...], ledger: Ledger) -> Cell:
    if not statements:
        return Cell(None, (), tried)
    quotes = [quote for each in statements for quote in each.quotes]
    return Cell(" ".join(each.text for each in statements), ledger.mark(quotes))


def table(comparison: Comparison, cells: Cells, question: str) -> str:
    """The matrix as a Markdown table."""
    heads = [phrase("document", question), *(safe(each) for each in comparison.dimensions)]
    lines = [_line(heads), _line(["---"] * len(heads))]
    for row in comparison.rows:
        written = [
            _written(cell, cells.get((row.document.document_id, number), ()), question)
            for number, cell in enumerate(row.cells, 1)
        ]
        lines.append(_line([safe(row.document.name), *written]))
    return "\n".join(lines)


def _written(cell: Cell, statements: Sequence[Statement], question: str) -> str:
    if cell.text is None:
        return phrase("cell_missing", question, queries="; ".join(map(safe, cell.queries)))
    texts = [" … ".join(map(shown, each.quotes)) if each.verbatim else each.text for each in statements]
    unproven = [detail for each in statements for detail in each.missing]
    note = f" ({phrase('unproven', question, details='; '.join(map(safe, unproven)))})" if unproven else ""
    return f"{' '.join(texts)} {markers(cell.markers)}{note}"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', '\\|') for cell in cells)} |"


def facets(comparison: Comparison, tried: tuple[str, ...]) -> tuple[Facet, ...]:
    """A dimension is covered when every document has a cell for it, partial when some have."""
    found = []
    for number, dimension in enumerate(comparison.dimensions):
        column = [row.cells[number] for row in comparison.rows]
        filled = [cell for cell in column if cell.text is not None]
        numbers = tuple(dict.fromkeys(marker for cell in filled for marker in cell.markers))
        if not filled:
            found.append(Facet(dimension, "missing", (), tried))
        else:
            whole = len(filled) == len(column)
            found.append(Facet(dimension, "covered" if whole else "partial", numbers, tried))
    return tuple(found)
