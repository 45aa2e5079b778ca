"""The little Markdown that our answers use, drawn for a screen: quotes, lists, tables, bold."""

import re
from collections.abc import Iterator, Sequence

from evidence.language.printable import printable
from standalone.cli.screen import Screen, columns, fitted, padded

_ITEM = re.compile(r"^(\s*)([-*]|\d+\.)\s+(.*)$")
_BOLD = re.compile(r"\*\*([^*\n]+)\*\*")
_ESCAPED = re.compile(r"\\([<\[\]`])")  # what would be a tag, a link or code in Markdown
_BAR = "│ "
_SOURCE = "— "
_WIDEST_NAME = 30


def drawn(text: str, screen: Screen) -> Iterator[str]:
    """The lines of a Markdown text; a blank line stays blank."""
    rows: list[list[str]] = []
    for line in _ESCAPED.sub(r"\1", printable(text)).splitlines():
        if line.startswith("|"):
            rows.append(_cells(line))
            continue
        yield from _table(rows, screen)
        rows.clear()
        yield from _line(line, screen)
    yield from _table(rows, screen)


def _line(line: str, screen: Screen) -> Iterator[str]:
    if line.startswith("> "):
        bar = screen.styled(_BAR, "green")
        plain = Screen(screen.width - 2)
        yield from (f"{bar}{each}" for each in plain.wrapped(line[2:]))
    elif line.startswith(_SOURCE):
        yield from (screen.styled(each, "dim") for each in screen.wrapped(line))
    elif found := _ITEM.match(line):
        mark = "•" if found[2] in "-*" else found[2]
        yield from _bold(screen.wrapped(found[3], f"{found[1]}{mark} "), screen)
    else:
        yield from _bold(screen.wrapped(line), screen)


def _bold(lines: Iterator[str], screen: Screen) -> Iterator[str]:
    """Marks that were torn apart between two lines are left as they are."""
    return (_BOLD.sub(lambda found: screen.styled(found[1], "bold"), line) for line in lines)


def _cells(line: str) -> list[str]:
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]]


def _table(rows: Sequence[Sequence[str]], screen: Screen) -> Iterator[str]:
    """The first column as wide as its longest name, the others share the rest; cells go over several lines."""
    told = [row for row in rows if not all(set(cell) <= set("-: ") for cell in row)]
    if not told:
        return
    count = max(len(row) for row in told)
    first = min(_WIDEST_NAME, max(columns(row[0]) for row in told))
    share = max(10, (screen.width - first) // max(1, count - 1) - 2)
    widths = [first, *[share] * (count - 1)]
    for number, row in enumerate(told):
        if number > 1:
            yield ""
        whole = [*row, *[""] * (count - len(row))]
        cells = [fitted(cell, width) for cell, width in zip(whole, widths, strict=True)]
        for at in range(max(len(cell) for cell in cells)):
            parts = [
                padded(cell[at] if at < len(cell) else "", width)
                for cell, width in zip(cells, widths, strict=True)
            ]
            line = "  ".join(parts).rstrip()
            yield line if number else screen.styled(line, "bold")
        if number == 0:
            yield "  ".join("─" * width for width in widths)
