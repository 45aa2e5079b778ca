"""A store that is slow or silent: what there is no time for is kept the next time, and nobody waits for long."""

import pytest

from evidence.errors import StoreUnavailable
from evidence.limits import Deadline
from evidence.shelf import Reading
from tests.core.sharing_samples import AGE, DATASET, Process, long_readings, readings
from tests.fakes import HandClock, MemoryStore

LONG = [(reading, 0.0) for reading in long_readings(6)]
TEXTS = [reading.segments[0].text for reading, _ in LONG]


class SlowStore(MemoryStore):
    """Each call takes `each` seconds of a clock; what takes longer than it may is left, and not done."""

    def __init__(self, each: float) -> None:
        super().__init__()
        self.each = each
        self.clock = HandClock()

    def put(self, key: str, value: bytes, seconds: float) -> None:
        self._wait(seconds)
        super().put(key, value, seconds)

    def get(self, key: str, seconds: float) -> bytes | None:
        self._wait(seconds)
        return super().get(key, seconds)

    def drop(self, key: str, seconds: float) -> None:
        self._wait(seconds)
        super().drop(key, seconds)

    def numbers(self) -> list[str]:
        """Of the parts that were put, in the order in which they were."""
        return [key[-2:] for key in self.asked("put") if key[-2:-1] == "-"]

    def _wait(self, seconds: float) -> None:
        self.clock.forward(min(self.each, seconds))
        if self.each >= seconds:
            raise StoreUnavailable("the plugin's storage did not answer in time")


@pytest.fixture
def store() -> SlowStore:
    return SlowStore(0.36)


@pytest.fixture
def process(store: SlowStore) -> Process:
    return Process(store, HandClock())


def keep(process: Process, store: SlowStore, read: list[tuple[Reading, float]] = LONG) -> None:
    process.keep(read=read, until=Deadline(2, store.clock))


def texts(process: Process, store: SlowStore) -> list[str]:
    """What a fresh process finds once the store is quick."""
    store.each = 0.0
    return Process(store, process.clock).texts()


def test_what_there_was_no_time_for_is_kept_the_next_time_and_nothing_twice(
    process: Process, store: SlowStore
) -> None:
    for seconds in (0, 270, 31, 301):
        process.clock.forward(seconds)
        keep(process, store)
    assert ["-0", "-1", "-2", "-3", "-4", "-5"] == store.numbers()
    assert TEXTS == texts(process, store)


def test_the_part_that_is_asked_for_first_is_kept_first(process: Process, store: SlowStore) -> None:
    keep(process, store)
    assert ["-0"] == store.numbers()[:1]
    some = texts(process, store)
    assert TEXTS[: len(some)] == some
    assert 0 < len(some) < len(TEXTS)


def test_it_is_begun_anew_where_what_lies_there_may_no_longer_be_used(
    process: Process, store: SlowStore
) -> None:
    keep(process, store)
    process.clock.forward(AGE + 1)
    store.each = 0.0
    keep(process, store)
    assert 2 == store.numbers().count("-0")
    assert TEXTS == texts(process, store)


def test_it_is_begun_anew_where_other_parts_are_to_be_kept(process: Process, store: SlowStore) -> None:
    keep(process, store)
    process.clock.forward(301)
    store.each = 0.0
    keep(process, store, readings())
    assert ["The rent is ten.", "The rent is two."] == texts(process, store)


def test_nothing_is_dropped_where_nothing_lies_and_what_is_replaced_is_dropped_first(
    process: Process,
) -> None:
    store = process.store = MemoryStore()
    process.keep()
    assert [] == store.asked("drop")
    process.clock.forward(AGE + 1)
    process.keep()
    key = store.asked("drop")[0]
    dropped, put = store.calls.index(("drop", key)), store.calls[::-1].index(("put", key))
    assert dropped < len(store.calls) - 1 - put


def test_a_store_that_got_nowhere_in_its_time_is_left_alone_for_longer(
    process: Process, store: SlowStore
) -> None:
    store.each = 2.0
    keep(process, store)
    assert "in time" in process.known.take().error
    store.each = 0.0
    process.clock.forward(1_799)
    keep(process, store)
    assert [] == store.asked("put")
    process.clock.forward(2)
    keep(process, store)
    assert TEXTS == texts(process, store)


def test_what_there_is_no_time_to_begin_is_begun_the_next_time(process: Process, store: SlowStore) -> None:
    process.keep(DATASET, until=Deadline(0))
    assert [] == store.calls
    keep(process, store)
    assert ["-0"] == store.numbers()[:1]
