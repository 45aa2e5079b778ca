"""What a judge doubts is said beside the sentence, and a yes or no that leans on it is withdrawn."""

import pytest

from evidence.answer.doubting import doubted
from evidence.language.markdown import safe
from evidence.model import Answer, Claim, Intent, Understanding, Verdict

RENT = Claim("The rent is ten coins.", (1,), supported=True)
DOOR = Claim("The door is green.", (2,), supported=True)


def shown(text: str, *claims: Claim, doubts: tuple[str, ...], intent: Intent = "lookup") -> tuple[str, str]:
    understanding = Understanding("Is the rent ten coins?", intent=intent)
    answer = doubted(understanding, Answer(text, claims=claims), Verdict("unsettled", doubted=doubts))
    return answer.text, answer.status


def test_a_doubted_sentence_is_marked_behind_its_markers_and_no_other_one() -> None:
    text = "> ten coins a year [1]\n\nThe rent is ten coins. [1] The door is green. [2][3] (not in the quote: green)"
    assert (
        text.replace("[2][3]", "[2][3] (doubted when checked)"),
        "answered",
    ) == shown(text, RENT, DOOR, doubts=(DOOR.text,))


def test_an_answer_that_nobody_doubts_stays_as_it_is() -> None:
    assert ("Yes.\n\nThe rent is ten coins. [1]", "answered") == shown(
        "Yes.\n\nThe rent is ten coins. [1]", RENT, doubts=(), intent="yes_no"
    )


@pytest.mark.parametrize("verdict", ["Yes", "No"])
def test_a_yes_or_no_above_a_doubted_sentence_is_withdrawn(verdict: str) -> None:
    reason = Claim(f"{verdict}, the rent is ten coins.", (1,), supported=True)
    text = f"{verdict}.\n\n> ten coins [1]\n\nThe rent is ten coins. [1] The door is green. [2]"
    assert (
        """Neither yes nor no is proven. The documents say:

> ten coins [1]

The rent is ten coins. [1] (doubted when checked) The door is green. [2]""",
        "partial",
    ) == shown(text, reason, DOOR, doubts=(reason.text,), intent="yes_no")


def test_a_yes_stays_above_a_first_sentence_that_stands() -> None:
    text = "Yes.\n\nThe rent is ten coins. [1] The door is green. [2]"
    assert (f"{text} (doubted when checked)", "answered") == shown(
        text, RENT, DOOR, doubts=(DOOR.text,), intent="yes_no"
    )


def test_what_is_shown_escaped_is_marked_too() -> None:
    claim = Claim("The rent is ten <coins>, see [3].", (1,))
    text = f"{safe(claim.text)} [1]"
    assert claim.text not in text
    assert (f"{text} (doubted when checked)", "answered") == shown(text, claim, doubts=(claim.text,))
