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
from host.view.compact import compacted
from host.view.json import result_items


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
    """The settings and context of one run, and how much its JSON is to hold."""

    settings: Settings
    ctx: Context
    output: Output = "full"

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
    """Text, JSON object and variables, each fit for one message, and what is left to do."""

    text: str
    json: dict[str, Any]
    variables: dict[str, Any]
    afterwards: Callable[[], None] = _nothing


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
    passages = result.pool.passages if isinstance(result, Outcome) else ()
    given = shown(values | {"result": result_items(passages)})
    whole = {name: given[name] for name in values}
    return Reply(
        short(shown(view.text(result, status, receipt))),
        fitted(compacted(whole) if run.output == "compact" else whole),
        {name: fitted({name: given[name]})[name] for name in variables},
        ended.afterwards,
    )
