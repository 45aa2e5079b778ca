"""Against a server that drips, lies, floods or names another address the second time."""

import socket
import ssl
import threading
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import httpcore
import pytest
from raw_server import CHUNKED, EARLY_HINTS, HEAD, PATIENCE, RawServer, chunk, dripping, whole

from evidence.errors import (
    InvalidRequest,
    KnowledgeUnavailable,
    LimitReached,
    Misconfigured,
    ModelUnavailable,
)
from evidence.http.client import Client
from evidence.http.network import Network, Plain, Secure, moment_in, proxy_of, transport_to
from evidence.limits import Deadline

GZIP_NAME = b"\x1f\x8b\x08\x08\x00\x00\x00\x00\x00\x03"  # a header whose file name never ends
GZIPPED = HEAD + b"Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n"
DRIPS = {
    "the status line": (b"", b"H"),
    "headers": (b"HTTP/1.1 200 OK\r\nX-Slow: ", b"x"),
    "early hints": (EARLY_HINTS, EARLY_HINTS),
    "a chunk's extension": (CHUNKED + b"5;a=", b"x"),
    "chunks": (CHUNKED, chunk(b" ")),
    "trailers": (CHUNKED + chunk(b"{}") + b"0\r\nX-Slow: ", b"x"),
    "the header of gzip": (GZIPPED + chunk(GZIP_NAME), chunk(b"n")),
    "a body of known length": (HEAD + b"Content-Length: 100000\r\n\r\n", b" "),
    "a body of unknown length": (HEAD + b"\r\n", b" "),
    "the body of a failure": (b"HTTP/1.1 500 Oh\r\nContent-Length: 100000\r\n\r\n", b" "),
}


@pytest.mark.parametrize("drip", DRIPS)
def test_a_server_that_drips_is_given_up_at_the_deadline_and_left(drip: str) -> None:
    with RawServer(dripping(*DRIPS[drip])) as server, Client(server.url) as asked:
        with pytest.raises(KnowledgeUnavailable, match=r"did not answer within 0\.2 s"):
            asked.get("datasets", timeout=0.2)
        assert "left" == server.ends.get(timeout=PATIENCE)


def test_a_run_that_ends_while_a_server_drips_says_that_its_time_is_over() -> None:
    with RawServer(dripping(*DRIPS["headers"])) as server, Client(server.url) as asked:
        with pytest.raises(LimitReached, match=r"0\.2 seconds"):
            asked.until(Deadline(0.2)).get("datasets")
        assert "left" == server.ends.get(timeout=PATIENCE)


def test_a_connection_that_is_used_again_has_the_time_of_the_new_request() -> None:
    with RawServer(whole(b"{}"), keep=True) as server, Client(server.url) as asked:
        assert [{}, {}, {}] == [asked.get("datasets", timeout=seconds) for seconds in (5.0, 0.5, 5.0)]
        assert 3 == len(server.asked)
    assert "sent" == server.ends.get(timeout=PATIENCE)
    assert server.ends.empty()


def test_many_drips_at_once_leave_no_thread_and_no_connection() -> None:
    before = threading.active_count()
    with RawServer(dripping(*DRIPS["early hints"])) as server, Client(server.url) as asked:

        def call(_: int) -> str:
            try:
                return str(asked.get("datasets", timeout=0.2))
            except KnowledgeUnavailable:
                return "given up"

        with ThreadPoolExecutor(20) as pool:
            assert ["given up"] * 20 == list(pool.map(call, range(20)))
        assert ["left"] * 20 == [server.ends.get(timeout=PATIENCE) for _ in range(20)]
    assert before == threading.active_count()


def test_a_request_that_the_server_does_not_take_in_is_given_up_too() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        with Client(url, service="rerank") as asked, pytest.raises(ModelUnavailable, match=r"within 0\.2 s"):
            asked.post("rerank", {"texts": ["x" * 30_000_000]}, timeout=0.2)


