"""A summary without a model: one sentence of each section, headings left out, the newest version only."""

from evidence.answer.assemble import finish
from evidence.answer.extract import extract
from evidence.model import Answer, Passage, Pool, Segment, Shortlist, Understanding
from tests.fakes import pool, segment

BOATS = "## 1. Boats\n\n1.1 Every boat of the club shall be dried after use. 1.2 Boats are red."
KEYS = "## 2. Keys\n\n2.1 The keys of the boat house must be returned by 20:00. 2.2 Keys are small."
FEES = "## 3. Fees\n\n3.1 Members of the club pay a fee of EUR 90 a year. 3.2 Fees are welcome."
CLUB = tuple(segment(text, "Club rules 2024.txt", at) for at, text in enumerate((BOATS, KEYS, FEES), 1))


def summary(held: Pool, question: str = "Summarise the club rules.") -> Answer:
    understanding = Understanding(question, "summarise", topic="Summarise the document.")
    return finish(understanding, held, Shortlist(()), extract(understanding, held, Shortlist(())))


def quotes(answer: Answer) -> list[str]:
    return [each.quote.text for each in answer.citations]


def test_each_section_is_spoken_for_in_reading_order_and_no_heading_is_quoted() -> None:
    text = " ".join(quotes(summary(pool(*CLUB))))
    places = [text.find(words) for words in ("shall be dried", "must be returned", "EUR 90")]
    assert sorted(places) == places
    assert -1 not in places
    assert "#" not in text


def test_of_two_versions_the_newest_is_summarised() -> None:
    older: tuple[Segment, ...] = tuple(
        segment(each.text, "Club rules 2019.txt", each.position) for each in CLUB
    )
    answer = summary(pool(*older, *CLUB))
    assert {"Club rules 2024.txt"} == {each.quote.segment.document.name for each in answer.citations}
    assert "An older version is not part of this: Club rules 2019.txt." in answer.text


def test_passages_behind_the_best_are_summarised_as_well() -> None:
    held = pool(*CLUB[:2])
    more = (Passage(CLUB[2], 0.1, 3),)
    answer = summary(Pool(held.passages, held.queries, 3, 3, 1, more=more))
    assert "EUR 90" in " ".join(quotes(answer))
