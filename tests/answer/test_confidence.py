"""How likely quotes are to hold the answer: more likely where more speaks for it, and always a probability."""

from collections.abc import Sequence
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from evidence.answer.confidence import confidence
from evidence.model import Passage, Quote, Span
from tests.fakes import segment

RIVALS = [f"A lighthouse keeper of the {n}th island counts the ships." for n in range(8)]
ANSWER = "The oil of the lighthouse lamp is changed every nine days."
QUESTION = "How often is the oil of the lighthouse lamp changed?"


def ranked(texts: Sequence[str], scores: Sequence[float]) -> list[Passage]:
    return [
        Passage(segment(text, f"{rank}.txt"), score, rank)
        for rank, (text, score) in enumerate(zip(texts, scores, strict=True), 1)
    ]


def asked(question: str, passages: Sequence[Passage], place: int = 0) -> float:
    quoted = passages[place].segment
    return confidence(question, passages, [Quote(quoted, Span(0, len(quoted.text)))])


STEEP = ranked([ANSWER, *RIVALS[1:]], [1.0, *[0.2] * 7])


def test_all_the_words_far_above_the_rest_are_nearly_sure() -> None:
    assert asked(QUESTION, STEEP) > 0.8


def test_a_flat_ranking_a_lower_place_and_fewer_words_are_less_likely() -> None:
    flat = ranked([ANSWER, *RIVALS[1:]], [1.0, *[0.98] * 7])
    assert asked(QUESTION, STEEP) > asked(QUESTION, flat)
    assert asked(QUESTION, STEEP) > asked(QUESTION, STEEP, place=5)
    assert asked(QUESTION, STEEP) > asked("How often is the oil of the old harbour crane replaced?", STEEP)


def test_what_all_passages_of_a_document_owe_to_its_name_makes_no_ranking_flat() -> None:
    named = [replace(each, score=each.score + 5, parts=(("document", 5.0),)) for each in STEEP]
    assert round(asked(QUESTION, STEEP), 6) == round(asked(QUESTION, named), 6)


def test_words_that_a_thesaurus_brings_make_nothing_surer() -> None:
    said_otherwise = ranked(
        ["Each lighthouse bulb is replaced every nine days.", *RIVALS[1:]], [1.0, *[0.2] * 7]
    )
    said = ranked(["Each lighthouse lamp is changed every nine days.", *RIVALS[1:]], [1.0, *[0.2] * 7])
    assert asked(QUESTION, said) > asked(QUESTION, said_otherwise)


def test_without_a_quote_or_a_question_nothing_is_likely() -> None:
    assert (0.0, 0.0) == (confidence(QUESTION, STEEP, ()), asked("???", STEEP))


@given(st.lists(st.floats(0, 1e6), min_size=8, max_size=8), st.integers(0, 7))
def test_it_is_a_probability_whatever_the_scores(scores: list[float], place: int) -> None:
    assert 0.0 < asked(QUESTION, ranked([ANSWER, *RIVALS[1:]], scores), place) < 1.0
