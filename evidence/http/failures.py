"""Answers that are no success, said in our own words.

No message repeats what a server wrote: it may hold document texts, SQL or keys. Only a `code` that looks like
one is named. Dify's messages decide where nothing else tells two causes apart.
"""

import email.utils
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from evidence.errors import (
    DatasetNotFound,
    EvidenceError,
    KnowledgeError,
    KnowledgeUnavailable,
    ListingRefused,
    Misconfigured,
    ModelError,
    ModelUnavailable,
    RateLimited,
    UnusableReply,
)

type Service = Literal["knowledge", "agents", "chat", "rerank", "embedding", "index"]

NAMES: Mapping[Service, str] = {
    "knowledge": "Dify",
    "agents": "Dify",
    "chat": "the chat API",
    "rerank": "the rerank API",
    "embedding": "the embedding API",
    "index": "the index server",
}
DIFY = frozenset({"knowledge", "agents"})  # what fails of "agents" is about one knowledge base alone
LONGEST_WAIT = 600.0
CLOUD_WINDOW = 60.0  # seconds: Dify Cloud counts knowledge requests a minute and sends no Retry-After
_SECONDS = re.compile(r"\d{1,6}(?:\.\d{1,20})?")
_CODE = re.compile(r"[a-z][a-z_]{1,39}")
_PARAMETER = re.compile(r"\b(?:max_tokens|max_completion_tokens|temperature|response_format)\b")
_NO_PROVIDER = re.compile(
    r"plugin daemon|model provider|default model|provider .{0,80}does not exist", re.IGNORECASE
)


class TooLarge(KnowledgeUnavailable):
    """The answer is larger than we read."""

    of_load = False


class ServerFault(KnowledgeUnavailable):
    """Status 500: the server stumbled over this very request, or is broken."""

    of_load = False


class Refused(ModelError):
    """Status 400 or 422 of a model; `names` are the parameters of ours that its reason names."""

    def __init__(self, message: str, names: frozenset[str] = frozenset()) -> None:
        super().__init__(message)
        self.names = names


class AddressMissing(DatasetNotFound):
    """Status 404 as a web page: the id is none of Dify's, or this Dify has no such address."""


class NotPublished(KnowledgeError):
    """An agent knowledge base whose index does not answer queries yet."""


class PathMissing(ModelError):
    """Status 404 of a model: wrong address or unknown model."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A response; `json` is None when the body is not JSON. `place` is "NAME at HOST" for messages."""

    service: Service
    place: str
    path: str
    status: int
    headers: Mapping[str, str]
    json: Any
    page: bool

    @property
    def code(self) -> str:
        body = _mapping(self.json)
        code = (_mapping(body.get("error")) or body).get("code")
        return code if isinstance(code, str) and _CODE.fullmatch(code) else ""

    @property
    def reason(self) -> str:
        """The server's own words: to be judged, never to be shown."""
        body = _mapping(self.json)
        inner = body.get("error", body)
        words = inner.get("message", "") if isinstance(inner, Mapping) else inner
        return str(words)[:2000]

    @property
    def summary(self) -> str:
        return f"{self.status} {self.code}".strip()


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


