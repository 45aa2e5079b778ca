"""JSON that others wrote: read only where it holds no more values, and is nested no deeper, than makes sense.

A megabyte of `[],[],` is 25 megabytes of lists. So what stands outside of texts is counted before anything is read.
"""

import json
import re
import sys
from collections.abc import Callable
from itertools import accumulate
from typing import Any

MOST_VALUES = 200_000  # commas and brackets; a hundred long segments with all their fields have about 5,000
MOST_MEMORY = 16 * 1024 * 1024  # bytes of the text; one emoji makes four bytes of every character
DEEPEST = 1_000
_STRING = re.compile(rb'"(?:[^"\\]++|\\.?)*+"?', re.DOTALL)  # matches wherever it begins: it never goes back
_NO_BRACKETS = bytes(set(range(256)) - set(b"[{]}"))
_LONGEST_INTEGER = 308  # digits: float() takes all of these


class TooMuch(ValueError):
    """More values, or more text in memory, than anything sensible has."""


def parsed(body: bytes | bytearray, deepest: int = DEEPEST, constant: Callable[[str], float] = float) -> Any:
    """The value of a body in UTF-8; `constant` gives that of NaN and Infinity, which are Python's, not JSON's.

    An integer of very many digits is a float. Raises ValueError, which is TooMuch where nothing was read.
    """
    values, depth = _counted(body)
    if values > MOST_VALUES:
        raise TooMuch(f"more than {MOST_VALUES:,} values")
    if depth > deepest:
        raise ValueError("nested too deeply")
    text = body.decode("utf-8", "surrogatepass").removeprefix("\ufeff")
    if sys.getsizeof(text) > MOST_MEMORY:
        raise TooMuch(f"more than {MOST_MEMORY // 1024**2} MB of text in memory")
    try:
        return json.loads(text, parse_int=_integer, parse_constant=constant)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _counted(body: bytes | bytearray) -> tuple[int, int]:
    """Values of a body at least, and how deeply they are nested; no more are counted than are too many."""
    quotes = body.count(b'"') - body.count(b'\\"')  # at least so many begin or end a text
    if quotes > 2 * MOST_VALUES:
        return quotes // 2, 0
    outside, strings = _STRING.subn(b"", body, count=MOST_VALUES + 1)
    brackets = outside.translate(None, _NO_BRACKETS)
    values = max(strings, outside.count(b",") + len(brackets))
    if values > MOST_VALUES:
        return values, 0
    return values, max(accumulate(1 if byte in b"[{" else -1 for byte in brackets), default=0)


def _integer(digits: str) -> int | float:
    return int(digits) if len(digits) <= _LONGEST_INTEGER else float(digits)
