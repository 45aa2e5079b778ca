"""What the README tells people to type exists."""

import re
from pathlib import Path

import pytest

from tests.house.house_files import ROOT

READMES = [ROOT / "README.md", *sorted((ROOT / "readme").glob("*.md"))]
_CODE = re.compile(r"```.*?```|`[^`\n]+`", re.DOTALL)


def _targets() -> set[str]:
    return set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


def _commands(path: Path) -> set[str]:
    """Targets of make in fenced or inline code."""
    code = "\n".join(_CODE.findall(path.read_text(encoding="utf-8")))
    return set(re.findall(r"\bmake ([a-z][a-z-]*)", code))


@pytest.mark.parametrize("path", READMES, ids=[path.name for path in READMES])
def test_every_make_command_of_a_readme_exists(path: Path) -> None:
    assert set() == _commands(path) - _targets()


def test_the_readme_shows_how_to_run_and_to_test() -> None:
    assert {"run", "test"} <= _commands(ROOT / "README.md")


def test_every_command_of_the_makefile_says_what_it_does() -> None:
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    (phony,) = re.findall(r"^\.PHONY: (.*)$", text, re.MULTILINE)
    told = set(re.findall(r"^([a-z][a-z-]*):.*## \S", text, re.MULTILINE))
    assert set(phony.split()) == told
