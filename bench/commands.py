"""The command line of the benchmarks: tables on standard output, JSON in a file."""

import argparse
import io
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bench import (
    citations,
    expected,
    gallery,
    latency,
    picture,
    quality,
    reliability,
    retrieval,
    scale,
    scale_index,
    sentences,
    walk,
)
from bench.ablations import ABLATIONS, chosen
from bench.cases import command as cases
from bench.data import Asked, Data, NoData, Part
from bench.natural import command as natural
from bench.rig import Bench, Tool
from bench.tables import (
    citations_notes,
    citations_table,
    latency_notes,
    latency_table,
    retrieval_notes,
    retrieval_table,
)
from standalone.cli.printing import lines, timeline
from standalone.knowledge.profiles import PROFILES
from standalone.models import reverse_llm
from standalone.models.reader import MODELS

PARTS: tuple[Part, ...] = ("unanswerable", "comparison")


def main(arguments: Sequence[str]) -> int:
    """0 measured (or as expected), 1 not, 2 wrong usage."""
    options = _parser().parse_args(arguments)
    try:
        report: Mapping[str, Any] = options.run(options)
    except NoData as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2
    if options.json:
        options.json.write_text(json.dumps(report, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return int(report.get("status", 0))


def run_retrieval(options: argparse.Namespace) -> Mapping[str, Any]:
    data = Data(options.data)
    questions = data.questions(options.part, options.field, options.limit, options.queries)
    ablations = chosen(options.ablate)
    reports = {}
    for name in ("all", *ablations):
        bench = Bench(options.profile, options.in_process or bool(ablations), ablation=ABLATIONS.get(name))
        reports[name] = retrieval.measure(data, questions, bench, options.technique, options.cold)
    print(retrieval_table(reports if ablations else {data.name: reports["all"]}))
    print(f"\n{retrieval_notes(reports['all'])}")
    return {
        **reports["all"],
        **({"ablations": {name: reports[name] for name in ablations}} if ablations else {}),
    }


def run_citations(options: argparse.Namespace) -> Mapping[str, Any]:
    data = Data(options.data)
    parts: dict[str, Sequence[Asked]] = {
        "queries": data.questions("queries", options.field, options.limit, options.queries)
    }
    for part in PARTS:
        if data.has(part) and part in options.parts:
            parts[part] = data.questions(part, limit=options.limit)
    model = MODELS[options.model] if options.model else None
    bench = Bench(options.profile, options.in_process, models=reverse_llm(model) if model else None)
    tool: Tool = "ask" if model else "quote"
    report = citations.measure(data, parts, bench, options.technique, tool)
    print(citations_table({options.model or data.name: report}))
    print(f"\n{citations_notes(report)}")
    return report


def run_latency(options: argparse.Namespace) -> Mapping[str, Any]:
    data = Data(options.data)
    questions = data.questions("queries", options.field, options.limit or 3, options.queries)
    crowd = data.questions("queries", options.field, max(options.at_once), options.queries)
    model = reverse_llm(MODELS[options.model], options.model_ms / 1000)
    bench = Bench(options.profile, latency=options.knowledge_ms / 1000, models=model)
    cases = latency.cases(options.efforts, options.at_once, options.sustain)
    report = latency.measure(data, questions, bench, cases, crowd)
    print(f"{options.knowledge_ms:g} ms a knowledge call, {options.model_ms:g} ms a model call\n")
    print(latency_table(report))
    print(f"\n{latency_notes(report)}")
    if options.timeline:
        print("\nOne question:\n")
        print("\n".join(lines(timeline(latency.first_receipt(report, "balanced")))))
    return report


def run_scale(options: argparse.Namespace) -> Mapping[str, Any]:
    report = scale.measure(options.documents, options.datasets, options.segments)
    print(scale.page(report) if options.markdown else scale.tables(report))
    return report


def run_all(options: argparse.Namespace) -> Mapping[str, Any]:
    """What there is data for, with what each takes by default, one after the other; reports by their command."""
    reports: dict[str, Mapping[str, Any]] = {}
    for arguments in whole(options.data):
        title = " ".join(arguments)
        print(f"== {title}\n", flush=True)
        asked = _parser().parse_args(arguments)
        reports[title] = asked.run(asked)
        print(flush=True)
    return reports


def whole(data: Path | None) -> Iterator[list[str]]:
    """`data` is a data directory, or a folder of such that may hold `natural/` and `sentences/` too."""
    homes: Sequence[Path | None] = [data]
    if data and not (data / "corpus").is_dir():
        homes = sorted(each.parent for each in data.glob("*/corpus") if each.is_dir()) or [data]
    given = [["--data", str(home)] if home else [] for home in homes]
    for each in given:
        yield ["retrieval", *each]
        yield ["citations", *each]
    yield ["latency", *given[0], "--timeline"]
    yield ["cases"]
    if data and (data / "natural").is_dir():
        yield ["natural", "--data", str(data / "natural")]
    if data and (data / "sentences").is_dir():
        yield from (
            ["sentences", "--data", str(each)] for each in sorted((data / "sentences").glob("*.jsonl"))
        )


def run_check(options: argparse.Namespace) -> Mapping[str, Any]:
    """Each condition's command is run, and its figures are compared with what was expected."""
    results: list[expected.Compared] = []
    for condition in expected.conditions(options.file):
        missing = condition.needs_data and options.data is None
        if missing or (options.only and options.only not in condition.name):
            print(f"skipped    {condition.name}{' (needs --data)' if missing else ''}")
            continue
        asked = _parser().parse_args(condition.arguments(options.data))
        with redirect_stdout(io.StringIO()):
            report = asked.run(asked)
        compared = expected.compared(condition, report)
        results += compared
        for line in compared:
            print(line.told, flush=True)
    if options.write:
        expected.write(options.file, results)
        return {}
    return {
        "status": int(not all(each.held for each in results)),
        "figures": [asdict(each) for each in results],
    }


def run_quality(options: argparse.Namespace) -> Mapping[str, Any]:
    """The page docs/quality.md on standard output."""
    for section in quality.page(options.data, options.vectors):
        print(section, flush=True)
    return {}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="command")
    for add in (
        _add_retrieval,
        _add_citations,
        _add_latency,
        _add_scale,
        natural.add,
        sentences.add,
        cases.add,
        walk.add,
        picture.add,
        *reliability.COMMANDS,
        _add_all,
        _add_check,
        _add_quality,
        _add_gallery,
    ):
        add(commands)
    return parser


def _add_retrieval(commands: Any) -> None:
    found = commands.add_parser("retrieval", help="how well `search` finds")
    _shared(found)
    found.add_argument("--part", choices=("queries", "comparison"), default="queries")
    found.add_argument(
        "--cold", type=int, default=0, metavar="N", help="a fresh process for each of N questions"
    )
    found.add_argument(
        "--ablate", nargs="?", const="each", metavar="NAMES", help="switch features off, one at a time"
    )
    found.set_defaults(run=run_retrieval)


def _add_citations(commands: Any) -> None:
    quoted = commands.add_parser("citations", help="how true the quotes are")
    _shared(quoted)
    quoted.add_argument(
        "--model", choices=tuple(MODELS), help="ask, with this scripted model, instead of quote"
    )
    quoted.add_argument("--parts", nargs="*", choices=PARTS, default=PARTS, help="beside the queries")
    quoted.set_defaults(run=run_citations)


def _add_latency(commands: Any) -> None:
    spent = commands.add_parser("latency", help="what a question costs")
    _shared(spent)
    spent.add_argument("--knowledge-ms", type=float, default=200.0, metavar="MS", help="a knowledge call")
    spent.add_argument("--model-ms", type=float, default=1000.0, metavar="MS", help="a model call")
    spent.add_argument("--model", choices=tuple(MODELS), default="reader")
    spent.add_argument("--efforts", nargs="+", choices=latency.EFFORTS, default=latency.EFFORTS)
    spent.add_argument("--at-once", nargs="+", type=int, default=(1, 8, 32), metavar="N")
    spent.add_argument(
        "--sustain", type=float, default=0.0, metavar="S", help="keep up the load for S seconds: heartbeats"
    )
    spent.add_argument("--timeline", action="store_true", help="draw one cold question's path")
    spent.set_defaults(run=run_latency)


def _add_scale(commands: Any) -> None:
    grown = commands.add_parser("scale", help="what grows with the documents, the datasets and the questions")
    grown.add_argument("--documents", nargs="+", type=int, default=scale.DOCUMENTS, metavar="N")
    grown.add_argument("--datasets", nargs="+", type=int, default=scale.DATASETS, metavar="N")
    grown.add_argument("--segments", nargs="+", type=int, default=scale_index.SEGMENTS, metavar="N")
    grown.add_argument("--markdown", action="store_true", help="the page docs/scale.md")
    grown.add_argument("--json", type=Path, metavar="FILE")
    grown.set_defaults(run=run_scale)


def _add_all(commands: Any) -> None:
    whole = commands.add_parser("all", help="all that there is data for, one after the other")
    whole.add_argument(
        "--data", type=Path, metavar="DIR", help="a data directory, or the folder that holds them"
    )
    whole.add_argument("--json", type=Path, metavar="FILE")
    whole.set_defaults(run=run_all)


def _add_check(commands: Any) -> None:
    check = commands.add_parser("check", help="compare with bench/expected.yaml")
    check.add_argument("--data", type=Path, metavar="DIR", help="the folder that holds the data directories")
    check.add_argument("--file", type=Path, default=expected.FILE, metavar="FILE")
    check.add_argument(
        "--write", action="store_true", help="write down what was measured, as expected from now on"
    )
    check.add_argument("--only", metavar="WORDS", help="conditions whose name holds these words")
    check.add_argument("--json", type=Path, metavar="FILE")
    check.set_defaults(run=run_check)


def _add_quality(commands: Any) -> None:
    made = commands.add_parser("quality", help="the page docs/quality.md")
    made.add_argument(
        "--data", type=Path, metavar="DIR", required=True, help="the folder that holds the data directories"
    )
    made.add_argument(
        "--vectors", type=Path, metavar="DIR", help="dense rankings too; their vectors are kept in DIR"
    )
    made.set_defaults(run=run_quality, json=None)


def _add_gallery(commands: Any) -> None:
    made = commands.add_parser("gallery", help="the page docs/answers.md")
    made.set_defaults(run=gallery.run, json=None)


def _shared(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, metavar="DIR", help="corpus/ and *.jsonl; else our own samples")
    parser.add_argument("--queries", type=Path, metavar="FILE", help="questions instead of DIR/queries.jsonl")
    parser.add_argument("--field", choices=("query", "query_inline", "question"), default="query")
    parser.add_argument("--limit", type=int, metavar="N", help="N questions, spread evenly")
    parser.add_argument("--technique", choices=("high_quality", "economy"), default="high_quality")
    parser.add_argument("--profile", choices=tuple(PROFILES), default="1.10.1")
    parser.add_argument("--in-process", action="store_true", help="without stdio: quicker, for tuning")
    parser.add_argument("--json", type=Path, metavar="FILE")
