"""Connections that end by a moment, and that go nowhere but where they may.

httpcore hands the numbers of a request's `timeout` on to every connect, read and write. Here they are no spans of
seconds, which a server that sends a byte now and then would renew for ever, but the moment of `time.monotonic()` at
which the whole exchange is given up. Whatever a server sends slowly (headers, 103 responses, chunk extensions, TLS
records), it cannot move that moment.
"""

import ipaddress
import socket
import ssl
import threading
import time
import urllib.request
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from typing import Any
from urllib.parse import unquote, urlsplit

import httpcore
import httpx

from evidence.errors import Misconfigured
from evidence.workers import Work, begun, start

type Resolve = Callable[[str, int], Sequence[str]]
"""The addresses of a host and port, in the order in which they are tried; raises OSError and EvidenceError."""

CONNECT_SECONDS = 5.0
_LOCAL_NAMES = (".local", ".localhost", ".internal", ".lan", ".intranet", ".home.arpa")
_TLS_BYTES = 64 * 1024
_POOL: Mapping[str, Any] = {
    "max_connections": 64,
    "max_keepalive_connections": 32,
    "keepalive_expiry": 5.0,
}


def moment_in(seconds: float) -> float:
    """The moment in so many seconds."""
    return time.monotonic() + seconds


def resolved(host: str, port: int) -> Sequence[str]:
    """The addresses that the system's resolver gives."""
    try:
        return [str(address[4][0]) for address in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    except UnicodeError:
        raise OSError("no name of a host") from None


def transport_to(
    url: str, resolve: Resolve | None = None, proxies: Mapping[str, str] | None = None
) -> httpx.BaseTransport:
    """Connections to the server of a URL, through the environment's proxy where it has one for that server.

    With a `resolve` there is no proxy, which would resolve the name anew. Raises Misconfigured.
    """
    parts = urlsplit(url)
    secure = httpx.create_ssl_context() if parts.scheme == "https" else None
    pool: Mapping[str, Any] = {
        **_POOL,
        "ssl_context": secure,
        "network_backend": Network(resolve or resolved),
    }
    proxy = "" if resolve else proxy_of(parts.scheme, parts.hostname or "", proxies)
    if not proxy:
        return _Transport(httpcore.ConnectionPool(**pool))
    at = urlsplit(proxy)
    if at.scheme not in {"http", "https"}:
        raise Misconfigured("the proxy of the environment must begin with http:// or https://")
    auth = (unquote(at.username), unquote(at.password or "")) if at.username else None
    return _Transport(httpcore.HTTPProxy(proxy, auth, **pool))


def proxy_of(scheme: str, host: str, proxies: Mapping[str, str] | None = None) -> str:
    """The proxy for a host, empty for none. `proxies` are those of the environment: URLs by scheme, and "no"."""
    known = urllib.request.getproxies() if proxies is None else dict(proxies)
    if is_private(host) or urllib.request.proxy_bypass(host, known):
        return ""
    proxy = known.get(scheme) or known.get("all", "")
    return proxy if "://" in proxy or not proxy else f"http://{proxy}"


def is_private(host: str) -> bool:
    """Whether a host is of one's own network: such hosts are not asked through a proxy."""
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return "." not in host or host.lower().endswith(_LOCAL_NAMES)


class _Transport(httpx.HTTPTransport):
    """httpx's own transport, on a pool of ours."""

    def __init__(self, pool: httpcore.ConnectionPool) -> None:
        self._pool = pool


class _Lookups:
    """Thread-safe. Each name is looked up in a thread, since the system's resolver knows no time limit.

    Whoever asks for the same name meanwhile waits for the same lookup: a name whose servers never answer takes one
    thread of the resolver's few. No lock is held while a thread starts.
    """

    def __init__(self) -> None:
        self._begun: dict[tuple[Resolve, str, int], Work[Sequence[str]]] = {}
        self._lock = threading.Lock()

    def join(self, resolve: Resolve, host: str, port: int) -> Work[Sequence[str]]:
        key = (resolve, host, port)
        with self._lock:
            self._begun = {
                begun_key: lookup for begun_key, lookup in self._begun.items() if not lookup.done()
            }
            if key in self._begun:
                return self._begun[key]
            lookup: Work[Sequence[str]] = begun()
            self._begun[key] = lookup
        return start(lambda: resolve(host, port), lookup)


_LOOKUPS = _Lookups()


class Network(httpcore.NetworkBackend):
    """Connects to the addresses that `resolve` gives, and to no others."""

    def __init__(self, resolve: Resolve = resolved) -> None:
        self._resolve = resolve
        self._sockets = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,  # noqa: ARG002 - no one sets it here
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        """`timeout` is a moment, as everywhere here. The time is shared out among the addresses."""
        until = min(timeout or 0.0, moment_in(CONNECT_SECONDS))
        addresses = self._addresses(host, port, until)
        failed: Exception = httpcore.ConnectError("the name leads to no address")
        for tried, address in enumerate(addresses):
            seconds = _left(until) / (len(addresses) - tried)
            try:
                return Plain(self._sockets.connect_tcp(address, port, seconds, None, socket_options))
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failed = error
        raise failed

    def _addresses(self, host: str, port: int, until: float) -> Sequence[str]:
        try:
            return _LOOKUPS.join(self._resolve, host, port).result(_left(until))
        except TimeoutError:
            raise httpcore.ConnectTimeout("the name was not resolved in time") from None
        except OSError:
            raise httpcore.ConnectError("the name cannot be resolved") from None


class Plain(httpcore.NetworkStream):
    """A TCP connection."""

    def __init__(self, stream: httpcore.NetworkStream) -> None:
        self._stream = stream
        self._socket: socket.socket = stream.get_extra_info("socket")

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        received = self._stream.read(max_bytes, _left(timeout))
        time.sleep(0)  # a server that sends without a pause must not keep the other greenlets waiting
        return received

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        rest = memoryview(buffer)
        while rest:
            self._socket.settimeout(_left(timeout))
            try:
                rest = rest[self._socket.send(rest) :]
            except TimeoutError:
                raise httpcore.WriteTimeout from None
            except OSError as error:
                raise httpcore.WriteError(str(error)) from None

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        with ExitStack() as undone:
            undone.callback(self.close)
            secure = Secure(self, ssl_context, server_hostname, timeout)
            undone.pop_all()
        return secure

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


class Secure(httpcore.NetworkStream):
    """TLS over another connection. Python's own renews its time with every record that comes, under gevent."""

    def __init__(
        self,
        stream: httpcore.NetworkStream,
        context: ssl.SSLContext,
        server_hostname: str | None,
        timeout: float | None,
    ) -> None:
        self._stream = stream
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._incoming, self._outgoing, server_hostname=server_hostname)
        try:
            self._through(self._tls.do_handshake, timeout)
        except ssl.SSLError as error:
            raise httpcore.ConnectError(str(error)) from None

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        try:
            return self._through(lambda: self._tls.read(max_bytes), timeout)
        except (ssl.SSLZeroReturnError, ssl.SSLEOFError):
            return b""
        except ssl.SSLError as error:
            raise httpcore.ReadError(str(error)) from None

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        rest = memoryview(buffer)
        try:
            while rest:
                rest = rest[self._through(lambda: self._tls.write(rest), timeout) :]  # noqa: B023 - called at once
        except ssl.SSLError as error:
            raise httpcore.WriteError(str(error)) from None

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        return Secure(self, ssl_context, server_hostname, timeout)

    def get_extra_info(self, info: str) -> Any:
        return self._tls if info == "ssl_object" else self._stream.get_extra_info(info)

    def _through[R](self, step: Callable[[], R], timeout: float | None) -> R:
        """What a step of TLS gives, after sending and receiving what it needs."""
        while True:
            try:
                done = step()
            except ssl.SSLWantReadError:
                self._send(timeout)
                received = self._stream.read(_TLS_BYTES, timeout)
                if received:
                    self._incoming.write(received)
                else:
                    self._incoming.write_eof()
            else:
                self._send(timeout)
                return done

    def _send(self, timeout: float | None) -> None:
        waiting = self._outgoing.read()
        if waiting:
            self._stream.write(waiting, timeout)


def _left(moment: float | None) -> float:
    """Seconds until a moment; raises httpcore's TimeoutException when it has passed, or when there is none."""
    left = (moment or 0.0) - time.monotonic()
    if left <= 0:
        raise httpcore.ReadTimeout("the time of the whole exchange is over")
    return left
