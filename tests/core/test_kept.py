"""What nobody may use any longer is dropped, whoever kept it; what is there is not lost for want of room."""

import json

import pytest

from evidence.errors import StoreUnavailable
from evidence.kept import KEY, Index, Kept
from evidence.limits import Deadline
from tests.core.sharing_samples import AGE, DATASET, Process, long_readings
from tests.fakes import HandClock, MemoryStore

FIRST, SECOND = ("readings-" + letter * 40 for letter in "ab")
LONG = [(reading, 0.0) for reading in long_readings(2)]


class SmallStore(MemoryStore):
    """Holds at most 600,000 bytes."""

    def put(self, key: str, value: bytes, seconds: float) -> None:
        others = sum(len(held) for name, held in self.values.items() if name != key)
        if others + len(value) > 600_000:
            raise StoreUnavailable("the plugin's storage is full")
        super().put(key, value, seconds)


def index(store: MemoryStore, now: float = 1_000.0) -> Index:
    return Index(store, now, AGE, Deadline(2))


def written(store: MemoryStore) -> object:
    return json.loads(store.values[KEY])


def kept_by(scope: str, store: MemoryStore, clock: HandClock) -> Process:
    process = Process(store, clock, scope)
    process.keep(read=LONG)
    return process


def test_what_an_earlier_key_kept_makes_room_once_it_is_past_its_time() -> None:
    store, clock = SmallStore(), HandClock()
    for scope in ("January", "February", "March"):
        process = kept_by(scope, store, clock)
        assert "" == process.known.take().error
        assert 2 == len(process.parts())
        clock.forward(AGE + 1)


def test_a_full_store_loses_nothing_that_may_be_used() -> None:
    store, clock = SmallStore(), HandClock()
    first = kept_by("January", store, clock)
    held = first.parts()
    assert "full" in kept_by("February", store, clock).known.take().error
    assert held == first.parts()
    assert 2 == len(Process(store, clock, "January").texts())


def test_once_there_is_room_a_full_store_is_filled_on() -> None:
    store, clock = SmallStore(), HandClock()
    kept_by("January", store, clock)
    clock.forward(800)
    second = kept_by("February", store, clock)
    assert "full" in second.known.take().error
    clock.forward(301)
    second.keep(read=LONG)
    assert "" == second.known.take().error
    assert 2 == len(second.parts()) == len(Process(store, clock, "February").texts())


def test_the_index_says_what_lies_there_and_until_when() -> None:
    store = MemoryStore()
    assert 0 == index(store).enter(FIRST, Kept(0.0, 0), Kept(1_900.0, 3))
    assert 0 == index(store).enter(SECOND, Kept(0.0, 0), Kept(1_800.0, 1))
    assert {FIRST: [1_900.0, 3], SECOND: [1_800.0, 1]} == written(store)


def test_it_is_not_written_again_where_nothing_changed() -> None:
    store = MemoryStore()
    for _ in range(2):
        index(store).enter(FIRST, Kept(0.0, 0), Kept(1_900.0, 3))
    assert 1 == len(store.asked("put"))


def test_what_is_past_its_time_or_of_a_far_future_is_dropped_and_forgotten() -> None:
    store = MemoryStore()
    index(store).enter(FIRST, Kept(0.0, 0), Kept(1_900.0, 2))
    store.values |= {f"{FIRST}-{number}": b"" for number in range(2)}
    assert 0 == index(store, 2_000.0).enter(SECOND, Kept(0.0, 0), Kept(9_000.0, 1))
    assert {SECOND: [9_000.0, 1]} == written(store)
    assert [KEY] == list(store.values)
    index(store, 2_000.0).enter(FIRST, Kept(0.0, 0), Kept(2_900.0, 1))
    assert {FIRST: [2_900.0, 1]} == written(store)


