from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from knowledge_samples import KEY, PROFILES, UNKNOWN, Reader, model, reading, sample_corpus

from standalone.knowledge import KnowledgeServer
from standalone.knowledge.profiles import ProfileName

_REQUIRED = "Query or attachment_ids is required"
_PROVIDED = "Authorization header must be provided and start with 'Bearer'"


@pytest.fixture
def old() -> Iterator[Reader]:
    with reading(KnowledgeServer(sample_corpus(), profile="1.10.1")) as opened:
        yield opened


@pytest.fixture
def new() -> Iterator[Reader]:
    with reading(KnowledgeServer(sample_corpus(), profile="1.13.3")) as opened:
        yield opened


@pytest.fixture(params=PROFILES)
def reader(request: pytest.FixtureRequest) -> Iterator[Reader]:
    with reading(KnowledgeServer(sample_corpus(), profile=request.param)) as opened:
        yield opened


def _refused(response: httpx.Response) -> tuple[int, str, str]:
    """Status, code and message of the common shape."""
    body = response.json()
    assert {"code", "message", "status"} == set(body)
    assert response.status_code == body["status"]
    return response.status_code, body["code"], body["message"]


@pytest.mark.parametrize(
    ("header", "message"),
    [
        (None, _PROVIDED),
        (KEY, _PROVIDED),
        (f"Basic {KEY}", "Authorization scheme must be 'Bearer'"),
        ("Bearer dataset-wrong", "Access token is invalid"),
    ],
)
def test_a_bad_key_is_unauthorized(reader: Reader, header: str | None, message: str) -> None:
    headers = {} if header is None else {"Authorization": header}
    response = httpx.get(f"{reader.server.base_url}/datasets", headers=headers)
    assert (401, "unauthorized", message) == _refused(response)
    assert 'Bearer realm="api"' == response.headers["WWW-Authenticate"]


def test_the_scheme_may_be_in_lower_case(reader: Reader) -> None:
    headers = {"Authorization": f"bearer {KEY}"}
    assert 200 == httpx.get(f"{reader.server.base_url}/datasets", headers=headers).status_code


@pytest.mark.parametrize(("profile", "status"), [("1.10.1", 404), ("1.13.3", 401)])
def test_a_bad_key_and_an_unknown_dataset_are_checked_in_each_version_s_order(
    profile: ProfileName, status: int
) -> None:
    with KnowledgeServer(sample_corpus(), profile=profile) as server:
        headers = {"Authorization": "Bearer dataset-wrong"}
        response = httpx.get(f"{server.base_url}/datasets/{UNKNOWN}", headers=headers)
        assert status == response.status_code


def test_what_is_unknown_is_not_found(reader: Reader) -> None:
    document = reader.document("office", "Lease.txt")
    for path, what in (
        (f"/datasets/{UNKNOWN}", "Dataset"),
        (f"{reader.dataset('office')}/documents/{UNKNOWN}", "Document"),
        (f"{reader.dataset('questions')}/documents/{document[-36:]}", "Document"),
        (f"{document}/segments/{UNKNOWN}", "Segment"),
    ):
        assert (404, "not_found", f"{what} not found.") == _refused(reader.http.get(path))


@pytest.mark.parametrize("path", ["/datasets/no-uuid", "/nothing", "", "/datasets/no-uuid/documents"])
def test_an_unknown_url_is_answered_in_html(reader: Reader, path: str) -> None:
    response = reader.http.get(f"{reader.server.base_url}{path}")
    assert (404, "text/html; charset=utf-8") == (response.status_code, response.headers["Content-Type"])
    assert "<title>404 Not Found</title>" in response.text


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_nothing_can_be_written_and_the_attempt_is_logged(reader: Reader, method: str) -> None:
    path = reader.document("office", "Lease.txt")
    response = reader.http.request(method, path, json={"name": "x"})
    assert (405, "method_not_allowed", "The method is not allowed for the requested URL.") == _refused(
        response
    )
    (request,) = reader.server.requests
    assert (method, {"name": "x"}, 405) == (request.method, request.body, request.status)


