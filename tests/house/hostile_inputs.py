"""Texts made to keep a pattern busy, after its own parse tree: what each of its repeats may eat, over and over.

A pattern explodes where two of its neighbours may eat the same characters, or where each place of a long run
begins a search that fails at the run's end. So every character and every repeated part of a pattern is pumped: from
the beginning, behind what leads up to it, with a beginning before each, and with an end that fits nothing.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from re import _constants as kinds  # where the names of the parse tree's nodes are
from re import _parser
from typing import Any

COMMON = ' \t1a A的[(（.,-"/の\n:'  # characters that many classes hold
_REPEATS = (kinds.MAX_REPEAT, kinds.MIN_REPEAT, kinds.POSSESSIVE_REPEAT)
_CHARACTERS = (kinds.LITERAL, kinds.NOT_LITERAL, kinds.ANY, kinds.IN)
_FEW = 8  # repeats up to which no run is long
_MOST = 24  # bodies of one repeat
_CATEGORIES: dict[Any, tuple[str, Callable[[str], bool]]] = {
    kinds.CATEGORY_DIGIT: ("1", str.isdigit),
    kinds.CATEGORY_SPACE: (" ", str.isspace),
    kinds.CATEGORY_WORD: ("a", lambda char: char.isalnum() or char == "_"),
    kinds.CATEGORY_NOT_DIGIT: ("a", lambda char: not char.isdigit()),
    kinds.CATEGORY_NOT_SPACE: ("a", lambda char: not char.isspace()),
    kinds.CATEGORY_NOT_WORD: (" ", lambda char: not (char.isalnum() or char == "_")),
}

type Node = tuple[Any, Any]
type Nodes = Sequence[Node]


@dataclass(frozen=True, slots=True)
class Pump:
    """A text of any length: a head, the same body again and again, a tail."""

    head: str
    body: str
    tail: str = ""

    def __call__(self, length: int) -> str:
        return self.head + self.body * (length // len(self.body) + 1) + self.tail


def pumps(pattern: re.Pattern[Any]) -> tuple[Pump, ...]:
    """The hostile texts for a pattern, each once."""
    tree: Nodes = list(_parser.parse(pattern.pattern, pattern.flags))
    return tuple(dict.fromkeys(each for each in _pumps(tree) if each.body))


def _pumps(tree: Nodes) -> Iterator[Pump]:
    letters = [char for node in _leaves(tree) for char in _fitting(node)[:3]]
    for char in dict.fromkeys((*COMMON, *letters)):
        yield Pump("", char)
        yield Pump("", char, "\0")
    whole = _sample(tree)
    yield from (Pump("", body) for body in (whole, whole[:-1], f"{whole} "))
    for head, body in _repeated(tree, ""):
        yield Pump("", head)
        for piece in _bodies(body)[:_MOST]:
            yield from (Pump(head, piece), Pump(head, piece, "\0"), Pump("", head + piece))
            yield Pump(head, f"{piece} ")


def _repeated(nodes: Nodes, head: str) -> Iterator[tuple[str, Nodes]]:
    """What is repeated often, with a text that leads up to it."""
    for node in nodes:
        kind, value = node
        if kind in _REPEATS and value[1] > _FEW:
            yield head, value[2]
        behind = kind in (kinds.ASSERT, kinds.ASSERT_NOT) and value[0] < 0
        for part in _parts(node):
            yield from _repeated(part, "" if behind else head)
        head += _sample([node])


def _bodies(nodes: Nodes) -> list[str]:
    """Texts that a repeated part may eat: a whole one, one for each alternative, each single character."""
    samples = [_sample(nodes)]
    if len(nodes) == 1 and nodes[0][0] is kinds.BRANCH:
        samples += [_sample(part) for part in _parts(nodes[0])]
    samples += [char for node in _leaves(nodes) for char in _fitting(node)]
    return [each for each in dict.fromkeys(samples) if each]


def _parts(node: Node) -> list[Nodes]:
    kind, value = node
    if kind in _REPEATS:
        return [value[2]]
    if kind is kinds.SUBPATTERN:
        return [value[3]]
    if kind is kinds.BRANCH:
        return list(value[1])
    if kind in (kinds.ASSERT, kinds.ASSERT_NOT):
        return [value[1]]
    return [value] if kind is kinds.ATOMIC_GROUP else []


def _leaves(nodes: Nodes) -> Iterator[Node]:
    for node in nodes:
        if node[0] in _CHARACTERS:
            yield node
        for part in _parts(node):
            yield from _leaves(part)


def _sample(nodes: Nodes) -> str:
    """A short text that the nodes match, but for what they look at around it."""
    return "".join(_one(node) for node in nodes)


def _one(node: Node) -> str:
    kind, value = node
    if kind in _CHARACTERS:
        return next(iter(_fitting(node)), "")
    if kind in _REPEATS:
        return _sample(value[2]) * min(max(value[0], 1), 40)
    if kind is kinds.ASSERT_NOT or (kind is kinds.ASSERT and value[0] > 0):
        return ""
    return next((_sample(part) for part in _parts(node)), "")


def _fitting(node: Node) -> list[str]:
    """Characters that a node matches: those it names, and common ones."""
    kind, value = node
    if kind is kinds.LITERAL:
        return [chr(value)]
    if kind is kinds.NOT_LITERAL:
        return [char for char in COMMON if ord(char) != value]
    if kind is kinds.ANY:
        return list("a 的")
    negated = value[0][0] is kinds.NEGATE
    named = [] if negated else [_named(item) for item in value]
    common = [char for char in COMMON if any(_holds(item, char) for item in value) != negated]
    return list(dict.fromkeys((*named, *common)))


def _named(item: Node) -> str:
    kind, value = item
    if kind is kinds.CATEGORY:
        return _CATEGORIES[value][0]
    return chr(value[0] if kind is kinds.RANGE else value)


def _holds(item: Node, char: str) -> bool:
    kind, value = item
    if kind is kinds.CATEGORY:
        return _CATEGORIES[value][1](char)
    if kind is kinds.RANGE:
        return bool(value[0] <= ord(char) <= value[1])
    return kind is kinds.LITERAL and ord(char) == value
