"""What grows with the documents, the datasets and the questions, and what stays as it is."""

import json
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bench import scale_index
from bench.generated import Generated
from bench.scale_index import index_table
from bench.tables import table
from evidence import pipeline
from evidence.cache import Cache
from evidence.context import Context
from evidence.knowledge.middleware import GuardedKnowledge
from evidence.limits import Limits, Meter
from evidence.model import Question
from evidence.settings import Settings
from evidence.trace import Trace

DOCUMENTS = (100, 1_000, 10_000, 100_000)
DATASETS = (1, 10, 40)
_READING_SECONDS = 300.0
_HEAD = """# Scale, measured

Made by `python -m bench scale --markdown`. Counts are exact; milliseconds are of processor time on one core, the
server's own left out.
"""
_GROWTH = """Documents of six segments each, made by a generator; the question names one of them among all (`quote`, no
model). *Cold* is a fresh process, *behind* what is read after the cold answer, *warm* a second question of another
document. Memory is of a process without Dify's SDK, which takes about 60 MiB more.

{}

**Stays constant**: model calls, retrieves and the calls of a cold question (bounded by `CallBudget.reads`), the
calls of a warm question (the same bound), and, once a base is too large to be read whole, memory: a cache holds at
most 40 MB (13 million characters of English, 3.5 million of Chinese) and 20,000 listed documents.

**Grows**: up to 400 documents a dataset, what is read behind the first answer (one call a document, once, and
again after 15 minutes or when the server shows a change); up to 500 documents, the catalogue (one call for each
hundred names). Beyond, names are asked for by keyword, and what is ranked is what was found by name, by the newest
names and by the server's own ranking. With more datasets, a cold question looks into six of them where nothing in their
names and descriptions tells them apart, and, where it names a document that none of these lists, into four more: at ten
datasets these are all, at forty it may be in none of them. Then the answer says how many were not looked into; a warm
question finds it, since the names of up to forty datasets that the first one was asked of are listed behind its
answer."""
_INDEX = """The same generated documents as one economy dataset, with an index on disk that was built before: the first
question of a fresh process names a document (*name*), the next one asks for a sentence that one document alone holds
(*needle*), then both are asked again (*warm*). Milliseconds are of processor time on one core; kB are bytes that the
process read from files, the physical floor of a question that finds nothing in memory. MiB are the most that a process
took, without Dify's SDK.

{}

A document's text, words and postings take less room than its text alone does uncompressed. A question costs the list of
datasets (one call, believed for twenty seconds) and what is quoted, read again. From 400 documents or six million
characters on, the index ranks all documents and all segments, and a question looks at those that it ranks first, up to
2.5 million characters.

**Stays constant**: calls, and the memory of a question. **Grows**: the postings of the question's words, three bytes
for each segment that holds one; and, while an index is built, memory for the list of its documents.
[growth.md](growth.md)
says what to run at which size."""


def measure(documents: Sequence[int], datasets: Sequence[int], segments: Sequence[int]) -> dict[str, Any]:
    """How a question grows, and with an index on disk."""
    return {"growth": growth(documents, datasets), "index": scale_index.measure(segments)}


def growth(documents: Sequence[int], datasets: Sequence[int]) -> list[Mapping[str, Any]]:
    """A row a size, each in a process of its own."""
    middle = 1_000 if 1_000 in documents else documents[-1]
    rows = [_apart(size, 1) for size in documents]
    return rows + [_apart(middle, count) for count in datasets if count > 1]


def tables(report: Mapping[str, Any]) -> str:
    return f"{growth_table(report['growth'])}\n\n{index_table(report['index'])}"


def page(report: Mapping[str, Any]) -> str:
    """Markdown, without a line break at its end."""
    growth = _GROWTH.format(_fence(growth_table(report["growth"])))
    index = _INDEX.format(_fence(index_table(report["index"]))) if report.get("index") else ""
    return f"{_HEAD}\n## Growth\n\n{growth}" + (f"\n\n## With an index on disk\n\n{index}" if index else "")


