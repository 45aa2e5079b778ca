"""A fault: what is wrong with an answer, on which routes."""

import copy
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from bench.fault_proxy import Exchange, Route

CANARY = "crown-jewels-of-the-server"  # what a server says that nobody may read
ALL: tuple[Route, ...] = (
    "datasets",
    "dataset",
    "documents",
    "document",
    "segments",
    "segment",
    "retrieve",
    "chat",
    "rerank",
)

type Http = Callable[[Exchange], None]
type Objects = Iterator[Mapping[str, Any]]
type Reverse = Callable[[Objects], Objects]
"""What a model of the workspace sends, made of what it would send."""
type Weight = Literal["light", "slow", "heavy"]


@dataclass(frozen=True, slots=True)
class Fault:
    """`slow` ones end with the deadline; `heavy` ones are tried alone, with an eye on memory and on other tenants.

    `large`: more than a megabyte comes over the wire. `rewrites`: texts are no longer those that are stored.
    `lasts`: the server asked to be left alone for a while.
    """

    name: str
    http: Http | None = None
    routes: tuple[Route, ...] = ALL
    reverse: Reverse | None = None
    weight: Weight = "light"
    large: bool = False
    rewrites: bool = False
    lasts: bool = False

    def fits(self, route: Route) -> bool:
        if route.startswith("workspace"):
            return self.reverse is not None
        return self.http is not None and route in self.routes


def replaced(piece: Mapping[str, Any], text: str | None) -> Mapping[str, Any]:
    changed: dict[str, Any] = copy.deepcopy(dict(piece))
    if "delta" in changed:
        changed["delta"]["message"]["content"] = text
    else:
        changed["docs"] = []
    return changed


def said(text: str) -> Reverse:
    """The model's reply, in one piece of the true shape."""

    def say(true: Objects) -> Objects:
        *_, last = true
        yield replaced(last, text)

    return say
