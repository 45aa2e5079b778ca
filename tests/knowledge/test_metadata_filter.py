from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.errors import InvalidRequest
from evidence.knowledge.dify.retrieval import filter_body
from evidence.knowledge.metadata_filter import matches, parse_filter
from evidence.model import Condition, MetadataFilter

STORED = {"kind": "Lease", "year": 2021, "rate": 2.5, "signed": "2026-11-20 18:50:10"}


def condition(name: str, operator: str, value: Any = None) -> dict[str, Any]:
    return {"conditions": [{"name": name, "comparison_operator": operator, "value": value}]}


def passes(name: str, operator: str, value: Any = None) -> bool:
    return matches(parse_filter(condition(name, operator, value)), "lease.txt", STORED)


@pytest.mark.parametrize(
    ("expected", "name", "operator", "value"),
    [
        (True, "kind", "contains", "eas"),
        (False, "kind", "contains", "EAS"),
        (True, "kind", "not contains", "sale"),
        (False, "missing", "not contains", "sale"),
        (True, "kind", "start with", "Le"),
        (False, "kind", "start with", "ease"),
        (True, "kind", "end with", "se"),
        (True, "kind", "is", "Lease"),
        (False, "kind", "is", "lease"),
        (True, "kind", "is not", "Sale"),
        (False, "missing", "is not", "Sale"),
        (True, "missing", "empty", None),
        (False, "kind", "empty", None),
        (True, "kind", "not empty", None),
        (True, "kind", "in", ["Sale", "Lease"]),
        (True, "kind", "in", "Sale, Lease"),
        (False, "kind", "not in", ["Lease"]),
        (True, "year", "in", [2021]),
        (True, "year", "=", 2021),
        (True, "year", "=", "2021"),
        (True, "year", "≠", 2020),
        (True, "year", ">", "2020"),
        (True, "year", "<", 2022),
        (True, "year", ">=", 2021),
        (False, "rate", "≤", 2.4),
        (False, "kind", ">", 1),
        (True, "signed", "after", 1_795_000_000),
        (False, "signed", "before", 1_795_000_000),
        (True, "document_name", "is", "lease.txt"),
        (True, "year", "contains", 20),
    ],
)
def test_operators_mean_what_they_mean_in_dify(expected: bool, name: str, operator: str, value: Any) -> None:
    assert expected is passes(name, operator, value)


def test_a_stored_document_name_wins_over_the_name() -> None:
    wanted = parse_filter(condition("document_name", "is", "old.txt"))
    assert matches(wanted, "new.txt", {"document_name": "old.txt"})


@pytest.mark.parametrize(("joined_by", "expected"), [("and", False), ("or", True)])
def test_conditions_are_joined(joined_by: str, expected: bool) -> None:
    both = condition("kind", "is", "Lease")["conditions"] + condition("kind", "is", "Sale")["conditions"]
    wanted = parse_filter({"logical_operator": joined_by, "conditions": both})
    assert expected is matches(wanted, "", STORED)


@pytest.mark.parametrize("given_filter", [None, {}, "", " ", "{}", {"conditions": []}])
def test_an_empty_filter_lets_everything_through(given_filter: object) -> None:
    assert MetadataFilter() == parse_filter(given_filter)
    assert matches(parse_filter(given_filter), "", {})


def test_json_text_is_read() -> None:
    text = (
        '{"logical_operator": "or", "conditions": [{"name": "a", "comparison_operator": "is", "value": 1}]}'
    )
    assert MetadataFilter((Condition("a", "is", 1),), "or") == parse_filter(text)


def test_the_body_is_what_dify_takes() -> None:
    given_filter = {
        "logical_operator": "or",
        "conditions": [
            {"name": "a", "comparison_operator": "in", "value": ["x", "y"]},
            {"name": "b", "comparison_operator": "empty"},
        ],
    }
    assert given_filter == filter_body(parse_filter(given_filter))


@pytest.mark.parametrize(
    "wrong",
    [
        "{",
        "[" * 100_000,
        [],
        7,
        {"conditions": "x"},
        {"logical_operator": "and"},
        {"logical_operator": "xor", "conditions": []},
        {"logical_operator": ["and"], "conditions": []},
        {"conditions": ["x"]},
        {"conditions": [{"comparison_operator": "is", "value": "x"}]},
        {"conditions": [{"name": "a", "comparison_operator": "equals", "value": "x"}]},
        {"conditions": [{"name": "a", "comparison_operator": ["is"], "value": "x"}]},
        condition("a", "is", None),
        condition("a", "is", True),
        condition("a", "is", {"x": 1}),
        condition("a", "in", {"x": 1}),
        condition("a", "in", [["x"]]),
        condition("a", ">", "many"),
        condition("a", ">", float("nan")),
        {"conditions": [condition("a", "empty")["conditions"][0]] * 101},
    ],
)
def test_a_malformed_filter_is_refused_in_one_line(wrong: object) -> None:
    with pytest.raises(InvalidRequest) as refusal:
        parse_filter(wrong)
    assert "\n" not in str(refusal.value)
    assert "metadata filter" in str(refusal.value)


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=10),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["logical_operator", "conditions", "name", "comparison_operator", "value"]), inner
        )
    ),
    max_leaves=12,
)
CONDITION = st.fixed_dictionaries(
    {
        "name": st.sampled_from(["kind", "year", "signed", "document_name", "missing"]),
        "comparison_operator": st.sampled_from(
            ["contains", "is", "in", "not in", ">", "before", "empty", "≠"]
        ),
        "value": JSON,
    }
)


@given(JSON | st.fixed_dictionaries({"conditions": st.lists(CONDITION, max_size=3)}))
def test_anything_is_either_refused_or_applied(given_filter: object) -> None:
    try:
        wanted = parse_filter(given_filter)
    except InvalidRequest:
        return
    assert matches(wanted, "lease.txt", STORED) in {True, False}
    assert wanted == parse_filter(filter_body(wanted))


@pytest.mark.parametrize("operator", ["contains", "is", "in", ">", "start with"])
@pytest.mark.parametrize("value", [10**309, -(10**400), float("inf"), float("nan"), True, {}, "x" * 2_001])
def test_a_value_that_no_server_can_hold_is_refused(operator: str, value: Any) -> None:
    with pytest.raises(InvalidRequest, match="condition 1 of the metadata filter"):
        parse_filter(condition("kind", operator, value))


def test_more_values_than_a_server_takes_are_refused() -> None:
    with pytest.raises(InvalidRequest, match=r"more than 1,000 values"):
        parse_filter(condition("kind", "in", ",".join("x" * 1_001)))


@pytest.mark.parametrize(
    "text", ["[" * 100_000, '{"conditions": [' * 2_000, "1" * 5_000, '{"a": 1' + "0" * 5_000]
)
def test_a_filter_that_no_parser_can_follow_is_refused(text: str) -> None:
    with pytest.raises(InvalidRequest):
        parse_filter(text)
