"""The bench of sentences and their quotes, on five of our own."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bench.commands import main
from bench.sentences import Case, Checked, Finding, beside_quotes, cases, report, summary

OWN = Path(__file__).parents[2] / "bench" / "cases" / "sentences.jsonl"
CONTEXT = "The ferry leaves at seven. A ticket costs 12 crowns. Dogs travel free of charge on the lower deck."
COMMON = {
    "question": "",
    "document_name": "Ferry.md",
    "context": CONTEXT,
    "language": "en",
    "quote_language": "en",
}
ROWS: list[dict[str, Any]] = [
    {"sentence": "A ticket costs 12 crowns.", "quotes": ["A ticket costs 12 crowns."], "label": "supported"},
    {
        "sentence": "A ticket costs 15 crowns.",
        "quotes": ["A ticket costs 12 crowns."],
        "label": "contradicted",
    },
    {"sentence": "Bicycles need a permit.", "quotes": ["The ferry leaves at seven."], "label": "unsupported"},
    {
        "sentence": "Ein Fahrschein kostet 15 Kronen.",
        "quotes": ["A ticket costs 12 crowns."],
        "label": "contradicted",
        "language": "de",
        "context": f"{CONTEXT} Tea is sold on board.",
    },
    {
        "sentence": "Hunde fahren gratis mit, aber nur unten.",
        "quotes": ["Dogs travel free of charge on the lower deck."],
        "label": "supported",
        "language": "de",
    },
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "cases.jsonl"
    rows = [COMMON | {"id": f"c{at}", "kind": "number"} | row for at, row in enumerate(ROWS, 1)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_sentences_are_checked_beside_their_quotes_and_by_reflect(file: Path, tmp_path: Path) -> None:
    """In a process of its own: the SDK patches the process that imports it."""
    output = tmp_path / "report.json"
    command = [sys.executable, "-m", "bench", "sentences", "--data", str(file), "--json", str(output)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert 0 == ended.returncode, ended.stderr
    found = json.loads(output.read_text(encoding="utf-8"))
    by_quotes = [each["quotes handed over"] for each in found["details"]]
    by_reflect = [each["reflect"] for each in found["details"]]
    assert ["passed", "doubted", "unlinked"] == by_quotes[:3]
    assert ["passed", "doubted", "unlinked", "doubted", "unknown"] == by_reflect
    for way in found["ways"].values():
        assert {"same language", "across languages"} < way["all"].keys()
        assert (1.0, 2.0, 0.0) == tuple(
            way["all"]["same language"][name] for name in ("right", "wrong", "false_alarms")
        )
    assert "caught, same language" in ended.stdout


def test_sentences_as_a_mind_wrote_them_are_held_to_their_quotes() -> None:
    found = [beside_quotes(case) for case in cases(OWN)]
    assert {"own-085", "own-086"} == {each.case.id for each in found if each.case.right and each.flagged}
    assert 35 <= sum(each.flagged for each in found if not each.case.right)


def _checked(right: bool, finding: Finding, kind: str = "number", abroad: bool = False) -> Checked:
    return Checked(Case("c", "", "…", (), "", "", right, kind, "en", abroad, 0), finding)


def test_an_unknown_verdict_passes_a_right_sentence_and_catches_no_wrong_one() -> None:
    found = [
        _checked(True, "unknown"),
        _checked(True, "doubted"),
        _checked(False, "unknown"),
        _checked(False, "unlinked"),
    ]
    figures = summary(found)
    assert (50.0, 50.0, 50.0) == (figures["caught"], figures["false_alarms"], figures["balanced"])
    assert (25.0, 50.0) == (figures["unlinked"], figures["unknown"])


def test_across_languages_only_some_kinds_count_as_wrong() -> None:
    found = [
        _checked(False, "passed", "negation", abroad=True),
        _checked(False, "doubted", abroad=True),
        _checked(True, "passed", "translation", abroad=True),
    ]
    whole = report({"quotes": found})["ways"]["quotes"]["all"]
    assert (50.0, 100.0) == (whole["across languages"]["caught"], whole["across, kinds that count"]["caught"])


def test_cases_of_one_context_stay_in_one_fold(file: Path) -> None:
    assert [0, 0, 0, 1, 0] == [each.fold for each in cases(file)]


def test_a_file_that_is_not_there_is_wrong_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert 2 == main(["sentences", "--data", str(tmp_path / "none.jsonl")])
    assert "none.jsonl" in capsys.readouterr().err
