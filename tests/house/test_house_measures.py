"""Measures of taste: functions and files stay small, and nothing is swallowed, printed or patched."""

import ast
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house.house_files import CODE, PRODUCT, ROOT, place, python_files, text_files, tree

_NOQA = re.compile(r"#\s*noqa(?P<rest>.*)", re.IGNORECASE)
_REASONED = re.compile(r": [A-Z]+[0-9]+(?:, ?[A-Z]+[0-9]+)* - \S.{5,}")
_IGNORED = re.compile(r"#\s*type:\s*ignore(?!\[)")
_MACHINE = re.compile(r"(?<![\w.$}])/(?:work|root|home|Users|tmp/bash_jobs)/\w|[A-Z]:\\\\?Users")


def test_no_function_is_longer_than_40_lines() -> None:
    long = [
        f"{place(path, node.lineno)} {node.name}: {node.end_lineno - node.lineno + 1} lines"
        for path in python_files(*PRODUCT)
        for node in ast.walk(tree(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.end_lineno is not None
        and node.end_lineno - node.lineno + 1 > 40
    ]
    assert [] == long


def test_no_file_is_longer_than_400_lines() -> None:
    lengths = {
        place(path): len(path.read_text(encoding="utf-8").splitlines()) for path in python_files(*PRODUCT)
    }
    assert lengths
    assert {} == {name: length for name, length in lengths.items() if length > 400}


def _broad(node: ast.ExceptHandler) -> bool:
    """Catches everything, and does not raise the same again at its end."""
    kinds = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
    named = {kind.id for kind in kinds if isinstance(kind, ast.Name)}
    last = node.body[-1]
    passes_on = isinstance(last, ast.Raise) and last.exc is None
    return (node.type is None or bool(named & {"Exception", "BaseException"})) and not passes_on


def test_everything_is_caught_in_two_sanctioned_places_and_in_two_that_hand_the_error_on() -> None:
    found = sorted(
        place(path)
        for path in python_files(*PRODUCT)
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ExceptHandler) and _broad(node)
    )
    assert [
        "evidence/single_flight.py",  # the error of one call is the error of all who wait for it
        "evidence/workers.py",  # the error of started work is in its future
        "host/boundary.py",  # sanctioned: the boundary
        "host/session_models.py",  # sanctioned: the SDK raises bare Exception
    ] == found


def test_no_error_is_suppressed_by_a_context_manager() -> None:
    broad = [
        place(path, node.lineno)
        for path in python_files(*PRODUCT)
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func).endswith("suppress")
        and any(ast.unparse(argument) in {"Exception", "BaseException"} for argument in node.args)
    ]
    assert [] == broad


def test_the_product_prints_nothing() -> None:
    printed = [
        place(path, node.lineno)
        for path in python_files(*PRODUCT)
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func) in {"print", "sys.stdout.write", "sys.stderr.write"}
    ]
    assert [] == printed


def test_no_test_patches_an_attribute() -> None:
    """Mocks are banned by the linter (pyproject.toml); a fake is handed in, not put over what is there."""
    patched = [
        place(path, node.lineno)
        for path in python_files("tests")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Attribute) and node.attr in {"setattr", "delattr"}
    ]
    assert [] == patched


def test_no_test_is_skipped_or_expected_to_fail() -> None:
    skipped = [
        place(path, node.lineno)
        for path in python_files("tests")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Attribute)
        and re.fullmatch(r"pytest(\.mark)?\.(skip|skipif|xfail|importorskip)", ast.unparse(node))
    ]
    assert [] == skipped


CLOCKS = {"time", "monotonic", "perf_counter", "process_time", "thread_time", "clock_gettime"}
SANCTIONED = "tests/growth.py"  # compares the processor time of two sizes of one input


def test_no_test_reads_a_clock() -> None:
    """What takes long is held back until the test lets it go on; how often something is done is counted."""
    read = [
        place(path, node.lineno)
        for path in python_files("tests")
        for node in ast.walk(tree(path))
        if _reads_a_clock(node) and place(path) != SANCTIONED
    ]
    assert [] == read


def _reads_a_clock(node: ast.AST) -> bool:
    match node:
        case ast.Attribute(value=ast.Name(id="time"), attr=name):
            return name.removesuffix("_ns") in CLOCKS
        case ast.ImportFrom(module="time", names=names):
            return bool(CLOCKS & {each.name.removesuffix("_ns") for each in names})
    return False


def _comments(path: Path) -> Iterator[tuple[int, str]]:
    with path.open("rb") as file:
        for token in tokenize.tokenize(file.readline):
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.string


def test_every_exception_from_a_rule_carries_its_reason() -> None:
    bare = [
        place(path, line)
        for path in python_files(*CODE)
        for line, comment in _comments(path)
        if ((found := _NOQA.search(comment)) and not _REASONED.match(found["rest"]))
        or _IGNORED.search(comment)
    ]
    assert [] == bare


@pytest.mark.parametrize(
    ("comment", "reasoned"),
    [
        ("# noqa", False),
        ("# noqa: S310", False),
        ("# noqa: S310 - reason that says why", True),
        ("# noqa: PLC0415, E402 - after the patch", True),
    ],
)
def test_a_reason_is_told_from_none(comment: str, reasoned: bool) -> None:
    found = _NOQA.search(comment)
    assert found is not None
    assert reasoned == bool(_REASONED.match(found["rest"]))


def test_nothing_names_a_machine() -> None:
    named = [
        place(path, number)
        for path in text_files()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if _MACHINE.search(line) and path.name != Path(__file__).name
    ]
    assert [] == named


def test_tests_of_one_name_do_not_hide_each_other() -> None:
    names = [path.name for path in python_files("tests") if path.name.startswith("test_")]
    assert sorted(set(names)) == sorted(names)


def test_every_test_asserts_something() -> None:
    empty = [
        place(path, node.lineno)
        for path in python_files("tests")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.FunctionDef)
        and node.name.startswith("test_")
        and not any(_asserts(inner) for inner in ast.walk(node))
    ]
    assert [] == empty


def _asserts(node: ast.AST) -> bool:
    """An assert, a `pytest.raises`, or a call of a function whose name says that it asserts."""
    if isinstance(node, ast.Assert):
        return True
    name = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
    return name.endswith("raises") or re.search(r"(?:^|[._])(?:assert|failure)", name) is not None


def test_the_house_is_where_these_tests_look() -> None:
    assert {"evidence", "host", "tools"} <= {each.name for each in ROOT.iterdir()}
