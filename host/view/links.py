"""Markers of an answer as links to their proofs, and back. Pure."""

import re
from collections.abc import Mapping
from typing import Any

_MARKER = re.compile(r"(?<![\\\[])\[(\d{1,4})\](?![\](:])")
_LINKED = re.compile(r"\[(\[\d{1,4}\])\]\[p\d{1,4}\]")
_TARGET = re.compile(r"(?<!\n)\n*+^\[p\d{1,4}\]: \S++$", re.MULTILINE)
_NAMES = re.compile(r"^\[p(?=\d{1,4}\]: )", re.MULTILINE)


def linked(text: str, links: Mapping[int, str]) -> str:
    """Markdown whose markers are links; the addresses stand once, below it, where a renderer does not show them."""
    used: dict[int, str] = {}

    def link(match: re.Match[str]) -> str:
        marker = int(match[1])
        if marker not in links:
            return match[0]
        used[marker] = links[marker]
        return f"[{match[0]}][p{marker}]"

    written = _MARKER.sub(link, text)
    return "\n".join((written, *([""] if used else []), *(f"[p{name}]: {url}" for name, url in used.items())))


def unlinked(text: str) -> str:
    """The same with plain markers, as it was before `linked`."""
    return _TARGET.sub("", _LINKED.sub(r"\1", text))


def for_models(text: str) -> str:
    """The same for a model that writes an answer of its own: a marker copied without its address stays whole."""
    return _NAMES.sub("[", _LINKED.sub(r"\1", text))


def with_links(values: Mapping[str, Any], links: Mapping[int, str]) -> dict[str, Any]:
    """A result in JSON whose citations and answer lead to their proofs."""
    citations = [entry | {"proof": links.get(entry["marker"])} for entry in values["citations"]]
    return {**values, "answer": linked(values["answer"], links), "citations": citations}
