"""Dify's part, played over the plugin's own protocol: what it sends, and what it must get."""

import json
from typing import Any

import pytest
from endpoint_samples import DIFY_KEY, KEY, PROBE, QUESTION, WORLD, Endpoints, body_of, dify_headers

from standalone.knowledge import Collection, Corpus, Fault, KnowledgeServer, SourceDocument


def names(records: list[dict[str, Any]]) -> set[str]:
    return {record["title"] for record in records}


@pytest.mark.parametrize("body", [b"", PROBE], ids=["without a body", "with a body"])
def test_the_registration_check_is_answered_with_no_records_at_no_cost(
    endpoints: Endpoints, fresh: KnowledgeServer, body: Any
) -> None:
    headers = {name: value for name, value in dify_headers().items() if body or name != "Content-Type"}
    answer = endpoints.over(fresh).retrieve(body, headers)
    assert (200, {"records": []}) == (answer.status, answer.json())
    assert () == fresh.requests


@pytest.mark.parametrize(
    "header", [None, "", KEY, f"Basic {KEY}", "Bearer", "Bearer ", f"Bearer {KEY} {KEY}"]
)
def test_a_malformed_authorization_header_is_refused_in_difys_words(
    endpoints: Endpoints, header: str | None
) -> None:
    headers = dify_headers()
    del headers["Authorization"]
    answer = endpoints.retrieve(body_of(), headers if header is None else headers | {"Authorization": header})
    assert 400 == answer.status
    expected = "Invalid Authorization header format. Expected 'Bearer <api-key>' format."
    assert {"error_code": 1001, "error_msg": expected} == answer.json()


@pytest.mark.parametrize("key", ["wrong", KEY.upper(), KEY[:-1], f"{KEY}x"])
def test_a_wrong_key_is_forbidden_with_a_body_and_without(endpoints: Endpoints, key: str) -> None:
    for body in (body_of(), b"", PROBE, b"{"):
        answer = endpoints.retrieve(body, dify_headers(key))
        assert (403, 1002) == (answer.status, answer.json()["error_code"])
        assert key not in answer.body.decode()


def test_an_endpoint_without_a_key_lets_nobody_in(endpoints: Endpoints) -> None:
    for key in ("", " ", None):
        answer = endpoints.retrieve(body_of(), dify_headers("x"), endpoint_key=key)
        assert (403, 1002) == (answer.status, answer.json()["error_code"])


def test_a_search_that_fails_is_said_beside_the_records_that_were_found_without_it(
    endpoints: Endpoints, fresh: KnowledgeServer
) -> None:
    fresh.faults = lambda _method, path: Fault(400, b"{}") if path.endswith("/retrieve") else None
    here = endpoints.over(fresh)
    for said in (here.retrieve(body_of()).json(), here.retrieve(body_of()).json()):
        assert "The harbour crane is inspected every" in said["records"][0]["content"]
        assert any("refused the request (400)" in line for line in said["degraded"])


def test_an_answer_that_lacks_nothing_holds_nothing_but_records(endpoints: Endpoints) -> None:
    assert ["records"] == list(endpoints.retrieve(body_of()).json())


def test_a_question_gets_records_as_dify_keeps_them(endpoints: Endpoints) -> None:
    records = endpoints.records(body_of())
    assert "every ninety days" in records[0]["content"]
    assert "Crane rules.txt" == records[0]["title"]
    assert len(records) == 3
    scores = [record["score"] for record in records]
    assert sorted(scores, reverse=True) == scores
    for record in records:
        assert isinstance(record["content"], str)
        assert 0.0 <= record["score"] <= 1.0
        metadata = record["metadata"]
        assert metadata.keys() >= {"document_id", "segment_id", "dataset_id", "position"}
        dataset, name, _, _ = endpoints.server.source_of(metadata["segment_id"])
        assert (dataset, name) == (metadata["dataset_name"], metadata["document_name"])
        assert endpoints.server.dataset_id("harbour") == metadata["dataset_id"]
        assert endpoints.server.document_id("harbour", name) == metadata["document_id"]
        assert metadata["position"] >= 1


