"""The errands of CONTRIBUTING.md touch the files that it names, and no others."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.imports import importers
from tests.house.house_files import PRODUCT, ROOT, place, python_files, tree

PAGES = (*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md")))
_PATH = re.compile(r"`((?:evidence|host|tools|standalone|bench|tests|docs)/[\w/.-]*+)`")
_ANY = re.compile(r"NAME|CODE")  # a file that somebody will add


def _named(page: Path) -> list[str]:
    return [path for path in _PATH.findall(page.read_text(encoding="utf-8")) if not _ANY.search(path)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_file_that_a_page_names_exists(page: Path) -> None:
    assert [] == [path for path in _named(page) if not (ROOT / path).exists()]


def test_paths_in_pages_are_seen() -> None:
    assert {"host/tools.py", "evidence/index/bm25.py"} <= {*_named(ROOT / "CONTRIBUTING.md")}


def _importing(file: str) -> list[str]:
    """The files of other rooms that import a file or a folder."""
    target = ROOT / file
    return sorted(
        {
            place(importer)
            for path, others in importers().items()
            if path.is_relative_to(target)
            for importer in others
            if not importer.is_relative_to(target)
        }
    )


def _strings(path: Path) -> Iterator[str]:
    return (
        node.value
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


@pytest.mark.parametrize("tool", ["list_datasets", "list_documents"])
def test_a_tool_is_named_by_its_row_and_by_its_doorway_only(tool: str) -> None:
    naming = [place(path) for path in python_files(*PRODUCT) if tool in _strings(path)]
    assert ["host/tools.py", f"tools/{tool}.py"] == naming


def test_a_knowledge_server_is_made_in_the_wiring_alone() -> None:
    assert ["host/wiring.py"] == _importing("evidence/knowledge/dify")


def test_the_formula_of_bm25_is_in_two_files() -> None:
    parameters = {"K1", "B"}
    using = [
        place(path)
        for path in python_files("evidence")
        if any(isinstance(node, ast.Name) and node.id in parameters for node in ast.walk(tree(path)))
    ]
    assert ["evidence/index/bm25.py", "evidence/index/fields.py"] == using


def test_no_file_names_the_table_of_one_language() -> None:
    assert [] == _importing("evidence/language/tables/de.py")


def test_the_layout_around_an_answer_is_chosen_by_the_table_of_tools_alone() -> None:
    """The External Knowledge API and MCP hand on what it makes."""
    assert ["host/tools.py"] == _importing("host/view/markdown.py")
