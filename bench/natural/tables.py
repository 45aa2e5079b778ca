"""The report of natural questions for people."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bench.natural.measuring import PRODUCT
from bench.tables import table

_FOUND = ("doc@1", "hit@1", "hit@4", "hit@8", "cov@8")
_QUOTED = ("answer_near", "precision", "chars_median", "verdict")
_HONEST = (
    "answered_share",
    "answered_right",
    "settled_share",
    "settled_right",
    "lost",
    "held",
    "refused",
    "contradictions",
)
_WHOLE = frozenset({"chars_median", "contradictions", "n", "unanswerable"})
POOLED = "all, pooled"
ENGLISH = "English, pooled"


def page(report: Mapping[str, Any]) -> Iterator[str]:
    """The tables, one after the other; sets that are asked together stand last, in no pool."""
    bases = report["bases"] | {POOLED: report["pooled"]}
    if report["english"] and report["english"] != report["pooled"]:
        bases |= {ENGLISH: report["english"]}
    bases |= report.get("english_together", {}).get("bases", {})
    yield _beside(bases)
    yield _product(bases, _QUOTED, "n")
    yield _product(bases, _HONEST, "unanswerable")
    yield _categories(report["categories"])


def _beside(bases: Mapping[str, Any]) -> str:
    """How well each column finds: a line a base and column."""
    rows = [
        (base, str(figures["n"]), column, *_cells(figures, _FOUND))
        for base, columns in bases.items()
        for column, figures in columns.items()
    ]
    return table(("base", "n", "ranking", *_FOUND), rows)


def _product(bases: Mapping[str, Any], names: Sequence[str], count: str) -> str:
    rows = [
        (base, *_cells(columns[PRODUCT], (count,)), *_cells(columns[PRODUCT], names))
        for base, columns in bases.items()
    ]
    return table(("product", count, *names), rows)


def _categories(columns: Mapping[str, Any]) -> str:
    """hit@8 of each column, and what the product quotes, by category; last the kinds that nothing answers."""
    others = [name for name in columns if name != PRODUCT]
    head = ("category", "n", "doc@1", "hit@8", *(f"{name} hit@8" for name in others), *_QUOTED)
    head += ("answered", "lost", "held", "refused")
    rows = []
    for category, figures in sorted(columns[PRODUCT].items(), key=lambda each: not each[1]["n"]):
        beside = [_cell(columns[name].get(category, {}), "hit@8") for name in others]
        count = figures["n"] or figures["unanswerable"]
        found = _cells(figures, ("doc@1", "hit@8"))
        honest = _cells(figures, (*_QUOTED, "answered_share", "lost", "held", "refused"))
        rows.append((category, str(count), *found, *beside, *honest))
    return table(head, rows)


def _cells(figures: Mapping[str, float], names: Sequence[str]) -> tuple[str, ...]:
    return tuple(_cell(figures, name) for name in names)


def _cell(figures: Mapping[str, float], name: str) -> str:
    value = figures.get(name)
    if value is None:
        return "-"
    return f"{value:.0f}" if name in _WHOLE else f"{value:.1f}"
