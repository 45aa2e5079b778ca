"""The app definitions to import have the fields that real exports have, and name what the plugin really has."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
import yaml
from declared import ROOT, read

from evidence.evaluation.expected import expected_of
from host.tools import TOOLS

EXAMPLES = {path.stem: path for path in (ROOT / "docs" / "examples").glob("*.yml")}
# The fields of each kind of node in exports of Dify 1.13.3; a schedule is written as its editor writes it.
NODES = {
    "start": "selected title type variables",
    "tool": "plugin_id plugin_unique_identifier provider_id provider_name provider_type selected title "
    "tool_configurations tool_label tool_name tool_node_version tool_parameters type",
    "llm": "context model prompt_template selected title type variables vision",
    "answer": "answer selected title type variables",
    "end": "outputs selected title type",
    "knowledge-retrieval": "dataset_ids multiple_retrieval_config query_attachment_selector "
    "query_variable_selector retrieval_mode selected title type",
    "trigger-schedule": "cron_expression frequency mode selected timezone title type visual_config",
}
OPTIONAL = {"error_strategy"}
NODE = "data height id position positionAbsolute selected sourcePosition targetPosition type width"
EDGE = "data id source sourceHandle target targetHandle type zIndex"
WORKFLOW = "conversation_variables environment_variables features graph rag_pipeline_variables"
FEATURES = (
    "file_upload opening_statement retriever_resource sensitive_word_avoidance speech_to_text "
    "suggested_questions suggested_questions_after_answer text_to_speech"
)
AGENT = (
    "agent_mode annotation_reply chat_prompt_config completion_prompt_config dataset_configs dataset_query_variable "
    "external_data_tools file_upload model more_like_this opening_statement pre_prompt prompt_type retriever_resource "
    "sensitive_word_avoidance speech_to_text suggested_questions suggested_questions_after_answer text_to_speech "
    "user_input_form"
)
ALWAYS = {"text", "json", "files", "error_message", "error_type"}  # variables of a tool beside its own
_VARIABLE = re.compile(r"\{\{#([\w-]+)\.(\w+)#\}\}")


def app(name: str) -> dict[str, Any]:
    value: dict[str, Any] = yaml.safe_load(EXAMPLES[name].read_text(encoding="utf-8"))
    return value


def nodes(name: str) -> dict[str, dict[str, Any]]:
    return {
        node["id"]: node["data"] for node in app(name).get("workflow", {}).get("graph", {}).get("nodes", [])
    }


def used_tools() -> Iterator[tuple[str, Mapping[str, Any], Mapping[str, Any]]]:
    """Name, parameters and configurations of each use of a tool."""
    for name in EXAMPLES:
        for data in nodes(name).values():
            if data["type"] == "tool":
                yield data["tool_name"], data["tool_parameters"], data["tool_configurations"]
        for tool in app(name).get("model_config", {}).get("agent_mode", {}).get("tools", []):
            takes = {parameter.name: parameter.form for parameter in TOOLS[tool["tool_name"]].takes}
            given = tool["tool_parameters"]
            yield (
                tool["tool_name"],
                *({k: v for k, v in given.items() if takes[k] == form} for form in ("llm", "form")),
            )


def test_there_are_the_five_examples_and_a_page_that_draws_them() -> None:
    expected = "agent chatflow-citations external-knowledge nightly-evaluation workflow-fail-branch".split()
    assert expected == sorted(EXAMPLES)
    page = (ROOT / "docs" / "examples" / "README.md").read_text(encoding="utf-8")
    assert [True] * 5 == [f"({name}.yml)" in page for name in expected]
    assert 5 == page.count("```mermaid")


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_has_the_fields_of_a_real_export(name: str) -> None:
    definition = app(name)
    kind = "model_config" if definition["app"]["mode"] == "agent-chat" else "workflow"
    assert {"app", "dependencies", "kind", "version", kind} == {*definition}
    assert ("app", "0.6.0", []) == (definition["kind"], definition["version"], definition["dependencies"])
    if kind == "model_config":
        assert {*AGENT.split()} == {*definition[kind]}
        return
    assert [{*WORKFLOW.split()}, {*FEATURES.split()}] == [
        {*definition[kind]},
        {*definition[kind]["features"]},
    ]
    graph = definition[kind]["graph"]
    assert {frozenset(NODE.split())} == {frozenset(node) for node in graph["nodes"]}
    assert {frozenset(EDGE.split())} == {frozenset(edge) for edge in graph["edges"]}
    for data in nodes(name).values():
        assert {*NODES[data["type"]].split()} == {*data} - OPTIONAL


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_edges_lead_from_the_first_node_to_every_other(name: str) -> None:
    graph, kinds = app(name).get("workflow", {}).get("graph", {"edges": []}), nodes(name)
    for edge in graph["edges"]:
        assert [kinds[edge["source"]]["type"], kinds[edge["target"]]["type"]] == [
            edge["data"]["sourceType"],
            edge["data"]["targetType"],
        ]
        fails = edge["sourceHandle"] == "fail-branch"
        assert not fails or kinds[edge["source"]]["error_strategy"] == "fail-branch"
    assert {*list(kinds)[1:]} == {edge["target"] for edge in graph["edges"]}


def test_tools_are_used_by_the_names_and_parameters_that_they_have() -> None:
    manifest = read("manifest.yaml")
    plugin = f"{manifest['author']}/{manifest['name']}"
    text = "\n".join(path.read_text(encoding="utf-8") for path in EXAMPLES.values())
    assert {f"{plugin}/{manifest['name']}"} == {*re.findall(r"provider_id: (\S+)", text)}
    used = list(used_tools())
    assert {"ask", "search", "evaluate", "list_documents"} == {name for name, _, _ in used}
    for name, parameters, configurations in used:
        takes = {parameter.name: parameter for parameter in TOOLS[name].takes}
        assert {"llm"} >= {takes[each].form for each in parameters}
        assert {"form"} >= {takes[each].form for each in configurations}


@pytest.mark.parametrize("name", [name for name in EXAMPLES if nodes(name)])
def test_every_variable_that_is_used_exists(name: str) -> None:
    kinds = nodes(name)
    variables = {identifier: {"text", "result"} for identifier in kinds} | {
        "sys": {"query"},
        "context": set(),
    }
    for identifier, data in kinds.items():
        if data["type"] == "tool":
            variables[identifier] = {*TOOLS[data["tool_name"]].variables, *ALWAYS}
        if data["type"] == "start":
            variables[identifier] = {each["variable"] for each in data["variables"]}
    variables["env"] = {each["name"] for each in app(name)["workflow"]["environment_variables"]}
    text = EXAMPLES[name].read_text(encoding="utf-8")
    selected = [output["value_selector"] for data in kinds.values() for output in data.get("outputs", [])]
    selected += [data["context"]["variable_selector"] for data in kinds.values() if "context" in data]
    used = [*_VARIABLE.findall(text), *map(tuple, selected)]
    assert [] == [(node, variable) for node, variable in used if variable not in variables[node]]
    assert used


def test_the_questions_of_the_nightly_evaluation_can_be_read() -> None:
    (questions,) = app("nightly-evaluation")["workflow"]["environment_variables"]
    assert "questions" == questions["name"]
    assert [True, False] == [expected.answerable for expected in expected_of(questions["value"])]
