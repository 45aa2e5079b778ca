"""The composition root: credentials, a session and settings in, a Context out. All construction is here."""

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from evidence.cache import Cache
from evidence.context import Context
from evidence.errors import Misconfigured
from evidence.http.client import Client, address, normalise_base_url
from evidence.http.network import transport_to
from evidence.knowledge.agent.bases import AgentKnowledge, Depth
from evidence.knowledge.allow_list import AllowList
from evidence.knowledge.dify.datasets import DifyDatasets
from evidence.knowledge.middleware import GuardedKnowledge
from evidence.knowledge.port import Knowledge
from evidence.knowledge.routed import RoutedKnowledge
from evidence.knowledge.throttle import Gate, Pause, Throttle
from evidence.language.tokens import use_tables
from evidence.limits import Deadline, Meter
from evidence.llm.chat_reranker import ChatReranker
from evidence.llm.embedding_api import EmbeddingAPI, embedding_base_url
from evidence.llm.openai import OpenAIChat, chat_base_url
from evidence.llm.port import LLM, Embedder, MeteredEmbedder, MeteredLLM, MeteredReranker, Reranker
from evidence.llm.rerank_api import RerankAPI, rerank_base_url
from evidence.lru import LRU
from evidence.settings import Settings
from evidence.single_flight import SingleFlight
from evidence.store.database import Database
from evidence.store.disk import DiskStore
from evidence.store.opensearch import OpenSearchStore
from evidence.store.port import Store
from evidence.store.search_server import SearchServer
from evidence.trace import Trace
from host.agent_bases import agent_bases
from host.bounding import BoundedLLM, BoundedReranker, SessionPresence
from host.hosts import LISTED
from host.parameters import by_chat, names, text, unset
from host.session_models import SessionLLM, SessionReranker

_INDEX = ("index_home", "index_path", "index_url", "index_user", "index_password")
HOMES = ("memory", "disk", "opensearch")  # of the index
_CACHED = 64 * 1024 * 1024  # bytes on all caches together, but on the one that is asked
_MODEL_SECONDS = 120.0  # the longest a model API may take for one answer


