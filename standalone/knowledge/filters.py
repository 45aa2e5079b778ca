"""Metadata conditions, as Dify 1.10.1 turns them into SQL, with the operators it forgets."""

from collections.abc import Callable, Mapping, Sequence
from operator import eq, ge, gt, le, lt, ne
from typing import Any, Literal

from pydantic import BaseModel

from standalone.knowledge.catalogue import StoredDataset, StoredDocument
from standalone.knowledge.errors import internal_error
from standalone.knowledge.like import like

type Test = Callable[[Any], bool]

_NUMERIC: Mapping[str, Callable[[float, float], bool]] = {
    "<": lt,
    "before": lt,
    ">": gt,
    "after": gt,
    "≤": le,
    "≥": ge,
}
_PATTERNS = {"contains": "%{}%", "not contains": "%{}%", "start with": "{}%", "end with": "%{}"}


class Condition(BaseModel):
    name: str
    comparison_operator: Literal[
        "contains",
        "not contains",
        "start with",
        "end with",
        "is",
        "is not",
        "empty",
        "not empty",
        "in",
        "not in",
        "=",
        "≠",
        ">",
        "<",
        "≥",
        "≤",
        "before",
        "after",
    ]
    value: str | Sequence[str] | int | float | None = None


class MetadataFilteringCondition(BaseModel):
    """Dify's name, because it shows in the messages."""

    logical_operator: Literal["and", "or"] | None = "and"
    conditions: list[Condition] | None = None


def matching(dataset: StoredDataset, raw: Any) -> frozenset[int]:
    """Positions of the available documents that satisfy the filter.

    Conditions that 1.10.1 accepts and forgets (in, not in, a null value) filter nothing.
    Raises pydantic's ValidationError, and a 500 when text is compared with a number.
    """
    parsed = MetadataFilteringCondition.model_validate(raw)
    if parsed.conditions is None:
        raise internal_error("'NoneType' object is not iterable")
    tests = [(condition.name, test) for condition in parsed.conditions if (test := _test(condition))]
    join = any if parsed.logical_operator == "or" and tests else all
    return frozenset(
        document.position
        for document in dataset.documents
        if document.source.available and join([test(_value(document, name)) for name, test in tests])
    )


def _value(document: StoredDocument, name: str) -> Any:
    return (document.metadata or {}).get(name)


def _test(condition: Condition) -> Test | None:
    operator, value = condition.comparison_operator, condition.value
    if operator in {"empty", "not empty"}:
        empty = operator == "empty"
        return lambda stored: (stored is None) == empty
    if value is None or operator in {"in", "not in"}:
        return None
    if operator in _PATTERNS:
        return _pattern_test(operator, str(value))
    if operator in _NUMERIC:
        compare, bound = _NUMERIC[operator], _number(value)
        return lambda stored: stored is not None and compare(_number(stored), bound)
    return _equality_test(value, same=operator in {"is", "="})


def _pattern_test(operator: str, value: str) -> Test:
    found = like(_PATTERNS[operator].format(value))
    wanted = operator != "not contains"
    return lambda stored: stored is not None and found(str(stored)) == wanted


def _equality_test(value: object, *, same: bool) -> Test | None:
    """Compare as Dify does: a text with the stored value as text, a number with it as a number.

    A missing value is neither equal nor different, as NULL in SQL.
    """
    if isinstance(value, str):
        return lambda stored: stored is not None and (str(stored) == value) == same
    if isinstance(value, int | float):
        compare = eq if same else ne
        return lambda stored: stored is not None and bool(compare(_number(stored), float(value)))
    return None


def _number(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError) as error:
        raise internal_error(
            "(psycopg2.errors.InvalidTextRepresentation) invalid input syntax for type double precision: "
            f'"{value}"\n\n[SQL: SELECT documents.id AS documents_id ...]'
        ) from error
