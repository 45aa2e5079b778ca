"""Where two documents contradict each other, and which of them is newer."""

import pytest

from evidence.answer.assemble import finish
from evidence.answer.conflicts import COMPARED, Conflict, conflicts
from evidence.answer.extract import extract
from evidence.model import Answer, Intent, Passage, Pool, Quote, Segment, Shortlist, Span, Understanding
from tests.fakes import pool, segment


def quote(text: str, name: str) -> Quote:
    return Quote(segment(text, name), Span(0, len(text)))


def between(question: str, *quotes: Quote, intent: Intent = "lookup", held: Pool | None = None) -> list[str]:
    """The texts that differ, newest first."""
    found = conflicts(Understanding(question, intent), quotes, held or Pool())
    return [each.text for conflict in found for each in conflict.quotes]


@pytest.mark.parametrize(
    ("question", "one", "other"),
    [
        ("trial period?", "The trial period is three months.", "The trial period is six months."),
        ("guests?", "Members may bring guests to the hall.", "Members may not bring guests to the hall."),
        ("guests?", "Guests are allowed in the hall.", "Guests are forbidden in the hall."),
        ("试用期多久？", "试用期为三个月。", "试用期为六个月。"),
        ("report due?", "The report is due on 1 March 2023.", "The report is due on 1 April 2023."),
        (
            "How long are the notes of rejected candidates kept?",
            "2.1 Notes of rejected candidates are kept for 24 months, so that they can be asked again.",
            "7.4 The notes of rejected candidates, and their tests, are kept for 6 months and then burnt.",
        ),
        (
            "Does the ferry move to the north pier?",
            "Decision 3-1: The ferry moves from the old harbour to the north pier in May.",
            "The ferry stays in the old harbour, and the move to the north pier is cancelled.",
        ),
    ],
)
def test_other_figures_the_other_polarity_or_a_reversal_is_a_contradiction(
    question: str, one: str, other: str
) -> None:
    assert {one, other} == set(between(question, quote(one, "A.txt"), quote(other, "B.txt")))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The trial period is three months.", "The trial period is 3 months."),
        ("The trial period is three months.", "The canteen serves lunch for five euros."),
        ("Members may bring guests to the hall.", "Members may bring guests to the hall."),
        ("4.1 The trial period is long, see section 9.", "5.2 The trial period is long, see section 8."),
        ("## 3. The Trial Period", "## 4. The Trial Period"),
    ],
)
def test_the_same_another_matter_or_another_number_of_a_clause_is_none(one: str, other: str) -> None:
    assert [] == between("How long is the trial period?", quote(one, "A.txt"), quote(other, "B.txt"))


@pytest.mark.parametrize(
    ("question", "one", "other"),
    [
        ("belts?", "Lathe 3.2 takes belts of 4 metres.", "Lathe 3.1 takes belts of 5 metres."),
        ("Which belts does it take?", "It takes Belt 3.6 and Belt 3.7.", "It takes Belt 3.6 and Belt 3.8."),
        ("the licence?", "- Shared Potters License - v 1.0", "- Shared Potters License (SPL) v. 2.0"),
        (
            "what happens to the selected cells?",
            "Cancel takes the changes of the selected cells back, which are no longer valid, and closes the window.",
            "The selected cells can be filled with a colour, a border, a pattern or the text of the clipboard.",
        ),
    ],
)
def test_editions_of_other_numbers_and_the_undoing_of_something_else_contradict_nothing(
    question: str, one: str, other: str
) -> None:
    assert [] == between(question, quote(one, "A.txt"), quote(other, "B.txt"))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The belt of Lathe 3.2 is 4 metres long.", "The belt of Lathe 3.2 is 5 metres long."),
        ("The fee for the lathe is EUR 3.50 a day.", "The fee for the lathe is EUR 4.50 a day."),
    ],
)
def test_one_edition_and_an_amount_of_money_may_be_contradicted(one: str, other: str) -> None:
    assert {one, other} == set(between("And the lathe?", quote(one, "A.txt"), quote(other, "B.txt")))


def test_one_document_does_not_contradict_itself() -> None:
    text = "The trial period is three months."
    assert [] == between("trial period?", quote(text, "A.txt"), quote(text.replace("three", "six"), "A.txt"))


@pytest.mark.parametrize("intent", ["list_all", "compare", "summarise"])
def test_difference_is_the_point_of_a_list_a_comparison_and_a_summary(intent: Intent) -> None:
    one, other = (quote(f"The trial period is {n} months.", f"{n}.txt") for n in ("three", "six"))
    assert [] == between("trial period?", one, other, intent=intent)


