"""All nine tools through the real SDK, over the sample documents."""

import json
import re
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest
from conftest import QUESTION, SELECTOR, Plugin, gibberish

from host.tools import TOOLS
from standalone.daemon import ToolResult
from standalone.models import Message
from standalone.models.scripted import estimate_tokens, prompt_tokens

DOCUMENT = "InformationSecurityPolicy-v4.md"
WORKFLOW = {"app_id": "3c0f9e0e-6f57-4a8e-9d53-27a7a7c1d001"}
TYPES: Mapping[str, type] = {
    "answer": str,
    "status": str,
    "citations": list,
    "documents": list,
    "checks": list,
    "report": dict,
    "questions": list,
    "receipt": dict,
    "result": list,
}
UNSET = {"datasets": "", "documents": None, "metadata_filter": "", "history": [None], "top_k": None}


def run(plugin: Plugin, tool: str) -> ToolResult:
    """A tool with parameters as Dify sends them, unset ones included."""
    unset = {name: value for name, value in UNSET.items() if name in TOOLS[tool].parameters}
    return plugin.run(tool, WORKFLOW, **unset, **plugin.needed(tool))


@pytest.mark.parametrize("tool", TOOLS)
def test_every_tool_sends_text_json_and_its_variables(plugin: Plugin, tool: str) -> None:
    result = run(plugin, tool)
    kinds = [message["type"] for message in result.raw]
    assert kinds == ["text", "json", *["variable"] * len(TOOLS[tool].variables)]
    assert result.text.strip()
    assert result.json["schema"] == "1"
    types = [(name, type(value)) for name, value in result.variables.items()]
    assert types == [(name, TYPES[name]) for name in TOOLS[tool].variables]
    assert result.variables["status"] == result.json["status"]
    assert result.json["receipt"]["seconds"] >= 0
    assert max(len(json.dumps(message)) for message in result.raw) < 1_000_000


@pytest.mark.parametrize("tool", ["ask", "quote", "aggregate"])
def test_every_quote_stands_in_the_document_it_names(plugin: Plugin, tool: str) -> None:
    result = run(plugin, tool)
    assert result.json["status"] in ("answered", "partial")
    assert result.json["citations"]
    for cited in result.json["citations"]:
        dataset, name, start, end = plugin.server.source_of(cited["segment_id"])
        assert (dataset, name) == (cited["dataset_name"], cited["document_name"])
        source = stored(plugin, dataset, name)
        assert start is not None
        assert source[start:end][cited["start"] : cited["end"]] == cited["quote"]
        assert f"[{cited['marker']}]" in result.text
        assert all(line.strip() in result.text for line in cited["quote"].splitlines())


def stored(plugin: Plugin, dataset: str, name: str) -> str:
    (collection,) = [each for each in plugin.server.corpus.collections if each.name == dataset]
    (document,) = [each for each in collection.documents if each.name == name]
    return document.text


def test_quote_finds_the_answer_without_any_model(plugin: Plugin) -> None:
    result = plugin.run("quote", query=QUESTION, effort="thorough", model=SELECTOR)
    assert any("within 2 hours" in cited["quote"] for cited in result.json["citations"])
    assert result.json["receipt"]["model_calls"] == 0
    assert plugin.workspace.calls == []


@pytest.mark.parametrize("tool", ["discover", "search"])
def test_the_right_document_is_found(plugin: Plugin, tool: str) -> None:
    documents = run(plugin, tool).json["documents"]
    assert DOCUMENT in [each["document_name"] for each in documents[:3]]
    assert [each["rank"] for each in documents] == list(range(1, len(documents) + 1))


def test_search_gives_at_most_top_k_passages_and_as_many_results(plugin: Plugin) -> None:
    result = plugin.run("search", query=QUESTION, top_k="3")
    assert 0 < len(result.json["passages"]) <= 3
    contents = [each["content"] for each in result.variables["result"]]
    assert contents == [each["text"] for each in result.json["passages"]]
    assert {each["metadata"]["_source"] for each in result.variables["result"]} == {"knowledge"}


def test_passages_below_a_threshold_are_dropped_and_the_best_one_is_kept_and_said(plugin: Plugin) -> None:
    scores = [each["score"] for each in plugin.run("search", query=QUESTION).json["passages"]]
    bound = (scores[0] + scores[-1]) / 2
    kept = plugin.run("search", query=QUESTION, threshold=bound).json
    assert [score for score in scores if score >= bound] == [each["score"] for each in kept["passages"]]
    one = plugin.run("search", query=QUESTION, threshold=1).json
    assert scores[:1] == [each["score"] for each in one["passages"]]
    assert scores[0] == 1.0 or any("no passage scores 1" in line for line in one["degraded"])


def test_boost_gives_queries_with_their_source(plugin: Plugin) -> None:
    queries = run(plugin, "boost").json["queries"]
    assert queries
    assert all(each["text"] and each["origin"] for each in queries)


def test_datasets_are_listed_with_what_they_hold(plugin: Plugin) -> None:
    result = run(plugin, "list_datasets")
    names = {each["dataset_name"] for each in result.json["datasets"]}
    assert names == {"agreements", "minutes", "policies"}
    assert result.json["total"] == 3
    assert all(name in result.text for name in names)


def test_documents_are_listed_page_by_page(plugin: Plugin) -> None:
    pages = [plugin.run("list_documents", page=page, limit=5).json for page in (1, 2, 3, 4)]
    total = pages[0]["total"]
    listed = [each["document_id"] for page in pages for each in page["documents"]]
    assert total == sum(len(each.documents) for each in plugin.server.corpus.collections)
    assert len(listed) == len(set(listed)) == total


