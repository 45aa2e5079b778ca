"""What a tool says, before it is put into Dify's messages; an endpoint says the same over HTTP."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from evidence.context import Context
from evidence.model import Dataset, Document, Outcome, Page
from evidence.settings import Settings
from evidence.trace import Receipt
from host.boundary import boundary
from host.fitting import fitted, readable, short
from host.parameters import Output
from host.payload import (
    SCHEMA,
    Tool,
    compacted,
    dataset_fields,
    document_fields,
    payload,
    receipt_of,
    result_items,
)
from host.rendering import datasets_markdown, documents_markdown, markdown

# The variables that each tool declares in its output_schema.
_VARIABLES: Mapping[Tool, tuple[str, ...]] = {
    "ask": ("answer", "status", "citations", "documents", "receipt", "result"),
    "quote": ("answer", "status", "citations", "documents", "receipt", "result"),
    "discover": ("status", "documents", "receipt"),
    "boost": ("status", "receipt"),
    "search": ("status", "documents", "receipt", "result"),
    "aggregate": ("answer", "status", "citations", "receipt", "result"),
    "reflect": ("status", "receipt"),
}


def _nothing() -> None:
    """Nothing is left to do."""


@dataclass(frozen=True, slots=True)
class Reply:
    """Text, JSON object and variables, each fit for one message.

    `afterwards` is called once, by `quietly`, when all has been said, and returns at once.
    """

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


@dataclass(frozen=True, slots=True)
class Run:
    """What a tool ran with, and how much its JSON is to hold."""

    settings: Settings
    ctx: Context
    output: Output = "full"

    @property
    def receipt(self) -> Receipt:
        return self.ctx.trace.receipt(self.ctx.meter.spent())


def reply(tool: Tool, outcome: Outcome, run: Run, afterwards: Callable[[], None] = _nothing) -> Reply:
    """The reply of a tool that ran a stage."""
    receipt = run.receipt
    full = payload(tool, outcome, receipt, run.settings.limits)
    values = full | {"result": result_items(outcome.pool.passages)}
    variables = {name: values[name] for name in _VARIABLES[tool]}
    fit = _fit(markdown(tool, outcome, receipt), full, variables, run.output)
    return replace(fit, afterwards=afterwards)


def datasets_reply(datasets: tuple[Dataset, ...], run: Run) -> Reply:
    receipt = run.receipt
    fields = {"datasets": [dataset_fields(each) for each in datasets], "total": len(datasets)}
    values = _catalogue(fields, bool(datasets), receipt_of(receipt, run.settings.limits), receipt.degraded)
    variables = {name: values[name] for name in ("status", "receipt")}
    return _fit(datasets_markdown(datasets, receipt), values, variables, run.output)


def documents_reply(found: Page[Document], page: int, limit: int, run: Run) -> Reply:
    receipt = run.receipt
    fields = {
        "documents": [document_fields(each) for each in found.items],
        "total": found.total,
        "page": page,
        "limit": limit,
        "pages": -(-found.total // limit),
    }
    values = _catalogue(fields, bool(found.items), receipt_of(receipt, run.settings.limits), receipt.degraded)
    variables = {name: values[name] for name in ("status", "documents", "receipt")}
    return _fit(documents_markdown(found, page, limit, receipt), values, variables, run.output)


def _catalogue(
    fields: Mapping[str, Any], found: bool, receipt: Mapping[str, Any], degraded: tuple[str, ...]
) -> dict[str, Any]:
    status = "answered" if found else "not_found"
    return {"schema": SCHEMA, "status": status, **fields, "degraded": list(degraded), "receipt": receipt}


def _fit(text: str, values: dict[str, Any], variables: Mapping[str, Any], output: Output) -> Reply:
    fit = {name: fitted({name: readable(value)})[name] for name, value in variables.items()}
    shown = compacted(values) if output == "compact" else values
    return Reply(short(readable(text)), fitted(readable(shown)), fit)
