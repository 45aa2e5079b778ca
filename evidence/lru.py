"""Values kept by key, bounded in number and in weight: those used longest ago leave first."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable


class LRU[T]:
    """Thread-safe; at most `most` values.

    `weigh` and `heaviest` bound what all of them weigh together, the one used last aside; those that are `spent` are
    dropped. What is dropped is not closed: a run may still use it. It goes when the run ends.
    """

    def __init__(
        self,
        most: int,
        weigh: Callable[[T], int] = lambda _: 0,
        heaviest: int = 0,
        spent: Callable[[T], bool] = lambda _: False,
    ) -> None:
        self._most, self._weigh, self._heaviest, self._spent = most, weigh, heaviest, spent
        self._values: OrderedDict[Hashable, T] = OrderedDict()
        self._lock = threading.RLock()

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """The value of a key, made where there is none; nobody else has one made meanwhile."""
        with self._lock:
            self._trim()
            value = self._values.pop(key) if key in self._values else make()
            self.put(key, value)
            return value

    def find(self, key: Hashable) -> T | None:
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
            return self._values.get(key)

    def put(self, key: Hashable, value: T) -> None:
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            self._trim()

    def drop(self, key: Hashable) -> None:
        with self._lock:
            self._values.pop(key, None)

    def values(self) -> tuple[T, ...]:
        with self._lock:
            return tuple(self._values.values())

    def _trim(self) -> None:
        for key in [key for key, value in self._values.items() if self._spent(value)]:
            del self._values[key]
        while len(self._values) > self._most or (len(self._values) > 1 and self._weight() > self._heaviest):
            self._values.popitem(last=False)

    def _weight(self) -> int:
        return sum(map(self._weigh, self._values.values()))
