"""A fact that an adapter learnt about a server, shared by threads and by copies of the adapter."""

import threading


class Remembered[Fact]:
    """One value; the last one that proved right stays."""

    def __init__(self, first: Fact) -> None:
        self._lock = threading.Lock()
        self._fact = first

    def get(self) -> Fact:
        with self._lock:
            return self._fact

    def put(self, fact: Fact) -> None:
        with self._lock:
            self._fact = fact
