"""The page docs/answers.md is what its command prints."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from bench.gallery import ENTRIES

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "answers.md").read_text(encoding="utf-8")


def _timeless(text: str) -> str:
    """Without seconds and tokens: passages have random keys, which cost a token more or less."""
    return re.sub(r"[\d,.]+ (s|tokens?)\b", r"0 \1", text).strip()


def test_the_gallery_is_what_its_command_prints() -> None:
    command = [sys.executable, "-m", "bench", "gallery"]
    printed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=120)
    assert _timeless(PAGE) == _timeless(printed.stdout)


@pytest.mark.parametrize(
    ("title", "words"),
    [
        ("A contradiction", "The documents differ on this; the newest comes first:"),
        ("Abstention: no such document", "No document found for: NDA with Ostermark Robotics."),
        ("A document that gives orders, and a model that obeys it", "looks like an instruction to a model"),
        ("A model that invents", "The model's answer was not supported"),
        ("Chinese", "人民币117,400元"),
        ("Japanese", "「検収」とは"),
    ],
)
def test_an_entry_shows_what_it_is_there_for(title: str, words: str) -> None:
    section = PAGE.split(f"## {title}\n")[1].split("\n## ")[0]
    assert words in section


def test_no_order_of_a_document_is_ever_an_answer() -> None:
    assert "ignore previous instructions" not in PAGE
    assert len(ENTRIES) == PAGE.count("\n## ")
