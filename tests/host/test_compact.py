"""The JSON that a model reads is bounded, and says how much of what did not fit."""

from typing import Any

import pytest

from host.fitting import size
from host.view.compact import MOST_BRIEF, MOST_COMPACT, brief, compacted


def values(citations: int = 2, answer: str = "Thirty days. [1]", name: str = "Lease.txt", **more: Any) -> Any:
    cited = [
        {"marker": at, "document_name": name, "segment_id": f"s{at}", "quote": "Thirty days." * 50}
        for at in range(1, citations + 1)
    ]
    return {
        "schema": "1",
        "question": "How long is the notice?",
        "status": "answered",
        "answer": answer,
        "citations": cited,
        "claims": [{"text": "Thirty days."}],
        "documents": [{"rank": 1, "document_id": "d1", "document_name": name, "why": ["name"]}],
        "verdict": {"status": "settled", "grounding": 1.0},
        "degraded": [],
        "receipt": {"seconds": 1.0, "limits": {}, "steps": [{}]},
    } | more


def test_compact_holds_the_answer_and_the_ids_behind_its_markers() -> None:
    assert compacted(values(1)) == {
        "schema": "1",
        "question": "How long is the notice?",
        "status": "answered",
        "answer": "Thirty days. [1]",
        "citations": [{"marker": 1, "document_name": "Lease.txt", "segment_id": "s1"}],
        "verdict": {"status": "settled"},
        "degraded": [],
        "receipt": {"seconds": 1.0},
    }


def test_where_there_is_no_answer_compact_holds_what_was_listed() -> None:
    documents = [{"rank": 1, "document_id": "d1", "document_name": "Lease.txt"}]
    assert documents == compacted(values(0, ""))["documents"]
    assert "documents" not in brief(values(0, ""))


@pytest.mark.parametrize(
    "given",
    [
        values(2_000),
        values(2_000, "Word. " * 20_000),
        values(50, "三十日。" * 20_000, "租约.txt" * 50),
        values(0, question="?" * 40_000),
        values(0, degraded=["left out"] * 5_000, missing=["x"] * 5_000),
        values(0, "", documents=[{"document_id": "d", "document_name": "n" * 300}] * 500),
    ],
)
def test_compact_and_brief_keep_their_bounds_and_count_what_is_left_out(given: Any) -> None:
    for short, most in ((compacted(given), MOST_COMPACT), (brief(given), MOST_BRIEF)):
        assert size(short) <= most
        for name in ("citations", "degraded", "missing", "documents"):
            if name in short:
                assert len(given[name]) == len(short[name]) + short.get("left_out", {}).get(name, 0)
        for name in ("question", "answer"):
            if name in short.get("left_out", {}):
                assert len(given[name]) == len(short[name]) - 1 + short["left_out"][name]


def test_what_fits_is_whole_and_says_nothing_of_it() -> None:
    assert "left_out" not in compacted(values())
    assert "left_out" not in brief(values())
