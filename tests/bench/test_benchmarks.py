"""The benchmarks over three documents, through the plugin process."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bench.ablations import ABLATIONS
from bench.commands import main, whole
from bench.data import Data, NoData, spread
from bench.expected import Condition, Figure, compared, conditions, measured
from bench.latency import EFFORTS
from bench.metrics import Place
from evidence.settings import Settings

LOANS = "A reader may borrow five books at once. Books are lent for twenty-eight days."
FINES = "A late book costs ten pence a day. The fine never exceeds four pounds."
ROOMS = "The reading room is open from nine to six. Food is not allowed in the reading room."
FILES = {"LoanRules.txt": LOANS, "FineRules.txt": FINES, "RoomRules.txt": ROOMS}


def _gold(file: str, words: str) -> dict[str, Any]:
    start = FILES[file].index(words)
    return {"file": file, "start": start, "end": start + len(words)}


QUERIES = [
    {
        "id": "q1",
        "query": "For how many days are books lent?",
        "gold": [_gold("LoanRules.txt", "Books are lent for twenty-eight days.")],
    },
    {
        "id": "q2",
        "query": "What does a late book cost a day?",
        "gold": [_gold("FineRules.txt", "A late book costs ten pence a day.")],
    },
]
COMPARISON = [
    {
        "id": "c1",
        "query": "Compare the Loan Rules and the Room Rules: what is allowed?",
        "files": ["LoanRules.txt", "RoomRules.txt"],
        "gold": [_gold("RoomRules.txt", "Food is not allowed in the reading room.")],
    }
]
UNANSWERABLE = [{"id": "u1", "query": "Which rocket fuel do the astronauts use?", "file": None}]


@pytest.fixture
def library(tmp_path: Path) -> Path:
    folder = tmp_path / "library"
    (folder / "corpus").mkdir(parents=True)
    for name, text in FILES.items():
        (folder / "corpus" / name).write_text(text, encoding="utf-8")
    for part, rows in (
        ("queries", QUERIES),
        ("comparison", COMPARISON),
        ("unanswerable", UNANSWERABLE),
    ):
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / f"{part}.jsonl").write_text(lines, encoding="utf-8")
    return folder


def _report(tmp_path: Path, *arguments: str) -> dict[str, Any]:
    file = tmp_path / "report.json"
    assert 0 == main([*arguments, "--json", str(file)])
    report: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return report


def test_retrieval_finds_the_two_answers(
    library: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = _report(tmp_path, "retrieval", "--data", str(library))
    assert (2, 0) == (report["questions"], report["failed"])
    assert 100.0 == report["recall"]["8"]
    # One segment a document: half of each is gold.
    assert pytest.approx(100 * (37 / 77 + 34 / 70) / 2, abs=0.01) == report["precision"]["1"]
    assert {"1": 100.0, "5": 100.0, "10": 100.0} == report["document_hit"]
    assert 2 >= report["knowledge_calls"]["most"]
    assert 10 >= report["rereads"]["most"]
    assert 0 < report["megabytes"] <= 200
    assert "2 questions of library" in capsys.readouterr().out


def test_a_cold_question_pays_for_its_own_reading(library: Path, tmp_path: Path) -> None:
    report = _report(tmp_path, "retrieval", "--data", str(library), "--cold", "1")
    assert (1, True, 0) == (report["questions"], report["cold"], report["warm_up_calls"])
    assert 2 < report["knowledge_calls"]["most"] <= 14


def test_quotes_are_verbatim_and_both_documents_are_quoted(library: Path, tmp_path: Path) -> None:
    report = _report(tmp_path, "citations", "--data", str(library))
    assert {"queries": 2, "unanswerable": 1, "comparison": 1} == report["questions"]
    assert (100.0, 0) == (report["verbatim"], report["unverified"])
    assert report["quotes"] >= 3
    assert 100.0 == report["held_back"]["unanswerable"]
    assert report["recall"] >= 50.0


def test_a_model_that_invents_gets_no_quote_through_and_no_answer_counts(
    library: Path, tmp_path: Path
) -> None:
    report = _report(tmp_path, "citations", "--data", str(library), "--model", "hallucinating")
    assert (100.0, 0) == (
        report["verbatim"],
        report["unverified"],
    )  # what is shown are the documents' own words
    assert 100.0 == report["held_back"]["queries"]
    assert report["model_calls"] >= 1.0


def test_latency_counts_what_a_question_spends(library: Path, tmp_path: Path) -> None:
    options = ("--knowledge-ms", "0", "--model-ms", "0", "--at-once", "2", "--limit", "1")
    report = _report(tmp_path, "latency", "--data", str(library), *options, "--efforts", "balanced")
    cold, warm, loaded = report["cases"]
    assert [(True, 1), (False, 1), (False, 2)] == [
        (each["cold"], each["at_once"]) for each in report["cases"]
    ]
    assert 1.0 <= warm["model_calls"] <= 3.0
    assert 0 < cold["prompt_tokens"] <= 8_000
    assert cold["knowledge_calls"] > warm["knowledge_calls"]
    assert cold["rereads"] == 0 < warm["rereads"]
    assert (
        loaded["knowledge_calls"] <= cold["knowledge_calls"] / 2
    )  # what is read behind an answer counts too
    assert [0, 0, 0] == [each["failed"] for each in report["cases"]]


def test_features_are_switched_off_in_a_process_of_their_own(library: Path) -> None:
    """Not in ours: the SDK patches the process that imports it."""
    ablation = next(iter(ABLATIONS))
    command = [sys.executable, "-m", "bench", "retrieval", "--data", str(library), "--ablate", ablation]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (0, "") == (ended.returncode, ended.stderr)
    assert [ablation] == [
        line[: len(ablation)] for line in ended.stdout.splitlines() if line.startswith(ablation)
    ]


@pytest.mark.parametrize("name", ABLATIONS)
def test_every_ablation_changes_the_settings_of_every_effort(name: str) -> None:
    for effort in EFFORTS:
        settings = Settings.of(effort)
        assert settings != ABLATIONS[name](settings)


def test_data_that_is_not_there_is_wrong_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert 2 == main(["retrieval", "--data", str(tmp_path)])
    assert "queries.jsonl" in capsys.readouterr().err


def test_a_field_that_the_questions_lack_is_said(library: Path) -> None:
    with pytest.raises(NoData, match="no field query_inline"):
        Data(library).questions(field="query_inline")


def test_a_limit_spreads_the_questions_evenly() -> None:
    assert (0, 3, 6) == spread(range(10), 3)
    assert (0, 1, 2) == spread(range(3), 7)


def test_our_own_questions_know_where_their_evidence_stands() -> None:
    asked = Data().questions()
    assert 30 <= len(asked)
    assert all(each.gold for each in asked)
    assert {8} == {len(Data().questions("unanswerable"))}
    assert all(isinstance(place, Place) and place.start < place.end for each in asked for place in each.gold)


def test_figures_are_compared_within_their_tolerance() -> None:
    report = {"recall": {8: 87.4}, "cases": [{"seconds": 2.0}]}
    figures = (Figure("recall.8", 87.0, 0.5), Figure("cases.0.seconds", 1.0, 0.5))
    assert [True, False] == [each.held for each in compared(Condition("x", "retrieval", figures), report)]
    assert 2.0 == measured(report, "cases.0.seconds")


def test_check_holds_what_was_written_down(
    library: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "expected.yaml"
    file.write_text(
        "# kept\n- condition: library\n  command: retrieval --data {data}/library --in-process\n"
        "  expected: {recall.8: 3, failed: {figure: 0, tolerance: 0}}\n",
        encoding="utf-8",
    )
    asked = ["check", "--data", str(library.parent), "--file", str(file)]
    assert 1 == main(asked)
    assert "recall.8 100, expected 3" in capsys.readouterr().out
    assert 0 == main([*asked, "--write"])
    assert file.read_text(encoding="utf-8").startswith("# kept\n")
    assert 0 == main(asked)


def test_the_conditions_that_ship_can_be_read() -> None:
    assert {"retrieval", "citations"} == {each.command.split()[0] for each in conditions()}
    assert all(each.figures for each in conditions())


def test_all_runs_what_there_is_data_for(library: Path) -> None:
    """A data directory, or the folder of several with the sets of other commands beside them."""
    own, data = str(library), library.parent
    mine = [
        ["retrieval", "--data", own],
        ["citations", "--data", own],
        ["latency", "--data", own, "--timeline"],
    ]
    assert [*mine, ["cases"]] == list(whole(library))
    assert [["retrieval"], ["citations"], ["latency", "--timeline"], ["cases"]] == list(whole(None))
    (data / "natural").mkdir()
    (data / "sentences").mkdir()
    (data / "sentences" / "dev.jsonl").touch()
    beside = [
        ["natural", "--data", str(data / "natural")],
        ["sentences", "--data", str(data / "sentences" / "dev.jsonl")],
    ]
    assert [*mine, ["cases"], *beside] == list(whole(data))
