"""The tools, one row each. The forms that Dify shows, what MCP clients are told and every reply are made from them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from host import jobs
from host.parameters import PARAMETERS, Parameter
from host.replies import Ended, Reply, View, reply
from host.view import diagnosis, evaluation, json, markdown, status
from host.wiring import Caller


@dataclass(frozen=True, slots=True)
class ToolRow[Result]:
    """`parameters` are names of host.parameters, `variables` fields of the JSON: both in the order they are shown."""

    name: str
    job: Callable[[Mapping[str, Any], Caller], Ended[Result]]
    view: View[Result]
    parameters: tuple[str, ...]
    variables: tuple[str, ...]

    @property
    def takes(self) -> tuple[Parameter, ...]:
        return tuple(PARAMETERS[name] for name in self.parameters)

    def reply(self, parameters: Mapping[str, Any], caller: Caller) -> Reply:
        """The reply of the tool; raises EvidenceError."""
        return self.shown(self.job(parameters, caller))

    def shown(self, ended: Ended[Result]) -> Reply:
        return reply(self.view, self.variables, ended)


_ANSWER = View(markdown.answer, status.answered, json.outcome_json)
_DOCUMENTS = View(markdown.documents, status.by_documents, json.outcome_json)
_QUERIES = View(markdown.queries, status.by_queries, json.outcome_json)
_PASSAGES = View(markdown.passages, status.by_passages, json.outcome_json)
_VERDICT = View(markdown.judgement, status.by_verdict, json.outcome_json)
_DATASET_TABLE = View(markdown.dataset_table, status.listed, json.datasets_json)
_INDEX = View(markdown.index_table, status.by_index, json.index_json)
_DOCUMENT_TABLE = View(markdown.document_table, status.listed, json.documents_json)
_FINDINGS = View(markdown.diagnosis, diagnosis.status, diagnosis.json)
_REPORT = View(markdown.evaluation, evaluation.status, evaluation.json)

_WHERE = ("datasets", "documents", "metadata_filter", "history", "instructions")
_HOW = ("seconds", "rerank_model", "output")
_SEARCH = ("query", *_WHERE, "effort", "top_k", *_HOW)
_ANSWERED = ("answer", "status", "citations", "documents", "receipt", "result")

_ROWS: tuple[ToolRow[Any], ...] = (
    ToolRow("ask", jobs.ask, _ANSWER, ("query", "model", *_SEARCH[1:]), _ANSWERED),
    ToolRow("quote", jobs.quote, _ANSWER, _SEARCH, _ANSWERED),
    ToolRow("discover", jobs.discover, _DOCUMENTS, _SEARCH, ("status", "documents", "receipt")),
    ToolRow("boost", jobs.boost, _QUERIES, _SEARCH, ("status", "receipt")),
    ToolRow(
        "search",
        jobs.search,
        _PASSAGES,
        ("query", *_WHERE, "effort", "top_k", "threshold", *_HOW),
        ("status", "documents", "receipt", "result"),
    ),
    ToolRow(
        "aggregate",
        jobs.aggregate,
        _ANSWER,
        ("query", "model", "passages", "instructions", "effort", "seconds", "output"),
        ("answer", "status", "citations", "receipt", "result"),
    ),
    ToolRow(
        "reflect",
        jobs.reflect,
        _VERDICT,
        ("query", "model", "answer", "passages", "seconds", "output"),
        ("status", "receipt"),
    ),
    ToolRow("list_datasets", jobs.list_datasets, _DATASET_TABLE, ("output",), ("status", "receipt")),
    ToolRow("index", jobs.index, _INDEX, ("action", "datasets", "seconds", "output"), ("status", "receipt")),
    ToolRow(
        "list_documents",
        jobs.list_documents,
        _DOCUMENT_TABLE,
        ("datasets", "name", "page", "limit", "output"),
        ("status", "documents", "receipt"),
    ),
    ToolRow("doctor", jobs.doctor, _FINDINGS, ("language", "output"), ("status", "checks", "receipt")),
    ToolRow(
        "evaluate",
        jobs.evaluate,
        _REPORT,
        ("questions", "suggest", "datasets", "effort", "seconds", "output"),
        ("status", "report", "questions", "receipt"),
    ),
)
TOOLS: Mapping[str, ToolRow[Any]] = {row.name: row for row in _ROWS}
