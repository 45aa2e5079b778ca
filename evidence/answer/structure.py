"""What a quoted sentence needs beside it to be read: what it leads to, what it leans on, the head row of a table.

Structure is read from the text itself, as Markdown and plain manuals write it; a quote stays one span of its segment.
"""

import re
from collections.abc import Iterator, Sequence

from evidence.language.rules import every
from evidence.language.sentences import analysed
from evidence.llm.fence import suspicious
from evidence.model import Quote, Span

MOST = 500  # characters of what follows
_LEADS = re.compile(r"[:：][*_\s]{0,9}$")
_LEANS_BACK = re.compile(every("leans_back"), re.IGNORECASE)
_LINE = re.compile(r"[^\n]+")
_RULER = re.compile(r"[ \t]{0,9}+\n[ \t]{0,9}+\|?[ \t]{0,9}+:?--")
_ITEM = re.compile(r"[ \t]{0,20}(?:[-–—*•·▪◦●○■□]|\(?(?:\d{1,3}|[a-zA-Z])[.)])[ \t]\S")
_CODE = re.compile(r"(?: {4}|\t| {0,3}(?:```|~~~))")


def is_head_row(text: str, span: Span) -> bool:
    """Whether a line is the head row of a table: it names the columns, and says nothing."""
    return text.startswith("|", span.start) and _RULER.match(text, span.end) is not None


def list_lines(text: str) -> list[str]:
    """The lines of a text that is a list with no more than a lead-in; none of any other text."""
    first, *others = (line for line in text.splitlines() if line.strip())
    return [first, *others] if others and all(_ITEM.match(line) for line in others) else []


def completed(quotes: Sequence[Quote]) -> list[Quote]:
    """The quotes, each with the list, code or table that it leads to; rows of a table behind its head row."""
    whole = [_with_what_follows(_with_what_it_leans_on(quote)) for quote in quotes]
    return list(dict.fromkeys(part for quote in whole for part in (*_head_rows(quote), quote)))


def _head_rows(quote: Quote) -> Iterator[Quote]:
    """The head row of the table that a quote begins in the middle of."""
    text, start = quote.segment.text, quote.span.start
    if not text.startswith("|", start):
        return
    while start > 0 and (before := text.rfind("\n", 0, start - 1) + 1) < start and text[before] == "|":
        start = before
    head = Span(start, text.find("\n", start))
    if start < quote.span.start and is_head_row(text, head):
        yield Quote(quote.segment, head)


def _with_what_it_leans_on(quote: Quote) -> Quote:
    """The quote behind the sentence before it, where it begins with "it"."""
    if not _LEANS_BACK.match(quote.text):
        return quote
    text, start = quote.segment.text, quote.span.start
    before = [
        sentence for sentence in analysed(text) if sentence.span.end <= start and not sentence.is_heading
    ]
    if not before or text[before[-1].span.end : start].strip() or "\n\n" in text[before[-1].span.end : start]:
        return quote
    return Quote(quote.segment, Span(before[-1].span.start, quote.span.end))


def _with_what_follows(quote: Quote) -> Quote:
    text, span = quote.segment.text, quote.span
    lines = quote.text.split("\n")
    kind = "list" if _kind(lines[-1]) == "list" != _kind(lines[0]) else ""  # a lead-in and some of its items
    end = _end_of_block(text, span.end, kind, leads=bool(_LEADS.search(quote.text)))
    longer = Quote(quote.segment, Span(span.start, end))
    return longer if end > span.end and not suspicious(longer.text) else quote


def _end_of_block(text: str, start: int, kind: str, *, leads: bool) -> int:
    """Where the list, code or table that begins behind a place, or goes on there, ends; the place where none does."""
    end = start
    for line in _LINE.finditer(text, start, min(len(text), start + MOST)):
        if not line[0].strip():
            continue
        own = _kind(line[0])
        if not kind and own and (leads or own == "code"):
            kind = own
        if not kind or (own != kind and not line[0][0].isspace()):
            break
        end = line.end()
    return end


def _kind(line: str) -> str:
    if line.lstrip().startswith("|"):
        return "table"
    if _ITEM.match(line):
        return "list"
    return "code" if _CODE.match(line) else ""
