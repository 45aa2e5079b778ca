"""What the benchmarks gave when they were last looked at: conditions, commands, figures and tolerances."""

import itertools
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

FILE = Path(__file__).with_name("expected.yaml")
_DATA = "{data}"


@dataclass(frozen=True, slots=True)
class Figure:
    """A number of a report by its path ("recall.8"), as it was, and how far off it may be."""

    path: str
    expected: float
    tolerance: float


@dataclass(frozen=True, slots=True)
class Condition:
    """`command` stands after `python -m bench`; {data} in it is the folder of the data directories."""

    name: str
    command: str
    figures: tuple[Figure, ...]

    @property
    def needs_data(self) -> bool:
        return _DATA in self.command

    def arguments(self, data: Path | None) -> list[str]:
        return [part.replace(_DATA, str(data)) for part in shlex.split(self.command)]


@dataclass(frozen=True, slots=True)
class Compared:
    """One figure, measured again."""

    condition: str
    path: str
    expected: float
    measured: float
    tolerance: float

    @property
    def held(self) -> bool:
        return abs(self.measured - self.expected) <= self.tolerance

    @property
    def told(self) -> str:
        mark = "as told   " if self.held else "DIFFERENT "
        figures = f"{self.path} {self.measured:g}, expected {self.expected:g} ± {self.tolerance:g}"
        return f"{mark} {self.condition}: {figures}"


def conditions(file: Path = FILE) -> tuple[Condition, ...]:
    """The conditions of a file: a list of {condition, command, tolerance, expected: {path: figure}}."""
    listed: Sequence[Mapping[str, Any]] = yaml.safe_load(file.read_text(encoding="utf-8"))
    return tuple(_condition(each) for each in listed)


def compared(condition: Condition, report: Mapping[str, Any]) -> tuple[Compared, ...]:
    """Each figure of the condition beside what the report says; raises KeyError for a path that is none."""
    return tuple(
        Compared(condition.name, each.path, each.expected, measured(report, each.path), each.tolerance)
        for each in condition.figures
    )


def write(file: Path, results: Sequence[Compared]) -> None:
    """Put what was measured into the file; comments at its head and conditions not measured stay."""
    text = file.read_text(encoding="utf-8")
    head = "".join(itertools.takewhile(lambda line: line.startswith("#"), text.splitlines(keepends=True)))
    listed = yaml.safe_load(text)
    now = {(each.condition, each.path): round(each.measured, 2) for each in results}
    for condition in listed:
        told = condition["expected"]
        for path in told:
            figure = now.get((condition["condition"], path))
            if figure is not None and isinstance(told[path], dict):
                told[path]["figure"] = figure
            elif figure is not None:
                told[path] = figure
    blocks = (yaml.safe_dump([each], sort_keys=False, allow_unicode=True, width=100) for each in listed)
    file.write_text("\n".join((head.rstrip(), *blocks)), encoding="utf-8")


def measured(report: Mapping[str, Any], path: str) -> float:
    """The number at a path of a report; keys may be numbers ("recall.8"), and items of lists ("cases.0.seconds")."""
    found: Any = report
    for key in path.split("."):
        if isinstance(found, Sequence):
            found = found[int(key)]
        else:
            found = found[int(key)] if key.isdigit() and int(key) in found else found[key]
    return float(found)


def _condition(listed: Mapping[str, Any]) -> Condition:
    tolerance = float(listed.get("tolerance", 0.0))
    figures = []
    for path, figure in listed["expected"].items():
        own = figure if isinstance(figure, Mapping) else {"figure": figure}
        figures.append(Figure(str(path), float(own["figure"]), float(own.get("tolerance", tolerance))))
    return Condition(listed["condition"], listed["command"], tuple(figures))
