"""Text into segments: a recursive splitter that keeps every segment a verbatim slice of the text."""

from collections.abc import Iterator

_SEPARATORS = ("\n\n", "\n", "。", ". ", " ", "")

type Slice = tuple[int, int]


def split(text: str, limit: int) -> tuple[Slice, ...]:
    """Cut text into slices [start, end) of at most `limit` characters, blank ends stripped, no overlap.

    The coarsest separator is tried first (paragraph, line, sentence, word, character); neighbouring
    pieces are merged as long as they fit. A blank text gives no slice.
    """
    if limit < 1:
        raise ValueError("A segment needs room for at least one character.")
    slices = (_stripped(text, start, end) for start, end in _windows(text, (0, len(text)), limit, 0))
    return tuple((start, end) for start, end in slices if start < end)


def _windows(text: str, whole: Slice, limit: int, level: int) -> Iterator[Slice]:
    if whole[1] - whole[0] <= limit:
        yield whole
        return
    opened: Slice | None = None
    for start, end in _pieces(text, whole, limit, _SEPARATORS[level]):
        if opened is not None and end - opened[0] <= limit:
            opened = (opened[0], end)
            continue
        if opened is not None:
            yield opened
        opened = None
        if end - start <= limit:
            opened = (start, end)
        else:
            yield from _windows(text, (start, end), limit, level + 1)
    if opened is not None:
        yield opened


def _pieces(text: str, whole: Slice, limit: int, separator: str) -> Iterator[Slice]:
    """Cut at the separator; what can be read of it (a full stop) stays with the piece before it."""
    start, stop = whole
    if not separator:
        for cut in range(start, stop, limit):
            yield cut, min(cut + limit, stop)
        return
    kept = len(separator.rstrip())
    while (found := text.find(separator, start, stop)) >= 0:
        yield start, found + kept
        start = found + len(separator)
    if start < stop:
        yield start, stop


def _stripped(text: str, start: int, end: int) -> Slice:
    piece = text[start:end]
    return end - len(piece.lstrip()), start + len(piece.rstrip())