@pytest.mark.parametrize(
    ("message", "answer"),
    [
        ("broke off the answer, or sent none that is HTTP", b"\x00\x01\x02 nonsense\r\n\r\n"),
        ("broke off the answer, or sent none that is HTTP", b"{}"),
        ("broke off the answer, or sent none that is HTTP", b"HTTP/1.1 2000 OK\r\n\r\n{}"),
        ("broke off the answer, or sent none that is HTTP", b""),
        ("broke off the answer, or sent none that is HTTP", HEAD + b"Content-Length: 10\r\n\r\n{}"),
        ("broke off the answer, or sent none that is HTTP", CHUNKED + chunk(b"{}")),
        ("broke off the answer, or sent none that is HTTP", CHUNKED + b"zz\r\n{}\r\n"),
        (
            "broke off the answer, or sent none that is HTTP",
            HEAD + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
        ),
        (
            "broke off the answer, or sent none that is HTTP",
            HEAD + b"Transfer-Encoding: gzip, chunked\r\n\r\n",
        ),
        (
            "broke off the answer, or sent none that is HTTP",
            HEAD + b"X-Large: " + b"x" * 300_000 + b"\r\n\r\n{}",
        ),
        ("broke off the answer, or sent none that is HTTP", HEAD + b"X-Many: 1\r\n" * 30_000 + b"\r\n{}"),
        ("broke off the answer, or sent none that is HTTP", HEAD + b"X-Folded: \x1b[2J\x00\r\n\r\n{}"),
        ("returned an unexpected response format", HEAD + b"Content-Length: 0\r\n\r\n"),
        ("returned an unexpected response format", whole(b'{"a": \xff}')),
    ],
)
def test_what_is_no_answer_in_http_is_one_clear_error(message: str, answer: bytes) -> None:
    with RawServer(answer) as server, Client(server.url) as asked:
        with pytest.raises(KnowledgeUnavailable) as raised:
            asked.get("datasets", timeout=5.0)
        hint = "; inside a container that name means the container itself: use the service's name"
        said = str(raised.value).partition(hint)[0]
        assert f"Dify at 127.0.0.1:{server.port} {message}" == said


def test_what_a_server_writes_into_its_headers_is_in_no_message() -> None:
    crooked = whole(b"{}", "Location: http://evil.example/\x1b[2J", status="302 secret words")
    with RawServer(crooked) as server, Client(server.url) as asked, pytest.raises(Misconfigured) as raised:
        asked.get("datasets")
    expected = f"Dify at 127.0.0.1:{server.port} redirects elsewhere (302); enter the address it leads to"
    assert expected == str(raised.value)


def test_what_one_server_sets_as_a_cookie_is_never_sent_back() -> None:
    with (
        RawServer(whole(b"{}", "Set-Cookie: follows=you"), keep=True) as server,
        Client(server.url) as asked,
    ):
        asked.get("datasets")
        asked.get("datasets")
        assert 2 == len(server.asked)
        assert b"follows" not in server.asked[1]


def test_an_answer_without_a_pause_lets_other_threads_have_their_turn() -> None:
    """Under gevent a socket that always has something never gives way by itself."""
    turns = 0

    def turn() -> None:
        nonlocal turns
        for _ in range(3):
            time.sleep(0)
            turns += 1

    stream = Plain(_Flood())
    other = threading.Thread(target=turn)
    other.start()
    for _ in range(100):
        assert b"x" * 10 == stream.read(10, moment_in(PATIENCE))
    other.join(PATIENCE)
    assert 3 == turns


class _Flood(httpcore.NetworkStream):
    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return b"x" * max_bytes


class Names:
    """A resolver that gives its answers one after the other, the last one for ever."""

    def __init__(self, *answers: Sequence[str]) -> None:
        self._answers = list(answers)
        self.asked: list[tuple[str, int]] = []

    def __call__(self, host: str, port: int) -> Sequence[str]:
        self.asked.append((host, port))
        return self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]


def test_a_connection_goes_to_the_address_that_was_resolved_and_says_the_name() -> None:
    names = Names(("127.0.0.1",), ("203.0.113.1",))
    with RawServer(whole(b"{}"), keep=True) as server:
        url = f"http://models.example.com:{server.port}/v1"
        with Client(url, transport=transport_to(url, names)) as asked:
            assert [{}, {}] == [asked.get("models"), asked.get("models")]
        assert f"Host: models.example.com:{server.port}".encode() in server.asked[0]
        assert [("models.example.com", server.port)] == names.asked


def test_the_next_address_is_tried_where_one_cannot_be_reached() -> None:
    with RawServer(whole(b"{}")) as server:
        url = f"http://models.example.com:{server.port}/v1"
        with Client(url, transport=transport_to(url, Names(("127.0.0.2", "127.0.0.1")))) as asked:
            assert {} == asked.get("models")


