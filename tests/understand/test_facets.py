"""The parts that an answer must cover."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.understand.facets import facets

CASES = [
    (
        "What is the notice period and how long does confidentiality last?",
        ("What is the notice period", "how long does confidentiality last?"),
    ),
    (
        "What does the document say about liability, termination and governing law?",
        (
            "What does the document say about liability?",
            "What does the document say about termination?",
            "What does the document say about governing law?",
        ),
    ),
    (
        "What is the fee? What is the term? Who signs?",
        ("What is the fee?", "What is the term?", "Who signs?"),
    ),
    (
        "Compare the document on liability and notice periods.",
        ("Compare the document on liability.", "Compare the document on notice periods."),
    ),
    ("保密期限是多久，以及违约金是多少？", ("保密期限是多久", "违约金是多少？")),
    ("What is the notice period?", ("What is the notice period?",)),
    ("", ()),
]
WHOLE = [
    "Is it required by law, regulation, or judicial process to disclose any information?",
    "May data be shared with third parties, including consultants, agents, and professional advisors?",
    "What are research and development costs?",
]


@pytest.mark.parametrize(("topic", "expected"), CASES)
def test_a_question_of_several_parts_is_parted(topic: str, expected: tuple[str, ...]) -> None:
    assert expected == facets(topic)


@pytest.mark.parametrize("topic", WHOLE)
def test_what_cannot_be_parted_safely_stays_whole(topic: str) -> None:
    assert (topic,) == facets(topic)


@given(st.text(max_size=300))
def test_any_topic_has_at_most_five_parts(topic: str) -> None:
    found = facets(topic)
    assert len(found) <= 5
    assert all(part.strip() for part in found)
