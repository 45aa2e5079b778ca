"""The peer's headers: a caller brings servers and keys of its own, where the administrator allows it.

A key of the settings never travels to a host that a caller named.
"""

from collections.abc import Mapping
from typing import Any

from evidence.errors import InvalidRequest, Misconfigured
from evidence.http.client import address
from evidence.http.network import Resolve, resolved
from host.hosts import LISTED, ListedHosts
from host.parameters import names, unset

HEADERS = {
    "X-RETRIEVAL-ENDPOINT": "dify_base_url",
    "X-RETRIEVAL-API-KEY": "dify_api_key",
    "X-LLM-API-URL": "llm_base_url",
    "X-LLM-API-TOKEN": "llm_api_key",
    "X-LLM-MODEL": "llm_model",
    "X-RERANK-URL": "rerank_base_url",
    "X-RERANK-MODEL": "rerank_model",
}
_LONGEST = 2_000  # characters of a header
_GROUPS = {
    "X-RETRIEVAL-ENDPOINT": ("X-RETRIEVAL-API-KEY",),
    "X-LLM-API-URL": ("X-LLM-API-TOKEN", "X-LLM-MODEL"),
    "X-RERANK-URL": ("X-RERANK-MODEL",),
}
_ALONE = frozenset({"X-RETRIEVAL-API-KEY"})  # a key of one's own for the server of the settings
_YES = frozenset({"true", "1", "yes", "on"})


def overridden(
    headers: Mapping[str, str], settings: Mapping[str, Any], resolve: Resolve = resolved
) -> Mapping[str, Any]:
    """The settings with what the headers bring; raises InvalidRequest for what is not allowed.

    A header is never left aside in silence: its sender would be answered from another server than the one named.
    """
    given = {name: headers.get(name.lower(), "").strip() for name in HEADERS}
    given = {name: value for name, value in given.items() if value}
    if not given:
        return settings
    if str(settings.get("allow_header_overrides") or "").strip().lower() not in _YES:
        raise InvalidRequest(f"{min(given)}: this endpoint takes no servers or keys from headers")
    listed = names(settings, "allowed_header_hosts")
    changed = dict(settings)
    if given.keys() & {"X-RETRIEVAL-ENDPOINT", "X-RETRIEVAL-API-KEY"}:
        changed["proof_url"] = ""  # what a caller's own server or key shows is none of what our links open
        changed["agent_api_key"] = ""  # and whoever brings a key sees no more than that key
    for url, others in _GROUPS.items():
        changed |= _group(url, others, given)
        if url in given:
            hosts = ListedHosts(tuple(listed), url, resolve)
            changed[HEADERS[url]] = _address(url, given[url])
            hosts.mind(changed[HEADERS[url]])
            changed[HEADERS[url] + LISTED] = hosts
            if url == "X-RETRIEVAL-ENDPOINT":
                changed["agent_knowledge_bases"] = ""
    return changed


def _group(url: str, others: tuple[str, ...], given: Mapping[str, str]) -> dict[str, Any]:
    """The values of one server; what is not given with a new URL is cleared."""
    brought = {name: given[name] for name in others if name in given}
    for name, value in brought.items():
        if len(value) > _LONGEST or not value.isprintable():
            raise InvalidRequest(f"{name}: invalid value")
    if url not in given:
        strays = brought.keys() - _ALONE
        if strays:
            raise InvalidRequest(f"{min(strays)} needs {url} beside it")
        return {HEADERS[name]: value for name, value in brought.items()}
    if url == "X-RETRIEVAL-ENDPOINT" and not brought:
        raise InvalidRequest(f"{url} needs X-RETRIEVAL-API-KEY beside it")
    if url == "X-LLM-API-URL" and "X-LLM-MODEL" not in brought:
        raise InvalidRequest(f"{url} needs X-LLM-MODEL beside it")
    cleared = {HEADERS[name]: "" for name in others} | ({"rerank_api_key": ""} if "RERANK" in url else {})
    return cleared | {HEADERS[name]: value for name, value in brought.items()}


def _address(header: str, value: str) -> str:
    if unset(value) or len(value) > _LONGEST or not value.isascii() or not value.isprintable():
        raise InvalidRequest(f"{header}: invalid URL")
    try:
        return address(value)
    except Misconfigured as error:
        raise InvalidRequest(f"{header}: {error}") from None
