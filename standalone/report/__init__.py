"""The report of an evaluation as one page that can be sent and printed: no script, nothing from elsewhere."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from evidence.evaluation.measured import DEPTHS, measured_from, worst
from host.view.evaluation import Evaluation, percent, rows

_BINS = 12
_TITLES = {
    "failed": "could not be asked",
    "answered": "answered without need",
    "missing_document": "document missing",
    "missing_text": "text missing",
    "split": "cut in two",
    "wrong_dataset": "wrong dataset",
    "duplicate": "duplicate",
    "heading": "no common word",
    "ranked_low": "ranked low",
    "abstained": "no answer given",
    "not_quoted": "other words quoted",
}


def page(report: Mapping[str, Any]) -> str:
    """The page of a report, as `report.json` holds it; the same report gives the same bytes."""
    loader = FileSystemLoader(Path(__file__).parent)
    environment = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    environment.filters["percent"] = percent
    questions = list(report["questions"])
    measured = [measured_from(row) for row in questions]
    order = {id(one): place for place, one in enumerate(measured)}
    return environment.get_template("page.html").render(
        report=report,
        summary=report["report"],
        rows=list(rows(Evaluation(measured))),
        hits=_hits(report["report"]),
        faults=_bars({_TITLES[name]: count for name, count in report["report"]["faults"].items()}),
        seconds=_histogram([one.seconds for one in measured]),
        slowest=max((one.seconds for one in measured), default=0.0),
        wrong=[questions[order[id(one)]] for one in worst(measured)],
        questions=questions,
    )


def _hits(summary: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Two bars a depth; heights are of 100."""
    return [
        {
            "name": f"hit@{depth}",
            "x": 30 + 75 * place,
            "own": 100 * (summary["hit"][str(depth)] or 0.0),
            "dify": 100 * (summary["dify_hit"][str(depth)] or 0.0),
        }
        for place, depth in enumerate(DEPTHS)
    ]


def _bars(counts: Mapping[str, int]) -> list[dict[str, Any]]:
    """A bar a name; widths are of 150."""
    most = max(counts.values(), default=1)
    return [
        {"name": name, "count": count, "y": 22 * place, "width": 150 * count / most}
        for place, (name, count) in enumerate(counts.items())
    ]


def _histogram(seconds: Sequence[float]) -> list[dict[str, float]]:
    """How many questions took how long, in equal steps from nothing to the longest; heights are of 100."""
    longest = max(seconds, default=0.0) or 1.0
    places = [min(int(_BINS * taken / longest), _BINS - 1) for taken in seconds]
    counts = [places.count(place) for place in range(_BINS)]
    most = max(counts, default=1) or 1
    return [
        {"x": 30 + 25 * place, "height": 100 * count / most, "count": count}
        for place, count in enumerate(counts)
    ]
