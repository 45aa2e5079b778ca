"""What the page on security promises is held by tests that exist."""

import ast
import re

from tests.house.house_files import ROOT, python_files, tree

PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")


def test_every_test_that_the_page_on_security_names_exists() -> None:
    named = set(re.findall(r"`(test_\w+)`", PAGE))
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
