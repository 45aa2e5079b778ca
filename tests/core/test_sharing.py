"""What one process read is kept for others, and fetched by them, as long as it may be used."""

from dataclasses import replace

import pytest

from evidence.errors import StoreUnavailable
from evidence.limits import Deadline
from evidence.model import Segment
from evidence.shelf import Shelf
from tests.core.sharing_samples import AGE, DATASET, HARBOUR, Process, long_readings, readings
from tests.fakes import HandClock, MemoryStore


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def first(store: MemoryStore, clock: HandClock) -> Process:
    return Process(store, clock)


@pytest.fixture
def second(store: MemoryStore, clock: HandClock) -> Process:
    return Process(store, clock)


BOTH = ["The rent is ten.", "The rent is two."]


def test_another_process_finds_what_one_kept_and_says_so_on_its_receipt(
    first: Process, second: Process
) -> None:
    first.keep()
    assert BOTH == second.texts()
    (step,) = second.receipt.steps
    assert "storage.get" == step.name
    assert len(first.store.values[first.put()[0]]) == step.facts["bytes"]
    assert () == second.receipt.degraded


def test_nothing_is_found_under_another_server_key_or_allow_list(
    store: MemoryStore, clock: HandClock
) -> None:
    Process(store, clock, "one").keep()
    assert [] == Process(store, clock, "another").texts()
    assert ["get", "get", "put", "put", "get"] == [operation for operation, _ in store.calls]
    assert all(len(key) < 256 and "one" not in key for _, key in store.calls)


def test_nothing_is_used_that_is_older_than_the_bound(first: Process, second: Process) -> None:
    first.keep(read=readings(600.0, 100.0))
    second.clock.forward(301)
    assert BOTH[1:] == second.texts()


def test_the_age_of_what_is_found_is_told(first: Process, second: Process) -> None:
    first.keep(read=readings(600.0, 100.0))
    second.clock.forward(50)
    found = second.fetch()
    assert [650.0, 150.0] == [found.now - document.read_at for document in found.documents]


def test_what_was_read_in_a_far_future_is_not_used(first: Process, second: Process) -> None:
    first.keep(read=readings(-3_600.0, -3.0))
    assert BOTH[1:] == second.texts()
    first.keep(replace(DATASET, version="2"), readings(-7_200.0, -3_600.0))
    second.keep(replace(DATASET, version="2"))
    assert BOTH == Process(first.store, first.clock).texts(replace(DATASET, version="2"))


def test_a_process_asks_once_for_a_version_until_the_bound_is_over(second: Process) -> None:
    second.texts()
    second.texts()
    assert 1 == len(second.store.calls)
    second.texts(replace(DATASET, version="2"))
    assert 2 == len(second.store.calls)
    second.clock.forward(AGE + 1)
    second.texts(replace(DATASET, version="2"))
    assert 3 == len(second.store.calls)


def test_a_version_is_kept_once_and_again_when_it_is_too_old(first: Process) -> None:
    first.keep(read=readings(600.0, 0.0))
    first.keep()
    assert 1 == len(first.put())
    first.clock.forward(301)
    first.keep()
    assert 2 == len(first.put())


def test_another_version_is_kept_anew_in_the_same_place(first: Process, second: Process) -> None:
    first.keep()
    first.keep(replace(DATASET, version="2"), readings()[:1])
    assert 2 == len(first.put())
    assert 1 == len(first.parts())
    assert BOTH[:1] == second.texts()


def test_what_another_process_kept_or_this_one_found_is_not_kept_again(
    first: Process, second: Process
) -> None:
    first.keep()
    second.keep()
    assert 1 == len(first.put())
    third = Process(first.store, first.clock)
    third.fetch()
    before = len(first.store.calls)
    third.keep()
    assert before == len(first.store.calls)


def test_parts_that_are_no_longer_needed_are_dropped(first: Process) -> None:
    reading = readings()[0][0]
    long, other = long_readings()
    first.keep(read=[(long, 0.0), (other, 0.0)])
    assert 2 == len(first.parts())
    first.keep(replace(DATASET, version="2"), [(reading, 0.0)])
    assert 1 == len(first.parts())


