"""`ask` and `run`: a question through the plugin process, as Dify would put it."""

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from standalone.cli.failures import Failed, Misused
from standalone.cli.printing import lines, print_json, shown, timeline
from standalone.cli.sources import (
    SAMPLES,
    ChatModel,
    Source,
    add_documents,
    add_server,
    model_of_environment,
    plugin_process,
    source_of,
)
from standalone.daemon import PluginProcess, ToolResult
from standalone.page.answer import Shown, page

# Two documents answer it, and they disagree.
QUESTION = "How long may we keep the interview notes of applicants whom we did not hire?"
NO_MODEL = "no model (LLM_BASE_URL and LLM_MODEL are not set): extractive mode"
_PASSED_ON = ("datasets", "history", "instructions", "effort", "top_k", "seconds")


def register(commands: Any) -> None:
    """Add `ask` and `run`."""
    ask = commands.add_parser("ask", help="ask a question of a folder or of a Dify server")
    ask.add_argument("question")
    add_server(ask)
    ask.add_argument("--datasets", metavar="NAMES", help="ids or names, separated by commas (default: all)")
    _shared(ask)
    ask.set_defaults(run=_ask)
    run = commands.add_parser("run", help="the main job on the sample documents, or on --documents")
    run.add_argument("question", nargs="?", help="default: one that the sample documents answer")
    _shared(run)
    run.set_defaults(run=_ask, base_url=None, api_key=None, datasets=None)


def _shared(parser: argparse.ArgumentParser) -> None:
    add_documents(parser)
    parser.add_argument("--effort", choices=("extractive", "fast", "balanced", "thorough"))
    parser.add_argument("--history", metavar="TEXT", help="earlier turns, newest last")
    parser.add_argument("--instructions", metavar="TEXT", help="guidance on the field")
    parser.add_argument("--top-k", type=_between(1, 50), metavar="N", help="passages, 1 to 50 (default 8)")
    parser.add_argument(
        "--seconds", type=_between(1, 240), metavar="N", help="deadline, 1 to 240 (default 60)"
    )
    parser.add_argument("--json", action="store_true", help="the whole result as JSON")
    parser.add_argument("--html", type=Path, metavar="FILE", help="also write the answer as a page, one file")
    parser.add_argument("--timeline", action="store_true", help="also draw when each step began and ended")


def _between(lowest: int, highest: int) -> Callable[[str], int]:
    def whole(given: str) -> int:
        if not given.isascii() or not given.isdigit() or not lowest <= int(given) <= highest:
            raise argparse.ArgumentTypeError(f"{given} is no whole number from {lowest} to {highest}")
        return int(given)

    return whole


def _ask(options: argparse.Namespace) -> int:
    if options.question is None and (options.documents or SAMPLES).resolve() != SAMPLES:
        raise Misused("a question is needed: these are not the sample documents")
    options.question = QUESTION if options.question is None else options.question
    if not options.question.strip():
        raise Misused("the question is empty")
    model = model_of_environment()
    with source_of(options) as source, plugin_process(model) as plugin:
        result = _answer(plugin, options, source, model)
    if options.html:
        write_page(options.html, options.question, result.json)
    if options.json:
        print_json(result.json)
    else:
        thinking = f"model: {model.name}" if model else NO_MODEL
        drawn = ("", timeline(result.json["receipt"])) if options.timeline else ()
        print("\n".join(lines(*shown(result.text, result.json, (source.told, thinking)), *drawn)))
    return 0 if result.json["status"] in ("answered", "partial") else 3


def write_page(file: Path, question: str, result: Mapping[str, Any]) -> None:
    """Write the answer as a page that needs nothing but itself; raises Failed."""
    written = "".join(page(question, lambda: Shown(result), form=False))
    try:
        file.write_text(written, encoding="utf-8", errors="replace")
    except OSError as error:
        raise Failed(f"{file} cannot be written: {error.strerror}") from error


def _answer(
    plugin: PluginProcess, options: argparse.Namespace, source: Source, model: ChatModel | None
) -> ToolResult:
    given = {name: getattr(options, name) for name in _PASSED_ON if getattr(options, name) is not None}
    chosen = {"model": model.selector} if model else {}
    parameters = {"query": options.question, **given, **chosen}
    return plugin.invoke_tool("ask" if model else "quote", parameters, source.credentials)
