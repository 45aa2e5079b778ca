"""The cache: what was read, as long as nothing shows that it changed."""

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace

import pytest

from evidence.cache import CARD_CHARACTERS, LISTED, MADE, MADE_WEIGHT, Cache
from evidence.errors import KnowledgeUnavailable, LimitReached
from evidence.index.bm25 import Vocabulary
from evidence.limits import Deadline
from evidence.model import Dataset, Document, Page, Segment
from tests.fakes import HandClock, holding

DATASET, HELD = holding(
    "Leases", {"Harbour.txt": ["a" * 40, "b" * 40], "Mountain.txt": ["c" * 50], "Valley.txt": ["d" * 30]}
)
HARBOUR, MOUNTAIN, VALLEY = HELD


def _kept(cache: Cache, *documents: Document) -> None:
    for document in documents:
        cache.keep_reading(document, HELD[document], len(HELD[document]))


def _size(document: Document) -> int:
    return Cache().keep_reading(document, HELD[document], len(HELD[document])).size


def _held(cache: Cache) -> list[str]:
    return [document.name for document in HELD if cache.reading(document, 900) is not None]


def test_datasets_are_held_until_they_are_too_old() -> None:
    clock = HandClock()
    cache = Cache(clock=clock)
    assert cache.datasets(20) is None
    cache.keep_datasets(Page((DATASET,), 1))
    clock.forward(20)
    assert Page((DATASET,), 1) == cache.datasets(20)
    clock.forward(1)
    assert cache.datasets(20) is None
    assert Page((DATASET,), 1) == cache.datasets(60)


def test_an_empty_list_of_datasets_is_held_as_empty_and_not_as_unknown() -> None:
    cache = Cache()
    cache.keep_datasets(Page((), 0))
    assert Page((), 0) == cache.datasets(20)


def test_a_catalogue_leaves_with_its_datasets_version_and_with_its_age() -> None:
    clock = HandClock()
    cache = Cache(clock=clock)
    kept = cache.keep_catalogue(DATASET, tuple(HELD), 3)
    assert kept.complete
    assert kept is cache.catalogue(DATASET, 900)
    assert cache.catalogue(replace(DATASET, version="2"), 900) is None
    clock.forward(901)
    assert cache.catalogue(DATASET, 900) is None


def test_what_was_read_with_a_warning_is_believed_for_ten_seconds() -> None:
    clock = HandClock()
    cache = Cache(clock=clock)

    def held() -> list[bool]:
        found = (cache.datasets(20), cache.catalogue(DATASET, 60), *cache.readings((HARBOUR, MOUNTAIN), 900))
        return [each is not None for each in found]

    cache.keep_datasets(Page((DATASET,), 1, 1, ("1 of the datasets was left out",)))
    cache.keep_catalogue(DATASET, tuple(HELD), 3, ("1 of the documents was left out",))
    cache.keep_reading(HARBOUR, HELD[HARBOUR], 3, whole=False)
    cache.keep_reading(MOUNTAIN, HELD[MOUNTAIN], 9, warnings=("the first characters were read",))
    clock.forward(10)
    assert [True, True, True, True] == held()
    clock.forward(1)
    assert [False, False, False, True] == held()


def test_a_catalogue_of_the_first_pages_is_not_complete() -> None:
    assert not Cache().keep_catalogue(DATASET, [HARBOUR], 3).complete


def test_a_reading_leaves_with_its_documents_version_and_with_its_age() -> None:
    clock = HandClock()
    cache = Cache(clock=clock)
    _kept(cache, HARBOUR)
    assert cache.reading(HARBOUR, 900) is not None
    assert cache.reading(replace(HARBOUR, version="2"), 900) is None
    assert cache.reading(MOUNTAIN, 900) is None
    clock.forward(901)
    assert cache.reading(HARBOUR, 900) is None


def test_the_bound_in_bytes_evicts_what_was_used_longest_ago() -> None:
    cache = Cache(_size(HARBOUR) + _size(MOUNTAIN))
    _kept(cache, HARBOUR, MOUNTAIN)
    assert ["Harbour.txt", "Mountain.txt"] == _held(cache)
    cache.reading(HARBOUR, 900)
    _kept(cache, VALLEY)
    assert ["Harbour.txt", "Valley.txt"] == _held(cache)


def test_one_document_beyond_the_bound_is_kept_alone() -> None:
    cache = Cache(10)
    _kept(cache, MOUNTAIN, HARBOUR)
    assert ["Harbour.txt"] == _held(cache)


def test_a_document_that_is_read_again_counts_once() -> None:
    cache = Cache(_size(HARBOUR) + _size(MOUNTAIN))
    _kept(cache, HARBOUR, HARBOUR, HARBOUR, MOUNTAIN)
    assert ["Harbour.txt", "Mountain.txt"] == _held(cache)


def test_two_caches_share_nothing() -> None:
    one, other = Cache(), Cache()
    _kept(one, HARBOUR)
    one.keep_datasets(Page((DATASET,), 1))
    assert [] == _held(other)
    assert other.datasets(900) is None
    assert -1 == other.vocabulary.number("a" * 40)


