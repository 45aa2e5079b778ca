"""Bodies that are bombs, lies, or too many at once."""

import gzip
import tracemalloc
import zlib
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.errors import EvidenceError, KnowledgeUnavailable, ModelUnavailable, UnusableReply
from evidence.http.body import MOST_UNDER_WAY, Crowded, Oversized, Room, Undecodable, decoded
from evidence.http.client import MOST_BYTES, Client
from evidence.http.failures import ServerFault, TooLarge

MB = 1024 * 1024
BODY = b'{"data": [], "total": 0}'
GZIPPED = gzip.compress(BODY, mtime=0)


def answer(body: bytes, encoding: str = "", status: int = 200, service: Any = "knowledge") -> Any:
    """What a client makes of one body that comes as one block."""
    headers = {"Content-Encoding": encoding} if encoding else {}

    def handle(request: httpx.Request) -> httpx.Response:
        return httpx.Response(status, stream=httpx.ByteStream(body), headers=headers)

    with Client("http://dify/v1", service=service, transport=httpx.MockTransport(handle)) as asked:
        return asked.get("datasets")


def error(body: bytes, encoding: str = "", status: int = 200, service: Any = "knowledge") -> EvidenceError:
    with pytest.raises(EvidenceError) as raised:
        answer(body, encoding, status, service)
    return raised.value


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ("", BODY),
        ("identity", BODY),
        ("gzip", GZIPPED),
        ("x-gzip", GZIPPED),
        ("GZIP, identity", GZIPPED),
        ("deflate", zlib.compress(BODY)),
    ],
)
def test_a_body_is_read_in_its_encoding(encoding: str, body: bytes) -> None:
    assert {"data": [], "total": 0} == answer(body, encoding)


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ("gzip, gzip", gzip.compress(GZIPPED, mtime=0)),
        ("gzip, deflate", zlib.compress(GZIPPED)),
        ("br", BODY),
        ("zstd", BODY),
        ("\x1b[2J", BODY),
        ("gzip", BODY),
        ("gzip", GZIPPED[:-9]),
        ("gzip", GZIPPED[:12]),
        ("gzip", GZIPPED + b"garbage"),
        ("gzip", GZIPPED + GZIPPED),
        ("deflate", b"\xff" * 100),
        ("", GZIPPED),
    ],
)
def test_a_body_that_is_not_what_its_encoding_says_is_unreadable(encoding: str, body: bytes) -> None:
    assert "Dify at dify returned an unexpected response format" == str(error(body, encoding))


def test_gzip_within_gzip_is_not_even_begun() -> None:
    """6 kB that become 2.6 GB."""
    bomb = gzip.compress(gzip.compress(bytes(64 * MB)) * 4)
    tracemalloc.start()
    found = error(bomb, "gzip, gzip")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert "Dify at dify returned an unexpected response format" == str(found)
    assert peak < MB


def test_a_bomb_is_given_up_as_soon_as_it_is_too_large() -> None:
    bomb = gzip.compress(bytes(64 * MB))
    tracemalloc.start()
    found = error(bomb, "gzip")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (TooLarge, "Dify at dify answered with more than 8 MB") == (type(found), str(found))
    assert peak < 2 * MOST_BYTES["knowledge"]


@pytest.mark.parametrize(
    ("expected", "service"),
    [
        ((TooLarge, "Dify at dify answered with more than 8 MB"), "knowledge"),
        ((ModelUnavailable, "the chat API at dify answered with more than 1 MB"), "chat"),
        ((ModelUnavailable, "the rerank API at dify answered with more than 4 MB"), "rerank"),
    ],
)
def test_each_service_has_its_own_largest_answer(expected: tuple[type, str], service: Any) -> None:
    body = b'"' + b"a" * (MOST_BYTES[service] - 2) + b'"'
    assert MOST_BYTES[service] - 2 == len(answer(body, service=service))
    found = error(body + b" ", service=service)
    assert expected == (type(found), str(found))


def test_a_body_of_too_many_values_is_too_large() -> None:
    found = error(b"[" + b"[]," * 300_000 + b"[]]")
    assert (TooLarge, "Dify at dify answered with more than 200,000 values") == (type(found), str(found))


@pytest.mark.parametrize("encoding", ["", "gzip", "br"])
@pytest.mark.parametrize("body", [b"", b"\xff" * 100, b" " * 10 * MB, b"[" * 100_000])
def test_a_failure_is_told_by_its_status_whatever_its_body_is(body: bytes, encoding: str) -> None:
    found = error(body, encoding, 500)
    assert (ServerFault, "Dify at dify failed with status 500") == (type(found), str(found))


