"""Follow-up questions made whole."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.understand.follow_up import standalone_question, user_turns

ACME = "user: What is the notice period in Acme's NDA?\nassistant: 30 days [1]."
CHINESE = "user: 甲公司的保密协议中，违约金是多少？"
TOLD = json.dumps(
    [{"role": "user", "content": "Who signed the lease with Harbour Estates?"}, {"role": "assistant"}]
)
FOLLOWING = [
    (ACME, "And in Globex's NDA?", "What is the notice period in Globex's NDA?"),
    (ACME, "What about Globex?", "Globex: What is the notice period?"),
    (ACME, "And the governing law?", "Acme's NDA: the governing law?"),
    (ACME, "How long does it last?", "Acme's NDA: How long does it last?"),
    (CHINESE, "那么保密期限呢？", "甲公司的保密协议：保密期限？"),
    (CHINESE, "乙公司呢？", "乙公司：违约金是多少？"),
    ("user: 旅費規程では宿泊費の上限はいくらですか？", "日当は？", "旅費規程：日当は？"),
    (TOLD, "When does that agreement end?", "lease with Harbour Estates: When does that agreement end?"),
    (
        "What is the notice period for tenants?",
        "And for landlords?",
        "What is the notice period for tenants? And for landlords?",
    ),
    (
        f"{ACME}\nuser: And the governing law?\nassistant: French.",
        "What about Globex's lease?",
        "Globex's lease: the governing law?",
    ),
]
ALONE = [
    "What is the travel policy's hotel limit?",
    "How many vacation days do employees get?",
    "Does the Receiving Party share information with their employees?",
    "年假有多少天？",
]


@pytest.mark.parametrize(("history", "question", "expected"), FOLLOWING)
def test_a_follow_up_question_takes_over_what_it_leans_on(history: str, question: str, expected: str) -> None:
    assert expected == standalone_question(question, history)


@pytest.mark.parametrize("question", ALONE)
def test_a_question_that_stands_alone_is_left_alone(question: str) -> None:
    assert question == standalone_question(question, ACME)


def test_a_follow_up_question_without_history_is_left_alone() -> None:
    assert standalone_question("And the first?", "") == "And the first?"


def test_what_the_assistant_said_is_no_turn_of_the_person() -> None:
    assert user_turns("User: one\nmore\nAssistant: two\nstill two\nuser: three") == ("one more", "three")


@given(st.text(max_size=100), st.text(max_size=200))
def test_any_history_leaves_a_question(question: str, history: str) -> None:
    assert bool(standalone_question(question, history)) == bool(question.strip())


def test_a_turn_whose_role_is_no_text_is_nobody_s() -> None:
    told = [
        {"role": ["user"], "content": "one"},
        {"role": {}, "content": "two"},
        {"role": "user", "content": "three"},
    ]
    assert ("three",) == user_turns(json.dumps(told))
