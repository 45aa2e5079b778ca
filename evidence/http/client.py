"""One way to make a request: one attempt, bounded in time and size, errors in our own words.

Retries are decided above, so that each attempt is charged. Redirects are not followed: the key must not
travel to a host that nobody entered.
"""

import base64
import json
import re
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import Any, Self, cast
from urllib.parse import urlsplit

import httpx

from evidence.errors import EvidenceError, Misconfigured
from evidence.http.body import Crowded, Oversized, Room, Undecodable, decoded
from evidence.http.events import Overlong, event_named
from evidence.http.failures import (
    DIFY,
    NAMES,
    Answer,
    Service,
    TooLarge,
    failure,
    misconfigured,
    unavailable,
    unreadable,
)
from evidence.http.foreign_json import TooMuch, parsed
from evidence.http.network import CONNECT_SECONDS, moment_in, transport_to
from evidence.limits import Deadline

LEAST_SECONDS = 0.05
_PAST = 0.01  # seconds
_MB = 1024 * 1024
MOST_BYTES: Mapping[Service, int] = {
    "knowledge": 8 * _MB,
    "agents": 8 * _MB,
    "chat": 1 * _MB,
    "rerank": 4 * _MB,
    "embedding": 8 * _MB,
    "index": 32 * _MB,
}
_MOST_BYTES_OF_A_STREAM = 4 * _MB
_MOST_BYTES_OF_A_FAILURE = 64 * 1024
ROOM = Room()  # one for the process, whoever asks whom
_BEARER = re.compile(r"^bearer\s+", re.IGNORECASE)
_VERSION = re.compile(r"v\d[\w.]*")
_CONTAINER_HINT = (
    "; inside a container that name means the container itself: "
    "use the service's name (http://api:5001/v1) or host.docker.internal"
)


