"""`python -m bench cases`: pass rates by kind, with all rules and with one ablation at a time."""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.ablations import ABLATIONS, chosen
from bench.cases.data import KINDS, Case, Kind, kinds, together
from bench.metrics import Place, mean, overlap, recall
from bench.rig import Ablation, Bench, Rig, Said, places_of, warm_up
from bench.tables import table

DEPTH = 3
_TOUCHED = 0.5  # of an answer's characters
_HELD_BACK = frozenset({"not_found", "partial", "ambiguous"})
WHOLE = "all rules"


@dataclass(frozen=True, slots=True)
class Tried:
    """A case passes when its answer is quoted, before what is wrong, or nothing is answered where nothing answers.

    `found` is whether the answer stands in the first three passages of `search`; `first` is the first quote.
    """

    case: Case
    status: str
    passed: bool
    found: bool
    first: str


def add(commands: Any) -> None:
    asked = commands.add_parser("cases", help="hand-made cases by kind: what rules of language are worth")
    asked.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    asked.add_argument(
        "--ablate", nargs="?", const="each", metavar="NAMES", help="switch features off, one at a time"
    )
    asked.add_argument("--failed", action="store_true", help="list what failed")
    asked.add_argument("--json", type=Path, metavar="FILE")
    asked.set_defaults(run=run)


def run(options: argparse.Namespace) -> Mapping[str, Any]:
    """The tables on standard output; the report."""
    given = kinds(options.kinds)
    ablations: dict[str, Ablation | None] = {
        WHOLE: None,
        **{name: ABLATIONS[name] for name in chosen(options.ablate)},
    }
    tried = {name: measure(given, ablation) for name, ablation in ablations.items()}
    found = report(tried)
    for each in tables(found):
        print(f"{each}\n")
    if options.failed:
        for kind, rows in found["details"].items():
            for row in rows:
                if not row["passed"]:
                    print(f"{kind}: {row['status']}: {row['question']}\n  {row['first'] or '(no quote)'}")
    return found


def measure(given: Sequence[Kind], ablation: Ablation | None = None) -> dict[str, list[Tried]]:
    """All cases by kind, through one warm plugin in this process that reads the documents of all kinds."""
    bench = Bench(in_process=True, ablation=ablation)
    with bench.serve(together(kinds())) as server, bench.rig(server) as rig:
        warm_up(rig, given[0].cases[0].question)
        return {kind.name: [_tried(rig, case) for case in kind.cases] for kind in given}


def report(tried: Mapping[str, Mapping[str, Sequence[Tried]]]) -> dict[str, Any]:
    """Shares in percent by ablation and kind; what became of each case with all rules."""
    return {
        "rates": {
            name: {kind: _rates(rows) for kind, rows in found.items()} for name, found in tried.items()
        },
        "details": {kind: [_detail(each) for each in rows] for kind, rows in tried[WHOLE].items()},
    }


def tables(found: Mapping[str, Any]) -> list[str]:
    """Each kind with all rules; then the passes of each kind with each ablation."""
    rates = found["rates"]
    head = ("kind", "cases", "passed", "found", "answered")
    rows = [
        (kind, str(each["cases"]), *(f"{each[name]:.1f}" for name in head[2:]))
        for kind, each in rates[WHOLE].items()
    ]
    made = [table(head, rows)]
    if len(rates) > 1:
        listed = tuple(rates[WHOLE])
        ablated = [
            (name, *(f"{each[kind]['passed']:.1f}" for kind in listed)) for name, each in rates.items()
        ]
        made.append(table(("passed", *listed), ablated))
    return made


def _tried(rig: Rig, case: Case) -> Tried:
    said = rig.ask("quote", {"query": case.question})
    status = str(said.json.get("status", "failed"))
    quotes = _quotes(rig, said)
    first = next((each["quote"] for each in said.json.get("citations", ())), "")
    if not case.answers:
        return Tried(case, status, status in _HELD_BACK, True, first)
    found = rig.ask("search", {"query": case.question, "top_k": DEPTH})
    places = places_of(rig.server, found.json.get("passages", ()))[:DEPTH]
    return Tried(case, status, passes(case, quotes), _touched(case.answers, places), first)


def passes(case: Case, quotes: Sequence[Place]) -> bool:
    """Whether every part of the answer is quoted, and nothing that is wrong stands before its first part."""
    right = next((at for at, each in enumerate(quotes) if overlap((each,), case.answers)), len(quotes))
    wrong = next((at for at, each in enumerate(quotes) if overlap((each,), case.instead)), len(quotes))
    return _touched(case.answers, quotes) and right <= wrong


def _touched(answers: Sequence[Place], places: Sequence[Place]) -> bool:
    return all(recall(places, (each,)) >= _TOUCHED for each in answers)


def _quotes(rig: Rig, said: Said) -> list[Place]:
    citations = said.json.get("citations", ())
    found = places_of(rig.server, citations)
    return [
        Place(segment.file, segment.start + each["start"], segment.start + each["end"])
        for each, segment in zip(citations, found, strict=True)
    ]


def _rates(rows: Sequence[Tried]) -> dict[str, float]:
    shares = {
        "passed": mean(each.passed for each in rows),
        "found": mean(each.found for each in rows),
        "answered": mean(each.status == "answered" for each in rows),
    }
    return {"cases": len(rows), **{name: round(100 * share, 2) for name, share in shares.items()}}


def _detail(each: Tried) -> dict[str, Any]:
    return {
        "question": each.case.question,
        "answerable": bool(each.case.answers),
        "status": each.status,
        "passed": each.passed,
        "found": each.found,
        "first": each.first,
    }
