"""An index of what lies in the store altogether, so that what nobody may use any longer is dropped by somebody.

Keys of another scope are known to nobody else: what an earlier key or allow-list kept would lie there for good. Two
processes that write the index at once may lose an entry of one; it is entered again when its dataset is kept again.
"""

from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, NamedTuple

from pydantic import ConfigDict, Field, TypeAdapter

from evidence.errors import EvidenceError, StoreUnavailable
from evidence.limits import Deadline
from evidence.packing import MOST_PARTS
from evidence.ports import Store

KEY = "readings-index"
SKEW = 60.0  # seconds that the clocks of two machines may differ
_MOST = 2_000  # datasets


class Kept(NamedTuple):
    """What lies there of a dataset: so many parts, which may be used `until` then, in seconds since 1970."""

    until: float
    parts: Annotated[int, Field(ge=0, le=MOST_PARTS)]


type _Base = Annotated[str, Field(pattern=r"^readings-[0-9a-f]{40}$")]

_INDEX: TypeAdapter[dict[str, Kept]] = TypeAdapter(
    Annotated[dict[_Base, Kept], Field(max_length=_MOST)],
    config=ConfigDict(strict=True, allow_inf_nan=False),
)


@dataclass(frozen=True, slots=True)
class Index:
    """The index as a run finds it `now`; nothing may be used longer than `age` seconds."""

    store: Store
    now: float
    age: float
    until: Deadline

    def enter(self, base: str, lies: Kept, comes: Kept) -> int:
        """Enter what comes under keys that begin with `base`, and drop what is past its time.

        `lies` is what the caller knows to lie there. Answers how many parts may lie there now; raises StoreUnavailable.
        """
        value = self.store.get(KEY, self.until.remaining())
        entered = _read(value)
        known = entered.get(base, Kept(0.0, 0))
        found = entered | {base: Kept(max(known.until, lies.until), max(known.parts, lies.parts))}
        left = self._swept(found)
        lying = left[base].parts if base in left else 0
        left[base] = Kept(comes.until, max(lying, comes.parts))
        if len(left) > _MOST:
            raise StoreUnavailable("too many datasets are kept at once")
        if left != entered:
            self._replace(value, _INDEX.dump_json(left))
        return lying

    def _swept(self, found: dict[str, Kept]) -> dict[str, Kept]:
        """What still lies there after half of the time at most."""
        left, enough = dict(found), self.until.left() / 2
        for base, kept in found.items():
            if self.now < kept.until <= self.now + self.age + SKEW:
                continue
            parts = kept.parts
            while parts and self.until.left() > enough:
                parts -= 1
                self.store.drop(f"{base}-{parts}", self.until.remaining())
            left[base] = Kept(kept.until, parts)
        return {base: kept for base, kept in left.items() if kept.parts}

    def _replace(self, old: bytes | None, new: bytes) -> None:
        """Where there is no room for the new one, the old one lies there again."""
        if old is not None:
            self.store.drop(KEY, self.until.remaining())
        try:
            self.store.put(KEY, new, self.until.remaining())
        except EvidenceError:
            if old is not None:
                with suppress(EvidenceError):
                    self.store.put(KEY, old, self.until.remaining())
            raise


def _read(value: bytes | None) -> dict[str, Kept]:
    """Empty for anything but an index."""
    try:
        return _INDEX.validate_json(value or b"")
    except ValueError:
        return {}