@dataclass(slots=True)
class Client:
    """A JSON API at one address. Thread-safe; close it, or use it as a context manager.

    `service` chooses the family of errors: knowledge raises KnowledgeError and Misconfigured, chat and rerank
    raise ModelError. `timeout` is in seconds, for the whole answer. `transport` says where connections may go,
    `room` what may be under way at once; no call lasts beyond the `deadline`. Raises Misconfigured and ModelError.
    With a `user` the key is a password.
    """

    base_url: str
    key: str = field(default="", repr=False)
    service: Service = "knowledge"
    timeout: float = 20.0
    transport: httpx.BaseTransport | None = None
    room: Room = ROOM
    deadline: Deadline | None = None
    user: str = ""
    place: str = field(init=False)
    _base: httpx.URL = field(init=False)
    _headers: dict[str, str] = field(init=False, repr=False)
    _transport: httpx.BaseTransport = field(init=False)

    def __post_init__(self) -> None:
        try:
            self._base = httpx.URL(self.base_url)
            _ = self._base.host  # decoded late, where an "xn--" label that means nothing is an error
        except (httpx.InvalidURL, ValueError):
            raise misconfigured(
                self.service, f"the address of {NAMES[self.service]} names no server"
            ) from None
        self.place = f"{NAMES[self.service]} at {self._base.netloc.decode('ascii')}"
        self._headers = _headers(self.key, self.service, self.place)
        if self.user:
            pair = base64.b64encode(f"{self.user}:{self.key}".encode()).decode("ascii")
            self._headers["Authorization"] = f"Basic {pair}"
        # A private server may have a private authority (SSL_CERT_FILE).
        self._transport = self.transport = self.transport or transport_to(self.base_url)

    def get(self, path: str, params: Mapping[str, str | int] | None = None, timeout: float = 0.0) -> Any:
        """The JSON of one GET; `timeout` 0 means the client's own."""
        request = self._request("GET", path, params=dict(params) if params else None)
        return self._answer(request, self._value, timeout)

    def post(self, path: str, body: Mapping[str, Any], timeout: float = 0.0) -> Any:
        """The JSON of one POST of JSON."""
        return self._answer(self._request("POST", path, content=_encoded(body)), self._value, timeout)

    def send(
        self,
        method: str,
        path: str,
        lines: Sequence[Mapping[str, Any]] = (),
        params: Mapping[str, str] | None = None,
    ) -> Any:
        """The JSON of one request; the body of a path that ends in _bulk has an object a line, of others the one."""
        encoded = [_encoded(line) for line in lines]
        bulk = path.endswith("_bulk")
        content = b"".join(body + b"\n" for body in encoded) if bulk else b"".join(encoded)
        request = self._request(
            method, path, content=content or None, params=dict(params) if params else None
        )
        if bulk:
            request.headers["Content-Type"] = "application/x-ndjson"
        return self._answer(request, self._value)

    def event(
        self, path: str, body: Mapping[str, Any], headers: Mapping[str, str], names: Collection[str]
    ) -> tuple[str, Any]:
        """The first server-sent event with one of these names that a POST of JSON brings, and the JSON of its data."""
        request = self._request("POST", path, content=_encoded(body))
        request.headers.update({"Accept": "text/event-stream", **headers})
        return self._answer(request, lambda response: self._event(response, names))

    def knock(
        self, path: str, params: Mapping[str, str | int] | None = None
    ) -> tuple[int, Mapping[str, str]]:
        """Status and headers of one GET, whatever the status is; the body is not read."""
        request = self._request("GET", path, params=dict(params) if params else None)
        response = self._timed(request, 0.0, self._transport.handle_request)
        response.close()
        return response.status_code, response.headers

    def until(self, deadline: Deadline) -> Self:
        """The same client, on the same connections; a call that the deadline breaks off raises LimitReached."""
        return replace(self, deadline=deadline)

    def close(self) -> None:
        self._transport.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _request(self, method: str, path: str, **given: Any) -> httpx.Request:
        url = self._base.copy_with(path=f"{self._base.path.rstrip('/')}/{path}")
        return httpx.Request(method, url, headers=self._headers, **given)

    def _answer[R](
        self, request: httpx.Request, read: Callable[[httpx.Response], R], timeout: float = 0.0
    ) -> R:
        return self._timed(request, timeout, lambda request: self._exchange(request, read))

    def _timed[R](self, request: httpx.Request, timeout: float, exchange: Callable[[httpx.Request], R]) -> R:
        seconds = timeout or self.timeout
        if self.deadline is not None:
            # A little past the deadline, so that what breaks off there is told from a silent server.
            seconds = max(min(seconds, self.deadline.remaining() + _PAST), LEAST_SECONDS)
        moments = dict.fromkeys(("connect", "read", "write"), moment_in(seconds))
        request.extensions["timeout"] = {"pool": seconds, **moments}
        try:
            return exchange(request)
        except httpx.TimeoutException as error:
            if self.deadline is not None:
                self.deadline.remaining()
            raise self._timeout_error(error, seconds) from None
        except httpx.RequestError as error:
            raise self._connection_error(error) from None

    def _exchange[R](self, request: httpx.Request, read: Callable[[httpx.Response], R]) -> R:
        response = self._transport.handle_request(request)
        try:
            if not response.is_success:
                raise self._failure(request.url.path, response)
            return read(response)
        except Crowded:
            message = f"{self.place} was not read: too many large answers at once; ask again in a moment"
            raise unavailable(self.service, message) from None
        finally:
            response.close()

    def _value(self, response: httpx.Response) -> Any:
        most = MOST_BYTES[self.service]
        try:
            with self.room.body(_blocks(response), most, self.place) as body:
                response.close()
                time.sleep(0)  # others have their turn; from here to the end of reading the value nobody has
                if _is_page(body):
                    words = f"{self.place} sends a web page, no API; the address usually ends in /v1"
                    raise misconfigured(self.service, words)
                return parsed(body)
        except Oversized:
            raise self._too_large(f"more than {most // _MB} MB") from None
        except TooMuch as error:
            raise self._too_large(str(error)) from None
        except (Undecodable, ValueError):
            raise unreadable(self.service, self.place) from None

    def _event(self, response: httpx.Response, names: Collection[str]) -> tuple[str, Any]:
        try:
            event = event_named(_blocks(response), names, _MOST_BYTES_OF_A_STREAM)
            if event is None:
                raise self._silent("ended its stream without an answer")
            return event[0], parsed(event[1])
        except (Overlong, TooMuch):
            raise self._too_large("more in one stream than is read") from None
        except (Undecodable, ValueError):
            raise unreadable(self.service, self.place) from None

    def _failure(self, path: str, response: httpx.Response) -> EvidenceError:
        """The error that a status means; where the body cannot be read, the status tells alone."""
        value, page = None, False
        try:
            with self.room.body(_blocks(response), _MOST_BYTES_OF_A_FAILURE, self.place) as body:
                page = _is_page(body)
                value = parsed(body)
        except (Undecodable, Oversized, ValueError):
            pass
        answer = Answer(self.service, self.place, path, response.status_code, response.headers, value, page)
        return failure(answer)

    def _timeout_error(self, error: httpx.TimeoutException, seconds: float) -> EvidenceError:
        if isinstance(error, httpx.ConnectTimeout):
            return self._silent(f"cannot be reached within {min(seconds, CONNECT_SECONDS):.3g} s")
        return self._silent(f"did not answer within {seconds:.3g} s")

    def _connection_error(self, error: httpx.RequestError) -> EvidenceError:
        if "CERTIFICATE_VERIFY_FAILED" in str(error):
            return misconfigured(self.service, f"the certificate of {self.place} is not trusted")
        if isinstance(error, httpx.ProxyError):
            return self._silent("cannot be reached through the proxy of the environment")
        if isinstance(error, httpx.ConnectError):
            return self._silent("cannot be reached")
        if isinstance(error, httpx.ProtocolError):
            return self._silent("broke off the answer, or sent none that is HTTP")
        return self._silent("broke off the answer")

    def _silent(self, what: str) -> EvidenceError:
        hint = _CONTAINER_HINT if _is_own_machine(self._base.host) else ""
        return unavailable(self.service, f"{self.place} {what}{hint}")

    def _too_large(self, what: str) -> EvidenceError:
        message = f"{self.place} answered with {what}"
        return TooLarge(message) if self.service in DIFY else unavailable(self.service, message)


