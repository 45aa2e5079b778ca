"""Titles of sections, in the ways that people write them; sentences are none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.language.headings import heading, heading_paths, headings


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("## 9. Limitation of Liability", "Limitation of Liability"),
        ("9. Limitation of Liability", "Limitation of Liability"),
        ("9.2 Term and Termination", "Term and Termination"),
        ("Article 5 Fees and Payment", "Fees and Payment"),
        ("§ 4 Payment", "Payment"),
        ("IV. GOVERNING LAW", "GOVERNING LAW"),
        ("GOVERNING LAW", "GOVERNING LAW"),
        ("Term and Termination", "Term and Termination"),
        ("**Notices**", "Notices"),
        ("第三条 租金及支付方式", "租金及支付方式"),
        ("三、租金", "租金"),
        ("第5条（承認権限）", "承認権限"),
    ],
)
def test_a_heading_is_told_without_its_number(line: str, title: str) -> None:
    assert title == heading(line)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "The rent is ten coins a month.",
        "9.1 The total liability of each party is limited to ten coins.",
        "8.1 All Confidential Information remains the property of the Discloser.",
        "and the Buyer",
        "Name:",
        "- London: GBP 175",
        "12",
        "本合同适用中华人民共和国法律。",
        "A" * 200,
    ],
)
def test_a_sentence_or_a_blank_to_fill_is_no_heading(line: str) -> None:
    assert "" == heading(line)


def test_headings_stand_where_their_lines_begin() -> None:
    text = "of the above.\n\n## 2. Fees\n\nTen coins.\n3. Notice. Notice is given in writing."
    assert [(text.index("## 2"), "Fees"), (text.index("3. N"), "Notice")] == list(headings(text))


@given(st.text(max_size=300))
def test_any_text_is_taken_and_places_are_inside_it(text: str) -> None:
    assert all(0 <= at < len(text) and title for at, title in headings(text))


def test_a_text_stands_under_the_headings_before_it_and_no_longer_under_those_that_another_one_ends() -> None:
    texts = ["# Manual\nWelcome.\n## Install\nRun it.", "More of it.\n## Remove\n### By hand", "Delete it."]
    expected = [(), ("Manual", "Install"), ("Manual", "Remove", "By hand")]
    assert expected == list(heading_paths(texts))
