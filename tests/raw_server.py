"""A server on loopback that says exactly the bytes it is given, at the pace it is given: what no real server does."""

import socket
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import repeat
from queue import Queue
from typing import Self

PATIENCE = 20.0  # seconds after which a test has failed, whatever it waits for
DRIPS = 1_000  # at 0.01 s: a client that is not gone by then has no deadline

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
EARLY_HINTS = b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"


def whole(body: bytes, *headers: str, status: str = "200 OK") -> bytes:
    """An answer of a known length."""
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


def chunk(data: bytes) -> bytes:
    return f"{len(data):x}\r\n".encode() + data + b"\r\n"


def dripping(head: bytes, drop: bytes) -> Iterator[bytes]:
    """The head at once, then one drop after the other."""
    yield head
    yield from repeat(drop, DRIPS)


class RawServer:
    """Answers each connection with the next of its answers, the last one for ever.

    `ends` says of each connection how it ended: "sent" all, or "left" by the client before. `asked` holds what came.
    """

    def __init__(self, *answers: bytes | Iterable[bytes], pause: float = 0.01, keep: bool = False) -> None:
        self._answers = list(answers)
        self._pause, self._keep = pause, keep
        self.asked: list[bytes] = []
        self.ends: Queue[str] = Queue()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}/v1"
        self._threads = [threading.Thread(target=self._accept, daemon=True)]

    def __enter__(self) -> Self:
        self._threads[0].start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for thread in self._threads:
            thread.join(PATIENCE)
            assert not thread.is_alive()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
                thread = threading.Thread(target=self._serve, args=(connection, answer), daemon=True)
                self._threads.append(thread)
                thread.start()

    def _serve(self, connection: socket.socket, answer: bytes | Iterable[bytes]) -> None:
        with connection:
            try:
                while self._read(connection):
                    self._say(connection, answer)
                    if not self._keep:
                        break
                self.ends.put("sent")
            except OSError:
                self.ends.put("left")

    def _read(self, connection: socket.socket) -> bool:
        """One request, as far as it is read: its head and what came with it."""
        got = connection.recv(65536)
        self.asked.append(got)
        return bool(got)

    def _say(self, connection: socket.socket, answer: bytes | Iterable[bytes]) -> None:
        if isinstance(answer, bytes):
            connection.sendall(answer)
            return
        for piece in answer:
            connection.sendall(piece)
            time.sleep(self._pause)
