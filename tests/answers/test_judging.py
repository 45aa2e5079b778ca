"""Where two documents contradict each other, and which of them is newer."""

import pytest

from evidence.answers.judging import age, conflicts
from evidence.model import Quote, Span
from tests.fakes import segment


def quote(text: str, name: str) -> Quote:
    return Quote(segment(text, name), Span(0, len(text)))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The trial period is three months.", "The trial period is six months."),
        ("Members may bring guests to the hall.", "Members may not bring guests to the hall."),
        ("试用期为三个月。", "试用期为六个月。"),
        ("The report is due on 1 March 2023.", "The report is due on 1 April 2023."),
    ],
)
def test_other_figures_or_the_other_polarity_on_one_matter_is_a_contradiction(one: str, other: str) -> None:
    assert 2 == len(conflicts([quote(one, "A.txt"), quote(other, "B.txt")]))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The trial period is three months.", "The trial period is 3 months."),
        ("The trial period is three months.", "The canteen serves lunch for five euros."),
        ("Members may bring guests to the hall.", "Members may bring guests to the hall."),
    ],
)
def test_the_same_or_another_matter_is_none(one: str, other: str) -> None:
    assert () == conflicts([quote(one, "A.txt"), quote(other, "B.txt")])


def test_one_document_does_not_contradict_itself() -> None:
    text = "The trial period is three months."
    assert () == conflicts([quote(text, "A.txt"), quote(text.replace("three", "six"), "A.txt")])


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
