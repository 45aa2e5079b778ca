"""The picture of docs/architecture.md: the rooms of the product and what each imports, drawn from the source."""

import argparse
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from bench.imports import ROOT, edges

type Edges = frozenset[tuple[str, str]]

# What every room may import; it stands in one line instead of fifty arrows.
SHARED = ("context", "cache", "limits", "trace", "workers", "single_flight", "lru", "model", "errors")
_DRAWN_AS = {"settings": "pipeline"}
# The place of a room, its centre in pixels from the left and its row, and what it does.
ROOMS: Mapping[str, tuple[int, int, str]] = {
    "doorways": (430, 0, "tools, provider, endpoints"),
    "host": (430, 1, "parameters, wiring, views"),
    "evaluation": (430, 2, "answers held to expectations"),
    "pipeline": (430, 3, "stages in order, settings"),
    "understand": (120, 4, "what is asked"),
    "discover": (330, 4, "which documents"),
    "search": (535, 4, "which passages"),
    "answer": (740, 4, "quotes, composed"),
    "llm": (180, 5, "models, prompts, replies"),
    "corpus": (485, 5, "what was read, and when"),
    "knowledge": (330, 6, "Dify's datasets API"),
    "store": (120, 6, "the index on disk"),
    "index": (535, 6, "BM25, fields, fusion"),
    "verify": (740, 6, "quotes, claims, negation"),
    "http": (180, 7, "the only network"),
    "language": (640, 7, "text, one table a language"),
}
_WIDE, _HIGH, _ROW, _TOP = 172, 46, 88, 12
_WIDTH = 860
_HEAD = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" text-anchor="middle"
font-family="system-ui, sans-serif">
<title>The rooms of the plugin; an arrow leads from a room to one that it imports</title>
<defs><marker id="end" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
{arrowhead}</marker></defs>"""


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of a picture, as CSS."""

    name: str
    box: str
    line: str
    text: str
    quiet: str


THEMES = (
    Theme("light", "#f6f8fa", "#8c959f", "#1f2328", "#59636e"),
    Theme("dark", "#161b22", "#6e7681", "#e6edf3", "#9198a1"),
)


def drawn(imported: Edges | None = None) -> Edges:
    """The arrows: the imports between rooms, without those to what all share, and without short cuts.

    A short cut leads where other arrows lead too: of a > b, b > c and a > c the last is left out.
    """
    named = ((_DRAWN_AS.get(one, one), _DRAWN_AS.get(other, other)) for one, other in imported or edges())
    between = frozenset((a, b) for a, b in named if a != b and not {a, b} & {*SHARED})
    return frozenset((a, b) for a, b in between if not _leads(a, b, between - {(a, b)}))


def picture(theme: Theme, arrows: Iterable[tuple[str, str]]) -> str:
    """The SVG; each arrow carries its rooms as `data-arrow`. A room without a place in ROOMS is a KeyError."""
    listed = sorted(arrows)
    height = _TOP + 8 * _ROW + 6
    arrowhead = f'<path d="M0 0 8 4 0 8z" fill="{theme.line}"/>'
    shared = f"imported by any room: {', '.join(SHARED)}"
    return "\n".join(
        (
            _HEAD.format(width=_WIDTH, height=height, arrowhead=arrowhead),
            *(_arrow(one, other, listed, theme) for one, other in listed),
            *(_box(name, theme) for name in ROOMS),
            f'<text x="{_WIDTH // 2}" y="{height - 14}" font-size="13" fill="{theme.quiet}">{shared}</text>',
            "</svg>\n",
        )
    )


def run(_options: argparse.Namespace) -> Mapping[str, Any]:
    """docs/architecture-light.svg and docs/architecture-dark.svg, drawn anew."""
    for theme in THEMES:
        file = ROOT / "docs" / f"architecture-{theme.name}.svg"
        file.write_text(picture(theme, drawn()), encoding="utf-8")
        print(file.relative_to(ROOT))
    return {}


def add(commands: Any) -> None:
    made = commands.add_parser("picture", help="the picture of the rooms in docs/architecture.md")
    made.set_defaults(run=run, json=None)


def _leads(start: str, end: str, between: Edges) -> bool:
    return any(other == end or _leads(other, end, between) for one, other in between if one == start)


def _box(name: str, theme: Theme) -> str:
    centre, row, what = ROOMS[name]
    top = _TOP + row * _ROW
    return (
        f'<rect x="{centre - _WIDE // 2}" y="{top}" width="{_WIDE}" height="{_HIGH}" rx="6" fill="{theme.box}" '
        f'stroke="{theme.line}"/>'
        f'<text x="{centre}" y="{top + 20}" font-size="15" font-weight="600" fill="{theme.text}">{name}</text>'
        f'<text x="{centre}" y="{top + 37}" font-size="12" fill="{theme.quiet}">{escape(what)}</text>'
    )


def _arrow(one: str, other: str, arrows: Sequence[tuple[str, str]], theme: Theme) -> str:
    """From the lower edge of a room to the upper edge of another, beside the other arrows of both."""
    begin = _port(ROOMS[one][0], other, [b for a, b in arrows if a == one])
    end = _port(ROOMS[other][0], one, [a for a, b in arrows if b == other])
    top = _TOP + ROOMS[one][1] * _ROW + _HIGH
    bottom = _TOP + ROOMS[other][1] * _ROW
    bend = (_ROW - _HIGH) * 0.7
    return (
        f'<path data-arrow="{one} {other}" d="M{begin} {top}C{begin} {top + bend:g} {end} {bottom - bend:g} '
        f'{end} {bottom}" fill="none" stroke="{theme.line}" stroke-width="1.3" marker-end="url(#end)"/>'
    )


def _port(centre: int, room: str, rooms: Sequence[str]) -> int:
    """Where an arrow to or from `room` meets a box, in pixels: spread in the order in which the rooms stand."""
    ordered = sorted(rooms, key=lambda name: ROOMS[name][0])
    step = _WIDE // (len(ordered) + 1)
    return centre - _WIDE // 2 + step * (ordered.index(room) + 1)
