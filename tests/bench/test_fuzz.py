"""20,000 random inputs of one seed at every border, and those that broke something once; `python -m bench fuzz`."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from bench import fuzz
from bench.fuzz_border import KEY, Border, declared, must
from bench.fuzz_borders import BORDERS
from bench.fuzz_values import readers, schemas
from evidence.errors import InvalidRequest

SUITE = 20_000
INPUTS = [(border, seed) for border, seed in fuzz.inputs(SUITE, 1)]


@pytest.mark.parametrize("name", [border.name for border in BORDERS])
def test_no_random_input_breaks_anything(name: str) -> None:
    broken = Counter[str]()
    for border, seed in INPUTS:
        if border.name == name and (why := fuzz.tried(border, fuzz.made(border, seed))):
            broken[f"{border.name} {seed}: {why}"] += 1
    assert {} == broken


def test_the_inputs_are_as_many_as_promised() -> None:
    assert SUITE - len(BORDERS) <= len(INPUTS) <= SUITE + len(BORDERS)
    assert 0 < min(Counter(border.name for border, _ in INPUTS).values())


def test_what_broke_once_breaks_nothing_now() -> None:
    assert [] == fuzz.again()


def fragile(given: Any) -> None:
    declared(lambda: 1 / given)
    must(given != 7, "seven is odd")


FRAGILE = Border("fragile", 1, lambda inputs: inputs.random.choice((0, 7, 8)), fragile)


def test_what_breaks_is_told_once_with_its_place_and_is_kept(tmp_path: Path) -> None:
    report = fuzz.measure(10.0, 1, [FRAGILE], most=40)
    assert 1 == report["status"]
    whys = sorted(why for _, _, why in report["findings"])
    assert whys[0].startswith("Broken: seven is odd at fuzz_border.py:")
    assert whys[1].startswith("ZeroDivisionError: division by zero at test_fuzz.py:")
    assert "fragile" in fuzz.page(report)
    kept = tmp_path / "kept.jsonl"
    fuzz.keep(report, kept)
    fuzz.keep(report, kept)
    lines = [json.loads(line) for line in kept.read_text(encoding="utf-8").splitlines()]
    assert [0, 7] == sorted(line["input"] for line in lines)


def test_a_seed_makes_the_same_input_again_and_a_long_one_is_kept_by_it() -> None:
    for border in BORDERS:
        first, again = fuzz.made(border, "3:5"), fuzz.made(border, "3:5")
        assert json.dumps(first) == json.dumps(again)
    long = fuzz.Finding("texts", "1:2", ["x" * 5_000], "slow").line()
    assert {"border": "texts", "why": "slow", "seed": "1:2"} == json.loads(long)


def test_a_declared_error_is_allowed_unless_it_shows_the_key() -> None:
    def refuse(message: str) -> None:
        raise InvalidRequest(message)

    assert "" == fuzz.tried(Border("", 1, lambda _: "", lambda given: declared(refuse, given)), "no")
    shown = fuzz.tried(Border("", 1, lambda _: "", lambda given: declared(refuse, given)), KEY)
    assert "an error shows the key" in shown


def test_parameters_are_those_of_the_tools_and_readers_those_of_the_texts_room() -> None:
    assert {"ask", "search", "list_datasets"} <= set(schemas())
    assert {"sentences.sentences", "figures.figures", "markdown.plain", "subjects.split"} <= readers().keys()
