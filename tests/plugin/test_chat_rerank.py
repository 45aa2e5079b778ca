"""The chat model of the workspace as a reranker."""

import json
import re
from collections.abc import Sequence

from conftest import QUESTION, SELECTOR, Plugin

from standalone.models import Message


def _grading(messages: Sequence[Message]) -> str:
    """Grades in the order of the passages; no JSON where no grades are asked for."""
    whole = "\n".join(str(message) for message in messages)
    if '"scores"' not in whole:
        return "no"
    shown = re.findall(r"<<\w+ (p\w+) \| a passage>>", whole)
    return json.dumps({"scores": {key: 10 - at % 10 for at, key in enumerate(shown)}})


def test_the_chat_model_grades_the_passages_in_one_call(plugin: Plugin) -> None:
    plugin.workspace.model = _grading
    found = plugin.run("search", query=QUESTION, model=SELECTOR, rerank_model="chat", effort="fast").json
    assert ["llm"] == [kind for kind, _ in plugin.workspace.calls]
    assert "rerank" in {why["list"] for passage in found["passages"] for why in passage["why"]}
    assert [] == found["degraded"]


def test_a_chat_model_that_talks_costs_a_line_and_no_passage(plugin: Plugin) -> None:
    found = plugin.run("search", query=QUESTION, model=SELECTOR, rerank_model="chat", effort="fast").json
    plain = plugin.run("search", query=QUESTION, model=SELECTOR, effort="fast").json
    assert [each["text"] for each in plain["passages"]] == [each["text"] for each in found["passages"]]
    assert 1 == sum(line.startswith("rerank: ") for line in found["degraded"])
