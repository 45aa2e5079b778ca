"""What is asked wrongly is refused in one line that says what is right."""

from typing import Any

import pytest
from conftest import QUESTION, Plugin

from host.parameters import ANY, RERANK_FORM
from host.tools import TOOLS
from standalone.knowledge import KnowledgeServer

READING = ("quote", "discover", "boost", "search")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"query": ""}, "`query` is required: the question to be answered"),
        ({"seconds": 0}, "`seconds` must be a number from 1 to 240"),
        ({"effort": "heroic"}, "`effort` must be one of extractive, fast, balanced, thorough"),
        ({"output": "verbose"}, "`output` must be one of full, compact"),
        ({"metadata_filter": '{"conditions": '}, "the metadata filter is not valid JSON"),
        ({"rerank_model": "jina-v2"}, f"`rerank_model` must be {RERANK_FORM}"),
        ({"passages": None}, "`passages` is required: the JSON of the search tool"),
        ({"passages": "[{"}, "`passages` is not valid JSON; hand on what the search tool returned"),
        ({"passages": '[{"title": "a"}]'}, "`passages`, entry 1: text: Field required"),
        ({"answer": " "}, "`answer` is required: the answer to be judged"),
        ({"page": 0}, f"`page` must be a number from 1 to {ANY}"),
        ({"limit": 101}, "`limit` must be a number from 1 to 100"),
    ],
)
def test_wrong_parameters_are_refused_before_anybody_is_asked(
    plugin: Plugin, crooked: KnowledgeServer, given: dict[str, Any], expected: str
) -> None:
    needed = {row.name: plugin.needed(row.name) for row in TOOLS.values() if {*given} <= {*row.parameters}}
    assert needed
    plugin.workspace.calls.clear()
    asked = Plugin(plugin.process, crooked, plugin.workspace)
    assert {expected} == {asked.failure(tool, **(values | given)) for tool, values in needed.items()}
    assert ((), []) == (crooked.requests, plugin.workspace.calls)


@pytest.mark.parametrize("model", ["sample-chat", {"provider": "sample"}, {"model": "sample-chat"}, ["a"]])
def test_a_model_that_is_no_selector_is_refused(plugin: Plugin, model: Any) -> None:
    expected = "`model` must be a model of the workspace: choose one in the tool's settings"
    assert expected == plugin.failure("ask", query=QUESTION, model=model)


@pytest.mark.parametrize("tool", [*READING, "list_documents"])
def test_an_unknown_dataset_is_refused(plugin: Plugin, tool: str) -> None:
    said = plugin.failure(tool, query=QUESTION, datasets="No Such Dataset")
    assert "dataset" in said
    assert "No Such Dataset" in said


def test_a_dataset_outside_the_allow_list_is_as_good_as_unknown(plugin: Plugin) -> None:
    only = plugin.credentials | {"allowed_datasets": "minutes"}
    for hidden in ("policies", plugin.server.dataset_id("policies")):
        for tool in (*READING, "list_documents"):
            said = plugin.failure(tool, query=QUESTION, datasets=hidden, credentials=only)
            assert f'There is no dataset "{hidden}" that this key may read; it may read: minutes.' == said


def test_the_allow_list_bounds_what_is_listed_routed_and_read(plugin: Plugin) -> None:
    plugin.run("search", query=QUESTION)  # fills what is remembered for the wide key
    only = plugin.credentials | {"allowed_datasets": "minutes"}
    listed = plugin.run("list_datasets", credentials=only).json["datasets"]
    assert [each["dataset_name"] for each in listed] == ["minutes"]
    names = {
        each["dataset_name"] for each in plugin.run("list_documents", credentials=only).json["documents"]
    }
    assert names == {"minutes"}
    found = plugin.run("search", query=QUESTION, credentials=only).json
    assert {each["dataset_name"] for each in [*found["passages"], *found["documents"]]} <= {"minutes"}
