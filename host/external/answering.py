"""The External Knowledge API: key, body, search, answer. Dify waits 5 s and asks up to four times."""

import hashlib
import json
import time
from collections.abc import Iterator, Mapping
from typing import Any

from evidence.errors import DatasetNotFound, EvidenceError, InvalidRequest, LimitReached, Misconfigured
from evidence.workers import Work
from host.admission import LARGE_REQUESTS
from host.boundary import boundary, one_line
from host.external.flights import Flights
from host.external.request import RetrievalRequest, parse_request
from host.external.searching import Search
from host.parameters import Number, number
from host.web import (
    BodyTooLarge,
    EndpointFailure,
    HttpAnswer,
    HttpRequest,
    encoded,
    json_answer,
    key_problem,
)

ANSWER_SECONDS = 3.3  # then what is ready is made into an answer, which takes a moment: Dify gives up after 5
BLANK_SECONDS = 2.0
_PATIENCE = Number("keep_alive_seconds", highest=60)

MALFORMED_HEADER, WRONG_KEY, UNKNOWN_KNOWLEDGE = 1001, 1002, 2001  # Dify's own
BAD_BODY, BAD_SETTINGS, NOT_NOW, UNEXPECTED = 1003, 1004, 3001, 5001

_SEARCHES: Flights[Search] = Flights()


def answer_retrieval(request: HttpRequest, settings: Mapping[str, Any]) -> HttpAnswer:
    """Every answer is one that Dify understands: 200 with records, or error_code and error_msg.

    Beside the records stands in `degraded` what was left out, for others than Dify, which does not read it.
    A fault that asking again may cure is 503, which Dify asks again for; every other fault is 4xx, and never 401.
    """
    try:
        with boundary(EndpointFailure):
            return _answer(request, settings)
    except EndpointFailure as failure:
        return _refusal(400, UNEXPECTED, str(failure))


def _answer(request: HttpRequest, settings: Mapping[str, Any]) -> HttpAnswer:
    try:
        problem = key_problem(request.headers.get("authorization"), settings)
        if problem == "malformed":
            return _refusal(
                400,
                MALFORMED_HEADER,
                "Invalid Authorization header format. Expected 'Bearer <api-key>' format.",
            )
        if problem:
            return _refusal(403, WRONG_KEY, "Authorization failed: this is not the key of this endpoint.")
        with LARGE_REQUESTS.admitted(request.parsed_bytes, ANSWER_SECONDS / 2):
            retrieval = parse_request(request.body)
        if retrieval is None:
            return json_answer(200, {"records": []})
        return _search(retrieval, settings)
    except EvidenceError as error:
        return _refusal_of(error)


def _search(request: RetrievalRequest, settings: Mapping[str, Any]) -> HttpAnswer:
    patience = number(settings, _PATIENCE)
    key = _key(request, settings)
    search, waiting = _SEARCHES.join(key, lambda: Search(request, settings), Search.run)
    if waiting.done() and waiting.exception() is None:
        renewed = search.renewed()
        if renewed is not None:
            return json_answer(200, renewed)
        _SEARCHES.forget(key)
        search, waiting = _SEARCHES.join(key, lambda: Search(request, settings), Search.run)
    landed = _wait_for(waiting, BLANK_SECONDS if patience else ANSWER_SECONDS)
    if patience and not landed:
        blanks = _blanks(search, waiting, time.monotonic() + patience)
        return HttpAnswer(200, blanks, {"Content-Type": "application/json"})
    return json_answer(200, search.answer())


def _wait_for(waiting: Work[bool], seconds: float) -> bool:
    """Whether the search came to its end; raises what ended it."""
    try:
        waiting.result(seconds)
    except TimeoutError:
        return False
    return True


def _blanks(search: Search, waiting: Work[bool], until: float) -> Iterator[bytes]:
    """A blank now and then, which JSON permits before an object, and the records at last.

    The status has been sent, so a late failure can only be told beside an empty list.
    """
    try:
        with boundary(EndpointFailure):
            yield b" "
            while not _wait_for(waiting, BLANK_SECONDS) and time.monotonic() < until:
                yield b" "
            yield encoded(search.answer())
    except EndpointFailure as failure:
        yield encoded({"records": [], "error_code": NOT_NOW, "error_msg": str(failure)})


def _key(request: RetrievalRequest, settings: Mapping[str, Any]) -> str:
    """Requests are the same when they ask the same under the same settings; the key tells neither."""
    both = json.dumps([request.values(), dict(settings)], sort_keys=True, default=str)
    return hashlib.sha256(both.encode()).hexdigest()


def _refusal_of(error: EvidenceError) -> HttpAnswer:
    match error:
        case DatasetNotFound():
            return _refusal(404, UNKNOWN_KNOWLEDGE, str(error))
        case BodyTooLarge():
            return _refusal(413, BAD_BODY, str(error))
        case InvalidRequest():
            return _refusal(400, BAD_BODY, str(error))
        case Misconfigured():
            return _refusal(400, BAD_SETTINGS, str(error))
        case LimitReached():
            return _refusal(503, NOT_NOW, str(error))
        case _:
            return _refusal(503 if error.retryable else 400, NOT_NOW, str(error))


def _refusal(status: int, code: int, message: str) -> HttpAnswer:
    return json_answer(status, {"error_code": code, "error_msg": one_line(message)})
