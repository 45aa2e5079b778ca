"""Is a sentence held to be proven by its quotes where it is, and doubted where it is not?

A file holds a case a line: {id, question, sentence, quotes, document_name, context, label, kind, language,
quote_language}. Each is checked twice: with the quotes handed over, as they stand beside a model's sentence, and by the
tool `reflect`, which is given the longer passage and has to find in it what the sentence leans on.
"""

import argparse
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from bench.data import NoData, rows, spread
from bench.metrics import mean
from bench.rig import Bench, Rig
from bench.tables import table
from evidence.answer.model_reply import DraftQuote, DraftSentence, placed
from evidence.model import Document, Segment
from standalone.knowledge import Collection, Corpus, SourceDocument, SourceSegment

type Finding = Literal["passed", "doubted", "unlinked", "unknown"]
type Checks = Mapping[str, Sequence["Checked"]]  # by the way it was checked

FOLDS = 5
_BASE = "sentences"
_FLAGGED = frozenset({"doubted", "unlinked"})
_ABROAD = frozenset(
    {"number", "date", "name"}
)  # kinds that are counted where sentence and quote differ in language


@dataclass(frozen=True, slots=True)
class Case:
    """A sentence with its quotes, verbatim parts of `context`. `fold` is the same for all cases of one context."""

    id: str
    question: str
    sentence: str
    quotes: tuple[str, ...]
    document_name: str
    context: str
    right: bool
    kind: str
    language: str
    abroad: bool
    fold: int


@dataclass(frozen=True, slots=True)
class Checked:
    """`doubted` and `unlinked` (no passage bears on it) flag a sentence; `unknown` says that it cannot be compared."""

    case: Case
    finding: Finding

    @property
    def flagged(self) -> bool:
        return self.finding in _FLAGGED


def cases(file: Path, limit: int | None = None) -> tuple[Case, ...]:
    """At most `limit` cases, spread evenly; raises NoData."""
    folds: dict[str, int] = {}
    found = [_case(row, folds.setdefault(row["context"], len(folds)) % FOLDS) for row in rows(file)]
    if not found:
        raise NoData(f"{file} holds no case.")
    return spread(found, limit)


def measure(asked: Sequence[Case]) -> Checks:
    """Every case, checked in both ways."""
    return {"quotes handed over": [beside_quotes(each) for each in asked], "reflect": _by_reflect(asked)}


def report(checks: Checks) -> dict[str, Any]:
    """Shares in percent by way, then in groups; and what became of each case."""
    return {
        "ways": {way: _report(found) for way, found in checks.items()},
        "details": [
            {"id": first.case.id, "right": first.case.right, "kind": first.case.kind}
            | {way: found[at].finding for way, found in checks.items()}
            for at, first in enumerate(next(iter(checks.values())))
        ],
    }


def summary(found: Sequence[Checked]) -> dict[str, float]:
    """`caught` of the wrong sentences, `false_alarms` on the right ones, `unlinked` of all; a group may lack one."""
    wrong = [each.flagged for each in found if not each.case.right]
    right = [each.flagged for each in found if each.case.right]
    figures = {"right": float(len(right)), "wrong": float(len(wrong))}
    if wrong:
        figures["caught"] = _percent(wrong)
    if right:
        figures["false_alarms"] = _percent(right)
    if wrong and right:
        figures["balanced"] = round((100 - figures["false_alarms"] + figures["caught"]) / 2, 2)
    figures["unlinked"] = _percent(each.finding == "unlinked" for each in found)
    figures["unknown"] = _percent(each.finding == "unknown" for each in found)
    return figures


def tables(given: Mapping[str, Any]) -> Iterable[str]:
    """The report for people: all, by language and fold, then by kind with the ways side by side."""
    ways: Mapping[str, Any] = given["ways"]
    head = ("", "right", "wrong", "caught", "false_alarms", "balanced", "unlinked", "unknown")
    for group in ("all", "language", "fold"):
        lines = [
            (f"{way}, {name}", *_cells(each, head[1:]))
            for way in ways
            for name, each in ways[way][group].items()
        ]
        yield table(head, lines)
    for group, figure, count in (("kind", "caught", "wrong"), ("kind", "false_alarms", "right")):
        every = next(iter(ways.values()))[group]
        lines = [
            (kind, *_cells(told, (count,)), *(_cells(ways[way][group][kind], (figure,))[0] for way in ways))
            for kind, told in every.items()
            if figure in told
        ]
        yield table((f"{figure}, same language", "n", *ways), lines)


