"""What one process has read, handed on to others through a store that all of them see.

Nothing here fails a question: what cannot be fetched is read from the server, and said in one line.
"""

import hashlib
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from evidence.errors import EvidenceError
from evidence.kept import SKEW, Index, Kept
from evidence.limits import Deadline
from evidence.model import Dataset
from evidence.packing import Head, Piece, SharedDocument, documents_of, head_of, packed
from evidence.ports import Store
from evidence.shelf import Reading
from evidence.trace import Trace

SECONDS = 2.0  # for all that a run fetches, and for all that is kept behind its answer
_AGAIN = 300.0  # seconds until what failed is tried again
_REST = 1_800.0  # seconds in which nothing is kept, once the store got nowhere in its time


@dataclass(slots=True)
class _Behind:
    """What was done behind answers, and no receipt has told yet."""

    values: int = 0
    size: int = 0
    error: str = ""


@dataclass(frozen=True, slots=True)
class Begun:
    """A version that is being kept: the first `done` of its `parts` are, and may be used `until` then.

    Something may lie under the first `lying` keys.
    """

    version: str
    parts: int
    until: float
    done: int = 0
    lying: int = 0


@dataclass(slots=True)
class Known:
    """What a process knows of the store, so that it neither asks nor keeps the same twice. Thread-safe.

    The clock is in seconds since 1970, since it is compared with those of other machines.
    """

    clock: Callable[[], float] = time.time
    _until: dict[tuple[str, str], tuple[str, float]] = field(default_factory=dict)
    _begun: dict[str, Begun] = field(default_factory=dict)
    _rest: float = 0.0
    _behind: _Behind = field(default_factory=_Behind)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def first(self, what: str, dataset: Dataset, seconds: float) -> bool:
        """Whether nobody noted this of the dataset's version; it is noted then, for so many seconds."""
        with self._lock:
            version, until = self._until.get((what, dataset.dataset_id), ("", 0.0))
            if version == dataset.version and self.clock() < until:
                return False
            self._until[what, dataset.dataset_id] = (dataset.version, self.clock() + seconds)
            return True

    def note(self, what: str, dataset: Dataset, until: float) -> None:
        with self._lock:
            self._until[what, dataset.dataset_id] = (dataset.version, until)

    def begun(self, dataset: Dataset) -> Begun | None:
        """What was begun of the dataset's version, while it may be used."""
        with self._lock:
            begun = self._begun.get(dataset.dataset_id)
        return begun if begun and begun.version == dataset.version and self.clock() < begun.until else None

    def begin(self, dataset: Dataset, begun: Begun) -> None:
        with self._lock:
            self._begun[dataset.dataset_id] = begun

    def rest(self) -> None:
        """Keep nothing for a while."""
        with self._lock:
            self._rest = self.clock() + _REST

    def rests(self) -> bool:
        with self._lock:
            return self.clock() < self._rest

    def done(self, size: int = 0, error: str = "") -> None:
        """One more value was kept, or none because of an error."""
        with self._lock:
            self._behind.values += not error
            self._behind.size += size
            self._behind.error = error or self._behind.error

    def take(self) -> _Behind:
        """What was done behind answers since this was asked last."""
        with self._lock:
            told, self._behind = self._behind, _Behind()
            return told


@dataclass(frozen=True, slots=True)
class Shared:
    """What was found of datasets; `now` is the clock that `read_at` is told by."""

    documents: tuple[SharedDocument, ...]
    now: float


