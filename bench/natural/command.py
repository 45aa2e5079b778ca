"""`python -m bench natural`."""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from bench.data import NoData
from bench.natural import data, measuring, tables
from bench.natural.data import Base
from bench.natural.measuring import PRODUCT, Columns
from bench.rig import Bench
from standalone.knowledge.sentence_model import SentenceModel, packaged
from standalone.knowledge.vector_store import StoredVectors


def add(commands: Any) -> None:
    asked = commands.add_parser("natural", help="questions as people ask them: found, quoted, honest?")
    asked.add_argument(
        "--data", type=Path, metavar="DIR", required=True, help="the folder that holds the sets"
    )
    asked.add_argument("--sets", default="", metavar="A,B", help="these sets only")
    asked.add_argument("--limit", type=int, metavar="N", help="N questions a set, spread evenly")
    asked.add_argument("--technique", choices=("high_quality", "economy"), default="high_quality")
    asked.add_argument("--profile", choices=("1.10.1", "1.13.3"), default="1.10.1")
    asked.add_argument(
        "--english-together", action="store_true", help="all English sets as one knowledge base more"
    )
    asked.add_argument(
        "--vectors", type=Path, metavar="DIR", help="a dense ranking beside us; its vectors are kept in DIR"
    )
    asked.add_argument("--results", type=Path, metavar="DIR", help="a line a question in DIR/SET.jsonl")
    asked.add_argument("--json", type=Path, metavar="FILE")
    asked.set_defaults(run=run)


def run(options: argparse.Namespace) -> Mapping[str, Any]:
    """The tables on standard output; the report. Raises NoData."""
    bench = Bench(options.profile, in_process=True)
    measured: dict[str, Columns] = {}
    with ExitStack() as stack:
        model = _model(options.vectors, stack)
        for base in _bases(options):
            print(f"{base.name}: {len(base.questions)} questions", file=sys.stderr, flush=True)
            measured[base.name] = measuring.columns(base, bench, model)
            _write(options.results, base.name, measured[base.name])
    apart = measured.pop(_TOGETHER, None)
    report = measuring.report(measured)
    if apart:
        report["english_together"] = measuring.report({_TOGETHER: apart})
    for each in tables.page(report):
        print(f"{each}\n")
    if apart:
        print(next(tables.page(report["english_together"])))
    return report


_TOGETHER = "english together"


def _bases(options: argparse.Namespace) -> Iterator[Base]:
    wanted = tuple(name.strip() for name in options.sets.split(",") if name.strip())
    english = []
    for name in data.names(options.data, wanted):
        base = data.base(options.data, name, options.technique, options.limit)
        english += [base] if base.language == "en" else []
        yield base
    if options.english_together and english:
        yield data.together(_TOGETHER, english)


def _model(folder: Path | None, stack: ExitStack) -> SentenceModel | None:
    if folder is None:
        return None
    try:
        model = StoredVectors(packaged(), folder)
    except ModuleNotFoundError as error:
        raise NoData(str(error)) from error
    stack.callback(model.close)
    return model


def _write(folder: Path | None, name: str, columns: Columns) -> None:
    if folder is None:
        return
    folder.mkdir(parents=True, exist_ok=True)
    for column, rows in columns.items():
        file = folder / f"{name}{'' if column == PRODUCT else f'.{column}'}.jsonl"
        lines = (json.dumps(each, ensure_ascii=False) for each in measuring.lines(rows))
        file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
