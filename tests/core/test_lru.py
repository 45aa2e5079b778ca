"""What is made once and kept: bounded in number and in weight."""

import threading
from concurrent.futures import ThreadPoolExecutor

from evidence.lru import LRU


def test_what_is_asked_for_by_the_same_key_is_made_once() -> None:
    made: list[int] = []
    begun = threading.Barrier(8)
    lru: LRU[object] = LRU(4)

    def make() -> object:
        made.append(1)
        return object()

    def get(_: int) -> object:
        begun.wait(5)
        return lru.get("key", make)

    with ThreadPoolExecutor(8) as pool:
        assert 1 == len(set(pool.map(get, range(8))))
    assert [1] == made


def test_beyond_the_number_what_was_used_longest_ago_is_forgotten() -> None:
    lru: LRU[str] = LRU(2)
    for key in ("a", "b", "a", "c"):
        lru.get(key, lambda key=key: f"first {key}")  # type: ignore[misc]
    assert ["first a", "again"] == [lru.get(key, lambda: "again") for key in ("a", "b")]


def test_beyond_the_weight_what_was_used_longest_ago_is_forgotten_and_what_is_asked_for_is_kept() -> None:
    weights = {"a": 6, "b": 6, "c": 50}
    lru: LRU[str] = LRU(9, weights.__getitem__, 10)
    lru.get("a", lambda: "a")
    lru.get("b", lambda: "b")
    assert ["b", "c"] == [lru.get(key, lambda: "c") for key in ("b", "a")]
    assert "a" == lru.get("b", lambda: "a")


def test_what_is_spent_is_made_anew() -> None:
    spent = set[str]()
    lru: LRU[str] = LRU(4, spent=spent.__contains__)
    assert "first" == lru.get("key", lambda: "first")
    assert "first" == lru.get("key", lambda: "second")
    spent.add("first")
    assert ["second", "second"] == [lru.get("key", lambda: "second") for _ in range(2)]
