"""Catalogues as a person pages through them, and reading on behind the answer."""

import threading
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.cache import Cache
from evidence.corpus import prefetch
from evidence.corpus.fetch import all_datasets, catalogue_of, page_of, read_document
from evidence.corpus.prefetch import PrefetchOptions
from evidence.errors import KnowledgeUnavailable
from evidence.limits import Limits
from evidence.model import Dataset, Document, Page, RankedDataset, Route, Segment
from tests.fakes import FakeKnowledge, HandClock, Holding, degraded, holding, metered

ONE = holding("One", {f"A {number:03}.txt": ["x"] for number in range(230)})
TWO = holding("Two", {f"B {number:03}.txt": ["y"] for number in range(120)})
NAMES = [document.name for held in (ONE, TWO) for document in held[1]]


@given(st.integers(1, 40), st.integers(1, 100))
def test_pages_of_a_person_are_slices_of_all_documents(page: int, limit: int) -> None:
    found = page_of([ONE[0], TWO[0]], "", page, limit, metered(FakeKnowledge(ONE, TWO)))
    assert NAMES[(page - 1) * limit : page * limit] == [document.name for document in found.items]
    assert 350 == found.total


class Whole(FakeKnowledge):
    """A server that gives all that there is on its first page, as one that pages by cursors does."""

    def documents(self, dataset: Dataset, page: int, keyword: str = "") -> Page[Document]:
        items = [document for document in self.held[dataset.dataset_id] if keyword in document.name]
        self.calls.append(("documents", dataset.dataset_id, page, keyword))
        return Page(tuple(items) if page == 1 else (), len(items))


@given(st.integers(1, 40), st.integers(1, 100))
def test_pages_of_a_person_are_slices_of_a_list_that_came_whole(page: int, limit: int) -> None:
    knowledge = Whole(ONE, TWO)
    found = page_of([ONE[0], TWO[0]], "", page, limit, metered(knowledge))
    assert NAMES[(page - 1) * limit : page * limit] == [document.name for document in found.items]
    assert (350, 2) == (found.total, len(knowledge.calls))


def test_a_catalogue_that_came_whole_is_asked_for_once() -> None:
    knowledge = Whole(ONE)
    listed = catalogue_of(ONE[0], metered(knowledge))
    assert (230, True, 1) == (len(listed.documents), listed.complete, len(knowledge.calls))


def test_documents_are_listed_by_a_part_of_their_name() -> None:
    found = page_of([ONE[0], TWO[0]], "B 00", 1, 20, metered(FakeKnowledge(ONE, TWO)))
    assert (10, 10) == (len(found.items), found.total)


class Boasting(FakeKnowledge):
    """A server that counts what nobody has, and shows its first page whichever is asked for."""

    def datasets(self, page: int) -> Page[Dataset]:
        return replace(super().datasets(1), total=10**14)

    def documents(self, dataset: Dataset, page: int, keyword: str = "") -> Page[Document]:
        return replace(super().documents(dataset, 1, keyword), total=10**14)


@pytest.mark.parametrize("documents", [5, 100])
def test_a_server_that_boasts_and_repeats_is_counted_by_what_it_shows(documents: int) -> None:
    held = holding("One", {f"A {number:03}.txt": ["x"] for number in range(documents)})
    knowledge = Boasting(held)
    ctx = metered(knowledge)
    found = page_of([held[0]], "", 1, 100, ctx)
    assert (documents, documents) == (len(found.items), found.total)
    assert [held[0]] == list(all_datasets(ctx))
    assert any("lists the same 1 again and again" in line for line in degraded(ctx))


def test_a_dataset_that_cannot_be_listed_is_an_error_and_not_an_empty_one() -> None:
    knowledge = FakeKnowledge(ONE, TWO, failing={("documents", "set Two"): KnowledgeUnavailable("down")})
    with pytest.raises(KnowledgeUnavailable):
        page_of([ONE[0], TWO[0]], "", 1, 20, metered(knowledge))


def _route(*routed: Dataset, considered: Sequence[Dataset] = ()) -> Route:
    return Route(tuple(RankedDataset(each, 1.0) for each in routed), considered=(*routed, *considered))


def _run(knowledge: FakeKnowledge, cache: Cache, limits: Limits | None = None) -> None:
    """Reads ahead and waits until the cache may be claimed again."""
    ctx = metered(knowledge, cache=cache, limits=limits or Limits(knowledge_calls=2_000, seconds=600))
    prefetch.begin(_route(*knowledge.listed), PrefetchOptions(), ctx)
    _ended(cache)


def _ended(cache: Cache) -> None:
    for _ in range(2_000):
        if cache.prefetching.acquire(blocking=False):
            cache.prefetching.release()
            return
        threading.Event().wait(0.005)
    raise AssertionError("reading ahead did not end")


def test_a_small_dataset_is_read_whole_behind_the_answer() -> None:
    knowledge, cache = FakeKnowledge(ONE), Cache()
    _run(knowledge, cache)
    assert cache.fully_read(ONE[0], 900)
    before = len(knowledge.asked("segments"))
    _run(knowledge, cache)
    assert before == len(knowledge.asked("segments")) == 230


def test_what_a_question_read_in_part_is_read_to_its_end_behind_the_answer() -> None:
    held = holding("Logs", {"Logbook.txt": [f"Entry {number}." for number in range(150)]})
    knowledge, cache = FakeKnowledge(held), Cache()
    (logbook,) = held[1]
    read_document(logbook, metered(knowledge, cache=cache), 1)
    _run(knowledge, cache)
    assert cache.fully_read(held[0], 900)


