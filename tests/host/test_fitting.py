"""Messages fit the daemon, and hold nothing that JSON or UTF-8 cannot hold."""

import json
from typing import Any

from host.fitting import MOST_BYTES, fitted, readable, short, size


def test_lone_surrogates_are_replaced_and_lengths_kept() -> None:
    assert readable({"a\ud800": ["x\udfffy"]}) == {"a?": ["x?y"]}


def test_numbers_that_json_does_not_know_become_zero() -> None:
    values = (float("nan"), float("inf"), 1.5, 2, True, None)
    assert readable(values) == [0.0, 0.0, 1.5, 2, True, None]


def test_what_fits_is_left_alone() -> None:
    values = {"passages": [1, 2], "degraded": []}
    assert values == fitted(values)


def test_passages_leave_from_the_end_before_anything_else_and_it_is_said() -> None:
    values: dict[str, Any] = {
        "passages": [{"rank": rank, "text": "字" * 10_000} for rank in range(30)],
        "citations": [{"quote": "kept"}],
        "degraded": ["before"],
    }
    fit = fitted(values)
    kept = len(fit["passages"])
    assert size(fit) <= MOST_BYTES < size(values)
    assert fit["passages"] == values["passages"][:kept]
    assert kept >= 13
    assert fit["citations"] == values["citations"]
    said = f"{30 - kept} passages are left out, because one message must stay below 1 MB"
    assert fit["degraded"] == ["before", said]


def test_other_lists_follow_when_the_passages_do_not_suffice() -> None:
    values = {"passages": ["x" * 10], "documents": ["y" * 1_000] * 2_000}
    fit = fitted(values)
    assert fit["passages"] == []
    assert size(fit) <= MOST_BYTES


def test_a_long_text_is_cut_and_says_so() -> None:
    text = short("語" * 1_000_000)
    assert len(json.dumps(text)) <= MOST_BYTES
    assert text.endswith("The text was cut: one message must stay below 1 MB.")
    assert short("short") == "short"
