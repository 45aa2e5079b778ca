"""The commands and their exit statuses."""

import argparse
import io
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from evidence.language.printable import printable
from standalone.cli import asking, diagnosing, evaluating, fronting, indexing, serving
from standalone.cli.failures import Failed, Misused


def main(arguments: Sequence[str]) -> int:
    """0 answered, 3 nothing found or ambiguous, 1 failed, 2 wrong usage."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # documents may hold what a terminal cannot show
    try:
        options = _parser().parse_args(arguments)
        status: int = options.run(options)
    except Failed as error:
        _complain(error)
        return 1
    except Misused as error:
        _complain(error)
        return 2
    except KeyboardInterrupt:
        return 130  # as a shell reports an interrupt
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # else Python complains at its end
        return 141  # as a shell reports a reader that left
    return status


def _complain(error: Exception) -> None:
    print(f"standalone: {' '.join(printable(str(error)).split())}", file=sys.stderr)


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line; the usage is for who asks for help."""

    def error(self, message: str) -> NoReturn:
        raise Misused(f"{message} (see --help)")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="python -m standalone",
        description="Ask questions of documents: a cited answer, every quote verified.",
        epilog="Exit status: 0 answered or partial, 3 not found or ambiguous, 1 failed, 2 wrong usage. "
        "With LLM_BASE_URL, LLM_API_KEY and LLM_MODEL set, answers are written by that model.",
    )
    commands = parser.add_subparsers(required=True, metavar="command")
    for module in (asking, diagnosing, evaluating, serving, fronting, indexing):
        module.register(commands)
    return parser