def test_the_records_are_those_of_the_search_tool_in_its_order(endpoints: Endpoints) -> None:
    given = {"query": QUESTION, "datasets": "harbour", "effort": "fast", "top_k": 8}
    passages = endpoints.process.invoke_tool("search", given, endpoints.settings).json["passages"]
    records = endpoints.records(body_of(top_k=8))
    assert [each["segment_id"] for each in passages] == [each["metadata"]["segment_id"] for each in records]


def test_a_threshold_leaves_the_weak_records_out(endpoints: Endpoints) -> None:
    everything = endpoints.records(body_of(top_k=20))
    middle = everything[len(everything) // 2]["score"]
    kept = endpoints.records(body_of(top_k=20, score_threshold=middle))
    above = [each["content"] for each in everything if each["score"] >= middle]
    assert above == [each["content"] for each in kept]
    assert 0 < len(kept) <= len(everything)


@pytest.mark.parametrize(
    ("knowledge_id", "expected"),
    [
        ("library", {"library"}),
        (" LIBRARY ", {"library"}),
        ("library,questions", {"library", "questions"}),
        ("auto", {"library", "questions"}),
    ],
)
def test_datasets_are_named_listed_or_chosen(
    endpoints: Endpoints, knowledge_id: str, expected: set[str]
) -> None:
    records = endpoints.records(body_of("When does the reading room close?", knowledge_id, top_k=20))
    assert expected <= {record["metadata"]["dataset_name"] for record in records}
    if knowledge_id != "auto":
        assert expected == {record["metadata"]["dataset_name"] for record in records}


def test_a_dataset_is_found_by_its_id_too(endpoints: Endpoints) -> None:
    records = endpoints.records(body_of(knowledge_id=endpoints.server.dataset_id("library")))
    assert {"Lending.txt"} == names(records)


def test_a_question_and_answer_segment_keeps_both(endpoints: Endpoints) -> None:
    (record,) = endpoints.records(body_of("When does the reading room close?", "questions"))
    assert "question:When does the reading room close? \nanswer:At eight in the evening." == record["content"]


@pytest.mark.parametrize("unknown", ["nowhere", "harbour,nowhere", "00000000-0000-0000-0000-000000000000"])
def test_an_unknown_knowledge_id_is_not_found(endpoints: Endpoints, unknown: str) -> None:
    answer = endpoints.retrieve(body_of(knowledge_id=unknown))
    assert (404, 2001) == (answer.status, answer.json()["error_code"])


def test_what_the_administrator_did_not_allow_does_not_exist(endpoints: Endpoints) -> None:
    answer = endpoints.retrieve(body_of(), allowed_datasets="library")
    assert (404, 2001) == (answer.status, answer.json()["error_code"])
    assert "harbour" not in answer.json()["error_msg"].removeprefix('There is no dataset "harbour"')
    assert {"Lending.txt"} == names(
        endpoints.records(body_of(knowledge_id="auto"), allowed_datasets="library")
    )


def test_a_dataset_that_may_be_this_endpoint_itself_is_never_searched(endpoints: Endpoints) -> None:
    answer = endpoints.retrieve(body_of(knowledge_id="mirror"))
    assert (400, 1003) == (answer.status, answer.json()["error_code"])
    assert "external knowledge base" in answer.json()["error_msg"]
    mirror = endpoints.server.dataset_id("mirror")
    assert [] == [each.path for each in endpoints.server.requests if mirror in each.path]
    assert "Crane rules.txt" in names(endpoints.records(body_of(knowledge_id="mirror,harbour")))


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (("kind", "not contains", "table"), {"Crane rules.txt", "Harbour rules 2019.txt"}),
        (("owner", "empty", None), {"Ferry timetable.txt", "Harbour rules 2019.txt"}),
        (("year", "before", 2020), {"Harbour rules 2019.txt"}),
    ],
)
def test_a_condition_of_dify_filters(
    endpoints: Endpoints, condition: tuple[str, str, Any], expected: set[str]
) -> None:
    name, operator, value = condition
    conditions = [{"name": name, "comparison_operator": operator, "value": value}]
    wanted = {"logical_operator": "and", "conditions": conditions}
    records = endpoints.records(body_of("harbour crane ferry", top_k=50, metadata_condition=wanted))
    assert expected == names(records)


