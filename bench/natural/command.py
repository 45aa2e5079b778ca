"""`python -m bench natural`."""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bench.data import NoData
from bench.natural import data, measuring, tables
from bench.natural.data import Base
from bench.natural.indexed import indexed
from bench.natural.measuring import PRODUCT, Columns
from bench.rig import Bench
from standalone.knowledge.corpus import Technique
from standalone.knowledge.profiles import PROFILES
from standalone.knowledge.sentence_model import SentenceModel, packaged
from standalone.knowledge.vector_store import StoredVectors

_TOGETHER = "english together"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked: the sets of a folder, all or some, at most `limit` questions each.

    `together`: all English sets as one knowledge base more. `vectors`: where a dense ranking keeps its vectors; none is
    made without. `embedded`: the server's semantic search ranks by the same vectors. `results`: where a line a question
    is written. `indexed`: the product has an index on disk, with these vectors.
    """

    folder: Path
    sets: tuple[str, ...] = ()
    technique: Technique = "high_quality"
    limit: int | None = None
    together: bool = False
    vectors: Path | None = None
    embedded: bool = False
    results: Path | None = None
    indexed: bool = False


def add(commands: Any) -> None:
    asked = commands.add_parser("natural", help="questions as people ask them: found, quoted, honest?")
    asked.add_argument(
        "--data", type=Path, metavar="DIR", required=True, help="the folder that holds the sets"
    )
    asked.add_argument("--sets", default="", metavar="A,B", help="these sets only")
    asked.add_argument("--limit", type=int, metavar="N", help="N questions a set, spread evenly")
    asked.add_argument("--technique", choices=("high_quality", "economy"), default="high_quality")
    asked.add_argument("--profile", choices=tuple(PROFILES), default="1.10.1")
    asked.add_argument(
        "--english-together", action="store_true", help="all English sets as one knowledge base more"
    )
    asked.add_argument(
        "--vectors", type=Path, metavar="DIR", help="a dense ranking beside us; its vectors are kept in DIR"
    )
    asked.add_argument(
        "--embedded",
        action="store_true",
        help="the server's semantic search, too, by these vectors (English sets)",
    )
    asked.add_argument(
        "--indexed", action="store_true", help="the product has an index on disk, with these vectors in it"
    )
    asked.add_argument("--results", type=Path, metavar="DIR", help="a line a question in DIR/SET.jsonl")
    asked.add_argument("--json", type=Path, metavar="FILE")
    asked.set_defaults(run=run)


def run(options: argparse.Namespace) -> Mapping[str, Any]:
    """The tables on standard output; the report. Raises NoData."""
    report = measured(
        Wanted(
            options.data,
            tuple(name.strip() for name in options.sets.split(",") if name.strip()),
            options.technique,
            options.limit,
            options.english_together,
            options.vectors,
            options.embedded,
            options.results,
            options.indexed,
        ),
        Bench(options.profile, in_process=True),
    )
    for each in tables.page(report):
        print(f"{each}\n")
    return report


def measured(wanted: Wanted, bench: Bench) -> dict[str, Any]:
    """The report, with `english_together` where that is wanted. Raises NoData."""
    if (wanted.embedded or wanted.indexed) and wanted.vectors is None:
        raise NoData("--embedded and --indexed need --vectors: the folder that keeps them.")
    found: dict[str, Columns] = {}
    with ExitStack() as stack:
        model = _model(wanted.vectors, stack)
        for base in _bases(wanted):
            print(f"{base.name}: {len(base.questions)} questions", file=sys.stderr, flush=True)
            embeds = wanted.embedded and model is not None and base.language in model.languages
            served = replace(bench, embedding=model if embeds else None)
            with indexed(served, model) if wanted.indexed and model else nullcontext(served) as own:
                found[base.name] = measuring.columns(base, own, model)
            _write(wanted.results, base.name, found[base.name])
    together = found.pop(_TOGETHER, None)
    report = measuring.report(found)
    return report | ({"english_together": measuring.report({_TOGETHER: together})} if together else {})


def _bases(wanted: Wanted) -> Iterator[Base]:
    english = []
    for name in data.names(wanted.folder, wanted.sets):
        base = data.base(wanted.folder, name, wanted.technique, wanted.limit)
        english += [base] if base.language == "en" else []
        yield base
    if wanted.together and english:
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
