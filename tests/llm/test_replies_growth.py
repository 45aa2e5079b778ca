"""What a model writes is read in time that grows as the reply does, whatever stands in it."""

import pytest

from evidence.answer.model_reply import ComparisonDraft, Draft
from evidence.errors import UnusableReply
from evidence.llm.replies import read
from tests.growth import steep

LENGTHS = (3_000, 12_000, 48_000)
BEGINNINGS = (
    "",
    '{"sentences": [',
    '{"sentences": [{"text": "',
    "{'a': '",
    '{"a": ',
    '```json\n{"a": [1,',
    '[{"text": ',
)
REPEATED = (
    *(
        "[",
        "{",
        "(",
        "{}",
        "[]",
        "()",
        '"',
        "'",
        "“",
        "”",
        "\\",
        ",",
        ":",
        " ",
        "\n",
        "1",
        "#",
        "/*",
        "*/",
        "// ",
    ),
    *(
        'a"',
        'x"}',
        '{"a',
        '{"a": ',
        '["a",',
        '",',
        '": ',
        '"a": "b", ',
        "{'a': 'b', ",
        '"}, {"',
        "null,",
        "-1,",
        "a: ",
    ),
    *(
        '{"text": "a", "words": "b", "passage": "p"},',
        '"a"\n"b": ',
        "```",
        "<think>",
        "</think>",
        "```json\n{",
    ),
)


def reading(reply: str) -> None:
    for shape in (Draft, ComparisonDraft):
        try:
            read(reply, shape)
        except UnusableReply:
            continue


@pytest.mark.parametrize("beginning", BEGINNINGS)
def test_no_reply_takes_longer_than_its_length(beginning: str) -> None:
    faults = [
        fault
        for piece in REPEATED
        if (
            fault := steep(
                reading, lambda length, piece=piece: beginning + piece * (length // len(piece)), LENGTHS
            )
        )
    ]
    assert [] == faults
