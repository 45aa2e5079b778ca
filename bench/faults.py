"""Every fault on every route for every tool that takes it: a clear error, a named degradation, or no harm."""

import json
import re
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from typing import Any, Self

from bench.fault import CANARY, Fault
from bench.fault_catalogue import FAULTS
from bench.fault_proxy import Exchange, Route, Tenant
from bench.judging import Kind, judged, outlasted, said
from bench.stand import DOCUMENTS, ENDPOINT_SECONDS, KEYS, LISTING_SECONDS, Heard, Models, Stand, Tool
from bench.tables import table
from standalone.knowledge import load_folder

QUESTION = "How quickly do I have to report a stolen laptop?"
ANSWER = "A lost or stolen device is reported to the Security Desk within 2 hours."
SECONDS = 3.0
GRACE = 1.0  # seconds that an answer may take longer than it was granted
MOST_MEGABYTES = 256
_AT_ONCE = 6
_ATTEMPTS = 2  # the first may join a search that the fault held up, or lack time on a busy machine
LETTERS: Mapping[Kind, str] = {"raised": "R", "named": "N", "unharmed": "U", "untouched": "·", "defect": "X"}


@dataclass(frozen=True, slots=True)
class Run:
    """How a tool is called: with which models, and whether it has been asked the same in calm before."""

    tool: Tool
    models: Models = "none"
    again: bool = False

    @property
    def name(self) -> str:
        return f"{self.tool} again" if self.again else self.tool


# The routes that each asks are found out by a calm call.
_RUNS: Sequence[Run] = (
    Run("ask", "chat"),
    Run("quote"),
    Run("discover"),
    Run("boost"),
    Run("search"),
    Run("aggregate", "chat"),
    Run("reflect", "chat"),
    Run("list_datasets"),
    Run("list_documents"),
    Run("retrieval"),
    Run("mcp"),
    Run("ask", "chat", again=True),
    Run("quote", again=True),
    Run("search", again=True),
    Run("retrieval", again=True),
    Run("ask", "rerank"),
    Run("search", "rerank"),
    Run("retrieval", "rerank"),
    Run("ask", "workspace chat"),
    Run("aggregate", "workspace chat"),
    Run("reflect", "workspace chat"),
    Run("search", "workspace rerank"),
    Run("ask", "workspace rerank"),
)
RUNS: Sequence[str] = tuple(dict.fromkeys(run.name for run in _RUNS))
ROUTES: Sequence[Route] = (
    "datasets",
    "dataset",
    "documents",
    "document",
    "segments",
    "segment",
    "retrieve",
    "chat",
    "workspace chat",
    "rerank",
    "workspace rerank",
)
_BELIEVED: Sequence[Route] = ("datasets", "documents", "segments")  # of which the answers are kept
_MODEL_ROUTES: Mapping[Models, Route] = {
    "rerank": "rerank",
    "workspace chat": "workspace chat",
    "workspace rerank": "workspace rerank",
}


@dataclass(frozen=True, slots=True)
class Calm:
    """A run without a fault, the routes that it asked, and the same `later`: asked again, and after a search."""

    run: Run
    heard: Heard
    routes: frozenset[Route]
    later: Sequence[Heard]


