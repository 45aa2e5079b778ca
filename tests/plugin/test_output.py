"""How much JSON is sent: all of it to a workflow, little where a model reads it."""

import json
from typing import Any

import pytest
from conftest import QUESTION, SELECTOR, Plugin

from host.fitting import size
from host.tools import TOOLS
from host.view.compact import MOST_COMPACT
from standalone.daemon import ToolResult

WORKFLOW = {"app_id": "3c0f9e0e-6f57-4a8e-9d53-27a7a7c1d001"}
AGENT_APP = WORKFLOW | {"message_id": "3c0f9e0e-6f57-4a8e-9d53-27a7a7c1d002"}
QUESTIONS = (
    QUESTION,
    "How long may we keep the interview notes of applicants whom we did not hire?",
    "Compare the notice periods of the two confidentiality agreements.",
)
LONG = (
    "List all deadlines in all policies and agreements",
    "Compare the notice periods, liability caps, payment terms and governing law of all agreements",
    f"What is the notice period? {'Please look everywhere. ' * 300}",
)
MOST_BYTES = 2_500  # of the JSON that a model reads; 0.1.0 sent 11,600 to 19,900


def form_of(tool: str) -> dict[str, Any]:
    """Every parameter of the form, as Dify fills it in for an agent: an unset text is empty."""
    form = {p.name: getattr(p, "default", "") for p in TOOLS[tool].takes if p.form == "form"}
    return form | ({"model": SELECTOR} if "model" in form else {})


def _size(result: ToolResult) -> int:
    return len(json.dumps(result.json, ensure_ascii=False).encode())


@pytest.mark.parametrize("tool", TOOLS)
def test_compact_holds_no_words_of_quotes_passages_and_steps(plugin: Plugin, tool: str) -> None:
    full = plugin.run(tool, WORKFLOW, **plugin.needed(tool), output="full")
    compact = plugin.run(tool, WORKFLOW, **plugin.needed(tool), output="compact")
    assert set() == {"passages", "claims", "facets", "comparison"} & compact.json.keys()
    assert {"steps", "limits"} == full.json["receipt"].keys() - compact.json["receipt"].keys()
    kept = ("status", "reason", "answer", "degraded")
    assert [full.json.get(name) for name in kept] == [compact.json.get(name) for name in kept]
    ids = [[each["segment_id"] for each in of.json.get("citations", [])] for of in (full, compact)]
    assert ids[0] == ids[1]
    assert compact.variables.keys() == full.variables.keys()
    assert _size(compact) < _size(full)


@pytest.mark.parametrize("tool", ["ask", "quote", "search", "discover"])
def test_compact_json_and_that_of_an_agent_are_bounded_whatever_is_asked(plugin: Plugin, tool: str) -> None:
    for question in LONG:
        compact = plugin.run(tool, WORKFLOW, query=question, output="compact")
        assert size(compact.json) <= MOST_COMPACT
        assert _size(plugin.run(tool, {}, query=question, **form_of(tool))) <= MOST_BYTES


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("tool", ["ask", "quote", "search"])
def test_the_model_of_an_agent_node_reads_the_text_and_little_json(
    plugin: Plugin, tool: str, question: str
) -> None:
    """An Agent node fills in the whole form, its defaults included, and names neither app nor message."""
    result = plugin.run(tool, {}, query=question, **form_of(tool))
    assert ["text", "json"] == [message["type"] for message in result.raw]
    assert _size(result) <= MOST_BYTES
    assert result.json["status"] in ("answered", "partial")
    whole = plugin.run(tool, WORKFLOW, query=question, **form_of(tool)).json
    needed = whole["passages"] if tool == "search" else whole["citations"]
    for words in (each["text"] if tool == "search" else each["quote"] for each in needed):
        assert all(line.strip() in result.text for line in words.splitlines())


@pytest.mark.parametrize("tool", ["quote", "search", "list_documents"])
def test_an_agent_app_gets_no_variables_and_json_that_it_does_not_show_its_model(
    plugin: Plugin, tool: str
) -> None:
    result = plugin.run(tool, AGENT_APP, **plugin.needed(tool))
    assert ["text", "json"] == [message["type"] for message in result.raw]
    assert result.raw[1]["message"]["suppress_output"] is True
    assert _size(result) <= MOST_BYTES


def test_a_workflow_gets_the_whole_json_however_much_of_the_form_is_filled_in(plugin: Plugin) -> None:
    for caller, more in ((WORKFLOW, form_of("search")), (WORKFLOW, {}), ({}, {})):
        result = plugin.run("search", caller, query=QUESTION, **more)
        assert result.json["passages"]
        assert result.json["receipt"]["steps"]
        assert result.variables["result"]
