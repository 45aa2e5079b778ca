"""What its owner does to a document, replayed as a real Dify shows it: the document says at once that it was disabled
or archived, its segments and the indexes a second or two later, the dataset never. No tool calls proven what no longer
stands, or cites a document by a name that it does not bear."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from evidence.answer import layout
from standalone.knowledge import Collection, Corpus, KnowledgeServer, SourceDocument, SourceSegment
from standalone.knowledge.owner import Owner
from standalone.knowledge.server import Fault
from tests.plugin.conftest import KEY, SELECTOR, Plugin

QUESTION = "What is the rent of the mill?"
RENT = "The rent of the mill is 903 coins."
NEW_RENT = "The rent of the mill is 175 coins."
NAME, NEW_NAME = "Mill lease.md", "Mill lease 2026.md"
TENANTS = ("barn", "tower", "forge", "dairy", "chapel")
ENDPOINT_KEY = "a-key-of-the-endpoint"


def lease(place: str, coins: int) -> SourceDocument:
    rent = SourceSegment(f"The rent of the {place} is {coins} coins.")
    return SourceDocument(
        f"{place.capitalize()} lease.md", segments=(rent, SourceSegment(f"The {place} has a roof."))
    )


@dataclass
class Tenancy:
    """A server with some leases, whose tools have all been asked once."""

    plugin: Plugin
    server: KnowledgeServer
    passages: dict[str, Any] = field(default_factory=dict)

    @property
    def owner(self) -> Owner:
        return self.server.owner

    @property
    def document_id(self) -> str:
        return self.server.document_id("leases", NAME)

    @property
    def segment_id(self) -> str:
        return next(key for key, text in self.owner.segments().items() if text == RENT)

    def run(self, tool: str) -> tuple[str, dict[str, Any]]:
        parameters: dict[str, Any] = {"query": QUESTION, "effort": "extractive"}
        parameters |= {"answer": RENT} if tool == "reflect" else {}
        handed_in = {"passages": json.dumps(self.passages)}
        parameters |= handed_in if tool in ("aggregate", "reflect") else {}
        parameters |= {"model": SELECTOR} if tool in ("ask", "aggregate", "reflect") else {}
        result = self.plugin.run(tool, **parameters)
        return result.text, result.json

    def records(self, top_k: int = 3) -> list[dict[str, Any]]:
        setting = {"top_k": top_k, "score_threshold": 0.0}
        body = {"query": QUESTION, "knowledge_id": "leases", "retrieval_setting": setting}
        headers = {"Authorization": f"Bearer {ENDPOINT_KEY}", "Content-Type": "application/json"}
        settings = self.plugin.credentials | {"endpoint_key": ENDPOINT_KEY}
        content = json.dumps(body).encode()
        answer = self.plugin.process.endpoint("POST", "/retrieval", headers, content, settings)
        return answer.json()["records"]  # type: ignore[no-any-return]

    def shown(self) -> dict[str, list[dict[str, Any]]]:
        """What each tool quotes or gives as passages, with text, name and freshness."""
        shown = {tool: self.run(tool)[1]["citations"] for tool in ("quote", "ask", "aggregate", "reflect")}
        texts = {tool: [{**item, "text": item["quote"]} for item in items] for tool, items in shown.items()}
        texts["search"] = self.run("search")[1]["passages"]
        texts["retrieval"] = [{**each["metadata"], "text": each["content"]} for each in self.records()]
        return texts


@pytest.fixture(params=[30, 130])
def tenancy(request: pytest.FixtureRequest, plugin: Plugin) -> Iterator[Tenancy]:
    """With 130 documents the base is larger than one page of names."""
    others = (lease(f"{TENANTS[n % 5]}{n}", 1_000 + n) for n in range(request.param - 1))
    corpus = Corpus((Collection("leases", (lease("mill", 903), *others), "economy"),))
    with KnowledgeServer(corpus, "1.13.3", api_key=KEY) as server:
        tenancy = Tenancy(Plugin(plugin.process, server, plugin.workspace), server)
        tenancy.passages = tenancy.run("search")[1]
        assert all(RENT in [item["text"] for item in items] for items in tenancy.shown().values())
        tenancy.owner.lagging = True
        yield tenancy


def is_proven(item: dict[str, Any], text: str) -> bool:
    return item["freshness"] == "verified" and text in item["text"]


@pytest.mark.parametrize(
    "change",
    [
        lambda tenancy: tenancy.owner.enable(tenancy.document_id, enabled=False),
        lambda tenancy: tenancy.owner.archive(tenancy.document_id, archived=True),
        lambda tenancy: tenancy.owner.delete(tenancy.document_id),
        lambda tenancy: tenancy.owner.enable_segment(tenancy.segment_id, enabled=False),
        lambda tenancy: tenancy.owner.edit_segment(tenancy.segment_id, NEW_RENT),
    ],
    ids=["disable", "archive", "delete", "disable a segment", "edit"],
)
def test_no_tool_shows_as_proven_what_no_longer_stands(
    tenancy: Tenancy, change: Callable[[Tenancy], None]
) -> None:
    change(tenancy)
    assert {} == {
        tool: items for tool, items in tenancy.shown().items() if any(is_proven(each, RENT) for each in items)
    }
    tenancy.owner.catch_up()
    assert {} == {
        tool: items for tool, items in tenancy.shown().items() if any(is_proven(each, RENT) for each in items)
    }


def test_while_its_segments_lag_behind_a_disabled_document_still_seems_to_stand(tenancy: Tenancy) -> None:
    """The embedded server shows what the real one does: the list at once, segments and ranking later."""
    tenancy.owner.enable(tenancy.document_id, enabled=False)
    stored = {each.id: each for each in tenancy.server.segments("leases")}[tenancy.segment_id]
    assert not stored.document.source.available
    assert stored.document.source.searchable
    tenancy.owner.catch_up()
    stored = {each.id: each for each in tenancy.server.segments("leases")}[tenancy.segment_id]
    assert not stored.document.source.searchable


def test_a_document_is_cited_by_the_name_that_it_bears_now(tenancy: Tenancy) -> None:
    tenancy.owner.rename(tenancy.document_id, NEW_NAME)
    shown = tenancy.shown()
    names = {
        tool: {each["document_name"] for each in items if RENT in each["text"]}
        for tool, items in shown.items()
    }
    assert {tool: {NEW_NAME} for tool in names} == names
    for tool in ("quote", "aggregate"):
        assert f"{NAME}*" not in tenancy.run(tool)[0]


def test_a_name_that_the_caller_gave_is_not_cited(tenancy: Tenancy) -> None:
    for passage in tenancy.passages["passages"]:
        passage |= {"document_name": "Supreme Court ruling.md", "dataset_name": "Law"}
    for tool in ("aggregate", "reflect"):
        _, reply = tenancy.run(tool)
        (citation,) = [each for each in reply["citations"] if each["quote"] == RENT]
        assert (NAME, "leases", "verified") == (
            citation["document_name"],
            citation["dataset_name"],
            citation["freshness"],
        )
        assert "reread: Supreme Court ruling.md is called Mill lease.md now" in reply["degraded"]
    assert "— Supreme Court" not in tenancy.run("aggregate")[0]


def test_a_name_that_cannot_be_read_is_not_verified(tenancy: Tenancy) -> None:
    document = f"/documents/{tenancy.document_id}"
    tenancy.server.faults = lambda _, path: Fault(500) if path.endswith(document) else None
    text, reply = tenancy.run("aggregate")
    tenancy.server.faults = None
    (citation,) = [each for each in reply["citations"] if each["quote"] == RENT]
    assert "not_reread" == citation["freshness"]
    assert "settled" != reply["verdict"]["status"]
    assert layout.line_of("foot_not_reread", QUESTION) == text.splitlines()[-1]


def test_where_none_of_the_records_stands_any_longer_it_is_searched_again(tenancy: Tenancy) -> None:
    (record,) = tenancy.records(1)
    assert NAME == record["title"]
    tenancy.owner.enable(tenancy.document_id, enabled=False)
    (other,) = tenancy.records(1)
    assert NAME != other["title"]


def test_a_quoted_document_of_a_large_base_costs_one_call(tenancy: Tenancy) -> None:
    many = len(tenancy.server.segments("leases")) > 200
    tenancy.server.clear_requests()
    _, reply = tenancy.run("quote")
    cited = {each["document_id"] for each in reply["citations"]}
    asked = [each.path.rsplit("/", 1)[1] for each in tenancy.server.requests if "/documents/" in each.path]
    assert sorted(cited if many else ()) == sorted(each for each in asked if each in cited)
    (step,) = [each for each in reply["receipt"]["steps"] if each["name"] == "reread"]
    assert len(cited) * many == step["facts"]["documents"]
