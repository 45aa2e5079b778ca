from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.knowledge.dify.truncate_query import fit_query

NAMES = st.lists(
    st.from_regex(r"Q[a-z]{2,8}", fullmatch=True) | st.from_regex(r"[1-9][0-9]{0,4}", fullmatch=True),
    min_size=1,
    max_size=12,
    unique_by=str.casefold,
)
FILLER = st.lists(
    st.sampled_from(["the", "please", "agreement", "confidential", "whether", "copies", "of", "obligation"]),
    min_size=40,
    max_size=120,
)


@given(st.text(max_size=2000), st.integers(min_value=1, max_value=300))
def test_a_fitted_query_never_exceeds_the_limit(text: str, limit: int) -> None:
    assert len(fit_query(text, limit)) <= limit


@given(st.text(max_size=250))
def test_a_short_query_is_left_alone(text: str) -> None:
    assert text == fit_query(text)


@given(NAMES, FILLER, st.randoms(use_true_random=False))
def test_every_name_and_number_is_kept_when_they_fit_by_themselves(
    names: list[str], filler: list[str], random: Random
) -> None:
    words = [*names, *filler]
    random.shuffle(words)
    kept = fit_query(" ".join(words)).split()
    assert [] == [name for name in names if name not in kept and name.casefold() not in filler]


@given(NAMES, FILLER)
def test_what_is_kept_stays_in_order(names: list[str], filler: list[str]) -> None:
    words = [*filler, *names, *filler]
    kept = iter(words)
    assert [] == [word for word in fit_query(" ".join(words)).split() if word not in kept]


@given(st.text(alphabet="保密协议接收方期限请问是什么的吗ABC ，。「」", min_size=300, max_size=900))
def test_a_long_chinese_query_fills_most_of_the_limit(text: str) -> None:
    fitted = fit_query(text, 60)
    assert len(fitted) <= 60
    assert set(fitted) <= set(text) | {" "}
    if len(set(text)) > 15:
        assert len(fitted) >= 20


def test_blanks_are_dropped_before_words() -> None:
    assert " ".join(["word"] * 50) == fit_query("    ".join(["word"] * 50))


def test_the_scaffolding_of_a_question_goes_first() -> None:
    question = (
        "Please consider the Supply Agreement between Alder Instruments and Birch Foundry of 3 May 2021 "
        "and tell me whether it says anything about liability caps"
    )
    expected = "Supply Agreement Alder Instruments Birch Foundry 3 May 2021 liability caps"
    assert expected == fit_query(question, len(expected))


def test_quoted_words_outlive_common_words() -> None:
    question = (
        "what happens with the remaining considerations under “change of control” " + "considerations " * 30
    )
    assert "change" in fit_query(question, 40)
    assert "control" in fit_query(question, 40)


def test_chinese_scaffolding_goes_before_chinese_content() -> None:
    question = "请问根据北京蓝天科技公司保密协议的规定，接收方的保密义务期限是多久？"
    fitted = fit_query(question, 28)
    assert "保密义务期限" in fitted
    assert "请问" not in fitted


def test_particles_inside_words_are_no_scaffolding() -> None:
    question = "このものの目的はなんですか。契約終了後の秘密保持義務の期間と損害賠償の上限を教えてください。"
    fitted = fit_query(question, 40)
    assert "契約終了後" in fitted
    assert "教えて" not in fitted


@pytest.mark.parametrize("letter", ["x", "X", "漢", "7", "“", "!"])
def test_a_single_endless_word_is_cut(letter: str) -> None:
    assert 1 <= len(fit_query(letter * 20_000)) <= 250


def test_an_endless_word_does_not_push_out_the_names() -> None:
    assert "Birch" in fit_query("x" * 20_000 + " Birch " + "y" * 20_000)