def test_a_document_that_a_complete_catalogue_lacks_is_dropped() -> None:
    cache = Cache()
    _kept(cache, HARBOUR, MOUNTAIN)
    cache.keep_catalogue(DATASET, [HARBOUR], 2)
    assert ["Harbour.txt", "Mountain.txt"] == _held(cache)
    cache.keep_catalogue(DATASET, [HARBOUR], 1)
    assert ["Harbour.txt"] == _held(cache)


def test_a_dataset_is_held_whole_when_every_usable_document_was_read_to_its_end() -> None:
    cache = Cache()
    listed = [HARBOUR, MOUNTAIN, replace(VALLEY, usable=False)]
    assert not cache.holds_whole(DATASET, 900)
    cache.keep_catalogue(DATASET, listed, 3)
    _kept(cache, HARBOUR)
    assert not cache.holds_whole(DATASET, 900)
    cache.keep_reading(MOUNTAIN, HELD[MOUNTAIN], 700)
    assert not cache.holds_whole(DATASET, 900)
    _kept(cache, MOUNTAIN)
    assert cache.holds_whole(DATASET, 900)
    assert not cache.holds_whole(replace(DATASET, version="2"), 900)


def test_a_dataset_is_not_held_whole_once_it_grew_stale() -> None:
    clock = HandClock()
    cache = Cache(clock=clock)
    cache.keep_catalogue(DATASET, tuple(HELD), 3)
    _kept(cache, *HELD)
    assert cache.holds_whole(DATASET, 900)
    clock.forward(901)
    assert not cache.holds_whole(DATASET, 900)


def test_a_dataset_is_not_held_whole_when_a_document_changed_since_it_was_read() -> None:
    cache = Cache()
    _kept(cache, HARBOUR, MOUNTAIN, VALLEY)
    cache.keep_catalogue(DATASET, [replace(HARBOUR, version="2"), MOUNTAIN, VALLEY], 3)
    assert not cache.holds_whole(DATASET, 900)


def test_the_card_is_the_beginning_of_a_document_and_at_least_its_first_segment() -> None:
    long = [Segment(HARBOUR, f"s{at}", at, "x" * (CARD_CHARACTERS - 1)) for at in range(5)]
    assert 2 == Cache().keep_reading(HARBOUR, long, 5).card
    assert 1 == Cache().keep_reading(HARBOUR, long[:1], 1).card


def test_loose_segments_are_never_a_complete_reading_and_are_not_kept() -> None:
    cache = Cache()
    assert not cache.loose_reading(HARBOUR, HELD[HARBOUR]).complete
    assert [] == _held(cache)


def test_words_of_a_dataset_say_in_what_share_of_its_documents_they_stand() -> None:
    cache = Cache()
    dataset, held = holding("Papers", {"A.txt": ["rent fee", "rent"], "B.txt": ["rent"]})
    assert {} == cache.words_of(dataset.dataset_id)
    for document, segments in held.items():
        cache.keep_reading(document, segments, len(segments))
    assert {"rent": 1.0, "fee": 0.5} == cache.words_of(dataset.dataset_id)
    assert {} == cache.words_of(DATASET.dataset_id)


def test_a_task_is_claimed_by_one_until_it_is_released() -> None:
    cache = Cache()
    assert cache.claim("ahead")
    assert not cache.claim("ahead")
    assert cache.claim("other")
    cache.release("ahead")
    assert cache.claim("ahead")


# --- one call for many callers ----------------------------------------------------------------------------


def _together(cache: Cache, call: Callable[[], Dataset], callers: int = 8) -> list[Dataset | Exception]:
    """Every caller's result; the call does not end before all callers have begun."""
    begun = threading.Barrier(callers)

    def ask(_: int) -> Dataset | Exception:
        begun.wait(5)
        try:
            return cache.single_flight("datasets", call)
        except KnowledgeUnavailable as error:
            return error

    with ThreadPoolExecutor(callers) as pool:
        return list(pool.map(ask, range(callers)))


def test_eight_callers_at_once_cost_one_call() -> None:
    calls: list[int] = []

    def slow() -> Dataset:
        calls.append(1)
        threading.Event().wait(0.1)
        return DATASET

    assert [DATASET] * 8 == _together(Cache(), slow)
    assert 1 == len(calls)


def test_eight_callers_at_once_share_one_error() -> None:
    calls: list[int] = []

    def failing() -> Dataset:
        calls.append(1)
        threading.Event().wait(0.1)
        raise KnowledgeUnavailable("down")

    errors = _together(Cache(), failing)
    assert ["down"] * 8 == [str(error) for error in errors]
    assert 1 == len(calls)


def test_a_call_that_failed_is_made_again_for_who_asks_later() -> None:
    cache = Cache()

    def failing() -> int:
        raise KnowledgeUnavailable("down")

    with pytest.raises(KnowledgeUnavailable):
        cache.single_flight("page", failing)
    assert 7 == cache.single_flight("page", lambda: 7)