def test_an_empty_reply_of_a_model_is_unusable() -> None:
    assert UnusableReply is type(error(b"", "gzip", service="chat"))


@given(st.binary(max_size=200), st.sampled_from(["gzip", "deflate", "", "gzip,gzip", ",", "\t"]))
def test_no_body_whatever_raises_anything_but_ours(body: bytes, encoding: str) -> None:
    said = ""
    try:
        answer(body, encoding)
    except EvidenceError as found:
        said = str(found)
    page = "Dify at dify sends a web page, no API; the address usually ends in /v1"
    assert said in {"", page, "Dify at dify returned an unexpected response format"}


@given(st.binary(max_size=2_000), st.integers(1, 300))
def test_blocks_of_any_size_inflate_to_the_same(body: bytes, size: int) -> None:
    packed = gzip.compress(body)
    blocks = [packed[at : at + size] for at in range(0, len(packed), size)]
    assert body == b"".join(decoded(blocks, "gzip"))


def test_what_inflates_much_comes_in_small_steps() -> None:
    pieces = list(decoded([gzip.compress(bytes(10 * MB))], "gzip"))
    assert 10 * MB == sum(map(len, pieces))
    assert 64 * 1024 >= max(map(len, pieces))


def test_all_bodies_together_hold_no_more_than_there_is_room_for() -> None:
    assert 32 * MB == MOST_UNDER_WAY
    room = Room(100)
    with room.body([b"a" * 60], 60) as complete:
        assert (60, 60) == (room.used, len(complete))
        with pytest.raises(Crowded), room.body([b"b" * 30, b"b" * 30], 60):
            pass
        assert 60 == room.used
        with room.body([b"c" * 40], 60):
            assert 100 == room.used
    assert 0 == room.used


def test_the_largest_gives_way_so_that_a_small_answer_is_read_whatever_else_is_under_way() -> None:
    room = Room(100)
    read: list[bytes] = []

    def slow() -> Iterator[bytes]:
        yield b"l" * 70
        with room.body([b"s" * 40], 60) as small:
            read.append(bytes(small))
        assert 0 == room.used
        yield b"l"

    with pytest.raises(Crowded), room.body(slow(), 90):
        pass
    assert [b"s" * 40] == read
    assert 0 == room.used


def test_of_many_small_bodies_those_of_the_server_that_holds_most_give_way() -> None:
    room = Room(100)
    read: list[int] = []

    def slow(left: int) -> Iterator[bytes]:
        """Holds 20 bytes while others are read: the same server's, then another's."""
        yield b"l" * 20
        with suppress(Crowded):
            if left:
                with room.body(slow(left - 1), 90, "greedy"):
                    pass
            else:
                with room.body([b"s" * 50], 90, "modest") as modest:
                    read.append(len(modest))

    with suppress(Crowded), room.body(slow(3), 90, "greedy"):
        pass
    assert [50] == read
    assert 0 == room.used


def test_a_body_that_breaks_off_leaves_its_room() -> None:
    def broken() -> Iterator[bytes]:
        yield b"a" * 50
        raise ConnectionError

    room = Room(100)
    with pytest.raises(ConnectionError), room.body(broken(), 60):
        pass
    with pytest.raises(Oversized), room.body([b"a" * 61], 60):
        pass
    assert 0 == room.used


def test_an_undecodable_body_leaves_its_room() -> None:
    room = Room(100)
    with pytest.raises(Undecodable), room.body(decoded([b"abc"], "gzip"), 60):
        pass
    assert 0 == room.used


def test_an_answer_that_gave_way_is_worth_asking_for_again() -> None:
    def handle(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, stream=httpx.ByteStream(BODY))

    with (
        Client("http://dify/v1", transport=httpx.MockTransport(handle), room=Room(10)) as asked,
        pytest.raises(KnowledgeUnavailable) as raised,
    ):
        asked.get("datasets")
    expected = "Dify at dify was not read: too many large answers at once; ask again in a moment"
    assert (expected, True, True) == (str(raised.value), raised.value.retryable, raised.value.of_load)


def test_a_body_that_is_no_longer_under_way_is_gone_whoever_still_holds_it() -> None:
    room = Room(100)
    with room.body([b"a page"], 10) as body:
        assert b"a page" == body
    assert (b"", 0) == (body, room.used)
