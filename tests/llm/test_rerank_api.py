import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import httpx
import pytest

from evidence.errors import ModelError, ModelUnavailable, UnusableReply
from evidence.http.client import Client
from evidence.limits import Deadline
from evidence.llm.rerank_api import RerankAPI, rerank_base_url

TEXTS = ("notice period", "parking", "notice by letter")


class Api:
    """A rerank API that remembers what it was asked."""

    def __init__(self, answer: Callable[[str, dict[str, Any]], tuple[int, Any]]) -> None:
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self._answer = answer

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.asked.append((request.url.path, json.loads(request.content)))
        status, answer = self._answer(*self.asked[-1])
        return httpx.Response(status, json=answer)


def reranker(api: Api, model: str = "small", url: str = "https://rank.example.com/v1") -> RerankAPI:
    return RerankAPI(Client(url, "key", "rerank", transport=httpx.MockTransport(api)), model)


def jina(path: str, body: dict[str, Any]) -> tuple[int, Any]:
    if "documents" not in body:
        return 422, {"detail": "documents is required"}
    rows = [{"index": index, "relevance_score": 1 / (index + 1)} for index in range(len(body["documents"]))]
    return 200, {"model": "small", "results": rows[::-1], "usage": {"total_tokens": 9}}


def tei(path: str, body: dict[str, Any]) -> tuple[int, Any]:
    if path != "/rerank":
        return 404, {}
    if "texts" not in body:
        return 422, {"error": "missing field `texts`"}
    return 200, [{"index": index, "score": 1 / (index + 1)} for index in range(len(body["texts"]))]


def test_jina_and_cohere_are_understood() -> None:
    api = Api(jina)
    assert reranker(api).scores("notice", TEXTS) == (1.0, 1 / 2, 1 / 3)
    body = {"query": "notice", "documents": list(TEXTS), "top_n": 3, "model": "small"}
    assert api.asked == [("/v1/rerank", body)]


def test_text_embeddings_inference_is_understood() -> None:
    api = Api(tei)
    assert reranker(api, "", "http://tei").scores("notice", TEXTS) == (1.0, 1 / 2, 1 / 3)
    assert api.asked == [("/rerank", {"query": "notice", "texts": list(TEXTS)})]


def test_the_other_dialect_is_tried_once_and_remembered() -> None:
    api = Api(tei)
    asked = reranker(api, "named", "http://tei")
    assert asked.scores("notice", TEXTS) == (1.0, 1 / 2, 1 / 3)
    assert asked.scores("notice", TEXTS) == (1.0, 1 / 2, 1 / 3)
    assert ["documents", "texts", "texts"] == [
        "texts" if "texts" in body else "documents" for _, body in api.asked
    ]


def test_a_reranker_bound_to_a_run_shares_what_was_learnt() -> None:
    api = Api(tei)
    asked = reranker(api, "named", "http://tei")
    bound = replace(asked, client=asked.client.until(Deadline(9)))
    assert bound.scores("notice", TEXTS) == asked.scores("notice", TEXTS)
    assert len(api.asked) == 3


def test_a_missing_path_is_sought_under_v1() -> None:
    api = Api(lambda path, body: jina(path, body) if path == "/v1/rerank" else (404, {}))
    asked = reranker(api, url="https://rank.example.com")
    assert asked.scores("notice", TEXTS)[0] == 1.0
    assert ["/rerank", "/v1/rerank"] == [path for path, _ in api.asked]


def test_a_text_without_a_score_stands_below_all_others() -> None:
    rows = [{"index": 2, "relevance_score": 0.4}, {"index": 0, "relevance_score": -3}]
    assert reranker(Api(lambda path, body: (200, {"results": rows}))).scores("q", TEXTS) == (
        -3.0,
        None,
        0.4,
    )


def test_rows_that_are_none_are_passed_over() -> None:
    rows = [
        {"index": 9, "relevance_score": 1},
        {"index": -1, "relevance_score": 1},
        {"index": True, "relevance_score": 1},
        {"index": "0", "relevance_score": 1},
        {"index": 1, "relevance_score": None},
        "row",
        {"index": 1, "relevance_score": 0.5},
        {"index": 1, "relevance_score": 0.1},
    ]
    assert reranker(Api(lambda path, body: (200, {"results": rows}))).scores("q", TEXTS) == (
        None,
        0.5,
        None,
    )


@pytest.mark.parametrize(
    "answer", [{}, [], "x", {"results": []}, {"results": {}}, {"results": [{"index": 0}]}]
)
def test_an_answer_without_scores_is_unusable(answer: Any) -> None:
    with pytest.raises(UnusableReply):
        reranker(Api(lambda path, body: (200, answer))).scores("q", TEXTS)


@pytest.mark.parametrize(
    ("expected", "status"), [(ModelUnavailable, 429), (ModelUnavailable, 502), (ModelError, 401)]
)
def test_a_failing_reranker_is_told_apart(expected: type, status: int) -> None:
    with pytest.raises(ModelError) as raised:
        reranker(Api(lambda path, body: (status, {}))).scores("q", TEXTS)
    assert expected is type(raised.value)


def test_no_texts_are_no_request() -> None:
    api = Api(jina)
    assert reranker(api).scores("q", ()) == ()
    assert api.asked == []


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        ("https://api.jina.ai/v1", "https://api.jina.ai/v1/rerank/"),
        ("https://api.cohere.com/v2", " https://api.cohere.com/v2"),
        ("http://tei:8080", "http://tei:8080/rerank"),
    ],
)
def test_the_address_of_a_rerank_api_is_forgiven_its_spelling(expected: str, text: str) -> None:
    assert expected == rerank_base_url(text)
