"""How far one question walks: the files it enters and the rooms it changes, traced in this process."""

import argparse
import sys
import threading
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

from bench.imports import PRODUCT, ROOT, lodgers, room_of
from bench.rig import Bench
from bench.tables import table
from standalone.knowledge import load_folder

DOCUMENTS = ROOT / "standalone" / "documents"
QUESTION = "How long may we keep the interview notes of applicants whom we did not hire?"
BUSIEST = 10
_PRODUCT = tuple(str(ROOT / folder) + "/" for folder in PRODUCT)
_HOUSE = "evidence"  # the modules beside the folders of the core are one room here


class Walk:
    """A profiler that counts calls between functions of the product; what lies between two of them is looked through.

    `files` are entered; `rooms` counts the calls from one room into another, `functions` the same calls by function.
    """

    def __init__(self) -> None:
        self.files: set[str] = set()
        self.rooms: Counter[tuple[str, str]] = Counter()
        self.functions: Counter[tuple[str, str]] = Counter()
        self.calls = 0

    def __call__(self, frame: FrameType, event: str, _argument: object) -> None:
        if event != "call" or not (room := _room(frame.f_code.co_filename)):
            return
        self.calls += 1
        self.files.add(frame.f_code.co_filename)
        caller = frame.f_back
        while caller is not None and not _room(caller.f_code.co_filename):
            caller = caller.f_back
        if caller is not None and (before := _room(caller.f_code.co_filename)) != room:
            self.rooms[before, room] += 1
            self.functions[_name(caller), _name(frame)] += 1

    @property
    def changes(self) -> int:
        return self.rooms.total()


def walk(question: str = QUESTION) -> Walk:
    """One `quote` over the sample documents by a plugin that has read nothing yet, traced."""
    bench, traced = Bench(in_process=True), Walk()
    with bench.serve(load_folder(DOCUMENTS)) as server, bench.rig(server) as rig:
        threading.setprofile(traced)
        sys.setprofile(traced)
        try:
            rig.ask("quote", {"query": question})
        finally:
            sys.setprofile(None)
            threading.setprofile(None)
    return traced


def run(options: argparse.Namespace) -> Mapping[str, Any]:
    """The counts and the busiest crossings on standard output; the report."""
    traced, single = walk(options.question), lodgers()
    print(f"{len(traced.files)} files entered, {traced.calls:,} calls, {traced.changes:,} changes of room\n")
    for head, crossings in (("room", traced.rooms), ("function", traced.functions)):
        rows = [(f"{one} > {other}", str(count)) for (one, other), count in crossings.most_common(BUSIEST)]
        print(f"{table((f'from {head} > to {head}', 'calls'), rows)}\n")
    print(f"{len(single)} modules whose one importer lives in another room:")
    for path, importer in single:
        print(f"  {path.relative_to(ROOT)} < {importer.relative_to(ROOT)}")
    return {
        "files": len(traced.files),
        "calls": traced.calls,
        "changes": traced.changes,
        "single": [str(path.relative_to(ROOT)) for path, _ in single],
    }


def add(commands: Any) -> None:
    walked = commands.add_parser("walk", help="the files and the rooms that one question goes through")
    walked.add_argument("--question", default=QUESTION)
    walked.add_argument("--json", type=Path, metavar="FILE")
    walked.set_defaults(run=run)


@cache
def _room(file: str) -> str:
    """The room of a file, "" of one that is none of the product's."""
    if not file.startswith(_PRODUCT):
        return ""
    path = Path(file)
    return _HOUSE if path.parent.name == _HOUSE else room_of(path)


def _name(frame: FrameType) -> str:
    path = Path(frame.f_code.co_filename).relative_to(ROOT).with_suffix("")
    return f"{'.'.join(path.parts[-2:])}.{frame.f_code.co_qualname}"
