"""One question's path, drawn from its receipt: when each step began and how long it took."""

from collections.abc import Iterator, Mapping
from typing import Any

from standalone.cli.screen import Screen, Style, padded

_NAME = 34  # columns
_TIME = 10
_STYLES: Mapping[str, Style] = {"knowledge": "blue", "model": "yellow"}


def timeline(receipt: Mapping[str, Any], screen: Screen) -> Iterator[str]:
    """A bar a step, in the order in which they began; the width of the screen is the time of the question."""
    whole = float(receipt.get("seconds") or 0.0) or 1.0
    room = max(10, screen.width - _NAME - _TIME)
    yield screen.styled(f"{padded('step', _NAME)}{padded('0 s', room - 6)}{whole:>5.2f} s", "dim")
    for step in receipt.get("steps", ()):
        yield _bar(step, whole, room, screen)


def _bar(step: Mapping[str, Any], whole: float, room: int, screen: Screen) -> str:
    began, seconds = float(step.get("began", 0.0)), float(step["seconds"])
    start = min(room - 1, round(room * began / whole))
    length = max(1, min(room - start, round(room * seconds / whole)))
    mark = "█" if room * seconds / whole >= 0.5 else "▏"
    style = _STYLES.get(str(step["name"]).split(".", maxsplit=1)[0], "green")
    drawn = " " * start + screen.styled(mark * length, style) + " " * (room - start - length)
    failed = screen.styled(" failed", "red") if step.get("error") else ""
    return f"{padded(_named(step), _NAME)}{drawn}{1000 * seconds:>6.0f} ms{failed}"


def _named(step: Mapping[str, Any]) -> str:
    """The step's name with the fact that tells it from its neighbours."""
    facts = step.get("facts", {})
    told = str(facts.get("prompt", facts.get("origin", ""))).split("@", maxsplit=1)[0]
    if not told and "items" in facts:
        told = f"{facts['items']} items"
    name = f"{step['name']} ({told})" if told else str(step["name"])
    return name if len(name) < _NAME else f"{name[: _NAME - 2]}…"
