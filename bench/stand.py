"""A stand to spoil things on: the plugin's process, a proxy before the embedded servers, and what came of a call."""

import json
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

from bench.fault_proxy import FaultProxy, Servers, Tenant
from standalone.daemon import EndpointResult, PluginError, PluginProcess
from standalone.daemon.reverse import ReverseError, answers
from standalone.knowledge import Corpus, KnowledgeServer
from standalone.models import ChatServer, RerankServer, reverse_llm, reverse_rerank
from standalone.models.reader import MODELS

type Tool = Literal[
    "ask",
    "quote",
    "discover",
    "boost",
    "search",
    "aggregate",
    "reflect",
    "list_datasets",
    "list_documents",
    "retrieval",
    "mcp",
]
type Models = Literal["none", "chat", "rerank", "workspace chat", "workspace rerank"]

DOCUMENTS = Path(__file__).resolve().parents[1] / "standalone" / "documents"
KEYS = {
    "dify_api_key": "dataset-canary-of-the-knowledge-server",
    "llm_api_key": "canary-of-the-chat-api",
    "rerank_api_key": "canary-of-the-rerank-api",
    "endpoint_key": "canary-of-the-endpoint",
}
ENDPOINT_SECONDS = 4.0  # an External Knowledge request is answered by then
LISTING_SECONDS = 30.0  # what lists takes no `seconds`
_PATIENCE = 40.0  # seconds; who is silent for so long hangs
_START = 300.0  # seconds that a process may take to begin, on a busy machine
_LEAN_MEGABYTES = 140


@dataclass(frozen=True, slots=True)
class Heard:
    """What came of one call: the messages or the one line of a failure. `seconds` are of the wall."""

    seconds: float
    error: str = ""
    error_type: str = ""
    messages: Sequence[Any] = ()
    json: Mapping[str, Any] = field(default_factory=dict)
    text: str = ""

    @property
    def whole(self) -> str:
        """Everything that the caller saw."""
        return self.error + json.dumps(self.messages, ensure_ascii=False)


