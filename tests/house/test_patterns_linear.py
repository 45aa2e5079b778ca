"""Every compiled pattern of the product takes time in proportion to its text, whatever the text is.

One process serves many tenants on one thread, and a pattern that runs holds them all.
"""

import ast
import importlib
import re
from collections import deque
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.growth import hopeless, spent, steep
from tests.house.hostile_inputs import pumps
from tests.house.house_files import PRODUCT, ROOT, place, python_files, tree

DEAR = 0.75e-6  # seconds a character from which on any text is looked at closely
BEND = 5.0  # times as long for four times the text, from which on too; what is short is measured badly
SHORT, LONG = 2_000, 200_000
MAKER = ROOT / "evidence" / "language" / "rules.py"  # of patterns that stand by their names in other files
MADE = ("re.compile(", "by_language(", "each_language(")
FILES = [
    path
    for path in python_files(*PRODUCT)
    if path != MAKER and any(made in path.read_text(encoding="utf-8") for made in MADE)
]
CALLS = {"search", "match", "fullmatch", "split", "findall", "finditer", "sub", "subn"}


def growing(pattern: re.Pattern[Any]) -> str:
    """On which text, and how, a pattern grows faster than the text; empty where none is known."""

    def work(text: str) -> object:
        written = text.encode("latin-1", "replace") if isinstance(pattern.pattern, bytes) else text
        return deque(pattern.finditer(written), maxlen=0)

    worst, most = None, 0.0
    for made in pumps(pattern):
        if fault := hopeless(work, made):
            return fault
        short, text = made(SHORT // 4), made(SHORT)
        cost = spent(work, text) / len(text)
        bends = cost * len(text) > BEND * spent(work, short)
        lengths = (SHORT, 4 * SHORT, 16 * SHORT, 64 * SHORT)
        if (cost > DEAR or bends) and (fault := steep(work, made, lengths)):
            return fault
        worst, most = (made, cost) if cost > most else (worst, most)
    ends = (LONG // 4, LONG) if most <= DEAR / 2 else (4 * SHORT, 16 * SHORT)  # the suite must come to an end
    return steep(work, worst, ends) if worst else ""


def patterns(value: object, depth: int = 0) -> Iterator[re.Pattern[Any]]:
    """The patterns that a value is or holds."""
    if isinstance(value, re.Pattern):
        yield value
    elif depth < 5 and isinstance(value, Mapping):
        for each in value.items():
            yield from patterns(each, depth + 1)
    elif depth < 5 and isinstance(value, list | tuple | set | frozenset):
        for each in value:
            yield from patterns(each, depth + 1)
    elif depth < 5 and isinstance(value, type):
        yield from patterns(dict(vars(value)), depth + 1)


def compiled(path: Path) -> dict[str, re.Pattern[Any]]:
    """The patterns of a module by name, those that it imports from another left out."""
    names = path.relative_to(ROOT).with_suffix("").parts
    module = importlib.import_module(".".join(names).removesuffix(".__init__"))
    own = {
        target.id
        for node in tree(path).body
        for target in ast.walk(node)
        if isinstance(target, ast.Name) and isinstance(target.ctx, ast.Store)
    } | {node.name for node in tree(path).body if isinstance(node, ast.ClassDef)}
    return {
        f"{name} {number}": pattern
        for name in sorted(own & vars(module).keys())
        for number, pattern in enumerate(dict.fromkeys(patterns(vars(module)[name])))
    }


@pytest.mark.parametrize("path", FILES, ids=place)
def test_every_pattern_is_linear_on_any_text(path: Path) -> None:
    found = compiled(path)
    assert found
    assert {} == {name: fault for name, pattern in found.items() if (fault := growing(pattern))}


# As they stood in 0.1.0, and the shapes that a pattern falls into easily.
EXPLODING = {
    "markers typed by a model": r"\s*[\[【](?:\s*(?:[Pp]?\d{1,4}|\^\d+)\s*[,，;–-]?)+[\]】]",
    "line breaks between blanks": r"\s*[\r\n\u2028\u2029]+\s*",
    "a fence around JSON": r"(?s)```(?:json)?\s*(.*?)\s*```",
    "the name of a Chinese document": (
        r"(?:[\u3400-\u9fffA-Za-z]{1,14}?(?:[与和及と][\u3400-\u9fffA-Za-z]{1,14}?)?(?:之间|签订|签署|間)*[的の]+)?"
        r"[\u3400-\u9fffA-Za-z]{0,14}?(?:合同书?|协议书?)(?=$|[中里的])"
    ),
    "blanks before a word": r"\s+(?:office|branch)$",
    "a long run before what is missing": r"[^\s,;:]+\.(?:txt|pdf)\b",
    "a gap that is not bounded": r"\bhow is\b.*\bdefined\b",
    "a run of runs": r"(?:a+)+$",
}


@pytest.mark.parametrize("name", EXPLODING)
def test_a_pattern_that_explodes_is_found(name: str) -> None:
    assert growing(re.compile(EXPLODING[name]))


def test_a_pattern_that_looks_ahead_a_bounded_way_is_linear() -> None:
    assert not growing(re.compile(r"\bhow is\b.{0,300}\bdefined\b|(?<!\s)\s*+[\r\n]|\"[^\"]{2,80}\""))


def hidden(module: ast.Module) -> Iterator[ast.Call]:
    """Where a pattern is used without a name, or made in a function: the test above would not find it."""
    inside = {
        inner
        for outer in ast.walk(module)
        if isinstance(outer, ast.FunctionDef | ast.Lambda)
        for inner in ast.walk(outer)
    }
    for node in ast.walk(module):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="re"), attr=name)):
                if name in CALLS or (name == "compile" and node in inside):
                    yield node


def test_every_pattern_has_a_name_where_this_test_finds_it() -> None:
    modules = {path: tree(path) for path in python_files(*PRODUCT) if path != MAKER}
    assert [] == [place(path, call.lineno) for path, module in modules.items() for call in hidden(module)]
    foreign = [
        place(path, node.lineno)
        for path, module in modules.items()
        for node in ast.walk(module)
        if isinstance(node, ast.ImportFrom) and node.module in {"re", "regex"}
    ]
    assert [] == foreign


def test_a_pattern_without_a_name_is_found() -> None:
    module = ast.parse(
        "import re\nONE = re.compile('a')\nre.sub('a', '', 'b')\ndef two():\n    return re.compile('b')"
    )
    assert [3, 5] == [call.lineno for call in hidden(module)]
