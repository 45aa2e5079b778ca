"""Everything that an answer needs, tried once with requests that only read; each finding is a line of doctor.yaml."""

import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from email.utils import parsedate_to_datetime
from itertools import chain
from typing import Any

from evidence.corpus.fetch import PAGE
from evidence.errors import EvidenceError, ListingRefused, NothingListed
from evidence.http.client import Client, address, normalise_base_url
from evidence.http.network import is_private
from evidence.knowledge.agent.bases import AgentKnowledge
from evidence.knowledge.middleware import GuardedKnowledge
from evidence.knowledge.port import Knowledge
from evidence.limits import Limits, Meter, ReadPolicy
from evidence.llm.port import MeteredLLM, MeteredReranker
from evidence.model import Condition, Dataset, MetadataFilter, Prompt, Query
from evidence.trace import Trace
from evidence.workers import Failure, gather
from host.checking import check_scope
from host.parameters import Output, text
from host.proof.settings import proofs_of
from host.wiring import Server, allow_list, chat_api, rerank_api, server_of, store_of

LIMITS = Limits(seconds=4.5, knowledge_calls=30, model_calls=1, rerank_calls=1)
_SLOW = 2.0  # seconds of one small answer
_APART = 60.0  # seconds between two clocks
_NUMBERS = re.compile(r"(\d{1,4})\.(\d{1,4})(?:\.(\d{1,4}))?")
_WORDS = "retention period"  # what is asked of a dataset and of a reranker
_HELLO = Prompt("doctor", "", "", "Reply with the word ok.")
_NAMED = 5  # datasets in a line


@dataclass(frozen=True, slots=True)
class Finding:
    """One line: its name in doctor.yaml, which begins with its check, and what stands in its blanks."""

    line: str
    values: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Examined:
    """The credentials that are looked at, what that spends, and how much its JSON is to hold."""

    credentials: Mapping[str, Any]
    meter: Meter
    trace: Trace
    output: Output = "full"


def findings(run: Examined) -> tuple[Finding, ...]:
    """All findings in their order, within the deadline of the meter; what goes wrong is a finding too."""
    checks: Mapping[str, Callable[[Examined], Iterator[Finding]]] = {
        "server_silent": _server,
        "model_failed": _chat,
        "reranker_failed": _reranker,
        "endpoint_silent": _endpoint,
    }
    deadline = run.meter.deadline
    results = gather(lambda check: tuple(check(run)), checks.values(), workers=len(checks), deadline=deadline)
    lines = [
        (_finding(line, url="", error=result.error),) if isinstance(result, Failure) else result
        for line, result in zip(checks, results, strict=True)
    ]
    return tuple(chain.from_iterable(lines))


def _finding(line: str, **values: object) -> Finding:
    return Finding(line, {name: str(value) for name, value in values.items()})


def _milliseconds(began: float) -> int:
    return round(1000 * (time.monotonic() - began))


# --- the knowledge server ---------------------------------------------------------------------------------


def _server(run: Examined) -> Iterator[Finding]:
    line = "address_wrong"
    try:
        url = normalise_base_url(text(run.credentials, "dify_base_url", 4_000))
        line = "scope_wrong"
        allow_list(run.credentials)
        line = "index_failed"
        store = store_of(run.credentials, ("doctor",))
        line = "key_refused"
        server = server_of(run.credentials)
    except EvidenceError as error:
        yield _finding(line, error=error)
        return
    host = url.partition("//")[2].partition("/")[0].partition(":")[0]
    unread = is_private(host) or url.startswith("https:")
    yield _finding("address_ok" if unread else "address_plain", url=url)
    yield _finding("index_disk" if store else "index_memory")
    began = time.monotonic()
    try:
        run.meter.charge("knowledge_calls")
        _, headers = server.until(run.meter.deadline).client.knock("datasets", {"page": 1, "limit": 1})
    except EvidenceError as error:
        yield _finding("server_silent", error=error)
        return
    took = _milliseconds(began)
    yield _finding("server_slow" if took > 1000 * _SLOW else "server_ok", ms=took)
    yield from _key(run, server)
    yield from _agents(run, server.agents_until(run.meter.deadline))
    yield known_of(headers.get("x-version", ""))
    yield apart_by(headers.get("date", ""), time.time())


def _key(run: Examined, server: Server) -> Iterator[Finding]:
    """What the key may see. One that may not list datasets is good where an allow-list names them."""
    api, lists = server.until(run.meter.deadline), True
    try:
        run.meter.charge("knowledge_calls")
        yield _finding("key_ok", count=api.probe())
    except EvidenceError as error:
        lists = False
        agents = server.agents.bases and isinstance(error, ListingRefused | NothingListed)
        if not (agents or (isinstance(error, ListingRefused) and server.allowed)):
            yield _finding("key_refused", error=error)
            return
        yield _finding("key_bound")
    yield from _datasets(run, GuardedKnowledge(api, run.meter, run.trace, attempts=1), lists=lists)


