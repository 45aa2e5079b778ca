"""The JSON for a model that reads it: how a run ended and the ids behind its text, within a bound of bytes."""

from collections.abc import Mapping, Sequence
from typing import Any

from host.fitting import size

MOST_COMPACT = 12_000  # bytes as JSON, non-ASCII characters escaped
MOST_BRIEF = 2_400
_BRIEF = "schema question status reason total page pages checks citations verdict degraded receipt".split()
_COMPACT = (*_BRIEF, "answer", "report", "ask_back", "limit", "missing", "datasets", "work")
_LISTED = ("documents", "queries", "keywords")  # where no answer says what is in them
_FIELDS = {
    "citations": ("marker", "document_name", "segment_id"),
    "documents": ("rank", "dataset_name", "document_id", "document_name"),
    "datasets": ("dataset_id", "dataset_name", "document_count"),
    "queries": ("text", "origin"),
    "keywords": ("document_name", "keywords"),
    "checks": ("check", "state", "message", "remedy"),
    "verdict": ("status",),
}
_NOT_ON_RECEIPT = ("limits", "steps")
_TEXTS = ("question", "answer")  # may take half of the room, in this order
_CUT_FIRST = (*_LISTED[::-1], "datasets", "checks", "citations", "missing", "degraded")
_FOR_COUNTS = 200  # bytes


def compacted(values: Mapping[str, Any]) -> dict[str, Any]:
    """What an agent needs of a result: status, answer, and where it stands, without the words of quotes and passages.

    At most `MOST_COMPACT` bytes; `left_out` counts what is missing of each list, and the characters of a text.
    """
    listed = () if values.get("answer") else _LISTED
    return _bounded(_picked(values, (*_COMPACT, *listed)), MOST_COMPACT)


def brief(values: Mapping[str, Any]) -> dict[str, Any]:
    """What is left for a model that has just read the text: how it ended, what it cost, and ids behind the markers.

    At most `MOST_BRIEF` bytes, counted as in `compacted`.
    """
    return _bounded(_picked(values, _BRIEF), MOST_BRIEF)


def _picked(values: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """The fields of these names, in their order in the whole, each with what counts of it."""
    picked = {name: _part(name, value) for name, value in values.items() if name in names}
    receipt = {name: value for name, value in values["receipt"].items() if name not in _NOT_ON_RECEIPT}
    return picked | {"receipt": receipt}


def _part(name: str, value: Any) -> Any:
    fields = _FIELDS.get(name)
    if fields and isinstance(value, list):
        return [{field: item[field] for field in fields if field in item} for item in value]
    if fields and isinstance(value, Mapping):
        return {field: value[field] for field in fields}
    return value


def _bounded(values: dict[str, Any], most: int) -> dict[str, Any]:
    """The values cut until they fit: texts to half of the room, then lists from their ends."""
    if size(values) <= most:
        return values
    left_out: dict[str, int] = {}
    for name in _TEXTS:
        text = values.get(name)
        if isinstance(text, str) and size(text) > most // 2:
            values[name] = _cut(text, most // 2 if name == "answer" else most // 4)
            left_out[name] = len(text) - len(values[name]) + 1  # the ellipsis is not of the text
    for name in _CUT_FIRST:
        items, excess = values.get(name), size(values) + _FOR_COUNTS - most
        if isinstance(items, list) and items and excess > 0:
            values[name] = _shortened(items, excess)
            left_out[name] = len(items) - len(values[name])
    return values | {"left_out": left_out}


def _cut(text: str, most: int) -> str:
    while size(text) > most:
        text = text[: len(text) * most // size(text) - 1] + "…"
    return text


def _shortened(items: Sequence[Any], excess: int) -> list[Any]:
    fitting = list(items)
    while fitting and excess > 0:
        excess -= size(fitting.pop()) + 2
    return fitting
