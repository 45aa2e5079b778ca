"""Servers that are down or strange, and models that are down or strange."""

import threading
from itertools import accumulate, islice
from typing import Any

import pytest
from conftest import KEY, QUESTION, RERANK_MODEL, SELECTOR, Plugin
from raw_server import EARLY_HINTS, HEAD, PATIENCE, RawServer, dripping

from standalone.knowledge import Fault, KnowledgeServer
from standalone.models import ChatServer, ModelRefusal, RerankServer, ScriptedModel


def at(server: KnowledgeServer) -> dict[str, Any]:
    return {"dify_base_url": server.base_url, "dify_api_key": KEY}


@pytest.mark.parametrize("tool", ["quote", "search", "list_datasets", "list_documents"])
def test_a_server_that_is_down_is_said(plugin: Plugin, tool: str) -> None:
    down = {"dify_base_url": "http://127.0.0.1:9/v1", "dify_api_key": KEY}
    assert "cannot be reached" in plugin.failure(tool, query=QUESTION, credentials=down)


def test_a_server_that_hangs_up_is_asked_three_times(plugin: Plugin, crooked: KnowledgeServer) -> None:
    crooked.faults = lambda _method, _path: Fault(0)
    assert "broke off the answer" in plugin.failure("quote", query=QUESTION, credentials=at(crooked))
    assert 3 == len(crooked.requests)


def test_a_wrong_key_is_said(plugin: Plugin) -> None:
    wrong = plugin.credentials | {"dify_api_key": "dataset-another-long-one"}
    for tool in ("quote", "search", "list_datasets"):
        assert "does not accept the key" in plugin.failure(tool, query=QUESTION, credentials=wrong)


def test_missing_credentials_are_said(plugin: Plugin) -> None:
    assert "the Dify API URL is missing" in plugin.failure("search", query=QUESTION, credentials={})


def test_a_web_page_instead_of_json_is_said(plugin: Plugin, crooked: KnowledgeServer) -> None:
    crooked.faults = lambda _method, _path: Fault(200, b"<!doctype html><p>Sign in", "text/html")
    for tool in ("quote", "list_datasets"):
        assert "web page" in plugin.failure(tool, query=QUESTION, credentials=at(crooked))


def test_a_server_that_always_fails_is_said(plugin: Plugin, crooked: KnowledgeServer) -> None:
    crooked.faults = lambda _method, _path: Fault(503, b"busy: topsecret", "text/plain")
    said = plugin.failure("quote", query=QUESTION, credentials=at(crooked))
    assert "503" in said
    assert "topsecret" not in said


def test_a_search_that_fails_is_said_beside_what_could_be_read(
    plugin: Plugin, crooked: KnowledgeServer
) -> None:
    crooked.faults = lambda _method, path: Fault(500, b"{}") if path.endswith("/retrieve") else None
    result = plugin.run("quote", query=QUESTION, credentials=at(crooked))
    assert any("failed with status 500" in line for line in result.json["degraded"])
    assert "could not be searched (Dify at" in result.text


PLAN_LIMIT = b'{"code": "forbidden", "message": "you have reached the knowledge base request rate limit"}'


def test_after_a_rate_limit_lists_go_on_and_no_run_retrieves_until_the_wait_is_over(
    plugin: Plugin, crooked: KnowledgeServer
) -> None:
    crooked.faults = lambda _method, path: Fault(403, PLAN_LIMIT) if path.endswith("/retrieve") else None
    first = plugin.run("quote", query=QUESTION, credentials=at(crooked)).json
    asked = sum(each.path.endswith("/retrieve") for each in crooked.requests)
    other = at(crooked) | {"allowed_datasets": "policies"}
    second = plugin.run("quote", query=QUESTION, credentials=other).json
    assert asked == sum(each.path.endswith("/retrieve") for each in crooked.requests) > 0
    for said in (first, second):
        assert any("within 2 hours" in cited["quote"] for cited in said["citations"])
        assert any("limit" in line for line in said["degraded"])


