"""The commands of docs/reliability.md, which hold the plugin to its promises in a hostile world: faults, fuzz, soak."""

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bench import faults, fuzz, fuzz_process, soak
from bench.fuzz_borders import BORDERS
from bench.stand import DOCUMENTS, Stand
from standalone.knowledge import load_folder


def run_faults(options: argparse.Namespace) -> Mapping[str, Any]:
    report = faults.measure(faults.Wanted(options.runs, options.routes, options.faults))
    shown = f"{faults.tables(report)}\n\n{faults.counts(report)}\n{faults.defects(report)}"
    print(faults.page(report) if options.markdown else shown)
    return report


def run_fuzz(options: argparse.Namespace) -> Mapping[str, Any]:
    with Stand(load_folder(DOCUMENTS)) as stand:
        whole = fuzz_process.borders(stand)
        chosen = [
            border for border in (*BORDERS, *whole) if not options.borders or border.name in options.borders
        ]
        report = fuzz.measure(options.minutes, options.seed, chosen)
    print(fuzz.page(report) if options.markdown else f"{fuzz.tables(report)}\n\n{fuzz.findings(report)}")
    if report["lines"]:
        fuzz.keep(report, unfit=[border.name for border in whole])  # the tests try them without a process
    return report


def run_soak(options: argparse.Namespace) -> Mapping[str, Any]:
    report = soak.measure(options.questions, options.seed)
    print(soak.page(report) if options.markdown else f"{soak.tables(report)}\n\n{soak.defects(report)}")
    return report


def _add_faults(commands: Any) -> None:
    spoiled = commands.add_parser("faults", help="every fault on every route for every tool")
    spoiled.add_argument("--runs", nargs="+", choices=faults.RUNS, default=(), metavar="RUN")
    spoiled.add_argument("--routes", nargs="+", choices=faults.ROUTES, default=(), metavar="ROUTE")
    spoiled.add_argument(
        "--faults", nargs="+", default=(), metavar="WORDS", help="whose name holds these words"
    )
    _shown(spoiled)
    spoiled.set_defaults(run=run_faults)


def _add_fuzz(commands: Any) -> None:
    random = commands.add_parser("fuzz", help="random inputs at every border; those that break are kept")
    random.add_argument("--minutes", type=float, default=5.0, metavar="N")
    random.add_argument("--seed", type=int, default=1, metavar="S")
    random.add_argument("--borders", nargs="+", default=(), metavar="BORDER")
    _shown(random)
    random.set_defaults(run=run_fuzz)


def _add_soak(commands: Any) -> None:
    stormy = commands.add_parser("soak", help="thousands of questions of two tenants, with faults at random")
    stormy.add_argument("--questions", type=int, default=10_000, metavar="N")
    stormy.add_argument("--seed", type=int, default=1, metavar="S")
    _shown(stormy)
    stormy.set_defaults(run=run_soak)


def _shown(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--markdown", action="store_true", help="its section of docs/reliability.md")
    parser.add_argument("--json", type=Path, metavar="FILE")


COMMANDS = (_add_faults, _add_fuzz, _add_soak)
