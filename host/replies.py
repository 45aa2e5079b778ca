"""The reply of a tool, before it is put into Dify's messages; an endpoint says the same over HTTP."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol

from evidence.context import Context
from evidence.limits import Limits, Meter
from evidence.model import Outcome, Status
from evidence.settings import Settings
from evidence.trace import Receipt, Trace
from host.boundary import boundary
from host.fitting import fitted, short, shown
from host.parameters import Output
from host.proof.settings import NO_PROOFS, Proofs
from host.view.compact import compacted
from host.view.json import result_items
from host.view.links import linked, with_links


def _nothing() -> None:
    """Nothing is left to do."""


class Charged(Protocol):
    """What a tool spent, and how much its JSON is to hold."""

    @property
    def meter(self) -> Meter: ...
    @property
    def trace(self) -> Trace: ...
    @property
    def output(self) -> Output: ...


@dataclass(frozen=True, slots=True)
class Run:
    """The settings and context of one run, how much its JSON is to hold, and where its quotes can be looked up."""

    settings: Settings
    ctx: Context
    output: Output = "full"
    proofs: Proofs = NO_PROOFS

    @property
    def meter(self) -> Meter:
        return self.ctx.meter

    @property
    def trace(self) -> Trace:
        return self.ctx.trace


@dataclass(frozen=True, slots=True)
class Ended[Result]:
    """The result of a tool; `afterwards` is called once, by `quietly`, behind the reply, and returns at once."""

    result: Result
    run: Charged
    afterwards: Callable[[], None] = _nothing


@dataclass(frozen=True, slots=True)
class View[Result]:
    """How a result is shown, in Markdown and as JSON, once it is known how the tool ended."""

    text: Callable[[Result, Status, Receipt], str]
    status: Callable[[Result], Status]
    json: Callable[[Result, Status, Receipt, Limits], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Reply:
    """Text, JSON object and variables, each fit for one message, and what is left to do.

    `links` are the addresses of the proofs, with the names of their documents.
    """

    text: str
    json: dict[str, Any]
    variables: dict[str, Any]
    afterwards: Callable[[], None] = _nothing
    links: tuple[tuple[str, str], ...] = ()


class _Unsaid(Exception):
    """A failure that nobody is told."""


def quietly(call: Callable[[], None]) -> None:
    """The answer has been given: what fails now is no part of it. A bug is logged."""
    with suppress(_Unsaid), boundary(_Unsaid):
        call()


def reply[Result](view: View[Result], variables: tuple[str, ...], ended: Ended[Result]) -> Reply:
    """The reply of a tool; `variables` are fields of its JSON, and `result`, the passages of an outcome."""
    run, result = ended.run, ended.result
    receipt, status = run.trace.receipt(run.meter.spent()), view.status(result)
    values = view.json(result, status, receipt, run.meter.limits)
    written, proofs = view.text(result, status, receipt), run.proofs if isinstance(run, Run) else NO_PROOFS
    passages = result.pool.passages if isinstance(result, Outcome) else ()
    if isinstance(result, Outcome) and (links := _links(result, proofs)):
        values, written = with_links(values, links), linked(written, links)
    given = shown(values | {"result": result_items(passages, proofs.whole)})
    whole = {name: given[name] for name in values}
    return Reply(
        short(shown(written)),
        fitted(compacted(whole) if run.output == "compact" else whole),
        {name: fitted({name: given[name]})[name] for name in variables},
        ended.afterwards,
        tuple(
            (f"[{entry['marker']}] {entry['document_name']}", entry["proof"])
            for entry in given.get("citations", ())
            if entry["proof"]
        ),
    )


def _links(outcome: Outcome, proofs: Proofs) -> dict[int, str]:
    """The addresses of the proofs by their markers."""
    citations = outcome.answer.citations if outcome.answer else ()
    links = {entry.marker: proofs.of(entry.quote.segment, entry.quote.span) for entry in citations}
    return {marker: url for marker, url in links.items() if url}
