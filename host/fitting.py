"""
Values made fit for one message of the plugin daemon: below 1 MB, no lone surrogates, no NaN, no None.

What a message shows is printable, names and errors as well; only the words that a proof stands on are verbatim.
"""

import json
import math
import re
from collections.abc import Mapping
from typing import Any

from evidence.language.printable import printable
from evidence.language.sentences import sentences

LONGEST_QUOTE = 2_000  # characters of a quote in a message that would be too long
MOST_BYTES = 900_000  # of one message, counted in the longest form that JSON may take
# What is shortened first, from the end; what proves the answer goes last.
_SHORTENED = (
    "drafted",
    "questions",
    "passages",
    "result",
    "datasets",
    "documents",
    "keywords",
    "queries",
    "claims",
    "facets",
)
_VERBATIM = {  # stored texts, by the list that they stand in: spans count their characters
    "citations": {"quote"},
    "passages": {"text", "question"},
    "result": {"content"},
    "records": {"content"},
}
_CUT = "\n\n[…] The text was cut: one message must stay below 1 MB."
_MARKER = re.compile(r"\[(\d+)\]")


def shown(value: Any, verbatim: frozenset[str] | set[str] = frozenset()) -> Any:
    """A readable value with every text printable; the fields that are `verbatim` here, and stored texts, stay."""
    return _printable(readable(value), verbatim)


def _printable(value: Any, verbatim: frozenset[str] | set[str]) -> Any:
    if isinstance(value, str):
        return value if value.isprintable() else printable(value)
    if isinstance(value, Mapping):
        return {
            _printable(str(name), verbatim): inner
            if name in verbatim and isinstance(inner, str)
            else _printable(inner, _VERBATIM.get(name, set()))
            for name, inner in value.items()
        }
    return [_printable(inner, verbatim) for inner in value] if isinstance(value, list | tuple) else value


def readable(value: Any) -> Any:
    """The same value with what JSON or UTF-8 cannot hold replaced; texts keep their length."""
    try:
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except (TypeError, ValueError):
        return _replace_unreadable(value)
    return value


def _replace_unreadable(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, float):
        return value if math.isfinite(value) else 0.0
    if isinstance(value, Mapping):
        return {_replace_unreadable(str(name)): _replace_unreadable(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_replace_unreadable(inner) for inner in value]
    return value if value is None or isinstance(value, bool | int) else _replace_unreadable(str(value))


def size(value: Any) -> int:
    """Bytes of the value as JSON, non-ASCII characters escaped."""
    return len(json.dumps(value))


def short(text: str) -> str:
    """A text that fits one message, cut at the end if it must be."""
    if size(text) <= MOST_BYTES:
        return text
    return f"{text[: MOST_BYTES // 12]}{_CUT}"  # an escaped character takes at most 12 bytes


def fitted(values: Mapping[str, Any], most: int = MOST_BYTES) -> dict[str, Any]:
    """The object cut until it fits: long texts first, then lists from their ends; `degraded`, where there, says so.

    Every marker that the answer keeps has its citation, and every quote still is what stands at its span.
    """
    fit = dict(values)
    if size(fit) <= most:
        return fit
    _cut_texts(fit, most)
    for name in _SHORTENED:
        _cut_list(fit, name, size(fit) - most)
    if size(fit) > most:
        _cut_list(fit, "citations", size(fit) - most)
        _cut_unproven(fit)
    return fit


def _cut_texts(fit: dict[str, Any], most: int) -> None:
    """Quotes to their first sentences, the answer to a third of the message."""
    if isinstance(fit.get("citations"), list):
        fit["citations"] = [_shorter(citation) for citation in fit["citations"]]
    answer = fit.get("answer")
    if isinstance(answer, str) and size(answer) > most // 3:
        fit["answer"] = _cut_at_paragraph(answer[: most // 36])
        _say(fit, "the answer is cut, because one message must stay below 1 MB")


def _shorter(citation: Any) -> Any:
    """A citation with a quote that is not too long; its span is that of the words that are left."""
    quote = citation.get("quote") if isinstance(citation, Mapping) else None
    if not isinstance(quote, str) or len(quote) <= LONGEST_QUOTE:
        return citation
    ends = [span.end for span in sentences(quote[: LONGEST_QUOTE + 1]) if span.end <= LONGEST_QUOTE]
    end = ends[-1] if ends else LONGEST_QUOTE
    return {**citation, "quote": quote[:end], "end": citation.get("start", 0) + end}


def _cut_unproven(fit: dict[str, Any]) -> None:
    """End the answer before the first marker that has lost its citation."""
    cited = {citation["marker"] for citation in fit.get("citations") or () if "marker" in citation}
    answer = fit.get("answer") or ""
    lost = (match.start() for match in _MARKER.finditer(answer) if int(match[1]) not in cited)
    if (first := next(lost, None)) is not None:
        fit["answer"] = _cut_at_paragraph(answer[:first])


def _cut_at_paragraph(text: str) -> str:
    """A text that goes on, ended after its last whole paragraph."""
    return text[: max(text.rfind("\n\n"), 0)] + _CUT


def _cut_list(fit: dict[str, Any], name: str, excess: int) -> None:
    items = fit.get(name)
    if excess <= 0 or not isinstance(items, list) or not items:
        return
    fitting = _without_last(items, excess)
    fit[name] = fitting
    _say(fit, f"{len(items) - len(fitting)} {name} are left out, because one message must stay below 1 MB")


def _without_last(items: list[Any], excess: int) -> list[Any]:
    room = excess + 200 * len(_SHORTENED)  # for the lines that say so
    fitting = list(items)
    while fitting and room > 0:
        room -= size(fitting.pop()) + 2
    return fitting


def _say(fit: dict[str, Any], what: str) -> None:
    if isinstance(fit.get("degraded"), list):
        fit["degraded"] = [*fit["degraded"], what]