def test_the_receipt_tells_what_is_read_behind_the_answer_and_what_was(
    plugin: Plugin, crooked: KnowledgeServer
) -> None:
    def step() -> dict[str, Any]:
        receipt = plugin.run("quote", query=QUESTION, credentials=at(crooked)).json["receipt"]
        (found,) = [each["facts"] for each in receipt["steps"] if each["name"] == "read_ahead"]
        return dict(found)

    first = step()
    assert first["documents"] > 0 == first["calls_behind"]
    told = accumulate(each["calls_behind"] for each in islice(iter(step, None), 500))
    assert any(first["documents"] <= calls for calls in told)


def test_a_silent_server_is_waited_for_until_the_deadline(plugin: Plugin, crooked: KnowledgeServer) -> None:
    over = threading.Event()

    def silent(_method: str, _path: str) -> None:
        over.wait(30)

    crooked.faults = silent
    assert "1 second" in plugin.failure("quote", query=QUESTION, seconds=1, credentials=at(crooked))
    assert not over.is_set()
    over.set()


@pytest.mark.parametrize("drip", [(HEAD + b"X-Slow: ", b"x"), (EARLY_HINTS, EARLY_HINTS)])
def test_a_server_that_drips_is_left_at_the_deadline(plugin: Plugin, drip: tuple[bytes, bytes]) -> None:
    with RawServer(dripping(*drip)) as server:
        given = {"dify_base_url": server.url, "dify_api_key": KEY}
        assert "1 second" in plugin.failure("quote", query=QUESTION, seconds=1, credentials=given)
        assert "left" == server.ends.get(timeout=PATIENCE)


@pytest.mark.parametrize("tool", ["list_datasets", "list_documents"])
def test_what_lists_has_a_deadline_too(plugin: Plugin, tool: str) -> None:
    assert 30 == plugin.run(tool).json["receipt"]["limits"]["seconds"]


REFUSALS = (
    ModelRefusal("Rate limit reached", 429),
    ModelRefusal("Incorrect API key provided: topsecret", 401),
    ModelRefusal("internal", 500),
)


@pytest.mark.parametrize("refusal", REFUSALS, ids=lambda refusal: str(refusal.status))
def test_a_model_that_refuses_leaves_the_quotes(plugin: Plugin, refusal: ModelRefusal) -> None:
    def refuse(_messages: Any) -> str:
        raise refusal

    plugin.workspace.model = refuse
    result = plugin.run("ask", query=QUESTION, model=SELECTOR)
    assert "topsecret" not in str(result.raw)
    assert result.json["degraded"]
    assert any("within 2 hours" in cited["quote"] for cited in result.json["citations"])
    assert any(line in result.text for line in result.json["degraded"])


@pytest.mark.parametrize("reply", ["", " ", "{", "[]", '{"answer": 7}', "\x00", "<think>hm"])
def test_a_model_that_answers_garbage_leaves_the_quotes(plugin: Plugin, reply: str) -> None:
    plugin.workspace.model = lambda _messages: reply
    result = plugin.run("ask", query=QUESTION, model=SELECTOR, effort="thorough")
    assert result.json["degraded"]
    assert any("within 2 hours" in cited["quote"] for cited in result.json["citations"])


def test_no_effort_calls_more_models_than_it_may(plugin: Plugin) -> None:
    most = {"extractive": 0, "fast": 1, "balanced": 3, "thorough": 6}
    for effort, calls in most.items():
        plugin.workspace.calls.clear()
        spent = plugin.run("ask", query=QUESTION, model=SELECTOR, effort=effort).json["receipt"]
        assert spent["model_calls"] == len(plugin.workspace.calls) <= calls


def test_a_judge_that_fails_is_unknown_and_never_a_pass(plugin: Plugin) -> None:
    passages = plugin.run("search", query=QUESTION).json
    plugin.workspace.model = ScriptedModel([])
    result = plugin.run(
        "reflect",
        query=QUESTION,
        model=SELECTOR,
        passages=passages,
        answer="Report it within 2 hours.",
    ).json
    assert result["verdict"]["status"] != "settled"
    assert result["status"] == "partial"


