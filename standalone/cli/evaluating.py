"""`evaluate`: the questions of a file, one after the other, and a report that goes on where it was interrupted."""

import argparse
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markdown import Markdown
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from evidence.errors import InvalidRequest
from evidence.evaluation.expected import Expected, expected_of
from evidence.evaluation.measured import measured_from, summary_of
from host.view.evaluation import Evaluation
from host.view.markdown import evaluation_text
from standalone.cli.failures import Misused
from standalone.cli.printing import lines
from standalone.cli.sources import (
    Source,
    add_documents,
    add_server,
    credentials_of_models,
    plugin_process,
    source_of,
)
from standalone.daemon import PluginProcess
from standalone.report import page

_RESULTS, _JSON, _PAGE = "results.jsonl", "report.json", "report.html"


def register(commands: Any) -> None:
    """Add `evaluate`."""
    evaluate = commands.add_parser(
        "evaluate", help="hold answers to what you expect; see docs/guides/evaluate.md"
    )
    evaluate.add_argument(
        "questions", type=Path, help="CSV or JSON Lines; with --suggest the file to be written"
    )
    add_server(evaluate)
    add_documents(evaluate)
    evaluate.add_argument("--datasets", metavar="NAMES", default="", help="ids or names (default: all)")
    evaluate.add_argument(
        "--effort", choices=("extractive", "fast", "balanced", "thorough"), default="balanced"
    )
    evaluate.add_argument("--out", type=Path, default=Path("evaluation"), metavar="DIR", help="of the report")
    evaluate.add_argument("--suggest", type=int, default=0, metavar="N", help="draft N questions instead")
    evaluate.add_argument("--seconds", type=int, default=60, metavar="N", help="of one question (default 60)")
    evaluate.set_defaults(run=_evaluate)


def _evaluate(options: argparse.Namespace) -> int:
    if options.suggest:
        return _suggest(options)
    try:
        questions = expected_of(options.questions.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError) as error:
        raise Misused(f"{options.questions} cannot be read: {type(error).__name__}") from error
    except InvalidRequest as error:
        raise Misused(str(error).replace("`questions`", str(options.questions))) from error
    options.out.mkdir(parents=True, exist_ok=True)
    with source_of(options) as source, plugin_process() as plugin:
        rows = _asked(questions, options, source, plugin)
        head = {"source": source.told, "effort": _effort(options), "questions_file": options.questions.name}
    _write(rows, head, options.out)
    measured = [measured_from(row) for row in rows]
    print("\n".join(lines(head["source"], Markdown(evaluation_text(Evaluation(measured))))))
    print(f"\n{options.out / _PAGE}")
    return 0 if all(one.right for one in measured) else 3


def _effort(options: argparse.Namespace) -> str:
    """Without a model every effort is extractive."""
    return str(options.effort) if credentials_of_models()["llm_base_url"] else "extractive"


def _asked(
    questions: Iterable[Expected], options: argparse.Namespace, source: Source, plugin: PluginProcess
) -> list[Mapping[str, Any]]:
    """The row of each question: those of an earlier, interrupted run are taken from its file."""
    results = options.out / _RESULTS
    earlier = {row["key"]: row for row in _earlier(results)}
    rows: list[Mapping[str, Any]] = []
    credentials = {**source.credentials, **credentials_of_models()}
    with _progress() as progress, results.open("a", encoding="utf-8") as file:
        for expected in progress.track([*questions], description="Evaluating"):
            key = _key(expected, options)
            if key not in earlier:
                parameters = {
                    "questions": json.dumps(asdict(expected)),
                    "datasets": options.datasets,
                    "effort": _effort(options),
                    "seconds": options.seconds,
                }
                (measured,) = plugin.invoke_tool("evaluate", parameters, credentials).json["questions"]
                earlier[key] = {"key": key, **measured}
                file.write(json.dumps(earlier[key], ensure_ascii=False) + "\n")
                file.flush()
            rows.append(earlier[key])
    return rows


def _progress() -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=Console(stderr=True), transient=True)


def _earlier(results: Path) -> Iterator[Mapping[str, Any]]:
    """Rows of an earlier run; a line that was cut off, or that failed, is asked again."""
    if not results.exists():
        return
    for line in results.read_text(encoding="utf-8").splitlines():
        with suppress(ValueError, KeyError):
            row = json.loads(line)
            if measured_from(row).status != "failed":
                yield row


def _key(expected: Expected, options: argparse.Namespace) -> str:
    """What tells one question to one server from another."""
    about = [asdict(expected), options.base_url or str(options.documents), options.datasets, _effort(options)]
    return hashlib.sha256(json.dumps(about, sort_keys=True).encode()).hexdigest()[:16]


def _write(rows: list[Mapping[str, Any]], head: Mapping[str, str], out: Path) -> None:
    summary = asdict(summary_of([measured_from(row) for row in rows]))
    made_at = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    questions = [{name: value for name, value in row.items() if name != "key"} for row in rows]
    report = {"schema": "1", "made_at": made_at, **head, "report": summary, "questions": questions}
    (out / _JSON).write_text(json.dumps(report, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    (out / _PAGE).write_text(page(report), encoding="utf-8")


def _suggest(options: argparse.Namespace) -> int:
    if options.questions.exists():
        raise Misused(f"{options.questions} exists; drafted questions need a file of their own")
    with source_of(options) as source, plugin_process() as plugin:
        parameters = {"suggest": options.suggest, "datasets": options.datasets, "effort": options.effort}
        credentials = {**source.credentials, **credentials_of_models()}
        drafted = plugin.invoke_tool("evaluate", parameters, credentials).json["drafted"]
    text = "".join(json.dumps(draft, ensure_ascii=False) + "\n" for draft in drafted)
    options.questions.write_text(text, encoding="utf-8")
    print(f"{len(drafted)} questions drafted into {options.questions}, marked as drafted.")
    print("Read and correct them before you evaluate: nobody has checked what they expect.")
    return 0
