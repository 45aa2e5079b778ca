"""Credentials are proven with real requests that only read, before they are saved."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from evidence.errors import KnowledgeError, ListingRefused, Misconfigured, NothingListed
from evidence.knowledge.agent.bases import AgentKnowledge
from evidence.knowledge.allow_list import is_id
from evidence.knowledge.port import Knowledge
from evidence.limits import Deadline
from evidence.model import Dataset
from host.proof.settings import proofs_of
from host.wiring import allow_list, chat_api, embedding_api, rerank_api, server_of

_SECONDS = 30.0  # for all requests together
_MOST_PAGES = 20
_SHOWN = 6  # names in a message


def check_credentials(credentials: Mapping[str, Any]) -> None:
    """One request, and where there are an allow-list or agent knowledge bases, those that look their entries up.

    Raises EvidenceError with advice.
    """
    chat_api(credentials)
    rerank_api(credentials)
    embedding_api(credentials)
    proofs_of(credentials, "")
    allowed = allow_list(credentials)
    server, deadline = server_of(credentials), Deadline(_SECONDS)
    api, agents = server.until(deadline), server.agents_until(deadline)
    try:
        api.probe()
        if allowed:
            check_scope(allowed, api)
    except NothingListed:
        if not agents.bases:
            raise
    except ListingRefused:
        if not allowed and not agents.bases:
            raise
        check_scope(allowed, api, lists=False)
    _check_agents(agents)


def check_scope(allowed: Sequence[str], knowledge: Knowledge, *, lists: bool = True) -> Sequence[Dataset]:
    """The datasets that the key sees; of a key that may not list them, those that are allowed.

    Raises Misconfigured for an allow-list that names what the key does not see.
    """
    if not lists:
        return _check_ids(allowed, knowledge)
    seen = _all_datasets(knowledge)
    _check_entries(allowed, seen)
    return seen


def _all_datasets(api: Knowledge) -> list[Dataset]:
    datasets: list[Dataset] = []
    for page in range(1, _MOST_PAGES + 1):
        one_page = api.datasets(page)
        datasets += one_page.items
        if not one_page.items or len(datasets) >= one_page.total:
            break
    return datasets


def _check_entries(allowed: Sequence[str], seen: Sequence[Dataset]) -> None:
    """Raises Misconfigured naming the entries that no dataset bears, or that several do."""
    borne = Counter(word for dataset in seen for word in {dataset.dataset_id, dataset.name.strip()})
    unknown = [entry for entry in allowed if not borne[entry]]
    if unknown:
        names = ", ".join([*sorted(dataset.name for dataset in seen)[:_SHOWN], *["…"][: len(seen) - _SHOWN]])
        raise Misconfigured(
            f"Allowed datasets: this key sees no dataset {_in_quotes(unknown, 'or')}; it sees: {names}"
        )
    several = [entry for entry in allowed if borne[entry] > 1]
    if several:
        raise Misconfigured(
            f"Allowed datasets: several datasets are named {_in_quotes(several, 'and')}; enter the ids of those meant"
        )


def _check_ids(allowed: Sequence[str], api: Knowledge) -> Sequence[Dataset]:
    """A key that is bound to single datasets: each is asked for. Raises Misconfigured naming those it may not read."""
    names = [entry for entry in allowed if not is_id(entry)]
    if names:
        raise Misconfigured(
            f"Allowed datasets: {_in_quotes(names, 'and')}: this key is bound to single knowledge bases and cannot "
            "look names up; enter ids"
        )
    seen, unknown = [], []
    for entry in allowed:
        try:
            seen.append(api.dataset(entry))
        except KnowledgeError as error:
            if error.retryable:
                raise
            unknown.append(entry)
    if unknown:
        raise Misconfigured(f"Allowed datasets: this key may not read {_in_quotes(unknown, 'or')}")
    return seen


def _check_agents(agents: AgentKnowledge) -> None:
    """Each agent knowledge base is opened, published or not. Raises Misconfigured naming the first that is not."""
    for dataset_id, name in agents.bases.items():
        try:
            agents.settings(dataset_id)
        except KnowledgeError as error:
            if error.retryable:
                raise
            raise Misconfigured(f'Agent knowledge bases: "{name[:60]}": {error}') from None


def _in_quotes(entries: Iterable[str], joined_by: str) -> str:
    shown = [f'"{entry[:60]}"' for entry in entries]
    more = len(shown) - _SHOWN
    if more > 0:
        return f"{', '.join(shown[:_SHOWN])} and {more} more"
    return f" {joined_by} ".join([*filter(None, [", ".join(shown[:-1])]), shown[-1]])
