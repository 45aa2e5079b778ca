"""Random inputs at every border: nothing but a declared error is raised, and what must hold of an answer holds."""

import json
import random
import time
import traceback
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from bench.fuzz_border import Border
from bench.fuzz_borders import BORDERS
from bench.fuzz_inputs import Inputs
from bench.tables import table

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / "tests" / "bench" / "fuzzed.jsonl"
_LONGEST_KEPT = 4_000  # characters of an input that is kept whole
_LONGEST_TEXT = 20_000  # characters of a long text, where there are minutes
_SLOW = 1.0  # seconds of processor time that one input may take


@dataclass(frozen=True, slots=True)
class Finding:
    """An input that broke something; `place` is where, in our own code."""

    border: str
    seed: str
    input: Any
    why: str

    def line(self) -> str:
        """For the file of kept inputs: the input itself, or what makes it where it is long."""
        whole = json.dumps({"border": self.border, "why": self.why, "input": self.input})
        if len(whole) <= _LONGEST_KEPT:
            return whole
        return json.dumps({"border": self.border, "why": self.why, "seed": self.seed})


def made(border: Border, seed: str, longest: int = 3_000) -> Any:
    """The input of a border that this seed makes."""
    return border.make(Inputs(random.Random(f"{border.name} {seed}"), longest))  # noqa: S311 - to be repeated


def tried(border: Border, given: Any, timed: bool = False) -> str:
    """What is wrong with what becomes of an input; empty where nothing is."""
    began = time.process_time()
    try:
        border.run(given)
    except Exception as error:  # noqa: BLE001 - whatever is raised is what is looked for
        return f"{type(error).__name__}: {str(error)[:200]} at {_place(error)}"
    spent = time.process_time() - began
    return f"took {spent:.1f} s of processor time" if timed and spent > _SLOW else ""


def _place(error: Exception) -> str:
    """The deepest frame of the product, else of whatever."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [
        each for each in frames if Path(each.filename).is_relative_to(ROOT) and "/.venv/" not in each.filename
    ]
    deepest = (own or frames)[-1]
    return f"{Path(deepest.filename).name}:{deepest.lineno}"


def inputs(count: int, seed: int, borders: Sequence[Border] = BORDERS) -> Iterator[tuple[Border, str]]:
    """So many inputs, spread over the borders by their shares; each with the seed that makes it."""
    whole = sum(each.share for each in borders)
    for border in borders:
        for number in range(round(count * border.share / whole)):
            yield border, f"{seed}:{number}"


def endless(seed: int, borders: Sequence[Border]) -> Iterator[tuple[Border, str]]:
    number = 0
    while True:
        number += 1
        for border, each in inputs(sum(border.share for border in borders), seed, borders):
            yield border, f"{each}:{number}"


def measure(
    minutes: float,
    seed: int,
    borders: Sequence[Border] = BORDERS,
    most: int | None = None,
) -> dict[str, Any]:
    """As many inputs as fit, but not more than `most`; status 1 where one of them broke something."""
    until = time.monotonic() + 60 * minutes
    counted: Counter[str] = Counter()
    found: dict[tuple[str, str], Finding] = {}
    for border, each in islice(endless(seed, borders), most):
        if time.monotonic() > until:
            break
        given = made(border, each, _LONGEST_TEXT)
        counted[border.name] += 1
        if why := tried(border, given, timed=True):
            found.setdefault((border.name, _kind(why)), Finding(border.name, each, given, why))
    return {
        "status": int(bool(found)),
        "seed": seed,
        "minutes": minutes,
        "inputs": dict(counted),
        "findings": [(each.border, each.seed, each.why) for each in found.values()],
        "lines": [each.line() for each in found.values()],
    }


def _kind(why: str) -> str:
    """Findings of one exception at one place are one."""
    return f"{why.partition(':')[0]} {why.rpartition(' at ')[2]}"


def keep(report: Mapping[str, Any], file: Path = KEPT, unfit: Collection[str] = ()) -> None:
    """Adds the inputs that broke something to those that the tests try for ever, but for those of `unfit` borders."""
    known = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    fit = [line for line in report["lines"] if json.loads(line)["border"] not in unfit]
    lines = dict.fromkeys([*known, *fit])
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def again(file: Path = KEPT) -> list[str]:
    """What of the kept inputs still breaks."""
    by_name = {border.name: border for border in BORDERS}
    broken = []
    for line in file.read_text(encoding="utf-8").splitlines():
        kept = json.loads(line)
        border = by_name[kept["border"]]
        given = kept["input"] if "input" in kept else made(border, kept["seed"], _LONGEST_TEXT)
        if why := tried(border, given):
            broken.append(f"{border.name}: {why}; it was {kept['why']}")
    return broken


_HEAD = """## Random inputs

Made by `python -m bench fuzz --minutes {minutes:g} --seed {seed} --markdown`. Inputs are samples that were spoiled, and
nonsense; at each border nothing but a declared error may be raised, no input may take more than {slow:g} s of processor
time, and what is returned must hold: quotes are their spans, JSON has no NaN, sizes are bounded, nothing that steers a
terminal is shown, "answered" has a quote. What broke something without a process is kept in `tests/bench/fuzzed.jsonl`,
which the tests try again; they also try 20,000 inputs of one seed.
"""


def tables(report: Mapping[str, Any]) -> str:
    broken = Counter(border for border, _, _ in report["findings"])
    rows = [(name, f"{count:,}", str(broken[name])) for name, count in report["inputs"].items()]
    whole = ("all", f"{sum(report['inputs'].values()):,}", str(broken.total()))
    return table(["border", "inputs", "broken"], [*rows, whole])


def findings(report: Mapping[str, Any]) -> str:
    return "\n".join(f"{border} ({seed}): {why}" for border, seed, why in report["findings"])


def page(report: Mapping[str, Any]) -> str:
    """The section of docs/reliability.md, without a line break at its end."""
    head = _HEAD.format(minutes=report["minutes"], seed=report["seed"], slow=_SLOW)
    left = f"\n\n```text\n{findings(report)}\n```" if report["findings"] else ""
    return f"{head}\n```text\n{tables(report)}\n```{left}"
