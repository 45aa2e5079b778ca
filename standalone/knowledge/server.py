"""The knowledge server: the API behind HTTP, with a log and planned faults."""

import json
import threading
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any, Self
from urllib.parse import unquote, urlsplit

from standalone.http_server import Connection, HttpServer
from standalone.knowledge.agent.api import PATH as AGENT_PATH
from standalone.knowledge.agent.api import AgentApi, State
from standalone.knowledge.agent.bases import AgentBase
from standalone.knowledge.agent.queries import Queries
from standalone.knowledge.api import Api, Call
from standalone.knowledge.catalogue import StoredDataset, StoredSegment, store
from standalone.knowledge.corpus import Corpus
from standalone.knowledge.errors import Answer
from standalone.knowledge.owner import Owner
from standalone.knowledge.profiles import PROFILES, ProfileName
from standalone.knowledge.retrieval import Settings
from standalone.knowledge.sentence_model import SentenceModel


@dataclass(frozen=True, slots=True)
class Request:
    """One request that was answered: path with its /v1 and without the query.

    `query` is the raw text after the question mark; `body` is parsed JSON, text that is no JSON, or None.
    """

    method: str
    path: str
    query: str
    body: Any
    status: int


@dataclass(frozen=True, slots=True)
class Fault:
    """What is sent instead of the real answer, after `delay` seconds. Status 0 drops the connection."""

    status: int
    body: bytes = b""
    content_type: str = "application/json"
    delay: float = 0.0


type Faults = Callable[[str, str], Fault | None]


@dataclass(eq=False)
class KnowledgeServer:
    """Serve a corpus as a Dify of the profile's version would; a context manager.

    api_key: the only key that is accepted. port: 0 takes a free one. latency: seconds slept a request.
    seed: orders the ties of keyword searches. no_model_provider: behave as a workspace without models.
    bound_to: names of the datasets that the key is bound to (Dify 1.16 and later), `agent:NAME` for agent knowledge
    bases; none for a key of the workspace. agent_states, by name: what is wrong with an agent knowledge base.
    faults: set it at any time; called with (method, path), a Fault takes the place of the answer.
    embedding: embeds texts for the semantic search of high-quality datasets; without one it is BM25 in disguise.
    owner: changes what is served, as the documents' owner would in Dify's console.
    """

    corpus: Corpus
    profile: ProfileName = "1.10.1"
    api_key: str = "dataset-sample"
    port: int = 0
    host: str = "127.0.0.1"
    latency: float = 0.0
    seed: int = 0
    no_model_provider: bool = False
    bound_to: Collection[str] = ()
    faults: Faults | None = None
    embedding: SentenceModel | None = None
    agent_states: dict[str, State] = field(default_factory=dict)
    queries: Queries = field(default_factory=Queries)
    _listener: HttpServer | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        if self.profile not in PROFILES:
            raise ValueError(f"There is no profile {self.profile}; there are {', '.join(PROFILES)}.")
        self._publish(self.corpus)
        self.owner = Owner(lambda: self.corpus, lambda: self._datasets, self._publish)
        self._requests: list[Request] = []
        self._log_lock = threading.Lock()
        self._closing = threading.Event()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> None:
        """Listen and answer in the background; raises OSError when the port is taken."""
        if self._listener is None:
            self._closing.clear()
            self._listener = HttpServer(self._respond, self.port, self.host)

    def close(self) -> None:
        """Stop listening, end open connections and wait for their threads; closing twice is harmless."""
        listener, self._listener = self._listener, None
        if listener is not None:
            self._closing.set()
            listener.close()

    @property
    def base_url(self) -> str:
        """The address a client is given, with /v1."""
        if self._listener is None:
            raise RuntimeError("The knowledge server is not running; start it first.")
        return f"http://{self.host}:{self._listener.port}/v1"

    @property
    def requests(self) -> tuple[Request, ...]:
        """Every request since the start or the last clear_requests(), in the order they were answered."""
        with self._log_lock:
            return tuple(self._requests)

    def clear_requests(self) -> None:
        with self._log_lock:
            self._requests.clear()

    def dataset_id(self, name: str) -> str:
        """Id of the first dataset of this name; raises KeyError."""
        return self._dataset(name).id

    def document_id(self, dataset_name: str, document_name: str) -> str:
        """Id of the first document of this name; raises KeyError."""
        for document in self._dataset(dataset_name).documents:
            if document.source.name == document_name:
                return document.id
        raise KeyError(document_name)

    @property
    def agent_bases(self) -> dict[str, str]:
        """Ids of the agent knowledge bases by name, where the profile has them."""
        bases = self._agents.bases.values() if PROFILES[self.profile].agents else ()
        return {base.name: base.id for base in bases}

    def agent_base(self, name: str) -> AgentBase:
        """The agent knowledge base over the dataset of this name; raises KeyError."""
        return next(base for base in self._agents.bases.values() if base.dataset is self._dataset(name))

    def segments(self, dataset_name: str) -> tuple[StoredSegment, ...]:
        """Every segment of the first dataset of this name, document by document; raises KeyError."""
        return tuple(each for document in self._dataset(dataset_name).documents for each in document.segments)

    def source_of(self, segment_id: str) -> tuple[str, str, int | None, int | None]:
        """(dataset name, document name, start, end) of a segment; the span is None when made by hand.

        text[start:end] of the document is the segment's content. Raises KeyError.
        """
        held = (dataset.by_segment_id.get(segment_id) for dataset in self._datasets)
        segment = next(filter(None, held), None) or self._agents.segment(segment_id)
        document = segment.document
        return document.dataset.collection.name, document.source.name, segment.start, segment.end

    def answer(self, call: Call) -> Answer | None:
        """Answer and log one call; None means that the connection is dropped. For the handler threads."""
        fault = self.faults(call.method, call.path) if self.faults else None
        self._closing.wait(self.latency + (fault.delay if fault else 0.0))
        api = (
            self._agents if call.path.startswith(AGENT_PATH) and PROFILES[self.profile].agents else self._api
        )
        answer = Answer(fault.status, fault.body, fault.content_type) if fault else api.answer(call)
        with self._log_lock:
            self._requests.append(
                Request(call.method, call.path, call.query, _parsed(call.body), answer.status)
            )
        return answer if answer.status else None

    def _respond(self, connection: Connection) -> None:
        url = urlsplit(connection.path)
        headers = {name.lower(): value for name, value in connection.headers.items()}
        call = Call(connection.command, unquote(url.path), url.query, headers, connection.body)
        answer = self.answer(call)
        if answer is None:
            connection.drop()
            return
        kind = [("Content-Type", answer.content_type), ("X-Version", self.profile)]
        connection.send(answer.status, answer.body, [*kind, *answer.headers])

    def _publish(self, corpus: Corpus) -> None:
        """Serve this corpus from the next request on."""
        self.corpus = corpus
        self._datasets = store(corpus, self.seed, self.embedding)
        settings = Settings(PROFILES[self.profile], self.no_model_provider)
        self._api = Api(self._datasets, settings, self.api_key, self.bound_to)
        self._agents = AgentApi(self._datasets, self.api_key, self.queries, self.agent_states, self.bound_to)

    def _dataset(self, name: str) -> StoredDataset:
        for dataset in self._datasets:
            if dataset.collection.name == name:
                return dataset
        raise KeyError(name)


def _parsed(body: bytes) -> Any:
    if not body:
        return None
    try:
        return json.loads(body)
    except ValueError:
        return body.decode(errors="replace")