def test_own_parts_that_the_index_does_not_know_are_dropped_too() -> None:
    store = MemoryStore()
    store.values |= {f"{FIRST}-{number}": b"" for number in range(2)}
    assert 0 == index(store).enter(FIRST, Kept(0.0, 2), Kept(1_900.0, 1))
    assert [KEY] == list(store.values)


def test_own_parts_that_may_still_be_used_stay_until_they_are_replaced() -> None:
    store = MemoryStore()
    index(store).enter(FIRST, Kept(0.0, 0), Kept(1_500.0, 4))
    assert 4 == index(store).enter(FIRST, Kept(0.0, 4), Kept(1_900.0, 2))
    assert {FIRST: [1_900.0, 4]} == written(store)
    assert [KEY] == store.asked("drop")


def test_what_there_was_no_time_to_drop_stays_in_the_index() -> None:
    clock = HandClock()

    class Slow(MemoryStore):
        def drop(self, key: str, seconds: float) -> None:
            clock.forward(0.4)
            super().drop(key, seconds)

    store = Slow()
    index(store).enter(FIRST, Kept(0.0, 0), Kept(1_100.0, 9))
    Index(store, 2_000.0, AGE, Deadline(2, clock)).enter(SECOND, Kept(0.0, 0), Kept(2_900.0, 1))
    assert {FIRST: [1_100.0, 6], SECOND: [2_900.0, 1]} == written(store)


STRANGE = {
    "no JSON": b"\x00 garbage",
    "no object": b"[]",
    "another key": b'{"credentials-0": [1.0, 1]}',
    "a longer key": b'{"%s-1": [1.0, 1]}' % FIRST.encode(),
    "no time": b'{"%s": ["1", 1]}' % FIRST.encode(),
    "no end": b'{"%s": [NaN, 1]}' % FIRST.encode(),
    "too many parts": b'{"%s": [1.0, 999]}' % FIRST.encode(),
    "half a part": b'{"%s": [1.0, 1.5]}' % FIRST.encode(),
    "fewer": b'{"%s": [1.0]}' % FIRST.encode(),
    "more": b'{"%s": [1.0, 1, 1]}' % FIRST.encode(),
}


@pytest.mark.parametrize("value", STRANGE.values(), ids=STRANGE)
def test_anything_else_than_an_index_is_as_none_and_is_replaced(value: bytes) -> None:
    store = MemoryStore()
    store.values[KEY] = value
    index(store).enter(SECOND, Kept(0.0, 0), Kept(1_900.0, 1))
    assert {SECOND: [1_900.0, 1]} == written(store)
    assert [KEY] == store.asked("drop")


def test_where_there_is_no_room_for_the_new_index_the_old_one_stays() -> None:
    class Full(MemoryStore):
        def put(self, key: str, value: bytes, seconds: float) -> None:
            if len(value) > 100:
                raise StoreUnavailable("the plugin's storage is full")
            super().put(key, value, seconds)

    store = Full()
    index(store).enter(FIRST, Kept(0.0, 0), Kept(1_900.0, 1))
    with pytest.raises(StoreUnavailable, match="full"):
        index(store).enter(SECOND, Kept(0.0, 0), Kept(1_900.0, 1))
    assert {FIRST: [1_900.0, 1]} == written(store)


def test_no_more_datasets_are_kept_than_an_index_holds() -> None:
    store = MemoryStore()
    store.values[KEY] = json.dumps(
        {f"readings-{number:040x}": [1_900.0, 1] for number in range(2_000)}
    ).encode()
    with pytest.raises(StoreUnavailable, match="too many"):
        index(store).enter(FIRST, Kept(0.0, 0), Kept(1_900.0, 1))
    assert [] == store.asked("put")


def test_asking_neither_reads_nor_writes_the_index() -> None:
    store, clock = MemoryStore(), HandClock()
    kept_by("January", store, clock)
    store.calls.clear()
    Process(store, clock, "January").fetch(DATASET)
    assert KEY not in [key for _, key in store.calls]
