"""The plugin as Dify runs it, one process for all tests here, and an embedded knowledge server it reads."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from host.tools import TOOLS
from standalone.daemon import PluginError, PluginProcess, ToolResult
from standalone.knowledge import KnowledgeServer, load_folder
from standalone.models import Model, reverse_llm, reverse_rerank

DOCUMENTS = Path(__file__).resolve().parents[2] / "standalone" / "documents"
KEY = "dataset-very-secret-and-long"
SELECTOR = {"provider": "sample/sample/sample", "model": "sample-chat", "model_type": "llm", "mode": "chat"}
RERANK_MODEL = "langgenius/sample/sample/org/rank-1"
QUESTION = "How quickly do I have to report a stolen laptop?"


def gibberish(_messages: Any) -> str:
    return "As a helpful model I would rather talk about the weather."


@dataclass
class Workspace:
    """The models of the workspace; a test sets `model`, and `calls` tells what it was asked."""

    model: Model = gibberish
    calls: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list)

    def __call__(self, kind: str, request: Mapping[str, Any]) -> Any:
        if kind in ("llm", "rerank"):
            self.calls.append((kind, request))
        if kind == "llm":
            return reverse_llm(self.model)(kind, request)
        return reverse_rerank(known=(RERANK_MODEL,))(kind, request)


@dataclass
class Plugin:
    """Invokes tools and sees to it that no message ever holds a secret."""

    process: PluginProcess
    server: KnowledgeServer
    workspace: Workspace

    @property
    def credentials(self) -> dict[str, Any]:
        return {"dify_base_url": self.server.base_url.removesuffix("/v1"), "dify_api_key": KEY}

    def run(self, tool: str, caller: Mapping[str, str] | None = None, **given: Any) -> ToolResult:
        """The result of a tool with the right credentials, unless `credentials` are given."""
        credentials = given.pop("credentials", self.credentials)
        try:
            result = self.process.invoke_tool(tool, given, credentials, caller=caller)
        except PluginError as error:
            _no_secret(error.shown, credentials)
            raise
        _no_secret(json.dumps(result.raw), credentials)
        return result

    def needed(self, tool: str) -> dict[str, Any]:
        """What a tool must be given."""
        values: dict[str, Any] = {
            "query": QUESTION,
            "model": SELECTOR,
            "answer": "A lost or stolen device shall be reported within 2 hours.",
        }
        needed = {each.name for each in TOOLS[tool].takes if each.required}
        if tool == "evaluate":
            return {"questions": json.dumps({"question": QUESTION, "words": "within 2 hours"})}
        if "passages" in needed:
            values["passages"] = json.dumps(self.run("search", query=QUESTION).json)
        return {name: value for name, value in values.items() if name in needed}

    def failure(self, tool: str, **given: Any) -> str:
        """The one line that Dify shows of a tool's failure."""
        with pytest.raises(PluginError) as caught:
            self.run(tool, **given)
        message = caught.value.shown
        assert "contact the author" not in message
        assert message == " ".join(message.split())
        assert 0 < len(message) <= 500
        return message

    def refusal(self, credentials: Mapping[str, Any]) -> str:
        """The one line that Dify shows of credentials that are not accepted."""
        with pytest.raises(PluginError) as caught:
            self.process.validate(credentials)
        message = caught.value.shown_when_saving
        _no_secret(message, credentials)
        assert message == " ".join(message.split())
        assert 0 < len(message) <= 500
        return message


def _no_secret(said: str, credentials: Mapping[str, Any]) -> None:
    secrets = [str(value) for name, value in credentials.items() if name.endswith("_api_key")]
    assert not [secret for secret in secrets if len(secret) > 8 and secret in said]
    assert "Traceback" not in said


@pytest.fixture(scope="session")
def server() -> Iterator[KnowledgeServer]:
    with KnowledgeServer(load_folder(DOCUMENTS), api_key=KEY) as running:
        yield running
        written = [
            each for each in running.requests if each.method != "GET" and not each.path.endswith("/retrieve")
        ]
        assert written == []


@pytest.fixture(scope="session")
def _session(server: KnowledgeServer) -> Iterator[Plugin]:
    workspace = Workspace()
    with PluginProcess(on_invoke=workspace, timeout=60) as process:
        yield Plugin(process, server, workspace)
        assert process.stray_output == ()
        assert KEY not in "".join(process.logs) + process.stderr


@pytest.fixture
def plugin(_session: Plugin) -> Plugin:
    _session.workspace.model = gibberish
    _session.workspace.calls.clear()
    return _session


@pytest.fixture
def crooked() -> Iterator[KnowledgeServer]:
    """A knowledge server of its own for a test that makes it misbehave."""
    with KnowledgeServer(load_folder(DOCUMENTS / "policies", name="policies"), api_key=KEY) as running:
        yield running
