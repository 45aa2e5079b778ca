"""What one process read of a dataset, as bytes that another one can read.

A dataset becomes a few parts. Each part stands for itself: whole documents, each with its version and the time it was
read, so parts of different writers may lie side by side.
"""

import zlib
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from evidence.model import Document, Segment

MOST_BYTES = 400_000  # of a part: values travel as hexadecimal text, in messages below a megabyte
MOST_PARTS = 12  # a dataset takes 4.8 MB at most
_CHARACTERS = 700_000  # put into one part at first; one that is too large then is split
_MOST_UNPACKED = 16_000_000  # bytes; our own parts stay far below


class Piece(NamedTuple):
    """A segment without its document."""

    segment_id: str
    position: int
    text: str
    question: str
    content_hash: str


class _Shape(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class SharedDocument(_Shape):
    """A document as a process read it; `read_at` is in seconds since 1970."""

    document_id: str
    version: str
    total: int
    pages: int
    read_at: float
    pieces: tuple[Piece, ...]

    def segments(self, document: Document) -> tuple[Segment, ...]:
        return tuple(Segment(document, *piece) for piece in self.pieces)


class Head(_Shape):
    """What every part says of all: the dataset's version, when its oldest document was read, how many parts."""

    format: Literal[1] = 1
    version: str
    oldest: float
    parts: int = Field(ge=1, le=MOST_PARTS)


_DOCUMENTS = TypeAdapter(tuple[SharedDocument, ...])


def packed(version: str, documents: Sequence[SharedDocument]) -> tuple[bytes, ...]:
    """The parts of a dataset; what does not fit into `MOST_PARTS` of `MOST_BYTES` each is left out."""
    bodies = [body for group in _groups(documents) for body in _bodies(group)][:MOST_PARTS]
    oldest = min((document.read_at for document in documents), default=0.0)
    if not bodies:
        return ()
    head = Head(version=version, oldest=oldest, parts=len(bodies)).model_dump_json().encode()
    return tuple(head + b"\n" + body for body in bodies)


def head_of(part: bytes) -> Head:
    """Raises ValueError for anything but a part of this format."""
    return Head.model_validate_json(part.partition(b"\n")[0])


def documents_of(part: bytes) -> tuple[SharedDocument, ...]:
    """Raises ValueError for anything but a part of this format."""
    head_of(part)
    inflater = zlib.decompressobj()
    try:
        text = inflater.decompress(part.partition(b"\n")[2], _MOST_UNPACKED)
    except zlib.error as error:
        raise ValueError(str(error)) from None
    if not inflater.eof:
        raise ValueError("a part that is cut off or too large")
    return _DOCUMENTS.validate_json(text)


def _groups(documents: Sequence[SharedDocument]) -> Iterator[list[SharedDocument]]:
    group: list[SharedDocument] = []
    held = 0
    for document in documents:
        size = sum(len(piece.text) + len(piece.question) for piece in document.pieces)
        if group and held + size > _CHARACTERS:
            yield group
            group, held = [], 0
        group.append(document)
        held += size
    if group:
        yield group


def _bodies(group: Sequence[SharedDocument]) -> list[bytes]:
    """One body, or as many as it takes; a single document that is too large for one is left out."""
    body = zlib.compress(_DOCUMENTS.dump_json(tuple(group)))
    if len(body) <= MOST_BYTES - 1_000:
        return [body]
    middle = len(group) // 2
    return [*_bodies(group[:middle]), *_bodies(group[middle:])] if middle else []
