"""Which figure a question asks for, and whether a sentence holds one."""

import pytest

from evidence.answer.answer_type import quantity, unnumbered


@pytest.mark.parametrize(
    ("question", "holding", "lacking"),
    [
        ("How long is the notice?", "Notice is given 30 days ahead.", "Notice is given in writing."),
        ("What is the liability cap?", "Liability ends at EUR 900.", "Liability is limited."),
        ("How much is the deposit?", "The deposit is 900 euros.", "The deposit is paid back."),
        ("How many spare keys are there?", "There are 4 spare keys.", "There are spare keys."),
        ("通知期是多久？", "应提前三十天通知。", "应书面通知。"),
        ("費用はいくらですか。", "費用は5,000円とする。", "費用は乙が負担する。"),
    ],
)
def test_a_sentence_with_the_figure_that_is_asked_for_is_known(
    question: str, holding: str, lacking: str
) -> None:
    asked = quantity(question)
    assert (True, False) == (asked.stated_in(holding), asked.stated_in(lacking))


@pytest.mark.parametrize("question", ["Is there a notice period?", "Who pays?", "May guests stay?"])
def test_a_question_without_such_words_asks_for_no_figure(question: str) -> None:
    assert not quantity(question).stated_in("Notice is given 30 days ahead for EUR 900.")


def test_the_number_of_a_clause_and_of_one_it_points_to_is_no_figure() -> None:
    text = "4.2 The fee of section 9.1 is EUR 30."
    assert (len(text), "The fee of             is EUR 30.") == (
        len(unnumbered(text)),
        unnumbered(text).strip(),
    )
