"""The sample collection and its questions hold what the other tests and the gallery rely on."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

STANDALONE = Path(__file__).parents[1] / "standalone"
DATASETS = ("agreements", "minutes", "policies")
INTENTS = {"lookup", "list_all", "compare", "summarise", "yes_no", "define"}
KEYS = {"id", "question", "intent", "documents", "evidence", "language", "answerable", "note"}
FILES = tuple(sorted((STANDALONE / "documents").glob("*/*")))
DOCUMENTS = tuple(path for path in FILES if path.name != "_description.txt")


def _text(path: Path) -> str:
    """Read one file as it is: newline="" keeps line ends, so substrings stay exact."""
    with path.open(encoding="utf-8", newline="") as file:
        return file.read()


def _questions() -> tuple[dict[str, Any], ...]:
    lines = _text(STANDALONE / "questions.jsonl").splitlines()
    return tuple(json.loads(line) for line in lines)


def _language(text: str) -> str:
    """Kana means Japanese, Han without kana Chinese, anything else English."""
    if re.search(r"[\u3041-\u30ff]", text):
        return "ja"
    return "zh" if re.search(r"[\u4e00-\u9fff]", text) else "en"


TEXTS = {path.name: _text(path) for path in DOCUMENTS}
QUESTIONS = _questions()


def _of_intent(intent: str) -> int:
    return sum(1 for question in QUESTIONS if question["intent"] == intent)


def test_the_collection_has_three_datasets_of_fifteen_documents() -> None:
    found = Counter(path.parent.name for path in DOCUMENTS)
    expected = {"agreements": 6, "minutes": 2, "policies": 7}
    assert expected == found
    assert len(DOCUMENTS) == len(TEXTS), "two documents share one name"


@pytest.mark.parametrize("dataset", DATASETS)
def test_every_dataset_describes_itself(dataset: str) -> None:
    description = _text(STANDALONE / "documents" / dataset / "_description.txt")
    assert len(description.strip()) > 40


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_file_is_utf8_with_line_feeds_and_a_last_newline(path: Path) -> None:
    data = path.read_bytes()
    data.decode("utf-8")  # raises when it is not UTF-8
    assert b"\r" not in data
    assert not data.startswith(b"\xef\xbb\xbf")
    assert data.endswith(b"\n")


def test_the_collection_speaks_english_chinese_and_japanese() -> None:
    found = Counter(_language(text) for text in TEXTS.values())
    expected = {"en": 12, "zh": 2, "ja": 1}
    assert expected == found


def test_english_documents_have_four_to_nine_thousand_characters() -> None:
    sizes = {name: len(text) for name, text in TEXTS.items() if _language(text) == "en"}
    outside = {name: size for name, size in sizes.items() if not 4_000 <= size <= 9_000}
    assert not outside


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question["id"])
def test_every_evidence_string_is_an_exact_part_of_a_named_document(question: dict[str, Any]) -> None:
    named = [TEXTS[name] for name in question["documents"]]
    missing = [quote for quote in question["evidence"] if not any(quote in text for text in named)]
    assert not missing


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question["id"])
def test_every_named_document_of_an_answerable_question_holds_evidence(question: dict[str, Any]) -> None:
    assert bool(question["evidence"]) == question["answerable"]
    for name in question["documents"] if question["answerable"] else ():
        assert any(quote in TEXTS[name] for quote in question["evidence"]), name


def test_every_question_has_the_same_keys_and_known_values() -> None:
    assert {frozenset(KEYS)} == {frozenset(question) for question in QUESTIONS}
    assert sorted(INTENTS) == sorted({question["intent"] for question in QUESTIONS})
    assert [f"q{number:02d}" for number in range(1, 41)] == [question["id"] for question in QUESTIONS]
    mislabelled = [q["id"] for q in QUESTIONS if q["language"] != _language(q["question"])]
    assert not mislabelled


def test_the_questions_cover_every_kind_often_enough() -> None:
    assert sum(1 for question in QUESTIONS if not question["answerable"]) >= 6
    assert sum(1 for question in QUESTIONS if "contradiction" in question["note"]) >= 3
    assert min(_of_intent("compare"), _of_intent("list_all")) >= 4
    assert min(_of_intent("define"), _of_intent("yes_no")) >= 3


def test_exactly_one_document_holds_an_injected_instruction() -> None:
    hostile = [name for name, text in TEXTS.items() if "ignore previous instructions" in text]
    expected = ["remote_work_policy_2025.md"]
    assert expected == hostile
