"""The cache: what was read, as long as nothing shows that it changed."""

from dataclasses import replace

from evidence.cache import LEAD_CHARACTERS, LISTED, MEMOS, MEMOS_WEIGHT, Cache
from evidence.index.bm25 import Vocabulary
from evidence.model import Document, Page, Segment
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
    cache.keep_reading(HARBOUR, HELD[HARBOUR], 3, intact=False)
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


def test_a_document_that_was_asked_for_by_itself_stands_in_the_catalogue_and_its_text_is_dropped() -> None:
    cache = Cache()
    cache.keep_catalogue(DATASET, (HARBOUR, MOUNTAIN), 3)
    _kept(cache, HARBOUR, MOUNTAIN)
    disabled = replace(HARBOUR, usable=False, read_at=5.0)
    for document in (disabled, replace(VALLEY, usable=False, read_at=5.0), replace(VALLEY, document_id="x")):
        cache.correct(document)
    (catalogue,) = cache.catalogues()
    assert ["Harbour.txt", "Mountain.txt", "Valley.txt"] == [each.name for each in catalogue.documents]
    assert [False, True, False] == [each.usable for each in catalogue.documents]
    assert ["Mountain.txt"] == _held(cache)


def test_a_dataset_is_fully_read_when_every_usable_document_was_read_to_its_end() -> None:
    cache = Cache()
    listed = [HARBOUR, MOUNTAIN, replace(VALLEY, usable=False)]
    assert not cache.fully_read(DATASET, 900)
    cache.keep_catalogue(DATASET, listed, 3)
    _kept(cache, HARBOUR)
    assert not cache.fully_read(DATASET, 900)
    cache.keep_reading(MOUNTAIN, HELD[MOUNTAIN], 700)
    assert not cache.fully_read(DATASET, 900)
    _kept(cache, MOUNTAIN)
    assert cache.fully_read(DATASET, 900)
    assert not cache.fully_read(replace(DATASET, version="2"), 900)


def test_a_dataset_is_not_fully_read_once_it_grew_stale() -> None:
    clock = HandClock()
    cache = Cache(clock=clock)
    cache.keep_catalogue(DATASET, tuple(HELD), 3)
    _kept(cache, *HELD)
    assert cache.fully_read(DATASET, 900)
    clock.forward(901)
    assert not cache.fully_read(DATASET, 900)


def test_a_dataset_is_not_fully_read_when_a_document_changed_since_it_was_read() -> None:
    cache = Cache()
    _kept(cache, HARBOUR, MOUNTAIN, VALLEY)
    cache.keep_catalogue(DATASET, [replace(HARBOUR, version="2"), MOUNTAIN, VALLEY], 3)
    assert not cache.fully_read(DATASET, 900)


def test_the_lead_is_the_beginning_of_a_document_and_at_least_its_first_segment() -> None:
    long = [Segment(HARBOUR, f"s{at}", at, "x" * (LEAD_CHARACTERS - 1)) for at in range(5)]
    assert 2 == Cache().keep_reading(HARBOUR, long, 5).lead
    assert 1 == Cache().keep_reading(HARBOUR, long[:1], 1).lead


def test_partial_readings_are_never_complete_and_are_not_cached() -> None:
    cache = Cache()
    assert not cache.partial_reading(HARBOUR, HELD[HARBOUR]).complete
    assert [] == _held(cache)


def test_words_of_a_dataset_say_in_what_share_of_its_documents_they_stand() -> None:
    cache = Cache()
    dataset, held = holding("Papers", {"A.txt": ["rent fee", "rent"], "B.txt": ["rent lunch"]})
    asked = {"rent", "fee", "door"}
    assert ({}, False) == (cache.words_of(dataset.dataset_id, asked), cache.holds_words(dataset.dataset_id))
    for document, segments in held.items():
        cache.keep_reading(document, segments, len(segments))
    assert {"rent": 1.0, "fee": 0.5} == cache.words_of(dataset.dataset_id, asked)
    assert cache.holds_words(dataset.dataset_id)
    assert ({}, False) == (cache.words_of(DATASET.dataset_id, asked), cache.holds_words(DATASET.dataset_id))


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
    for number in range(MEMOS):
        cache.memo(number, 1, lambda number=number: number)  # type: ignore[misc]
    cache.memo(0, 1, lambda: -1)
    cache.memo("one more", 1, lambda: 0)
    assert 0 == cache.memo(0, 1, lambda: -1)
    assert -1 == cache.memo(1, 1, lambda: -1)


def test_derived_values_that_weigh_too_much_together_are_forgotten() -> None:
    cache = Cache()
    half = MEMOS_WEIGHT // 2
    for number in range(3):
        cache.memo(number, 1, lambda number=number: number, lambda _: half)  # type: ignore[misc]
    assert [2, 1, -1] == [cache.memo(number, 1, lambda: -1, lambda _: half) for number in (2, 1, 0)]
    assert 9 == cache.memo("huge", 1, lambda: 9, lambda _: 2 * MEMOS_WEIGHT)
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
