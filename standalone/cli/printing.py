"""A result in a terminal: the text that the plugin wrote, and below it what stands in the JSON for engineers."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from rich.bar import Bar
from rich.console import Console, RenderableType
from rich.markdown import Markdown
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from evidence.language.printable import printable

_WIDEST = 96  # columns; longer lines are hard to read
_NARROWEST = 40
_UNKNOWN = 88  # columns where there is no terminal
_THINNEST = 0.01  # of the time of the question
_SCORES = ("grounding", "completeness", "consistency", "specificity")
_COLOURS = {"knowledge": "blue", "model": "yellow"}  # of steps, by the first part of their names


def shown(text: str, result: Mapping[str, Any], heads: Sequence[str]) -> list[RenderableType]:
    """The text and the JSON of an answer; `heads` say what was asked."""
    question = Text(printable(str(result["question"])), "bold")
    parts: list[RenderableType] = [Text(head, "dim") for head in heads]
    return [*parts, "", question, Rule(style="dim"), Markdown(printable(text)), "", _foot(result)]


def lines(*parts: RenderableType, width: int | None = None) -> list[str]:
    """What a terminal shows, in its width and its colours; a file or a pipe gets 88 columns and no colour."""
    console = Console(highlight=False, markup=False, emoji=False)
    usual = max(_NARROWEST, min(_WIDEST, console.width)) if console.is_terminal else _UNKNOWN
    console.width = width or usual
    with console.capture() as printed:
        for part in parts:
            console.print(part)
    return [line.rstrip() for line in printed.get().splitlines()]


def _foot(result: Mapping[str, Any]) -> Table:
    """Where each quote stands in its segment, how the answer was judged, and what it cost."""
    places = (
        f"[{e['marker']}] characters {e['start']}–{e['end']}, {e['match']}" for e in result["citations"]
    )
    verdict, receipt = result["verdict"], result["receipt"]
    scores = ", ".join(f"{name} {verdict[name]:.2f}" for name in _SCORES)
    spent = {
        "knowledge call": receipt["knowledge_calls"],
        "model call": receipt["model_calls"],
        "token": receipt["prompt_tokens"] + receipt["completion_tokens"],
    }
    costs = (f"{count:,} {what}{'' if count == 1 else 's'}" for what, count in spent.items())
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim")
    for name, value in (
        ("Quotes", " · ".join(places)),
        ("Verdict", f"{verdict['status']}: {scores}"),
        ("Receipt", " · ".join((f"{receipt['seconds']:.1f} s", *costs))),
    ):
        if value:
            table.add_row(name, Text(value))
    return table


def timeline(receipt: Mapping[str, Any]) -> Table:
    """A bar a step, in the order in which they began; the width is the time of the question."""
    whole = float(receipt["seconds"]) or 1.0
    table = Table(box=None, padding=(0, 1), pad_edge=False, expand=True, header_style="dim")
    table.add_column("step")
    table.add_column("0 s", ratio=1)
    table.add_column(f"{whole:.2f} s", justify="right")
    for step in receipt["steps"]:
        began, colour = float(step["began"]), _COLOURS.get(step["name"].partition(".")[0], "green")
        ended = max(began + float(step["seconds"]), began + whole * _THINNEST)
        failed = Text(" failed" if step.get("error") else "", "red")
        spent = Text(f"{1000 * step['seconds']:.0f} ms").append_text(failed)
        table.add_row(
            Text(_named(step)), Bar(whole, min(began, whole * (1 - _THINNEST)), ended, color=colour), spent
        )
    return table


def _named(step: Mapping[str, Any]) -> str:
    """The step's name with the fact that tells it from its neighbours."""
    facts = step.get("facts", {})
    told = str(facts.get("prompt", facts.get("origin", ""))).partition("@")[0]
    if not told and "items" in facts:
        told = f"{facts['items']} items"
    return f"{step['name']} ({told})" if told else str(step["name"])


def print_json(result: Mapping[str, Any]) -> None:
    """A result as JSON, escaped where a terminal cannot show it."""
    written = json.dumps(result, ensure_ascii=False, indent=2)
    print(written if printable(written) == written else json.dumps(result, indent=2))
