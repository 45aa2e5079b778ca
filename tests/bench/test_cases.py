"""The hand-made cases: they hold together, and what passes is what is meant to."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from bench.cases.command import passes
from bench.cases.data import KINDS, Case, kind, kinds
from bench.cases.filler import Section, handbook
from bench.metrics import Place

ANSWER, OTHER, WRONG = Place("a.md", 10, 30), Place("b.md", 0, 20), Place("a.md", 50, 70)


@pytest.mark.parametrize("name", KINDS)
def test_each_kind_has_twenty_cases_whose_answers_stand_in_its_documents(name: str) -> None:
    given = kind(name)
    assert 20 <= len(given.cases)
    assert len({case.question for case in given.cases}) == len(given.cases)
    for place in (place for case in given.cases for place in (*case.answers, *case.instead)):
        assert place.end <= len(given.documents[place.file])
    assert all(case.answers for case in given.cases) is (name != "missing")


def test_lengthy_questions_are_longer_than_a_server_takes() -> None:
    assert 250 < min(len(case.question) for case in kind("lengthy").cases)


def test_long_documents_are_long_and_the_same_each_time() -> None:
    first, again = kind("long").documents, kind("long").documents
    assert first == again
    assert 50_000 < min(map(len, first.values()))


def test_a_hand_written_section_stands_behind_its_chapter() -> None:
    text = handbook("Manual", "en", 3, [Section(2, "Keys", "There are three keys.")])
    assert text.index("## 2. ") < text.index("### Keys\n\nThere are three keys.") < text.index("## 3. ")


def test_lines_of_a_paragraph_are_joined_as_their_script_wants() -> None:
    documents = kind("deadlines").documents
    assert "An applicant whose budget exceeds" in documents["Grant Programme Guidelines.md"]
    assert "中标通知书发出之日起三十日内" in documents["招标公告.md"]
    assert "二等座。\n第四条" in kind("versions").documents["差旅管理办法（2022年版）.md"]


@pytest.mark.parametrize(
    ("quotes", "passed"),
    [
        ((ANSWER,), True),
        ((Place("a.md", 20, 45),), True),  # half of it
        ((Place("a.md", 21, 45),), False),
        ((WRONG, ANSWER), False),
        ((ANSWER, WRONG), True),
        ((Place("a.md", 0, 80),), True),  # both in one quote: the right words are there
        ((OTHER, ANSWER), True),  # beside the point, but not wrong
        ((), False),
    ],
)
def test_a_case_passes_whose_answer_is_quoted_before_what_is_wrong(
    quotes: tuple[Place, ...], passed: bool
) -> None:
    assert passed is passes(Case("?", (ANSWER,), (WRONG,)), quotes)


def test_an_answer_of_two_parts_needs_both() -> None:
    case = Case("?", (ANSWER, OTHER), ())
    assert (False, True) == (passes(case, (ANSWER,)), passes(case, (ANSWER, OTHER)))


def test_rates_are_reported_by_kind_and_ablation(tmp_path: Path) -> None:
    """In a process of its own: the SDK patches the process that imports it."""
    file = tmp_path / "report.json"
    options = ["--kinds", "missing", "--ablate", "no names of documents", "--failed", "--json", str(file)]
    command = [sys.executable, "-m", "bench", "cases", *options]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert 0 == ended.returncode, ended.stderr
    found = json.loads(file.read_text(encoding="utf-8"))
    assert ["all rules", "no names of documents"] == list(found["rates"])
    assert 22 == found["rates"]["all rules"]["missing"]["cases"]
    assert 50.0 < found["rates"]["all rules"]["missing"]["passed"]
    failed = sum(not each["passed"] for each in found["details"]["missing"])
    assert failed == ended.stdout.count("missing: ")


def test_all_kinds_are_read_where_none_is_chosen() -> None:
    assert KINDS == tuple(each.name for each in kinds())
