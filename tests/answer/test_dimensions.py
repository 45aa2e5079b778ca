"""What documents are compared on: the points of a question, else what differs between two versions."""

import pytest

from evidence.answer.assemble import finish
from evidence.answer.dimensions import between, dimensions
from evidence.answer.extract import extract
from evidence.model import RankedDocument, Shortlist, Understanding
from tests.fakes import pool, segment


@pytest.mark.parametrize(
    ("part", "points"),
    [
        ("Compare the document on survival", ("survival",)),
        (
            "Compare payment terms and late interest: the document version 2.",
            ("payment terms", "late interest"),
        ),
        ("What are the differences between v1 and v2 regarding fees?", ("fees",)),
        ("What is the difference between the two leases regarding pets?", ("pets",)),
        ("Compare version 1 and version 2.", ()),
        ("How do the documents differ?", ()),
        ("Does the document allow pets and parties?", ("Does the document allow pets and parties",)),
    ],
)
def test_the_points_are_what_is_asked_without_the_asking(part: str, points: tuple[str, ...]) -> None:
    assert points == dimensions(Understanding(part, "compare", topic=part))


OLD = segment(
    "# Lease\n\n## 1. Rent\n\n1.1 The rent is EUR 400 a month. 1.2 Rent is paid by bank transfer.\n\n"
    "## 2. Pets\n\n2.1 Cats may live in the flat.",
    "Lease v1.md",
)
NEW = segment(
    "# Lease\n\n## 1. Rent\n\n1.1 The rent is EUR 450 a month. 1.2 Rent is paid by bank transfer.\n\n"
    "## 2. Pets\n\n2.1 Cats may live in the flat.\n\n## 3. Garden\n\n3.1 Tenants mow the lawn every week.",
    "Lease v2.md",
)


def test_what_changed_between_two_versions_is_told_by_heading() -> None:
    found = between(pool(NEW, OLD), (OLD.document, NEW.document))
    told = {
        head: {document.name: [quote.text for quote in quotes] for document, quotes in cells.items()}
        for head, cells in found.items()
    }
    assert {
        "Rent": {
            "Lease v1.md": ["1.1 The rent is EUR 400 a month."],
            "Lease v2.md": ["1.1 The rent is EUR 450 a month."],
        },
        "Garden": {"Lease v2.md": ["3.1 Tenants mow the lawn every week."]},
    } == told


def test_two_versions_stand_side_by_side_when_no_point_is_named() -> None:
    understanding = Understanding(
        "Compare version 1 and version 2 of the lease.", "compare", topic="Compare version 1 and version 2."
    )
    held = pool(NEW, OLD)
    both = Shortlist(tuple(RankedDocument(each.document, 1.0) for each in (NEW, OLD)))
    answer = finish(understanding, held, both, extract(understanding, held, both))
    assert answer.comparison is not None
    assert ("Rent", "Garden") == answer.comparison.dimensions
    assert ["covered", "partial"] == [facet.status for facet in answer.facets]


def test_other_documents_are_compared_under_the_headings_that_both_have() -> None:
    hut = segment(
        "# Hut\n\n## 1. Rent\n\n1.1 Guests pay nine coins a night.\n\n## 2. Fire\n\n2.1 No fire.", "Hut.md"
    )
    found = between(pool(hut, OLD), (hut.document, OLD.document))
    assert ["Rent"] == list(found)
    assert {"Hut.md", "Lease v1.md"} == {document.name for document in found["Rent"]}
