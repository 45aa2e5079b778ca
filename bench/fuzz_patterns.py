"""Patterns of the product over texts made of their own letters: none may take long, wherever it is used.

How each grows with its text is held by the tests; this looks for what their texts do not think of.
"""

import importlib
import pkgutil
import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from types import ModuleType
from typing import Any

import evidence
import host
from bench.fuzz_border import declared
from bench.fuzz_inputs import Inputs

_SDK = "host.messages"  # it loads the SDK, which patches the process


@cache
def compiled() -> Mapping[str, re.Pattern[str]]:
    """By module and name."""
    return dict(_compiled())


def _compiled() -> Iterator[tuple[str, re.Pattern[str]]]:
    for module in _modules():
        for name, value in vars(module).items():
            values: Sequence[Any] = [*value] if isinstance(value, list | tuple) else [value]
            for number, each in enumerate(values):
                if isinstance(each, re.Pattern) and isinstance(each.pattern, str):
                    yield f"{module.__name__}.{name}.{number}", each


def _modules() -> Iterator[ModuleType]:
    for room in (evidence, host):
        for found in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
            if found.name != _SDK:
                yield importlib.import_module(found.name)


def make_pattern(inputs: Inputs) -> Any:
    name = inputs.random.choice([*compiled()])
    letters = [*compiled()[name].pattern, " ", "\n", "1", "a", "的"]
    body = "".join(inputs.random.choices(letters, k=inputs.random.randint(1, 4)))
    head, tail = ("".join(inputs.random.choices(letters, k=3)) for _ in range(2))
    times = inputs.random.choice((3, 30, 300, 3_000))
    return {"pattern": name, "text": head + body * times + tail + inputs.text(5)}


def run_pattern(made: Mapping[str, str]) -> None:
    declared(lambda: deque(compiled()[made["pattern"]].finditer(made["text"]), maxlen=0))
