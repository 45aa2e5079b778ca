"""Processes on a common store, and what they read."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from evidence.kept import KEY
from evidence.limits import Deadline
from evidence.model import Dataset, Segment
from evidence.sharing import Known, Shared, Sharing
from evidence.shelf import Reading, Shelf
from evidence.trace import Receipt, Trace
from tests.fakes import HandClock, MemoryStore, holding

AGE = 900.0
DATASET, HELD = holding("Leases", {"Harbour.txt": ["The rent is ten."], "Valley.txt": ["The rent is two."]})
HARBOUR, VALLEY = HELD


def readings(*ages: float) -> list[tuple[Reading, float]]:
    shelf = Shelf()
    read = (shelf.keep_reading(document, segments, len(segments)) for document, segments in HELD.items())
    return list(zip(read, ages or (0.0, 0.0), strict=True))


def long_readings(count: int = 2) -> list[Reading]:
    """Documents, each of which takes most of a part."""
    chosen = random.Random(1)
    found = []
    for number in range(count):
        document = replace(HARBOUR, document_id=f"long {number}")
        text = "".join(chosen.choices("abcdefghijklmnopqrstuvwxyz", k=400_000))
        found.append(Shelf().keep_reading(document, [Segment(document, "s", 1, text)], 1))
    return found


@dataclass
class Process:
    """A process of its own on a common store; each call is a run of its own."""

    store: MemoryStore
    clock: HandClock
    scope: str = "server, key and allow-list"
    trace: Trace = field(default_factory=Trace)

    def __post_init__(self) -> None:
        self.known = Known(self.clock)

    def run(self) -> Sharing:
        self.trace = Trace()
        return Sharing(self.store, self.scope, self.known, self.trace, Deadline(60))

    def keep(
        self,
        dataset: Dataset = DATASET,
        read: Sequence[tuple[Reading, float]] | None = None,
        until: Deadline | None = None,
    ) -> None:
        self.run().keep(dataset, readings() if read is None else read, AGE, until or Deadline(2))

    def fetch(self, dataset: Dataset = DATASET) -> Shared:
        run = self.run()
        return run.fetch(dataset, AGE, run.until())

    def texts(self, dataset: Dataset = DATASET) -> list[str]:
        return [piece.text for document in self.fetch(dataset).documents for piece in document.pieces]

    def parts(self) -> list[str]:
        """The keys of what lies in the store beside the index."""
        return [key for key in self.store.values if key != KEY]

    def put(self) -> list[str]:
        """The keys of the parts that were put."""
        return [key for key in self.store.asked("put") if key != KEY]

    @property
    def receipt(self) -> Receipt:
        return self.trace.receipt({})