@dataclass(frozen=True, slots=True)
class Cell:
    """One fault on one route during one call. `delay` is how long another tenant waited meanwhile, in seconds."""

    run: str
    route: Route
    fault: str
    kind: Kind
    why: str
    seconds: float
    megabytes: float = 0.0
    delay: float = 0.0


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which cells are tried; empty words mean all. `timed` is off where a busy machine must not matter."""

    runs: Sequence[str] = ()
    routes: Sequence[str] = ()
    faults: Sequence[str] = ()
    timed: bool = True

    def asks(self, run: Run) -> bool:
        only = _MODEL_ROUTES.get(run.models)
        routed = not self.routes or only is None or only in self.routes
        return routed and (not self.runs or run.name in self.runs)

    def has(self, route: Route, fault: Fault) -> bool:
        return (
            fault.fits(route)
            and (not self.routes or route in self.routes)
            and (not self.faults or any(words in fault.name for words in self.faults))
        )


def measure(wanted: Wanted = Wanted()) -> dict[str, Any]:
    """A cell for each fault, route and tool; status 1 where one is a defect."""
    with Stand(load_folder(DOCUMENTS)) as stand:
        passages = stand.call("search", stand.tenant(), query=QUESTION).json
        trial = Trial(stand, passages, wanted)
        calms = [trial.calm(run) for run in _RUNS if wanted.asks(run)]
        tasks = [
            (calm, route, fault)
            for calm in calms
            for route in _routes(calm)
            for fault in FAULTS
            if wanted.has(route, fault)
        ]
        light = [task for task in tasks if task[2].weight != "heavy"]
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            cells = list(pool.map(lambda task: trial.cell(*task), light))
        cells = [trial.confirmed(cell, task, trial.cell) for cell, task in zip(cells, light, strict=True)]
        heavy = [task for task in tasks if task[2].weight == "heavy"]
        cells += [trial.confirmed(trial.watched(*task), task, trial.watched) for task in heavy]
    secrets = [name for name in (*KEYS.values(), CANARY) if name in "\n".join(stand.logged)]
    defects = [cell for cell in cells if cell.kind == "defect"]
    return {
        "status": int(bool(defects or secrets)),
        "cells": [asdict(cell) for cell in cells],
        "logged": sorted({line for logged in stand.logged if (line := _bug(logged))}),
        "secrets_in_logs": secrets,
    }


def _routes(calm: Calm) -> Sequence[Route]:
    only = _MODEL_ROUTES.get(calm.run.models)
    return [only] if only in calm.routes else [] if only else sorted(calm.routes)


@dataclass(frozen=True, slots=True)
class Trial:
    stand: Stand
    passages: Mapping[str, Any]
    wanted: Wanted

    def calm(self, run: Run) -> Calm:
        tenant = self._tenant(run)
        heard, routes = self._call(run, tenant), frozenset(tenant.asked)
        reader = self._tenant(run)
        self._call(replace(run, tool="search"), reader)
        for each in (tenant, reader):
            each.settle()
        return Calm(run, heard, routes, [self._call(run, each) for each in (tenant, reader)])

    def cell(self, calm: Calm, route: Route, fault: Fault) -> Cell:
        """The call with the fault, and the same call again once the fault is over."""
        tenant = self._tenant(calm.run)
        tenant.fault, tenant.reverse = _on(route, fault), fault.reverse if "workspace" in route else None
        heard = self._call(calm.run, tenant)
        kind, why = self._judged(calm, heard, route, fault, tenant) if tenant.spoiled else ("untouched", "")
        tenant.close()
        return Cell(calm.run.name, route, fault.name, kind, why, round(heard.seconds, 2))

    def _judged(
        self, calm: Calm, heard: Heard, route: Route, fault: Fault, tenant: Tenant
    ) -> tuple[Kind, str]:
        granted = _granted(calm.run.tool)
        kind, why = judged(calm.run.tool, calm.heard, heard, fault, tenant.asked["elsewhere"])
        if kind != "defect" and self.wanted.timed and heard.seconds > granted + GRACE:
            return "defect", f"took {heard.seconds:.1f} s of {granted:g}"
        if kind == "defect" or fault.lasts or fault.rewrites:
            return kind, why
        tenant.relieve()
        believed = said(heard.json) if route in _BELIEVED else frozenset()
        changed = ""
        for _ in range(_ATTEMPTS):
            tenant.settle()
            changed = outlasted((calm.heard, *calm.later), self._call(calm.run, tenant), believed)
            if not changed:
                break
        return ("defect", f"once it is over: {changed}") if changed else (kind, why)

    def confirmed(
        self, cell: Cell, task: tuple[Calm, Route, Fault], trial: Callable[[Calm, Route, Fault], Cell]
    ) -> Cell:
        """What took too long, or forgot what was read before, is tried once more, alone: it may be others' doing."""
        shared = task[0].run.again or cell.why.startswith(("took ", "once it is over: "))
        return trial(*task) if cell.kind == "defect" and shared else cell

    def watched(self, calm: Calm, route: Route, fault: Fault) -> Cell:
        """Alone, with an eye on memory and on how long another tenant waits."""
        self.stand.begin_lean()
        with Bystander(self.stand) as bystander:
            cell = self.cell(calm, route, fault)
        seen = replace(cell, megabytes=round(self.stand.peak_megabytes()), delay=round(bystander.longest, 2))
        if cell.kind == "defect" or not self.wanted.timed:
            return seen
        if seen.megabytes > MOST_MEGABYTES:
            return replace(seen, kind="defect", why=f"held {seen.megabytes:.0f} MiB")
        if not fault.large and seen.delay > GRACE:
            return replace(seen, kind="defect", why=f"another tenant waited {seen.delay:.1f} s")
        return seen

    def _tenant(self, run: Run) -> Tenant:
        tenant = self.stand.tenant()
        if run.again:
            self._call(run, tenant)
            tenant.settle()
            tenant.asked.clear()
        return tenant

    def _call(self, run: Run, tenant: Tenant) -> Heard:
        tool = run.tool
        given: dict[str, Any] = {"query": QUESTION, "seconds": SECONDS}
        if tool in {"aggregate", "reflect"}:
            given["passages"] = json.dumps(self.passages)
        if tool == "reflect":
            given |= {"answer": ANSWER, "effort": "thorough"}
        if tool.startswith("list_"):
            given = {}
        return self.stand.call(tool, tenant, run.models, **given)


