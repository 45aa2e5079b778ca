"""What a question costs through the plugin process: wall time, calls, tokens, memory, and heartbeats under load."""

import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import cycle, islice
from typing import Any

from bench.citations import SELECTOR
from bench.data import Asked, Data
from bench.metrics import mean, quantile
from bench.rig import Bench, ProcessRig, Said, counted, nobody, warm_up
from standalone.daemon import PluginProcess
from standalone.knowledge import KnowledgeServer

EFFORTS = ("extractive", "fast", "balanced", "thorough")
BEAT_SECONDS = 10.0  # the SDK sends a heartbeat this often


@dataclass(frozen=True, slots=True)
class Case:
    """`at_once` questions are asked together, again for `seconds`; a cold case asks each of a fresh process."""

    effort: str
    cold: bool
    at_once: int
    seconds: float = 0.0


@dataclass(slots=True)
class Beats:
    """When heartbeats came, in seconds of the monotonic clock."""

    times: list[float] = field(default_factory=list)

    @property
    def heard(self) -> bool:
        return len(self.times) > 1

    def latest_delay(self, until: float) -> float:
        """By how many seconds the latest heartbeat missed its time; one that is still due counts."""
        gaps = [after - before for before, after in zip(self.times, [*self.times[1:], until], strict=True)]
        return max(0.0, max(gaps, default=0.0) - BEAT_SECONDS)


def cases(efforts: Sequence[str], at_once: Sequence[int], seconds: float = 0.0) -> tuple[Case, ...]:
    """Each effort cold and warm; then many questions at once, warm, for the cheapest and the usual effort."""
    single = [Case(effort, cold, 1) for effort in efforts for cold in (True, False)]
    loaded = [effort for effort in ("extractive", "balanced") if effort in efforts]
    return (*single, *(Case(effort, False, n, seconds) for n in at_once if n > 1 for effort in loaded))


def measure(
    data: Data, questions: Sequence[Asked], bench: Bench, asked: Sequence[Case], crowd: Sequence[Asked] = ()
) -> dict[str, Any]:
    """A row a case, in the order of the cases; where many are asked at once, those of `crowd` are asked."""
    with bench.serve(data.corpus("high_quality")) as server:
        rows = [
            (_cold if case.cold else _warm)(
                bench, server, case, crowd if crowd and case.at_once > 1 else questions
            )
            for case in asked
        ]
    return {"data": data.name, "profile": bench.profile, "questions": len(questions), "cases": rows}


def _cold(bench: Bench, server: KnowledgeServer, case: Case, questions: Sequence[Asked]) -> dict[str, Any]:
    said, starts, megabytes = [], [], []
    for asked in questions:
        with _plugin(bench) as process:
            said.append(_ask(ProcessRig(server, process), case, asked))
            starts.append(process.first_heartbeat_seconds or 0.0)
            megabytes.append(process.resident_megabytes())
    return _row(case, said) | {"first_heartbeat": round(max(starts), 2), "megabytes": round(max(megabytes))}


def _warm(bench: Bench, server: KnowledgeServer, case: Case, questions: Sequence[Asked]) -> dict[str, Any]:
    with _plugin(bench) as process, _listening(process) as beats:
        rig = ProcessRig(server, process)
        warm_up(rig, questions[0].text)
        before = len(server.requests)
        said = _together(rig, case, questions)
        calls, retrieves, rereads = counted(server, before)
        row = _row(case, said) | {
            "knowledge_calls": round(calls / len(said), 1),
            "retrieves": round(retrieves / len(said), 1),
            "rereads": round(rereads / len(said), 1),
            "megabytes": round(process.resident_megabytes()),
        }
    heard = {"heartbeat_delay": round(beats.latest_delay(time.monotonic()), 2)} if beats.heard else {}
    return row | heard


def _together(rig: ProcessRig, case: Case, questions: Sequence[Asked]) -> list[Said]:
    """The questions one after the other, or as many as the case says at once, again for as long as it says."""
    if case.at_once == 1:
        return [_ask(rig, case, asked) for asked in questions]
    until, said = time.monotonic() + case.seconds, list[Said]()
    with ThreadPoolExecutor(case.at_once) as pool:
        while not said or time.monotonic() < until:
            batch = islice(cycle(questions), case.at_once)
            said += pool.map(lambda asked: _ask(rig, case, asked), batch)
    return said


def _ask(rig: ProcessRig, case: Case, asked: Asked) -> Said:
    return rig.ask("ask", {"query": asked.text, "model": SELECTOR, "effort": case.effort})


def _row(case: Case, said: Sequence[Said]) -> dict[str, Any]:
    spent = [each.json.get("receipt", {}) for each in said if not each.error]
    seconds = [each.seconds for each in said]
    return {
        "effort": case.effort,
        "cold": case.cold,
        "at_once": case.at_once,
        "failed": sum(bool(each.error) for each in said),
        "seconds": round(quantile(seconds, 0.5), 3),
        "slowest": round(max(seconds), 3),
        "knowledge_calls": round(mean(each.calls for each in said), 1),
        "most_knowledge_calls": max(int(each.get("knowledge_calls", 0)) for each in spent) if spent else 0,
        "retrieves": round(mean(each.retrieves for each in said), 1),
        "rereads": round(mean(each.rereads for each in said), 1),
        "model_calls": round(mean(each.get("model_calls", 0) for each in spent), 1),
        "most_model_calls": max(int(each.get("model_calls", 0)) for each in spent) if spent else 0,
        "prompt_tokens": round(mean(each.get("prompt_tokens", 0) for each in spent)),
        "receipt": spent[0] if spent else {},
    }


@contextmanager
def _plugin(bench: Bench) -> Iterator[PluginProcess]:
    with PluginProcess(on_invoke=bench.models or nobody, timeout=300) as process:
        yield process


@contextmanager
def _listening(process: PluginProcess) -> Iterator[Beats]:
    """Notes when heartbeats come, to a twentieth of a second."""
    # The first one ended the start of the process, just now.
    beats, over = Beats([time.monotonic()]), threading.Event()

    def watch() -> None:
        seen = process.heartbeats
        while not over.wait(0.05):
            if (count := process.heartbeats) != seen:
                seen = count
                beats.times.append(time.monotonic())

    watcher = threading.Thread(target=watch, name="heartbeats")
    watcher.start()
    try:
        yield beats
    finally:
        over.set()
        watcher.join()


def first_receipt(report: Mapping[str, Any], effort: str) -> Mapping[str, Any]:
    """The receipt of one cold question of this effort, or of any; empty when none was answered."""
    rows = sorted(report["cases"], key=lambda row: (row["effort"] != effort, not row["cold"]))
    receipt: Mapping[str, Any] = rows[0]["receipt"] if rows else {}
    return receipt