def test_metadata_of_an_unknown_kind_is_refused(reader: Reader) -> None:
    response = reader.http.get(reader.document("office", "Lease.txt"), params={"metadata": "bad"})
    assert (400, "invalid_metadata", "Invalid metadata value: bad") == _refused(response)


def test_a_limit_that_is_no_number_is_taken_for_the_default_or_refused(old: Reader, new: Reader) -> None:
    assert 20 == old.get("/datasets", limit="abc")["limit"]
    for path, name in (
        ("/datasets", "DatasetListQuery"),
        (f"{new.dataset('office')}/documents", "DocumentListQuery"),
    ):
        status, code, message = _refused(new.http.get(path, params={"limit": "abc"}))
        assert (400, "invalid_param") == (status, code)
        assert message.startswith(f"1 validation error for {name}\nlimit\n  Input should be a valid integer")


def test_tags_leave_no_dataset_or_are_refused(old: Reader, new: Reader) -> None:
    assert 0 == old.get("/datasets", tag_ids=UNKNOWN)["total"]
    message = _refused(new.http.get("/datasets", params={"tag_ids": UNKNOWN}))[2]
    assert message.startswith(
        "1 validation error for DatasetListQuery\ntag_ids\n  Input should be a valid list"
    )


def test_children_need_a_positive_limit(reader: Reader) -> None:
    parents = f"{reader.document('handbook', 'handbook.txt')}/segments"
    parent = reader.get(parents)["data"][0]["id"]
    response = reader.http.get(f"{parents}/{parent}/child_chunks", params={"limit": 0})
    message = (
        "1 validation error for ChildChunkListQuery\nlimit\n  Input should be greater than or equal to 1"
    )
    assert _refused(response)[2].startswith(message)


def test_a_query_of_250_characters_is_answered(reader: Reader) -> None:
    for query in ("r" * 250, "租" * 250):
        assert 200 == reader.retrieve("office", query).status_code


def test_a_query_of_251_characters_is_refused_in_each_version_s_words(old: Reader, new: Reader) -> None:
    assert (400, "invalid_param", "Query cannot exceed 250 characters") == _refused(
        old.retrieve("office", "r" * 251)
    )
    assert "String should have at most 250 characters" in _refused(new.retrieve("office", "r" * 251))[2]


def test_a_missing_query_is_refused_in_each_version_s_words(old: Reader, new: Reader) -> None:
    for body in ({}, {"query": None}, {"query": ""}):
        path = f"{old.dataset('office')}/retrieve"
        assert (400, "invalid_param", _REQUIRED) == _refused(old.http.post(path, json=body))
    assert _REQUIRED == _refused(new.retrieve("office", ""))[2]
    path = f"{new.dataset('office')}/retrieve"
    assert "query\n  Field required" in _refused(new.http.post(path, json={}))[2]
    assert "query\n  Input should be a valid string" in _refused(new.retrieve("office", None))[2]


def test_a_query_that_is_a_number_is_taken_as_text_or_refused(old: Reader, new: Reader) -> None:
    assert {"content": "12"} == old.retrieve("office", 12).json()["query"]
    assert "query\n  Input should be a valid string" in _refused(new.retrieve("office", 12))[2]


def test_a_body_that_is_no_json_counts_as_empty_or_is_refused(old: Reader, new: Reader) -> None:
    wrong: tuple[dict[str, Any], ...] = (
        {"content": "{nope", "headers": {"Content-Type": "application/json"}},
        {"content": '{"query": "rent"}', "headers": {"Content-Type": "text/plain"}},
        {},
    )
    path = f"{old.dataset('office')}/retrieve"
    assert [(400, _REQUIRED)] * 3 == [
        (response.status_code, response.json()["message"])
        for response in (old.http.post(path, **body) for body in wrong)
    ]
    assert [(400, "bad_request"), (415, "unsupported_media_type"), (415, "unsupported_media_type")] == [
        _refused(new.http.post(path, **body))[:2] for body in wrong
    ]


@pytest.mark.parametrize("key", ["score_threshold_enabled", "reranking_enable"])
def test_required_fields_are_a_server_error_or_refused(old: Reader, new: Reader, key: str) -> None:
    given = {name: value for name, value in model("semantic_search").items() if name != key}
    assert (500, "internal_server_error", f"'{key}'") == _refused(old.retrieve("office", "rent", given))
    status, code, message = _refused(new.retrieve("office", "rent", given))
    assert (400, "invalid_param") == (status, code)
    start = f"1 validation error for HitTestingPayload\nretrieval_model.{key}\n  Field required"
    assert message.startswith(start)