def test_conditions_are_joined_by_and_or_or(endpoints: Endpoints) -> None:
    conditions = [
        {"name": ["kind"], "comparison_operator": "is", "value": "rules"},
        {"name": "year", "comparison_operator": ">", "value": 2020},
        {"name": "year", "comparison_operator": "is", "value": None},
    ]
    for joined_by, expected in (("and", 1), ("or", 3)):
        wanted = {"logical_operator": joined_by, "conditions": conditions}
        records = endpoints.records(body_of("harbour crane ferry", top_k=50, metadata_condition=wanted))
        assert expected == len(names(records))


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"{", 400),
        (json.dumps(body_of(top_k=-1)).encode(), 400),
        (b" " * 1_000_001 + b"{}", 413),
    ],
)
def test_a_body_that_cannot_be_read_is_refused_for_good(
    endpoints: Endpoints, body: bytes, status: int
) -> None:
    answer = endpoints.retrieve(body)
    assert (status, 1003) == (answer.status, answer.json()["error_code"])


@pytest.mark.parametrize(
    "settings",
    [
        {"dify_api_key": "wrong"},
        {"dify_base_url": ""},
        {"dify_base_url": "ftp://dify"},
        {"effort": "heroic"},
        {"llm_base_url": "http://127.0.0.1:9/v1", "llm_model": ""},
        {"allowed_datasets": " , "},
    ],
)
def test_a_fault_of_the_settings_is_no_5xx_and_no_401(endpoints: Endpoints, settings: dict[str, Any]) -> None:
    answer = endpoints.retrieve(body_of(), **settings)
    assert 400 == answer.status
    assert answer.json()["error_code"] in (1003, 1004)
    assert answer.json()["error_msg"] == " ".join(answer.json()["error_msg"].split())


def test_a_knowledge_server_that_is_down_is_worth_asking_again(endpoints: Endpoints) -> None:
    answer = endpoints.retrieve(body_of(), dify_base_url="http://127.0.0.1:9/v1")
    assert (503, 3001) == (answer.status, answer.json()["error_code"])


def test_other_methods_and_paths_are_not_found(endpoints: Endpoints) -> None:
    for method, path in (("GET", "/retrieval"), ("PUT", "/retrieval"), ("POST", "/retrieval/x")):
        answer = endpoints.process.endpoint(method, path, dify_headers(), b"", endpoints.settings)
        assert 404 == answer.status


def test_a_key_bound_to_one_dataset_serves_it_and_no_other(endpoints: Endpoints) -> None:
    with KnowledgeServer(WORLD, "1.13.3", DIFY_KEY, bound_to=("library",)) as server:
        bound = endpoints.over(server)
        allowed = server.dataset_id("library")
        for knowledge_id in ("auto", "library", allowed):
            asked = body_of("When does the reading room close?", knowledge_id)
            assert {"Lending.txt"} == names(bound.records(asked, allowed_datasets=allowed))
        answer = bound.retrieve(body_of(), allowed_datasets=allowed)
        assert (404, 2001) == (answer.status, answer.json()["error_code"])


def test_a_superseded_record_never_stands_above_the_valid_one_nor_passes_a_threshold_that_it_fails(
    endpoints: Endpoints,
) -> None:
    """The older version says more of the question's own words, so it is found first."""
    kept = (
        SourceDocument(
            "Crane limits v1 2019-04-01.txt", "The harbour crane may lift at most forty tonnes of cargo."
        ),
        SourceDocument("Crane limits v2 2023-04-01.txt", "The crane may lift at most sixty tonnes of cargo."),
    )
    question = "How many tonnes may the harbour crane lift?"
    with KnowledgeServer(Corpus((Collection("limits", kept),)), api_key=DIFY_KEY) as server:
        limits = endpoints.over(server)
        records = limits.records(body_of(question, "limits", top_k=8))
        assert ["Crane limits v2 2023-04-01.txt", "Crane limits v1 2019-04-01.txt"] == [
            r["title"] for r in records
        ]
        (only,) = limits.records(body_of(question, "limits", top_k=1))
        assert "sixty" in only["content"]
        strict = body_of(question, "limits", score_threshold=records[0]["score"])
        assert "sixty" in limits.records(strict)[0]["content"]