def test_a_large_dataset_is_not_read_whole() -> None:
    large = holding("Large", {f"A {number}.txt": ["x"] for number in range(401)})
    knowledge, cache = FakeKnowledge(large), Cache()
    _run(knowledge, cache)
    assert [] == knowledge.asked("segments")
    assert cache.catalogue(large[0], 900) is not None


def test_reading_ahead_ends_quietly_at_its_limits() -> None:
    knowledge, cache = FakeKnowledge(ONE), Cache()
    _run(knowledge, cache, Limits(knowledge_calls=10))
    assert 10 == len(knowledge.calls)


def test_reading_ahead_ends_quietly_when_the_server_fails() -> None:
    cache = Cache()
    _run(FakeKnowledge(ONE, failing={("documents",): KnowledgeUnavailable("down")}), cache)
    assert not cache.fully_read(ONE[0], 900)


def test_one_document_that_fails_does_not_end_the_reading_of_the_others() -> None:
    knowledge = FakeKnowledge(TWO, failing={("segments", "Two/B 000.txt"): KnowledgeUnavailable("down")})
    _run(knowledge, Cache())
    assert 120 == len(knowledge.asked("segments"))


def test_a_server_that_answers_no_more_is_asked_no_further_where_nobody_waits() -> None:
    knowledge = FakeKnowledge(ONE, failing={("segments",): KnowledgeUnavailable("silent")})
    _run(knowledge, Cache(), Limits(knowledge_calls=2_000, workers=4))
    assert 4 <= len(knowledge.asked("segments")) < 8


def test_behind_an_answer_no_dataset_is_read_but_those_of_its_question() -> None:
    knowledge, cache = FakeKnowledge(ONE, TWO), Cache()
    cache.keep_datasets(knowledge.listed)
    ctx = metered(knowledge, cache=cache, limits=Limits(knowledge_calls=2_000))
    prefetch.begin(_route(TWO[0]), PrefetchOptions(), ctx)
    _ended(cache)
    assert {"set Two"} == {call[1] for call in knowledge.asked("documents")}
    assert {"Two"} == {str(call[1]).split("/")[0] for call in knowledge.asked("segments")}
    assert 2 + 120 == len(knowledge.calls)


def test_the_names_of_other_datasets_that_the_question_was_asked_of_are_listed() -> None:
    knowledge, cache = FakeKnowledge(ONE, TWO), Cache()
    ctx = metered(knowledge, cache=cache, limits=Limits(knowledge_calls=2_000))
    prefetch.begin(_route(TWO[0], considered=[ONE[0]]), PrefetchOptions(), ctx)
    _ended(cache)
    assert (3 + 2, 120) == (len(knowledge.asked("documents")), len(knowledge.asked("segments")))
    assert len(knowledge.calls) == cache.behind.take()


class _Halting(FakeKnowledge):
    """Reads no further than half of the documents until it is told to."""

    def __init__(self, *held: Holding) -> None:
        super().__init__(*held)
        self.go_on = threading.Event()
        self._lock = threading.Lock()

    def segments(self, document: Document, page: int, keyword: str = "", limit: int = 100) -> Page[Segment]:
        with self._lock:
            if len(self.asked("segments")) == 60:
                self.go_on.wait(30)
            return super().segments(document, page, keyword, limit)


def test_what_is_read_beside_a_question_is_told_while_it_is_read() -> None:
    knowledge, cache = _Halting(TWO), Cache()
    ctx = metered(knowledge, cache=cache, limits=Limits(knowledge_calls=500))
    prefetch.begin(_route(TWO[0]), PrefetchOptions(), ctx)
    told = 0
    for _ in range(2_000):
        told += cache.behind.take()
        if told >= 50:
            break
        threading.Event().wait(0.005)
    knowledge.go_on.set()
    _ended(cache)
    assert 50 <= told < 2 + 120 == told + cache.behind.take() == len(knowledge.calls)


def test_who_made_too_many_calls_behind_the_answers_reads_no_further_for_a_while() -> None:
    clock = HandClock()
    knowledge, cache = FakeKnowledge(ONE), Cache(clock=clock)
    cache.behind.add(4_000)
    assert 0 == prefetch.planned(
        _route(*knowledge.listed), PrefetchOptions(), metered(knowledge, cache=cache)
    )
    _run(knowledge, cache)
    assert [] == knowledge.calls
    clock.forward(601)
    assert 230 == prefetch.planned(
        _route(*knowledge.listed), PrefetchOptions(), metered(knowledge, cache=cache)
    )
    _run(knowledge, cache)
    assert 230 == len(knowledge.asked("segments"))
    assert len(knowledge.calls) == cache.behind.lately(600)


def test_names_at_hand_are_those_of_the_cache_and_cost_no_call() -> None:
    knowledge, cache = FakeKnowledge(ONE, TWO), Cache()
    assert prefetch.Names() == prefetch.names_at_hand(cache)
    cache.keep_datasets(Page(knowledge.listed, 1))
    cache.keep_catalogue(TWO[0], tuple(TWO[1]), 120)
    names = prefetch.names_at_hand(cache)
    assert (("One", "Two"), 120) == (names.datasets, len(names.documents))
    assert [] == knowledge.calls
