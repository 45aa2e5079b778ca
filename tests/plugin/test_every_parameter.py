"""Every parameter that a tool's YAML declares does what its text says, seen outside the receipt, which repeats it."""

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import yaml
from conftest import KEY, QUESTION, RERANK_MODEL, SELECTOR, Plugin

from standalone.daemon import PluginError
from standalone.knowledge import Fault, KnowledgeServer
from standalone.models import ChatServer, ScriptedModel

TOOLS = Path(__file__).resolve().parents[2] / "tools"
DECLARED = [
    (path.stem, parameter["name"])
    for path in sorted(TOOLS.glob("*.yaml"))
    for parameter in yaml.safe_load(path.read_text(encoding="utf-8")).get("parameters") or ()
]
NAME = "InformationSecurityPolicy-v4.md"
NOWHERE = "What is the dress code on casual Fridays?"
OTHER = "How often are passwords changed?"
PASSAGES = [
    {"text": "A lost or stolen device is reported within 2 hours.", "document_name": "a.txt"},
    {"text": "A stolen laptop is reported within 4 hours.", "document_name": "b.txt"},
]
ONLY = {"conditions": [{"name": "document_name", "comparison_operator": "contains", "value": "Policy"}]}
USUAL: Mapping[str, Any] = {
    "query": QUESTION,
    "model": SELECTOR,
    "passages": json.dumps(PASSAGES),
    "answer": "It is reported within 2 hours.",
    "questions": json.dumps({"question": QUESTION, "words": "within 2 hours"}),
}
CHAT_KEY = "chat-secret-long"
PATIENCE = 25.0  # seconds of the wall after which a tool that was granted one of them hangs


@dataclass(frozen=True)
class Seen:
    """What a run found, without what repeats its parameters, and what was asked of models for it."""

    whole: Mapping[str, Any]
    prompts: tuple[str, ...]
    models: tuple[str, ...]
    rerankers: tuple[str, ...]

    @property
    def found(self) -> Mapping[str, Any]:
        return {name: value for name, value in self.whole.items() if name not in {"receipt", "question"}}

    @property
    def documents(self) -> list[Mapping[str, Any]]:
        return [*self.whole["documents"]]

    @property
    def names(self) -> list[str]:
        return [str(each.get("document_name") or each.get("name")) for each in self.documents]


@dataclass(frozen=True)
class Tool:
    """Runs one tool, with a chat API in the credentials where its form has no model."""

    name: str
    plugin: Plugin
    chat: ChatServer

    @property
    def takes(self) -> frozenset[str]:
        return frozenset(parameter for tool, parameter in DECLARED if tool == self.name)

    def given(self, **given: Any) -> dict[str, Any]:
        return {name: value for name, value in {**USUAL, **given}.items() if name in self.takes}

    @property
    def credentials(self) -> dict[str, str]:
        own = {"llm_base_url": self.chat.base_url, "llm_api_key": CHAT_KEY, "llm_model": "m"}
        return self.plugin.credentials | own

    def run(self, **given: Any) -> Seen:
        calls, before = self.plugin.workspace.calls, len(self.chat.log)
        calls.clear()
        whole = self.plugin.run(self.name, credentials=self.credentials, **self.given(**given)).json
        asked = [(kind, request) for kind, request in calls if kind == "llm"]
        over_http = self.chat.log[before:]
        return Seen(
            whole,
            tuple(str(request["prompt_messages"]) for _, request in asked) + tuple(map(str, over_http)),
            tuple(str(request["model"]) for _, request in asked) + tuple(each.model for each in over_http),
            tuple(str(request["model"]) for kind, request in calls if kind == "rerank"),
        )


def query(tool: Tool) -> None:
    usual, other = tool.run(), tool.run(query=OTHER)
    assert usual.found != other.found or usual.prompts
    assert all(OTHER in prompt and QUESTION not in prompt for prompt in other.prompts)


def model(tool: Tool) -> None:
    assert {"sample-chat"} == {*tool.run().models}
    assert {"sample-7b"} == {*tool.run(model=SELECTOR | {"model": "sample-7b"}).models}


def action(tool: Tool) -> None:
    with TemporaryDirectory() as folder:
        home = tool.credentials | {"index_home": "disk", "index_path": folder}
        built, dropped = (
            tool.plugin.run("index", credentials=home, action=each).json["datasets"]
            for each in ("build", "drop")
        )
    assert built != dropped


def datasets(tool: Tool) -> None:
    if tool.name == "index":
        named = tool.run(datasets="minutes").whole["datasets"]
        assert ["minutes"] == [each["dataset_name"] for each in named]
        return
    if tool.name == "evaluate":
        drafted = tool.run(questions="", suggest=5, datasets="minutes").whole["drafted"]
        assert drafted
        assert all("minutes" in name for draft in drafted for name in draft["documents"])
        return
    assert {"minutes"} < {each["dataset_name"] for each in tool.run().documents}
    assert {"minutes"} == {each["dataset_name"] for each in tool.run(datasets="minutes").documents}


def questions(tool: Tool) -> None:
    assert [QUESTION] == [each["question"] for each in tool.run().whole["questions"]]


def suggest(tool: Tool) -> None:
    drafted = tool.run(questions="", suggest=3).whole["drafted"]
    assert [True] * 3 == [each["drafted"] for each in drafted]


def language(tool: Tool) -> None:
    spoken = [tool.run(language=name).whole["checks"][0]["name"] for name in ("en_US", "pt_BR")]
    assert ["Address", "Endereço"] == spoken


def documents(tool: Tool) -> None:
    assert NAME in tool.run().names
    assert NAME not in tool.run(documents=f"!{NAME}").names
    assert [NAME] == tool.run(documents=NAME).names


