"""What became of a call that something spoiled, judged beside the same call in calm."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Literal

from bench.fault import CANARY, Fault
from bench.stand import DOCUMENTS, KEYS, Heard, Tool
from standalone.knowledge import load_folder

type Kind = Literal["raised", "named", "unharmed", "untouched", "defect"]
_LONGEST = 1_000_000  # characters of one message
_VERBATIM = (
    "citations[].quote",
    "passages[].text",
    "passages[].question",
    "result[].content",
    "records[].content",
)
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def judged(tool: Tool, calm: Heard, heard: Heard, fault: Fault, elsewhere: int = 0) -> tuple[Kind, str]:
    """What became of the call, and why; the first defect is named."""
    for defect in _defects(tool, heard, fault, elsewhere):
        return "defect", defect
    if heard.error:
        return "raised", heard.error
    if named := said(heard.json) - said(calm.json):
        return "named", min(named)
    # texts that a fault has rewritten may stand in another order behind the first
    compared = claims if fault.rewrites else essence
    if compared(heard.json) == compared(calm.json):
        return "unharmed", ""
    return "defect", f"another answer, and no word of it: {_changed(calm.json, heard.json)}"


def _defects(tool: Tool, heard: Heard, fault: Fault, elsewhere: int) -> Iterator[str]:
    if heard.error_type in {"Timeout", "PluginDied", "LineTooLong"}:
        yield f"{heard.error_type}: {heard.error}"
    yield from unclear(heard)
    if elsewhere:
        yield "the key went to another host"
    if not heard.error:
        yield from _false_claims(heard.json, tool, fault)


def unclear(heard: Heard) -> Iterator[str]:
    """What no caller may ever see: secrets, tracebacks, control characters, endless messages."""
    whole = heard.whole
    for secret in (*KEYS.values(), CANARY):
        if secret in whole:
            yield f"shows {secret}"
    if "Internal error" in whole or "Traceback" in whole:
        yield heard.error or "shows a traceback"
    if heard.error and (heard.error != " ".join(heard.error.split()) or len(heard.error) > 500):
        yield "the error is not one short line"
    for place in hidden({"error": heard.error, "text": heard.text, "json": heard.json}):
        yield f"shows a character that nobody may see in {place}"
    if any(len(json.dumps(message)) > _LONGEST for message in heard.messages):
        yield "a message of more than a megabyte"
    if not _is_json(heard.messages):
        yield "a number that JSON does not have"


def hidden(value: Any, path: str = "") -> Iterator[str]:
    """Where a character stands that steers a terminal or turns the writing, but in stored words."""
    if isinstance(value, str):
        if _CONTROLS.search(value) and not path.endswith(_VERBATIM):
            yield path
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            yield from hidden(str(name), f"{path}, a name")
            yield from hidden(inner, f"{path}.{name}".lstrip("."))
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from hidden(inner, f"{path}[]")


def _is_json(value: Any) -> bool:
    try:
        json.dumps(value, allow_nan=False)
    except ValueError:
        return False
    return True


def _false_claims(said_: Mapping[str, Any], tool: Tool, fault: Fault) -> Iterator[str]:
    if tool not in {"ask", "quote", "aggregate", "mcp"}:
        return
    citations = said_.get("citations") or ()
    if said_.get("status") == "answered" and not citations:
        yield "answered without a quote"
    texts = _texts()
    if not fault.rewrites and any(each["quote"] not in texts for each in citations):
        yield "a quote that stands nowhere"


def said(answer: Mapping[str, Any]) -> frozenset[str]:
    """What an answer says of itself: what was left out, and why it is no better."""
    reasons = {"knowledge_unavailable", "model_unavailable", "limit_reached"}
    return frozenset(answer.get("degraded") or ()) | ({str(answer.get("reason"))} & reasons)


def essence(answer: Mapping[str, Any]) -> Any:
    """What an answer claims, without what it cost."""
    return {
        "status": answer.get("status"),
        "answer": answer.get("answer"),
        "citations": [(each["document_name"], each["quote"]) for each in answer.get("citations") or ()],
        "documents": [each["document_id"] for each in answer.get("documents") or ()],
        "passages": [each["segment_id"] for each in answer.get("passages") or ()],
        "datasets": [each["dataset_id"] for each in answer.get("datasets") or ()],
        "queries": [each["text"] for each in answer.get("queries") or ()],
        "records": [each["content"] for each in answer.get("records") or ()],
        "verdict": (answer.get("verdict") or {}).get("status"),
        "claims": [each["supported"] for each in answer.get("claims") or ()],
        "total": answer.get("total"),
    }


def claims(answer: Mapping[str, Any]) -> Mapping[str, Any]:
    """What an answer claims: its quotes, or the first of what it lists."""
    whole = essence(answer)
    first = {name: whole[name][:1] for name in ("passages", "records", "documents", "queries")}
    return {name: whole[name] for name in ("status", "answer", "citations", "datasets", "total")} | first


def outlasted(calms: Sequence[Heard], later: Heard, believed: frozenset[str] = frozenset()) -> str:
    """What is still wrong after a fault; empty where the answer is one of the calm, and names no more than those.

    In calm it was answered more than once: what is read behind an answer may put another passage first. What was
    named during the fault may be named again where what was listed or read then is still `believed`.
    """
    if later.error:
        return later.error
    named = said(later.json).difference(*(said(calm.json) for calm in calms))
    if named:
        return min(named - believed, default="")
    after = claims(later.json)
    changes = (", ".join(name for name in after if after[name] != claims(calm.json)[name]) for calm in calms)
    return min(changes, key=len)


def _changed(calm: Mapping[str, Any], heard: Mapping[str, Any]) -> str:
    before, after = essence(calm), essence(heard)
    return ", ".join(name for name in before if before[name] != after[name])


@cache
def _texts() -> str:
    return "\n".join(
        document.text for each in load_folder(DOCUMENTS).collections for document in each.documents
    )
