"""Reading page by page: bounded, said, kept, and a page that fails is never an empty page."""

import threading
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from evidence.cache import Cache
from evidence.context import Context
from evidence.corpus.fetch import (
    DATASETS_BY_ID,
    DOCUMENT_CHARACTERS,
    all_datasets,
    catalogue_of,
    documents_named,
    read_document,
    read_documents,
)
from evidence.errors import EvidenceError, KnowledgeUnavailable, LimitReached, ListingRefused
from evidence.limits import Limits
from evidence.model import Document, Page, Segment
from evidence.single_flight import SingleFlight
from tests.fakes import Call, FakeKnowledge, HandClock, Holding, degraded, holding, metered

LONG = holding("Logs", {"Logbook.txt": [f"Entry {number}." for number in range(1, 151)]})
LOGS, (LOGBOOK, *_) = LONG[0], tuple(LONG[1])


class SlowKnowledge(FakeKnowledge):
    """Takes a twentieth of a second for a page of segments; `under_way` tells that one is being asked for."""

    def __init__(self, *held: Holding) -> None:
        super().__init__(*held)
        self.under_way = threading.Event()

    def segments(self, document: Document, page: int, keyword: str = "", limit: int = 100) -> Page[Segment]:
        self.under_way.set()
        time.sleep(0.1)
        return super().segments(document, page, keyword, limit)


def _many(count: int) -> Holding:
    return holding("Many", {f"Note {number}.txt": [f"Note {number}."] for number in range(1, count + 1)})


def _calls(ctx: Context) -> int:
    return ctx.meter.spent()["knowledge_calls"]


def test_a_document_of_150_segments_is_read_in_two_pages_and_in_order() -> None:
    knowledge = FakeKnowledge(LONG)
    reading = read_document(LOGBOOK, metered(knowledge))
    assert [f"Entry {number}." for number in range(1, 151)] == [each.text for each in reading.segments]
    assert (150, True) == (reading.total, reading.complete)
    assert 2 == len(knowledge.asked("segments"))


def test_a_document_of_exactly_one_page_costs_one_call() -> None:
    held = holding("Logs", {"Logbook.txt": [f"Entry {number}." for number in range(100)]})
    knowledge = FakeKnowledge(held)
    assert read_document(next(iter(held[1])), metered(knowledge)).complete
    assert 1 == len(knowledge.calls)


def test_an_empty_document_is_read_to_its_end() -> None:
    held = holding("Logs", {"Blank.txt": []})
    reading = read_document(next(iter(held[1])), metered(FakeKnowledge(held)))
    assert ((), True) == (reading.segments, reading.complete)


def test_a_long_document_is_read_to_its_bound_and_says_so() -> None:
    held = holding("Logs", {"Logbook.txt": [f"Entry {number}." for number in range(1_234)]})
    knowledge = FakeKnowledge(held)
    reading = read_document(next(iter(held[1])), metered(knowledge), 4)
    assert (400, 1_234, False) == (len(reading.segments), reading.total, reading.complete)
    assert 4 == len(knowledge.calls)


def test_disabled_segments_are_left_out_and_do_not_make_a_document_incomplete() -> None:
    disabled = [f"Logs/Logbook.txt/{number}" for number in (1, 77, 150)]
    reading = read_document(LOGBOOK, metered(FakeKnowledge(LONG, disabled=disabled)))
    assert (147, True) == (len(reading.segments), reading.complete)
    assert not {segment.segment_id for segment in reading.segments} & set(disabled)


def test_a_segments_page_that_fails_is_an_error_and_nothing_is_kept() -> None:
    failing: Mapping[tuple[str | int, ...], EvidenceError] = {
        ("segments", "Logs/Logbook.txt", 2): KnowledgeUnavailable("down")
    }
    ctx = metered(FakeKnowledge(LONG, failing=failing))
    with pytest.raises(KnowledgeUnavailable, match="down"):
        read_document(LOGBOOK, ctx)
    assert ctx.cache.reading(LOGBOOK, 900) is None


def test_a_document_that_cannot_be_read_is_left_out_and_said() -> None:
    held = holding("Leases", {"Harbour.txt": ["The rent is ten."], "Mountain.txt": ["The rent is twelve."]})
    knowledge = FakeKnowledge(
        held, failing={("segments", "Leases/Harbour.txt"): KnowledgeUnavailable("down")}
    )
    ctx = metered(knowledge)
    lost = read_documents([(each, 1) for each in held[1]], ctx)
    assert [("Harbour.txt", "knowledge_unavailable")] == [(each.name, each.reason) for each in lost]
    assert [False, True] == [ctx.cache.reading(each, 900) is not None for each in held[1]]
    assert ("reading: Harbour.txt was left out (down)",) == degraded(ctx)


