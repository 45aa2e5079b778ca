"""Which terms of a question carry what is asked."""

from hypothesis import given
from hypothesis import strategies as st

from evidence.language.function_words import SCAFFOLD, STOP, content_terms, content_words
from evidence.language.terms import terms


def test_framing_words_are_left_out() -> None:
    assert content_terms("Does the document state that the deposit is refundable?") == ["deposit", "refund"]


def test_chinese_framing_leaves_no_pairs_across_the_cut() -> None:
    assert content_terms("请问保密期限是多久？") == ["保", "密", "期", "限", "保密", "密期", "期限"]


def test_japanese_particles_part_words() -> None:
    assert content_words("秘密保持義務の期間はどのくらいですか？") == ["秘密保持義務", "期間"]


def test_a_function_character_inside_a_word_stays() -> None:
    assert "目的" in content_terms("本协议的目的是什么？")


def test_a_question_of_framing_words_alone_keeps_them() -> None:
    assert content_terms("What is the policy?") == ["polici"]
    assert content_terms("What is it?") == ["what", "is", "it"]


def test_scaffold_holds_every_function_word() -> None:
    assert STOP < SCAFFOLD
    assert {"the", "的", "の", "是否"} <= STOP
    assert {"contract", "state", "规定", "規定"} <= SCAFFOLD - STOP


@given(st.text(max_size=200))
def test_content_is_empty_only_without_terms(text: str) -> None:
    assert bool(content_terms(text)) or not terms(text)
