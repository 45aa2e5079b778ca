"""The plugin's own answers, handed to `reflect` as they are: what was verified stays verified."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from conftest import DOCUMENTS, KEY, QUESTION, SELECTOR, Plugin

from evidence import pipeline
from evidence.cache import Cache
from evidence.http.client import Client
from evidence.knowledge.dify.datasets import DifyDatasets
from evidence.model import Pool, Question
from evidence.settings import Settings
from host.view import markdown
from standalone.knowledge import KnowledgeServer
from standalone.models.reader import MODELS
from tests.fakes import metered

LINES = (Path(DOCUMENTS).parent / "questions.jsonl").read_text("utf-8").splitlines()
ASKED = tuple(json.loads(line)["question"] for line in LINES)
NOTICE = "What is the notice period in Halden's service agreement?"
EXTRACTIVE = Settings.of("extractive")


@pytest.fixture
def knowledge(server: KnowledgeServer) -> Iterator[DifyDatasets]:
    with Client(server.base_url, KEY) as client:
        yield DifyDatasets(client)


def test_every_quoted_answer_to_the_sample_questions_is_proven_by_its_own_passages(
    knowledge: DifyDatasets,
) -> None:
    cache, proven = Cache(), 0
    for question in map(Question, ASKED):
        ctx = metered(knowledge, cache=cache)
        outcome = pipeline.ask(question, EXTRACTIVE, ctx)
        assert outcome.answer is not None
        quoted = {each.quote.segment for each in outcome.answer.citations}
        behind = tuple(each for each in outcome.pool.more if each.segment in quoted)
        pool = Pool((*outcome.pool.passages, *behind))
        for text in (
            (outcome.answer.text, markdown.answer(outcome, outcome.answer.status, ctx.trace.receipt({})))
            if quoted
            else ()
        ):
            judged = pipeline.reflect(question, text, pool, EXTRACTIVE, metered(knowledge, cache=cache))
            assert judged.answer is not None
            assert [] == [each.text for each in judged.answer.claims if not each.supported]
            assert quoted >= {each.quote.segment for each in judged.answer.citations}
            proven += bool(judged.answer.claims)
    assert 2 * 30 <= proven


def _grounding(plugin: Plugin, question: str, answer: str, passages: Mapping[str, Any]) -> float:
    judged = plugin.run(
        "reflect", query=question, answer=answer, passages=json.dumps(passages), effort="extractive"
    )
    assert [] == [each["text"] for each in judged.json["claims"] if not each["supported"]]
    return float(judged.json["verdict"]["grounding"])


@pytest.mark.parametrize("question", [QUESTION, NOTICE, "租赁合同中，乙方提前解除合同需要支付多少违约金？"])
def test_a_models_answer_is_proven_by_the_json_of_the_same_search(plugin: Plugin, question: str) -> None:
    plugin.workspace.model = MODELS["reader"]
    asked = plugin.run("ask", query=question, model=SELECTOR)
    found = plugin.run("search", query=question, top_k=20)
    assert 1.0 == _grounding(plugin, question, asked.text, asked.json)
    assert 1.0 == _grounding(plugin, question, asked.json["answer"], found.json)


def test_a_sentence_that_nobody_wrote_is_found_among_our_own(plugin: Plugin) -> None:
    quoted = plugin.run("quote", query=NOTICE)
    forged = quoted.text.replace("**Sources**", "The notice period is 12 days.\n\n**Sources**")
    judged = plugin.run(
        "reflect", query=NOTICE, answer=forged, passages=json.dumps(quoted.json), effort="extractive"
    )
    wrong = [each["text"] for each in judged.json["claims"] if not each["supported"]]
    assert ["The notice period is 12 days."] == wrong
