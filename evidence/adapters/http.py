"""One way to make a request: one attempt, bounded in time and size, errors in our own words.

Retries are decided above, so that each attempt is charged. Redirects are not followed: the key must not
travel to a host that nobody entered.
"""

import copy
import ipaddress
import json
import re
import time
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlsplit

import httpx

from evidence.adapters.failures import (
    NAMES,
    Answer,
    Service,
    TooLarge,
    failure,
    misconfigured,
    unavailable,
    unreadable,
)
from evidence.errors import EvidenceError, Misconfigured

if TYPE_CHECKING:
    import ssl

CONNECT_SECONDS = 5.0
LEAST_SECONDS = 0.05
_PAST = 0.01  # seconds
MAX_BYTES = 32 * 1024 * 1024
_VERSION = re.compile(r"v\d[\w.]*")
_LOCAL_NAMES = (".local", ".localhost", ".internal", ".lan", ".intranet", ".home.arpa")
_CONTAINER_HINT = (
    "; inside a container that name means the container itself: "
    "use the service's name (http://api:5001/v1) or host.docker.internal"
)


class Client:
    """A JSON API at one address. Thread-safe; close it, or use it as a context manager.

    `service` chooses the family of errors: knowledge raises KnowledgeError and Misconfigured, chat and rerank
    raise ModelError. `timeout` is in seconds, for the whole answer. `transport` is for tests.
    """

    def __init__(
        self,
        base_url: str,
        key: str = "",
        service: Service = "knowledge",
        timeout: float = 20.0,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        parts = urlsplit(base_url)
        self.service: Service = service
        self.place = f"{NAMES[service]} at {parts.netloc}"
        self._host = parts.hostname or ""
        self._timeout = timeout
        self._remaining: Callable[[], float] | None = None
        # A private server may have a private authority (SSL_CERT_FILE), but never sits behind the proxy.
        secure: ssl.SSLContext | bool = httpx.create_ssl_context() if parts.scheme == "https" else True
        self._http = httpx.Client(
            base_url=base_url,
            headers=_headers(key, service, self.place),
            limits=httpx.Limits(max_connections=64, max_keepalive_connections=32),
            follow_redirects=False,
            trust_env=not is_private(self._host),
            verify=secure,
            transport=transport,
        )

    def get(self, path: str, params: Mapping[str, str | int] | None = None, timeout: float = 0.0) -> Any:
        """The JSON of one GET; `timeout` 0 means the client's own."""
        return self._json(self._http.build_request("GET", path, params=dict(params or {})), timeout)

    def post(self, path: str, body: Mapping[str, Any], timeout: float = 0.0) -> Any:
        """The JSON of one POST of JSON."""
        content = json.dumps(body).encode("ascii")
        return self._json(self._http.build_request("POST", path, content=content), timeout)

    def until(self, remaining: Callable[[], float]) -> Self:
        """The same client, on the same connections, for a run that has so many seconds left.

        `remaining` raises LimitReached once there are none; so does a call that the deadline breaks off.
        """
        bounded = copy.copy(self)
        bounded._remaining = remaining  # noqa: SLF001 - a copy of ours
        return bounded

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _json(self, request: httpx.Request, timeout: float) -> Any:
        seconds = timeout or self._timeout
        if self._remaining is not None:
            # A little past the deadline, so that what breaks off there is told from a silent server.
            seconds = max(min(seconds, self._remaining() + _PAST), LEAST_SECONDS)
        request.extensions["timeout"] = httpx.Timeout(
            seconds, connect=min(seconds, CONNECT_SECONDS)
        ).as_dict()
        try:
            response, body = self._exchange(request, seconds)
        except httpx.TimeoutException:
            if self._remaining is not None:
                self._remaining()
            raise self._silent(f"did not answer within {seconds:.3g} s") from None
        except httpx.DecodingError:
            raise unreadable(self.service, self.place) from None
        except httpx.RequestError as error:
            raise self._unreached(error) from None
        return self._read(request.url.path, response, body)

    def _exchange(self, request: httpx.Request, seconds: float) -> tuple[httpx.Response, bytes]:
        until = time.monotonic() + seconds
        body = bytearray()
        response = self._http.send(request, stream=True)
        try:
            for block in response.iter_bytes():
                body += block
                if len(body) > MAX_BYTES:
                    raise self._oversized()
                if time.monotonic() > until:
                    raise httpx.ReadTimeout("the whole answer took too long", request=request)
        finally:
            response.close()
        return response, bytes(body)

    def _read(self, path: str, response: httpx.Response, body: bytes) -> Any:
        value, is_json = _parse(body)
        page = not is_json and body.lstrip()[:1] == b"<"
        answer = Answer(self.service, self.place, path, response.status_code, response.headers, value, page)
        if not response.is_success:
            raise failure(answer)
        if page:
            words = f"{self.place} sends a web page, no API; the address usually ends in /v1"
            raise misconfigured(self.service, words)
        if not is_json:
            raise unreadable(self.service, self.place)
        return value

    def _unreached(self, error: httpx.RequestError) -> EvidenceError:
        if "CERTIFICATE_VERIFY_FAILED" in str(error):
            return misconfigured(self.service, f"the certificate of {self.place} is not trusted")
        if isinstance(error, httpx.ConnectError):
            return self._silent("cannot be reached")
        return self._silent("broke off the answer")

    def _silent(self, what: str) -> EvidenceError:
        hint = _CONTAINER_HINT if _is_own_machine(self._host) else ""
        return unavailable(self.service, f"{self.place} {what}{hint}")

    def _oversized(self) -> EvidenceError:
        message = f"{self.place} answered with more than {MAX_BYTES // 1024**2} MB"
        return TooLarge(message) if self.service == "knowledge" else unavailable(self.service, message)


def _headers(key: str, service: Service, place: str) -> dict[str, str]:
    headers = {"Accept": "application/json", "Content-Type": "application/json"}
    key = re.sub(r"(?i)^bearer\s+", "", key.strip())
    if not re.fullmatch(r"[!-~]*", key):
        raise misconfigured(service, f"the key for {place} holds characters that no key has")
    return {**headers, "Authorization": f"Bearer {key}"} if key else headers


def _parse(body: bytes) -> tuple[Any, bool]:
    try:
        return json.loads(body), True
    except (ValueError, RecursionError):
        return None, False


def _is_own_machine(host: str) -> bool:
    return host in {"localhost", "::1", "0.0.0.0"} or host.startswith("127.")  # noqa: S104 - compared, not bound


def is_private(host: str) -> bool:
    """Whether a host is of one's own network: such hosts are not asked through a proxy."""
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return "." not in host or host.lower().endswith(_LOCAL_NAMES)


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
    if "@" in parts.netloc or re.search(r"[\s\\]", cleaned):
        raise Misconfigured("the address must not hold blanks, backslashes, user names or passwords")
    path = re.sub(r"/{2,}", "/", parts.path).rstrip("/")
    return f"{parts.scheme.lower()}://{parts.netloc}{path}"


def normalise_base_url(text: str) -> str:
    """The base address of a versioned API (`…/v1`), however it was typed; raises Misconfigured.

    A page or endpoint that was pasted along (`/datasets…`) is cut, a sub-path is kept, `/v1` is added when no
    part of the path is a version.
    """
    base = address(text)
    server, _, path = base.removeprefix("https://").removeprefix("http://").partition("/")
    path = re.sub(r"(^|/)datasets(/.*)?$", "", path)
    versioned = any(_VERSION.fullmatch(part) for part in path.split("/"))
    parts = [base.partition("//")[0] + "//" + server, path, "" if versioned else "v1"]
    return "/".join(part for part in parts if part)