def test_the_model_of_the_workspace_is_asked_as_dify_demands(plugin: Plugin) -> None:
    own = {"temperature": 0.3, "max_tokens": 77}
    plugin.run("ask", query=QUESTION, model=SELECTOR | {"completion_params": own}, effort="fast")
    plugin.run("ask", query=QUESTION, model=SELECTOR, effort="fast")
    first, second = [request for _, request in plugin.workspace.calls]
    assert first["completion_params"] == own
    assert second["completion_params"]["max_tokens"] > 0
    for request in (first, second):
        assert (request["mode"], request["model_type"]) == ("chat", "llm")
        assert [message["role"] for message in request["prompt_messages"]] == ["system", "user"]
        assert all(message["content"].strip() for message in request["prompt_messages"])


def test_a_rerank_model_of_the_workspace_is_asked(plugin: Plugin) -> None:
    result = plugin.run("search", query=QUESTION, rerank_model=RERANK_MODEL).json
    ((kind, request),) = plugin.workspace.calls
    assert (kind, request["provider"], request["model"]) == (
        "rerank",
        "langgenius/sample/sample",
        "org/rank-1",
    )
    assert request["top_n"] == len(request["docs"])
    assert result["receipt"]["rerank_calls"] == 1


def test_an_unknown_rerank_model_is_told_with_the_form_that_is_expected(plugin: Plugin) -> None:
    plain = plugin.run("search", query=QUESTION).json
    for name in ("sample/rank-1", "langgenius/sample/rank-1", "langgenius/sample/sample/rank-9"):
        found = plugin.run("search", query=QUESTION, rerank_model=name).json
        (said,) = found["degraded"]
        assert "the workspace does not know it; `rerank_model` is chat, or provider/model" in said
        assert "langgenius/jina/jina/jina-reranker-v2-base-multilingual" in said
        assert "credentials" not in said
        assert [each["segment_id"] for each in plain["passages"]] == [
            each["segment_id"] for each in found["passages"]
        ]


@pytest.mark.parametrize(
    ("given", "why"),
    [({}, "there is none to ask"), ({"effort": "extractive"}, "effort extractive asks none")],
)
def test_chat_as_the_reranker_without_a_chat_model_is_said(
    plugin: Plugin, given: dict[str, str], why: str
) -> None:
    found = plugin.run("search", query=QUESTION, rerank_model="chat", **given).json
    assert [f"rerank: no chat model graded the passages, because {why}"] == found["degraded"]


def test_without_a_model_the_quotes_are_given_and_it_is_said(plugin: Plugin) -> None:
    result = plugin.run("ask", query=QUESTION).json
    assert any("no model configured" in line for line in result["degraded"])
    assert result["citations"]


def test_the_chat_api_of_the_credentials_stands_in_for_a_workspace_model(plugin: Plugin) -> None:
    with ChatServer(ScriptedModel(lambda _messages: "no JSON"), api_key="chat-secret-long") as chat:
        own = {
            "llm_base_url": f"{chat.base_url}/chat/completions",
            "llm_api_key": "chat-secret-long",
            "llm_model": "m",
        }
        plugin.run("ask", query=QUESTION, effort="fast", credentials=plugin.credentials | own)
        assert [call.model for call in chat.log] == ["m"]
        plugin.run("quote", query=QUESTION, credentials=plugin.credentials | own)
        assert len(chat.log) == 1


def test_the_rerank_api_of_the_credentials_is_asked(plugin: Plugin) -> None:
    with RerankServer(api_key="rerank-secret-long") as ranker:
        own = {
            "rerank_base_url": ranker.base_url,
            "rerank_api_key": "rerank-secret-long",
            "rerank_model": "r",
        }
        plugin.run("search", query=QUESTION, credentials=plugin.credentials | own)
        assert [body["model"] for body in ranker.log] == ["r"]
