"""What the answers of knowledge servers have in common: bounds, and items that are read each by itself.

Unknown fields are ignored. One item that cannot be read takes no other along. Sizes are bounded here, where texts
enter: what is longer is cut, and `cut` tells.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

LONGEST_NAME = 255  # characters; Dify's own bound
LONGEST_DESCRIPTION = 2_000  # characters
LONGEST_TEXT = 100_000  # characters of one segment; Dify's own pieces have at most 4,000 tokens
LONGEST_PAGE = 2_000_000  # characters of all segments of one answer
MOST_FIELDS = 100  # metadata fields of a document
LONGEST_VALUE = 2_000  # characters of a metadata value
BOUNDS = f"a name may have {LONGEST_NAME} characters, a segment {LONGEST_TEXT:,}"
_HIGHEST = 1e300  # number of a metadata value
MOST = 10**15  # of anything counted, and the last moment: more is no number that Dify writes

# Dify sends null where a text or a number is not known yet.
type Text = Annotated[str, Field(max_length=LONGEST_NAME)] | None
type Id = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
type Count = Annotated[float, Field(ge=0, le=MOST, allow_inf_nan=False)] | None
type Share = Annotated[float, Field(allow_inf_nan=False)]


class Shape(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)

    @property
    def cut(self) -> bool:
        """Whether something was longer than is read."""
        return False

    @property
    def size(self) -> int:
        """Characters of the texts that are read."""
        return 0


class Readable[Kind: Shape]:
    """The items of one answer that can be read, each by itself; what was lost on the way is in `warnings`.

    At most `most` items are read, and no more than `LONGEST_PAGE` characters. `what` names items for a person:
    "segments of Handbook.txt".
    """

    def __init__(self, kind: type[Kind], items: Sequence[Any], most: int, what: str) -> None:
        self._kind, self._items, self._most, self._what = kind, items, most, what
        self._used = len(items)
        self._read = self._cut = 0
        self.unreadable = 0

    def __iter__(self) -> Iterator[Kind]:
        room = LONGEST_PAGE
        for at, item in enumerate(self._items):
            if at >= self._most or room <= 0:
                self._used = at
                return
            try:
                shape = self._kind.model_validate(item)
            except (ValidationError, RecursionError):
                self.unreadable += 1
                continue
            self._read += 1
            room -= shape.size
            self._cut += shape.cut
            yield shape

    @property
    def strange(self) -> bool:
        """Whether there were items, and none of them could be read: that is a failure, and not an empty list."""
        return self.unreadable > 0 == self._read

    @property
    def warnings(self) -> tuple[str, ...]:
        """One line each, as far as the items were gone through."""
        counted = (
            (self.unreadable, "left out: the records cannot be read"),
            (self._cut, f"cut: {BOUNDS}"),
            (len(self._items) - self._used, "left out: too much was sent at once"),
        )
        return tuple(
            f"{count:,} of the {self._what} {'was' if count == 1 else 'were'} {lost}"
            for count, lost in counted
            if count
        )


def metadata_of(given: Any) -> Mapping[str, Any]:
    """Name to value. Documents carry a list of {name, type, value as text}, found segments an object.

    Values are texts and finite numbers; anything else is no value that Dify has, and is left out.
    """
    if isinstance(given, Mapping):
        fields: Iterator[tuple[Any, Any]] = iter(given.items())
    elif isinstance(given, Sequence) and not isinstance(given, str):
        fields = ((field.get("name"), _typed_value(field)) for field in given if isinstance(field, Mapping))
    else:
        return {}
    first = islice(fields, MOST_FIELDS)
    scalars = ((name, _scalar(value)) for name, value in first if isinstance(name, str))
    return {name[:LONGEST_NAME]: value for name, value in scalars if value is not None}


def cut_metadata(given: Any) -> bool:
    return isinstance(given, Mapping | list) and len(given) > MOST_FIELDS


def _typed_value(field: Mapping[str, Any]) -> Any:
    value = field.get("value")
    if field.get("type") not in ("number", "time") or not isinstance(value, str):
        return value
    try:
        number = float(value)
    except ValueError:
        return value
    if not math.isfinite(number):
        return value
    return int(number) if number.is_integer() else number


def _scalar(value: Any) -> str | float | None:
    """The value bounded, None where it is none."""
    if isinstance(value, str):
        return value[:LONGEST_VALUE]
    return value if isinstance(value, int | float) and abs(value) <= _HIGHEST else None


def bounded_name(name: str) -> str:
    """A name of bounded length, of whole characters."""
    valid = name.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return valid if len(valid) <= LONGEST_NAME else f"{valid[: LONGEST_NAME - 1]}…"
