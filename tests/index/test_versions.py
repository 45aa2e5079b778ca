"""Versions of one document: grouped, their age told, the one that is asked for first."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.index.versions import (
    REQUESTED,
    TIE,
    edition_of,
    families,
    in_turn,
    lifts,
    newest_first,
    version_notes,
)
from evidence.model import Document

NAMES = st.text(max_size=40) | st.text(alphabet="Lease v2_-. 0159版draft", max_size=30)


def _documents(
    *names: str, metadata: Sequence[Mapping[str, Any]] = (), stored: Sequence[int] = ()
) -> list[Document]:
    return [
        Document(
            "set",
            f"{at} {name}",
            name,
            created_at=stored[at] if stored else 0,
            metadata=metadata[at] if metadata else {},
        )
        for at, name in enumerate(names)
    ]


def _names(documents: Sequence[Document]) -> list[str]:
    return [document.name for document in documents]


@pytest.mark.parametrize(
    ("name", "date", "number"),
    [
        ("Lease_2024-05-01.pdf", (2024, 5, 1), ()),
        ("Lease20240501.pdf", (2024, 5, 1), ()),
        ("Lease 01.05.2024.pdf", (2024, 5, 1), ()),
        ("Lease_2024.pdf", (2024,), ()),
        ("ServiceAgreement_Halden_v1_2023-03-01.md", (2023, 3, 1), (1,)),
        ("Lease rev3.1.pdf", (), (3, 1)),
        ("Lease.pdf", (), ()),
        ("Lease 2nd edition.pdf", (), (2,)),
        ("Lease (Second Edition).pdf", (), (2,)),
        ("賃貸借契約_第1.2版.md", (), (1, 2)),
        ("賃貸借契約_第二版.md", (), (2,)),
        ("租赁合同2023年修订版.docx", (2023,), ()),
        ("出版合同.docx", (), ()),
    ],
)
def test_a_name_tells_its_date_and_version(name: str, date: tuple[int, ...], number: tuple[int, ...]) -> None:
    assert (date, number) == (edition_of(name).date, edition_of(name).number)


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("Lease_2024.pdf", "Lease_2023.pdf"),
        ("Lease_2024-11-02.pdf", "Lease_2024-02-11.pdf"),
        ("Lease v10.pdf", "Lease v9.pdf"),
        ("Lease v2.pdf", "Lease.pdf"),
        ("Lease final.pdf", "Lease draft.pdf"),
        ("Lease.pdf", "Lease draft.pdf"),
    ],
)
def test_the_newer_version_is_told_by_the_name(newer: str, older: str) -> None:
    assert [newer, older] == _names(newest_first(_documents(older, newer)))


def test_metadata_tell_the_age_where_names_do_not() -> None:
    group = _documents(
        "Lease.pdf", "lease.pdf", metadata=({"effective_date": "2021-01-01"}, {"effective_date": "2022"})
    )
    assert ["lease.pdf", "Lease.pdf"] == _names(newest_first(group))


@pytest.mark.parametrize(
    "dates", [(1_600_000_000, 1_700_000_000), (2020, 2023), ("01.02.2020", "2020-02-02")]
)
def test_dates_in_metadata_may_be_seconds_years_or_text(dates: tuple[Any, Any]) -> None:
    group = _documents("Lease.pdf", "lease.pdf", metadata=[{"upload_date": date} for date in dates])
    assert ["lease.pdf", "Lease.pdf"] == _names(newest_first(group))


@pytest.mark.parametrize("value", [True, None, [], "soon", 7, 1e300, float("nan")])
def test_metadata_that_tell_no_date_tell_no_age(value: Any) -> None:
    group = _documents("Lease.pdf", "lease.pdf", metadata=({"date": value}, {"date": "2020"}))
    assert [] == newest_first(group)


def test_the_time_of_storing_tells_the_age_where_nothing_else_does() -> None:
    assert ["lease.pdf", "Lease.pdf"] == _names(
        newest_first(_documents("Lease.pdf", "lease.pdf", stored=(5, 6)))
    )


def test_where_nothing_tells_the_age_nothing_is_said() -> None:
    assert {} == version_notes(_documents("Lease.pdf", "lease.pdf"))


def test_numbered_documents_are_no_versions() -> None:
    assert [] == families(_documents("Lease 7.pdf", "Lease 8.pdf", stored=(1, 2)))


def test_every_version_is_told_against_the_newest() -> None:
    documents = _documents("Lease v1.pdf", "Rules.pdf", "Lease v3.pdf", "Lease v2.pdf")
    assert [
        ("Lease v1.pdf", "older version of Lease v3.pdf"),
        ("Lease v2.pdf", "older version of Lease v3.pdf"),
        ("Lease v3.pdf", "newest of 3 versions"),
    ] == sorted((key.split(" ", 1)[1], said) for key, said in version_notes(documents).items())


VERSIONS = _documents("Minutes_v1_2023-03-01.md", "Minutes_v2_2025-05-21.md", "Rules.md")


@pytest.mark.parametrize(
    ("asked", "first"),
    [
        ("What does version 1 of the minutes say?", 0),
        ("What do the minutes v2 say?", 1),
        ("What was decided in 2023?", 0),
        ("Summarise the meeting in May.", 1),
        ("What was decided in March 2023?", 0),
        ("What do the latest minutes say?", 1),
        ("What does the second version of the minutes say?", 1),
        ("What does the old version of the minutes say?", 0),
        ("What does the previous version of the minutes say?", 0),
        ("議事録の第2版は？", 1),
        ("旧版的纪要写了什么？", 0),
        ("What does the original version of the minutes say?", 0),
        ("最新の議事録は？", 1),
    ],
)
def test_the_version_that_the_question_names_is_lifted_above_the_others(asked: str, first: int) -> None:
    scores = [0.5, 0.5, 0.9]
    scores[first] = 0.3
    added = lifts(VERSIONS, scores, scores, asked)
    assert [VERSIONS[first].document_id] == list(added)
    assert pytest.approx(0.5 * REQUESTED) == 0.3 + added[VERSIONS[first].document_id]


def test_on_a_tie_the_newer_version_stands_first_else_the_better_one() -> None:
    tied = [0.5, 0.5 * (1 - TIE / 2), 0.9]
    better, worse = [0.5, 0.4, 0.9], [0.4, 0.5, 0.9]
    asked = "What was decided?"
    assert [VERSIONS[1].document_id] == list(lifts(VERSIONS, tied, tied, asked))
    assert [VERSIONS[1].document_id] == list(lifts(VERSIONS, better, tied, asked))
    assert {} == lifts(VERSIONS, better, better, asked)
    assert {} == lifts(VERSIONS, worse, worse, asked)


def test_a_question_that_names_all_versions_lifts_none() -> None:
    assert {} == lifts(
        VERSIONS, [0.5, 0.3, 0.9], [0.5, 0.3, 0.9], "What changed between version 1 and version 2?"
    )


@given(st.lists(NAMES, max_size=6), NAMES)
def test_any_names_and_questions_are_taken(names: list[str], asked: str) -> None:
    documents = _documents(*names)
    same = [1.0] * len(documents)
    assert set(version_notes(documents)) <= {document.document_id for document in documents}
    assert all(lift > 0 for lift in lifts(documents, same, same, asked).values())


def test_versions_of_each_other_stand_in_turn_whatever_the_order() -> None:
    other = _documents("Handbook.txt")[0]
    documents = [VERSIONS[1], other, VERSIONS[0]]
    assert [0, 2, 1] == in_turn(documents, [2, 0, 1])
    assert [1, 0, 2] == in_turn(documents, [1, 2, 0])
    assert [] == in_turn(documents, [])
