"""What others wrote is counted before it is read."""

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.http.foreign_json import MOST_VALUES, TooMuch, parsed

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner, max_size=5),
    max_leaves=20,
)


@given(JSON)
def test_json_is_read_as_it_is(value: Any) -> None:
    assert value == parsed(json.dumps(value).encode())
    assert value == parsed(bytearray(json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")))


def test_a_mark_of_byte_order_is_no_part_of_the_value() -> None:
    assert ["漢"] == parsed('\ufeff["漢"]'.encode())


@pytest.mark.parametrize("body", [b"", b"{", b"[1,]", b"'a'", b"\xff", '["a"]'.encode("utf-16"), b'{"a" 1}'])
def test_what_is_no_json_is_a_value_error(body: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        parsed(body)


@pytest.mark.parametrize("piece", [b"1,", b"[],", b'"",', b"{},", b'{"a":1},', b"[", b"]"])
def test_more_values_than_anything_sensible_has_are_not_read(piece: bytes) -> None:
    with pytest.raises(TooMuch, match=f"more than {MOST_VALUES:,} values"):
        parsed(b"[" + piece * (MOST_VALUES + 1) + b"1]")


@pytest.mark.parametrize("text", [",", "[],", '"', "\\", '",', "\n"])
def test_what_stands_in_a_text_is_no_value(text: str) -> None:
    value = {"content": text * (MOST_VALUES + 1)}
    assert value == parsed(json.dumps(value).encode())


def test_one_wide_character_counts_for_all_of_them() -> None:
    text = "a" * 5_000_000
    assert text == parsed(json.dumps(text).encode())
    with pytest.raises(TooMuch, match="more than 16 MB of text in memory"):
        parsed(json.dumps(text + "\U0001f600", ensure_ascii=False).encode())


@pytest.mark.parametrize("piece", ["[", '{"a":'])
def test_what_is_nested_deeper_than_anything_sensible_is_not_read(piece: str) -> None:
    closing = "]" if piece == "[" else "}"
    assert parsed((piece * 60 + "1" + closing * 60).encode(), 60)
    for deep, deepest in ((61, 60), (1_001, 1_000), (50_000, 100_000)):
        with pytest.raises(ValueError, match="nested too deeply"):
            parsed((piece * deep + "1" + closing * deep).encode(), deepest)


@pytest.mark.parametrize(
    ("expected", "digits"),
    [
        (10**307, "1" + "0" * 307),
        (1e308, "1" + "0" * 308),
        (math.inf, "9" * 10_000),
        (-math.inf, "-" + "9" * 10_000),
        (math.inf, "1e400"),
        (math.inf, "Infinity"),
    ],
)
def test_no_number_is_larger_than_a_float(expected: float, digits: str) -> None:
    assert [expected] == parsed(f"[{digits}]".encode())


def test_where_only_json_is_taken_python_s_constants_are_none() -> None:
    def refuse(name: str) -> float:
        raise ValueError(name)

    with pytest.raises(ValueError, match="NaN"):
        parsed(b"[NaN]", constant=refuse)