@dataclass(frozen=True, slots=True)
class Sharing:
    """One run's way to the store. `scope` tells server, key and allow-list from others; it shows none of them."""

    store: Store
    scope: str
    known: Known
    trace: Trace
    deadline: Deadline

    def until(self) -> Deadline:
        """For all that a run fetches."""
        return Deadline(min(SECONDS, self.deadline.left()))

    def fetch(self, dataset: Dataset, age: float, until: Deadline) -> Shared:
        """What others read of a dataset at most `age` seconds ago; a process asks once for each version and age."""
        now = self.known.clock()
        found: list[SharedDocument] = []
        if self.known.first("asked", dataset, age):
            try:
                self._fetch(dataset, age, until, found)
            except (EvidenceError, ValueError) as error:
                said = str(error) if isinstance(error, EvidenceError) else "it is not of our making"
                self.trace.degrade(f"what other processes read of {dataset.name} was not used: {said}")
        fresh = (each for each in found if now - age <= each.read_at <= now + SKEW)
        return Shared(tuple(fresh), now)

    def _fetch(self, dataset: Dataset, age: float, until: Deadline, found: list[SharedDocument]) -> None:
        first = self._get(dataset, 0, until)
        if first is None:
            return
        head = head_of(first)
        self.known.note("kept", dataset, self._lasts(head, dataset, age))
        broken = False
        for number in range(head.parts):
            part = self._get(dataset, number, until) if number else first
            try:
                found.extend(documents_of(part) if part is not None else ())
            except ValueError:
                broken = True
        if broken:
            raise ValueError

    def keep(
        self, dataset: Dataset, readings: Sequence[tuple[Reading, float]], age: float, until: Deadline
    ) -> None:
        """Keep for others the readings of a dataset, each with its age in seconds, unless this version is kept.

        It waits for the store: behind the end of an invocation nobody would listen. What there was no time for is
        kept the next time.
        """
        if until.passed() or self.known.rests() or not self.known.first("kept", dataset, _AGAIN):
            return
        now, before = self.known.clock(), self._done(dataset)
        documents = [each for reading, old in readings if (each := _shared(reading, now - old))]
        try:
            kept_until = self._keep(dataset, documents, age, until)
        except (EvidenceError, ValueError) as error:
            said = str(error) if isinstance(error, EvidenceError) else "it cannot be written"
            self.known.done(error=said)
            if until.passed() and self._done(dataset) <= before:
                self.known.rest()
        else:
            self.known.note("kept", dataset, kept_until)

    def _done(self, dataset: Dataset) -> int:
        begun = self.known.begun(dataset)
        return begun.done if begun else 0

    def _keep(
        self, dataset: Dataset, documents: Sequence[SharedDocument], age: float, until: Deadline
    ) -> float:
        """The time until which what is kept may be used: by others now, or by this process."""
        begun, lying = self.known.begun(dataset), 0
        if begun is None:
            first = self._get(dataset, 0, until)
            before = _head(first)
            lasts = self._lasts(before, dataset, age) if before else 0.0
            if lasts > self.known.clock():
                return lasts
            lying = before.parts if before else int(first is not None)
        parts = packed(dataset.version, documents)
        if not parts:
            return self.known.clock() + age
        if begun is None or begun.parts != len(parts):
            lying = begun.lying if begun else lying
            begun = Begun(dataset.version, len(parts), head_of(parts[0]).oldest + age, lying=lying)
        begun = self._entered(dataset, begun, age, until)
        self._put(dataset, parts, begun, until)
        return begun.until

    def _entered(self, dataset: Dataset, begun: Begun, age: float, until: Deadline) -> Begun:
        """Enter in the index what is going to lie there."""
        index = Index(self.store, self.known.clock(), age, until)
        lies = Kept(begun.until if begun.done else 0.0, begun.lying)
        lying = index.enter(self._base(dataset), lies, Kept(begun.until, begun.parts))
        return begun if begun.done else replace(begun, lying=lying)

    def _put(self, dataset: Dataset, parts: Sequence[bytes], begun: Begun, until: Deadline) -> None:
        """Put the parts, the first of all first: others can use each by itself, and do without one that is missing.

        A value is dropped before it is replaced, since some stores count one that is overwritten twice.
        """
        for number in range(begun.done, len(parts)):
            key, lies = self._key(dataset, number), number < begun.lying
            begun = replace(
                begun, lying=max(begun.lying, number + 1)
            )  # it may lie there even if nobody says so
            self.known.begin(dataset, begun)
            if lies:
                self.store.drop(key, until.remaining())
            self.store.put(key, parts[number], until.remaining())
            begun = replace(begun, done=number + 1)
            self.known.begin(dataset, begun)
            self.known.done(len(parts[number]))
        for number in range(len(parts), begun.lying):
            self.store.drop(self._key(dataset, number), until.remaining())

    def tell(self) -> None:
        """Write on the receipt what was kept behind earlier answers."""
        behind = self.known.take()
        if behind.values:
            with self.trace.step("storage.put", behind=behind.values, bytes=behind.size):
                pass
        if behind.error:
            self.trace.degrade(f"what was read was not kept for other processes: {behind.error}")

    def _lasts(self, head: Head, dataset: Dataset, age: float) -> float:
        """Until when all that is kept may be used; 0 for another version, or one of a future that cannot be."""
        ours = head.version == dataset.version and head.oldest <= self.known.clock() + SKEW
        return head.oldest + age if ours else 0.0

    def _get(self, dataset: Dataset, number: int, until: Deadline) -> bytes | None:
        with self.trace.step("storage.get", part=number) as step:
            value = self.store.get(self._key(dataset, number), until.remaining())
            step.facts["bytes"] = len(value or b"")
            return value

    def _key(self, dataset: Dataset, number: int) -> str:
        return f"{self._base(dataset)}-{number}"

    def _base(self, dataset: Dataset) -> str:
        whose = hashlib.sha256(f"{self.scope}\n{dataset.dataset_id}".encode("utf-8", "replace"))
        return f"readings-{whose.hexdigest()[:40]}"


def _head(part: bytes | None) -> Head | None:
    """None where nothing of our making lies."""
    try:
        return None if part is None else head_of(part)
    except ValueError:
        return None


def _shared(reading: Reading, read_at: float) -> SharedDocument | None:
    """None for what others would not read."""
    document = reading.document
    try:
        return SharedDocument(
            document_id=document.document_id,
            version=document.version,
            total=reading.total,
            pages=reading.pages,
            read_at=read_at,
            pieces=tuple(
                Piece(each.segment_id, each.position, each.text, each.question, each.content_hash)
                for each in reading.segments
            ),
        )
    except ValueError:
        return None
