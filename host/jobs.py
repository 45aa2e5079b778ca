"""What each tool does, from loose parameters to a reply. The tools are doorways to these; so is MCP."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from evidence import pipeline
from evidence.context import Context
from evidence.errors import InvalidRequest
from evidence.model import Effort, Outcome, Question
from evidence.settings import Settings
from host.parameters import history, names, question_from, settings_from, text, whole_number
from host.passages import pool_from, queries_of
from host.replies import Reply, datasets_reply, documents_reply, reply
from host.wiring import Caller, open_context

type Parameters = Mapping[str, Any]


def ask(parameters: Parameters, caller: Caller) -> Reply:
    """A cited answer."""
    question, settings, ctx = _run(parameters, caller)
    _mind_the_model(settings, ctx)
    outcome = pipeline.ask(question, settings, ctx)
    return reply("ask", outcome, settings, ctx, _behind(outcome, settings, caller, ctx))


def quote(parameters: Parameters, caller: Caller) -> Reply:
    """Verbatim quotes that answer; no model is called."""
    question, settings, ctx = _run(parameters, caller, "extractive")
    outcome = pipeline.ask(question, settings, ctx)
    return reply("quote", outcome, settings, ctx, _behind(outcome, settings, caller, ctx))


def discover(parameters: Parameters, caller: Caller) -> Reply:
    """Ranked documents with reasons."""
    question, settings, ctx = _run(parameters, caller)
    return reply("discover", pipeline.discover(question, settings, ctx), settings, ctx)


def boost(parameters: Parameters, caller: Caller) -> Reply:
    """Query variants and keyword sets, each with its source."""
    question, settings, ctx = _run(parameters, caller)
    return reply("boost", pipeline.boost(question, settings, ctx), settings, ctx)


def search(parameters: Parameters, caller: Caller) -> Reply:
    """Fused passages with provenance."""
    question, settings, ctx = _run(parameters, caller)
    outcome = pipeline.search(question, settings, ctx)
    return reply("search", outcome, settings, ctx, _behind(outcome, settings, caller, ctx))


def aggregate(parameters: Parameters, caller: Caller) -> Reply:
    """An answer from passages handed in."""
    pool = pool_from(parameters)
    question, settings, ctx = _run(parameters, caller)
    _mind_the_model(settings, ctx)
    pool = replace(pool, queries=queries_of(pool))
    return reply("aggregate", pipeline.aggregate(question, pool, settings, ctx), settings, ctx)


def reflect(parameters: Parameters, caller: Caller) -> Reply:
    """A verdict on an answer handed in with its passages."""
    answer = text(parameters, "answer")
    if not answer:
        raise InvalidRequest("`answer` is required: the answer to be judged")
    pool = pool_from(parameters)
    question, settings, ctx = _run(parameters, caller)
    _mind_the_model(settings, ctx)
    return reply("reflect", pipeline.reflect(question, answer, pool, settings, ctx), settings, ctx)


def list_datasets(_parameters: Parameters, caller: Caller) -> Reply:
    """The datasets that the key and the allow-list permit."""
    settings = Settings.of("extractive")
    ctx = open_context(caller, settings)
    return datasets_reply(pipeline.list_datasets(settings, ctx), settings, ctx)


def list_documents(parameters: Parameters, caller: Caller) -> Reply:
    """One page of the documents whose name holds `name`."""
    page, limit = whole_number(parameters, "page", 1, 1_000_000), whole_number(parameters, "limit", 20, 100)
    datasets, name = names(parameters, "datasets"), text(parameters, "name", 500)
    settings = Settings.of("extractive")
    ctx = open_context(caller, settings)
    found = pipeline.list_documents(datasets, name, page, limit, settings, ctx)
    return documents_reply(found, page, limit, settings, ctx)


def _run(
    parameters: Parameters, caller: Caller, effort: Effort | None = None
) -> tuple[Question, Settings, Context]:
    question, settings = question_from(parameters), settings_from(parameters, effort)
    ctx = open_context(caller, settings, parameters.get("model"), text(parameters, "rerank_model", 300))
    if history(parameters)[1]:
        ctx.trace.degrade("only the newest 8,000 characters of `history` are read")
    return question, settings, ctx


def _behind(outcome: Outcome, settings: Settings, caller: Caller, ctx: Context) -> Callable[[], None]:
    """Reading on behind the answer, which returns at once.

    In a run of its own: its calls are not this question's, which only plans them.
    """
    pipeline.plan_ahead(outcome, settings, ctx)

    def read_on() -> None:
        pipeline.read_ahead(outcome, settings, open_context(caller, Settings.behind()))

    return read_on


def _mind_the_model(settings: Settings, ctx: Context) -> None:
    if ctx.llm is None and settings.effort != "extractive":
        ctx.trace.degrade(
            "no model is asked: none is chosen in the tool and none is in the plugin's credentials"
        )