class Stand:
    """Serve a corpus to as many tenants as wanted, each at an address of its own; a context manager.

    The process is started anew where it died.
    """

    def __init__(self, corpus: Corpus) -> None:
        knowledge = KnowledgeServer(corpus, api_key=KEYS["dify_api_key"])
        chat = ChatServer(MODELS["reader"], api_key=KEYS["llm_api_key"])
        self.servers = Servers(knowledge, chat, RerankServer(api_key=KEYS["rerank_api_key"]))
        self.proxy = FaultProxy()
        self.logged: list[str] = []
        self._process: PluginProcess | None = None
        self._lock = threading.Lock()
        self._tenants = 0
        self._workspace = (reverse_llm(MODELS["reader"]), reverse_rerank())

    def __enter__(self) -> Self:
        self.proxy.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()
        self.proxy.close()

    @property
    def process(self) -> PluginProcess:
        with self._lock:
            if self._process is None:
                self._process = PluginProcess(on_invoke=self._invoked, timeout=_START).start()
            return self._process

    def tenant(self, servers: Servers | None = None) -> Tenant:
        """A new address, of which nothing has been read."""
        with self._lock:
            self._tenants += 1
            return self.proxy.tenant(f"t{self._tenants}", servers or self.servers)

    def credentials(self, tenant: Tenant, models: Models) -> dict[str, str]:
        address = self.proxy.address(tenant)
        entered = {"dify_base_url": f"{address}/v1", "dify_api_key": KEYS["dify_api_key"]}
        if models == "chat":
            entered |= {"llm_base_url": f"{address}/chat/v1", "llm_api_key": KEYS["llm_api_key"]}
            entered["llm_model"] = "reader"
        if models == "rerank":
            entered |= {"rerank_base_url": f"{address}/rank/v1", "rerank_api_key": KEYS["rerank_api_key"]}
            entered["rerank_model"] = "words"
        return entered

    def call(self, tool: Tool, tenant: Tenant, models: Models = "none", **parameters: Any) -> Heard:
        """The tool's answer, or the line that it fails with; a process that died is replaced."""
        process, began = self.process, time.monotonic()
        try:
            if tool == "retrieval":
                return self._retrieved(process, tenant, models, parameters)
            if tool == "mcp":
                return self._by_mcp(process, tenant, models, parameters)
            given = parameters | _models_of(models, tenant)
            result = process.invoke_tool(tool, given, self.credentials(tenant, models), timeout=_PATIENCE)
        except PluginError as error:
            if error.error_type in {"PluginDied", "LineTooLong"}:
                self._replace(process)
            return Heard(time.monotonic() - began, error.message, error.error_type)
        return Heard(time.monotonic() - began, messages=result.raw, json=result.json, text=result.text)

    def _retrieved(
        self, process: PluginProcess, tenant: Tenant, models: Models, parameters: Mapping[str, Any]
    ) -> Heard:
        setting = {"top_k": 4, "score_threshold": 0.0}
        body = {"query": parameters["query"], "knowledge_id": "auto", "retrieval_setting": setting}
        status, said, seconds = self._answered(process, "/retrieval", body, tenant, models)
        error = "" if status == 200 and "error_msg" not in said else str(said.get("error_msg", said))
        return Heard(seconds, error, f"status {status}" if error else "", (said,), said)

    def _by_mcp(
        self, process: PluginProcess, tenant: Tenant, models: Models, parameters: Mapping[str, Any]
    ) -> Heard:
        call = {"name": "quote", "arguments": {"output": "full", **parameters}}
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
        status, said, seconds = self._answered(process, "/mcp", body, tenant, models)
        result = said.get("result") or {}
        text = "".join(str(part.get("text", "")) for part in result.get("content", ()))
        failed = status != 200 or bool(result.get("isError")) or "error" in said
        if failed:
            return Heard(seconds, text or str(said.get("error")), f"status {status}", (said,))
        return Heard(seconds, messages=(said,), json=result.get("structuredContent") or {}, text=text)

    def _answered(
        self,
        process: PluginProcess,
        path: str,
        body: Mapping[str, Any],
        tenant: Tenant,
        models: Models,
    ) -> tuple[int, dict[str, Any], float]:
        began = time.monotonic()
        answer = self.post(path, json.dumps(body).encode(), tenant, models, process)
        said = answer.json() if answer.body else {}
        return answer.status, said, time.monotonic() - began

    def post(
        self,
        path: str,
        content: bytes,
        tenant: Tenant,
        models: Models = "none",
        process: PluginProcess | None = None,
    ) -> EndpointResult:
        """A request to an endpoint, with the right key; raises PluginError."""
        settings = self.credentials(tenant, models) | {"endpoint_key": KEYS["endpoint_key"], "effort": "fast"}
        headers = {
            "Authorization": f"Bearer {KEYS['endpoint_key']}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
        }
        return (process or self.process).endpoint("POST", path, headers, content, settings, timeout=_PATIENCE)

    def _invoked(self, kind: str, request: Mapping[str, Any]) -> Iterator[Mapping[str, Any]] | None:
        """A model of the workspace: its name is that of the tenant."""
        if kind not in {"llm", "rerank"}:
            return None
        tenant = self.proxy.tenants.get(str(request["model"]))
        if tenant is None:
            raise ReverseError("there is no such model")
        tenant.enter("workspace chat" if kind == "llm" else "workspace rerank")
        true = answers(self._workspace[kind == "rerank"], kind, request)
        if tenant.reverse is None:
            return true
        tenant.spoil()
        return tenant.reverse(true)

    def _replace(self, died: PluginProcess) -> None:
        with self._lock:
            if self._process is died:
                self._process = None
        self._note(died)

    def _end(self) -> None:
        if self._process:
            self._note(self._process)

    def _note(self, process: PluginProcess) -> None:
        process.close()
        self.logged += [*process.logs, *process.stray_output, process.stderr]

    # --- what the process uses -------------------------------------------------------------------

    def begin_lean(self) -> None:
        """A process that holds what a process holds, and the peak of its memory begins anew (Linux)."""
        if _kilobytes(self.process.process_id, "VmRSS") > _LEAN_MEGABYTES * 1024:
            self._replace(self.process)
        with suppress(OSError):
            Path(f"/proc/{self.process.process_id}/clear_refs").write_text("5", encoding="ascii")

    def peak_megabytes(self) -> float:
        """MiB of memory at most since the peak was forgotten; 0 where it is not known."""
        return _kilobytes(self.process.process_id, "VmHWM") / 1024

    def used(self) -> tuple[float, int, int]:
        """MiB of memory, threads and open files now; needs /proc (Linux)."""
        process = self.process.process_id
        files = len([*Path(f"/proc/{process}/fd").iterdir()])
        return _kilobytes(process, "VmRSS") / 1024, _kilobytes(process, "Threads"), files


def _models_of(models: Models, tenant: Tenant) -> dict[str, Any]:
    if models == "workspace chat":
        return {"model": {"provider": "bench", "model": tenant.name, "model_type": "llm", "mode": "chat"}}
    return {"rerank_model": f"bench/{tenant.name}"} if models == "workspace rerank" else {}


def _kilobytes(process: int, name: str) -> int:
    """A number of /proc/…/status, 0 where there is none."""
    with suppress(OSError):
        status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
        line = next((line for line in status.splitlines() if line.startswith(f"{name}:")), "")
        return int(line.split()[1]) if line else 0
    return 0
