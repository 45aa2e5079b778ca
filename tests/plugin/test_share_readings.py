"""Several processes of the plugin on one workspace: what one has read, another need not read again."""

import json
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from conftest import KEY

from evidence.kept import KEY as KEPT
from standalone.daemon import PluginProcess
from standalone.daemon.reverse import Answer, ReverseError
from standalone.daemon.storage import MemoryStorage
from standalone.knowledge import KnowledgeServer
from standalone.knowledge.corpus import Collection, Corpus, SourceDocument

CRANES = tuple(
    SourceDocument(
        f"Crane {number}.txt",
        f"Crane {number} stands at berth {number + 40}. Its licence ends in {2030 + number}. It was built by hand.",
    )
    for number in range(1, 31)
)
HARBOUR = Corpus((Collection("Harbour", CRANES, technique="economy"),))
QUESTION = "When does the licence of crane 17 end?"


@dataclass
class Workspace:
    """The storage of a workspace, which its processes have in common; `asked` is what they asked of it."""

    storage: MemoryStorage = field(default_factory=MemoryStorage)
    asked: list[str] = field(default_factory=list)
    refusal: str = ""

    def __call__(self, kind: str, request: Mapping[str, Any]) -> Answer | None:
        if kind == "storage":
            self.asked.append(str(request["opt"]))
            assert len(str(request)) < 1_000_000
            if self.refusal:
                raise ReverseError(self.refusal)
        return self.storage(kind, request)

    def size(self) -> int:
        """The bytes of the parts, without the index."""
        return sum(len(value) for key, value in self.storage.values.items() if KEPT not in key)

    def spoil(self) -> None:
        for key in self.storage.values:
            self.storage("storage", {"opt": "set", "key": key, "value": b"\x00 garbage".hex()})


@dataclass
class Process:
    """A process of the plugin, and what it is asked about."""

    plugin: PluginProcess
    server: KnowledgeServer
    share: str = "workspace"
    credentials: dict[str, str] = field(default_factory=dict)

    def ask(self) -> dict[str, Any]:
        given = {"dify_base_url": self.server.base_url, "dify_api_key": KEY, "share_readings": self.share}
        said = self.plugin.invoke_tool("quote", {"query": QUESTION}, given | self.credentials)
        found: dict[str, Any] = said.json
        return found

    def ask_until_kept(self, workspace: Workspace) -> dict[str, Any]:
        """The answer to the question behind which the storage was written."""
        until = time.monotonic() + 10
        while "set" not in workspace.asked:
            assert time.monotonic() < until
            said = self.ask()
        return said


