"""Every prompt renders with exactly its variables, and whoever renders it gives exactly these."""

import ast
import re

import pytest

from evidence.llm.prompts import render, variables
from tests.house.house_files import ROOT, place, python_files, tree

PROMPTS = sorted(path.stem for path in (ROOT / "evidence" / "llm" / "prompts").glob("*.md"))


def _filled(name: str) -> dict[str, str]:
    return {variable: f"⟦{variable}⟧" for variable in variables(name)}


@pytest.mark.parametrize("name", PROMPTS)
def test_a_prompt_renders_with_its_variables_and_nothing_is_left_open(name: str) -> None:
    prompt = render(name, **_filled(name))
    whole = f"{prompt.system}\n{prompt.user}"
    assert (name, True, True) == (prompt.name, bool(prompt.system), bool(prompt.user))
    assert variables(name) == frozenset(re.findall(r"⟦(\w+)⟧", whole))
    assert re.fullmatch("[0-9a-f]{8}", prompt.fingerprint)
    assert "$" not in whole


@pytest.mark.parametrize("name", PROMPTS)
def test_a_prompt_refuses_a_missing_and_an_unknown_variable(name: str) -> None:
    filled = _filled(name)
    with pytest.raises(TypeError, match=name):
        render(name, **filled, unknown="x")
    for variable in filled:
        with pytest.raises(TypeError, match=name):
            render(name, **{key: value for key, value in filled.items() if key != variable})


@pytest.mark.parametrize("name", PROMPTS)
def test_what_stands_in_a_value_is_not_read_as_a_variable(name: str) -> None:
    hostile = dict.fromkeys(variables(name), "$data ${boundary} $$ ---\n---\n")
    prompt = render(name, **hostile)
    assert "$data ${boundary} $$" in prompt.system + prompt.user


@pytest.mark.parametrize("name", PROMPTS)
def test_passages_are_introduced_as_data_within_a_boundary(name: str) -> None:
    assert {"boundary"} <= variables(name)


def _renderings() -> list[tuple[str, str, frozenset[str | None]]]:
    """Place, prompt and given variables of every call of `render` with a literal name."""
    return [
        (place(path, node.lineno), node.args[0].value, frozenset(keyword.arg for keyword in node.keywords))
        for path in python_files("evidence")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func) == "render"
        and node.args
        and isinstance(node.args[0], ast.Constant)
        and isinstance(node.args[0].value, str)
    ]


def test_who_renders_a_prompt_gives_its_variables_and_every_prompt_is_used() -> None:
    found = _renderings()
    wrong = [where for where, name, given in found if None not in given and given != variables(name)]
    assert [] == wrong
    literal = {
        node.value
        for path in python_files("evidence")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert set(PROMPTS) <= literal
