"""Dify waits five seconds and asks four times: an answer is out in time, and asking again costs nothing."""

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from endpoint_samples import DIFY_KEY, WORLD, Endpoints, body_of

from standalone.daemon import EndpointResult
from standalone.knowledge import Fault, KnowledgeServer
from standalone.models import ChatServer, Message, RerankServer

IN_TIME = 4.9  # seconds; Dify gives up after 5


def timed(endpoints: Endpoints, query: str) -> tuple[float, EndpointResult]:
    began = time.monotonic()
    answer = endpoints.retrieve(body_of(query))
    return time.monotonic() - began, answer


def calls(server: KnowledgeServer, part: str) -> int:
    return sum(1 for each in server.requests if part in each.path)


def test_four_identical_requests_are_one_job(endpoints: Endpoints, fresh: KnowledgeServer) -> None:
    fresh.latency = 0.1
    here = endpoints.over(fresh)
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: here.retrieve(body_of()), range(4)))
    assert [200] * 4 == [answer.status for answer in answers]
    assert 1 == len({answer.body for answer in answers})
    assert 1 == calls(fresh, "/retrieve")
    paths = [each.path for each in fresh.requests if each.path.endswith("/segments")]
    assert len(set(paths)) == len(paths)


def test_who_asks_again_a_little_later_gets_the_same_answer_without_a_call(
    endpoints: Endpoints, fresh: KnowledgeServer
) -> None:
    here = endpoints.over(fresh)
    first = here.retrieve(body_of())
    asked = calls(fresh, "/retrieve")
    assert first.body == here.retrieve(body_of()).body
    assert asked == calls(fresh, "/retrieve") == 1


def test_another_setting_or_another_question_is_another_job(
    endpoints: Endpoints, fresh: KnowledgeServer
) -> None:
    here = endpoints.over(fresh)
    here.retrieve(body_of(top_k=1))
    assert 2 == len(here.records(body_of(top_k=2)))
    assert 404 == here.retrieve(body_of(top_k=1), allowed_datasets="library").status


def test_twenty_clients_at_once_are_all_answered(endpoints: Endpoints, fresh: KnowledgeServer) -> None:
    here = endpoints.over(fresh)
    fresh.latency = 0.05
    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda n: here.retrieve(body_of(f"crane inspection {n}")), range(20)))
    assert [200] * 20 == [answer.status for answer in answers]
    assert all(answer.json()["records"] for answer in answers)


def test_a_knowledge_server_of_800_ms_is_answered_in_time(
    endpoints: Endpoints, fresh: KnowledgeServer
) -> None:
    fresh.latency = 0.8
    seconds, answer = timed(endpoints.over(fresh), "How often is the crane inspected?")
    assert answer.status == 200
    assert "every ninety days" in answer.json()["records"][0]["content"]
    assert seconds < IN_TIME


def test_documents_that_take_too_long_are_left_out_of_the_answer(
    endpoints: Endpoints, fresh: KnowledgeServer
) -> None:
    def slow_reading(_method: str, path: str) -> Fault | None:
        return Fault(503, b"{}", delay=6.0) if path.endswith("/segments") else None

    fresh.faults = slow_reading
    seconds, answer = timed(endpoints.over(fresh), "How often is the crane inspected?")
    assert answer.status == 200
    assert "every ninety days" in answer.json()["records"][0]["content"]
    assert seconds < IN_TIME


def test_a_model_that_takes_too_long_is_not_waited_for(endpoints: Endpoints, fresh: KnowledgeServer) -> None:
    def chatter(_messages: Sequence[Message]) -> str:
        return "I would rather talk about the weather."

    with ChatServer(chatter, latency=3.3) as chat:
        own = {"effort": "balanced", "llm_base_url": chat.base_url, "llm_model": "sample"}
        began = time.monotonic()
        records = endpoints.over(fresh).records(body_of(), **own)
        assert time.monotonic() - began < IN_TIME
    assert "every ninety days" in records[0]["content"]


def test_a_reranker_of_the_settings_is_asked_once(endpoints: Endpoints, fresh: KnowledgeServer) -> None:
    with RerankServer() as reranker:
        own = {"rerank_base_url": reranker.base_url, "rerank_model": "sample"}
        records = endpoints.over(fresh).records(body_of("What is inspected?"), **own)
        asked = [each["query"] for each in reranker.log]
    assert ["What is inspected?"] == asked
    assert 3 == len(records)


def test_where_nothing_is_ready_dify_is_told_to_ask_again_and_then_gets_its_answer(
    endpoints: Endpoints, fresh: KnowledgeServer
) -> None:
    slow = 3.3

    def slow_listing(_method: str, path: str) -> Fault | None:
        return Fault(503, b"{}", delay=slow) if path.endswith("/datasets") else None

    fresh.faults = slow_listing
    here = endpoints.over(fresh)
    seconds, answer = timed(here, "crane")
    assert (503, 3001) == (answer.status, answer.json()["error_code"])
    assert seconds < IN_TIME
    fresh.faults = None
    _, answer = timed(here, "crane")
    assert answer.status == 200
    assert answer.json()["records"]
    assert 1 == calls(fresh, "/retrieve")


def test_a_late_failure_after_blanks_is_an_empty_list_that_says_why(endpoints: Endpoints) -> None:
    def gone(_method: str, _path: str) -> Fault | None:
        return Fault(401, b'{"code": "unauthorized", "message": "no"}', delay=2.2)

    with KnowledgeServer(WORLD, api_key=DIFY_KEY, faults=gone) as server:
        answer = endpoints.over(server).retrieve(body_of(), keep_alive_seconds=20)
    assert 200 == answer.status
    said = answer.json()
    assert [] == said["records"]
    assert said["error_msg"]


def test_the_same_request_under_another_dify_is_another_job(endpoints: Endpoints) -> None:
    assert "every ninety days" in endpoints.records(body_of())[0]["content"]
    harbour, *others = WORLD.collections
    document = replace(harbour.documents[0], text="The crane is inspected every hundred days.")
    changed = replace(WORLD, collections=(replace(harbour, documents=(document,)), *others))
    with KnowledgeServer(changed, api_key=DIFY_KEY) as server:
        records = endpoints.over(server).records(body_of())
    assert ["The crane is inspected every hundred days."] == [each["content"] for each in records]