class IndexRefused(EvidenceError):
    """The server of the index answered with a failure; `status` tells which."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


def unavailable(service: Service, message: str) -> EvidenceError:
    return KnowledgeUnavailable(message) if service in DIFY else ModelUnavailable(message)


def unreadable(service: Service, place: str) -> EvidenceError:
    message = f"{place} returned an unexpected response format"
    return KnowledgeUnavailable(message) if service in DIFY else UnusableReply(message)


def misconfigured(service: Service, message: str) -> EvidenceError:
    kinds: Mapping[str, type[EvidenceError]] = {"knowledge": Misconfigured, "agents": KnowledgeError}
    return kinds.get(service, ModelError)(message)


def failure(answer: Answer) -> EvidenceError:
    """The error of an answer whose status is not 2xx, or that is a web page."""
    if 300 <= answer.status < 400:
        words = f"{answer.place} redirects elsewhere ({answer.status}); enter the address it leads to"
        return misconfigured(answer.service, words)
    if answer.service == "index":
        return IndexRefused(f"{answer.place} refused the request ({answer.summary})", answer.status)
    if answer.service == "agents":
        return _agent_failure(answer)
    return _knowledge_failure(answer) if answer.service in DIFY else _model_failure(answer)


def _knowledge_failure(answer: Answer) -> EvidenceError:
    place, status = answer.place, answer.status
    if status == 401:
        return Misconfigured(f"{place} does not accept the key; it must be a knowledge (dataset) API key")
    if status == 429:
        return RateLimited(f"{place} asks to wait (429)", retry_after(answer.headers))
    if status >= 500:
        kind = ServerFault if status == 500 else KnowledgeUnavailable
        return kind(f"{place} failed with status {status}")
    special = {403: _forbidden, 404: _missing, 400: _bad_request}.get(status)
    if special is not None:
        return special(answer)
    if answer.page:
        return Misconfigured(f"no Dify API: {place} sends a web page; the address usually ends in /v1")
    return KnowledgeError(f"{place} refused the request ({answer.summary})")


_OF_AN_AGENT_BASE: Mapping[int, tuple[type[KnowledgeError], str]] = {
    401: (KnowledgeError, "has no agent knowledge base of this id for the key, or does not accept the key"),
    403: (
        KnowledgeError,
        "forbids this agent knowledge base: its API access is off, or the key is bound to others",
    ),
    404: (DatasetNotFound, "has no such agent knowledge base or document"),
    409: (KnowledgeUnavailable, "does not answer while knowledge is being deleted"),
    503: (NotPublished, "has published no index of this agent knowledge base"),
}


def _agent_failure(answer: Answer) -> EvidenceError:
    """Of an agent knowledge base: always about that one, so that the others still serve."""
    place, status = answer.place, answer.status
    if status == 403 and "rate limit" in answer.reason.lower():
        return RateLimited(f"{place}: the knowledge request limit of the plan is reached", CLOUD_WINDOW)
    if status == 404 and not answer.code:
        return AddressMissing(f"{place} serves no agent knowledge bases (404)")
    unpublished = answer.code == "knowledge_fs_operation_unavailable"
    if status == 429 or (status >= 500 and not unpublished):
        return _knowledge_failure(answer)
    kind, words = _OF_AN_AGENT_BASE.get(
        503 if unpublished else status, (KnowledgeError, "refused the request")
    )
    return kind(f"{place} {words} ({answer.summary if status == 400 else status})")


def _forbidden(answer: Answer) -> EvidenceError:
    if "rate limit" in answer.reason.lower():
        words = f"{answer.place}: the knowledge request limit of the plan is reached"
        return RateLimited(words, CLOUD_WINDOW, retrieves_only=True)
    if answer.path.endswith("/datasets"):
        return ListingRefused(
            f"{answer.place} does not let this key list datasets (403): a key that is bound to single knowledge bases "
            "needs their ids under the allowed datasets; any other needs access to the knowledge API"
        )
    if "api access" in answer.reason.lower():
        return _to_be_set_right(answer, "says that the API access of this knowledge base is off (403)")
    return _to_be_set_right(
        answer, "forbids this to the key (403): the key is bound to others, or the knowledge API is off"
    )


def _to_be_set_right(answer: Answer, words: str) -> EvidenceError:
    """The error of what the administrator must change; where it is about a single dataset the others still serve."""
    kind = KnowledgeError if "/datasets/" in answer.path else Misconfigured
    return kind(f"{answer.place} {words}")


def _missing(answer: Answer) -> EvidenceError:
    if "/datasets/" in answer.path:
        kind = AddressMissing if answer.page else DatasetNotFound
        return kind(f"{answer.place} has no such dataset or document for this key")
    return Misconfigured(f"no Dify API at {answer.place.split(' at ')[-1]}; the address usually ends in /v1")


def _bad_request(answer: Answer) -> EvidenceError:
    """Dify answers 400 invalid_param to most failures of model providers too: only the message tells."""
    place, reason = answer.place, answer.reason
    if "InvokeRateLimitError" in reason:
        return RateLimited(f"{place}: the embedding or rerank provider asks to wait", retrieves_only=True)
    if "InvokeConnectionError" in reason or "InvokeServerUnavailableError" in reason:
        return KnowledgeUnavailable(f"{place}: the embedding or rerank provider did not answer")
    if "InvokeAuthorizationError" in reason or answer.code == "provider_quota_exceeded":
        return _to_be_set_right(answer, "says that the model provider refuses the workspace's credentials")
    if answer.code == "provider_not_initialize" or _NO_PROVIDER.search(reason):
        return _to_be_set_right(
            answer,
            "has no working model provider in the workspace, without which it neither lists datasets nor "
            "searches by meaning; set one up, and see that the plugin daemon runs",
        )
    return KnowledgeError(f"{place} refused the request ({answer.summary})")


def _model_failure(answer: Answer) -> EvidenceError:
    place, status = answer.place, answer.status
    if status in {401, 403}:
        return ModelError(f"{place} does not accept the key ({status}); the administrator must correct it")
    if status == 429 and answer.code == "insufficient_quota":
        return ModelError(f"{place}: the quota is spent (429)")
    if status in {408, 409, 425, 429} or status >= 500:
        return ModelUnavailable(f"{place} cannot answer now ({status})")
    if status == 404 or answer.page:
        return PathMissing(
            f"{place} has no such address or model ({status}); check the address and the model's name"
        )
    return Refused(f"{place} refused the request ({answer.summary})", _parameters_named(answer))


def _parameters_named(answer: Answer) -> frozenset[str]:
    parameter = _mapping(_mapping(answer.json).get("error")).get("param")
    return frozenset(_PARAMETER.findall(f"{parameter} {answer.reason}"))


def retry_after(headers: Mapping[str, str]) -> float:
    """Seconds of a Retry-After header (a number or a date), 0 when there is none that can be read."""
    text = headers.get("retry-after", "").strip()
    if _SECONDS.fullmatch(text):
        return min(float(text), LONGEST_WAIT)
    try:
        moment = email.utils.parsedate_to_datetime(text).timestamp()
    except (ValueError, OverflowError):
        return 0.0
    return min(max(moment - time.time(), 0.0), LONGEST_WAIT)