def test_tls_is_asked_for_by_the_name_not_by_the_address() -> None:
    hello = b"\x00\x12models.example.com"
    with RawServer(b"no TLS") as server:
        url = f"https://models.example.com:{server.port}/v1"
        with (
            Client(url, transport=transport_to(url, Names(("127.0.0.1",)))) as asked,
            pytest.raises(KnowledgeUnavailable, match=r"models\.example\.com:\d+ cannot be reached"),
        ):
            asked.get("models")
        assert hello in server.asked[0]


def test_an_address_that_is_not_allowed_is_refused_when_the_connection_is_made() -> None:
    def refuse(host: str, port: int) -> Sequence[str]:
        raise InvalidRequest(f"{host} leads elsewhere")

    url = "http://models.example.com/v1"
    with (
        Client(url, transport=transport_to(url, refuse)) as asked,
        pytest.raises(InvalidRequest, match=r"^models\.example\.com leads elsewhere$"),
    ):
        asked.get("models")


@pytest.mark.parametrize("host", ["nowhere.invalid", "a" * 64 + ".example.com", "xn--zzzzzzzzzz.invalid"])
def test_a_name_that_cannot_be_resolved_is_a_server_that_cannot_be_reached(host: str) -> None:
    def resolve(name: str, port: int) -> Sequence[str]:
        raise OSError(name)

    url = f"http://{host}/v1"
    with (
        Client(url, transport=transport_to(url, resolve)) as asked,
        pytest.raises(KnowledgeUnavailable, match=f"^Dify at {host} cannot be reached$"),
    ):
        asked.get("datasets")


def test_a_name_that_is_resolved_slowly_is_given_up_in_time() -> None:
    enough = threading.Event()

    def resolve(host: str, port: int) -> Sequence[str]:
        enough.wait(PATIENCE)
        return ()

    url = "http://slow.example.com/v1"
    with (
        Client(url, transport=transport_to(url, resolve)) as asked,
        pytest.raises(KnowledgeUnavailable, match=r"cannot be reached within 0\.2 s"),
    ):
        asked.get("datasets", timeout=0.2)
    assert not enough.is_set()
    enough.set()


def test_a_name_that_is_never_resolved_takes_one_thread_however_many_ask_for_it() -> None:
    enough, asked_for = threading.Event(), list[str]()

    def resolve(host: str, port: int) -> Sequence[str]:
        asked_for.append(host)
        enough.wait(PATIENCE)
        return ()

    url = "http://slow.example.com/v1"

    def call(_: int) -> str:
        with Client(url, transport=transport_to(url, resolve)) as asked:
            try:
                return str(asked.get("datasets", timeout=0.2))
            except KnowledgeUnavailable as error:
                return str(error)

    with ThreadPoolExecutor(8) as pool:
        answers = set(pool.map(call, range(8)))
    assert {"Dify at slow.example.com cannot be reached within 0.2 s"} == answers
    assert ["slow.example.com"] == asked_for
    enough.set()


def test_a_proxy_of_the_environment_is_asked_but_not_for_what_is_pinned() -> None:
    with RawServer(whole(b"{}")) as proxy, RawServer(whole(b"[]")) as server:
        proxies = {"http": f"http://user:word@127.0.0.1:{proxy.port}"}
        url = f"http://dify.example.com:{server.port}/v1"
        with Client(url, transport=transport_to(url, proxies=proxies)) as asked:
            assert {} == asked.get("datasets")
        assert proxy.asked[0].startswith(f"GET {url}/datasets HTTP/1.1".encode())
        assert b"Proxy-Authorization: Basic dXNlcjp3b3Jk" in proxy.asked[0]
        pinned = transport_to(url, Names(("127.0.0.1",)), proxies)
        with Client(url, transport=pinned) as asked:
            assert [] == asked.get("datasets")


