"""The composition root: credentials, a session and settings in, a Context out. All construction is here."""

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

from evidence.adapters.dify_datasets import DifyDatasets
from evidence.adapters.http import Client, normalise_base_url
from evidence.adapters.openai_chat import OpenAIChat, chat_base_url
from evidence.adapters.rerank_api import RerankAPI, rerank_base_url
from evidence.allowing import AllowedKnowledge
from evidence.context import Context
from evidence.errors import InvalidRequest, Misconfigured
from evidence.limits import Deadline, Meter
from evidence.metering import MeteredKnowledge, MeteredLLM, MeteredReranker
from evidence.ports import LLM, Knowledge, Reranker
from evidence.retrying import RetryingKnowledge
from evidence.settings import Settings
from evidence.shelf import Shelf
from evidence.trace import Trace
from host.bounding import BoundedLLM, BoundedReranker
from host.parameters import names, text, unset
from host.session_models import SessionLLM, SessionReranker

_MODEL_SECONDS = 120.0  # the longest a model API may take for one answer


class _Registry[T]:
    """What is made once and shared by all who come with the same key; the ones used last are kept.

    What is dropped is not closed: a run may still use it. It goes when the run ends.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, T] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        with self._lock:
            if key not in self._kept:
                self._kept[key] = make()
            self._kept.move_to_end(key)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
            return self._kept[key]


@dataclass(frozen=True, slots=True)
class Server:
    """A knowledge server as one key and one allow-list show it, and what was read from it before."""

    api: DifyDatasets
    allowed: AllowedKnowledge | None = None
    shelf: Shelf = field(default_factory=Shelf)

    def knowledge(self, deadline: Deadline) -> Knowledge:
        """The server for one run: no call lasts longer than the run may, and nothing shows but what is allowed."""
        api = self.api.until(deadline.remaining)
        return self.allowed.over(api) if self.allowed else api


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks: the credentials (or an endpoint's settings) and the session of the invocation, or None."""

    credentials: Mapping[str, Any]
    session: Any = None


# One shelf per server, key and allow-list: what one may see must not reach the other.
_SERVERS: _Registry[Server] = _Registry(4)
_CHATS: _Registry[OpenAIChat] = _Registry(8)
_RERANKERS: _Registry[RerankAPI] = _Registry(8)


def server_of(credentials: Mapping[str, Any]) -> Server:
    """The shared knowledge server of these credentials; raises Misconfigured."""
    if unset(credentials.get("dify_base_url")):
        raise Misconfigured("the Dify API URL is missing; enter it in the plugin's credentials")
    if unset(credentials.get("dify_api_key")):
        raise Misconfigured("the knowledge API key is missing; enter it in the plugin's credentials")
    url, key = (
        normalise_base_url(_entered(credentials, "dify_base_url")),
        _entered(credentials, "dify_api_key"),
    )
    allowed = _allowed(credentials)

    def make() -> Server:
        api = DifyDatasets(Client(url, key))
        return Server(api, AllowedKnowledge(api, allowed) if allowed else None)

    return _SERVERS.get((url, _digest(key), allowed), make)


def open_context(caller: Caller, settings: Settings, model: Any = None, rerank_model: str = "") -> Context:
    """Everything one run needs. `model` is a model selector's value, `rerank_model` is "provider/model".

    Raises Misconfigured and InvalidRequest; it asks nobody anything yet.
    """
    server = server_of(caller.credentials)
    meter, trace = Meter(settings.limits), Trace()
    deadline = Deadline(settings.limits.seconds)
    llm = _llm(caller, settings, model, deadline)
    reranker = _reranker(caller, settings, rerank_model, deadline)
    metered = MeteredKnowledge(server.knowledge(deadline), meter, deadline, trace)
    return Context(
        knowledge=RetryingKnowledge(metered, deadline, trace),
        llm=MeteredLLM(llm, meter, deadline, trace) if llm else None,
        reranker=MeteredReranker(reranker, meter, deadline, trace) if reranker else None,
        shelf=server.shelf,
        limits=settings.limits,
        meter=meter,
        deadline=deadline,
        trace=trace,
    )


def check_credentials(credentials: Mapping[str, Any]) -> int:
    """How many datasets the key sees, by one request that reads. Raises EvidenceError with advice."""
    chat_api(credentials)
    rerank_api(credentials)
    return server_of(credentials).api.probe()


def chat_api(credentials: Mapping[str, Any]) -> OpenAIChat | None:
    """The OpenAI-compatible API of the credentials, None when there is none; raises Misconfigured."""
    url, key, model = (_entered(credentials, f"llm_{name}") for name in ("base_url", "api_key", "model"))
    if not url:
        return None
    if not model:
        raise Misconfigured("the chat API has a URL but no model; enter the model's name, or clear the URL")
    base = chat_base_url(url)
    return _CHATS.get(
        (base, _digest(key), model), lambda: OpenAIChat(Client(base, key, "chat", _MODEL_SECONDS), model)
    )


def rerank_api(credentials: Mapping[str, Any]) -> RerankAPI | None:
    """The rerank API of the credentials, None when there is none; raises Misconfigured."""
    url, key, model = (_entered(credentials, f"rerank_{name}") for name in ("base_url", "api_key", "model"))
    if not url:
        return None
    base = rerank_base_url(url)
    return _RERANKERS.get((base, _digest(key), model), lambda: RerankAPI(Client(base, key, "rerank"), model))


def _llm(caller: Caller, settings: Settings, model: Any, deadline: Deadline) -> LLM | None:
    """The model of the workspace, else the credentials' own, else none; effort `extractive` has none."""
    if settings.effort == "extractive":
        return None
    if unset(model):
        chat = chat_api(caller.credentials)
        return chat.until(deadline.remaining) if chat else None
    if not isinstance(model, Mapping):
        raise InvalidRequest("`model` must be a model of the workspace: choose one in the tool's settings")
    return BoundedLLM(SessionLLM(caller.session, model), deadline)


def _reranker(caller: Caller, settings: Settings, name: str, deadline: Deadline) -> Reranker | None:
    if not settings.rerank:
        return None
    if name:
        return BoundedReranker(SessionReranker(caller.session, name), deadline)
    api = rerank_api(caller.credentials)
    return api.until(deadline.remaining) if api else None


def _allowed(credentials: Mapping[str, Any]) -> tuple[str, ...]:
    """The allow-list; one that is filled in but holds no name would allow all, so it is refused."""
    allowed = names(credentials, "allowed_datasets", most=10_000)
    if not allowed and not unset(credentials.get("allowed_datasets")):
        raise Misconfigured("the list of allowed datasets holds no id or name; clear it to allow all")
    return tuple(sorted(allowed))


def _entered(credentials: Mapping[str, Any], name: str) -> str:
    return text(credentials, name, longest=4_000)


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
