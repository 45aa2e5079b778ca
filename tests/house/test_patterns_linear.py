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
FILES = [path for path in python_files(*PRODUCT) if "re.compile(" in path.read_text(encoding="utf-8")]
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
        for number, pattern in enumerate(patterns(vars(module)[name]))
    }


@pytest.mark.parametrize("path", FILES, ids=place)
def test_every_pattern_is_linear_on_any_text(path: Path) -> None:
    found = compiled(path)
    assert found
    assert {} == {name: fault for name, pattern in found.items() if (fault := growing(pattern))}


OLD = {
    "markers typed by a model": r"\s*[\[【](?:\s*(?:[Pp]?\d{1,4}|\^\d+)\s*[,，;–-]?)+[\]】]",
    "line breaks with blanks": r"\s*[\r\n\u2028\u2029]+\s*",
    "links": r"\[([^\]]*)\]\((?:[^)\s]*)(?:\s[^)]*)?\)",
    "a fence around JSON": r"(?s)```(?:json)?\s*(.*?)\s*```",
    "the name of a Chinese document": (
        r"(?:[\u3400-\u9fffA-Za-z]{1,14}?(?:[与和及と][\u3400-\u9fffA-Za-z]{1,14}?)?(?:之间|签订|签署|間)*[的の]+)?"
        r"[\u3400-\u9fffA-Za-z]{0,14}?(?:合同书?|协议书?)(?=$|[中里的])"
    ),
    "the frame of a comparison": r"(?:\s*[:,]\s*|\s+(?:in|of|between)\s+)?\bthe\s+documents?\b",
    "a unit at the end": r"\s+(?:office|branch)$",
    "a bullet": r"\s*(?:[-*•]\s+|\(?(?:\d{1,3}|[a-z])[.)]\s+|#{1,6}\s+)",
    "a code": r"§+\s?\d[\w.()]*",
    "a file": r"[^\s,;:]+\.(?:txt|pdf)\b",
    "a version": r"(?<!\w)\d{1,2}(?: \d+)* ?版",
    "a gap": r"\bhow is\b.*\bdefined\b",
    "a run of runs": r"(?:a+)+$",
}


@pytest.mark.parametrize("name", OLD)
def test_a_pattern_that_explodes_is_found(name: str) -> None:
    assert growing(re.compile(OLD[name]))


def test_a_pattern_that_looks_ahead_a_bounded_way_is_linear() -> None:
    assert not growing(re.compile(r"\bhow is\b.{0,300}\bdefined\b|(?<!\s)\s*+[\r\n]|\"[^\"]{2,80}\""))


def test_every_pattern_has_a_name_where_this_test_finds_it() -> None:
    """An inline pattern, or one made in a function, would not be looked at."""
    hidden = [
        f"{place(path, node.lineno)} {ast.unparse(node.func)}"
        for path in python_files(*PRODUCT)
        for function in (
            None,
            *(n for n in ast.walk(tree(path)) if isinstance(n, ast.FunctionDef | ast.Lambda)),
        )
        for node in ast.walk(function or tree(path))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and ast.unparse(node.func.value) == "re"
        and (node.func.attr in CALLS or (function and node.func.attr == "compile"))
    ]
    assert [] == sorted(set(hidden))
    foreign = [
        place(path, node.lineno)
        for path in python_files(*PRODUCT)
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ImportFrom) and node.module in {"re", "regex"}
    ]
    assert [] == foreign
