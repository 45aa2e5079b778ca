"""What the pages on security and reliability promise is held by tests that exist."""

import ast
import re

import pytest

from tests.house.house_files import ROOT, python_files, tree

PAGE, RELIABILITY = (
    (ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("security.md", "reliability.md")
)
NAME = re.compile(r"`(test_\w+)`")


@pytest.mark.parametrize("page", [PAGE, RELIABILITY], ids=["security", "reliability"])
def test_every_test_that_a_page_names_exists(page: str) -> None:
    named = set(NAME.findall(page))
    defined = {
        node.name
        for path in python_files("tests")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.FunctionDef)
    }
    assert set() == named - defined
    assert 40 <= len(named)


def test_every_threat_names_what_stops_it_and_a_test() -> None:
    rows = [
        line.split(" | ") for line in PAGE.partition("## Threats")[2].splitlines() if line.startswith("| ")
    ]
    threats = [row for row in rows if row[0] != "| threat"]
    assert threats
    assert [] == [row[0] for row in threats if len(row) != 3 or not row[1].strip() or "`test_" not in row[2]]


def test_every_defect_of_the_first_version_names_what_holds_it_and_what_was_seen() -> None:
    lines = RELIABILITY.partition("## Defects of 0.1.0")[2].splitlines()
    rows = [line.strip("| ").split(" | ") for line in lines if line.startswith("| ")]
    defects = [row for row in rows if row[0] != "defect"]
    assert 50 <= len(defects)
    assert [] == [
        row[0]
        for row in defects
        if len(row) != 3 or not (NAME.search(row[1]) or "`make test-versions`" in row[1])
    ]
