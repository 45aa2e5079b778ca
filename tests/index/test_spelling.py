"""A slip of the keyboard is read as the word of the documents; other words stay as they are."""

from collections.abc import Mapping

import pytest

from evidence.index.spelling import misspelt, spellings, written_as

WORDS = spellings(
    ["Hide the scrollbar of the terminal.", "Terminal and container formats.", "The format counts."]
)


def _misspelt(question: str, *known: str) -> Mapping[str, str]:
    return misspelt(question, lambda word: word in known, lambda: WORDS)


@pytest.mark.parametrize(
    ("written", "meant"),
    [("scrolbar", "scrollbar"), ("termnal", "terminal"), ("fromat", "format"), ("containner", "container")],
)
def test_a_letter_too_many_too_few_or_two_exchanged_are_slips(written: str, meant: str) -> None:
    assert {written: meant} == _misspelt(f"what is a {written}")


@pytest.mark.parametrize("word", ["formal", "carpet", "forms"])
def test_a_letter_for_another_and_a_word_far_from_all_are_none(word: str) -> None:
    assert {} == _misspelt(f"what is a {word}")


def test_a_word_that_is_known_or_stands_in_a_text_is_none() -> None:
    assert {} == _misspelt("termnal", "termnal")
    assert {} == _misspelt("terminal")


def test_a_name_is_left_alone() -> None:
    assert {} == _misspelt("who is Termnal")
    assert {"Termnal": "terminal"} == _misspelt("Termnal colours")


def test_a_text_full_of_unknown_words_is_left_alone() -> None:
    assert {} == _misspelt(" ".join(f"termnal{letter}" for letter in "abcdefghijklmnop"))


def test_the_question_is_written_anew_in_whole_words_alone() -> None:
    assert "hide termnals scrollbar" == written_as(
        "hide termnals scrolbar", {"scrolbar": "scrollbar", "termnal": "x"}
    )