def test_documents_are_listed_by_dataset_and_part_of_the_name(plugin: Plugin) -> None:
    by_name = plugin.run("list_documents", name="policy").json
    assert by_name["total"] >= 2
    assert all("policy" in each["document_name"].lower() for each in by_name["documents"])
    by_dataset = plugin.run("list_documents", datasets="minutes").json
    assert {each["dataset_name"] for each in by_dataset["documents"]} == {"minutes"}
    assert plugin.run("list_documents", name="no such name").json["status"] == "not_found"


def test_a_pinned_document_is_the_only_one_read(plugin: Plugin) -> None:
    found = plugin.run("search", query=QUESTION, documents=DOCUMENT, datasets="policies").json
    assert {each["document_name"] for each in found["passages"]} == {DOCUMENT}


WORDS = "A lost or stolen device shall be reported to the Security Desk within 2 hours"


def honest(messages: Sequence[Message]) -> str:
    """A model that follows its instructions: it copies the words from the passage that holds them."""
    prompt = str(messages[-1]["content"])
    key = next(
        key
        for key, text in re.findall(r"<<\w+ (\w+) \|[^\n]*\n(.*?)\n<<", prompt, re.DOTALL)
        if WORDS in text
    )
    quotes = [{"passage": key, "words": WORDS}]
    sentence = {"text": "You must report it within 2 hours.", "part": 1, "quotes": quotes}
    return json.dumps({"status": "answered", "verdict": "", "sentences": [sentence], "missing": []})


def test_what_a_model_says_is_bound_to_proven_quotes(plugin: Plugin) -> None:
    plugin.workspace.model = honest
    result = plugin.run("ask", query=QUESTION, model=SELECTOR, effort="fast")
    assert result.json["status"] == "answered"
    assert "You must report it within 2 hours" in result.variables["answer"]
    (cited,) = result.variables["citations"]
    assert (cited["document_name"], cited["match"]) == (DOCUMENT, "exact")
    assert cited["quote"].startswith(WORDS)
    assert f"> {WORDS}" in result.text
    assert result.json["receipt"]["model_calls"] == 1
    assert [] == [line for line in result.json["degraded"] if "looks like an instruction" not in line]


def test_a_model_may_cost_what_the_receipt_says(plugin: Plugin) -> None:
    plugin.workspace.model = honest
    spent = plugin.run("ask", query=QUESTION, model=SELECTOR, effort="fast").json["receipt"]
    ((_, request),) = plugin.workspace.calls
    assert spent["prompt_tokens"] == prompt_tokens(request["prompt_messages"])
    assert spent["completion_tokens"] == estimate_tokens(honest(request["prompt_messages"]))


def test_passages_of_more_than_a_megabyte_are_trimmed_and_it_is_said(plugin: Plugin) -> None:
    filler = "The notice period of this lease is thirty days and not one day less. "
    filler += (
        "本租约的通知期为三十天，一天也不少，任何一方都不得缩短这一期限，也不得要求另一方放弃这一期限。" * 4
    )
    passages = [{"text": f"{number}. {filler * 17}", "segment_id": str(number)} for number in range(100)]
    result = plugin.run(
        "aggregate", query="What is the notice period?", effort="extractive", passages=passages
    )
    assert max(len(json.dumps(message)) for message in result.raw) < 1_000_000
    kept = len(result.json["passages"])
    assert 0 < kept < 100
    assert f"{100 - kept} passages are left out" in result.json["degraded"][-1]


def test_many_questions_at_once_get_their_own_answers(plugin: Plugin) -> None:
    questions = [QUESTION, "What is the liability cap in the Tessaly supply agreement?"] * 6
    with ThreadPoolExecutor(len(questions)) as threads:
        results = list(threads.map(lambda query: plugin.run("search", query=query).json, questions))
    assert [each["question"] for each in results] == questions
    first = {each["documents"][0]["document_name"] for each in results[::2]}
    second = {each["documents"][0]["document_name"] for each in results[1::2]}
    assert (first, second) == ({DOCUMENT}, {"Supply_Agreement_Tessaly_2024-06.md"})


def test_reflect_says_which_sentence_has_no_source_and_which_part_is_missing(plugin: Plugin) -> None:
    plugin.workspace.model = gibberish
    question = "How quickly must a stolen laptop be reported, and who pays for a new one?"
    found = plugin.run("search", query=question, datasets="policies")
    answer = "A lost or stolen device is reported within 2 hours. The moon is made of cheese."
    judged = plugin.run(
        "reflect", query=question, answer=answer, passages=json.dumps(found.json), model=SELECTOR
    ).json
    assert [True, False] == [claim["supported"] for claim in judged["claims"]]
    assert ["covered", "missing"] == [facet["status"] for facet in judged["facets"]]
    assert "unknown" == judged["verdict"]["status"]


def test_an_answer_that_is_judged_steers_no_terminal(plugin: Plugin) -> None:
    found = plugin.run("search", query=QUESTION, top_k=1).json
    answer = "A lost device is \x1b[31mreported\x1b[0m within\u202e 2 hours.\x07"
    judged = plugin.run("reflect", query=QUESTION, answer=answer, passages=json.dumps(found), model=SELECTOR)
    assert "A lost device is reported within 2 hours." == judged.json["answer"]
    assert not {"\x1b", "\x07", "\u202e"} & set(judged.text)
