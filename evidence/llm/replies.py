"""
Read a model's reply as a typed value, or say in one line why it cannot be read.

Thinking, code fences and prose around are dropped; strict JSON is read first, then JSON as models write it
(`lenient_json`). A value written in several pieces, an object a line or a fence, is put together. Harmless slips of
type are mended: one item where a list is expected, null where a default exists, a number written as text, a choice in
capitals. What a model wrote never stands in an error.
"""

import json
import math
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from evidence.errors import UnusableReply
from evidence.llm.lenient_json import TooDeep, leniently
from evidence.model import LONGEST_REPLY

type Json = Any

_THOUGHT = re.compile(r"(</?)(?:think|thinking|reasoning)>", re.IGNORECASE)
_OPENING = re.compile(r"[{\[]\s*+(?:[\"'“{\[}\]]|//|\w{1,40}+\s*+:)")  # of JSON, not a bracket in prose
_CLOSINGS = ("}", "]", "```")
_WIDE = re.compile(r"(?<=[\"\]}\d])\s?[：，](?=\s{0,4}[\"\[{\d])")
_DECODER = json.JSONDecoder(strict=False)
_OBJECTS = 200  # JSON values looked at in one reply
_NAME = re.compile(r"[A-Za-z_]\w{0,40}")
_BLANKS = re.compile(r"[\s-]+")
_LEFT_OUT = object()
_ROUNDS = 4  # of mending; each may lay bare the next slip


@dataclass(frozen=True, slots=True)
class Parsed[T]:
    """A reply's value; of a `truncated` one what was complete and could be read."""

    value: T
    truncated: bool = False


def read[T: BaseModel](text: str, shape: type[T]) -> T:
    """The reply as a `shape`; raises UnusableReply, naming the shape and the first problem."""
    return parse(text, shape).value


def parse[T: BaseModel](text: str, shape: type[T]) -> Parsed[T]:
    """The reply as a `shape`, and whether it was cut off; raises UnusableReply as `read` does."""
    body = _in_ascii(_without_quotes(_without_thoughts(text[:LONGEST_REPLY])))
    values, truncated = _values(body)
    pieces: list[T] = []
    problem = "" if body.strip() else "it is empty"
    refused = 0
    for value in values:
        try:
            pieces += _validate(value, shape)
        except ValidationError as error:
            problem = problem or _problem_of(error)
            refused += isinstance(value, dict)
    if pieces:
        lost = refused > 0 and len(pieces) > 1  # one of the pieces could not be read
        return Parsed(_joined(pieces), truncated or lost or len(text) > LONGEST_REPLY)
    if truncated:
        problem = "it was cut off before anything of use was complete"
    raise UnusableReply(f"the model's reply is not a {shape.__name__}: {problem or 'it holds no JSON'}")


# --- JSON in text ------------------------------------------------------------------------------------------


def _without_thoughts(text: str) -> str:
    """The text outside of thoughts; a thought may lack its opening tag, and one cut off is no reply.

    One that lacks its closing tag ends with the reply.
    """
    outside: list[str] = []
    depth = 0
    pieces = _THOUGHT.split(text)
    for tag, piece in zip(["", *pieces[1::2]], pieces[::2], strict=True):
        if tag == "</" and depth == 0:
            outside.clear()
        depth = max(0, depth + {"<": 1, "</": -1, "": 0}[tag])
        if depth == 0:
            outside.append(piece)
    unclosed = depth > 0 and not any(map(str.strip, outside)) and pieces[-1].rstrip().endswith(_CLOSINGS)
    return pieces[-1] if unclosed else "".join(outside)


def _in_ascii(body: str) -> str:
    """JSON whose colons and commas between strings were written full-width."""
    return _WIDE.sub(lambda match: unicodedata.normalize("NFKC", match[0]), body)


def _values(body: str) -> tuple[list[Json], bool]:
    """The objects and lists in the reply, as they stand in it, and whether something is missing at its end."""
    values: list[Json] = []
    at, truncated = 0, False
    while opening := _OPENING.search(body, at):
        if len(values) == _OBJECTS:
            return values, True
        try:
            value, at, truncated = _value(body, opening.start())
            values.append(_clean(value))
        except (TooDeep, RecursionError):
            break
    return values, truncated


def _value(body: str, at: int) -> tuple[Json, int, bool]:
    """The value that begins at a bracket, where it ends, and whether it was cut off."""
    try:
        value, end = _DECODER.raw_decode(body, at)
    except (ValueError, RecursionError):
        written = leniently(body, at)
        return written.value, written.end, written.truncated
    return value, end, False