def metadata_filter(tool: Tool) -> None:
    assert not all("Policy" in each for each in tool.run().names)
    filtered = tool.run(metadata_filter=json.dumps(ONLY)).names
    assert filtered
    assert all("Policy" in each for each in filtered)


def history(tool: Tool) -> None:
    follow_up = "And who must know of them?"
    alone, resolved = tool.run(query=follow_up), tool.run(query=follow_up, history=f"user: {OTHER}")
    assert alone.found != resolved.found
    searched = [json.dumps(each.whole["queries"]) for each in (alone, resolved)]
    assert [False, tool.name != "discover"] == ["password" in queries for queries in searched]
    assert not any(OTHER in prompt for prompt in alone.prompts)
    assert not resolved.prompts or any(OTHER in prompt for prompt in resolved.prompts)


def instructions(tool: Tool) -> None:
    usual, guided = tool.run(), tool.run(instructions="sections: laptop -> Classification")
    assert not any("Classification" in prompt for prompt in usual.prompts)
    assert usual.found != guided.found or guided.prompts
    assert not guided.prompts or any("laptop -> Classification" in prompt for prompt in guided.prompts)


def effort(tool: Tool) -> None:
    none, few, many = (len(tool.run(effort=each).prompts) for each in ("extractive", "fast", "thorough"))
    if tool.name == "quote":  # asks no model, and searches once more for what it has not found
        runs = [tool.run(query=NOWHERE, effort=each) for each in ("fast", "thorough")]
        assert [1, 2] == [each.whole["verdict"]["rounds"] for each in runs]
        assert 0 == none == few == many
    else:
        assert 0 == none <= few < many


def top_k(tool: Tool) -> None:
    name = {"discover": "documents", "boost": "queries"}.get(tool.name, "passages")
    assert [True, 1] == [len(tool.run().whole[name]) > 1, len(tool.run(top_k=1).whole[name])]


def seconds(tool: Tool) -> None:
    assert "limit of 1 seconds" in hung(tool)


def hung(tool: Tool) -> str:
    """What a tool with one second says where what it asks does not answer: Dify, or the model."""
    release = threading.Event()

    def silent(_messages: Any) -> str:
        release.wait()
        return "{}"

    tool.plugin.workspace.model = silent
    given, asks_dify = tool.given(seconds=1), "passages" not in tool.takes
    with KnowledgeServer(tool.plugin.server.corpus, api_key=KEY) as server:
        server.faults = (lambda _method, _path: Fault(500, delay=10 * PATIENCE)) if asks_dify else None
        credentials = tool.credentials | {"dify_base_url": server.base_url}
        try:
            result = tool.plugin.process.invoke_tool(tool.name, given, credentials, timeout=PATIENCE)
        except PluginError as error:
            return error.shown
        finally:
            release.set()
        return json.dumps(result.json["degraded"])


def rerank_model(tool: Tool) -> None:
    assert () == tool.run().rerankers
    assert {"org/rank-1"} == {*tool.run(rerank_model=RERANK_MODEL).rerankers}


def output(tool: Tool) -> None:
    full, compact = (tool.run(output=each).whole for each in ("full", "compact"))
    assert len(json.dumps(compact)) < len(json.dumps(full))


def threshold(tool: Tool) -> None:
    passages = tool.run().whole["passages"]
    highest = max(each["score"] for each in passages)
    above = tool.run(threshold=highest).whole["passages"]
    assert 0 < len(above) < len(passages)


def passages(tool: Tool) -> None:
    one = tool.run(passages=json.dumps(PASSAGES[1:]))
    assert "4 hours" in str(one.whole)
    assert "2 hours" not in str(one.whole["citations"])
    assert not any("stolen device" in prompt for prompt in one.prompts)
    assert any("stolen device" in prompt for prompt in tool.run().prompts)


def answer(tool: Tool) -> None:
    assert any("within 3 days" in each for each in tool.run(answer="It is reported within 3 days.").prompts)
    assert 1.0 > tool.run(answer="It is reported within 3 days.").whole["verdict"]["grounding"]
    assert 1.0 == tool.run().whole["verdict"]["grounding"]


def name(tool: Tool) -> None:
    named = tool.run(name="policy").names
    assert 0 < len(named) < len(tool.run().names)
    assert all("policy" in each.casefold() for each in named)


def page(tool: Tool) -> None:
    first, second = (tool.run(page=each, limit=5).names for each in (1, 2))
    assert tool.run(limit=10).names == [*first, *second]


def limit(tool: Tool) -> None:
    assert 2 == len(tool.run(limit=2).names) < len(tool.run().names)


EFFECTS: Mapping[str, Callable[[Tool], None]] = {
    each.__name__: each
    for each in (
        *(query, model, datasets, documents, metadata_filter, history, instructions, effort, top_k, seconds),
        *(language, questions, suggest, action),
        *(rerank_model, output, threshold, passages, answer, name, page, limit),
    )
}


@pytest.fixture(scope="module")
def chat() -> Iterator[ChatServer]:
    with ChatServer(ScriptedModel(lambda _messages: "no JSON"), api_key=CHAT_KEY) as running:
        yield running


@pytest.mark.parametrize(("tool", "parameter"), DECLARED)
def test_every_declared_parameter_does_something(
    plugin: Plugin, chat: ChatServer, tool: str, parameter: str
) -> None:
    assert parameter in EFFECTS
    EFFECTS[parameter](Tool(tool, plugin, chat))


def test_every_effect_is_of_a_parameter_that_is_declared() -> None:
    assert {*EFFECTS} == {parameter for _, parameter in DECLARED}
