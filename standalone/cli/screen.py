"""Text on a screen: width of any script, lines that fit, colour on a terminal only."""

import os
import re
import shutil
import sys
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TextIO

from evidence.language.printable import printable

type Style = Literal["bold", "dim", "red", "green", "yellow", "blue"]

_CODES: dict[Style, str] = {
    "bold": "1",
    "dim": "2",
    "red": "31",
    "green": "32",
    "yellow": "33",
    "blue": "34",
}
# Wide characters stand alone, with the punctuation that must not begin or end a line; other words stay whole, and a
# marker such as [1] stays with the word before it.
_PIECE = re.compile(
    r"\s+|[「『（【〈《“]*[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uff60][、。，．：；？！）」』】〉》〕”]*"
    r"|[^\s\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uff60]+(?: (?:\[\d+\])+)*"
)
_WIDEST = 96  # columns; longer lines are hard to read
_UNKNOWN = 88  # columns where there is no terminal


@dataclass(frozen=True, slots=True)
class Screen:
    """Where a result is printed: `width` columns, with colour or without."""

    width: int = _UNKNOWN
    colour: bool = False

    @classmethod
    def of(cls, stream: TextIO) -> "Screen":
        """The terminal behind a stream; a file or a pipe gets 88 columns and no colour."""
        plain = "NO_COLOR" in os.environ  # noqa: TID251 - a convention of terminals (no-color.org)
        if not stream.isatty():
            return cls()
        return cls(max(40, min(_WIDEST, shutil.get_terminal_size().columns)), colour=not plain)

    def styled(self, text: str, *styles: Style) -> str:
        if not self.colour or not text:
            return text
        return f"\x1b[{';'.join(_CODES[style] for style in styles)}m{text}\x1b[0m"

    def wrapped(self, text: str, first: str = "", later: str | None = None) -> Iterator[str]:
        """The text in lines that fit, the first after `first`, the others after `later` (or as many blanks)."""
        indent = " " * columns(first) if later is None else later
        lines = fitted(text, self.width - max(columns(first), columns(indent)))
        for number, line in enumerate(lines or [""]):
            yield f"{indent if number else first}{line}".rstrip()


def columns(text: str) -> int:
    """How many columns a text takes; East Asian wide characters take two, combining ones none."""
    return sum(
        0 if unicodedata.combining(each) else 2 if unicodedata.east_asian_width(each) in "WF" else 1
        for each in text
    )


def fitted(text: str, width: int) -> list[str]:
    """The text in lines of at most `width` columns; a word that is longer is cut, and nothing steers the terminal."""
    lines, line = [], ""
    for piece in _pieces(printable(text), max(8, width)):
        blank = piece.isspace()
        if columns(line) + columns(piece) > width and not blank:
            lines.append(line.rstrip())
            line = ""
        if not blank:
            line += piece
        elif line:
            line += " "
    return [*lines, line.rstrip()] if line.strip() else [each for each in lines if each]


def padded(text: str, width: int) -> str:
    return text + " " * max(0, width - columns(text))


def _pieces(text: str, width: int) -> Iterator[str]:
    for piece in _PIECE.findall(text):
        rest = piece
        while columns(rest) > width:
            cut = next(at for at in range(len(rest), 0, -1) if columns(rest[:at]) <= width)
            yield rest[:cut]
            rest = rest[cut:]
        yield rest


def complain(line: str) -> None:
    """One line on standard error."""
    print(f"standalone: {' '.join(printable(line).split())}", file=sys.stderr)
