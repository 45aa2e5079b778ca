"""Passages handed in: what search gave, what Dify's own knowledge node gives, and what neither gave."""

import json
from typing import Any

import pytest
from host_samples import DATASET_ID, SEGMENT_ID, TEXT, answered, json_of, passage, receipt

from evidence.errors import InvalidRequest
from evidence.model import Pool, Provenance, Query
from host.passages import pool_from, queries_of
from host.view.json import result_items


def pool_of(given: Any) -> Pool:
    """The pool of passages that can all be read."""
    pool, warnings = pool_from({"passages": given})
    assert () == warnings
    return pool


def searched() -> dict[str, Any]:
    return json_of("search", answered(), receipt())


@pytest.mark.parametrize("as_text", [True, False])
@pytest.mark.parametrize("shape", ["object", "list", "json variable"])
def test_what_search_gave_is_read_back_unchanged(shape: str, as_text: bool) -> None:
    given: Any = {"object": searched(), "list": searched()["passages"], "json variable": [searched()]}[shape]
    pool, _ = pool_from({"passages": json.dumps(given) if as_text else given})
    assert Pool((passage(),), (), read=1, total=1, documents=1) == pool


def test_items_of_the_knowledge_retrieval_node_are_read() -> None:
    pool, _ = pool_from({"passages": json.dumps({"result": result_items([passage()])})})
    segment = pool.passages[0].segment
    assert (SEGMENT_ID, 4, TEXT) == (segment.segment_id, segment.position, segment.text)
    assert (DATASET_ID, "Contracts", "d-1", "Lease | 2024.txt") == (
        segment.document.dataset_id,
        segment.document.dataset_name,
        segment.document.document_id,
        segment.document.name,
    )


def test_question_and_answer_are_taken_apart_again() -> None:
    given = [{"content": "question:How long? \nanswer:30 days.", "title": "FAQ", "metadata": {}}]
    segment = pool_of(given).passages[0].segment
    assert ("How long?", "30 days.", "FAQ") == (segment.question, segment.text, segment.document.name)


def test_a_text_alone_is_a_passage() -> None:
    segment = pool_of([{"text": "Notice is 30 days."}]).passages[0].segment
    assert ("passage 1", "passage-1") == (segment.document.name, segment.segment_id)


def test_json_in_a_fence_is_read() -> None:
    assert pool_of('```json\n[{"text": "a"}]\n```').passages[0].segment.text == "a"


def test_no_passage_is_a_pool_without_passages() -> None:
    givens: tuple[Any, ...] = ("[]", [], {"passages": []})
    for given in givens:
        assert Pool() == pool_of(given)


def test_the_same_segment_counts_once() -> None:
    given = searched()["passages"] * 2
    assert len(pool_of(given).passages) == 1


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (None, "`passages` is required: the JSON of the search tool"),
        (" ", "`passages` is required: the JSON of the search tool"),
        ("see above", "`passages` is not valid JSON; hand on what the search tool returned"),
        ('{"passages": ', "`passages` is not valid JSON; hand on what the search tool returned"),
        (
            "7",
            '`passages` must be an object with a list "passages", or that list; `search` gives it with `output` full',
        ),
        (
            {"answer": "x"},
            '`passages` must be an object with a list "passages", or that list; `search` gives it with `output` full',
        ),
        ([{"text": ""}], "`passages`, entry 1: text: String should have at least 1 character"),
        ([{"title": "no text"}], "`passages`, entry 1: text: Field required"),
        (
            [{"text": "a", "position": "third"}],
            "`passages`, entry 1: position: Input should be a valid integer, unable to parse string as an integer",
        ),
        ([{"text": "a"}] * 201, "`passages` has 201 entries; at most 200 are accepted"),
        (
            [{"text": "a" * 100_000, "segment_id": each} for each in "abcdef"],
            "`passages` has 600,000 characters; at most 500,000 are accepted: hand in fewer",
        ),
        (
            [{"text": "a", "document_name": "n" * 501}],
            "`passages`, entry 1: document_name: String should have at most 500 characters",
        ),
        (
            [{"text": "a", "question": "q" * 501}],
            "`passages`, entry 1: question: String should have at most 500 characters",
        ),
    ],
)
def test_malformed_passages_are_refused_with_the_first_problem(given: Any, expected: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        pool_from({"passages": given})
    assert expected == str(caught.value)


def test_an_entry_that_is_no_object_is_refused() -> None:
    with pytest.raises(InvalidRequest, match="entry 1: it: Input should be a valid dictionary"):
        pool_from({"passages": ["words"]})


def test_unreadable_provenance_is_left_out() -> None:
    why = [{"query": "q", "list": "telepathy", "rank": 1}, 3, {"query": "q", "list": "local", "rank": 2}]
    pool, _ = pool_from({"passages": [{"text": "a", "why": why}]})
    assert (Query("q"),) == queries_of(pool)
    assert len(pool.passages[0].why) == 1


def test_provenance_of_other_types_is_left_out() -> None:
    why = [{"list": [], "rank": 1}, {"list": {}}, {"query": ["q"], "list": "local", "rank": 1}]
    passages = pool_of(json.dumps([{"text": "a", "why": why}])).passages
    assert [Provenance("", "local", 1)] == list(passages[0].why)


def test_a_long_query_of_the_provenance_is_cut() -> None:
    given = [{"text": "a", "why": [{"query": "q" * 501, "list": "local", "rank": 1}]}]
    assert "q" * 500 == pool_of(given).passages[0].why[0].query


@pytest.mark.parametrize(
    "odd",
    [
        {"text": ""},
        {"text": "a" * 100_001},
        {"position": -1},
        {"position": 10**400},
        {"position": float("nan")},
        {"score": 10**400},
        {"score": "high"},
        {"segment_id": ["x"]},
        {"document_name": "n" * 501},
        7,
        None,
    ],
)
def test_an_entry_that_cannot_be_read_is_left_out_and_said(odd: Any) -> None:
    entry = {"text": "a", "segment_id": "odd"} | odd if isinstance(odd, dict) else odd
    pool, warnings = pool_from({"passages": [{"text": "b"}, entry]})
    assert ["b"] == [each.segment.text for each in pool.passages]
    assert 1 == len(warnings)
    assert warnings[0].startswith("`passages`, entry 2: ")
    assert warnings[0].endswith("; it is left out")


@pytest.mark.parametrize("score", ["NaN", "Infinity", "-Infinity", "1e999", "null"])
def test_a_score_that_is_no_number_is_no_score(score: str) -> None:
    assert 0.0 == pool_of(f'[{{"text": "a", "score": {score}}}]').passages[0].score


@pytest.mark.parametrize(
    "given",
    [
        "[" * 100_000,
        '{"passages": ' * 90 + "[]" + "}" * 90,
        "[]," * 500_000,
        "[1" + "0" * 5_000,
        "x" * 4_000_001,
    ],
)
def test_json_that_no_parser_can_follow_is_refused(given: str) -> None:
    with pytest.raises(InvalidRequest, match="`passages`"):
        pool_from({"passages": given})


def test_of_the_provenance_no_more_is_read_than_is_shown() -> None:
    why = [{"query": "q", "list": "local", "rank": rank} for rank in (10**400, -1, *range(60))]
    assert 48 == len(pool_of([{"text": "a", "why": why}]).passages[0].why)
