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


def cited(marker: int, quote: str) -> dict[str, Any]:
    return {"marker": marker, "quote": quote, "start": 7, "end": 7 + len(quote)}


def test_an_answer_that_is_too_long_is_cut_before_any_citation_is_dropped() -> None:
    answer = f"Proven. [1]\n\n{'word ' * 200_000}\n\nLate. [2]"
    values = {"answer": answer, "citations": [cited(1, "a"), cited(2, "b")], "claims": [1], "degraded": []}
    fit = fitted(values)
    assert size(fit) <= MOST_BYTES < size(values)
    assert "Proven. [1]\n\n[…] The text was cut: one message must stay below 1 MB." == fit["answer"]
    assert (values["citations"], values["claims"]) == (fit["citations"], fit["claims"])
    assert ["the answer is cut, because one message must stay below 1 MB"] == fit["degraded"]
    assert size(fitted({"answer": answer})) <= MOST_BYTES


def test_a_quote_that_is_too_long_ends_with_a_sentence_and_its_span_with_it() -> None:
    sentence = "The lessee repairs the roof every year. "
    quote = sentence * 30_000
    fit = fitted({"answer": "Yes. [1]", "citations": [cited(1, quote)], "claims": [1]})
    shown = fit["citations"][0]
    assert quote.startswith(shown["quote"])
    assert 2_000 - len(sentence) <= len(shown["quote"]) <= 2_000
    assert shown["quote"].endswith("every year.")
    assert (7, 7 + len(shown["quote"])) == (shown["start"], shown["end"])
    assert [1] == fit["claims"]


def test_a_quote_without_a_sentence_bound_is_cut_where_it_is_too_long() -> None:
    fit = fitted({"citations": [cited(1, "x" * 1_000_000)]})
    assert [cited(1, "x" * 2_000)] == fit["citations"]


def test_the_answer_ends_before_a_marker_whose_citation_found_no_room() -> None:
    numbers = range(1, 201)
    answer = "\n\n".join(f"Point {number}. [{number}]" for number in numbers)
    fit = fitted({"answer": answer, "citations": [cited(n, "字" * 2_000) for n in numbers], "degraded": []})
    held = len(fit["citations"])
    assert size(fit) <= MOST_BYTES
    assert 60 <= held < 200
    assert f"Point {held}. [{held}]\n\n[…] The text was cut" in fit["answer"]
    assert f"[{held + 1}]" not in fit["answer"]


def test_evaluated_questions_leave_from_the_end_and_it_is_said() -> None:
    rows = [{"question": "字" * 2_000} for _ in range(200)]
    fit = fitted({"report": {"questions": 200}, "questions": rows, "degraded": []})
    assert size(fit) <= MOST_BYTES
    assert {"questions": 200} == fit["report"]
    assert [
        f"{200 - len(fit['questions'])} questions are left out, because one message must stay below 1 MB"
    ] == fit["degraded"]
