"""Server-sent events are read however they are cut, ended and commented, and never for ever."""

import json
from collections.abc import Iterable, Iterator
from itertools import pairwise, repeat
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.errors import EvidenceError, KnowledgeUnavailable, LimitReached
from evidence.http.client import Client
from evidence.http.events import LONGEST, Overlong, event_named
from evidence.limits import Deadline
from tests.raw_server import CHUNKED, RawServer, chunk

DONE = frozenset({"answer.done", "answer.error"})
TEXT = json.dumps({"text": "Straße, 渡轮, \\n and more"}, ensure_ascii=False)
STREAM = (
    'event: answer.delta\ndata: {"delta": "answer.done"}\n\n: keep-alive\n\n'
    f"id: 7\nevent: answer.done\nretry: 9\ndata: {TEXT}\n\nevent: answer.error\ndata: {{}}\n\n"
)
MOST = 1024 * 1024


def read(blocks: Iterable[bytes]) -> tuple[str, bytes] | None:
    return event_named(blocks, DONE, MOST)


def cut(body: bytes, places: list[int]) -> list[bytes]:
    edges = [0, *sorted(place % (len(body) + 1) for place in places), len(body)]
    return [body[start:end] for start, end in pairwise(edges)]


@given(st.lists(st.integers(0, 10**6), max_size=12), st.sampled_from(["\n", "\r\n", "\r"]), st.booleans())
def test_an_event_is_read_however_it_is_cut_and_its_lines_end(
    places: list[int], end: str, marked: bool
) -> None:
    body = ("\ufeff" * marked + STREAM.replace("\n", end)).encode()
    assert ("answer.done", TEXT.encode()) == read(cut(body, places))


@given(st.lists(st.binary(max_size=60), max_size=8))
def test_any_bytes_before_a_blank_line_take_no_event_along(junk: list[bytes]) -> None:
    before = b"".join(piece.replace(b"answer.", b"") for piece in junk)
    found = read([before, b"\n\n", STREAM.encode()])
    assert found == ("answer.done", TEXT.encode())


@given(st.lists(st.integers(0, 10**6), max_size=6), st.integers(0, len(STREAM.encode()) - 60))
def test_a_stream_that_ends_early_has_no_event(places: list[int], end: int) -> None:
    whole = STREAM.encode()
    end = min(end, whole.index(TEXT.encode()) + len(TEXT.encode()))
    assert read(cut(whole[:end], places)) is None


def test_data_in_several_lines_is_joined_and_what_follows_is_not_read() -> None:
    blocks = iter([b"event: answer.done\ndata: {\ndata:}\n\n", b"never"])
    assert ("answer.done", b"{\n}") == read(blocks)
    assert next(blocks) == b"never"


def test_an_error_of_the_stream_is_an_event_too() -> None:
    assert ("answer.error", b"{}") == read([b"event: answer.error\ndata: {}\n\n"])


@pytest.mark.parametrize(
    "endless",
    [
        b": a comment\n" * 1_000,
        b"event: answer.delta\ndata: {}\n\n" * 500,
        b"x" * 65_536,
        b"data: more and more\n" * 1_000,
        b"event: answer.done\n" + b"data: more and more\n" * 1_000,
        b"\r" * 10_000,
    ],
)
def test_an_endless_stream_is_given_up(endless: bytes) -> None:
    with pytest.raises(Overlong):
        read(repeat(endless))


def test_a_line_is_no_longer_than_makes_sense() -> None:
    def blocks() -> Iterator[bytes]:
        yield from repeat(b"x" * 65_536, LONGEST // 65_536 + 1)
        raise AssertionError

    with pytest.raises(Overlong):
        event_named(blocks(), DONE, 10 * LONGEST)


def asked(server: RawServer, seconds: float = 5.0) -> tuple[str, Any]:
    with Client(server.url, "key", timeout=seconds) as client:
        return client.event("knowledge-fs/query-stream", {}, {"Authorization": "Bearer t.t.t"}, DONE)


def test_a_chunked_stream_that_stays_open_ends_with_its_event() -> None:
    pieces = [CHUNKED, *(chunk(piece) for piece in cut(STREAM.encode(), [9, 40, 41, 99]))]
    with RawServer([*pieces, *repeat(chunk(b": still here\n"), 3)], keep=True) as server:
        assert asked(server) == ("answer.done", json.loads(TEXT))
        assert b"Authorization: Bearer t.t.t" in server.asked[0]
        assert b"Accept: text/event-stream" in server.asked[0]


def test_a_slow_stream_is_given_up_in_time() -> None:
    slow = [CHUNKED, *repeat(chunk(b": still here\n"), 300)]
    with RawServer(slow, keep=True) as server:
        with pytest.raises(KnowledgeUnavailable, match="did not answer within"):
            asked(server, 0.2)
        with Client(server.url, "key").until(Deadline(0.2)) as client, pytest.raises(LimitReached):
            client.event("knowledge-fs/query-stream", {}, {}, DONE)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"", "without an answer"),
        (b"event: answer.delta\ndata: {}\n\n", "without an answer"),
        (b"event: answer.done\ndata: {\n\n", "unexpected response format"),
        (b"event: answer.done\ndata: " + b"[" * 5_000 + b"\n\n", "unexpected response format"),
        (b"<html>busy</html>", "without an answer"),
    ],
)
def test_a_stream_without_a_sound_answer_is_an_error_of_ours(body: bytes, words: str) -> None:
    with (
        RawServer([CHUNKED, chunk(body or b":\n"), b"0\r\n\r\n"], keep=True) as server,
        pytest.raises(EvidenceError, match=words),
    ):
        asked(server)