def add(commands: Any) -> None:
    asked = commands.add_parser("sentences", help="whether what a model writes is held to its quotes")
    asked.add_argument("--data", type=Path, metavar="FILE", required=True, help="the cases, a line each")
    asked.add_argument("--limit", type=int, metavar="N", help="N cases, spread evenly")
    asked.add_argument("--json", type=Path, metavar="FILE")
    asked.set_defaults(run=run)


def run(options: argparse.Namespace) -> Mapping[str, Any]:
    """The tables on standard output; the report. Raises NoData."""
    found = report(measure(cases(options.data, options.limit)))
    for each in tables(found):
        print(f"{each}\n")
    return found


def _case(row: Mapping[str, Any], fold: int) -> Case:
    return Case(
        row["id"],
        row.get("question", ""),
        row["sentence"],
        tuple(row["quotes"]),
        row["document_name"],
        row["context"],
        row["label"] == "supported",
        row["kind"],
        row["language"],
        row["language"] != row["quote_language"],
        fold,
    )


def beside_quotes(case: Case) -> Checked:
    """As a model's sentence is checked whose quotes were looked up."""
    passage = Segment(Document(_BASE, case.id, case.document_name), case.id, 1, case.context)
    draft = DraftSentence(text=case.sentence, quotes=[DraftQuote(words=each) for each in case.quotes])
    statement, _ = placed(draft, {}, (passage,), case.question)
    if not (statement.text and statement.quotes):
        return Checked(case, "unlinked")
    return Checked(case, "passed" if statement.supported else "doubted")


def _by_reflect(asked: Sequence[Case]) -> list[Checked]:
    """Through the tool, whose passages a server holds, as it reads again what it leans on."""
    bench = Bench(in_process=True)
    documents = tuple(
        SourceDocument(each.document_name, each.context, segments=(SourceSegment(each.context),), key=each.id)
        for each in asked
    )
    with bench.serve(Corpus((Collection(_BASE, documents),))) as server, bench.rig(server) as rig:
        passages = [
            {
                "dataset_id": server.dataset_id(_BASE),
                "dataset_name": _BASE,
                "document_id": each.document.id,
                "document_name": each.document.source.name,
                "segment_id": each.id,
                "position": each.position,
                "text": each.source.content,
            }
            for each in server.segments(_BASE)
        ]
        return [_reflected(rig, case, passage) for case, passage in zip(asked, passages, strict=True)]


def _reflected(rig: Rig, case: Case, passage: Mapping[str, Any]) -> Checked:
    question = (
        case.question or f"What does {case.document_name} say?"
    )  # the tool wants one; this one says nothing
    parameters = {"query": question, "answer": case.sentence, "passages": [passage], "effort": "extractive"}
    said = rig.ask("reflect", parameters)
    if said.error:
        raise NoData(f"{case.id}: {said.error}")
    return Checked(case, _finding(said.json["claims"]))


def _finding(claims: Sequence[Mapping[str, Any]]) -> Finding:
    """What the worst of a sentence's claims is; a sentence in which nothing can be checked has none."""
    if not claims:
        return "unknown"
    if all(each["supported"] or each["unknown"] for each in claims):
        return "unknown" if any(each["unknown"] for each in claims) else "passed"
    linked = (each["markers"] or each["unsupported_details"] or each["unknown"] for each in claims)
    return "doubted" if all(linked) else "unlinked"


def _report(found: Sequence[Checked]) -> dict[str, Any]:
    home = [each for each in found if not each.case.abroad]
    abroad = [each for each in found if each.case.abroad]
    whole = {"every": found, "same language": home, "across languages": abroad}
    counted = [each for each in abroad if each.case.right or each.case.kind in _ABROAD]
    whole["across, kinds that count"] = counted
    return {
        "all": {name: summary(group) for name, group in whole.items() if group},
        "language": _by(home, lambda each: each.case.language),
        "fold": _by(home, lambda each: f"fold {each.case.fold + 1}"),
        "kind": _by(home, lambda each: each.case.kind),
        "kind, across languages": _by(abroad, lambda each: each.case.kind),
    }


def _by(found: Sequence[Checked], key: Callable[[Checked], str]) -> dict[str, dict[str, float]]:
    return {
        name: summary([each for each in found if key(each) == name])
        for name in sorted({key(each) for each in found})
    }


def _percent(flags: Iterable[bool]) -> float:
    return round(100 * mean(float(each) for each in flags), 2)


def _cells(figures: Mapping[str, float], names: Sequence[str]) -> tuple[str, ...]:
    counts = ("right", "wrong")
    return tuple(
        "-" if name not in figures else f"{figures[name]:.0f}" if name in counts else f"{figures[name]:.1f}"
        for name in names
    )