def _under_way(cache: Cache, call: Callable[[], int]) -> "Future[int]":
    """Begins a call and comes back once it is under way."""
    begun, told = threading.Event(), Future[int]()

    def slow() -> int:
        begun.set()
        return call()

    def run() -> None:
        try:
            told.set_result(cache.single_flight("page", slow))
        except LimitReached as error:
            told.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    assert begun.wait(5)
    return told


def test_who_waits_for_anothers_call_waits_no_longer_than_his_own_deadline() -> None:
    cache, over, calls = Cache(), threading.Event(), list[int]()
    leader = _under_way(cache, lambda: over.wait(30) and 7)
    with pytest.raises(LimitReached, match="seconds"):
        cache.single_flight("page", lambda: calls.append(1), Deadline(0.02))
    assert not leader.done()
    over.set()
    assert (7, []) == (leader.result(5), calls)


def test_anothers_limit_is_not_taken_over_and_one_of_those_who_waited_asks_for_all() -> None:
    cache, over, calls = Cache(), threading.Event(), list[int]()

    def limited() -> int:
        over.wait(30)
        raise LimitReached("seconds", 1, 2)

    def ask() -> int:
        calls.append(1)
        threading.Event().wait(0.05)
        return 7

    leader = _under_way(cache, limited)
    with ThreadPoolExecutor(4) as pool:
        waiting = [pool.submit(cache.single_flight, "page", ask, Deadline(30)) for _ in range(4)]
        threading.Event().wait(0.05)
        over.set()
        assert [7, 7, 7, 7] == [each.result(5) for each in waiting]
    assert isinstance(leader.exception(5), LimitReached)
    assert 1 == len(calls)


def test_other_keys_do_not_wait_for_each_other() -> None:
    cache = Cache()
    assert 3 == cache.single_flight("outer", lambda: cache.single_flight("inner", lambda: 3))


# --- derived values ---------------------------------------------------------------------------------------


def test_a_derived_value_is_made_once_for_a_version() -> None:
    cache = Cache()
    made: list[int] = []

    def make() -> int:
        made.append(1)
        return len(made)

    assert [1, 1, 2] == [cache.memo("key", version, make) for version in (1, 1, 2)]


def test_derived_values_used_longest_ago_are_forgotten() -> None:
    cache = Cache()
    for number in range(MADE):
        cache.memo(number, 1, lambda number=number: number)  # type: ignore[misc]
    cache.memo(0, 1, lambda: -1)
    cache.memo("one more", 1, lambda: 0)
    assert 0 == cache.memo(0, 1, lambda: -1)
    assert -1 == cache.memo(1, 1, lambda: -1)


def test_derived_values_that_weigh_too_much_together_are_forgotten() -> None:
    cache = Cache()
    half = MADE_WEIGHT // 2
    for number in range(3):
        cache.memo(number, 1, lambda number=number: number, lambda _: half)  # type: ignore[misc]
    assert [2, 1, -1] == [cache.memo(number, 1, lambda: -1, lambda _: half) for number in (2, 1, 0)]
    assert 9 == cache.memo("huge", 1, lambda: 9, lambda _: 2 * MADE_WEIGHT)
    assert 9 == cache.memo("huge", 1, lambda: -1)


def test_catalogues_beyond_the_bound_are_forgotten_the_oldest_first() -> None:
    cache = Cache()
    others = [replace(DATASET, dataset_id=f"set {number}") for number in range(3)]
    for dataset in others:
        cache.keep_catalogue(dataset, [HARBOUR] * (LISTED // 2), LISTED)
    assert [False, True, True] == [cache.catalogue(each, 900) is not None for each in others]


def test_reading_again_and_dropping_count_as_changes() -> None:
    cache = Cache()
    _kept(cache, HARBOUR)
    before = cache.changes
    cache.keep_catalogue(DATASET, [], 0)
    assert cache.changes > before


def test_a_failure_of_a_run_that_had_little_time_left_is_not_taken_over() -> None:
    cache, begun, go = Cache(), threading.Event(), threading.Event()

    def failing() -> Dataset:
        begun.set()
        go.wait(5)
        raise KnowledgeUnavailable("broke off")

    with ThreadPoolExecutor(2) as pool:
        hasty = pool.submit(cache.single_flight, "list", failing, Deadline(5))
        begun.wait(5)
        patient = pool.submit(cache.single_flight, "list", lambda: DATASET, Deadline(60))
        threading.Event().wait(0.05)  # so that it waits for the other's call
        go.set()
        assert isinstance(hasty.exception(10), KnowledgeUnavailable)
        assert DATASET == patient.result(10)


def test_a_cache_is_spent_once_its_words_are_full_and_its_texts_are_old() -> None:
    clock = HandClock()
    cache = Cache(clock=clock)
    cache.vocabulary = Vocabulary(1)
    assert not cache.spent
    _kept(cache, HARBOUR)
    assert not cache.spent
    clock.forward(901)
    assert cache.spent


def test_a_cache_is_full_before_anything_has_to_leave() -> None:
    cache = Cache(round(_size(HARBOUR) * 1.05))
    assert not cache.full
    _kept(cache, HARBOUR)
    assert cache.full
    assert ["Harbour.txt"] == _held(cache)
