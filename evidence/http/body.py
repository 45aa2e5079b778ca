"""Bodies of answers, read within bounds: of one body, and of all that are under way in the process."""

import threading
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

MOST_UNDER_WAY = 32 * 1024 * 1024  # bytes; with what is made of them one by one less than 100 MB
_STEP = 64 * 1024  # bytes that are inflated at once


class Oversized(Exception):
    """The body is larger than it may be."""


class Undecodable(Exception):
    """The body is not what its content encoding says, or has one that is not read."""


class Crowded(Exception):
    """The body had to give way: too much was under way in the process."""


class _Body:
    """The bytes of one body that came so far."""

    def __init__(self, server: str) -> None:
        self.server = server
        self.data = bytearray()
        self.dropped = False


class Room:
    """Thread-safe: all bodies under way hold at most so many bytes together.

    Nobody waits: of the server that holds most, the largest body gives way. So a server that sends much and slowly does
    not keep out the answers of others.
    """

    def __init__(self, most: int = MOST_UNDER_WAY) -> None:
        self._most = most
        self._used = 0
        self._growing: set[_Body] = set()
        self._lock = threading.Lock()

    @property
    def used(self) -> int:
        """Bytes that are under way now."""
        with self._lock:
            return self._used

    @contextmanager
    def body(self, blocks: Iterable[bytes], most: int, server: str = "") -> Iterator[bytearray]:
        """The bytes of all blocks from a server; the body is under way until the context ends.

        Raises Oversized for more than `most` bytes, Crowded, and what the blocks raise.
        """
        body = _Body(server)
        with self._lock:
            self._growing.add(body)
        try:
            for block in blocks:
                self._add(body, block)
                if len(body.data) > most:
                    raise Oversized
            self._complete(body)
            yield body.data
        finally:
            with self._lock:
                self._growing.discard(body)
                self._used -= len(body.data)
            body.data.clear()  # an error keeps the frames that it passed, and these would keep the body

    def _add(self, body: _Body, block: bytes) -> None:
        with self._lock:
            if not body.dropped:
                body.data += block
                self._used += len(block)
            while self._used > self._most:
                largest = self._largest()
                self._used -= len(largest.data)
                largest.data, largest.dropped = bytearray(), True
            if body.dropped:
                raise Crowded

    def _largest(self) -> _Body:
        """The largest body of the server that holds most; the lock is held."""
        sizes: Counter[str] = Counter()
        for body in self._growing:
            sizes[body.server] += len(body.data)
        return max(self._growing, key=lambda body: (sizes[body.server], len(body.data)))

    def _complete(self, body: _Body) -> None:
        """From now on nobody takes it away."""
        with self._lock:
            self._growing.discard(body)
            if body.dropped:
                raise Crowded


def decoded(blocks: Iterable[bytes], encodings: str) -> Iterator[bytes]:
    """The blocks of a body without its content encoding: gzip or deflate, once. Raises Undecodable."""
    named = [encoding for encoding in encodings.lower().replace(",", " ").split() if encoding != "identity"]
    if not named:
        yield from blocks
        return
    if len(named) > 1 or named[0] not in {"gzip", "x-gzip", "deflate"}:
        raise Undecodable
    engine = zlib.decompressobj(zlib.MAX_WBITS | 32)  # 32: gzip or zlib, as its header says
    came = False
    for block in blocks:
        came = came or bool(block)
        yield from _inflate(engine, block)
    if came and not engine.eof:
        raise Undecodable


def _inflate(engine: "zlib._Decompress", block: bytes) -> Iterator[bytes]:
    """The bytes that one block inflates to, in steps: a small block may hold a thousand times its size."""
    while True:
        try:
            piece = engine.decompress(block, _STEP)
        except zlib.error:
            raise Undecodable from None
        if engine.unused_data:
            raise Undecodable
        yield piece
        block = engine.unconsumed_tail
        if not block and len(piece) < _STEP:
            return
