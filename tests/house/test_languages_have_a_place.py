"""What is said in a language stands in the table of that language, and nowhere else."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house.house_files import PRODUCT, ROOT, place, python_files, tree

TABLES = ROOT / "evidence" / "language" / "tables"
LETTER = re.compile(
    r"[\u3041-\u3096\u30a1-\u30fa\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]"
)  # wide marks are of no language


def letters(path: Path) -> Iterator[str]:
    """Where a string of a module, a docstring too, is written in Chinese, Japanese or Korean letters."""
    source = path.read_text(encoding="utf-8").splitlines()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            lines = range(node.lineno - 1, node.end_lineno or node.lineno)
            yield from (place(path, at + 1) for at in lines if LETTER.search(source[at]))


def test_no_string_outside_the_tables_is_written_in_chinese_japanese_or_korean() -> None:
    files = [path for path in python_files(*PRODUCT) if TABLES not in path.parents]
    assert [] == [line for path in files for line in dict.fromkeys(letters(path))]


@pytest.mark.parametrize("path", sorted(TABLES.glob("[a-z]*.py")), ids=lambda path: path.stem)
def test_a_table_is_a_language_and_makes_nothing_else(path: Path) -> None:
    found = [node.module or "" for node in tree(path).body if isinstance(node, ast.ImportFrom)]
    parts = f"evidence.language.tables.{path.stem}_"  # of a table that is too long for one file
    imported = [module for module in found if not module.startswith((parts, "collections.abc"))]
    defined = [node for node in tree(path).body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    assert (["evidence.language.table"], []) == (imported, defined)