def test_a_spent_limit_while_reading_leaves_what_was_read_and_is_said_for_each_document() -> None:
    held = _many(5)
    ctx = metered(FakeKnowledge(held), limits=Limits(knowledge_calls=2))
    lost = read_documents([(each, 1) for each in held[1]], ctx)
    assert ["limit_reached"] * 3 == [each.reason for each in lost]
    assert 3 == len([line for line in degraded(ctx) if "limit of 2 knowledge calls reached" in line])


def test_documents_that_no_time_is_left_for_are_not_asked_for_and_are_said() -> None:
    held = _many(5)
    knowledge = FakeKnowledge(held)
    ctx = metered(knowledge, limits=Limits(seconds=0))
    assert 5 == len(read_documents([(each, 1) for each in held[1]], ctx))
    assert (5, []) == (len(degraded(ctx)), knowledge.calls)


def test_a_document_that_is_held_costs_no_call() -> None:
    ctx = metered(FakeKnowledge(LONG))
    first = read_document(LOGBOOK, ctx)
    before = _calls(ctx)
    assert first is read_document(LOGBOOK, ctx)
    assert before == _calls(ctx)
    assert 1 == ctx.meter.spent()["cache_hits"]


def test_a_document_that_was_read_in_part_is_read_on_when_more_is_wanted() -> None:
    ctx = metered(FakeKnowledge(LONG))
    assert not read_document(LOGBOOK, ctx, 1).complete
    assert read_document(LOGBOOK, ctx, 2).complete


def test_a_document_that_changed_is_read_again() -> None:
    ctx = metered(FakeKnowledge(LONG))
    read_document(LOGBOOK, ctx)
    read_document(replace(LOGBOOK, version="2"), ctx)
    assert 4 == _calls(ctx)


def test_250_documents_are_listed_in_three_pages_and_none_is_lost() -> None:
    held = _many(250)
    knowledge = FakeKnowledge(held)
    catalogue = catalogue_of(held[0], metered(knowledge))
    assert set(held[1]) == set(catalogue.documents)
    assert (250, True) == (catalogue.total, catalogue.complete)
    assert [1, 2, 3] == sorted(call[2] for call in knowledge.asked("documents"))


def test_a_catalogue_page_that_fails_is_an_error_and_never_a_shorter_catalogue() -> None:
    held = _many(250)
    ctx = metered(FakeKnowledge(held, failing={("documents", "set Many", 3): KnowledgeUnavailable("down")}))
    with pytest.raises(KnowledgeUnavailable, match="down"):
        catalogue_of(held[0], ctx)
    assert ctx.cache.catalogue(held[0], 900) is None


def test_a_catalogue_of_more_than_500_documents_is_not_paged_through() -> None:
    held = _many(760)
    knowledge = FakeKnowledge(held)
    catalogue = catalogue_of(held[0], metered(knowledge))
    assert (100, 760, False) == (len(catalogue.documents), catalogue.total, catalogue.complete)
    assert 1 == len(knowledge.calls)


def test_a_catalogue_that_is_held_costs_no_call() -> None:
    held = _many(250)
    ctx = metered(FakeKnowledge(held))
    assert catalogue_of(held[0], ctx) is catalogue_of(held[0], ctx)
    assert (3, 1) == (_calls(ctx), ctx.meter.spent()["cache_hits"])


def test_150_datasets_are_listed_and_held_for_twenty_seconds() -> None:
    clock = HandClock()
    knowledge = FakeKnowledge(*(holding(f"Set {number}", {}) for number in range(150)))
    ctx = metered(knowledge, cache=Cache(clock=clock))
    assert 150 == len(all_datasets(ctx))
    clock.forward(20)
    all_datasets(ctx)
    assert 2 == len(knowledge.calls)
    clock.forward(1)
    all_datasets(ctx)
    assert 4 == len(knowledge.calls)


def test_names_are_asked_for_by_keyword_one_call_each_and_found_once() -> None:
    held = _many(760)
    knowledge = FakeKnowledge(held)
    found, _ = documents_named(held[0], ["Note 755", "755"], metered(knowledge))
    assert ["Note 755.txt"] == [document.name for document in found]
    assert ["755", "Note 755"] == sorted(str(call[3]) for call in knowledge.calls)


