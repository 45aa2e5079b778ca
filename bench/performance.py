"""The page of what a question costs: ours beside the peer's, as counts and ratios."""

from collections.abc import Mapping, Sequence
from typing import Any

from bench import latency
from bench.data import Asked, Data
from bench.rig import Bench
from bench.tables import latency_notes, latency_table, table
from standalone.cli.printing import lines, timeline
from standalone.models import reverse_llm
from standalone.models.reader import MODELS

# kbbridge 0.3.0 over 95 contracts of ContractNLI with the same delays, smallest and largest of its questions. F
# documents among its first 20 passages (12 to 19) make 4 + 3F model calls, 3 + 6F requests and 2 + 2F retrieves.
PEER: Mapping[str, tuple[float, float]] = {
    "seconds": (21.9, 27.8),
    "knowledge_calls": (93, 117),
    "retrieves": (26, 40),
    "model_calls": (49, 60),
    "prompt_tokens": (101_000, 135_000),
    "megabytes": (279, 288),
}
_TOLD: Mapping[str, str] = {
    "seconds": "seconds",
    "knowledge_calls": "requests to Dify",
    "retrieves": "… of them retrieves",
    "model_calls": "model calls",
    "prompt_tokens": "prompt tokens",
    "megabytes": "MiB of memory",
}
_HEAD = """# Performance, measured

Made by `python -m bench latency --data DIR --markdown`, where DIR holds the contractnli set of
[LegalBench-RAG](https://arxiv.org/abs/2408.10343) in the layout of `python -m bench`. The plugin runs in a process of
its own as Dify starts it; the stand-ins for Dify and the model answer after fixed delays, so that counts are exact and
times are those of the path, not of a provider. *Cold* is the first question of a fresh process, *warm* any later one.
"""


def measure(
    data: Data,
    questions: Sequence[Asked],
    crowd: Sequence[Asked],
    bench: Bench,
    model: str,
    cases: Sequence[latency.Case],
) -> dict[str, Any]:
    """The cases with the delays of `bench`; then the single ones once more with stand-ins that do not wait."""
    timed = latency.measure(data, questions, bench, cases, crowd)
    single = [case for case in cases if case.at_once == 1 and case.effort in ("extractive", "balanced")]
    at_once = Bench(bench.profile, models=reverse_llm(MODELS[model]))
    return timed | {"own": latency.measure(data, questions, at_once, single)["cases"]}


def page(report: Mapping[str, Any], knowledge_ms: float, model_ms: float) -> str:
    """Markdown, without a line break at its end."""
    delays = f"With {knowledge_ms:g} ms a request to Dify and {model_ms:g} ms a model call:"
    receipt = latency.first_receipt(report, "balanced")
    drawing = "\n".join(lines(timeline(receipt), width=100))
    parts = (
        (_HEAD.rstrip(), ""),
        ("## What a question costs", f"{delays}\n\n{_fence(latency_table(report))}\n\n{_notes(report)}"),
        ("## Beside the peer", _beside(report)),
        ("## Own time", f"The same questions with stand-ins that answer at once.\n\n{_fence(_own(report))}"),
        (
            "## The path of one question",
            f"Cold, balanced: the model reads the question beside the first look around.\n\n{_fence(drawing)}",
        ),
    )
    return "\n\n".join(f"{head}\n\n{body}".rstrip() for head, body in parts)


def _notes(report: Mapping[str, Any]) -> str:
    lines = latency_notes(report).splitlines()
    for effort in ("extractive", "balanced"):
        crowd = [row for row in report["cases"] if row["effort"] == effort and row["at_once"] > 1]
        one = _row(report["cases"], effort, cold=False)
        if crowd and one:
            most = max(crowd, key=lambda row: row["at_once"])
            times = most["slowest"] / one["seconds"]
            lines.append(f"{most['at_once']} at once, {effort}: the slowest took {times:.1f} times one alone")
    return "\n".join(f"- {line}" for line in lines)


def _beside(report: Mapping[str, Any]) -> str:
    """A line a measure: ours cold and warm, the peer's, and how many times ours the peer's is."""
    cold, warm = (_row(report["cases"], "balanced", cold=cold) for cold in (True, False))
    if not cold or not warm:
        return "No balanced question was measured."
    head = ["balanced", "ours, cold", "ours, warm", "kbbridge 0.3.0", "times ours, cold"]
    rows = []
    for name, (least, most) in PEER.items():
        ours = max(float(cold[name]), 0.01)
        ratio = f"{least / ours:.1f}-{most / ours:.1f}"
        rows.append((_TOLD[name], _figure(cold[name]), _figure(warm[name]), f"{least:g}-{most:g}", ratio))
    text = (
        "[kbbridge](https://pypi.org/project/kbbridge/) does this job over the same API. Its figures were measured\n"
        "over the same contracts with the same delays; for F documents among its first 20 passages it makes 4 + 3F\n"
        "model calls, 3 + 6F requests and 2 + 2F retrieves, one after the other in threes."
    )
    return f"{text}\n\n{_fence(table(head, rows))}"


def _own(report: Mapping[str, Any]) -> str:
    rows = [
        (f"{row['effort']}, {'cold' if row['cold'] else 'warm'}", f"{1000 * row['seconds']:.0f}")
        for row in report["own"]
    ]
    return table(["", "ms, median"], rows)


def _row(rows: Sequence[Mapping[str, Any]], effort: str, *, cold: bool) -> Mapping[str, Any]:
    found = (row for row in rows if (row["effort"], row["cold"], row["at_once"]) == (effort, cold, 1))
    return next(found, {})


def _figure(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if value < 100 else f"{value:.0f}"


def _fence(text: str) -> str:
    return f"```text\n{text}\n```"
