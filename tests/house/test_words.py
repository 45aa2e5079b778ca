"""Words that name nothing: each was private to this house, and the field has a term for what it meant."""

import io
import keyword
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house.house_files import PRODUCT, place, python_files

ROOMS = (*PRODUCT, "standalone", "bench")
RETIRED = frozenset(
    """
    voice voices ground shelf card cards bodies wording wordings lever levers standing loose tally
    """.split()
)
EVERYDAY = frozenset("found each held told said asked wanted kept anew".split())  # alone, they are no names
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def _retired(name: str) -> list[str]:
    """The retired words of which an identifier or a file name is composed."""
    return [part for part in map(str.lower, _PARTS.findall(name)) if part in RETIRED]


def _identifiers(path: Path) -> Iterator[tuple[int, str]]:
    """The line and the text of each name that is not a keyword."""
    source = io.StringIO(path.read_text(encoding="utf-8"))
    for token in tokenize.generate_tokens(source.readline):
        if token.type == tokenize.NAME and not keyword.iskeyword(token.string):
            yield token.start[0], token.string


def test_no_identifier_is_a_retired_word() -> None:
    retired = [
        f"{place(path, line)} {name}"
        for path in python_files(*ROOMS)
        for line, name in _identifiers(path)
        if _retired(name)
    ]
    assert [] == retired


def test_no_name_of_the_product_is_a_bare_everyday_word() -> None:
    bare = [
        f"{place(path, line)} {name}"
        for path in python_files(*PRODUCT)
        for line, name in _identifiers(path)
        if name.strip("_").lower() in EVERYDAY
    ]
    assert [] == bare


def test_no_file_is_called_by_a_retired_word() -> None:
    assert [] == [place(path) for path in python_files(*ROOMS) if _retired(path.stem)]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("_other_wordings", ["wordings"]),
        ("GroundTruth", ["ground"]),
        ("HTTPCard", ["card"]),
        ("CARDS", ["cards"]),
        ("background", []),
        ("discard", []),
        ("grounding", []),
    ],
)
def test_a_retired_word_is_seen_in_a_compound_and_not_inside_another_word(
    name: str, words: list[str]
) -> None:
    assert words == _retired(name)
