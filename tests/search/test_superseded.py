"""Of two versions the superseded one never stands above the valid one, nor is worth more."""

from collections.abc import Sequence

from evidence.model import Document, Passage, Segment
from evidence.search.superseded import valid_first

OLD = Document("set", "old", "Service Agreement v1 2023-03-01.md")
NEW = Document("set", "new", "Service Agreement v2 2025-03-01.md")
OTHER = Document("set", "other", "Holiday rules.md")
CAP = "The liability of the supplier is limited to {} euros for each contract year."
NOTICE = "Either party may end this agreement with {} days of notice to the other party."
HOLIDAYS = "Thirty days of leave are granted to every member of staff."


def ranking(*held: tuple[Document, str]) -> list[Passage]:
    """Passages in this order, with falling scores."""
    return [
        Passage(Segment(document, f"{document.document_id}-{rank}", rank, text), 1 / rank, rank)
        for rank, (document, text) in enumerate(held, 1)
    ]


def order(passages: Sequence[Passage], asked: str = "What is the liability cap?") -> list[str]:
    return [each.segment.document.document_id for each in valid_first(passages, asked)]


def test_a_superseded_clause_changes_places_with_the_valid_one() -> None:
    found = ranking((OLD, CAP.format(100_000)), (OTHER, HOLIDAYS), (NEW, CAP.format(500_000)))
    assert ["new", "other", "old"] == order(found)
    scores = [(each.score, each.rank) for each in valid_first(found, "What is the liability cap?")]
    assert [(each.score, each.rank) for each in found] == scores


def test_each_clause_stands_behind_its_own_successor() -> None:
    found = ranking(
        (OLD, CAP.format(1)), (OLD, NOTICE.format(30)), (NEW, NOTICE.format(60)), (NEW, CAP.format(2))
    )
    settled = valid_first(found, "cap and notice?")
    assert ["new", "new", "old", "old"] == [each.segment.document.document_id for each in settled]
    assert [CAP.format(2), NOTICE.format(60)] == [each.segment.text for each in settled[:2]]


def test_the_version_that_the_question_names_is_the_valid_one() -> None:
    found = ranking((NEW, CAP.format(500_000)), (OLD, CAP.format(100_000)))
    assert ["old", "new"] == order(found, "What was the liability cap in version 1?")
    assert ["new", "old"] == order(found)


def test_what_only_the_older_version_says_stays_where_it_is() -> None:
    found = ranking((OLD, NOTICE.format(30)), (NEW, CAP.format(500_000)), (OTHER, HOLIDAYS))
    assert ["old", "new", "other"] == order(found)


def test_passages_of_documents_that_are_no_versions_keep_their_order() -> None:
    found = ranking((OTHER, HOLIDAYS), (NEW, CAP.format(1)))
    assert tuple(found) == valid_first(found, "leave?")
