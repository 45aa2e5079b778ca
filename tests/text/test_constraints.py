"""Dates, periods, amounts, states, names and figures of a question."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.text.constraints import MOST, constraints, entities

SET = [
    (
        "Which contracts signed after 1 May 2023 are in force and worth more than $5,000?",
        ("after 1 May 2023", "in force", "more than $5,000"),
    ),
    ("Must notice be given within 30 days?", ("within 30 days",)),
    ("What changed between 2020 and 2022?", ("between 2020 and 2022",)),
    ("Show the latest version of the plan", ("latest version",)),
    ("2023年5月以后签订的、金额超过10万元的现行合同有哪些？", ("2023年5月以后", "超过10万元", "现行")),
    ("令和5年度の有効な契約は？", ("令和5年度", "有効な")),
    ("What is the notice period?", ()),
]
HELD = [
    ("Does Section 12.3 of ISO-27001 bind Deutsche Bank?", {"Section 12.3", "ISO-27001", "Deutsche Bank"}),
    ('What does "Business Day" mean for 30 days?', {"Business Day", "30 days"}),
    ("「営業日」は第3条で定義されていますか", {"営業日", "第3条"}),
    ("What is the notice period?", set()),
]


@pytest.mark.parametrize(("question", "expected"), SET)
def test_constraints_stand_as_in_the_question(question: str, expected: tuple[str, ...]) -> None:
    assert expected == constraints(question)


@pytest.mark.parametrize(("question", "expected"), HELD)
def test_entities_are_quoted_words_codes_names_and_figures(question: str, expected: set[str]) -> None:
    found = set(entities(question))
    assert expected <= found
    assert bool(expected) == bool(found)


@given(st.text(max_size=300))
def test_any_text_yields_at_most_twelve_parts_of_itself(text: str) -> None:
    for found in (constraints(text), entities(text)):
        assert len(found) <= MOST
        assert all(part in text for part in found)