def _without_quotes(body: str) -> str:
    """JSON that was written as text within JSON."""
    if body.lstrip()[:1] == '"':
        try:
            return str(json.loads(body))
        except (ValueError, RecursionError):
            return body
    return body


def _clean(value: Json) -> Json:
    """Without lone surrogates and numbers that are none."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_clean(item) for item in value]
    if isinstance(value, dict):
        return {_clean(key): _clean(item) for key, item in value.items()}
    return None if isinstance(value, float) and not math.isfinite(value) else value


# --- typed values ------------------------------------------------------------------------------------------


def _validate[T: BaseModel](value: Json, shape: type[T]) -> list[T]:
    """The value as the shape, or the pieces that a list holds; one wrapped once too often or too seldom is tried."""
    try:
        return [_read_as(value, shape)]
    except ValidationError as first:
        for other in _wrappings(value, shape):
            try:
                return [_read_as(item, shape) for item in other]
            except ValidationError:
                continue
        raise first from None


def _wrappings(value: Json, shape: type[BaseModel]) -> Iterator[list[Json]]:
    if isinstance(value, dict) and len(value) == 1:
        yield from ([inner] for inner in value.values() if isinstance(inner, dict))
    if isinstance(value, list):
        if value and all(isinstance(item, dict) for item in value):
            yield value
        if len(shape.model_fields) == 1:
            yield [{next(iter(shape.model_fields)): value}]


def _joined[T: BaseModel](pieces: Sequence[T]) -> T:
    """One value of several: what they list together, and the rest as the longest says it that says it at all."""
    if len(pieces) == 1:
        return pieces[0]
    by_length = sorted(pieces, key=lambda piece: -len(piece.model_dump_json()))
    fields: dict[str, Any] = {}
    for name in type(pieces[0]).model_fields:
        given = [getattr(piece, name) for piece in by_length if name in piece.model_fields_set]
        if not given:
            continue
        fields[name] = given[0]
        if isinstance(given[0], list | tuple):
            every = (item for piece in pieces for item in getattr(piece, name))
            fields[name] = type(given[0])(_distinct(every))
    return by_length[0].model_copy(update=fields)


def _distinct(items: Iterable[Json]) -> list[Json]:
    """Each item once; items of a reply need not be hashable."""
    return list({repr(item): item for item in items}.values())


def _read_as[T: BaseModel](value: Json, shape: type[T]) -> T:
    """The value as the shape, its harmless slips mended."""
    for _ in range(_ROUNDS):
        try:
            return shape.model_validate(value)
        except ValidationError as error:
            slips = reversed(error.errors()[:200])  # backwards: items may go
            if not sum(_mend(value, slip) for slip in slips):
                raise
    return shape.model_validate(value)


def _mend(value: Json, slip: ErrorDetails) -> bool:
    """Change the value where one slip is; False when it is no harmless one."""
    *path, last = slip["loc"] or (None,)
    try:
        for step in path:
            value = value[step]
        wrong = value[last]
    except (LookupError, TypeError):
        return False
    better = _better(wrong, slip["type"])
    if better is wrong:
        return False
    if better is _LEFT_OUT:
        del value[last]
    else:
        value[last] = better
    return True


def _better(wrong: Json, kind: str) -> Json:
    """The value that was meant; the same object when that is unknown."""
    many = kind in ("list_type", "tuple_type", "set_type", "frozen_set_type")
    if wrong is None:
        return [] if many else _LEFT_OUT
    if many:
        return [wrong]
    if kind == "string_type" and isinstance(wrong, int | float) and not isinstance(wrong, bool):
        return str(wrong)
    if kind == "string_type" and isinstance(wrong, list) and all(isinstance(item, str) for item in wrong):
        return " ".join(wrong)
    if kind == "literal_error" and isinstance(wrong, str):
        plain = _BLANKS.sub("_", wrong.strip(" .\"'").lower())
        return wrong if plain == wrong else plain
    return wrong


def _problem_of(error: ValidationError) -> str:
    """The first problem in one line, without anything that the model wrote."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    steps = (str(step) if isinstance(step, int) or _NAME.fullmatch(step) else "?" for step in first["loc"])
    known = first["type"] not in ("value_error", "assertion_error")
    message = first["msg"] if known else "it breaks a rule of the shape"
    return f"{'.'.join(steps) or 'it'}: {' '.join(message.split())}"[:200]
