"""The bench of natural questions: its scoring by hand, and two tiny bases through the product."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bench.commands import main
from bench.metrics import Place
from bench.natural.data import Asked
from bench.natural.scoring import Result, judged, summary

TEXT = "The kiln is lit at six. It is left to cool for nine hours. Glazes are mixed on Mondays only."
TEXTS = {"pots_en/kiln.md": TEXT, "pots_en/far.md": "." * 1000 + "nine hours"}


def _place(words: str, file: str = "pots_en/kiln.md") -> Place:
    start = TEXTS[file].index(words)
    return Place(file, start, start + len(words))


COOLING = _place("It is left to cool for nine hours.")
GLAZES = _place("Glazes are mixed on Mondays only.")
ASKED = Asked("q", "How long does the kiln rest?", "number", (), ((COOLING,),), ("nine  HOURS",))
ABSENT = Asked("u", "Who invented the wheel?", "off_topic")


def _figures(result: Result, asked: Asked = ASKED) -> dict[str, float]:
    return dict(judged(asked, result, TEXTS).figures)


def test_a_passage_hits_that_covers_half_of_an_alternative() -> None:
    half = Place(COOLING.file, COOLING.start, COOLING.start + 17)
    less = Place(COOLING.file, COOLING.start, COOLING.start + 16)
    assert {"hit@1": 1.0, "cov@1": 0.5} == _picked(_figures(Result("q", (half,))), "hit@1", "cov@1")
    assert {"hit@1": 0.0, "hit@4": 0.0} == _picked(_figures(Result("q", (less, GLAZES))), "hit@1", "hit@4")
    assert {"hit@4": 1.0} == _picked(_figures(Result("q", (GLAZES, COOLING))), "hit@4")


def _picked(figures: dict[str, float], *names: str) -> dict[str, float]:
    return {name: figures[name] for name in names}


def test_the_best_alternative_counts() -> None:
    asked = Asked("q", "…", "number", (), ((COOLING, GLAZES), (GLAZES,)), ("Mondays",))
    assert 1.0 == _figures(Result("q", (GLAZES,)), asked)["cov@1"]


def test_documents_are_ranked_by_their_list_and_else_by_their_passages() -> None:
    assert 1.0 == _figures(Result("q", (COOLING,)))["doc@1"]
    assert 0.0 == _figures(Result("q", (COOLING,), ("pots_en/far.md",)))["doc@1"]


def test_an_answer_counts_near_the_gold_only() -> None:
    near = _figures(Result("q", quotes=(COOLING,), status="answered"))
    far = _figures(Result("q", quotes=(_place("nine hours", "pots_en/far.md"),), status="answered"))
    assert (1.0, 1.0, 1.0) == (near["answer"], near["answer_near"], near["precision"])
    assert (1.0, 0.0, 0.0) == (far["answer"], far["answer_near"], far["precision"])


def test_an_answer_of_parts_counts_where_every_part_is_touched() -> None:
    asked = Asked("q", "…", "multi_part", (), ((COOLING, GLAZES),), ("nine hours",))
    assert 0.0 == _figures(Result("q", quotes=(COOLING,), status="answered"), asked)["answer_near"]
    assert 1.0 == _figures(Result("q", quotes=(COOLING, GLAZES), status="answered"), asked)["answer_near"]


def test_statuses_are_held_against_what_was_quoted() -> None:
    rows = [
        judged(ASKED, Result("q", quotes=(COOLING,), status="answered", verdict_status="settled"), TEXTS),
        judged(ASKED, Result("q", status="not_found"), TEXTS),
        judged(ABSENT, Result("u", quotes=(GLAZES,), status="answered", reason="conflicting"), TEXTS),
        judged(ABSENT, Result("u", status="partial"), TEXTS),
        judged(ABSENT, Result("u", status="not_found"), TEXTS),
        judged(ABSENT, Result("u", status="failed"), TEXTS),
    ]
    figures = summary(rows)
    assert (2, 4, 1) == (figures["n"], figures["unanswerable"], figures["contradictions"])
    assert (50.0, 50.0) == (figures["answered_share"], figures["answered_right"])
    assert (50.0, 100.0) == (figures["settled_share"], figures["settled_right"])
    assert (50.0, 50.0, 25.0) == (figures["lost"], figures["held"], figures["refused"])
    assert 34 == figures["chars_median"]


def test_a_verdict_counts_where_one_is_given() -> None:
    asked = Asked("q", "…", "yes_no", (), ((COOLING,),), ("nine hours",), "no")
    given = [judged(asked, Result("q", verdict=each), TEXTS) for each in ("no", "yes", "")]
    assert 50.0 == summary(given)["verdict"]


KILN = [
    {
        "id": "k1",
        "query": "How long is the kiln left to cool?",
        "category": "number",
        "gold": [[{"file": "kiln.md", "start": COOLING.start, "end": COOLING.end}]],
        "short_answer": "nine hours",
    }
]
ABSENT_ROWS = [{"id": "k-u1", "query": "Which football club won the cup in 1998?", "kind": "off_topic"}]
TON = "Der Ton wird drei Tage lang getrocknet. Danach wird er gebrannt."
CLAY = [
    {
        "id": "t1",
        "query": "wie lange wird getrocknet?",
        "history": ["Was geschieht mit dem Ton?"],
        "category": "followup",
        "gold": [[{"file": "ton.md", "start": 0, "end": 39}]],
        "short_answer": ["drei Tage", "3 Tage"],
    }
]


@pytest.fixture
def sets(tmp_path: Path) -> Path:
    folder = tmp_path / "sets"
    parts: dict[str, tuple[str, str, list[Any], list[Any]]] = {
        "pots_en": ("kiln.md", TEXT, KILN, ABSENT_ROWS),
        "ton_de": ("ton.md", TON, CLAY, []),
    }
    for name, (file, text, queries, absent) in parts.items():
        (folder / name / "corpus").mkdir(parents=True)
        (folder / name / "corpus" / file).write_text(text, encoding="utf-8")
        for part, rows in (("queries", queries), ("unanswerable", absent)):
            lines = "".join(json.dumps(row) + "\n" for row in rows)
            (folder / name / f"{part}.jsonl").write_text(lines, encoding="utf-8")
    return folder


def test_the_product_and_bm25_answer_from_their_bases(sets: Path, tmp_path: Path) -> None:
    """In a process of its own: the SDK patches the process that imports it."""
    file, results = tmp_path / "report.json", tmp_path / "results"
    options = ["--data", str(sets), "--english-together", "--json", str(file), "--results", str(results)]
    command = [sys.executable, "-m", "bench", "natural", *options]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert 0 == ended.returncode, ended.stderr
    report = json.loads(file.read_text(encoding="utf-8"))
    assert {"pots_en", "ton_de"} == report["bases"].keys()
    assert {"product", "BM25"} == report["pooled"].keys()
    assert (1, 2) == tuple(report[group]["product"]["n"] for group in ("english", "pooled"))
    assert [100.0, 100.0] == [each["hit@1"] for each in report["pooled"].values()]
    assert (2, 100.0) == (report["pooled"]["product"]["n"], report["pooled"]["product"]["answer_near"])
    assert {"number", "followup", "off_topic"} == report["categories"]["product"].keys()
    assert 100.0 == report["categories"]["product"]["off_topic"]["held"]
    assert 1 == report["english_together"]["pooled"]["product"]["n"]
    lines = [
        json.loads(line) for line in (results / "pots_en.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    assert ["k1", "k-u1"] == [each["id"] for each in lines]
    assert "kiln.md" == lines[0]["quotes"][0]["file"]


def test_a_set_that_is_not_there_is_wrong_usage(sets: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert 2 == main(["natural", "--data", str(sets), "--sets", "pans_en"])
    assert "no set pans_en" in capsys.readouterr().err
