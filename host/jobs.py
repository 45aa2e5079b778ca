"""What each tool does, from loose parameters to a reply. The tools are doorways to these; so is MCP."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from evidence import pipeline
from evidence.errors import InvalidRequest
from evidence.language.printable import printable
from evidence.model import Effort, Outcome, Question
from evidence.settings import Settings
from host.parameters import (
    history,
    model_from,
    names,
    output_from,
    question_from,
    settings_from,
    text,
    whole_number,
)
from host.passages import pool_from, queries_of
from host.replies import Reply, Run, datasets_reply, documents_reply, reply
from host.wiring import Caller, open_context

type Parameters = Mapping[str, Any]

_LISTING_SECONDS = 30.0  # of the tools that take no `seconds`


def ask(parameters: Parameters, caller: Caller) -> Reply:
    """A cited answer."""
    question, run = _run(parameters, caller)
    _mind_the_model(run)
    outcome = pipeline.ask(question, run.settings, run.ctx)
    return reply("ask", outcome, run, _behind(outcome, run, caller))


def quote(parameters: Parameters, caller: Caller) -> Reply:
    """Verbatim quotes that answer; no model is called."""
    question, run = _run(parameters, caller, "extractive")
    outcome = pipeline.ask(question, run.settings, run.ctx)
    return reply("quote", outcome, run, _behind(outcome, run, caller))


def discover(parameters: Parameters, caller: Caller) -> Reply:
    """Ranked documents with reasons."""
    question, run = _run(parameters, caller)
    return reply("discover", pipeline.discover(question, run.settings, run.ctx), run)


def boost(parameters: Parameters, caller: Caller) -> Reply:
    """Query variants and keyword sets, each with its source."""
    question, run = _run(parameters, caller)
    return reply("boost", pipeline.boost(question, run.settings, run.ctx), run)


def search(parameters: Parameters, caller: Caller) -> Reply:
    """Fused passages with provenance."""
    question, run = _run(parameters, caller)
    outcome = pipeline.search(question, run.settings, run.ctx)
    return reply("search", outcome, run, _behind(outcome, run, caller))


def aggregate(parameters: Parameters, caller: Caller) -> Reply:
    """An answer from passages handed in."""
    pool, warnings = pool_from(parameters)
    question, run = _run(parameters, caller)
    run.ctx.trace.degrade(*warnings)
    _mind_the_model(run)
    pool = replace(pool, queries=queries_of(pool))
    return reply("aggregate", pipeline.aggregate(question, pool, run.settings, run.ctx), run)


def reflect(parameters: Parameters, caller: Caller) -> Reply:
    """A verdict on an answer handed in with its passages."""
    answer = printable(text(parameters, "answer")).strip()
    if not answer:
        raise InvalidRequest("`answer` is required: the answer to be judged")
    pool, warnings = pool_from(parameters)
    question, run = _run(parameters, caller)
    run.ctx.trace.degrade(*warnings)
    _mind_the_model(run)
    return reply("reflect", pipeline.reflect(question, answer, pool, run.settings, run.ctx), run)


def list_datasets(parameters: Parameters, caller: Caller) -> Reply:
    """The datasets that the key and the allow-list permit."""
    run = _listing(parameters, caller)
    return datasets_reply(pipeline.list_datasets(run.settings, run.ctx), run)


def list_documents(parameters: Parameters, caller: Caller) -> Reply:
    """One page of the documents whose name holds `name`."""
    page, limit = whole_number(parameters, "page", 1, 1_000_000), whole_number(parameters, "limit", 20, 100)
    datasets, name = names(parameters, "datasets"), text(parameters, "name", 500)
    run = _listing(parameters, caller)
    found = pipeline.list_documents(datasets, name, page, limit, run.settings, run.ctx)
    return documents_reply(found, page, limit, run)


def _run(parameters: Parameters, caller: Caller, effort: Effort | None = None) -> tuple[Question, Run]:
    question, settings = question_from(parameters), settings_from(parameters, effort)
    output = output_from(parameters)
    ctx = open_context(caller, settings, model_from(parameters), text(parameters, "rerank_model", 300))
    if history(parameters)[1]:
        ctx.trace.degrade("only the newest 8,000 characters of `history` are read")
    return question, Run(settings, ctx, output)


def _listing(parameters: Parameters, caller: Caller) -> Run:
    output, settings = output_from(parameters), Settings.of("extractive", seconds=_LISTING_SECONDS)
    return Run(settings, open_context(caller, settings), output)


def _behind(outcome: Outcome, run: Run, caller: Caller) -> Callable[[], None]:
    """Reading on behind the answer, which returns at once.

    In a run of its own: its calls are not this question's, which only plans them.
    """
    pipeline.plan_ahead(outcome, run.settings, run.ctx)

    def read_on() -> None:
        pipeline.read_ahead(outcome, run.settings, open_context(caller, Settings.behind()))

    return read_on


def _mind_the_model(run: Run) -> None:
    if run.ctx.llm is None and run.settings.effort != "extractive":
        run.ctx.trace.degrade(
            "no model is asked: none is chosen in the tool and none is in the plugin's credentials"
        )
