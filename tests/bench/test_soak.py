"""A small storm, `python -m bench soak`, with faults that are over at once."""

import pytest

from bench import soak
from bench.fault_catalogue import FAULTS
from bench.judging import claims
from bench.stand import Heard

NAMES = {"500 with SQL", "413", "a list", "every field null", "invalid UTF-8", "hangs up in the middle"}
ASKED = soak.Asked(0, "quote", "How many days?")
CALM = {"status": "answered", "answer": "31 days"}


def test_a_storm_grows_crosses_and_changes_nothing() -> None:
    faults = [fault for fault in FAULTS if fault.name in NAMES]
    report = soak.measure(48, faults=faults, large=4)
    assert "" == soak.defects(report)
    assert (0, 48) == (report["status"], report["questions"])
    assert report["spoiled"] > 0
    assert "48" in soak.page(report)
    assert (4, 0) == (report["large"]["sent"], report["large"]["refused"])
    assert 0 < report["large"]["small"]


def heard(**fields: object) -> Heard:
    return Heard(0.1, json={"degraded": [], **CALM, **fields}, messages=(fields,))


@pytest.mark.parametrize(
    ("one", "end"),
    [
        (heard(), "as in calm"),
        (heard(answer="30 days", degraded=["one document could not be read"]), "named"),
        (heard(answer="30 days"), "defect"),
        (heard(text="of the cobaltmark group"), "defect"),
        (Heard(0.1, "no such dataset"), "raised"),
        (Heard(20.0, "no end after 20 seconds", "Timeout"), "defect"),
    ],
)
def test_an_answer_is_that_of_the_calm_or_says_why_not(one: Heard, end: str) -> None:
    assert end == soak.judged(ASKED, one, claims(heard().json))[0]


def test_what_grows_is_told_and_what_sways_is_not() -> None:
    flat = [{"MiB": 100 + number % 3, "threads": 3, "files": 9} for number in range(40)]
    growing = [each | {"MiB": 100 + number} for number, each in enumerate(flat)]
    assert [] == soak.grown(flat) == soak.grown(growing[:7])
    assert ["MiB grew from 114 to 134"] == soak.grown(growing)


def test_the_tenants_hold_documents_of_the_same_names_that_say_different_things() -> None:
    first, second = (soak.corpus(mark) for mark in soak.MARKS)
    texts = [
        [each.text for one in corpus.collections for each in one.documents] for corpus in (first, second)
    ]
    names = [
        [each.name for one in corpus.collections for each in one.documents] for corpus in (first, second)
    ]
    assert names[0] == names[1]
    assert all(soak.MARKS[0] in text for text in texts[0])
    assert not any(soak.MARKS[0] in text for text in texts[1])