class Bystander:
    """Another tenant, who asks one thing after the other; `longest` is the longest wait, in seconds."""

    def __init__(self, stand: Stand) -> None:
        self.longest = 0.0
        self._stand, self._tenant = stand, stand.tenant()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._ask)

    def __enter__(self) -> Self:
        self._stand.call("list_datasets", self._tenant)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()
        self._tenant.close()

    def _ask(self) -> None:
        while not self._over.wait(0.1):
            self.longest = max(self.longest, self._stand.call("list_datasets", self._tenant).seconds)


def _bug(logged: str) -> str:
    """The error and its place, of a log message that tells of a bug; empty for others."""
    if "unexpected" not in logged:
        return ""
    places = re.findall(r'File "[^"]*?/?((?:evidence|host|tools|endpoints)/[^"]+)", line (\d+)', logged)
    return f"{logged.splitlines()[0]} at {':'.join(places[-1]) if places else 'an unknown place'}"


def _on(route: Route, fault: Fault) -> Callable[[Exchange], bool]:
    def answer(exchange: Exchange) -> bool:
        if exchange.route != route or fault.http is None:
            return False
        exchange.tenant.spoil()
        fault.http(exchange)
        return True

    return answer


def _granted(tool: Tool) -> float:
    if tool in {"list_datasets", "list_documents"}:
        return LISTING_SECONDS
    return ENDPOINT_SECONDS if tool == "retrieval" else SECONDS


# --- showing -----------------------------------------------------------------------------------------------

_HEAD = """## Faults

Made by `python -m bench faults --markdown`. Each fault is put on one route while a tool is called through the plugin's
process, as Dify runs it, with {seconds:g} seconds granted; what comes of it is compared with the same call in calm. A
letter a tool: **R** a clear error was raised (one line, nothing secret in it), **N** the answer names what it lacks,
**U** unharmed: the same answer, **·** the route was not asked, **X** a defect. Defects are: an internal error, a secret
or a control character shown, a process that died, an answer later than granted and one second, another answer without a
word about it, a quote that stands nowhere, "answered" without a quote, a key sent elsewhere, more than {most} MiB of
memory, another tenant kept waiting for more than a second by less than a megabyte; and, once the fault is over and its
connections have ended, an error, another answer, or a lack named by the same call at its second attempt, but for one in
lists and texts that it read before, which are believed for ten seconds.

{counts}; the process held at most {peak:.0f} MiB, and another tenant waited at most {delay:.1f} s.
"""


def counts(report: Mapping[str, Any]) -> str:
    """One line, and one for each defect."""
    counted = Counter(cell["kind"] for cell in report["cells"])
    return f"{len(report['cells']):,} cells: " + ", ".join(
        f"{counted[kind]:,} {kind}" for kind in LETTERS if counted[kind]
    )


def tables(report: Mapping[str, Any]) -> str:
    """Rows of faults, a column a route, in each a letter a tool."""
    cells = report["cells"]
    routes = sorted({cell["route"] for cell in cells}, key=_place)
    letters: dict[tuple[str, str], str] = {}
    for cell in sorted(cells, key=lambda cell: RUNS.index(cell["run"])):
        at = cell["fault"], cell["route"]
        letters[at] = letters.get(at, "") + LETTERS[cell["kind"]]
    names = [fault.name for fault in FAULTS if any(cell["fault"] == fault.name for cell in cells)]
    rows = [(name, *(letters.get((name, route), "") for route in routes)) for name in names]
    return table(["", *routes], rows)


def _place(route: str) -> int:
    return [*map(str, ROUTES)].index(route)


def legend(report: Mapping[str, Any]) -> str:
    """Which tools the letters of a column stand for."""
    asked: dict[str, dict[str, None]] = {}
    for cell in sorted(report["cells"], key=lambda cell: (_place(cell["route"]), RUNS.index(cell["run"]))):
        asked.setdefault(cell["route"], {})[cell["run"]] = None
    return "\n".join(f"- {route}: {', '.join(tools)}" for route, tools in asked.items())


def defects(report: Mapping[str, Any]) -> str:
    """A line each."""
    found = [cell for cell in report["cells"] if cell["kind"] == "defect"]
    lines = [f"{each['run']}, {each['route']}, {each['fault']}: {each['why']}" for each in found]
    lines += [f"the log of the process: {line}" for line in report["logged"]]
    return "\n".join(lines + [f"the log shows {secret}" for secret in report["secrets_in_logs"]])


def page(report: Mapping[str, Any]) -> str:
    """The section of docs/reliability.md, without a line break at its end."""
    peak = max((cell["megabytes"] for cell in report["cells"]), default=0.0)
    delay = max((cell["delay"] for cell in report["cells"]), default=0.0)
    head = _HEAD.format(seconds=SECONDS, most=MOST_MEGABYTES, counts=counts(report), peak=peak, delay=delay)
    shown = f"```text\n{tables(report)}\n```"
    left = f"\n\nDefects:\n\n```text\n{defects(report)}\n```" if defects(report) else ""
    return (
        f"{head}\n{shown}\n\nThe tools of each column, in the order of its letters:\n\n{legend(report)}{left}"
    )
