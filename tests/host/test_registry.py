"""What is made once and kept: bounded in number and in weight."""

import threading
from concurrent.futures import ThreadPoolExecutor

from host.registry import Registry


def test_what_is_asked_for_by_the_same_key_is_made_once() -> None:
    made: list[int] = []
    begun = threading.Barrier(8)
    registry: Registry[object] = Registry(4)

    def make() -> object:
        made.append(1)
        return object()

    def get(_: int) -> object:
        begun.wait(5)
        return registry.get("key", make)

    with ThreadPoolExecutor(8) as pool:
        assert 1 == len(set(pool.map(get, range(8))))
    assert [1] == made


def test_beyond_the_number_what_was_used_longest_ago_is_forgotten() -> None:
    registry: Registry[str] = Registry(2)
    for key in ("a", "b", "a", "c"):
        registry.get(key, lambda key=key: f"first {key}")  # type: ignore[misc]
    assert ["first a", "again"] == [registry.get(key, lambda: "again") for key in ("a", "b")]


def test_beyond_the_weight_what_was_used_longest_ago_is_forgotten_and_what_is_asked_for_is_kept() -> None:
    weights = {"a": 6, "b": 6, "c": 50}
    registry: Registry[str] = Registry(9, weights.__getitem__, 10)
    registry.get("a", lambda: "a")
    registry.get("b", lambda: "b")
    assert ["b", "c"] == [registry.get(key, lambda: "c") for key in ("b", "a")]
    assert "a" == registry.get("b", lambda: "a")


def test_what_is_spent_is_made_anew() -> None:
    spent = set[str]()
    registry: Registry[str] = Registry(4, spent=spent.__contains__)
    assert "first" == registry.get("key", lambda: "first")
    assert "first" == registry.get("key", lambda: "second")
    spent.add("first")
    assert ["second", "second"] == [registry.get("key", lambda: "second") for _ in range(2)]
