"""The tool `index` over the sample server: it builds, shows, refreshes and drops, and lists say how far it is."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evidence.errors import EvidenceError, Misconfigured
from evidence.http.client import Client
from host.replies import Reply
from host.tools import TOOLS
from host.wiring import Caller, embedding_api, server_of
from standalone.cli.sources import credentials_of
from standalone.knowledge import Collection, Corpus, KnowledgeServer, SourceDocument, SourceSegment
from standalone.models.servers import EmbeddingServer

PAPERS = tuple(
    SourceDocument(f"Paper {at}.md", segments=(SourceSegment(f"Paper {at} speaks of chalk."),))
    for at in range(3)
)

OPEN: list[Client] = []


@pytest.fixture
def credentials(tmp_path: Path) -> Iterator[dict[str, str]]:
    with KnowledgeServer(Corpus((Collection("papers", PAPERS, "economy"),))) as server:
        yield {**credentials_of(server), "index_home": "disk", "index_path": str(tmp_path)}
    while OPEN:
        OPEN.pop().close()  # the registry never closes what it made


def _done(credentials: dict[str, str], tool: str = "index", **parameters: Any) -> Reply:
    OPEN.append(server_of(credentials).api.client)
    if credentials.get("embedding_model") and (api := embedding_api(credentials)):
        OPEN.append(api.client)
    return TOOLS[tool].reply(parameters, Caller(credentials))


def test_the_index_is_built_shown_and_dropped(credentials: dict[str, str]) -> None:
    built = _done(credentials, action="build")
    assert ("answered", 3, 0) == (
        built.json["status"],
        built.json["work"]["read"],
        built.json["work"]["unread"],
    )
    assert "**Index: disk** · 3 documents read now" in built.text
    assert "| papers | built | 3 of 3 | 0.0 MB |" in built.text
    shown = _done(credentials, "list_datasets").json["datasets"][0]["index"]
    assert ("built", 3, 3) == (shown["state"], shown["documents"], shown["read"])
    assert shown["bytes"] > 0
    assert shown["oldest_text_age"] >= 0
    step = next(
        step
        for step in _done(credentials, "quote", query="chalk").json["receipt"]["steps"]
        if step["name"] == "index"
    )
    assert (3, 3) == (step["facts"]["documents"], step["facts"]["read"])
    assert 0 == _done(credentials, action="refresh").json["work"]["read"]
    assert "not_found" == _done(credentials, action="drop").json["status"]
    assert "none" == _done(credentials).json["datasets"][0]["index"]["state"]


def test_one_dataset_is_dropped_by_its_name_and_another_name_is_refused(credentials: dict[str, str]) -> None:
    _done(credentials, action="build")
    with pytest.raises(EvidenceError, match="no dataset"):
        _done(credentials, action="drop", datasets="nothing")
    assert ("partial", 3) == (
        (dropped := _done(credentials, action="drop", datasets="papers").json)["status"],
        dropped["work"]["unread"],
    )


def test_a_revoked_key_finds_nothing_in_the_index(credentials: dict[str, str]) -> None:
    _done(credentials, action="build")
    with pytest.raises(Misconfigured, match="does not accept the key"):
        _done(credentials | {"dify_api_key": "dataset-revoked"}, "quote", query="chalk")


def test_an_embedding_api_of_the_credentials_makes_the_vectors(credentials: dict[str, str]) -> None:
    with EmbeddingServer(lambda texts: [[1.0, len(text)] for text in texts]) as api:
        own = credentials | {"embedding_base_url": api.base_url, "embedding_model": "lengths"}
        assert 0 == _done(own, action="build").json["work"]["unembedded"]
        passages = _done(own, "search", query="writing material").json["passages"]
    assert {"semantic"} == {why["list"] for passage in passages for why in passage["why"]}
    with pytest.raises(Misconfigured, match="no model"):
        _done(credentials | {"embedding_base_url": "http://127.0.0.1:9"}, action="build")


def test_an_index_in_memory_says_so(credentials: dict[str, str]) -> None:
    memory = credentials | {"index_home": "memory"}
    assert "**Index: memory**" in _done(memory).text
    with pytest.raises(Misconfigured, match="choose another home"):
        _done(memory, action="build")
