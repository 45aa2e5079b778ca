"""What is asked wrongly is refused in one line that says what is right."""

from typing import Any

import pytest
from conftest import QUESTION, SELECTOR, Plugin

RERANK_FORM = (
    "chat, or provider/model as the workspace names them: a plugin's provider has three parts, as in "
    "langgenius/jina/jina/jina-reranker-v2-base-multilingual"
)
READING = ("quote", "discover", "boost", "search")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"query": ""}, "`query` is required: the question to be answered"),
        ({"query": "x" * 20_000}, "`query` has 20,000 characters; at most 8,000 are accepted"),
        ({"seconds": 0}, "`seconds` must be a number from 1 to 240"),
        ({"seconds": -3}, "`seconds` must be a number from 1 to 240"),
        ({"top_k": 500}, "`top_k` must be a number from 1 to 50"),
        ({"metadata_filter": '{"conditions": '}, "the metadata filter is not valid JSON"),
        ({"rerank_model": "jina-v2"}, f"`rerank_model` must be {RERANK_FORM}"),
    ],
)
def test_wrong_parameters_are_refused_before_anybody_is_asked(
    plugin: Plugin, given: dict[str, Any], expected: str
) -> None:
    plugin.server.clear_requests()
    for tool in READING:
        assert expected == plugin.failure(tool, **({"query": QUESTION} | given))
    assert expected == plugin.failure("ask", **({"query": QUESTION, "model": SELECTOR} | given))
    assert plugin.server.requests == ()
    assert plugin.workspace.calls == []


@pytest.mark.parametrize("effort", ["heroic", 7])
def test_an_unknown_effort_is_refused(plugin: Plugin, effort: Any) -> None:
    expected = "`effort` must be one of extractive, fast, balanced, thorough"
    assert expected == plugin.failure("search", query=QUESTION, effort=effort)


@pytest.mark.parametrize(
    ("passages", "expected"),
    [
        (None, "`passages` is required: the JSON of the search tool"),
        ("[{", "`passages` is not valid JSON; hand on what the search tool returned"),
        ('[{"title": "a"}]', "`passages`, entry 1: text: Field required"),
    ],
)
def test_malformed_passages_are_refused(plugin: Plugin, passages: str | None, expected: str) -> None:
    given = {"query": QUESTION, "model": SELECTOR, "passages": passages}
    assert expected == plugin.failure("aggregate", **given)
    assert expected == plugin.failure("reflect", answer="An answer.", **given)


def test_a_missing_answer_is_refused(plugin: Plugin) -> None:
    said = plugin.failure("reflect", query=QUESTION, model=SELECTOR, passages="[]", answer=" ")
    assert said == "`answer` is required: the answer to be judged"


@pytest.mark.parametrize("model", ["sample-chat", {"provider": "sample"}, {"model": "sample-chat"}, ["a"]])
def test_a_model_that_is_no_selector_is_refused(plugin: Plugin, model: Any) -> None:
    expected = "`model` must be a model of the workspace: choose one in the tool's settings"
    assert expected == plugin.failure("ask", query=QUESTION, model=model)


@pytest.mark.parametrize(("page", "limit"), [(0, 20), (1, 101), ("x", 20)])
def test_a_page_that_cannot_be_is_refused(plugin: Plugin, page: Any, limit: int) -> None:
    assert "must be a number from 1 to" in plugin.failure("list_documents", page=page, limit=limit)


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
