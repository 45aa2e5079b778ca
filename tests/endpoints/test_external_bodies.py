"""Bodies of External Knowledge requests, good and bad, as they are read."""

import json
from typing import Any

import pytest
from endpoint_samples import PROBE, body_of
from hypothesis import example, given, settings
from hypothesis import strategies as st

from evidence.errors import InvalidRequest
from evidence.model import EVERYTHING, Condition, MetadataFilter
from host.external.request import RetrievalRequest, parse_request
from host.parameters import unset
from host.web import MOST_BODY_BYTES, BodyTooLarge

SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
ANYTHING = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=8), inner))
OPERATORS = st.sampled_from(["is", "in", "contains", "empty", "before", "≥", "like"]) | ANYTHING
CONDITIONS = st.fixed_dictionaries({"name": ANYTHING, "comparison_operator": OPERATORS, "value": ANYTHING})
BODIES = st.fixed_dictionaries(
    {},
    optional={
        "query": st.text(max_size=30) | ANYTHING,
        "knowledge_id": st.text(max_size=30) | ANYTHING,
        "retrieval_setting": st.fixed_dictionaries(
            {}, optional={"top_k": ANYTHING, "score_threshold": ANYTHING, "score_threshold_enabled": ANYTHING}
        )
        | ANYTHING,
        "metadata_condition": st.fixed_dictionaries(
            {}, optional={"logical_operator": ANYTHING, "conditions": st.lists(CONDITIONS) | ANYTHING}
        )
        | ANYTHING,
    },
)


def read(body: Any) -> RetrievalRequest:
    request = parse_request(json.dumps(body).encode())
    assert request is not None
    return request


def conditions(*given_conditions: Any, joined_by: Any = "and") -> Any:
    body = body_of(metadata_condition={"logical_operator": joined_by, "conditions": list(given_conditions)})
    return read(body).metadata_filter


def test_the_body_of_dify_is_read() -> None:
    assert RetrievalRequest("Who pays?", ("harbour",), 3, 0.2) == read(
        body_of("Who pays?", score_threshold=0.2)
    )


@pytest.mark.parametrize("body", [b"", b"  \n", json.dumps(PROBE).encode(), b"{}"])
def test_no_body_and_one_that_asks_nothing_are_the_registration_check(body: bytes) -> None:
    assert parse_request(body) is None


def test_quotes_that_the_retrieval_test_escaped_are_read_as_quotes() -> None:
    assert 'how "long" is it?' == read(body_of('how \\"long\\" is it?')).query


def test_a_top_k_of_null_means_eight_records_and_no_setting_at_all_too() -> None:
    assert 8 == read(body_of(top_k=None)).top_k
    assert 8 == read({"query": "x", "knowledge_id": "y", "retrieval_setting": None}).top_k
    assert 8 == read({"query": "x", "knowledge_id": "y"}).top_k


def test_more_than_fifty_records_are_never_searched_for() -> None:
    assert 50 == read(body_of(top_k=5000)).top_k


def test_several_datasets_may_be_named_and_auto_means_all() -> None:
    assert ("harbour", "city, port") == read(body_of(knowledge_id='harbour, "city, port"')).datasets
    assert () == read(body_of(knowledge_id=" Auto ")).datasets


def test_a_threshold_that_is_switched_off_does_not_count() -> None:
    setting = {"top_k": 2, "score_threshold": 0.9, "score_threshold_enabled": False}
    assert 0.0 == read(body_of(retrieval_setting=setting)).threshold


def test_a_condition_keeps_its_name_operator_and_value() -> None:
    given_condition = {"name": "year", "comparison_operator": "≥", "value": 2020}
    expected = MetadataFilter((Condition("year", "≥", 2020),), "or")
    assert expected == conditions(given_condition, joined_by="or")


def test_a_list_of_names_becomes_a_condition_for_each() -> None:
    found = conditions({"name": ["kind", "type"], "comparison_operator": "is", "value": "rules"})
    assert ("kind", "type") == tuple(each.name for each in found.conditions)


def test_a_condition_without_value_asks_nothing_unless_it_asks_for_emptiness() -> None:
    assert EVERYTHING == conditions({"name": "kind", "comparison_operator": "is", "value": None})
    found = conditions({"name": "kind", "comparison_operator": "empty", "value": None})
    assert (Condition("kind", "empty"),) == found.conditions


@pytest.mark.parametrize(
    "empty", [None, {}, {"logical_operator": "and", "conditions": None}, {"conditions": []}]
)
def test_no_conditions_filter_nothing(empty: Any) -> None:
    assert EVERYTHING == read(body_of(metadata_condition=empty)).metadata_filter


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"query": ""}, "query"),
        ({"query": ["a"]}, "query"),
        ({"query": "x" * 8_001}, "query"),
        ({"knowledge_id": ""}, "knowledge_id"),
        ({"knowledge_id": 7}, "knowledge_id"),
        ({"knowledge_id": ["a", 7]}, "knowledge_id"),
        ({"top_k": 0}, "top_k"),
        ({"top_k": "many"}, "top_k"),
        ({"top_k": 2.5}, "top_k"),
        ({"score_threshold": 1.5}, "score_threshold"),
        ({"score_threshold": "high"}, "score_threshold"),
        ({"retrieval_setting": [1]}, "retrieval_setting"),
        ({"metadata_condition": "kind is rules"}, "metadata_condition"),
        ({"metadata_condition": {"conditions": {"name": "kind"}}}, "conditions"),
        ({"metadata_condition": {"conditions": ["kind"]}}, "condition 1"),
        ({"metadata_condition": {"logical_operator": "xor", "conditions": [{}]}}, "logical_operator"),
    ],
)
def test_a_refusal_names_the_field(changed: dict[str, Any], named: str) -> None:
    with pytest.raises(InvalidRequest, match=named):
        read(body_of(**changed))


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"[]",
        b'"text"',
        b"null",
        b"\xff\xfe\xfa",
        b'{"query": NaN}',
        b"[" * 100_000,
        b'{"a":' * 70 + b"1" + b"}" * 70,
    ],
)
def test_a_body_that_is_no_json_object_is_refused(body: bytes) -> None:
    with pytest.raises(InvalidRequest):
        parse_request(body)


def test_an_oversized_body_is_not_even_parsed() -> None:
    with pytest.raises(BodyTooLarge, match="1,000,001 bytes"):
        parse_request(b"x" * (MOST_BODY_BYTES + 1))


@settings(max_examples=100)
@given(st.binary(max_size=60))
@example(b'{"":""}')
def test_no_bytes_do_anything_but_be_read_or_refused(body: bytes) -> None:
    try:
        request = parse_request(body)
    except InvalidRequest:
        return
    assert request is None
    given = json.loads(body) if body.strip() else {}
    assert [None, None] == [given.get(name) or None for name in ("query", "knowledge_id")]


@settings(max_examples=150)
@given(BODIES)
@example({"query": "\ud800", "knowledge_id": "\udfff"})
@example(
    {"query": "a", "knowledge_id": "b", "metadata_condition": {"conditions": [{"comparison_operator": []}]}}
)
def test_no_json_does_anything_but_be_read_or_refused(body: Any) -> None:
    try:
        request = parse_request(json.dumps(body).encode())
    except InvalidRequest:
        return
    if request is None:
        assert unset(body.get("query"))
        assert unset(body.get("knowledge_id"))
        return
    assert 1 <= request.top_k <= 50
    assert 0.0 <= request.threshold <= 1.0
    assert request.query.encode()
    assert all(name.encode() for name in request.datasets)
