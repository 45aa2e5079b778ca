"""The snapshot that a question is ranked on: what was read, and never what has grown stale."""

import gc
import weakref
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from evidence.cache import Cache
from evidence.context import Context
from evidence.corpus.candidates import Candidates, SurveyReport, candidates_of, openings, renewed, unread
from evidence.corpus.collection import Collection, collection_of
from evidence.corpus.fetch import cached_readings, read_document
from evidence.model import Passage, Query, RankedDocument, Retrieved, Shortlist
from tests.fakes import FakeKnowledge, HandClock, holding, metered

HOLDING = holding(
    "Leases",
    {"Harbour.txt": ["Between Ada and Bob.", "The rent is ten."], "Mountain.txt": ["The rent is twelve."]},
)
HARBOUR, MOUNTAIN = HOLDING[1]
DOCUMENTS = (HARBOUR, MOUNTAIN)


def _retrieved(*numbers: int) -> Retrieved:
    segments = HOLDING[1][HARBOUR]
    passages = (Passage(segments[number], 0.5, rank) for rank, number in enumerate(numbers, 1))
    return Retrieved(Query("rent"), "semantic", tuple(passages))


def test_segments_stand_with_their_documents_in_reading_order() -> None:
    ctx = metered(FakeKnowledge(HOLDING))
    readings = [read_document(document, ctx) for document in (MOUNTAIN, HARBOUR)]
    collection = Collection(DOCUMENTS, readings, ctx.cache)
    owners = [collection.documents[at] for at in collection.owners]
    assert [segment.document for segment in collection.segments] == owners
    assert {"Leases/Harbour.txt/2", "Leases/Mountain.txt/1"} <= collection.number.keys()
    assert collection.complete


def test_a_collection_is_whole_only_when_every_document_was_read() -> None:
    ctx = metered(FakeKnowledge(HOLDING))
    assert not Collection(DOCUMENTS, [read_document(HARBOUR, ctx)], ctx.cache).complete


def test_readings_of_documents_that_are_not_asked_about_are_left_out() -> None:
    ctx = metered(FakeKnowledge(HOLDING))
    readings = [read_document(document, ctx) for document in DOCUMENTS]
    assert {MOUNTAIN} == {s.document for s in Collection([MOUNTAIN], readings, ctx.cache).segments}


def test_the_same_snapshot_serves_until_something_is_read() -> None:
    ctx = metered(FakeKnowledge(HOLDING))

    def snapshot() -> Collection:
        return collection_of(DOCUMENTS, cached_readings(DOCUMENTS, ctx), ctx)

    read_document(HARBOUR, ctx)
    first = snapshot()
    assert first is snapshot()
    read_document(MOUNTAIN, ctx)
    assert snapshot().complete


def test_a_snapshot_that_something_newer_replaced_is_let_go() -> None:
    ctx = metered(FakeKnowledge(HOLDING))
    read_document(HARBOUR, ctx)
    old = weakref.ref(collection_of(DOCUMENTS, cached_readings(DOCUMENTS, ctx), ctx))
    read_document(MOUNTAIN, ctx)
    collection_of(DOCUMENTS, cached_readings(DOCUMENTS, ctx), ctx)
    gc.collect()
    assert old() is None


def test_what_is_read_while_a_snapshot_is_made_is_in_the_next_one() -> None:
    ctx = metered(FakeKnowledge(HOLDING))
    before = cached_readings(DOCUMENTS, ctx)
    read_document(HARBOUR, ctx)  # another run, between the two steps of the first
    collection_of(DOCUMENTS, before, ctx)
    after = collection_of(DOCUMENTS, cached_readings(DOCUMENTS, ctx), ctx)
    assert {HARBOUR} == {segment.document for segment in after.segments}


def test_what_grew_stale_is_read_again() -> None:
    clock = HandClock()
    ctx = metered(FakeKnowledge(HOLDING), cache=Cache(clock=clock))
    read_document(HARBOUR, ctx)
    assert [MOUNTAIN] == unread(_candidates(ctx), DOCUMENTS)
    clock.forward(901)
    assert [HARBOUR, MOUNTAIN] == unread(_candidates(ctx), DOCUMENTS)


def _candidates(ctx: Context, *retrieved: Retrieved) -> Candidates:
    return candidates_of(DOCUMENTS, retrieved, SurveyReport(), ctx)


def test_what_was_read_in_part_for_want_of_calls_is_to_be_read_on() -> None:
    held = holding("Logs", {"Logbook.txt": [f"Entry {number}." for number in range(150)]})
    (logbook,) = held[1]
    ctx = metered(FakeKnowledge(held))
    read_document(logbook, ctx, 1)
    assert [logbook] == unread(candidates_of([logbook], (), SurveyReport(), ctx), [logbook])


def test_retrieved_pieces_of_an_unread_document_are_ground_but_not_a_reading() -> None:
    candidates = _candidates(metered(FakeKnowledge(HOLDING)), _retrieved(1, 0), _retrieved(1))
    assert ["Between Ada and Bob.", "The rent is ten."] == [s.text for s in candidates.collection.segments]
    assert not candidates.collection.complete
    assert list(DOCUMENTS) == unread(candidates, DOCUMENTS)


def test_pieces_of_a_document_that_is_not_permitted_are_no_ground() -> None:
    ctx = metered(FakeKnowledge(HOLDING))
    assert () == candidates_of([MOUNTAIN], [_retrieved(0)], SurveyReport(), ctx).collection.segments


def test_ground_is_renewed_by_what_was_read_since() -> None:
    ctx = metered(FakeKnowledge(HOLDING))
    candidates = _candidates(ctx, _retrieved(1))
    read_document(HARBOUR, ctx)
    later = renewed(candidates, ctx)
    assert [MOUNTAIN] == unread(later, DOCUMENTS)
    assert candidates.retrieved == later.retrieved


def test_openings_are_the_beginnings_of_what_was_read() -> None:
    ctx = metered(FakeKnowledge(HOLDING))
    read_document(MOUNTAIN, ctx)
    shortlist = Shortlist(tuple(RankedDocument(document, 1.0) for document in DOCUMENTS))
    candidates = _candidates(ctx, _retrieved(1))
    assert {MOUNTAIN.document_id: "The rent"} == openings(candidates, shortlist, 8)


def test_who_asks_for_the_same_snapshot_at_once_gets_the_same_one() -> None:
    ctx = metered(FakeKnowledge(HOLDING))
    readings = [read_document(HARBOUR, ctx)]
    together = Barrier(8)

    def snapshot(_: int) -> Collection:
        together.wait()
        return collection_of(DOCUMENTS, readings, ctx)

    with ThreadPoolExecutor(8) as pool:
        assert 1 == len({*pool.map(snapshot, range(8))})
