"""Which of two documents is newer: by name, by metadata, by what its first lines say."""

import pytest

from evidence.answer.dating import age, ages
from tests.fakes import pool, segment


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Policy 2021.txt", "Policy 2023.txt"),
        ("policy-2023-02-01.md", "policy-2023-11-30.md"),
        ("Policy v1.9.pdf", "Policy v1.10.pdf"),
        ("Policy.pdf", "Policy v2.pdf"),
        ("制度2022年3月.docx", "制度2022年12月.docx"),
    ],
)
def test_the_newer_of_two_names_is_known(older: str, newer: str) -> None:
    assert age(segment("x", older).document) < age(segment("x", newer).document)


def test_first_lines_date_a_document_whose_name_does_not() -> None:
    rules = segment("HOUSE RULES\n\nIssue 4, in force from 1 October 2024", "Rules.txt", 1)
    handbook = segment("Edition of May 2022", "Handbook_2022.txt", 1)
    found = ages(frozenset({rules.document, handbook.document}), pool(rules, handbook))
    assert ["2024-10-01", "2022"] == [str(found[each.document]) for each in (rules, handbook)]


def test_a_version_is_said_where_there_is_no_date_and_nothing_where_there_is_neither() -> None:
    assert ("3.1", "") == (str(age(segment("x", "Plan v3.1.md").document)), str(age(segment("x").document)))
    assert not age(segment("x").document).known
