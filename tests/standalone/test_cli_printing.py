"""What the command line draws: the plugin's text, and below it where quotes stand and what the answer cost."""

import pytest
from rich.console import Console
from rich.markdown import Markdown

from standalone.cli.printing import lines, shown, timeline

TEXT = """At night 35 dB. [1]

> Between 22:00 and 06:00 not above 35 dB. [1]

**Sources**

[1] **Noise.txt**, rules, segment 4"""
RESULT = {
    "question": "How loud may the workshop be?",
    "citations": [{"marker": 1, "match": "exact", "start": 10, "end": 50}],
    "verdict": {
        "status": "settled",
        "grounding": 1.0,
        "completeness": 0.5,
        "consistency": 1.0,
        "specificity": 1.0,
    },
    "receipt": {
        "seconds": 1.24,
        "knowledge_calls": 5,
        "model_calls": 1,
        "prompt_tokens": 1200,
        "completion_tokens": 34,
    },
}


def test_an_answer_stands_between_its_question_and_its_cost() -> None:
    expected = f"""one document

How loud may the workshop be?
{"─" * 88}
At night 35 dB. [1]

▌ Between 22:00 and 06:00 not above 35 dB. [1]

Sources

[1] Noise.txt, rules, segment 4

Quotes   [1] characters 10–50, exact
Verdict  settled: grounding 1.00, completeness 0.50, consistency 1.00, specificity 1.00
Receipt  1.2 s · 5 knowledge calls · 1 model call · 1,234 tokens"""
    assert expected == "\n".join(lines(*shown(TEXT, RESULT, ["one document"])))


def test_no_line_is_wider_than_wanted_in_any_script() -> None:
    text = (
        "十天以上的采购由总经理审批。" * 10
        + "\n\n| a | b |\n| --- | --- |\n| "
        + "long words " * 20
        + "| x |"
    )
    measured = [Console().render_str(line).cell_len for line in lines(Markdown(text), width=50)]
    assert 50 >= max(measured)


@pytest.mark.parametrize(("began", "blanks"), [(0.0, 0), (0.5, 20)])
def test_a_bar_stands_where_its_step_began(began: float, blanks: int) -> None:
    step = {"name": "model.complete", "seconds": 0.25, "began": began, "facts": {"prompt": "boost@1"}}
    head, bar = lines(timeline({"seconds": 1.0, "steps": [step]}), width=72)
    assert head.endswith("1.00 s")
    name, drawn = bar[:24], bar[24:]
    assert "model.complete (boost)" == name.strip()
    assert blanks == len(drawn) - len(drawn.lstrip())
    assert 10 == drawn.count("█")
    assert drawn.endswith("250 ms")
