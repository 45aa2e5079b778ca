"""The command `evaluate`: a report that goes on where it was interrupted, and that escapes whatever it is told."""

import json
from pathlib import Path

import pytest

from standalone.cli.commands import main
from standalone.report import page

ROOT = Path(__file__).resolve().parents[2]
QUESTIONS = (
    "question,document,words\n"
    "How quickly do I have to report a stolen laptop?,InformationSecurityPolicy-v4.md,within 2 hours\n"
    "What is <b>the</b> hotel limit in Tokyo?,no answer,\n"
)


def test_an_evaluation_goes_on_where_it_was_interrupted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    questions, out = tmp_path / "questions.csv", tmp_path / "out"
    questions.write_text(QUESTIONS, encoding="utf-8")
    arguments = ["evaluate", str(questions), "--out", str(out), "--effort", "extractive"]
    assert 3 == main(arguments)
    assert "1 of 2 questions right" in capsys.readouterr().out
    first, _ = (out / "results.jsonl").read_text(encoding="utf-8").splitlines()
    kept = json.loads(first) | {"seconds": 77.0}
    (out / "results.jsonl").write_text(f'{json.dumps(kept)}\n{{"key": "cut o', encoding="utf-8")
    assert 3 == main(arguments)
    report = json.loads((out / "report.json").read_text(encoding="utf-8"))
    assert [True, False] == [row["right"] for row in report["questions"]]
    assert 77.0 == report["questions"][0]["seconds"]
    html = (out / "report.html").read_text(encoding="utf-8")
    assert "&lt;b&gt;the&lt;/b&gt;" in html
    assert "<b>the</b>" not in html
    assert "<script" not in html
    assert "http" not in html.replace("http-equiv", "")


def test_drafted_questions_are_marked_and_never_written_over_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "drafted.jsonl"
    assert 0 == main(["evaluate", str(file), "--suggest", "4"])
    drafted = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert [True] * 4 == [draft["drafted"] for draft in drafted]
    assert "nobody has checked" in capsys.readouterr().out
    assert 2 == main(["evaluate", str(file), "--suggest", "4"])


@pytest.mark.parametrize(
    ("text", "said"), [("question,words\n,x", "has no question"), ("", "holds no question")]
)
def test_a_file_that_cannot_be_read_is_told_by_its_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, said: str
) -> None:
    file = tmp_path / "q.csv"
    file.write_text(text, encoding="utf-8")
    assert 2 == main(["evaluate", str(file)])
    assert said in (told := capsys.readouterr().err)
    assert "q.csv" in told
    assert 2 == main(["evaluate", str(tmp_path / "nowhere.csv")])


def test_the_report_of_the_sample_documents_is_the_page_of_its_figures() -> None:
    report = json.loads((ROOT / "docs" / "evaluation.json").read_text(encoding="utf-8"))
    assert page(report) == (ROOT / "docs" / "evaluation.html").read_text(encoding="utf-8")
    asked = (ROOT / "standalone" / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(asked) == report["report"]["questions"]