def _datasets(run: Examined, knowledge: Knowledge, *, lists: bool) -> Iterator[Finding]:
    """The datasets that may be searched, and whether that works; none where agent knowledge bases are all there is."""
    allowed = {*allow_list(run.credentials)}
    if not lists and not allowed:
        return
    try:
        datasets = check_scope(sorted(allowed), knowledge, lists=lists)
    except EvidenceError as error:
        yield _finding("scope_wrong", error=error)
        return
    within = [
        dataset for dataset in datasets if not allowed or {dataset.dataset_id, dataset.name.strip()} & allowed
    ]
    yield _finding("scope_listed" if allowed else "scope_open", count=len(allowed))
    yield _filters(within, knowledge)
    yield from _limits(within)


def _agents(run: Examined, agents: AgentKnowledge) -> Iterator[Finding]:
    """Whether each agent knowledge base opens and has an index that answers."""
    answering = 0
    for dataset_id, name in agents.bases.items():
        try:
            run.meter.charge("knowledge_calls")
            answers = agents.settings(dataset_id).answers
        except EvidenceError as error:
            yield _finding("agents_refused", name=name, error=error)
            continue
        answering += answers
        if not answers:
            yield _finding("agents_unpublished", name=name)
    if answering or not agents.bases:
        yield _finding("agents_ok" if agents.bases else "agents_none", count=answering)


def _filters(datasets: Sequence[Dataset], knowledge: Knowledge) -> Finding:
    """Asks for what no document has: a server that filters finds nothing."""
    ranked = [dataset for dataset in datasets if _searchable(dataset) and dataset.technique == "high_quality"]
    if not ranked:
        return _finding("filters_untried")
    nothing = MetadataFilter((Condition("no_document_has_this", "is", "x"),))
    try:
        applied = knowledge.retrieve(ranked[0], Query(_WORDS), 1, nothing).filtered
    except EvidenceError as error:
        return _finding("filters_failed", error=error)
    return _finding("filters_ok" if applied else "filters_dropped")


def _searchable(dataset: Dataset) -> bool:
    return dataset.provider != "external" and dataset.document_count > 0


def _limits(datasets: Sequence[Dataset]) -> Iterator[Finding]:
    searchable, most = (
        [dataset for dataset in datasets if _searchable(dataset)],
        ReadPolicy().catalogue_pages * PAGE,
    )
    documents = sum(dataset.document_count for dataset in searchable)
    yield _finding("limits_ok" if searchable else "limits_empty", count=len(searchable), documents=documents)
    for dataset in searchable:
        if dataset.document_count > most:
            yield _finding("limits_large", name=dataset.name, documents=dataset.document_count, most=most)
    external = [dataset.name for dataset in datasets if dataset.provider == "external"]
    if external:
        more = ["…"][: len(external) - _NAMED]
        yield _finding("limits_external", names=", ".join([*external[:_NAMED], *more]))


def known_of(header: str) -> Finding:
    """What is known of the version that a server tells."""
    numbers = _NUMBERS.match(header)
    if numbers is None:
        return _finding("version_untold")
    version, line = tuple(int(number or 0) for number in numbers.groups()), "version_ok"
    if version < (1, 10, 1):
        line = "version_old"
    elif version < (1, 12, 0):
        line = "version_arrays"
    elif version[:2] == (1, 13):
        line = "version_filters"
    return _finding(line, version=numbers[0])


def apart_by(header: str, now: float) -> Finding:
    """How far a Date header is from `now`, in Unix seconds."""
    try:
        apart = abs(now - parsedate_to_datetime(header).timestamp())
    except (ValueError, OverflowError):
        return _finding("clock_untold")
    return _finding("clock_off" if apart > _APART else "clock_ok", seconds=f"{apart:.0f}")


# --- what stands beside it --------------------------------------------------------------------------------


def _chat(run: Examined) -> Iterator[Finding]:
    began = time.monotonic()
    try:
        chat = chat_api(run.credentials)
        if chat is None:
            yield _finding("model_none")
            return
        bounded = replace(chat, client=chat.client.until(run.meter.deadline))
        MeteredLLM(bounded, run.meter, run.trace).complete(_HELLO, 256)
        yield _finding("model_ok", model=chat.model, ms=_milliseconds(began))
    except EvidenceError as error:
        yield _finding("model_failed", error=error)


def _reranker(run: Examined) -> Iterator[Finding]:
    began = time.monotonic()
    try:
        api = rerank_api(run.credentials)
        if api is None:
            yield _finding("reranker_none")
            return
        bounded = replace(api, client=api.client.until(run.meter.deadline))
        MeteredReranker(bounded, run.meter, run.trace).scores(_WORDS, [_WORDS, "lunch"])
        yield _finding("reranker_ok", ms=_milliseconds(began))
    except EvidenceError as error:
        yield _finding("reranker_failed", error=error)


def _endpoint(run: Examined) -> Iterator[Finding]:
    """The address that proof links begin with; any answer will do, for an unsigned link has no page."""
    given = text(run.credentials, "proof_url", 4_000)
    if not given:
        yield _finding("endpoint_none")
        yield _finding("proof_none")
        return
    try:
        with Client(address(given).removesuffix("/proof"), deadline=run.meter.deadline) as client:
            status, _ = client.knock("proof")
        line = "endpoint_silent" if status >= 500 else "endpoint_ok"
        yield _finding(line, url=given, error=f"status {status}")
    except EvidenceError as error:
        yield _finding("endpoint_silent", url=given, error=error)
    try:
        proofs_of(run.credentials, "")
        yield _finding("proof_ok")
    except EvidenceError as error:
        yield _finding("proof_wrong", error=error)
