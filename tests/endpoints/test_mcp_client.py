"""The MCP SDK's own client lists and calls the tools, through the front."""

import asyncio  # noqa: TID251 - the MCP client is asynchronous
import json
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, Literal

import httpx
import httpx2
import pytest
from endpoint_samples import KEY, QUESTION, Endpoints, mcp_headers, request
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client

from standalone.front import Front

type Mode = Literal["auto", "legacy"]

ARGUMENTS: dict[str, dict[str, Any]] = {
    "ask": {"query": QUESTION},
    "quote": {"query": QUESTION},
    "discover": {"query": QUESTION, "effort": "extractive"},
    "boost": {"query": QUESTION},
    "search": {"query": QUESTION, "top_k": 4, "datasets": "harbour"},
    "list_datasets": {},
    "index": {},
    "list_documents": {"datasets": "harbour", "limit": 2},
    "doctor": {"language": "ja_JP"},
    "evaluate": {"suggest": 2},
}


@pytest.fixture(scope="module")
def address(endpoints: Endpoints) -> Iterator[str]:
    with Front(endpoints.process, endpoints.settings) as front:
        yield f"{front.base_url}/mcp"


def talk[R](address: str, say: Callable[[Client], Awaitable[R]], mode: Mode = "auto", key: str = KEY) -> R:
    """What `say` gets out of a connected client."""

    async def run() -> R:
        async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {key}"}, timeout=30) as http:
            transport = streamable_http_client(address, http_client=http)
            async with Client(transport, mode=mode) as client:
                return await say(client)

    return asyncio.run(run())


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_client_agrees_on_a_version_and_lists_the_tools(address: str, mode: Mode) -> None:
    async def say(client: Client) -> tuple[str, list[str]]:
        begun = client.session.initialize_result
        assert begun is not None
        listed = await client.list_tools()
        return begun.protocol_version, [tool.name for tool in listed.tools]

    version, names = talk(address, say, mode)
    assert "2025-11-25" == version
    assert {*ARGUMENTS, "aggregate", "reflect"} == set(names)


def test_every_tool_answers_as_its_output_schema_says(address: str) -> None:
    """The client itself checks structured content against the schema, and raises where it does not fit."""

    async def say(client: Client) -> dict[str, Any]:
        await client.list_tools()
        results = {name: await client.call_tool(name, given) for name, given in ARGUMENTS.items()}
        results["search"] = await client.call_tool("search", ARGUMENTS["search"])
        handed = {"query": QUESTION, "passages": json.dumps(results["search"].structured_content)}
        results["aggregate"] = await client.call_tool("aggregate", handed)
        results["reflect"] = await client.call_tool("reflect", handed | {"answer": "Every ninety days."})
        return results

    results = talk(address, say)
    for result in results.values():
        assert not result.is_error
        assert result.content[0].text
        assert result.structured_content["receipt"]["seconds"] >= 0
    assert "every ninety days" in results["ask"].content[0].text
    assert 4 == len(results["search"].structured_content["passages"])
    assert 3 == results["list_documents"].structured_content["total"]


def test_a_refusal_of_a_tool_reaches_the_model_and_an_unknown_tool_raises(address: str) -> None:
    async def say(client: Client) -> Any:
        refused = await client.call_tool("search", {"query": "crane", "datasets": "nowhere"})
        with pytest.raises(MCPError, match="Unknown tool"):
            await client.call_tool("assistant", {})
        return refused

    refused = talk(address, say)
    assert refused.is_error
    assert "nowhere" in refused.content[0].text


def test_a_client_that_wants_progress_is_answered_all_the_same(address: str) -> None:
    told: list[float] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        told.append(progress)

    async def say(client: Client) -> Any:
        return await client.call_tool("search", {"query": QUESTION}, progress_callback=note)

    assert not talk(address, say).is_error
    assert told == []  # one JSON answer has no room for news on the way


def test_many_calls_at_once_over_one_client_are_all_answered(address: str) -> None:
    async def say(client: Client) -> list[Any]:
        calls = (client.call_tool("search", {"query": f"{QUESTION} {number}"}) for number in range(8))
        return await asyncio.gather(*calls)

    assert [False] * 8 == [result.is_error for result in talk(address, say)]


def test_the_client_does_not_get_in_with_a_wrong_key(address: str) -> None:
    async def say(client: Client) -> Any:
        return await client.list_tools()

    with pytest.raises(ExceptionGroup) as caught:
        talk(address, say, "legacy", "wrong")
    (refusal,) = leaves(caught.value)
    assert isinstance(refusal, MCPError)
    assert "Unauthorized" in str(refusal)


def leaves(error: BaseException) -> list[BaseException]:
    """The errors inside a group."""
    if isinstance(error, BaseExceptionGroup):
        return [leaf for each in error.exceptions for leaf in leaves(each)]
    return [error]


def test_the_calls_of_the_inspector_are_answered_one_by_one(address: str) -> None:
    """It begins, says that it has begun, tries to open a stream, lists, calls, and ends the session."""
    begin = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "inspector", "version": "0"},
    }
    plain, agreed = mcp_headers(), mcp_headers(MCP_Protocol_Version="2025-06-18")
    with httpx.Client(timeout=10) as http:
        begun = http.post(address, json=request("initialize", begin), headers=plain)
        assert "2025-06-18" == begun.json()["result"]["protocolVersion"]
        ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        assert 202 == http.post(address, json=ready, headers=agreed).status_code
        assert 405 == http.get(address, headers=agreed | {"Accept": "text/event-stream"}).status_code
        listed = http.post(address, json=request("tools/list", {}, 1), headers=agreed).json()
        assert {*ARGUMENTS, "aggregate", "reflect"} == {tool["name"] for tool in listed["result"]["tools"]}
        asked = {"name": "quote", "arguments": {"query": QUESTION}, "_meta": {"progressToken": 0}}
        called = http.post(address, json=request("tools/call", asked, 2), headers=agreed).json()
        assert (2, False) == (called["id"], called["result"]["isError"])
        assert 405 == http.delete(address, headers=agreed).status_code
