"""Beyond what was read of a long document: rare words are asked for, and what was not read is said."""

from collections.abc import Mapping

import pytest

from evidence.context import Context
from evidence.corpus.candidates import Candidates, SurveyReport, candidates_of
from evidence.corpus.fetch import read_document
from evidence.errors import EvidenceError, KnowledgeUnavailable
from evidence.language.terms import terms
from evidence.limits import Limits
from evidence.model import Document
from evidence.search.long_documents import deepened, rarest
from tests.fakes import Call, FakeKnowledge, degraded, holding, metered

ENTRIES = [f"Entry {number}: calm sea, wind from the west." for number in range(1, 5_001)]
ENTRIES[4_321] = "Entry 4322: a whale damaged the rudder; repairs were paid by the insurer."
ENTRIES[4_400] = "Entry 4401: the rudders were replaced."
LOGS = holding("Logs", {"Logbook.txt": ENTRIES, "Rules.txt": ["Dogs stay outside."]})
LOGBOOK = next(iter(LOGS[1]))
TOPIC = "Who paid for the repair of the rudder?"


def _candidates(ctx: Context, pages: int = 12) -> Candidates:
    if pages:
        read_document(LOGBOOK, ctx, pages)
    return candidates_of(tuple(LOGS[1]), (), SurveyReport(), ctx)


def _texts(candidates: Candidates, document: Document = LOGBOOK) -> list[str]:
    return [segment.text for segment in candidates.collection.segments if segment.document == document]


def test_of_five_thousand_segments_those_with_a_rare_word_are_found_beyond_the_page_bound() -> None:
    knowledge = FakeKnowledge(LOGS)
    ctx = metered(knowledge)
    found = deepened(_candidates(ctx), [LOGBOOK], TOPIC, 3, ctx)
    assert 1_202 == len(_texts(found))
    assert ENTRIES[4_321] in _texts(found)
    assert 12 + 3 == len(knowledge.asked("segments"))
    assert (
        "search: 1,200 of 5,000 segments of Logbook.txt were read; of the rest, what holds repair or rudder or paid",
    ) == degraded(ctx)


def test_what_was_found_is_ranked_with_what_was_read_and_counted_as_read() -> None:
    ctx = metered(FakeKnowledge(LOGS))
    collection = deepened(_candidates(ctx), [LOGBOOK], TOPIC, 3, ctx).collection
    best = int(collection.lexical.scores(dict.fromkeys(terms("rudder repair"), 1.0)).argmax())
    assert ENTRIES[4_321] == collection.segments[best].text
    reading = collection.reading_of(LOGBOOK)
    assert reading is not None
    assert (1_202, 5_000, False) == (len(reading.segments), reading.total, reading.complete)
    assert sorted(segment.position for segment in reading.segments) == [s.position for s in reading.segments]


def test_a_second_question_for_the_same_words_makes_no_call() -> None:
    knowledge = FakeKnowledge(LOGS)
    ctx = metered(knowledge)
    deepened(_candidates(ctx), [LOGBOOK], TOPIC, 3, ctx)
    knowledge.calls.clear()
    again = metered(knowledge, cache=ctx.cache)
    assert 1_202 == len(_texts(deepened(_candidates(again), [LOGBOOK], TOPIC, 3, again)))
    assert [] == knowledge.calls


def test_a_document_that_was_read_to_its_end_is_not_asked_again() -> None:
    ctx = metered(FakeKnowledge(LOGS))
    rules = list(LOGS[1])[1]
    read_document(rules, ctx)
    candidates = _candidates(ctx, 1)
    assert candidates is deepened(candidates, [rules], TOPIC, 3, ctx)
    assert () == degraded(ctx)


def test_a_document_that_could_not_be_read_is_searched_by_words_alone() -> None:
    ctx = metered(FakeKnowledge(LOGS))
    found = deepened(_candidates(ctx, 0), [LOGBOOK], TOPIC, 3, ctx)
    assert [ENTRIES[4_321], ENTRIES[4_400]] == _texts(found)
    assert degraded(ctx)[0].startswith("search: Logbook.txt was not read, but what the server found in it")


def test_no_more_words_are_asked_for_than_calls_are_left() -> None:
    knowledge = FakeKnowledge(LOGS)
    ctx = metered(knowledge, limits=Limits(knowledge_calls=3))
    deepened(_candidates(ctx, 2), [LOGBOOK], TOPIC, 3, ctx)
    assert 3 == len(knowledge.asked("segments"))


def test_without_calls_what_was_not_searched_is_said() -> None:
    ctx = metered(FakeKnowledge(LOGS), limits=Limits(knowledge_calls=2))
    candidates = _candidates(ctx, 2)
    assert candidates is deepened(candidates, [LOGBOOK], TOPIC, 3, ctx)
    assert ("search: 200 of 5,000 segments of Logbook.txt were read; the rest was not searched",) == degraded(
        ctx
    )


def test_a_server_that_cannot_look_for_words_costs_a_line() -> None:
    failing: Mapping[Call, EvidenceError] = {
        ("segments", LOGBOOK.document_id, 1, "repair"): KnowledgeUnavailable("down")
    }
    ctx = metered(FakeKnowledge(LOGS, failing=failing))
    assert ENTRIES[4_321] in _texts(deepened(_candidates(ctx), [LOGBOOK], TOPIC, 3, ctx))
    assert "search: Logbook.txt was not searched to its end (down)" in degraded(ctx)


@pytest.mark.parametrize(
    ("topic", "keywords"),
    [
        ("remedies on renewal", ["renew", "remed"]),
        ("whether it may be terminated", ["termin"]),
        ("the of and", []),
        ("", []),
        ("租金的金额", ["租金", "金额"]),
    ],
)
def test_keywords_are_what_all_forms_of_a_word_share(topic: str, keywords: list[str]) -> None:
    ctx = metered(FakeKnowledge(LOGS))
    assert sorted(keywords) == sorted(rarest(topic, _candidates(ctx, 1).collection.lexical, 3))