def steps(said: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    return [step["facts"] for step in said["receipt"]["steps"] if step["name"] == name]


def read(server: KnowledgeServer) -> int:
    """How many documents were read since this was asked last."""
    count = sum(request.path.endswith("/segments") for request in server.requests)
    server.clear_requests()
    return count


@contextmanager
def fresh(workspace: Workspace, server: KnowledgeServer, **credentials: str) -> Iterator[Process]:
    with PluginProcess(on_invoke=workspace) as plugin:
        yield Process(plugin, server, credentials=credentials)


@pytest.fixture
def workspace() -> Workspace:
    return Workspace()


@pytest.fixture
def server() -> Iterator[KnowledgeServer]:
    with KnowledgeServer(HARBOUR, api_key=KEY) as running:
        yield running


def test_the_first_question_of_a_fresh_process_needs_no_document_that_another_one_read(
    workspace: Workspace, server: KnowledgeServer
) -> None:
    with fresh(workspace, server) as process:
        cold = process.ask()
        process.ask_until_kept(workspace)
        warm = process.ask()
    assert "2047" in warm["answer"]
    assert len(CRANES) == read(server)
    with fresh(workspace, server) as process:
        said = process.ask()
        later = process.ask()
    assert 0 == read(server)
    assert [warm["answer"], warm["citations"]] == [said["answer"], said["citations"]]
    assert said["receipt"]["knowledge_calls"] <= 4 < cold["receipt"]["knowledge_calls"]
    assert later["receipt"]["knowledge_calls"] <= 1
    assert [{"part": 0, "bytes": workspace.size()}] == steps(said, "storage.get")
    assert 1 == sum(each["behind"] for each in steps(warm, "storage.put"))
    assert 2 == workspace.asked.count("set") == len(workspace.storage.values)
    assert [] == steps(later, "storage.get") == said["degraded"]


def test_another_allow_list_and_another_key_find_nothing(
    workspace: Workspace, server: KnowledgeServer
) -> None:
    with fresh(workspace, server) as process:
        process.ask_until_kept(workspace)
    with fresh(workspace, server, allowed_datasets="Harbour") as process:
        assert [{"part": 0, "bytes": 0}] == steps(process.ask(), "storage.get")
    port = int(server.base_url.split(":")[-1].split("/")[0])
    server.close()
    other = "dataset-another-long-one"
    with (
        KnowledgeServer(HARBOUR, api_key=other, port=port) as again,
        fresh(workspace, again, dify_api_key=other) as process,
    ):
        assert [{"part": 0, "bytes": 0}] == steps(process.ask(), "storage.get")


def test_an_edited_document_is_read_anew(workspace: Workspace, server: KnowledgeServer) -> None:
    with fresh(workspace, server) as process:
        process.ask_until_kept(workspace)
    port = int(server.base_url.split(":")[-1].split("/")[0])
    server.close()
    edited = replace(CRANES[16], text="Crane 17 stands at berth 57. Its licence ends in 2099, not before.")
    corpus = Corpus((replace(HARBOUR.collections[0], documents=(*CRANES[:16], edited, *CRANES[17:])),))
    with KnowledgeServer(corpus, api_key=KEY, port=port) as again, fresh(workspace, again) as process:
        said = process.ask()
        assert "2099" in said["answer"]
        assert 1 == read(again)
        assert said["receipt"]["knowledge_calls"] <= 4


def test_broken_bytes_cost_a_line_and_nothing_else(workspace: Workspace, server: KnowledgeServer) -> None:
    with fresh(workspace, server) as process:
        good = process.ask_until_kept(workspace)
    workspace.spoil()
    with fresh(workspace, server) as process:
        said, later = process.ask(), process.ask()
    assert good["answer"] == said["answer"]
    (line,) = said["degraded"]
    assert "what other processes read of Harbour was not used" in line
    assert [] == later["degraded"]


def test_a_storage_that_refuses_costs_a_line_and_nothing_else(
    workspace: Workspace, server: KnowledgeServer
) -> None:
    workspace.refusal = "topsecret: the disk is gone"
    with fresh(workspace, server) as process:
        said = process.ask()
    assert "2047" in said["answer"]
    (line,) = said["degraded"]
    assert "the plugin's storage failed" in line
    assert "topsecret" not in str(said)


def test_nothing_is_asked_of_the_storage_where_nobody_chose_it(
    workspace: Workspace, server: KnowledgeServer
) -> None:
    with fresh(workspace, server) as process:
        for share in ("process", ""):
            process.share = share
            process.ask()
            process.ask()
    assert [] == workspace.asked


def mcp(process: Process, **headers: str) -> dict[str, Any]:
    """The same question over MCP."""
    settings = {
        "dify_base_url": process.server.base_url,
        "dify_api_key": KEY,
        "endpoint_key": "open",
        "share_readings": "workspace",
        "allow_header_overrides": True,
        "allowed_header_hosts": "127.0.0.1",
    }
    call = {"name": "quote", "arguments": {"query": QUESTION}}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}).encode()
    sent = {"Content-Type": "application/json", "Authorization": "Bearer open"} | headers
    found: dict[str, Any] = process.plugin.endpoint("POST", "/mcp", sent, body, settings).json()["result"]
    assert not found["isError"], found
    structured: dict[str, Any] = found["structuredContent"]
    return structured


def test_questions_over_mcp_find_what_the_tools_kept_and_keep_nothing_themselves(
    workspace: Workspace, server: KnowledgeServer
) -> None:
    with fresh(workspace, server) as process:
        until = time.monotonic() + 10
        while mcp(process)["receipt"]["knowledge_calls"] > 1:
            assert time.monotonic() < until
        mcp(process)
        assert {"get"} == set(workspace.asked)
        process.ask_until_kept(workspace)
    with fresh(workspace, server) as process:
        assert mcp(process)["receipt"]["knowledge_calls"] <= 4


def test_what_is_read_from_a_server_that_a_header_names_is_not_kept(
    workspace: Workspace, server: KnowledgeServer
) -> None:
    named = {"X-RETRIEVAL-ENDPOINT": server.base_url, "X-RETRIEVAL-API-KEY": KEY}
    with fresh(workspace, server) as process:
        until = time.monotonic() + 10
        while mcp(process, **named)["receipt"]["knowledge_calls"] > 1:
            assert time.monotonic() < until
        mcp(process, **named)
    assert [] == workspace.asked
