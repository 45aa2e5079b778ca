"""What models really write, read as typed values or refused in one line."""

import json
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from evidence.errors import UnusableReply
from evidence.llm.replies import parse, read


class Part(BaseModel):
    key: str
    words: str = ""


class Drafted(BaseModel):
    text: str
    markers: list[int] = []
    status: Literal["covered", "not_found"] = "covered"
    score: float = 0.5
    parts: tuple[Part, ...] = ()


READABLE: dict[str, tuple[str, Drafted]] = {
    "plain": ('{"text": "a"}', Drafted(text="a")),
    "fenced": ('```json\n{"text": "a"}\n```', Drafted(text="a")),
    "prefaced": ('Sure! Here it is: {"text": "a"} I hope {it} helps.', Drafted(text="a")),
    "after a thought": ('<think>{"text": "no"}</think>{"text": "a"}', Drafted(text="a")),
    "after a thought without an opening tag": ('hm {"text": "no"}</think>{"text": "a"}', Drafted(text="a")),
    "after a thought without a closing tag": ('<think>so {it} is\n{"text": "a"}', Drafted(text="a")),
    "full-width colons and commas": (
        '{"text"："a：b，c"，"markers"：[1]}',
        Drafted(text="a：b，c", markers=[1]),
    ),
    "the longest of two": ('{"text": "a"} {"text": "a longer one"}', Drafted(text="a longer one")),
    "cut off": (
        '{"text": "a", "parts": [{"key": "k"}, {"key": "l", "wo',
        Drafted(text="a", parts=(Part(key="k"),)),
    ),
    "cut off in a fence": ('```json\n{"text": "a", "markers": [1, 2', Drafted(text="a", markers=[1])),
    "single quotes": ("{'text': 'a', 'markers': [1]}", Drafted(text="a", markers=[1])),
    "a comma too many": ('{"text": "a",}', Drafted(text="a")),
    "a line break in a string": ('{"text": "a\nb"}', Drafted(text="a\nb")),
    "one item for a list": (
        '{"text": "a", "markers": 3, "parts": {"key": "k"}}',
        Drafted(text="a", markers=[3], parts=(Part(key="k"),)),
    ),
    "a number as text": (
        '{"text": "a", "markers": ["1"], "score": "0.7"}',
        Drafted(text="a", markers=[1], score=0.7),
    ),
    "a text as number": ('{"text": 5}', Drafted(text="5")),
    "null": ('{"text": "a", "markers": null, "score": null, "parts": null}', Drafted(text="a")),
    "null in a list": ('{"text": "a", "markers": [null, 2, null, 3]}', Drafted(text="a", markers=[2, 3])),
    "no number": ('{"text": "a", "score": NaN}', Drafted(text="a")),
    "a choice in capitals": ('{"text": "a", "status": "Not found"}', Drafted(text="a", status="not_found")),
    "in a list": ('[{"text": "a"}]', Drafted(text="a")),
    "under a name": ('{"Drafted": {"text": "a"}}', Drafted(text="a")),
    "as text": ('"{\\"text\\": \\"a\\"}"', Drafted(text="a")),
    "half a character": ('{"text": "\\ud83d"}', Drafted(text="\ufffd")),
}


@pytest.mark.parametrize("name", sorted(READABLE))
def test_a_reply_with_harmless_slips_is_read(name: str) -> None:
    reply, expected = READABLE[name]
    assert expected == read(reply, Drafted)


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        ("", "it is empty"),
        (" \n", "it is empty"),
        ("<think>for ever", "it is empty"),
        ("I cannot help with private matters.", "it holds no JSON"),
        ('{"markers": [1]}', "text: Field required"),
        ('{"text": null}', "text: Field required"),
        ('{"text": "a", "status": "private"}', "status: Input should be 'covered' or 'not_found'"),
        ('{"text": "a", "parts": [{"words": "private"}]}', "parts.0.key: Field required"),
        ("{" * 5000, "it was cut off before anything of use was complete"),
        ("[" * 5000, "it holds no JSON"),
    ],
)
def test_an_unusable_reply_is_refused_in_one_line_without_its_contents(reply: str, problem: str) -> None:
    with pytest.raises(UnusableReply) as caught:
        read(reply, Drafted)
    assert f"the model's reply is not a Drafted: {problem}" == str(caught.value)


@pytest.mark.parametrize("bracket", ["[", "{", '{"text": ', '{"parts": [', "[{"])
@pytest.mark.parametrize("closing", ["", "]", "}", "]}"])
def test_a_reply_that_is_nested_without_end_is_refused(bracket: str, closing: str) -> None:
    assert isinstance(outcome(bracket * 100_000 + closing * 100_000), UnusableReply)


