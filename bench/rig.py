"""What is measured: the plugin, in a process of its own as Dify runs it, or in this one, over an embedded server."""

import importlib
import itertools
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, Protocol

from bench.metrics import Place
from evidence.settings import Settings
from standalone.cli.sources import credentials_of, readable_by
from standalone.daemon import Handler, PluginError, PluginProcess
from standalone.daemon.process import PROVIDER
from standalone.daemon.requests import tool_invocation
from standalone.knowledge import Corpus, KnowledgeServer
from standalone.knowledge.profiles import ProfileName
from standalone.knowledge.sentence_model import SentenceModel

type Tool = Literal["search", "quote", "ask", "reflect"]
type Parameters = Mapping[str, Any]
type Ablation = Callable[[Settings], Settings]

_KEYS = itertools.count(1)
_QUIET_SECONDS = 0.4  # and as long as four calls take
_LONGEST_READING = 120.0


@dataclass(frozen=True, slots=True)
class Said:
    """One answer. `calls` are what the server was asked until the answer came, `retrieves` among them.

    `rereads`, not among them, are the segments that were read again before they were shown.
    `error` is the one line of a failure; `json` is empty then.
    """

    json: Mapping[str, Any] = field(default_factory=dict)
    seconds: float = 0.0
    calls: int = 0
    retrieves: int = 0
    rereads: int = 0
    error: str = ""


@dataclass(frozen=True, slots=True)
class Spent:
    """Processor seconds of the process since it began, and MiB of memory it holds (0 where it is not known)."""

    processor: float
    megabytes: float = 0.0


class Rig(Protocol):
    """Something that answers; `server` is what it reads."""

    @property
    def server(self) -> KnowledgeServer: ...

    def ask(self, tool: Tool, parameters: Parameters) -> Said: ...

    def spent(self) -> Spent: ...


@dataclass(frozen=True, slots=True)
class ProcessRig:
    """The plugin process over stdio, as Dify runs it."""

    server: KnowledgeServer
    process: PluginProcess

    def ask(self, tool: Tool, parameters: Parameters) -> Said:
        before = len(self.server.requests)
        began = time.perf_counter()
        said: list[Mapping[str, Any]] = []
        calls, seconds = (0, 0, 0), 0.0
        try:
            request = tool_invocation(PROVIDER, tool, parameters, credentials_of(self.server))
            for message in self.process.request(request):
                if not said:
                    calls, seconds = counted(self.server, before), time.perf_counter() - began
                said.append(message)
        except PluginError as error:
            return Said({}, time.perf_counter() - began, *counted(self.server, before), error.message)
        objects = [each["message"]["json_object"] for each in said if each["type"] == "json"]
        return Said(objects[-1] if objects else {}, seconds, *calls)

    def spent(self) -> Spent:
        """Needs /proc (Linux), else OSError."""
        fields = (
            Path(f"/proc/{self.process.process_id}/stat")
            .read_text(encoding="ascii")
            .rsplit(")", 1)[1]
            .split()
        )
        ticks = int(fields[11]) + int(fields[12])  # of the process itself: user, system (man 5 proc)
        return Spent(ticks / os.sysconf("SC_CLK_TCK"), self.process.resident_megabytes())


@dataclass(frozen=True, slots=True)
class Bench:
    """How the thing under test is set up. `latency` is in seconds a knowledge call.

    `credentials` are entered beside those of the server, in this process only. `embedding` is the server's.
    """

    profile: ProfileName = "1.10.1"
    in_process: bool = False
    latency: float = 0.0
    ablation: Ablation | None = None
    models: Handler | None = None
    credentials: Mapping[str, str] = field(default_factory=dict)
    embedding: SentenceModel | None = None

    def serve(self, corpus: Corpus) -> KnowledgeServer:
        """A server with a key of its own, so that nothing that is kept by key outlives it."""
        if self.direct:
            direct_module()
        key = f"dataset-bench-{next(_KEYS)}"
        return KnowledgeServer(
            corpus,
            profile=self.profile,
            api_key=key,
            latency=self.latency,
            bound_to=readable_by(self.profile, corpus),
            embedding=self.embedding,
        )

    def rig(self, server: KnowledgeServer) -> AbstractContextManager[Rig]:
        """A plugin that has read nothing yet; ablations are in reach only in this process."""
        if self.direct:
            rig: AbstractContextManager[Rig] = direct_module().direct_rig(
                server, self.ablation, self.credentials
            )
            return rig
        return _process(server, self.models)

    @property
    def direct(self) -> bool:
        return self.in_process or self.ablation is not None


def direct_module() -> ModuleType:
    """What runs the host in this process. The SDK patches threads and sockets on import: ask before any are made."""
    return importlib.import_module("bench.direct")


@contextmanager
def _process(server: KnowledgeServer, models: Handler | None) -> Iterator[Rig]:
    with PluginProcess(on_invoke=models or nobody, timeout=300) as process:
        yield ProcessRig(server, process)


def nobody(_kind: str, _request: Mapping[str, Any]) -> None:
    """Answers no reverse invocation."""
    return


def warm_up(rig: Rig, question: str) -> int:
    """Ask once and wait until nothing more is read behind the answer; the knowledge calls that it took."""
    before = len(rig.server.requests)
    rig.ask("search", {"query": question, "top_k": 1})
    began = last_change = time.monotonic()
    seen = len(rig.server.requests)
    quiet = _QUIET_SECONDS + 4 * rig.server.latency
    while (now := time.monotonic()) - last_change < quiet and now - began < _LONGEST_READING:
        time.sleep(0.05)
        if (count := len(rig.server.requests)) != seen:
            seen, last_change = count, now
    return seen - before


def places_of(server: KnowledgeServer, passages: Any) -> tuple[Place, ...]:
    """Where the passages stand in the files, in their order."""
    found = []
    for passage in passages:
        _, name, start, end = server.source_of(passage["segment_id"])
        if start is not None and end is not None:
            found.append(Place(name, start, end))
    return tuple(found)


def counted(server: KnowledgeServer, before: int) -> tuple[int, int, int]:
    """Calls, retrieves among them, and single segments read again, after the first `before` requests."""
    made = [each.path for each in server.requests[before:]]
    again = sum("/segments/" in path or "/chunks/" in path for path in made)
    return len(made) - again, sum(path.endswith(("/retrieve", "/query-stream")) for path in made), again
