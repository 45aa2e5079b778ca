"""What each tool does, from parameters to a result."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from evidence import pipeline
from evidence.corpus.building import IndexReport, build, report_of, store_in
from evidence.errors import InvalidRequest
from evidence.evaluation.drafting import drafts
from evidence.evaluation.expected import Expected, expected_of
from evidence.evaluation.measured import Measured
from evidence.evaluation.measuring import measure
from evidence.language.printable import printable
from evidence.limits import Meter
from evidence.model import Effort, Outcome, Question
from evidence.settings import Settings
from evidence.trace import Trace
from host.doctor import LIMITS, Examined, findings
from host.parameters import (
    ACTION,
    LANGUAGE,
    LIMIT,
    LONGEST_QUESTIONS,
    OUTPUT,
    PAGE,
    SECONDS,
    SUGGEST,
    history,
    model_from,
    names,
    number,
    one_of,
    question_from,
    settings_from,
    text,
    whole_number,
)
from host.passages import pool_from, queries_of
from host.proof.settings import proofs_of
from host.replies import Ended, Run
from host.view.diagnosis import Diagnosis
from host.view.evaluation import Evaluation
from host.view.json import Listing
from host.view.links import unlinked
from host.wiring import Caller, open_context

type Parameters = Mapping[str, Any]

_LISTING_SECONDS = 30.0  # of the tools that take no `seconds`

_LEAST_SECONDS = 0.5  # for one more question of an evaluation


def ask(parameters: Parameters, caller: Caller) -> Ended[Outcome]:
    """A cited answer."""
    question, run = _run(parameters, caller)
    _note_no_model(run)
    return _read_on(run.ctx.ending(lambda: pipeline.ask(question, run.settings, run.ctx)), run, caller)


def quote(parameters: Parameters, caller: Caller) -> Ended[Outcome]:
    """Verbatim quotes that answer; no model is called."""
    question, run = _run(parameters, caller, "extractive")
    return _read_on(run.ctx.ending(lambda: pipeline.ask(question, run.settings, run.ctx)), run, caller)


def discover(parameters: Parameters, caller: Caller) -> Ended[Outcome]:
    """Ranked documents with reasons."""
    question, run = _run(parameters, caller)
    return Ended(run.ctx.ending(lambda: pipeline.discover(question, run.settings, run.ctx)), run)


def boost(parameters: Parameters, caller: Caller) -> Ended[Outcome]:
    """Query variants and keyword sets, each with its source."""
    question, run = _run(parameters, caller)
    return Ended(run.ctx.ending(lambda: pipeline.boost(question, run.settings, run.ctx)), run)


def search(parameters: Parameters, caller: Caller) -> Ended[Outcome]:
    """Fused passages with provenance."""
    question, run = _run(parameters, caller)
    return _read_on(run.ctx.ending(lambda: pipeline.search(question, run.settings, run.ctx)), run, caller)


def aggregate(parameters: Parameters, caller: Caller) -> Ended[Outcome]:
    """An answer from passages handed in."""
    pool, warnings = pool_from(parameters)
    question, run = _run(parameters, caller)
    run.ctx.trace.degrade(*warnings)
    _note_no_model(run)
    pool = replace(pool, queries=queries_of(pool))
    return Ended(run.ctx.ending(lambda: pipeline.aggregate(question, pool, run.settings, run.ctx)), run)


def reflect(parameters: Parameters, caller: Caller) -> Ended[Outcome]:
    """A verdict on an answer handed in with its passages."""
    answer = unlinked(printable(text(parameters, "answer"))).strip()
    if not answer:
        raise InvalidRequest("`answer` is required: the answer to be judged")
    pool, warnings = pool_from(parameters)
    question, run = _run(parameters, caller)
    run.ctx.trace.degrade(*warnings)
    _note_no_model(run)
    return Ended(run.ctx.ending(lambda: pipeline.reflect(question, answer, pool, run.settings, run.ctx)), run)


def list_datasets(parameters: Parameters, caller: Caller) -> Ended[IndexReport]:
    """The datasets that the key and the allow-list permit."""
    run = _listing(parameters, caller)
    return Ended(run.ctx.ending(lambda: report_of(pipeline.list_datasets(run.ctx), run.ctx)), run)


def index(parameters: Parameters, caller: Caller) -> Ended[IndexReport]:
    """How far the index is built, after what was to be done with it."""
    action, datasets = one_of(parameters, ACTION), names(parameters, "datasets")
    settings = Settings.building(number(parameters, SECONDS))
    run = Run(settings, open_context(caller, settings), one_of(parameters, OUTPUT))
    if action == "drop" and not datasets:
        store_in(run.ctx).drop()
        return Ended(report_of((), run.ctx), run)

    def done() -> IndexReport:
        chosen = pipeline.list_datasets(run.ctx, datasets)
        if action == "drop":
            for dataset in chosen:
                store_in(run.ctx).drop(dataset.dataset_id)
        if action in {"build", "refresh"}:
            return build(chosen, run.ctx, again=action == "refresh")
        return report_of(chosen, run.ctx)

    return Ended(run.ctx.ending(done), run)


def list_documents(parameters: Parameters, caller: Caller) -> Ended[Listing]:
    """One page of the documents whose name holds `name`."""
    page, limit = whole_number(parameters, PAGE), whole_number(parameters, LIMIT)
    datasets, name = names(parameters, "datasets"), text(parameters, "name", 500)
    run = _listing(parameters, caller)
    documents = run.ctx.ending(
        lambda: pipeline.list_documents(datasets, name, page, limit, run.settings, run.ctx)
    )
    return Ended(Listing(documents, page, limit), run)


def evaluate(parameters: Parameters, caller: Caller) -> Ended[Evaluation]:
    """Questions held to what is expected of their answers, or with `suggest` such questions drafted."""
    count, given = whole_number(parameters, SUGGEST), text(parameters, "questions", LONGEST_QUESTIONS)
    datasets, settings = names(parameters, "datasets"), settings_from(parameters)
    output = one_of(parameters, OUTPUT)
    if bool(count) == bool(given):
        raise InvalidRequest(
            "either `questions` in CSV or JSON Lines, or `suggest` with a number of them, is needed"
        )
    run = Run(settings, open_context(caller, settings), output)
    if count:
        return Ended(Evaluation((), run.ctx.ending(lambda: drafts(count, datasets, run.ctx))), run)
    return Ended(Evaluation(tuple(_measured(expected_of(given), datasets, run, caller))), run)


def _measured(
    questions: Sequence[Expected], datasets: tuple[str, ...], run: Run, caller: Caller
) -> Iterator[Measured]:
    """One question after the other, each in runs of its own, for as long as the evaluation may last."""
    for place, expected in enumerate(questions):
        left = run.ctx.deadline.left()
        if left < _LEAST_SECONDS:
            run.ctx.trace.degrade(
                f"no time was left for {len(questions) - place} of {len(questions)} questions"
            )
            return
        settings = replace(run.settings, limits=replace(run.settings.limits, seconds=math.ceil(left)))
        scoped = replace(expected, datasets=expected.datasets or datasets)
        measured = measure(scoped, settings, partial(open_context, caller))
        for name in ("knowledge_calls", "model_calls"):
            run.ctx.meter.settle(name, 0, getattr(measured, name))
        if measured.status == "failed":
            run.ctx.trace.degrade(f"evaluate: a question could not be asked ({measured.about})")
        yield measured


def doctor(parameters: Parameters, caller: Caller) -> Ended[Diagnosis]:
    """What works, what does not, and what to do about it."""
    language, output = one_of(parameters, LANGUAGE), one_of(parameters, OUTPUT)
    run = Examined(caller.credentials, Meter(LIMITS, waited=caller.waited), Trace(), output)
    return Ended(Diagnosis(findings(run), language), run)


def _run(parameters: Parameters, caller: Caller, effort: Effort | None = None) -> tuple[Question, Run]:
    question, settings = question_from(parameters), settings_from(parameters, effort)
    output = one_of(parameters, OUTPUT)
    ctx = open_context(caller, settings, model_from(parameters), text(parameters, "rerank_model", 300))
    if history(parameters)[1]:
        ctx.trace.degrade("only the newest 8,000 characters of `history` are read")
    return question, Run(settings, ctx, output, proofs_of(caller.credentials, question.text))


def _listing(parameters: Parameters, caller: Caller) -> Run:
    output, settings = one_of(parameters, OUTPUT), Settings.of("extractive", seconds=_LISTING_SECONDS)
    return Run(settings, open_context(caller, settings), output)


def _read_on(outcome: Outcome, run: Run, caller: Caller) -> Ended[Outcome]:
    """The outcome, and reading on behind it, which returns at once.

    In a run of its own: its calls are not this question's, which only plans them.
    """
    pipeline.plan_ahead(outcome, run.settings, run.ctx)

    def read_on() -> None:
        pipeline.read_ahead(
            outcome, run.settings, open_context(replace(caller, waited=0.0), Settings.behind())
        )

    return Ended(outcome, run, read_on)


def _note_no_model(run: Run) -> None:
    if run.ctx.llm is None and run.settings.effort != "extractive":
        run.ctx.trace.degrade("no model configured (tool or credentials); answered extractively")
