"""What a process read, as parts that another one can read."""

import random
import zlib

import pytest

from evidence.model import Document, Segment
from evidence.packing import (
    MOST_BYTES,
    MOST_DOCUMENTS,
    MOST_PARTS,
    MOST_PIECES,
    MOST_UNPACKED,
    Piece,
    SharedDocument,
    documents_of,
    head_of,
    packed,
)

WORDS = [f"word{number}" for number in range(4_000)]


def shared(name: str, *texts: str, read_at: float = 5_000.0) -> SharedDocument:
    pieces = tuple(Piece(f"{name} {at}", at, text, "", "hash") for at, text in enumerate(texts, 1))
    return SharedDocument(
        document_id=name, version="1", total=len(texts), pages=1, read_at=read_at, pieces=pieces
    )


def noise(characters: int, seed: int) -> str:
    """Text that no compression shrinks to less than a third."""
    chosen = random.Random(seed)
    return "".join(chosen.choices("abcdefghijklmnopqrstuvwxyz0123456789", k=characters))


HARBOUR = shared("Harbour", "The rent is ten.", "港口的租金是十。", read_at=4_000.5)
MOUNTAIN = shared("Mountain", "The rent is twelve.")


def test_documents_come_back_as_they_were() -> None:
    (part,) = packed("v7", [HARBOUR, MOUNTAIN])
    assert (HARBOUR, MOUNTAIN) == documents_of(part)
    head = head_of(part)
    assert ("v7", 4_000.5, 1) == (head.version, head.oldest, head.parts)


def test_segments_belong_to_the_document_that_the_server_lists_now() -> None:
    document = Document("set", "Harbour", "Harbour Lease.txt", "Leases", version="1")
    expected = Segment(document, "Harbour 2", 2, "港口的租金是十。", "", "hash")
    assert expected == HARBOUR.segments(document)[1]


def test_much_text_becomes_parts_that_fit_into_a_message() -> None:
    documents = [shared(f"d{number}", noise(30_000, number)) for number in range(40)]
    parts = packed("1", documents)
    assert 1 < len(parts) <= MOST_PARTS
    assert all(len(part) <= MOST_BYTES for part in parts)
    assert documents == [document for part in parts for document in documents_of(part)]
    assert {len(parts)} == {head_of(part).parts for part in parts}


def test_a_document_that_fits_into_no_part_is_left_out() -> None:
    huge = shared("huge", noise(900_000, 1))
    (part,) = packed("1", [HARBOUR, huge])
    assert (HARBOUR,) == documents_of(part)
    assert () == packed("1", [huge])


def test_no_dataset_takes_more_than_its_parts() -> None:
    documents = [shared(f"d{number}", noise(500_000, number)) for number in range(MOST_PARTS + 3)]
    assert MOST_PARTS == len(packed("1", documents))


def test_what_is_written_is_never_more_than_what_is_read() -> None:
    tiny = [shared(f"d{number}", *["x"] * 1_200) for number in range(MOST_PIECES // 1_200 + 3)]
    many = [shared(f"d{number}", "x") for number in range(MOST_DOCUMENTS + 1)]
    swelling = [shared("swells", "港口" * (MOST_UNPACKED // 6)), HARBOUR]
    for documents, expected in ((tiny, tiny), (many, many), (swelling, [HARBOUR])):
        parts = packed("1", documents)
        assert expected == [document for part in parts for document in documents_of(part)]


def test_a_part_may_be_unpacked_as_far_as_it_is_packed() -> None:
    longest = MOST_UNPACKED - len(shared("d", "").model_dump_json()) - 3
    (part,) = packed("1", [shared("d", "x" * longest)])
    assert longest == len(documents_of(part)[0].pieces[0].text)
    assert () == packed("1", [shared("d", "x" * (longest + 1))])


def test_a_document_of_more_pieces_than_are_ever_read_does_not_exist() -> None:
    with pytest.raises(ValueError, match="1200"):
        shared("long", *["x"] * 1_201)


HALF = Piece("s\ud800", 1, "text", "", "hash")
UNWRITABLE = {
    "id": HARBOUR.model_copy(update={"document_id": "\ud800"}),
    "version": HARBOUR.model_copy(update={"version": "\ud800"}),
    "piece": HARBOUR.model_copy(update={"pieces": (HALF,)}),
}


@pytest.mark.parametrize("document", UNWRITABLE.values(), ids=UNWRITABLE)
def test_a_document_with_half_a_character_anywhere_is_left_out(document: SharedDocument) -> None:
    (part,) = packed("1", [document, MOUNTAIN])
    assert (MOUNTAIN,) == documents_of(part)


@pytest.mark.parametrize("version", ["\ud800", "1" * 101])
def test_a_version_that_cannot_be_written_is_refused(version: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - whatever its words
        packed(version, [HARBOUR])


def body_of(pieces: list[int]) -> bytes:
    """Documents of so many of the shortest pieces."""
    document = b'{"document_id":"d","version":"v","total":1,"pages":1,"read_at":1.0,"pieces":[%s]}'
    written = (document % b",".join([b'["",0,"","",""]'] * count) for count in pieces)
    return zlib.compress(b"[%s]" % b",".join(written), 9)


GOOD = packed("1", [HARBOUR])[0]
HEAD, BODY = GOOD.split(b"\n", 1)
BROKEN = {
    "nothing": b"",
    "no head": BODY,
    "no body": HEAD,
    "cut off": GOOD[:-3],
    "one byte changed": GOOD[:-9] + bytes([GOOD[-9] ^ 1]) + GOOD[-8:],
    "another format": GOOD.replace(b'"format":1', b'"format":2'),
    "too many parts": GOOD.replace(b'"parts":1', b'"parts":999'),
    "no number": GOOD.replace(b"4000.5", b"NaN"),
    "other JSON": HEAD + b"\n" + zlib.compress(b'[{"document_id": 7}]'),
    "no JSON": HEAD + b"\n" + zlib.compress(b"\xff\x00"),
    "one that swells": HEAD + b"\n" + zlib.compress(b"[" + b" " * MOST_UNPACKED + b"]"),
    "one of many documents": HEAD + b"\n" + body_of([1] * (MOST_DOCUMENTS + 1)),
    "a document of many pieces": HEAD + b"\n" + body_of([1_201]),
    "one of many pieces": HEAD + b"\n" + body_of([1_200] * 17),
    "one that is too large": GOOD + b" " * MOST_BYTES,
}


def test_as_many_pieces_as_are_allowed_are_read() -> None:
    assert 1_200 * 16 == sum(len(each.pieces) for each in documents_of(HEAD + b"\n" + body_of([1_200] * 16)))


@pytest.mark.parametrize("part", BROKEN.values(), ids=BROKEN)
def test_anything_else_is_refused(part: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - whatever its words
        documents_of(part)
