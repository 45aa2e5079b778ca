"""Dify waits five seconds and asks four times: an answer is out in time, and asking again costs nothing.

In time is: while something is still held back that the whole answer would need.
"""

import json
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from endpoint_samples import DIFY_KEY, WORLD, Endpoints, body_of, dify_headers, held_back

from standalone.knowledge import Fault, KnowledgeServer
from standalone.models import ChatServer, Message, RerankServer


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


def test_an_answer_that_something_was_left_out_of_is_not_given_again(
    endpoints: Endpoints, fresh: KnowledgeServer
) -> None:
    here = endpoints.over(fresh)
    fresh.faults = lambda _, path: Fault(500, b"{}") if path.endswith("/segments") else None
    assert here.retrieve(body_of()).json()["degraded"]
    fresh.faults = None
    assert "degraded" not in here.retrieve(body_of()).json()


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


def test_documents_that_take_too_long_are_left_out_of_the_answer(
    endpoints: Endpoints, fresh: KnowledgeServer
) -> None:
    with held_back(fresh, "/segments"):
        said = endpoints.over(fresh).retrieve(body_of("How often is the crane inspected?")).json()
    assert "every ninety days" in said["records"][0]["content"]
    assert "the search has not come to its end; this is what was found in time" in said["degraded"]


def test_a_model_that_takes_too_long_is_not_waited_for(endpoints: Endpoints, fresh: KnowledgeServer) -> None:
    answered = threading.Event()

    def chatter(_messages: Sequence[Message]) -> str:
        answered.wait(60)
        return "I would rather talk about the weather."

    with ChatServer(chatter) as chat:
        own = {"effort": "balanced", "llm_base_url": chat.base_url, "llm_model": "sample"}
        records = endpoints.over(fresh).records(body_of(), **own)
        answered.set()
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
    here = endpoints.over(fresh)
    with held_back(fresh, "/datasets"):
        answer = here.retrieve(body_of("crane"))
    assert (503, 3001) == (answer.status, answer.json()["error_code"])
    assert here.records(body_of("crane"))
    assert 1 == calls(fresh, "/retrieve")


def test_a_late_failure_after_blanks_is_an_empty_list_that_says_why(endpoints: Endpoints) -> None:
    blank = threading.Event()

    def gone(_method: str, _path: str) -> Fault | None:
        blank.wait(60)
        return Fault(401, b'{"code": "unauthorized", "message": "no"}')

    with KnowledgeServer(WORLD, api_key=DIFY_KEY, faults=gone) as server:
        here = endpoints.over(server)
        settings, body = here.settings | {"keep_alive_seconds": 20}, json.dumps(body_of()).encode()
        coming = here.process.endpoint_pieces("POST", "/retrieval", dify_headers(), body, settings)
        head, first = next(coming), next(coming)
        blank.set()
        said = json.loads(b"".join(piece.body for piece in coming))
    assert (200, b" ") == (head.status, head.body + first.body)
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
