"""What a question costs on the sample documents, counted by the server and by the receipt alike."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import DOCUMENTS, KEY, SELECTOR, Plugin

from standalone.knowledge import KnowledgeServer, load_folder
from standalone.models.reader import MODELS

QUESTIONS = tuple(
    json.loads(line)["question"]
    for line in (DOCUMENTS.parent / "questions.jsonl").read_text(encoding="utf-8").splitlines()
)


@pytest.fixture
def fresh() -> Iterator[KnowledgeServer]:
    """A server that the plugin has never read from."""
    with KnowledgeServer(load_folder(Path(DOCUMENTS)), api_key=KEY) as server:
        yield server


def _asked(plugin: Plugin, server: KnowledgeServer, tool: str, question: str) -> dict[str, Any]:
    credentials = {"dify_base_url": server.base_url, "dify_api_key": KEY}
    result = plugin.run(tool, query=question, model=SELECTOR, credentials=credentials)
    receipt: dict[str, Any] = result.json["receipt"]
    return receipt


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_cold_balanced_question_costs_at_most_nine_knowledge_and_three_model_calls(
    plugin: Plugin, fresh: KnowledgeServer, question: str
) -> None:
    plugin.workspace.model = MODELS["reader"]
    receipt = _asked(plugin, fresh, "ask", question)
    assert receipt["knowledge_calls"] <= 9
    assert receipt["model_calls"] <= 3
    assert receipt["prompt_tokens"] < 10_000


def test_the_receipt_counts_what_the_server_saw(plugin: Plugin, fresh: KnowledgeServer) -> None:
    plugin.workspace.model = MODELS["failing"]
    credentials = {"dify_base_url": fresh.base_url, "dify_api_key": KEY}
    found = plugin.run("discover", query=QUESTIONS[0], credentials=credentials)
    assert len(fresh.requests) == found.json["receipt"]["knowledge_calls"]


def test_an_extractive_question_costs_no_model_call(plugin: Plugin, fresh: KnowledgeServer) -> None:
    before = len(plugin.workspace.calls)
    assert 0 == _asked(plugin, fresh, "quote", QUESTIONS[0])["model_calls"]
    assert before == len(plugin.workspace.calls)
