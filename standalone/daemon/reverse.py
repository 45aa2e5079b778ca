"""Reverse invocation: what the plugin asks of Dify, and who answers."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

Answer = Mapping[str, Any] | Iterable[Mapping[str, Any]]
Handler = Callable[[str, Mapping[str, Any]], Answer | None]
"""(kind, request) -> one object, several in turn, or None: "not mine".

Kinds: `llm`, `rerank`, `text_embedding`, `storage`, … Raise ReverseError to refuse.
"""

# kind -> (where the permission stands in the manifest, its name in the daemon's refusal)
_PERMISSIONS = {
    "llm": ("model", "llm", "llm"),
    "llm_structured_output": ("model", "llm", "llm"),
    "system_summary": ("model", "llm", "llm"),
    "rerank": ("model", "rerank", "rerank"),
    "text_embedding": ("model", "text_embedding", "text-embedding"),
    "moderation": ("model", "moderation", "moderation"),
    "tts": ("model", "tts", "tts"),
    "speech2text": ("model", "speech2text", "speech2text"),
    "storage": ("storage", "enabled", "storage"),
    "tool": ("tool", "enabled", "tool"),
    "app": ("app", "enabled", "app"),
}


class ReverseError(Exception):
    """Dify refuses a reverse invocation; the plugin sees a bare Exception with this message."""


def first_of(*handlers: Handler) -> Handler:
    """One handler out of several: the first that does not answer None wins."""

    def answer(kind: str, request: Mapping[str, Any]) -> Answer | None:
        answers = (handler(kind, request) for handler in handlers)
        return next((found for found in answers if found is not None), None)

    return answer


def demand_permission(kind: str, manifest: Mapping[str, Any]) -> None:
    """Refuse, as the daemon does, what the manifest did not ask for."""
    if kind not in _PERMISSIONS:
        return
    group, name, label = _PERMISSIONS[kind]
    granted = ((manifest.get("resource") or {}).get("permission") or {}).get(group) or {}
    if not (granted.get("enabled") and granted.get(name)):
        raise ReverseError(f"permission denied, you need to enable {label} access in plugin manifest")


def answers(handler: Handler, kind: str, request: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Every object the handler answers with; raises ReverseError where nobody answers this kind."""
    found = handler(kind, request)
    if found is None:
        raise ReverseError(f"no stand-in answers reverse invocations of type {kind}")
    if isinstance(found, Mapping):
        yield found
    else:
        yield from found