def test_what_is_kept_behind_an_answer_is_told_on_a_later_receipt_once(first: Process) -> None:
    first.keep()
    first.run().tell()
    (step,) = first.receipt.steps
    size = sum(len(first.store.values[key]) for key in first.parts())
    assert ("storage.put", {"behind": 1, "bytes": size}) == (step.name, step.facts)
    first.run().tell()
    assert () == first.receipt.steps


def test_a_store_that_fails_costs_a_line_and_is_left_alone_for_a_while(first: Process) -> None:
    first.store.failure = StoreUnavailable("the plugin's storage is full")
    assert [] == first.texts()
    expected = "what other processes read of Leases was not used: the plugin's storage is full"
    assert (expected,) == first.receipt.degraded
    first.keep()
    first.keep()
    assert 2 == len(first.store.calls)
    first.run().tell()
    expected = "what was read was not kept for other processes: the plugin's storage is full"
    assert (expected,) == first.receipt.degraded
    first.store.failure = None
    first.clock.forward(301)
    first.keep()
    assert 1 == len(first.put())


def test_garbage_in_the_store_costs_a_line_and_is_replaced(first: Process, second: Process) -> None:
    first.keep()
    (key,) = first.parts()
    first.store.values[key] = b"\x00 garbage"
    assert [] == second.texts()
    assert ("what other processes read of Leases was not used: it is not of our making",) == (
        second.receipt.degraded
    )
    second.keep()
    assert BOTH == Process(first.store, first.clock).texts()


def test_a_part_that_is_missing_is_done_without(first: Process, second: Process) -> None:
    long, other = long_readings()
    first.keep(read=[(long, 0.0), (other, 0.0)])
    del first.store.values[next(key for key in first.store.values if key.endswith("-1"))]
    assert [long.segments[0].text] == second.texts()
    assert () == second.receipt.degraded


def test_a_document_with_half_a_character_is_not_kept(first: Process, second: Process) -> None:
    half = Shelf().keep_reading(HARBOUR, [Segment(HARBOUR, "s", 1, "rent \ud800")], 1)
    first.keep(read=[(half, 0.0), readings()[1]])
    assert BOTH[1:] == second.texts()


@pytest.mark.parametrize("changed", ["document_id", "version"])
def test_a_document_whose_id_or_version_holds_half_a_character_is_not_kept(
    changed: str, first: Process, second: Process
) -> None:
    document = replace(HARBOUR, **{changed: "\ud800"})
    half = Shelf().keep_reading(document, [Segment(document, "s", 1, "rent")], 1)
    first.keep(read=[(half, 0.0), readings()[1]])
    assert BOTH[1:] == second.texts()


def test_a_document_of_more_segments_than_others_would_read_is_not_kept(
    first: Process, second: Process
) -> None:
    many = [Segment(HARBOUR, str(number), number, "rent") for number in range(1_201)]
    first.keep(read=[(Shelf().keep_reading(HARBOUR, many, 1_201), 0.0), readings()[1]])
    assert BOTH[1:] == second.texts()


def test_a_dataset_whose_version_cannot_be_written_costs_a_line(first: Process) -> None:
    first.keep(replace(DATASET, version="\ud800"))
    first.run().tell()
    assert ("what was read was not kept for other processes: it cannot be written",) == first.receipt.degraded


@pytest.mark.parametrize("broken", ["0", "1"])
def test_a_broken_part_costs_a_line_and_only_its_own_documents(
    broken: str, first: Process, second: Process
) -> None:
    read = long_readings(3)
    first.keep(read=[(reading, 0.0) for reading in read])
    (key,) = (key for key in first.parts() if key.endswith(f"-{broken}"))
    first.store.values[key] = first.store.values[key][:-5]
    expected = [each.segments[0].text for at, each in enumerate(read) if at != int(broken)]
    assert expected == second.texts()
    assert ("what other processes read of Leases was not used: it is not of our making",) == (
        second.receipt.degraded
    )


def test_after_the_deadline_nothing_is_asked(first: Process) -> None:
    run = replace(first.run(), deadline=Deadline(0))
    assert () == run.fetch(DATASET, AGE, run.until()).documents
    assert [] == first.store.calls
