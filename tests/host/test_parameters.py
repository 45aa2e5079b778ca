"""Dify's loose parameters become values, or one clear refusal."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from evidence.errors import InvalidRequest
from evidence.model import EVERYTHING, Condition, MetadataFilter, Question
from evidence.settings import Settings
from host.parameters import (
    PAGE,
    SECONDS,
    history,
    names,
    number,
    provider_and_model,
    question_from,
    settings_from,
    unset,
    whole_number,
)


def refusal(parameters: Mapping[str, Any]) -> str:
    with pytest.raises(InvalidRequest) as caught:
        (question_from(parameters), settings_from(parameters))
    return str(caught.value)


@pytest.mark.parametrize("value", [None, "", " \n", [None], [], {}])
def test_what_dify_sends_for_an_empty_field_counts_as_unset(value: Any) -> None:
    assert unset(value)
    given = {"query": "q", "datasets": value, "metadata_filter": value, "top_k": value, "effort": value}
    assert Question("q") == question_from(given)
    assert Settings.of() == settings_from(given)


def test_zero_and_false_are_values() -> None:
    assert not unset(0)
    assert not unset(False)


def test_a_query_is_trimmed_and_may_have_8_000_characters() -> None:
    assert Question("x" * 8_000) == question_from({"query": "  " + "x" * 8_000 + "\n"})


def test_a_query_of_20_000_characters_is_refused_in_one_short_line() -> None:
    expected = "`query` has 20,000 characters; at most 8,000 are accepted"
    assert expected == refusal({"query": "x" * 20_000})


@pytest.mark.parametrize("query", [None, "", "  \t", [None]])
def test_an_empty_query_is_refused(query: Any) -> None:
    assert refusal({"query": query}).startswith("`query` is required")


@pytest.mark.parametrize("query", [True, ["a"], {"a": 1}])
def test_a_query_that_is_no_text_is_refused(query: Any) -> None:
    assert refusal({"query": query}) == "`query` must be a text"


def test_a_number_as_query_is_read_as_text() -> None:
    assert Question("2024") == question_from({"query": 2024})


@pytest.mark.parametrize("top_k", [0, 51, 500, -1, "0", float("nan"), float("inf"), "many", True, {"a": 1}])
def test_a_top_k_outside_1_to_50_is_refused_with_the_range(top_k: Any) -> None:
    assert refusal({"query": "q", "top_k": top_k}) == "`top_k` must be a number from 1 to 50"


def test_half_a_passage_is_refused() -> None:
    assert refusal({"query": "q", "top_k": 3.5}) == "`top_k` must be a whole number from 1 to 50"


@pytest.mark.parametrize("seconds", [0, -5, 241, 0.5, float("nan"), "nan", "-inf", "soon"])
def test_seconds_outside_1_to_240_are_refused_with_the_range(seconds: Any) -> None:
    assert refusal({"query": "q", "seconds": seconds}) == "`seconds` must be a number from 1 to 240"


def test_numbers_may_be_texts() -> None:
    expected = Settings.of("fast", top_k=12, seconds=2.5)
    assert expected == settings_from({"effort": " Fast ", "top_k": "12.0", "seconds": " 2.5 "})


def test_an_unknown_effort_is_refused_with_the_list() -> None:
    expected = "`effort` must be one of extractive, fast, balanced, thorough"
    assert expected == refusal({"query": "q", "effort": "heroic"})


def test_the_effort_of_a_tool_wins_over_the_parameter() -> None:
    assert settings_from({"effort": "thorough"}, "extractive").effort == "extractive"


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("Contracts", ("Contracts",)),
        (" Contracts , Handbook,,\nMinutes ", ("Contracts", "Handbook", "Minutes")),
        ("合同，员工手册", ("合同", "员工手册")),
        ('"Rules, old", Rules', ("Rules, old", "Rules")),
        ('!"Draft, v2", !notes.md', ("!Draft, v2", "!notes.md")),
        ('"a ""quoted"" name"', ('a "quoted" name',)),
        ('The "best" file.txt', ('The "best" file.txt',)),
        ('"no end, here', ('"no end', "here")),
        ('["Rules, old", "Rules", "Rules"]', ("Rules, old", "Rules")),
        ("[draft] plan.md", ("[draft] plan.md",)),
        (["a", " b "], ("a", "b")),
        (",,", ()),
        ('""', ()),
    ],
)
def test_names_are_separated_by_commas_outside_quotes(given: Any, expected: tuple[str, ...]) -> None:
    assert expected == names({"datasets": given}, "datasets")


@pytest.mark.parametrize("given", [7, {"a": 1}, [1], '["a", 1]'])
def test_names_that_are_no_texts_are_refused(given: Any) -> None:
    expected = "`datasets` must be ids or names, separated by commas"
    assert expected == refusal({"query": "q", "datasets": given})


def test_more_than_a_hundred_names_are_refused() -> None:
    given = ",".join(str(each) for each in range(101))
    expected = "`documents` has 101 entries; at most 100 are accepted"
    assert expected == refusal({"query": "q", "documents": given})


def test_a_metadata_filter_is_read_from_an_object_or_from_json() -> None:
    condition = {"name": "year", "comparison_operator": "=", "value": 2024}
    expected = MetadataFilter((Condition("year", "=", 2024),))
    as_json = '{"conditions": [{"name": "year", "comparison_operator": "=", "value": 2024}]}'
    for given in ({"conditions": [condition]}, as_json):
        assert expected == question_from({"query": "q", "metadata_filter": given}).metadata_filter


@pytest.mark.parametrize(
    "given", ["{not json", "[1]", '{"conditions": 3}', {"conditions": [{"name": "year"}]}]
)
def test_a_malformed_metadata_filter_is_refused(given: Any) -> None:
    assert "metadata filter" in refusal({"query": "q", "metadata_filter": given})


def test_a_filter_without_conditions_filters_nothing() -> None:
    asked = question_from({"query": "q", "metadata_filter": '{"conditions": []}'})
    assert EVERYTHING == asked.metadata_filter


def test_of_a_long_history_the_newest_part_is_read() -> None:
    assert ("b" * 8_000, True) == history({"history": "a" * 10 + "b" * 8_000})
    assert ("b", False) == history({"history": "b"})


def test_ranges_are_inclusive() -> None:
    assert 240 == number({"seconds": 240}, SECONDS)
    assert 1 == whole_number({"page": "1"}, replace(PAGE, default=3))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("jina/reranker-v2", ("jina", "reranker-v2")),
        (" sample / rank-1 ", ("sample", "rank-1")),
        ("sample/BAAI/rank-1", ("sample", "BAAI/rank-1")),
        ("langgenius/jina/jina/reranker-v2", ("langgenius/jina/jina", "reranker-v2")),
        ("langgenius/sample/sample/BAAI/rank-1", ("langgenius/sample/sample", "BAAI/rank-1")),
    ],
)
def test_a_rerank_model_is_named_by_provider_and_model(name: str, expected: tuple[str, str]) -> None:
    assert expected == provider_and_model(name)


@pytest.mark.parametrize("name", ["reranker", "a//b", "/b", "a/"])
def test_a_rerank_model_without_a_provider_is_refused(name: str) -> None:
    with pytest.raises(InvalidRequest, match="`rerank_model` must be chat, or provider/model"):
        provider_and_model(name)


def test_a_threshold_is_a_share() -> None:
    assert 0.25 == settings_from({"query": "q", "threshold": "0.25"}).search.threshold
    assert 0.0 == settings_from({"query": "q"}).search.threshold
    assert "`threshold` must be a number from 0 to 1" == refusal({"query": "q", "threshold": 1.5})


def test_effort_only_says_how_far_to_search_where_no_model_is_asked() -> None:
    for effort, rounds, calls in (("fast", 0, 60), ("balanced", 1, 60), ("thorough", 1, 120)):
        limits = settings_from({"effort": effort}, "extractive").limits
        assert (0, rounds, calls) == (limits.model_calls, limits.rounds, limits.knowledge_calls)
