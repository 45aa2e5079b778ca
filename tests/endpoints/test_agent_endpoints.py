"""Agent knowledge bases through the endpoints: named as a knowledge id, proven by a link, and no caller's own."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from endpoint_samples import DIFY_KEY, WORLD, Endpoints, body_of, mcp_headers, request

from host.mcp.overrides import overridden
from standalone.knowledge import KnowledgeServer

PROOF = {
    "proof_url": "https://dify.example.com/e/abc",
    "proof_key": "a-long-key-that-signs",
    "proof_days": "30",
}


@pytest.fixture
def dify() -> Iterator[KnowledgeServer]:
    with KnowledgeServer(WORLD, "1.18", DIFY_KEY) as running:
        yield running


def agents(dify: KnowledgeServer) -> dict[str, str]:
    return {"agent_knowledge_bases": ", ".join(f"Agent {k}={v}" for k, v in dify.agent_bases.items())}


@pytest.mark.parametrize("named", ["agent:{}", "Agent harbour"])
def test_an_agent_base_is_a_knowledge_id_by_its_id_and_by_its_name(
    endpoints: Endpoints, dify: KnowledgeServer, named: str
) -> None:
    knowledge_id = named.format(dify.agent_bases["harbour"])
    records = endpoints.over(dify).records(body_of(knowledge_id=knowledge_id), **agents(dify))
    assert "The harbour crane is inspected every" in records[0]["content"]
    assert {f"agent:{dify.agent_bases['harbour']}"} == {each["metadata"]["dataset_id"] for each in records}
    assert endpoints.over(dify).retrieve(body_of(knowledge_id=knowledge_id)).status == 404


def test_a_quote_of_an_agent_base_opens_its_proof_and_says_when_it_changed(
    endpoints: Endpoints, dify: KnowledgeServer
) -> None:
    here = endpoints.over(dify)
    settings = here.settings | agents(dify) | PROOF
    arguments = {"query": "When does the reading room close?", "datasets": "Agent library"}
    call = request("tools/call", {"name": "quote", "arguments": arguments})
    answer: Any = here.mcp(call, mcp_headers(), **settings).json()["result"]["structuredContent"]
    (citation,) = answer["citations"]
    link = citation["proof"].partition("?p=")[2].removesuffix("#q")

    def opened() -> tuple[int, str]:
        page = here.process.endpoint("GET", f"/proof?p={link}", {}, b"", settings)
        return page.status, page.body.decode()

    status, page = opened()
    assert status == 200
    assert "reading room closes at eight" in page
    segment = next(each for each in dify.segments("library") if "reading room" in each.source.content)
    dify.owner.edit_segment(segment.id, "The reading room closes at nine in the evening.")
    assert opened()[0] == 410
    assert json.dumps(citation)  # its ids are texts


def test_a_caller_who_brings_a_server_or_a_key_reads_no_agent_base_with_the_administrators() -> None:
    settings = {
        "allow_header_overrides": "true",
        "allowed_header_hosts": "kb.example.com",
        "dify_base_url": "http://api:5001/v1",
        "dify_api_key": "ours",
        "agent_knowledge_bases": "Handbook=0f7a3c52-9a41-4d0e-b6c8-2f5d1e9a7b60",
        "agent_api_key": "ours-too",
    }
    own = {"x-retrieval-api-key": "callers"}
    key = overridden(own, settings)
    assert ("callers", "") == (key["dify_api_key"], key["agent_api_key"])
    server = overridden(own | {"x-retrieval-endpoint": "https://kb.example.com/v1"}, settings)
    assert ("", "") == (server["agent_knowledge_bases"], server["agent_api_key"])