def _blocks(response: httpx.Response) -> Iterable[bytes]:
    raw = cast("Iterable[bytes]", response.stream)
    return decoded(raw, response.headers.get("content-encoding", ""))


def _encoded(body: Mapping[str, Any]) -> bytes:
    return json.dumps(body).encode("ascii")


def _is_page(body: bytearray) -> bool:
    return body[:1_000].lstrip().startswith(b"<")


def _headers(key: str, service: Service, place: str) -> dict[str, str]:
    headers = {
        "Accept": "application/json",
        "Accept-Encoding": "gzip",
        "Content-Type": "application/json",
        "User-Agent": "context-aware-retriever",
    }
    key = _BEARER.sub("", key.strip())
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise misconfigured(service, f"the key for {place} holds characters that no key has")
    return {**headers, "Authorization": f"Bearer {key}"} if key else headers


def _is_own_machine(host: str) -> bool:
    return host in {"localhost", "::1", "0.0.0.0"} or host.startswith("127.")  # noqa: S104 - compared, not bound


def address(text: str) -> str:
    """An address without blanks, quotes, query, fragment and trailing slashes; raises Misconfigured."""
    cleaned = text.strip().strip("<>\"'`").strip()
    if not cleaned:
        raise Misconfigured("the address is empty")
    try:
        parts = urlsplit(cleaned)
        sound = parts.scheme.lower() in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        raise Misconfigured(
            "the address cannot be read; it should look like https://dify.example.com/v1"
        ) from None
    if not sound:
        raise Misconfigured("the address must begin with http:// or https:// and name a server")
    if "@" in parts.netloc or "\\" in cleaned or len(cleaned.split()) > 1:
        raise Misconfigured("the address must not hold blanks, backslashes, user names or passwords")
    path = "/".join(part for part in parts.path.split("/") if part)
    return f"{parts.scheme.lower()}://{parts.netloc}/{path}".rstrip("/")


def normalise_base_url(text: str) -> str:
    """The base address of a versioned API (`…/v1`), however it was typed; raises Misconfigured.

    A page or endpoint that was pasted along (`/datasets…`) is cut, a sub-path is kept, `/v1` is added when no
    part of the path is a version.
    """
    base = address(text)
    server, _, path = base.removeprefix("https://").removeprefix("http://").partition("/")
    steps = path.split("/")
    steps = steps[: steps.index("datasets")] if "datasets" in steps else steps
    versioned = any(_VERSION.fullmatch(step) for step in steps)
    parts = [base.partition("//")[0] + "//" + server, *steps, "" if versioned else "v1"]
    return "/".join(part for part in parts if part)
