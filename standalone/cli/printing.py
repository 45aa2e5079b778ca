"""A result as a person reads it in a terminal: the answer, its sources, the verdict, the receipt."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from host.view.markdown import REASONS
from standalone.cli.markdown import drawn
from standalone.cli.screen import Screen, Style

_LABEL = 8  # columns of the labels at the foot
_STATUS: Mapping[str, tuple[str, Style]] = {
    "answered": ("● answered", "green"),
    "partial": ("◐ answered in part", "yellow"),
    "not_found": ("○ not found", "yellow"),
    "ambiguous": ("◇ the question may mean several things", "yellow"),
}
_MATCHES: Mapping[str, str] = {
    "exact": "exact",
    "normalised": "exact but for typography",
    "elided": "with an omission",
}


def result_lines(result: Mapping[str, Any], screen: Screen) -> Iterator[str]:
    """All lines of a result of `ask` or `quote`, ready to print."""
    yield from (screen.styled(line, "bold") for line in screen.wrapped(str(result["question"])))
    yield screen.styled("─" * screen.width, "dim")
    yield from _headline(result, screen)
    yield ""
    yield from drawn(str(result["answer"]).replace("\n\n— ", "\n— "), screen)
    if result.get("ask_back") and result["ask_back"] not in result["answer"]:
        yield from ("", *screen.wrapped(str(result["ask_back"])))
    yield from _sources(result, screen)
    yield ""
    yield from _foot(result, screen)


def _headline(result: Mapping[str, Any], screen: Screen) -> Iterator[str]:
    words, style = _STATUS[result["status"]]
    if result["status"] == "partial" and not result["citations"]:
        words = "○ not found in what could be read"
    reason = REASONS.get(result.get("reason") or "", "")
    count = len(result["citations"])
    proven = f"{_counted(count, 'quote')}, each found letter by letter in the stored text" if count else ""
    told = " · ".join(part for part in (words, reason, proven) if part)
    for line in screen.wrapped(told):
        yield line.replace(words, screen.styled(words, style, "bold"), 1)


def _sources(result: Mapping[str, Any], screen: Screen) -> Iterator[str]:
    """Each quote's place; its words only where the answer has not just shown them."""
    if not result["citations"]:
        return
    yield ""
    yield screen.styled("Sources", "bold")
    shown = " ".join(str(result["answer"]).replace("\n> ", " ").split())
    for each in result["citations"]:
        yield from _source(each, screen)
        if " ".join(str(each["quote"]).split()) not in shown:
            bar = screen.styled("│ ", "green")
            lines = Screen(screen.width - 6).wrapped(" ".join(str(each["quote"]).split()))
            yield from (f"    {bar}{line}" for line in lines)


def _source(citation: Mapping[str, Any], screen: Screen) -> Iterator[str]:
    mark = f"[{citation['marker']}] "
    span = f"chars {citation['start']}–{citation['end']}"
    place = f"segment {citation['position']}, {span}, {_MATCHES[citation['match']]}"
    parts = [citation["document_name"], citation["dataset_name"], place]
    for number, line in enumerate(screen.wrapped(" · ".join(part for part in parts if part), mark)):
        yield line if number else line.replace(mark, screen.styled(mark, "bold"), 1)


def _foot(result: Mapping[str, Any], screen: Screen) -> Iterator[str]:
    verdict = result["verdict"]
    if result["status"] in ("answered", "partial"):
        scores = ", ".join(
            f"{name} {verdict[name]:.2f}"
            for name in ("grounding", "completeness", "consistency", "specificity")
        )
        yield from _labelled("Verdict", f"{verdict['status']}: {scores}", screen)
    yield from _labelled("Searched", _searched(result), screen)
    for missing in result.get("missing", ()):
        yield from _labelled("Missing", f"no document for: {missing}", screen)
    for reason in result.get("degraded", ()):
        yield from _labelled("Note", str(reason), screen)
    yield from _labelled("Receipt", _receipt(result["receipt"]), screen)


def _searched(result: Mapping[str, Any]) -> str:
    searched: Mapping[str, Sequence[str]] = result["searched"]
    documents, datasets = searched["documents"], searched["datasets"]
    where = f" of {', '.join(datasets)}" if documents else ""
    return f"{_counted(len(documents), 'document')}{where}"


def _receipt(receipt: Mapping[str, Any]) -> str:
    tokens = int(receipt["prompt_tokens"]) + int(receipt["completion_tokens"])
    parts = [
        f"{receipt['seconds']:.1f} s",
        _counted(int(receipt["knowledge_calls"]), "knowledge call"),
        _counted(int(receipt["model_calls"]), "model call"),
        *([_counted(int(receipt["rerank_calls"]), "rerank call")] if receipt["rerank_calls"] else []),
        _counted(tokens, "token"),
    ]
    return " · ".join(parts)


def _labelled(label: str, text: str, screen: Screen) -> Iterator[str]:
    head = f"{label:<{_LABEL}}  "
    for number, line in enumerate(screen.wrapped(text, head)):
        yield line if number else line.replace(head, screen.styled(head, "dim"), 1)


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"
