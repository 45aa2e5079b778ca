"""Which module of the product imports which, read from the source, and the room that each lives in.

A room is a folder of `evidence/`, a top-level module of it (`evidence/pipeline.py`), `host`, or a folder of doorways.
"""

import ast
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PRODUCT = ("evidence", "host", "tools", "provider", "endpoints")
_DOORWAYS = frozenset({"tools", "provider", "endpoints"})


def room_of(path: Path) -> str:
    """The room of a file of the product: "answer", "pipeline", "host" or "doorways"."""
    first, *others = path.relative_to(ROOT).with_suffix("").parts
    if first in _DOORWAYS:
        return "doorways"
    return others[0] if first == "evidence" and others[0] != "__init__" else first


def importers() -> Mapping[Path, frozenset[Path]]:
    """The files of the product that import each of its files."""
    files = [path for folder in PRODUCT for path in sorted((ROOT / folder).rglob("*.py"))]
    imported = {path: frozenset(_imports(path)) for path in files}
    return {path: frozenset(other for other in files if path in imported[other]) for path in files}


def edges() -> frozenset[tuple[str, str]]:
    """The rooms that import each other: (importing, imported)."""
    return frozenset(
        (room_of(importer), room_of(path))
        for path, others in importers().items()
        for importer in others
        if room_of(importer) != room_of(path)
    )


def lodgers() -> Sequence[tuple[Path, Path]]:
    """The modules whose one importer lives in another room, each with that importer."""
    single = ((path, next(iter(others))) for path, others in importers().items() if len(others) == 1)
    return [(path, other) for path, other in single if room_of(path) != room_of(other)]


def _imports(path: Path) -> Iterator[Path]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _file(alias.name)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                yield from _file(f"{node.module}.{alias.name}") or _file(node.module)


def _file(module: str) -> list[Path]:
    """The file of a module of the product; none for a name that is no module."""
    base = ROOT.joinpath(*module.split("."))
    return [path for path in (base.with_suffix(".py"), base / "__init__.py") if path.is_file()][:1]
