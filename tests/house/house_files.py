"""The files of the house, as text and as syntax trees."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PRODUCT = ("evidence", "host", "tools", "provider", "endpoints")
CODE = (*PRODUCT, "standalone", "bench", "tests")
_BUILT = {"__pycache__", "dist"}
_NOT_WRITTEN = {".coverage", ".git"}  # .git is a file in a worktree


def python_files(*rooms: str) -> Iterator[Path]:
    """The Python files of these rooms, and `main.py` with the product's."""
    for room in rooms:
        yield from sorted(each for each in (ROOT / room).rglob("*.py") if not _BUILT & {*each.parts})
    if "host" in rooms:
        yield ROOT / "main.py"


def text_files() -> Iterator[Path]:
    """Everything that is written by hand, hidden files of the repository's root included."""
    kinds = {".py", ".md", ".yaml", ".yml", ".toml", ".txt", ".json", ".csv", ".svg", ""}
    rooms = (*CODE, "docs", "readme", "_assets", "group", ".ci")
    files = [each for room in rooms for each in sorted((ROOT / room).rglob("*"))]
    for path in [*files, *sorted(ROOT.iterdir())]:
        written = path.name not in _NOT_WRITTEN and not _BUILT & {*path.parts}
        if written and path.is_file() and path.suffix in kinds:
            yield path


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def place(path: Path, line: int = 0) -> str:
    """A file of the house, and a line of it, as an assertion shows them."""
    return f"{path.relative_to(ROOT)}:{line}" if line else str(path.relative_to(ROOT))