def test_top_k_and_method_may_be_absent_in_the_old_version_only(old: Reader, new: Reader) -> None:
    given = {"reranking_enable": False, "score_threshold_enabled": False}
    assert 4 == len(old.retrieve("office", "rent", given).json()["records"])
    assert "2 validation errors" in _refused(new.retrieve("office", "rent", given))[2]


def test_an_empty_retrieval_model_is_the_default_or_refused(old: Reader, new: Reader) -> None:
    assert 4 == len(old.retrieve("office", "rent", {}).json()["records"])
    assert "4 validation errors for HitTestingPayload" in _refused(new.retrieve("office", "rent", {}))[2]


def test_a_retrieval_model_that_is_no_object_is_refused_in_two_shapes(old: Reader, new: Reader) -> None:
    response = old.retrieve("office", "rent", "x")
    assert (400, {"errors", "message"}) == (response.status_code, set(response.json()))
    assert "Input should be a valid dictionary" in _refused(new.retrieve("office", "rent", "x"))[2]


def test_an_unknown_method_is_refused_in_each_version_s_words(old: Reader, new: Reader) -> None:
    given = model("vector")
    assert "'vector' is not a valid RetrievalMethod" == _refused(old.retrieve("office", "rent", given))[2]
    assert (
        "Input should be 'semantic_search', 'full_text_search', 'hybrid_search' or 'keyword_search'"
        in (_refused(new.retrieve("office", "rent", given))[2])
    )


def test_weights_that_are_no_object_are_refused_by_the_new_version(old: Reader, new: Reader) -> None:
    given = model("semantic_search", weights=0.5)
    assert 200 == old.retrieve("office", "rent", given).status_code
    status, code, message = _refused(new.retrieve("office", "rent", given))
    assert (400, "invalid_param") == (status, code)
    assert "retrieval_model.weights\n  Input should be a valid dictionary" in message


def test_a_workspace_without_models_lists_no_dataset_but_searches_by_keyword() -> None:
    server = KnowledgeServer(sample_corpus("economy"), no_model_provider=True)
    with reading(server) as reader:
        refused = [
            reader.http.get("/datasets"),
            reader.http.get(reader.dataset("office")),
            reader.retrieve("office", "rent"),
        ]
        for response in refused:
            status, code, message = _refused(response)
            assert (400, "invalid_param") == (status, code)
            assert message.startswith("Failed to request plugin daemon, url: plugin/")
        assert [("Lease.txt", 1)] == reader.found("office", "tenant rent", model("keyword_search"))
        assert 7 == reader.get(f"{reader.dataset('office')}/documents")["total"]


def test_an_external_dataset_cannot_be_searched(reader: Reader) -> None:
    assert (500, "internal_server_error", "'reranking_enable'") == _refused(
        reader.retrieve("elsewhere", "rent")
    )
    assert [] == reader.found("elsewhere", "rent", model("keyword_search"))
    assert 400 == reader.retrieve("elsewhere", "rent", model("semantic_search")).status_code


@pytest.mark.parametrize("profile", PROFILES)
def test_a_key_bound_to_one_dataset_does_nothing_that_names_no_dataset_of_its_own(
    profile: ProfileName,
) -> None:
    server = KnowledgeServer(sample_corpus(), profile=profile, bound_to=("office",))
    with reading(server) as reader:
        own, other = server.dataset_id("office"), server.dataset_id("questions")
        elsewhere = (
            "/datasets",
            f"/datasets/{other}",
            f"/datasets/{other}/documents",
            f"/datasets/{UNKNOWN}",
            "/workspaces/current/models/model-types/rerank",
        )
        for path in elsewhere:
            status = 404 if UNKNOWN in path and profile == "1.10.1" else 403
            assert (path, status) == (path, reader.http.get(path).status_code)
        for path in (f"/datasets/{own}", f"/datasets/{own}/documents"):
            assert 200 == reader.http.get(path).status_code