@pytest.mark.parametrize(
    ("expected", "scheme", "host", "proxies"),
    [
        ("", "https", "api.dify.ai", {}),
        ("http://p:3128", "https", "api.dify.ai", {"https": "p:3128", "http": "q:3128"}),
        ("http://p:3128", "https", "api.dify.ai", {"all": "http://p:3128"}),
        ("", "https", "api.dify.ai", {"https": "http://p:3128", "no": "localhost, .dify.ai"}),
        ("", "https", "api.dify.ai", {"https": "http://p:3128", "no": "*"}),
        ("http://p:3128", "https", "apidify.ai", {"https": "http://p:3128", "no": ".dify.ai"}),
        ("", "http", "api", {"http": "http://p:3128"}),
        ("", "http", "10.1.2.3", {"http": "http://p:3128"}),
    ],
)
def test_the_proxy_is_the_one_for_the_scheme_unless_the_host_is_excepted_or_of_ones_own_network(
    expected: str, scheme: str, host: str, proxies: dict[str, str]
) -> None:
    assert expected == proxy_of(scheme, host, proxies)


def test_a_proxy_that_does_not_speak_http_is_said() -> None:
    with pytest.raises(Misconfigured, match="proxy of the environment must begin with http"):
        transport_to("https://api.dify.ai/v1", proxies={"all": "socks5://p:1080"})


def _contexts() -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """A server and a client that need no certificate: the key exchange is anonymous."""
    server, client = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    client.check_hostname, client.verify_mode = False, ssl.CERT_NONE
    for context in (server, client):
        context.maximum_version = ssl.TLSVersion.TLSv1_2
        context.set_ciphers("AECDH-AES256-SHA:@SECLEVEL=0")
    return server, client


def _connected(listener: socket.socket) -> httpcore.NetworkStream:
    return Network().connect_tcp("127.0.0.1", listener.getsockname()[1], moment_in(PATIENCE))


def _serving(listener: socket.socket, context: ssl.SSLContext, pieces: Iterable[bytes]) -> threading.Thread:
    def serve() -> None:
        connection, _ = listener.accept()
        with context.wrap_socket(connection, server_side=True) as secure:
            asked = secure.recv(65536)
            for piece in pieces:
                secure.sendall(piece)
            secure.sendall(asked)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    return thread


def test_tls_carries_what_is_sent_both_ways_and_says_its_end() -> None:
    server, client = _contexts()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = _serving(listener, server, [b"a" * 100_000])
        moment = moment_in(PATIENCE)
        stream = _connected(listener).start_tls(client, "localhost", moment)
        assert isinstance(stream, Secure)
        stream.write(b"question", moment)
        got = b""
        while piece := stream.read(65536, moment):
            got += piece
        stream.close()
        thread.join(PATIENCE)
    assert b"a" * 100_000 + b"question" == got


@pytest.mark.parametrize("drop", [b"\x16\x03\x03\x40", b"\x15\x03\x03\x00\x02\x01"])
def test_a_handshake_that_drips_is_given_up_at_the_moment(drop: bytes) -> None:
    _, client = _contexts()
    with RawServer(dripping(drop, b"\x00")) as server:
        stream = Network().connect_tcp("127.0.0.1", server.port, moment_in(PATIENCE))
        with pytest.raises((httpcore.TimeoutException, httpcore.ConnectError)):
            stream.start_tls(client, "localhost", moment_in(0.2))
        assert "left" == server.ends.get(timeout=PATIENCE)


def test_a_record_of_tls_that_drips_is_given_up_at_the_moment() -> None:
    """The bytes of one record come one by one: nothing is there to be read until the last of them."""
    server, client = _contexts()
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    far = server.wrap_bio(incoming, outgoing, server_side=True)
    near = _Slow(far, incoming, outgoing)
    stream = Secure(near, client, "localhost", moment_in(PATIENCE))
    far.write(b"x" * 10_000)
    near.one_by_one = True
    with pytest.raises(httpcore.ReadTimeout):
        stream.read(65536, 50.0)
    assert 50 == near.reads


class _Slow(httpcore.NetworkStream):
    """The far end of a TLS connection in memory; each read of one byte takes a second of its own clock."""

    def __init__(self, far: ssl.SSLObject, incoming: ssl.MemoryBIO, outgoing: ssl.MemoryBIO) -> None:
        self._far, self._incoming, self._outgoing = far, incoming, outgoing
        self.one_by_one = False
        self.reads = 0

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._incoming.write(buffer)

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        if not self.one_by_one:
            with suppress(ssl.SSLWantReadError):
                self._far.do_handshake()
            return self._outgoing.read(max_bytes)
        if timeout is None or self.reads >= timeout:
            raise httpcore.ReadTimeout
        self.reads += 1
        return self._outgoing.read(1)
