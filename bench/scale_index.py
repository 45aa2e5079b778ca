"""An index on disk, from a hundred segments up: what building costs, and what a question then does."""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.generated import Generated
from bench.tables import table
from evidence import pipeline
from evidence.cache import Cache
from evidence.context import Context
from evidence.corpus.building import build
from evidence.knowledge.middleware import GuardedKnowledge
from evidence.limits import Limits, Meter
from evidence.model import Dataset, Document, Question, Segment
from evidence.settings import Settings
from evidence.store.database import FILE, Database
from evidence.store.disk import DiskStore
from evidence.trace import Trace

SEGMENTS = (100, 1_000, 10_000, 100_000)
_EACH = 6  # segments of a generated document
_NEEDLE = "The brass sextant of the pilot Ivarsen lies in the cedar chest behind the boathouse."
_HOURS = 36_000.0


class Haystack(Generated):
    """An economy dataset; one document, of those that no name tells apart, holds the needle."""

    def __init__(self, documents: int) -> None:
        super().__init__(documents, 1, "economy")
        self.needle = documents * 5 // 9

    def segments(self, document: Document, page: int, keyword: str = "", limit: int = 100) -> Any:
        found = super().segments(document, page, keyword, limit)
        return type(found)(tuple(map(self._with_needle, found.items)), found.total)

    def segment(self, document: Document, segment_id: str) -> Segment | None:
        found = super().segment(document, segment_id)
        return self._with_needle(found) if found else None

    def _with_needle(self, segment: Segment) -> Segment:
        if segment.segment_id != f"document-{self.needle}-{_EACH}":
            return segment
        return Segment(
            segment.document,
            segment.segment_id,
            segment.position,
            f"{segment.text} {_NEEDLE}",
            read_at=segment.read_at,
        )


def measure(segments: Sequence[int]) -> list[Mapping[str, Any]]:
    """A row a size, each built and asked in processes of their own."""
    return [_row(size) for size in segments]


def _row(segments: int) -> Mapping[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        built = _apart("build", segments, folder)
        asked = _apart("ask", segments, folder)
        size = sum(path.stat().st_size for path in Path(folder).iterdir() if path.name.startswith(FILE))
    return {"segments": segments, "size": size, **built, **asked}


def _apart(job: str, segments: int, folder: str) -> Mapping[str, Any]:
    command = [sys.executable, "-m", "bench.scale_index", job, str(segments), folder]
    ended = subprocess.run(command, capture_output=True, text=True, check=True, timeout=_HOURS)  # noqa: S603 - ourselves
    row: Mapping[str, Any] = json.loads(ended.stdout)
    return row


def _server(segments: int) -> tuple[Haystack, Dataset]:
    server = Haystack(max(1, segments // _EACH))
    return server, server.datasets(1).items[0]


def _context(server: Haystack, cache: Cache, limits: Limits) -> Context:
    meter, trace = Meter(limits), Trace()
    return Context(GuardedKnowledge(server, meter, trace, attempts=1), None, None, cache, meter, trace)


def one_build(segments: int, folder: str) -> dict[str, Any]:
    server, dataset = _server(segments)
    cache = Cache(store=DiskStore(Database(folder), "bench"))
    limits = Settings.building(_HOURS).limits
    began = time.process_time()
    report = build([dataset], _context(server, cache, limits))
    state = report.state(dataset)
    return {
        "built": report.read,
        "build_seconds": round(time.process_time() - began - server.seconds, 1),
        "characters": state.characters,
        "build_megabytes": _resident(),
    }


def one_asked(segments: int, folder: str) -> dict[str, Any]:
    """A cold process asks for a document by its name and for the needle; then again, as a warm one."""
    server, _ = _server(segments)
    cache = Cache(store=DiskStore(Database(folder), "bench"))
    named = (
        f"In the {server.name(_agreement(server)).removesuffix('.txt')}, how many days of notice are given?"
    )
    questions = {"name": named, "needle": "Where does the sextant of Ivarsen lie?"}
    rows: dict[str, Any] = {"found": 0}
    for again in ("cold", "warm"):
        for kind, question in questions.items():
            settings = Settings.of("extractive")
            calls, began, theirs = _made(server), time.process_time(), server.seconds
            before = _bytes_read()
            outcome = pipeline.ask(Question(question), settings, _context(server, cache, settings.limits))
            own = time.process_time() - began - (server.seconds - theirs)
            number = server.needle if kind == "needle" else _agreement(server)
            citations = outcome.answer.citations if outcome.answer else ()
            rows["found"] += any(c.quote.segment.document.name == server.name(number) for c in citations)
            rows[f"{again} {kind}"] = {
                "calls": _made(server) - calls,
                "ms": round(1000 * own),
                "kilobytes": (_bytes_read() - before) // 1024,
            }
    return rows | {"megabytes": _resident()}


def _agreement(server: Haystack) -> int:
    """A document that is called a supply agreement, as one in five is: rules take that for a name without a model."""
    return server.needle // 2 // 50 * 50 + 20


def _made(server: Haystack) -> int:
    """The calls that look for an answer; what is quoted is read again besides."""
    return sum(calls for port, calls in server.calls.items() if port not in {"segment", "document"})


def _bytes_read() -> int:
    """Bytes that this process has read from files so far, 0 where the system does not tell."""
    try:
        fields = Path("/proc/self/io").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return int(fields[0].split()[1])


def _resident() -> int:
    """The most MiB of memory so far, 0 where it is not known."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
    except OSError:
        return 0
    return int(status.partition("VmHWM:")[2].split()[0]) // 1024


def index_table(rows: Sequence[Mapping[str, Any]]) -> str:
    head = [
        "segments",
        "build: s",
        "MiB",
        "disk/text",
        "name: calls",
        "ms",
        "kB",
        "needle: calls",
        "ms",
        "kB",
    ]
    head += ["warm: calls", "ms", "MiB", "found"]
    drawn = []
    for row in rows:
        name, needle, warm = row["cold name"], row["cold needle"], row["warm needle"]
        share = f"{row['size'] / max(row['characters'], 1):.2f}"
        figures = [row["build_seconds"], row["build_megabytes"], share]
        figures += [each[key] for each in (name, needle) for key in ("calls", "ms", "kilobytes")]
        figures += [warm["calls"], warm["ms"], row["megabytes"]]
        drawn.append((f"{row['segments']:,}", *map(str, figures), f"{row['found']} of 4"))
    return table(head, drawn)


if __name__ == "__main__":
    JOBS = {"build": one_build, "ask": one_asked}
    print(json.dumps(JOBS[sys.argv[1]](int(sys.argv[2]), sys.argv[3])))