@dataclass(frozen=True, slots=True)
class Server:
    """A knowledge server as one key and one allow-list show it, and what was read from it before."""

    api: DifyDatasets
    agents: AgentKnowledge
    allowed: AllowList | None = None
    cache: Cache = field(default_factory=Cache)
    flights: SingleFlight = field(default_factory=SingleFlight)
    throttle: Throttle = field(default_factory=Throttle)

    def until(self, deadline: Deadline) -> DifyDatasets:
        """The server for one run: no call lasts longer than the run may."""
        return replace(self.api, client=self.api.client.until(deadline))

    def agents_until(self, deadline: Deadline) -> AgentKnowledge:
        """The same of its agent knowledge bases."""
        return replace(self.agents, client=self.agents.client.until(deadline))

    def serving(self, meter: Meter) -> Knowledge:
        """All of it for one run; what one call asks beyond its first request is charged too."""
        api, agents = self.until(meter.deadline), self.agents_until(meter.deadline)
        if not agents.bases:
            return api
        further = {"knowledge_calls": 1, "further_calls": 1}
        return RoutedKnowledge(api, replace(agents, turning=lambda: meter.charge_all(further)))


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks: the credentials (or an endpoint's settings) and the session of the invocation, or None.

    `waited` are the seconds of the run that have passed before it began.
    """

    credentials: Mapping[str, Any]
    session: Any = None
    waited: float = 0.0


# One cache per server, key and allow-list: what one may see must not reach the other.
_SERVERS: LRU[Server] = LRU(4, lambda server: server.cache.size, _CACHED, lambda server: server.cache.spent)
_GATES: LRU[Gate] = LRU(32)  # one per server, whoever asks
_PAUSES: LRU[Pause] = LRU(32)  # one per server and key: limits are counted by key
_CHATS: LRU[OpenAIChat] = LRU(8)
_RERANKERS: LRU[RerankAPI] = LRU(8)
_EMBEDDERS: LRU[EmbeddingAPI] = LRU(8)
_SEARCH_SERVERS: LRU[SearchServer] = LRU(8)
_DATABASES: LRU[Database] = LRU(8)  # one per folder


def server_of(credentials: Mapping[str, Any]) -> Server:
    """The shared knowledge server of these credentials; raises Misconfigured."""
    if unset(credentials.get("dify_base_url")):
        raise Misconfigured("the Dify API URL is missing; enter it in the plugin's credentials")
    if unset(credentials.get("dify_api_key")):
        raise Misconfigured("the knowledge API key is missing; enter it in the plugin's credentials")
    url, key = (
        normalise_base_url(_credential(credentials, "dify_base_url")),
        _credential(credentials, "dify_api_key"),
    )
    allowed, digest = allow_list(credentials), _digest(key)
    hosts = credentials.get("dify_base_url" + LISTED)
    bases = agent_bases(credentials, url)
    agent_key = _credential(credentials, "agent_api_key") or key
    depth: Depth = "deep" if credentials.get("agent_depth") == "deep" else "fast"

    def make() -> Server:
        transport = transport_to(url, hosts)
        api = DifyDatasets(Client(url, key, transport=transport))
        agents = AgentKnowledge(Client(url, agent_key, "agents", transport=transport), bases, depth)
        throttle = Throttle(_GATES.get(url, Gate), _PAUSES.get((url, digest), Pause))
        seen = AllowList((*allowed, *bases)) if allowed else None
        named = (*bases, _digest(agent_key)) if bases else ()
        cache = Cache(store=store_of(credentials, (url, digest, *allowed, *named)))
        return Server(api, agents, seen, cache, throttle=throttle)

    home = tuple(_credential(credentials, name) for name in _INDEX)
    scope = (url, digest, allowed, hosts, home, tuple(bases.items()), _digest(agent_key), depth)
    return _SERVERS.get(scope, make)


def store_of(credentials: Mapping[str, Any], scope: Sequence[str]) -> Store | None:
    """The index of one server, key and allow-list, None where it is in memory alone; raises Misconfigured.

    What a caller reads from a server of its own is never written.
    """
    home = _credential(credentials, "index_home").lower() or "memory"
    if home not in HOMES:
        raise Misconfigured(f"the home of the index must be one of {', '.join(HOMES)}")
    if home == "memory" or credentials.get("dify_base_url" + LISTED):
        return None
    owner = _digest(json.dumps(scope))[:32]
    if home == "opensearch":
        return OpenSearchStore(_search_server(credentials), owner)
    folder = _credential(credentials, "index_path")
    database = _DATABASES.get(folder, lambda: Database(folder))
    return DiskStore(database, owner)


def _search_server(credentials: Mapping[str, Any]) -> SearchServer:
    """The shared OpenSearch of the credentials; raises Misconfigured."""
    url, user, password = (_credential(credentials, f"index_{name}") for name in ("url", "user", "password"))
    if not url:
        raise Misconfigured(
            "the index is to be kept in OpenSearch, and its URL is missing; enter it, or choose another home"
        )
    base = address(url)

    def make() -> SearchServer:
        return SearchServer(Client(base, password, "index", transport=transport_to(base), user=user))

    return _SEARCH_SERVERS.get((base, user, _digest(password)), make)


def open_context(
    caller: Caller, settings: Settings, model: Mapping[str, Any] | None = None, rerank_model: str = ""
) -> Context:
    """Everything one run needs. `model` is a model selector's value, `rerank_model` is "provider/model" or "chat".

    Raises Misconfigured and InvalidRequest; makes no requests.
    """
    _find_token_tables()
    server = server_of(caller.credentials)
    meter, trace = Meter(settings.limits, waited=caller.waited), Trace()
    llm = _llm(caller, settings, model, meter.deadline)
    chat = MeteredLLM(llm, meter, trace) if llm else None
    if by_chat(rerank_model):
        reranker: Reranker | None = ChatReranker(chat) if chat and settings.rerank else None
        if chat is None:
            why = "effort extractive asks none" if settings.effort == "extractive" else "there is none to ask"
            trace.degrade(f"rerank: no chat model graded the passages, because {why}")
    else:
        reranker = _reranker(caller, settings, rerank_model, meter.deadline)
    embedder = _embedder(caller, server, meter.deadline)
    return Context(
        embedder=MeteredEmbedder(embedder, trace) if embedder else None,
        knowledge=GuardedKnowledge(
            server.serving(meter), meter, trace, throttle=server.throttle, allowed=server.allowed
        ),
        llm=chat,
        reranker=MeteredReranker(reranker, meter, trace) if reranker else None,
        cache=server.cache,
        meter=meter,
        trace=trace,
        unlisted=server.agents.bases,
        model=_model_key(caller.credentials, model) if chat else "",
        reading=settings.reading,
        budget=settings.budget,
        flights=server.flights,
    )


def _find_token_tables() -> None:
    """Tokens are counted by the table that the daemon's image brings along; without it they are estimated."""
    directory = os.environ.get("TIKTOKEN_CACHE_DIR", "")  # noqa: TID251 - the daemon's image names its tables there
    if directory:
        use_tables(directory)


def chat_api(credentials: Mapping[str, Any]) -> OpenAIChat | None:
    """The OpenAI-compatible API of the credentials, None when there is none; raises Misconfigured."""
    url, key, model = (_credential(credentials, f"llm_{name}") for name in ("base_url", "api_key", "model"))
    if not url:
        return None
    if not model:
        raise Misconfigured("the chat API has a URL but no model; enter the model's name, or clear the URL")
    base, hosts = chat_base_url(url), credentials.get("llm_base_url" + LISTED)

    def make() -> OpenAIChat:
        return OpenAIChat(Client(base, key, "chat", _MODEL_SECONDS, transport_to(base, hosts)), model)

    return _CHATS.get((base, _digest(key), model, hosts), make)


def rerank_api(credentials: Mapping[str, Any]) -> RerankAPI | None:
    """The rerank API of the credentials, None when there is none; raises Misconfigured."""
    url, key, model = (
        _credential(credentials, f"rerank_{name}") for name in ("base_url", "api_key", "model")
    )
    if not url:
        return None
    base, hosts = rerank_base_url(url), credentials.get("rerank_base_url" + LISTED)

    def make() -> RerankAPI:
        return RerankAPI(Client(base, key, "rerank", transport=transport_to(base, hosts)), model)

    return _RERANKERS.get((base, _digest(key), model, hosts), make)


def embedding_api(credentials: Mapping[str, Any]) -> EmbeddingAPI | None:
    """The embedding API of the credentials, None when there is none; raises Misconfigured."""
    url, key, model = (
        _credential(credentials, f"embedding_{name}") for name in ("base_url", "api_key", "model")
    )
    if not url:
        return None
    if not model:
        raise Misconfigured(
            "the embedding API has a URL but no model; enter the model's name, or clear the URL"
        )
    base = embedding_base_url(url)

    def make() -> EmbeddingAPI:
        return EmbeddingAPI(Client(base, key, "embedding", transport=transport_to(base)), model)

    return _EMBEDDERS.get((base, _digest(key), model), make)


def _embedder(caller: Caller, server: Server, deadline: Deadline) -> Embedder | None:
    """The embedding API, where there is an index to keep the vectors in."""
    if server.cache.store is None:
        return None
    api = embedding_api(caller.credentials)
    return replace(api, client=api.client.until(deadline)) if api else None


def _llm(
    caller: Caller, settings: Settings, model: Mapping[str, Any] | None, deadline: Deadline
) -> LLM | None:
    """The model of the workspace, else the credentials' own, else none; effort `extractive` has none."""
    if settings.effort == "extractive":
        return None
    if model is None:
        chat = chat_api(caller.credentials)
        return replace(chat, client=chat.client.until(deadline)) if chat else None
    return BoundedLLM(SessionLLM(caller.session, model), deadline, SessionPresence(caller.session))


def _model_key(credentials: Mapping[str, Any], model: Mapping[str, Any] | None) -> str:
    """What tells one model with its settings from another; never shown."""
    own = [_credential(credentials, name) for name in ("llm_base_url", "llm_model")]
    return json.dumps(own if model is None else dict(model), sort_keys=True, default=str)


def _reranker(caller: Caller, settings: Settings, name: str, deadline: Deadline) -> Reranker | None:
    if not settings.rerank:
        return None
    if name:
        return BoundedReranker(
            SessionReranker(caller.session, name), deadline, SessionPresence(caller.session)
        )
    api = rerank_api(caller.credentials)
    return replace(api, client=api.client.until(deadline)) if api else None


def allow_list(credentials: Mapping[str, Any]) -> tuple[str, ...]:
    """The allow-list; one that is filled in but holds no name would allow all, so it is refused."""
    allowed = names(credentials, "allowed_datasets", most=10_000)
    if not allowed and not unset(credentials.get("allowed_datasets")):
        raise Misconfigured("the list of allowed datasets holds no id or name; clear it to allow all")
    return tuple(sorted(allowed))


def _credential(credentials: Mapping[str, Any], name: str) -> str:
    return text(credentials, name, longest=4_000)


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