def _apart(documents: int, datasets: int) -> Mapping[str, Any]:
    command = [sys.executable, "-m", "bench.scale", str(documents), str(datasets)]
    ended = subprocess.run(command, capture_output=True, text=True, check=True, timeout=900)  # noqa: S603 - ourselves
    row: Mapping[str, Any] = json.loads(ended.stdout)
    return row


def one(documents: int, datasets: int) -> dict[str, Any]:
    """A cold question, what is read behind it, and a warm one."""
    server, cache = Generated(documents, datasets), Cache()
    far, near = documents * 7 // 9, documents * 2 // 9
    cold = _asked(server, cache, far)
    behind = _read_behind(server, cache, far)
    warm = _asked(server, cache, near)
    return {
        "documents": documents,
        "datasets": datasets,
        "cold": cold,
        "behind": behind,
        "warm": warm,
        "megabytes": _resident(),
    }


def _asked(server: Generated, cache: Cache, number: int) -> dict[str, Any]:
    settings = Settings.of("extractive")
    calls, began, theirs = _made(server), time.process_time(), server.seconds
    retrieves = server.calls.get("retrieve", 0)
    question = Question(
        f"In the {server.name(number).removesuffix('.txt')}, how many days of notice are given?"
    )
    outcome = pipeline.ask(question, settings, _context(server, cache, settings.limits))
    citations = outcome.answer.citations if outcome.answer else ()
    return {
        "calls": _made(server) - calls,
        "retrieves": server.calls.get("retrieve", 0) - retrieves,
        "ms": round(1000 * (time.process_time() - began - server.seconds + theirs)),
        "right": any(each.quote.segment.document.name == server.name(number) for each in citations),
    }


def _read_behind(server: Generated, cache: Cache, number: int) -> dict[str, int]:
    """Reads on as after an answer about the document, and waits for its end."""
    calls, began, theirs = _made(server), time.process_time(), server.seconds
    settings, behind = Settings.of("extractive"), Settings.behind()
    asked = Question(server.name(number))
    outcome = pipeline.discover(asked, settings, _context(server, cache, settings.limits))
    calls_of_asking = _made(server) - calls
    pipeline.read_ahead(outcome, behind, _context(server, cache, behind.limits))
    until = time.monotonic() + _READING_SECONDS
    while not cache.prefetching.acquire(blocking=False) and time.monotonic() < until:
        threading.Event().wait(0.01)
    cache.prefetching.release()
    own = time.process_time() - began - server.seconds + theirs
    return {"calls": _made(server) - calls - calls_of_asking, "ms": round(1000 * own)}


def _made(server: Generated) -> int:
    """The calls that look for an answer; what is quoted is read again besides."""
    return sum(calls for port, calls in server.calls.items() if port not in {"segment", "document"})


def _context(server: Generated, cache: Cache, limits: Limits) -> Context:
    meter, trace = Meter(limits), Trace()
    metered = GuardedKnowledge(server, meter, trace, attempts=1)
    return Context(metered, None, None, cache, meter, trace)


def _resident() -> int:
    """MiB of memory now, 0 where it is not known."""
    try:
        fields = Path("/proc/self/statm").read_text(encoding="ascii").split()
    except OSError:
        return 0
    return int(fields[1]) * 4 // 1024


def growth_table(rows: Sequence[Mapping[str, Any]]) -> str:
    head = ["documents", "datasets", "cold: calls", "retrieves", "ms", "behind: calls", "ms"]
    head += ["warm: calls", "ms", "MiB", "found"]
    drawn = []
    for row in rows:
        cold, behind, warm = row["cold"], row["behind"], row["warm"]
        figures = [row["datasets"], *(cold[name] for name in ("calls", "retrieves", "ms"))]
        figures += [behind["calls"], behind["ms"], warm["calls"], warm["ms"], row["megabytes"]]
        found = f"{cold['right'] + warm['right']} of 2"
        drawn.append((f"{row['documents']:,}", *map(str, figures), found))
    return table(head, drawn)


def _fence(text: str) -> str:
    return f"```text\n{text}\n```"


if __name__ == "__main__":
    print(json.dumps(one(int(sys.argv[1]), int(sys.argv[2]))))