@pytest.mark.parametrize(
    ("keyword", "name"),
    [
        ("Harbour", "harbour lease.txt"),
        ("harbour", "Harbour Lease.txt"),
        ("港口租约通知期", "港口租约.txt"),
    ],
)
def test_a_keyword_that_no_name_holds_is_asked_for_once_more_in_another_form(keyword: str, name: str) -> None:
    held = holding("Many", {"Note 1.txt": [], name: []})
    knowledge = FakeKnowledge(held)
    found, lost = documents_named(held[0], [keyword, "Note"], metered(knowledge))
    assert () == lost
    assert {name, "Note 1.txt"} == {each.name for each in found}
    assert 3 == len(knowledge.calls)


def test_a_search_by_name_that_fails_is_said() -> None:
    held = _many(3)
    ctx = metered(FakeKnowledge(held, failing={("documents",): KnowledgeUnavailable("down")}))
    found, lost = documents_named(held[0], ["Note"], ctx)
    assert ((), ["Many"]) == (found, [each.name for each in lost])
    assert ("discover: a search by name in Many failed (down)",) == degraded(ctx)


def test_a_spent_limit_in_a_search_by_name_leaves_what_was_found_and_is_said() -> None:
    held = _many(3)
    ctx = metered(FakeKnowledge(held), limits=Limits(knowledge_calls=1))
    documents_named(held[0], ["Note", "Other"], ctx)
    assert any("limit of 1 knowledge calls reached" in line for line in degraded(ctx))


def test_two_runs_that_want_one_document_at_once_ask_for_it_once() -> None:
    knowledge, flights = SlowKnowledge(LONG), SingleFlight()
    runs = [metered(knowledge, flights=flights) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        readings = list(pool.map(lambda ctx: read_document(LOGBOOK, ctx), runs))
    assert 1 == len({id(reading) for reading in readings})
    assert 2 == len(knowledge.calls)


def test_another_runs_spent_limit_is_not_ours() -> None:
    knowledge, flights = SlowKnowledge(LONG), SingleFlight()
    poor = metered(knowledge, flights=flights, limits=Limits(knowledge_calls=1))
    rich = metered(knowledge, flights=flights)
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(read_document, LOGBOOK, poor)
        knowledge.under_way.wait(5)
        second = pool.submit(read_document, LOGBOOK, rich)
        assert isinstance(first.exception(10), LimitReached)
        assert 150 == len(second.result(10).segments)


def test_datasets_that_cannot_be_listed_are_asked_for_by_their_ids() -> None:
    ids = (LOGS.dataset_id, "set Ghost")
    failing: dict[Call, EvidenceError] = {("datasets",): ListingRefused("not to this key", ids)}
    ctx = metered(FakeKnowledge(LONG, failing=failing))
    assert (LOGS,) == all_datasets(ctx)
    assert ("route: the dataset set Ghost was left out (there is no such dataset)",) == degraded(ctx)
    assert 3 == _calls(ctx)


def test_where_no_id_may_be_asked_for_the_refusal_is_raised() -> None:
    failing: dict[Call, EvidenceError] = {("datasets",): ListingRefused("not to this key")}
    with pytest.raises(ListingRefused, match="not to this key"):
        all_datasets(metered(FakeKnowledge(LONG, failing=failing)))


def test_of_many_ids_only_so_many_are_asked_for_and_it_is_said() -> None:
    ids = (LOGS.dataset_id, *(f"set {number}" for number in range(DATASETS_BY_ID)))
    failing: dict[Call, EvidenceError] = {("datasets",): ListingRefused("not to this key", ids)}
    ctx = metered(FakeKnowledge(LONG, failing=failing))
    assert (LOGS,) == all_datasets(ctx)
    assert "route: 1 of 31 allowed datasets were not asked for by id" == degraded(ctx)[0]


def test_a_document_of_long_segments_is_read_as_far_as_there_is_room_and_said() -> None:
    long = holding("Books", {"Tome.txt": ["x" * 20_000] * 1_000})
    knowledge, tome = FakeKnowledge(long), next(iter(long[1]))
    ctx = metered(knowledge)
    reading = read_document(tome, ctx)
    assert DOCUMENT_CHARACTERS == sum(len(each.text) for each in reading.segments)
    assert ("reading: of Tome.txt the first 1,000,000 characters were read",) == degraded(ctx)
    assert 1 == len(knowledge.asked("segments"))
    assert (1_000, False) == (reading.total, reading.complete)
    assert reading is read_document(tome, ctx)
    assert 1 == len(knowledge.asked("segments"))
