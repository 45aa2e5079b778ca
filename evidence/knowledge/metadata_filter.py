"""Dify's metadata filter, read and applied by us.

Servers drop filters silently (Dify 1.13.3 drops all, 1.10.1 some), so every stage that is given a filter
checks again. The operators mean what they mean in Dify's SQL: letter case counts, and a document without the
field matches nothing but `empty`.
"""

import json
import math
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from evidence.errors import InvalidRequest
from evidence.model import EVERYTHING, Condition, MetadataFilter
from evidence.model.metadata_filter import Value

MOST_CONDITIONS = 100
MOST_MEMBERS = 1_000  # values of one `in`
LONGEST = 2_000  # characters of a value, and of a field's name
_HIGHEST = 1e300  # a number beyond it is none that a server can hold
MEMBERS = frozenset({"in", "not in"})
PRESENCE = frozenset({"empty", "not empty"})
TEXTUAL = frozenset({"contains", "not contains", "start with", "end with"})
EQUALITY = frozenset({"is", "is not", "=", "≠"})
ORDERING = frozenset({">", "<", "≥", "≤", "before", "after"})
BUILT_IN = frozenset({"document_name", "uploader", "upload_date", "last_update_date", "source"})
_OPERATORS = MEMBERS | PRESENCE | TEXTUAL | EQUALITY | ORDERING
_SPELLINGS = {">=": "≥", "<=": "≤", "!=": "≠", "==": "="}


def parse_filter(given: object) -> MetadataFilter:
    """Dify's filter object, or JSON text of it; None, {} and blanks filter nothing. Raises InvalidRequest."""
    if isinstance(given, str):
        given = _json(given)
    if given is None or given == {}:
        return EVERYTHING
    if not isinstance(given, Mapping):
        raise InvalidRequest("the metadata filter must be a JSON object with logical_operator and conditions")
    joined_by = given.get("logical_operator", "and")
    if joined_by not in ("and", "or"):
        raise InvalidRequest("the metadata filter's logical_operator must be and or or")
    conditions = given.get("conditions")
    if not isinstance(conditions, Sequence) or isinstance(conditions, str | bytes):
        raise InvalidRequest("the metadata filter needs a list of conditions")
    if len(conditions) > MOST_CONDITIONS:
        raise InvalidRequest(f"the metadata filter has more than {MOST_CONDITIONS} conditions")
    read = tuple(_condition(condition, number) for number, condition in enumerate(conditions, 1))
    return MetadataFilter(read, joined_by) if read else EVERYTHING


def _json(text: str) -> object:
    if not text.strip():
        return None
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        raise InvalidRequest("the metadata filter is not valid JSON") from None
    return value


def _condition(given: object, number: int) -> Condition:
    where = f"condition {number} of the metadata filter"
    if not isinstance(given, Mapping):
        raise InvalidRequest(f"{where} must be an object with name, comparison_operator and value")
    name, operator = given.get("name"), given.get("comparison_operator")
    if not isinstance(name, str) or not 0 < len(name) <= LONGEST:
        raise InvalidRequest(f"{where} needs the name of a field")
    operator = _SPELLINGS.get(operator, operator) if isinstance(operator, str) else ""
    if operator not in _OPERATORS:
        raise InvalidRequest(f"{where} needs one of the operators {', '.join(sorted(_OPERATORS))}")
    if operator in PRESENCE:
        return Condition(name, operator)
    return Condition(name, operator, _value(given.get("value"), operator, where))


def _value(given: object, operator: str, where: str) -> Value:
    if operator in MEMBERS and not isinstance(given, Mapping):
        values = given.split(",") if isinstance(given, str) else given
        listed = values if isinstance(values, list | tuple) else [values]
        if len(listed) > MOST_MEMBERS:
            raise InvalidRequest(f"{where} has more than {MOST_MEMBERS:,} values")
        return tuple(_scalar(value.strip() if isinstance(value, str) else value, where) for value in listed)
    scalar = _scalar(given, where)
    if operator in ORDERING and _number(scalar) is None:
        raise InvalidRequest(f"{where} compares by size and needs a number (a time is in Unix seconds)")
    if operator in TEXTUAL and not isinstance(scalar, str):
        return f"{scalar:.15g}"
    return scalar


def _scalar(given: object, where: str) -> str | float:
    if isinstance(given, str):
        if len(given) > LONGEST:
            raise InvalidRequest(f"{where} has a value of more than {LONGEST:,} characters")
        return given
    if (
        isinstance(given, bool) or not isinstance(given, int | float) or not abs(given) <= _HIGHEST
    ):  # NaN is none
        raise InvalidRequest(f"{where} needs a value that is a text or a number")
    return given


def matches(metadata_filter: MetadataFilter, name: str, metadata: Mapping[str, Any]) -> bool:
    """Whether a document passes; a `document_name` that is not stored is the document's name."""
    if not metadata_filter.conditions:
        return True
    join = all if metadata_filter.joined_by == "and" else any
    return join(_holds(condition, name, metadata) for condition in metadata_filter.conditions)


def _holds(condition: Condition, name: str, metadata: Mapping[str, Any]) -> bool:
    stored = metadata.get(condition.name)
    if stored is None and condition.name == "document_name":
        stored = name
    if condition.operator in PRESENCE:
        return (stored is None) == (condition.operator == "empty")
    if stored is None:
        return False
    if condition.operator in MEMBERS:
        values = condition.value if isinstance(condition.value, tuple) else (condition.value,)
        return any(_same(stored, value) for value in values) == (condition.operator == "in")
    if condition.operator in ORDERING:
        return _compare_order(condition.operator, stored, condition.value)
    return _compare(condition.operator, stored, condition.value)


def _compare(operator: str, stored: object, value: object) -> bool:
    text, part = _text(stored), _text(value)
    match operator:
        case "contains":
            return part in text
        case "not contains":
            return part not in text
        case "start with":
            return text.startswith(part)
        case "end with":
            return text.endswith(part)
        case "is" | "=":
            return _same(stored, value)
        case _:
            return not _same(stored, value)


def _compare_order(operator: str, stored: object, value: object) -> bool:
    left, right = _number(stored), _number(value)
    if left is None or right is None:
        return False
    match operator:
        case ">" | "after":
            return left > right
        case "<" | "before":
            return left < right
        case "≥":
            return left >= right
        case _:
            return left <= right


def _same(stored: object, value: object) -> bool:
    if isinstance(stored, str) and isinstance(value, str):
        return stored == value
    left, right = _number(stored), _number(value)
    return left == right if left is not None and right is not None else _text(stored) == _text(value)


def _text(value: object) -> str:
    return f"{value:.15g}" if isinstance(value, float) else str(value)


def _number(value: object) -> float | None:
    """A number, a number in text, or a date as Dify writes it late ("2026-11-20 18:50:10", UTC)."""
    if isinstance(value, bool):
        return None
    try:
        number = float(value) if isinstance(value, str | int | float) else math.nan
    except (ValueError, OverflowError):
        number = _moment(value) if isinstance(value, str) else math.nan
    return number if math.isfinite(number) else None


def _moment(text: str) -> float:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return math.nan
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
