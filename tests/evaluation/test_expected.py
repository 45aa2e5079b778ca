"""Questions with expectations are read from CSV and JSON Lines, and what cannot be read is told by its line."""

import json
from dataclasses import asdict

import pytest

from evidence.errors import InvalidRequest
from evidence.evaluation.expected import Expected, expected_of


def test_a_csv_names_documents_words_and_no_answer() -> None:
    text = (
        "\ufeffQuestion;Document;Words\n"
        "How long is the notice?;Lease.md|Lease 2;30 days\n"
        '"Who pays; and when?";;"the tenant|on the first"\n'
        "\n"
        "Is there a pool?;no answer;\n"
    )
    assert (
        Expected("How long is the notice?", ("Lease.md", "Lease 2"), ("30 days",)),
        Expected("Who pays; and when?", (), ("the tenant", "on the first")),
        Expected("Is there a pool?", answerable=False),
    ) == expected_of(text)


def test_the_annotations_that_dify_exports_are_read_in_both_of_its_forms() -> None:
    said = [
        {"role": "system", "content": ""},
        {"role": "user", "content": "Why?"},
        {"role": "assistant", "content": "Because of rain."},
    ]
    expected = (Expected("Why?", answer="Because of rain."),)
    assert expected == expected_of("Question,Answer\nWhy?,Because of rain.\n")
    assert expected == expected_of("问题,答案\nWhy?,Because of rain.\n")
    assert expected == expected_of(json.dumps({"messages": said}))


def test_what_was_read_reads_the_same_again() -> None:
    questions = (
        Expected("Q", ("a.md",), ("w",), datasets=("Leases",), history="user: hello", drafted=True),
        Expected("R", answerable=False),
    )
    assert questions == expected_of("\n".join(json.dumps(asdict(each)) for each in questions))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "holds no question"),
        ("question,words\n", "holds no question"),
        ('{"question": "a", "words": "b"}\n{"question"', "line 2 of `questions` is not valid JSON"),
        ('{"question": "a", "words": "b"}\n[1]', "line 2 of `questions` is no JSON object"),
        ("question,words\n,two", "line 2 of `questions` has no question"),
        ("question,words\nWhy?,", "line 2 of `questions` expects nothing"),
        (f"question,words\n{'x' * 2_001},a", "more than 2,000 characters"),
    ],
)
def test_what_cannot_be_read_is_told_by_its_line(text: str, said: str) -> None:
    with pytest.raises(InvalidRequest, match=said):
        expected_of(text)
