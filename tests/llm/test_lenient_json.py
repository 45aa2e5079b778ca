"""JSON as models write it: read as JSON is, mended where it is broken, and up to where it breaks off."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.llm.lenient_json import TooDeep, leniently

KEYS = st.text(alphabet="ab_ 1", max_size=6)
SCALARS = st.none() | st.booleans() | st.integers(-(10**6), 10**6) | st.text(max_size=12)
JSON = st.recursive(
    SCALARS, lambda held: st.lists(held, max_size=4) | st.dictionaries(KEYS, held, max_size=4)
)
WRITTEN: dict[str, tuple[str, Any]] = {
    "single quotation marks": (
        "{'a': 'it's so', 'b': True, 'c': None}",
        {"a": "it's so", "b": True, "c": None},
    ),
    "curly ones": ("{“a”: “b”}", {"a": "b"}),
    "ones inside of a string": (
        '{"a": "he said "no", and left", "b": ["the "Fee" is due", "x"]}',
        {"a": 'he said "no", and left', "b": ['the "Fee" is due', "x"]},
    ),
    "a colon behind a quoted word": ('{"a": "the "Fee": nine"}', {"a": 'the "Fee": nine'}),
    "commas too many": ('{"a": [1,, 2,],}', {"a": [1, 2]}),
    "commas missing": ('{"a": "b"\n "c": ["d" "e"]}', {"a": "b", "c": ["d", "e"]}),
    "comments": ('{ // a note\n"a": 1, # another\n"b": /* one */ 2}', {"a": 1, "b": 2}),
    "words without quotation marks": ("{a: yes, b: 2.5}", {"a": "yes", "b": 2.5}),
    "escapes that are none": (r'{"a": "C:\_files \d \" \u00e9"}', {"a": 'C:\\_files \\d " é'}),
    "line breaks": ('{"a": "b\nc"}', {"a": "b\nc"}),
    "a bracket of the wrong kind": ('{"a": [1, 2}', {"a": [1, 2]}),
    "an escaped single mark": (r"{'a': 'it\'s'}", {"a": "it's"}),
}


@given(st.lists(JSON) | st.dictionaries(KEYS, JSON))
def test_json_is_read_as_json_is(value: Any) -> None:
    found = leniently(json.dumps(value, ensure_ascii=False))
    assert (value, False) == (found.value, found.truncated)


@pytest.mark.parametrize("name", sorted(WRITTEN))
def test_broken_json_is_mended(name: str) -> None:
    text, expected = WRITTEN[name]
    found = leniently(text)
    assert (expected, len(text), False) == (found.value, found.end, found.truncated)


@given(st.text(alphabet="{}[]\"':,\\ab1 \n“”/*#", max_size=60))
def test_any_text_behind_a_bracket_is_read_to_an_end(text: str) -> None:
    assert 0 < leniently("{" + text).end <= len(text) + 1
    assert 0 < leniently("[" + text).end <= len(text) + 1


ITEMS = [
    {"text": 'A, [b] and "c".', "quotes": [{"words": "x, y"}, {"words": "z"}], "part": 1},
    {"text": "D"},
    "e",
    17,
]


@pytest.mark.parametrize("before", ["", '"verdict": "yes", "missing": [3, 4], '])
@pytest.mark.parametrize("behind", ["", ', "missing": [1], "note": "so"'])
def test_of_a_list_that_breaks_off_the_whole_items_are_kept_and_no_half_one(before: str, behind: str) -> None:
    reply = "{" + before + '"items": ' + json.dumps(ITEMS) + behind + "}"
    closed = reply.index(json.dumps(ITEMS)) + len(json.dumps(ITEMS))
    for end in range(1, len(reply)):
        found = leniently(reply[:end])
        items = found.value.get("items", [])
        assert items == ITEMS[: len(items)]
        assert found.truncated or "items" not in found.value or end >= closed
        assert found.value.get("verdict", "yes") == "yes"
        assert found.value.get("note", "so") == "so"


def test_where_only_the_last_bracket_is_missing_more_may_have_been_to_come() -> None:
    found = leniently('{"items": [1, 2], "note": "so"')
    assert ({"items": [1, 2], "note": "so"}, True) == (found.value, found.truncated)


@pytest.mark.parametrize(
    "text", ['{"items": ["a", "b', '{"items": ["a", {"b": 1', '{"items": ["a", 1', '{"items": ["a",']
)
def test_an_item_that_breaks_off_is_none(text: str) -> None:
    found = leniently(text)
    assert ({"items": ["a"]}, True) == (found.value, found.truncated)


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a": ' * 100_000])
def test_what_is_nested_too_deep_is_refused(text: str) -> None:
    with pytest.raises(TooDeep):
        leniently(text)
