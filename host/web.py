"""HTTP as the endpoints see it: plain values in and out, the endpoint's key, JSON that cannot surprise."""

import hashlib
import hmac
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from werkzeug import Request, Response

from evidence.errors import EvidenceError, InvalidRequest
from evidence.http.foreign_json import TooMuch, parsed
from host.fitting import shown
from host.parameters import text

MOST_BODY_BYTES = 1_000_000
_DEEPEST = 60  # levels of brackets; nothing that is meant to be answered goes deeper
_BEARER = re.compile(r"bearer +([!-~]+)", re.IGNORECASE)

type KeyProblem = Literal["malformed", "wrong", ""]


class EndpointFailure(EvidenceError):
    """What nobody expected, in one line that is safe to show."""


class BodyTooLarge(InvalidRequest):
    """The body is longer than any sensible request."""


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """A request. Names of headers are in lower case; of one that was sent twice the SDK keeps the last."""

    method: str = "POST"
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    query: Mapping[str, str] = field(default_factory=dict)

    @property
    def parsed_bytes(self) -> int:
        """Bytes of the body that are going to be read: none of one that is too large."""
        return len(self.body) if len(self.body) <= MOST_BODY_BYTES else 0


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """An answer; a `body` in pieces is sent piece by piece, as they are made."""

    status: int
    body: bytes | Iterator[bytes] = b""
    headers: Mapping[str, str] = field(default_factory=dict)


def request_of(request: Request) -> HttpRequest:
    headers = {name.lower(): value for name, value in request.headers.items()}
    return HttpRequest(request.method, headers, request.get_data(), request.args.to_dict())


def response_of(answer: HttpAnswer) -> Response:
    response = Response(answer.body, status=answer.status, headers=dict(answer.headers))
    if not answer.body:
        del response.headers["Content-Type"]
    return response


def encoded(value: Any) -> bytes:
    """JSON in ASCII: no lone surrogate, no NaN, no None key, no hidden character gets through.

    The id of a request is the caller's own, and goes back as it came.
    """
    return json.dumps(shown(value, {"id"})).encode("ascii")


def json_answer(status: int, value: Any, headers: Mapping[str, str] | None = None) -> HttpAnswer:
    return HttpAnswer(status, encoded(value), {"Content-Type": "application/json", **(headers or {})})


def key_problem(header: str | None, settings: Mapping[str, Any]) -> KeyProblem:
    """What is wrong with an Authorization header. Keys are compared in constant time, whatever their length.

    An endpoint without a key lets nobody in.
    """
    given = _BEARER.fullmatch((header or "").strip())
    if given is None:
        return "malformed"
    key = text(settings, "endpoint_key")
    same = hmac.compare_digest(_digest(given.group(1)), _digest(key))
    return "" if same and key else "wrong"


def json_of(body: bytes) -> Any:
    """The JSON of a body; raises InvalidRequest, which is BodyTooLarge for a body that is not looked at."""
    if len(body) > MOST_BODY_BYTES:
        raise BodyTooLarge(f"the body has {len(body):,} bytes; at most {MOST_BODY_BYTES:,} are accepted")
    try:
        return parsed(body, _DEEPEST, _no_number)
    except TooMuch as error:
        raise BodyTooLarge(f"the body has {error}") from None
    except ValueError:
        raise InvalidRequest("the body is not valid JSON, or nested too deeply") from None


def _no_number(name: str) -> float:
    raise ValueError(name)  # NaN and Infinity are Python's, not JSON's


def _digest(key: str) -> bytes:
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()