@pytest.mark.parametrize(
    "number",
    ["NaN", "Infinity", "-Infinity", "1e400", "-1e400", "1" + "0" * 400, "1" * 5_000, "0x1F", "1_000"],
)
def test_a_number_that_is_none_takes_nothing_else_along(number: str) -> None:
    found = outcome(
        f'{{"text": "a", "score": {number}, "markers": [1, {number}, 2], "parts": [{{"key": "k"}}]}}'
    )
    assert isinstance(found, Drafted | UnusableReply)
    if number in ("NaN", "Infinity", "-Infinity", "1e400", "-1e400"):
        assert Drafted(text="a", markers=[1, 2], parts=(Part(key="k"),)) == found


def test_of_a_name_that_stands_twice_the_last_value_counts() -> None:
    assert Drafted(text="b") == read('{"text": "a", "text": "b"}', Drafted)


@pytest.mark.parametrize("text", ["\\ud800", "\\udfff\\ud800", "\ud800", "a\udc80b", "\x00", "\\u0000"])
def test_half_characters_can_be_written_down_again(text: str) -> None:
    found = outcome(f'{{"text": "{text}", "parts": [{{"key": "{text}"}}]}}')
    assert isinstance(found, Drafted)
    assert found.model_dump_json()


def test_a_reply_that_is_longer_than_any_is_read_as_one_that_was_cut_off() -> None:
    keys = ", ".join(f'{{"key": "{number}"}}' for number in range(20_000))
    found = parse(f'{{"text": "a", "parts": [{keys}]}}', Drafted)
    assert found.truncated
    assert 1_000 < len(found.value.parts) < 20_000
    assert all(str(at) == part.key for at, part in enumerate(found.value.parts))


def test_what_stands_behind_the_json_is_no_sign_that_it_was_cut_off() -> None:
    for behind in ("", " I hope [that] helps.", "\n```", " {", ' {"text": "b"}', " [1, 2"):
        assert not parse('{"text": "a", "markers": [1]}' + behind, Drafted).truncated


@pytest.mark.parametrize(
    "reply", ['{"text": "a", "markers": [1', '{"text": "a", "markers": [1], "sta', '{"text": "a", ']
)
def test_a_reply_that_breaks_off_says_so(reply: str) -> None:
    found = parse(reply, Drafted)
    assert ("a", True) == (found.value.text, found.truncated)


LISTED = [{"text": f"item {number}", "parts": [{"key": f"k{number}"}]} for number in range(1, 9)]
FORMS = {
    "an object a line": "\n".join(map(json.dumps, LISTED)),
    "an object a fence": "\n".join(f"```json\n{json.dumps(each)}\n```" for each in LISTED),
    "a list of objects": json.dumps(LISTED),
    "objects behind each other": "".join(map(json.dumps, LISTED)),
    "objects with prose between": " and then ".join(map(json.dumps, LISTED)),
    "two lists": f"{json.dumps(LISTED[:3])}\n{json.dumps(LISTED[3:])}",
}


@pytest.mark.parametrize("form", sorted(FORMS))
def test_a_list_in_several_pieces_loses_no_item(form: str) -> None:
    found = parse(FORMS[form], Drafted)
    assert (False, tuple(Part(key=f"k{number}") for number in range(1, 9))) == (
        found.truncated,
        found.value.parts,
    )


def test_what_stands_twice_in_several_pieces_is_taken_once() -> None:
    pieces = [*LISTED[:2], *LISTED[:2]]
    assert (Part(key="k1"), Part(key="k2")) == read("\n".join(map(json.dumps, pieces)), Drafted).parts


@pytest.mark.parametrize("lost", ['{"parts": [{"key": "k9"}]}', '{"text": "item 9", "parts": [{"ke'])
def test_several_pieces_of_which_one_cannot_be_read_are_not_the_whole(lost: str) -> None:
    found = parse("\n".join([*map(json.dumps, LISTED), lost]), Drafted)
    assert (True, 8) == (found.truncated, len(found.value.parts))


def test_more_pieces_than_are_looked_at_are_not_the_whole() -> None:
    found = parse("\n".join(f'{{"text": "a", "markers": [{number}]}}' for number in range(500)), Drafted)
    assert (True, list(range(200))) == (found.truncated, found.value.markers)


PIECES = st.sampled_from(
    ['{"text": "a"', "}", "[", "]", ",", '"markers": ', "null", "```", "<think>", "</think>", '"', "\\", "5"]
)


@given(st.one_of(st.text(max_size=80), st.lists(PIECES, max_size=14).map("".join)))
def test_any_reply_is_read_or_refused(reply: str) -> None:
    assert isinstance(outcome(reply), Drafted | UnusableReply)


def outcome(reply: str) -> Drafted | UnusableReply:
    try:
        return read(reply, Drafted)
    except UnusableReply as refused:
        return refused
