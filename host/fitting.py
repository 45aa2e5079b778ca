"""Values made fit for one message of the plugin daemon: below 1 MB, no lone surrogates, no NaN, no None."""

import json
import math
from collections.abc import Mapping
from typing import Any

MOST_BYTES = 900_000  # of one message, counted in the longest form that JSON may take
# What is shortened first, from the end; what proves the answer goes last.
_SHORTENED = (
    "passages",
    "result",
    "datasets",
    "documents",
    "keywords",
    "queries",
    "claims",
    "facets",
    "citations",
)


def readable(value: Any) -> Any:
    """The same value with what JSON or UTF-8 cannot hold replaced; texts keep their length."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, float):
        return value if math.isfinite(value) else 0.0
    if isinstance(value, Mapping):
        return {readable(str(name)): readable(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [readable(inner) for inner in value]
    return value if value is None or isinstance(value, bool | int) else readable(str(value))


def size(value: Any) -> int:
    """Bytes of the value as JSON, non-ASCII characters escaped."""
    return len(json.dumps(value))


def short(text: str) -> str:
    """A text that fits one message, cut at the end if it must be."""
    if size(text) <= MOST_BYTES:
        return text
    kept = text[: MOST_BYTES // 12]  # an escaped character takes at most 12 bytes
    return f"{kept}\n\n[…] The text was cut: one message must stay below 1 MB."


def fitted(values: Mapping[str, Any], most: int = MOST_BYTES) -> dict[str, Any]:
    """The object with lists shortened from their ends until it fits; `degraded`, where there, says so."""
    fit = dict(values)
    excess = size(fit) - most
    for name in _SHORTENED:
        if excess <= 0:
            break
        held = fit.get(name)
        if not isinstance(held, list) or not held:
            continue
        kept = _shortened(held, excess)
        excess -= size(held) - size(kept)
        fit[name] = kept
        _say(fit, f"{len(held) - len(kept)} {name} are left out, because one message must stay below 1 MB")
    return fit


def _shortened(held: list[Any], excess: int) -> list[Any]:
    room = excess + 200 * len(_SHORTENED)  # for the lines that say so
    kept = list(held)
    while kept and room > 0:
        room -= size(kept.pop()) + 2
    return kept


def _say(fit: dict[str, Any], what: str) -> None:
    if isinstance(fit.get("degraded"), list):
        fit["degraded"] = [*fit["degraded"], what]
