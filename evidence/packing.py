"""What one process read of a dataset, as bytes that another one can read.

A dataset becomes a few parts. Each part stands for itself: whole documents, each with its version and the time it was
read, so parts of different writers may lie side by side.
"""

import zlib
from collections.abc import Iterator, Sequence
from typing import Annotated, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, FailFast, Field, TypeAdapter

from evidence.model import Document, Segment

MOST_BYTES = 400_000  # of a part: values travel as hexadecimal text, in messages below a megabyte
MOST_PARTS = 12  # a dataset takes 4.8 MB at most
MOST_UNPACKED = 6_000_000  # bytes of a part
MOST_DOCUMENTS = 100  # in a part
MOST_PIECES = 20_000  # in a part: about 4 MB as objects, however short they are
_DOCUMENT_PIECES = 1_200  # as far as a document is read
_GROUP = 1_000_000  # bytes put into one part at first; one that is too large then is split
_HEAD = 1_000  # bytes of a part, at most, before what is compressed


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
    pieces: Annotated[tuple[Piece, ...], FailFast()] = Field(max_length=_DOCUMENT_PIECES)

    def segments(self, document: Document) -> tuple[Segment, ...]:
        return tuple(Segment(document, *piece) for piece in self.pieces)


class Head(_Shape):
    """What every part says of all: the dataset's version, when its oldest document was read, how many parts."""

    format: Literal[1] = 1
    version: str = Field(max_length=100)
    oldest: float
    parts: int = Field(ge=1, le=MOST_PARTS)


class _Written(NamedTuple):
    """A document as JSON."""

    text: bytes
    pieces: int
    read_at: float


_DOCUMENTS: TypeAdapter[tuple[SharedDocument, ...]] = TypeAdapter(
    Annotated[tuple[SharedDocument, ...], FailFast(), Field(max_length=MOST_DOCUMENTS)]
)


def packed(version: str, documents: Sequence[SharedDocument]) -> tuple[bytes, ...]:
    """The parts of a dataset; what does not fit into `MOST_PARTS` of `MOST_BYTES` each is left out.

    So is a document with half a character, which fits into no JSON. Raises ValueError for such a version, and for a
    long one.
    """
    written = [each for each in map(_written, documents) if each is not None]
    bodies = [body for group in _groups(written) for body in _bodies(group)][:MOST_PARTS]
    if not bodies:
        return ()
    oldest = min(each.read_at for each in written)
    head = Head(version=version, oldest=oldest, parts=len(bodies)).model_dump_json().encode()
    return tuple(head + b"\n" + body for body in bodies)


def head_of(part: bytes) -> Head:
    """Raises ValueError for anything but a part of this format."""
    return Head.model_validate_json(part.partition(b"\n")[0])


def documents_of(part: bytes) -> tuple[SharedDocument, ...]:
    """Raises ValueError for anything but a part of this format, and for one larger than we write."""
    head_of(part)
    if len(part) > MOST_BYTES:
        raise ValueError("a part that is too large")
    inflater = zlib.decompressobj()
    try:
        text = inflater.decompress(part.partition(b"\n")[2], MOST_UNPACKED)
    except zlib.error as error:
        raise ValueError(str(error)) from None
    if not inflater.eof:
        raise ValueError("a part that is cut off or too large")
    documents = _DOCUMENTS.validate_json(text)
    if sum(len(document.pieces) for document in documents) > MOST_PIECES:
        raise ValueError("a part of too many pieces")
    return documents


def _written(document: SharedDocument) -> _Written | None:
    try:
        return _Written(document.model_dump_json().encode(), len(document.pieces), document.read_at)
    except ValueError:  # half a character
        return None


def _groups(documents: Sequence[_Written]) -> Iterator[list[_Written]]:
    group: list[_Written] = []
    size = pieces = 0
    for document in documents:
        size, pieces = size + len(document.text), pieces + document.pieces
        if group and (size > _GROUP or pieces > MOST_PIECES or len(group) == MOST_DOCUMENTS):
            yield group
            group, size, pieces = [], len(document.text), document.pieces
        group.append(document)
    if group:
        yield group


def _bodies(group: Sequence[_Written]) -> list[bytes]:
    """One body, or as many as it takes; a single document that is too large for one is left out."""
    text = b"[%s]" % b",".join(document.text for document in group)
    if len(text) < MOST_UNPACKED:
        body = zlib.compress(text)
        if len(body) <= MOST_BYTES - _HEAD:
            return [body]
    middle = len(group) // 2
    return [*_bodies(group[:middle]), *_bodies(group[middle:])] if middle else []
