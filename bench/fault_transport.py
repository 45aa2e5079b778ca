"""Answers that come in pieces, too late, too much, or not at all."""

import copy
import gzip
import socket
import struct
import time
import zlib
from collections.abc import Callable
from functools import cache

from bench.fault import CANARY, Fault, Http, Objects, Reverse, replaced
from bench.fault_proxy import Exchange
from standalone.daemon import ReverseError

_MEGABYTE = 1024 * 1024
_EVERY = 0.25  # seconds between two drops

_OK = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"


def _dripping(head: bytes, piece: bytes) -> Http:
    def answer(exchange: Exchange) -> None:
        exchange.raw(head)
        exchange.drip(lambda _: piece, _EVERY)

    return answer


def _silent(exchange: Exchange) -> None:
    exchange.connection.drop()
    exchange.tenant.over.wait(300)


def _a_second_late(exchange: Exchange) -> None:
    exchange.tenant.over.wait(1.0)
    true = exchange.true()
    exchange.reply(true.status, true.body, true.content_type)


def _reset(exchange: Exchange) -> None:
    """An RST instead of an answer."""
    connection = exchange.connection.connection
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    exchange.raw(_OK[:9])
    raise ConnectionResetError


def _cut(exchange: Exchange) -> None:
    body = exchange.true().body
    exchange.raw(_OK + f"Content-Length: {len(body)}\r\n\r\n".encode() + body[: len(body) // 2])


def _short(exchange: Exchange) -> None:
    body = exchange.true().body
    exchange.raw(_OK + f"Content-Length: {len(body) // 2}\r\n\r\n".encode() + body)


def _encoded(encoding: str, content: Callable[[Exchange], bytes]) -> Http:
    return lambda exchange: exchange.reply(200, content(exchange), headers={"Content-Encoding": encoding})


@cache
def bomb(megabytes: int, layers: int = 1) -> bytes:
    """Blanks, compressed as often as said."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    block = b" " * _MEGABYTE
    packed = b"".join(packer.compress(block) for _ in range(megabytes)) + packer.flush()
    for _ in range(layers - 1):
        packed = gzip.compress(packed, 9)
    return packed


def _flood(head: bytes, block: bytes, times: int) -> Http:
    def answer(exchange: Exchange) -> None:
        exchange.raw(head)
        for _ in range(times):
            exchange.raw(block)

    return answer


def _streamed(every: float) -> Reverse:
    """The reply in pieces, blanks between them, for ever."""

    def drip(true: Objects) -> Objects:
        *_, last = true
        for _ in range(int(60 / every)):
            time.sleep(every)
            piece = copy.deepcopy(dict(replaced(last, " ")))
            if "delta" in piece:
                piece["delta"]["usage"] = piece["delta"]["finish_reason"] = None
            yield piece

    return drip


def _hanging(true: Objects) -> Objects:
    time.sleep(20.0)
    yield from true


def _broken(true: Objects) -> Objects:
    *_, last = true
    yield replaced(last, '{"status": "ans')
    raise ReverseError(f"connection lost {CANARY}")


def _twice_encoded(exchange: Exchange) -> None:
    body = bomb(1_024, 2)
    head = f"Content-Encoding: gzip\r\nContent-Encoding: gzip\r\nContent-Length: {len(body)}\r\n\r\n"
    exchange.raw(_OK + head.encode() + body)


TRANSPORT = (
    Fault("no HTTP", lambda exchange: exchange.raw(b"SSH-2.0-OpenSSH_9.6\r\n")),
    Fault("status 999", lambda exchange: exchange.raw(b"HTTP/1.1 999 What\r\nContent-Length: 0\r\n\r\n")),
    Fault(
        "two lengths",
        lambda exchange: exchange.raw(_OK + b"Content-Length: 2\r\nContent-Length: 9\r\n\r\n{}"),
    ),
    Fault("hangs up", lambda exchange: exchange.raw(b"")),
    Fault("reset", _reset),
    Fault("hangs up in the middle", _cut, reverse=_broken),
    Fault("longer than it says", _short),
    Fault("br that was not asked for", _encoded("br", lambda exchange: exchange.true().body)),
    Fault("gzip that is none", _encoded("gzip", lambda exchange: exchange.true().body)),
    Fault("gzip cut off", _encoded("gzip", lambda exchange: gzip.compress(exchange.true().body)[:-12])),
    Fault("one second late", _a_second_late, weight="slow"),
    Fault("silent", _silent, reverse=_hanging, weight="slow"),
    Fault("drips bytes of a header", _dripping(_OK + b"X-Slow: ", b"x"), weight="slow"),
    Fault("drips headers", _dripping(_OK, b"X-Slow: x\r\n"), weight="slow"),
    Fault("103 for ever", _dripping(b"", b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"), weight="slow"),
    Fault(
        "drips the body",
        _dripping(_OK + b"Content-Length: 100000\r\n\r\n", b" "),
        reverse=_streamed(_EVERY),
        weight="slow",
    ),
    Fault(
        "drips chunks", _dripping(_OK + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n"), weight="slow"
    ),
    Fault(
        "drips a chunk's extension",
        _dripping(_OK + b"Transfer-Encoding: chunked\r\n\r\n1;", b"x"),
        weight="slow",
    ),
    Fault(
        "drips trailers",
        _dripping(_OK + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n", b"X: y\r\n"),
        weight="slow",
    ),
    Fault(
        "drips a gzip header",
        _dripping(_OK + b"Content-Encoding: gzip\r\n\r\n\x1f\x8b\x08\x08\x00\x00\x00\x00\x00\x03", b"name"),
        weight="slow",
    ),
    Fault(
        "endless headers",
        _flood(_OK, b"X-More: " + b"x" * 8_000 + b"\r\n", 20_000),
        weight="heavy",
        large=True,
    ),
    Fault("endless body", _flood(_OK + b"\r\n", b" " * _MEGABYTE, 500), weight="heavy", large=True),
    Fault("gzip bomb", _encoded("gzip", lambda _: bomb(256)), weight="heavy"),
    Fault("gzip in gzip", _encoded("gzip, gzip", lambda _: bomb(1_024, 2)), weight="heavy"),
    Fault("gzip in gzip, two headers", _twice_encoded, weight="heavy"),
)
