"""What the command line draws: lines that fit, in any script, with colour or without."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.language.printable import printable
from standalone.cli.markdown import drawn
from standalone.cli.printing import result_lines
from standalone.cli.screen import Screen, columns, fitted
from standalone.cli.timeline import timeline

RESULT = {
    "question": "How loud may the workshop be?",
    "status": "partial",
    "reason": "conflicting",
    "answer": "At night 35 dB. [1]\n\n> Between 22:00 and 06:00 not above 35 dB. [1]\n\n— Noise.txt",
    "citations": [
        {
            "marker": 1,
            "quote": "Between 22:00 and 06:00 not above 35 dB.",
            "match": "exact",
            "start": 10,
            "end": 50,
            "dataset_name": "rules",
            "document_name": "Noise.txt",
            "position": 4,
        },
        {
            "marker": 2,
            "quote": "The fence is the place of measurement.",
            "match": "elided",
            "start": 0,
            "end": 38,
            "dataset_name": "",
            "document_name": "Fence.txt",
            "position": 1,
        },
    ],
    "verdict": {
        "status": "unsettled",
        "grounding": 1.0,
        "completeness": 0.5,
        "consistency": 1.0,
        "specificity": 1.0,
    },
    "documents": [{"dataset_name": "rules"}, {"dataset_name": "rules"}],
    "searched": {"datasets": ["rules"], "documents": ["House.txt", "Roof.txt"], "unreached": []},
    "missing": ["the Roof Rules"],
    "degraded": ["the reranker failed"],
    "receipt": {
        "seconds": 1.24,
        "knowledge_calls": 5,
        "model_calls": 1,
        "rerank_calls": 1,
        "prompt_tokens": 1200,
        "completion_tokens": 34,
    },
}


def test_a_result_is_drawn_with_places_and_without_repeating_a_quote() -> None:
    lines = list(result_lines(RESULT, Screen(84)))
    assert lines[0] == "How loud may the workshop be?"
    assert lines[2].startswith("◐ answered in part · the documents contradict each other · 2 quotes")
    assert "│ Between 22:00 and 06:00 not above 35 dB. [1]" in lines
    assert "[1] Noise.txt · rules · segment 4, chars 10–50, exact" in lines
    assert "[2] Fence.txt · segment 1, chars 0–38, with an omission" in lines
    assert 1 == sum("not above 35 dB" in line for line in lines)
    assert "    │ The fence is the place of measurement." in lines
    assert "Missing   no document for: the Roof Rules" in lines
    assert "Note      the reranker failed" in lines
    assert "Searched  2 documents of rules" in lines
    assert "Receipt   1.2 s · 5 knowledge calls · 1 model call · 1 rerank call · 1,234 tokens" == lines[-1]
    assert 84 >= max(columns(line) for line in lines)


def test_colour_is_used_only_where_it_is_wanted() -> None:
    assert "\x1b[32" in "".join(drawn("> a quote", Screen(80, colour=True)))
    assert ["│ a quote"] == list(drawn("> a quote", Screen(80)))
    assert ["\x1b[1mbold\x1b[0m word"] == list(drawn("**bold** word", Screen(80, colour=True)))


def test_a_table_keeps_its_columns_apart() -> None:
    table = "| Document | Term |\n| --- | --- |\n| a.txt | five \\| six years |\n| b.txt | |"
    assert [
        "Document  Term",
        f"{'─' * 8}  {'─' * 30}",
        "a.txt     five | six years",
        "",
        "b.txt",
    ] == list(drawn(table, Screen(40)))


def test_a_list_hangs_under_its_mark() -> None:
    assert ["• one two", "  three", "2. four"] == list(drawn("- one two three\n2. four", Screen(10)))


def test_a_marker_stays_with_the_word_before_it() -> None:
    assert ["one two", "three [1][2]"] == fitted("one two three [1][2]", 14)


def test_chinese_lines_break_between_characters_but_not_before_a_full_stop() -> None:
    assert ["十天以上的", "由总经理审", "批。"] == fitted("十天以上的由总经理审批。", 10)


def test_an_opening_quotation_mark_does_not_end_a_line() -> None:
    assert ["購買規程の", "「検収」と"] == fitted("購買規程の「検収」と", 11)


@given(st.text(max_size=200), st.integers(12, 60))
def test_no_line_is_wider_than_the_screen_and_no_letter_is_lost(text: str, width: int) -> None:
    lines = fitted(text, width)
    assert all(columns(line) <= width for line in lines)
    assert "".join(printable(text).split()) == "".join("".join(lines).split())


@pytest.mark.parametrize(("began", "blanks"), [(0.0, 0), (0.5, 18)])
def test_a_bar_stands_where_its_step_began(began: float, blanks: int) -> None:
    receipt = {
        "seconds": 1.0,
        "steps": [
            {"name": "model.complete", "seconds": 0.25, "began": began, "facts": {"prompt": "boost@1"}}
        ],
    }
    head, bar = timeline(receipt, Screen(80))
    assert head.endswith("1.00 s")
    assert bar.startswith("model.complete (boost)")
    assert blanks == len(bar[34:]) - len(bar[34:].lstrip())
    assert 9 == bar.count("█")
    assert bar.endswith("250 ms")
