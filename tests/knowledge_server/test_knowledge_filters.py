from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from knowledge_samples import Reader, condition, model, reading, sample_corpus

from standalone.knowledge import Corpus, KnowledgeServer

_ALL = {"Lease.txt", "policy.md", "minutes.txt"}


@pytest.fixture
def reader() -> Iterator[Reader]:
    with reading(KnowledgeServer(sample_corpus())) as opened:
        yield opened


def _names(reader: Reader, given: dict[str, Any]) -> set[str]:
    return {name for name, _ in reader.found("office", "rent", model("semantic_search", 100) | given)}


@pytest.mark.parametrize(
    ("name", "operator", "value", "names"),
    [
        ("document_name", "is", "policy.md", {"policy.md"}),
        ("document_name", "is not", "policy.md", {"Lease.txt", "minutes.txt"}),
        ("document_name", "contains", "ease", {"Lease.txt"}),
        ("document_name", "not contains", "ease", {"policy.md", "minutes.txt"}),
        ("document_name", "start with", "min", {"minutes.txt"}),
        ("document_name", "end with", ".txt", {"Lease.txt", "minutes.txt"}),
        ("document_name", "start with", "_ease", {"Lease.txt"}),  # wildcards are live
        ("document_name", "is", "lease.txt", set()),
        ("kind", "is", "contract", {"Lease.txt"}),
        ("year", "=", 2021, {"Lease.txt"}),
        ("year", "=", "2021", {"Lease.txt"}),
        ("year", "≠", 2021, {"policy.md"}),  # a document without a year is neither equal nor different
        ("year", ">", 2022, {"policy.md"}),
        ("year", "≤", "2022", {"Lease.txt"}),
        ("upload_date", "after", 0, _ALL),
        ("upload_date", "before", 0, set()),
        ("year", "empty", None, {"minutes.txt"}),
        ("year", "not empty", None, {"Lease.txt", "policy.md"}),
        ("nobody", "empty", None, _ALL),
        ("nobody", "is", "x", set()),
    ],
)
def test_a_condition_keeps_the_documents_that_satisfy_it(
    reader: Reader, name: str, operator: str, value: Any, names: set[str]
) -> None:
    assert names == _names(reader, condition(name, operator, value))


@pytest.mark.parametrize(
    ("operator", "value"),
    [("in", ["policy.md"]), ("not in", ["policy.md"]), ("in", "policy.md"), ("is", None)],
)
def test_some_conditions_are_accepted_and_forgotten(reader: Reader, operator: str, value: Any) -> None:
    assert _ALL == _names(reader, condition("document_name", operator, value))


def test_no_conditions_filter_nothing(reader: Reader) -> None:
    given = {"metadata_filtering_conditions": {"logical_operator": "and", "conditions": []}}
    assert _ALL == _names(reader, given)


@pytest.mark.parametrize(("operator", "names"), [("or", {"Lease.txt", "policy.md"}), ("and", set())])
def test_conditions_are_joined_by_the_logical_operator(
    reader: Reader, operator: str, names: set[str]
) -> None:
    conditions = [
        {"name": "document_name", "comparison_operator": "is", "value": value}
        for value in ("Lease.txt", "policy.md")
    ]
    given = {"metadata_filtering_conditions": {"logical_operator": operator, "conditions": conditions}}
    assert names == _names(reader, given)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (condition("kind", "equals", "x"), "conditions.0.comparison_operator\n  Input should be 'contains'"),
        (condition("kind", "<=", 1), "conditions.0.comparison_operator\n  Input should be 'contains'"),
        (
            {"metadata_filtering_conditions": {"logical_operator": "xor", "conditions": []}},
            "logical_operator\n  Input should be 'and' or 'or'",
        ),
        (
            {"metadata_filtering_conditions": {"conditions": [{"comparison_operator": "is"}]}},
            "conditions.0.name\n  Field required",
        ),
        ({"metadata_filtering_conditions": "x"}, "Input should be a valid dictionary"),
    ],
)
def test_a_malformed_filter_is_refused(reader: Reader, given: dict[str, Any], message: str) -> None:
    response = reader.retrieve("office", "rent", model("semantic_search") | given)
    assert (400, "invalid_param") == (response.status_code, response.json()["code"])
    assert "1 validation error for MetadataFilteringCondition" in response.json()["message"]
    assert message in response.json()["message"]


def test_a_filter_without_conditions_is_a_server_error(reader: Reader) -> None:
    given = {"metadata_filtering_conditions": {"logical_operator": "and"}}
    response = reader.retrieve("office", "rent", model("semantic_search") | given)
    assert (500, "'NoneType' object is not iterable") == (response.status_code, response.json()["message"])


def test_a_number_compared_with_text_is_a_server_error_with_sql(reader: Reader) -> None:
    response = reader.retrieve("office", "rent", model("semantic_search", **condition("kind", ">", 1)))
    assert (500, "internal_server_error") == (response.status_code, response.json()["code"])
    assert 'invalid input syntax for type double precision: "contract"' in response.json()["message"]


def test_the_new_version_drops_every_filter_in_silence() -> None:
    with reading(KnowledgeServer(sample_corpus(), profile="1.13.3")) as reader:
        assert _ALL == _names(reader, condition("document_name", "is", "policy.md"))
        assert _ALL == _names(reader, {"metadata_filtering_conditions": "x"})


def test_a_filter_outside_the_retrieval_model_is_ignored(reader: Reader) -> None:
    body = {"query": "rent", "retrieval_model": model("semantic_search", 100)}
    response = reader.http.post(
        f"{reader.dataset('office')}/retrieve", json=body | condition("document_name", "is", "policy.md")
    )
    records = response.json()["records"]
    assert _ALL == {record["segment"]["document"]["name"] for record in records}


def test_without_built_in_fields_a_filter_on_the_name_finds_nothing() -> None:
    office = replace(sample_corpus().collections[0], built_in_fields=False)
    with reading(KnowledgeServer(Corpus((office,)))) as reader:
        assert set() == _names(reader, condition("document_name", "is", "policy.md"))
        assert {"Lease.txt"} == _names(reader, condition("year", "=", 2021))
        assert None is reader.get(reader.document("office", "empty.txt"))["doc_metadata"]