# --- the answer --------------------------------------------------------------------------------------------

QUESTION = "What is the monthly rent of the boat house?"
OLD = segment("The monthly rent of the boat house is EUR 400.", "Lease 2021-04-01.txt", 2)
NEW = segment("The monthly rent of the boat house is EUR 450.", "Lease 2024-04-01.txt", 2)
HEAD = segment("Lease. This lease replaces the Lease of 2021 in full.", "Lease 2024-04-01.txt", 1)


def answer(*best: Segment, behind: tuple[Segment, ...] = ()) -> Answer:
    held = pool(*best)
    more = tuple(Passage(each, 0.1, rank) for rank, each in enumerate(behind, len(best) + 1))
    held = Pool(held.passages, held.queries, held.read, held.total, held.documents, more=more)
    understanding, nobody = Understanding(QUESTION), Shortlist(())
    return finish(understanding, held, nobody, extract(understanding, held, nobody))


def test_what_differs_stands_side_by_side_newest_first_with_its_dates() -> None:
    said = answer(OLD, NEW)
    assert ("partial", "conflicting") == (said.status, said.reason)
    assert ["contradicted"] == [facet.status for facet in said.facets]
    assert [NEW, OLD] == [each.quote.segment for each in said.citations]
    assert said.text.startswith("The documents differ on this; the newest comes first:")
    assert "Lease 2024-04-01.txt (2024-04-01)" in said.text


def test_a_contradiction_is_looked_for_behind_the_best_passages_too() -> None:
    said = answer(OLD, behind=(NEW, HEAD))
    assert ["contradicted"] == [facet.status for facet in said.facets]
    assert ["This lease replaces the Lease of 2021 in full.", NEW.text, OLD.text] == [
        each.quote.text for each in said.citations
    ]


def test_without_any_date_the_documents_only_differ() -> None:
    one, other = segment(OLD.text, "North.txt"), segment(NEW.text, "South.txt")
    assert answer(one, other).text.startswith("The documents differ on this:")


def test_a_conflict_knows_how_much_of_it_is_dated() -> None:
    found: Conflict = conflicts(
        Understanding(QUESTION), [quote(OLD.text, "A.txt"), quote(NEW.text, "B 2024.txt")], Pool()
    )[0]
    assert (False, True) == (found.dated, found.partly_dated)


def test_an_irregular_past_form_speaks_of_the_same_matter() -> None:
    one = quote(
        "The team keeps the papers of unsuccessful applicants for 24 months after the hiring.", "A.txt"
    )
    other = quote(
        "Records of applicants who were not hired are kept for 6 months and then destroyed.", "B.txt"
    )
    assert {one.text, other.text} == set(
        between("How long do we keep the records of applicants?", one, other)
    )


def test_a_footnote_mark_at_a_word_hides_no_contradiction() -> None:
    one = quote("The surcharge for goods stored equals 5% of the price.", "A.txt")
    behind = segment("The surcharge3 for goods stored equals 8% of the price.", "B.txt")
    held = Pool(more=(Passage(behind, 0.1, 2),))
    assert {one.text, behind.text} == set(between("What is the surcharge?", one, held=held))


@pytest.mark.parametrize(("before", "differs"), [(COMPARED - 2, True), (COMPARED - 1, False)])
def test_only_so_many_statements_are_compared(before: int, *, differs: bool) -> None:
    one = quote("The surcharge for goods stored equals 5% of the price.", "A.txt")
    others = segment("The surcharge is levied in spring. " * before, "B.txt")
    behind = segment("The surcharge for goods stored equals 8% of the price.", "C.txt")
    held = Pool(more=(Passage(others, 0.2, 2), Passage(behind, 0.1, 3)))
    assert differs == bool(between("What is the surcharge?", one, held=held))


@pytest.mark.parametrize(
    ("question", "one", "other"),
    [
        ("lowest and highest nice value", "Default value: 10", "Default value: 5"),
        (
            "Until when is the database supported?",
            "Support for Oracle 12.1 ends in July 2021.",
            "Support for MariaDB 10.1 ends in October 2020.",
        ),
    ],
)
def test_labels_that_hardly_touch_the_question_and_other_products_do_not_contradict(
    question: str, one: str, other: str
) -> None:
    assert [] == between(question, quote(one, "One.txt"), quote(other, "Other.txt"))
