"""Quoted words, codes, names and figures of a question."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.understand.entities import MOST, entities

HELD = [
    ("Does Section 12.3 of ISO-27001 bind Deutsche Bank?", {"Section 12.3", "ISO-27001", "Deutsche Bank"}),
    ('What does "Business Day" mean for 30 days?', {"Business Day", "30 days"}),
    ("「営業日」は第3条で定義されていますか", {"営業日", "第3条"}),
    ("What is the notice period?", set()),
]


@pytest.mark.parametrize(("question", "expected"), HELD)
def test_entities_are_quoted_words_codes_names_and_figures(question: str, expected: set[str]) -> None:
    found = set(entities(question))
    assert expected <= found
    assert bool(expected) == bool(found)


@given(st.text(max_size=300))
def test_any_text_yields_at_most_twelve_parts_of_itself(text: str) -> None:
    found = entities(text)
    assert len(found) <= MOST
    assert all(part in text for part in found)
