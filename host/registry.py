"""What is made once in a process and shared by all who come with the same key."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable


class Registry[T]:
    """Thread-safe; at most `most` values, those used last.

    `weigh` and `heaviest` bound what all of them weigh together, the one asked for aside; one that is `spent` is made
    anew. What is dropped is not closed: a run may still use it. It goes when the run ends.
    """

    def __init__(
        self,
        most: int,
        weigh: Callable[[T], int] = lambda _: 0,
        heaviest: int = 0,
        spent: Callable[[T], bool] = lambda _: False,
    ) -> None:
        self._most, self._weigh, self._heaviest, self._spent = most, weigh, heaviest, spent
        self._kept: OrderedDict[Hashable, T] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        with self._lock:
            if key not in self._kept or self._spent(self._kept[key]):
                self._kept[key] = make()
            self._kept.move_to_end(key)
            while len(self._kept) > self._most or (len(self._kept) > 1 and self._weight() > self._heaviest):
                self._kept.popitem(last=False)
            return self._kept[key]

    def _weight(self) -> int:
        return sum(map(self._weigh, self._kept.values()))
