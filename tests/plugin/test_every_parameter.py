"""Every parameter that a tool declares does something: two runs with different values differ in what is seen."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from conftest import QUESTION, RERANK_MODEL, SELECTOR, Plugin

from host.tools import TOOLS
from standalone.models import ChatServer, ScriptedModel

DOCUMENT = "InformationSecurityPolicy-v4.md"
OTHER = "How often are passwords changed?"
PASSAGES = [
    {"text": "A lost or stolen device is reported within 2 hours.", "document_name": "a.txt"},
    {"text": "A stolen laptop is reported within 4 hours.", "document_name": "b.txt"},
]
ONLY = {"conditions": [{"name": "document_name", "comparison_operator": "contains", "value": "Policy"}]}
SECTIONS = "sections: laptop -> Classification"

# What each parameter is given in the two runs.
VALUES: Mapping[str, tuple[Any, Any]] = {
    "query": (QUESTION, OTHER),
    "model": (SELECTOR, SELECTOR | {"model": "sample-7b"}),
    "datasets": ("", "minutes"),
    "documents": ("", f"!{DOCUMENT}"),
    "metadata_filter": ("", json.dumps(ONLY)),
    "history": ("", f"user: {OTHER}"),
    "instructions": ("", SECTIONS),
    "effort": ("fast", "thorough"),
    "top_k": (8, 1),
    "seconds": (60, 30),
    "rerank_model": ("", RERANK_MODEL),
    "output": ("full", "compact"),
    "threshold": (0, 1),
    "passages": (json.dumps(PASSAGES), json.dumps(PASSAGES[:1])),
    "answer": ("It is reported within 2 hours.", "It is reported within 3 days."),
    "name": ("", "policy"),
    "page": (1, 2),
    "limit": (20, 2),
}
# What is asked where the usual question would not show it.
ASKED: Mapping[str, Mapping[str, Any]] = {
    "history": {"query": "And who must know of them?"},
    "page": {"limit": 5},
}
NEEDED = ("query", "model", "passages", "answer")
CHANGING = frozenset({"read_at", "freshness", "steps", "seconds", "cache_hits", "began", "knowledge_calls"})


DECLARED = [(row.name, parameter) for row in TOOLS.values() for parameter in row.parameters]


@dataclass(frozen=True)
class Seen:
    """The JSON of a run without its times, and the words that models were sent."""

    json: str
    words: frozenset[str]


@pytest.fixture(scope="module")
def chat() -> Iterator[ChatServer]:
    with ChatServer(ScriptedModel(lambda _messages: "no JSON"), api_key="chat-secret-long") as running:
        yield running


def seen(plugin: Plugin, chat: ChatServer, tool: str, given: Mapping[str, Any]) -> Seen:
    """What a run shows, with a chat API in the credentials for the tools that have no model in their form."""
    own = {"llm_base_url": chat.base_url, "llm_api_key": "chat-secret-long", "llm_model": "m"}
    plugin.workspace.calls.clear()
    before = len(chat.log)
    result = plugin.run(tool, credentials=plugin.credentials | own, **given)
    sent = [*map(str, plugin.workspace.calls), *map(str, chat.log[before:])]
    return Seen(json.dumps(_still(result.json)), frozenset(re.findall(r"\w+", " ".join(sent))))


def settled(plugin: Plugin, chat: ChatServer, tool: str, given: Mapping[str, Any]) -> Seen:
    """What two runs in a row show alike, once all has been read that is read behind answers."""
    before = seen(plugin, chat, tool, given)
    for _ in range(20):
        now = seen(plugin, chat, tool, given)
        if now.json == before.json:
            return Seen(now.json, now.words & before.words)
        before = now
    raise AssertionError(f"{tool} never shows the same twice")


def _still(value: Any) -> Any:
    """The value without what changes from run to run."""
    if isinstance(value, dict):
        kept = {
            name: _still(inner) for name, inner in value.items() if name not in CHANGING or name == "limits"
        }
        if isinstance(value.get("limits"), dict):
            kept["limits"] = value["limits"]
        return kept | ({"steps": True} if "steps" in value else {})
    return [_still(inner) for inner in value] if isinstance(value, list) else value


@pytest.mark.parametrize(("tool", "parameter"), DECLARED)
def test_every_declared_parameter_does_something(
    plugin: Plugin, chat: ChatServer, tool: str, parameter: str
) -> None:
    taken = {name for owner, name in DECLARED if owner == tool}
    needed = {name: VALUES[name][0] for name in NEEDED if name in taken}
    asked = {name: value for name, value in ASKED.get(parameter, {}).items() if name in taken}
    one, other = (
        settled(plugin, chat, tool, {**needed, **asked, parameter: value}) for value in VALUES[parameter]
    )
    assert one != other


def test_every_value_of_the_table_is_of_a_parameter_that_is_declared() -> None:
    assert set(VALUES) == {name for _, name in DECLARED}
