"""Sentence bounds in any script; nothing of a text is lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.language.headings import is_heading
from evidence.language.sentences import analysed, clauses, sentences
from evidence.model import Span


def split(text: str) -> list[str]:
    return [text[span.start : span.end] for span in sentences(text)]


@pytest.mark.parametrize(
    "expected",
    [
        ["The fee is due.", "It is $1.50!", "Is it late?", "Yes."],
        ["Notify us, e.g. by post, under Sec. 3.2 or No. 5.", "Then wait."],
        ["1. . SECRET INFORMATION.", "The recipient keeps it."],
        ["2.1 Term.", "This runs on."],
        ["J. Smith signs Exhibit A.", "The end."],
        ["Acme Inc. v. Beta Ltd. was decided at 5 p.m. on Jan. 5, 2024.", "U.S. law applies."],
        ["Acme Inc.", "The buyer pays."],
        ["The answer is no.", "The rest is yes."],
        ['He said "Stop."', "(They stopped.)", "She left..."],
        ["甲方应保密。", "乙方说：“好的。”", "然后离开！", "期限为3.5年。"],
        ["「はい。」と述べた。", "次の文。"],
        ["هل هذا صحيح؟", "نعم.", "انتهى."],
        ["यह है।", "वह है।"],
    ],
)
def test_sentences_end_where_a_reader_would_end_them(expected: list[str]) -> None:
    assert expected == split("".join(expected) if expected[0][-1] in "。」" else " ".join(expected))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "SALE OF GOODS\nBetween\nAND\nThe parties agree.",
            ["SALE OF GOODS", "Between", "AND", "The parties agree."],
        ),
        ("It includes:\n- one\n- two\n(a) three", ["It includes:", "- one", "- two", "(a) three"]),
        ("The parties may\ndisclose it.", ["The parties may\ndisclose it."]),
        ("The first paragraph\n\nthe second", ["The first paragraph", "the second"]),
        ("第一条 目的\n第二条 期限\n一、甲方", ["第一条 目的", "第二条 期限", "一、甲方"]),
        ("(the “Purpose”). . The parties go on.", ["(the “Purpose”). .", "The parties go on."]),
        ("# Heading\ntext", ["# Heading", "text"]),
        ("  \n\t", []),
        ("", []),
    ],
)
def test_lines_are_units_unless_they_were_only_wrapped(text: str, expected: list[str]) -> None:
    assert expected == split(text)


def test_a_long_sentence_is_cut_at_semicolons_and_letters() -> None:
    text = "It shall: (a) keep it; (b) not sell it; and (c) return it，(一) 否则；(二) 赔偿"
    expected = [
        "It shall:",
        "(a) keep it;",
        "(b) not sell it; and",
        "(c) return it，",
        "(一) 否则；",
        "(二) 赔偿",
    ]
    assert expected == [text[span.start : span.end] for span in clauses(text, Span(0, len(text)))]


PIECES = st.sampled_from(
    ["A b. ", "No. 5 ", "。", "「", "」", "\n", "\n\n", "1. ", ". . ", "؟ ", "x; (a) ", "… ", '."', "e.g. "]
)


@given(st.one_of(st.text(max_size=100), st.lists(PIECES, max_size=30).map("".join)))
def test_every_character_belongs_to_one_trimmed_sentence(text: str) -> None:
    spans = sentences(text)
    inner = tuple(part for span in spans for part in clauses(text, span))
    for parts in (spans, inner):
        covered = [place for span in parts for place in range(span.start, span.end)]
        assert sorted(set(covered)) == covered
        assert [] == [place for place in set(range(len(text))) - set(covered) if not text[place].isspace()]
        assert all(text[span.start : span.end] == text[span.start : span.end].strip() for span in parts)


@pytest.mark.parametrize(
    "title",
    [
        "# Supply Agreement",
        "## 9. Limitation of Liability",
        "3. DUTIES OF THE RECIPIENT",
        "Term and Termination",
        "第三条 租金及支付方式",
        "### 第7条（相見積）",
    ],
)
def test_a_title_is_a_heading(title: str) -> None:
    assert (True, 1) == (is_heading(title), len(sentences(title)))


@pytest.mark.parametrize(
    "text",
    [
        "The rent is nine coins.",
        "**Date:** Wednesday 12 February",
        "- New York, Tokyo and Zurich",
        "| Product | Range |",
        "3.1 Employees use the north gate.",
        "员工应在人事系统中提交休假申请：",
        "合同有效期为三年。",
    ],
)
def test_what_says_something_is_no_heading(text: str) -> None:
    assert not is_heading(text)


def test_a_sentence_comes_with_its_terms_and_says_whether_it_is_a_heading() -> None:
    title, body = analysed("# Notice periods\n\nNotice is given in writing.")
    assert (True, {"notic", "period"}) == (title.is_heading, title.terms)
    assert (False, {"notic", "is", "give", "in", "write"}) == (body.is_heading, body.terms)
