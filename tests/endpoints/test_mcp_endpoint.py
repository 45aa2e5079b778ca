"""The MCP endpoint over the plugin's own protocol, message by message."""

import json
from typing import Any

import pytest
from endpoint_samples import DIFY_KEY, KEY, QUESTION, Endpoints, mcp_headers, request

from host.fitting import size
from host.tools import TOOLS
from host.view.compact import MOST_COMPACT
from standalone.daemon import PluginError

NEWEST = {"MCP_Protocol_Version": "2025-11-25"}


def call(endpoints: Endpoints, tool: str, arguments: Any = None, **settings: Any) -> dict[str, Any]:
    params = {"name": tool} if arguments is None else {"name": tool, "arguments": arguments}
    answer = endpoints.mcp(request("tools/call", params), mcp_headers(**NEWEST), **settings)
    assert answer.status == 200, answer.body
    result: dict[str, Any] = answer.json()["result"]
    return result


def error(endpoints: Endpoints, message: Any, status: int = 200, **headers: str) -> tuple[int, Any]:
    answer = endpoints.mcp(message, mcp_headers(**headers))
    assert answer.status == status
    said = answer.json()
    assert said["jsonrpc"] == "2.0"
    assert said["error"]["message"]
    return said["error"]["code"], said["id"]


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_initialize_agrees_on_the_version_of_the_client(endpoints: Endpoints, version: str) -> None:
    client = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
    answer = endpoints.mcp(request("initialize", client, "first"))
    assert (200, "application/json") == (answer.status, answer.headers["Content-Type"])
    assert "Mcp-Session-Id" not in answer.headers
    result = answer.json()["result"]
    assert (version, "first") == (result["protocolVersion"], answer.json()["id"])
    assert {"tools": {"listChanged": False}} == result["capabilities"]
    assert "context-aware-retriever" == result["serverInfo"]["name"]


def test_a_version_of_the_future_gets_our_newest(endpoints: Endpoints) -> None:
    params = {"protocolVersion": "2099-01-01", "capabilities": {}}
    answer = endpoints.mcp(request("initialize", params), mcp_headers(MCP_Protocol_Version="2099-01-01"))
    assert "2025-11-25" == answer.json()["result"]["protocolVersion"]


def test_ping_is_answered_with_an_empty_object(endpoints: Endpoints) -> None:
    assert {"jsonrpc": "2.0", "id": 0, "result": {}} == endpoints.mcp(request("ping", request_id=0)).json()


@pytest.mark.parametrize("method", ["notifications/initialized", "notifications/cancelled", "unheard/of"])
def test_a_notification_is_accepted_without_a_body(endpoints: Endpoints, method: str) -> None:
    answer = endpoints.mcp({"jsonrpc": "2.0", "method": method, "params": {"requestId": 1}})
    assert (202, b"") == (answer.status, answer.body)
    assert "Content-Type" not in answer.headers


def test_every_tool_is_listed_with_what_it_takes_and_gives(endpoints: Endpoints) -> None:
    tools = {each["name"]: each for each in endpoints.mcp(request("tools/list")).json()["result"]["tools"]}
    assert [*TOOLS] == [*tools]
    for tool in tools.values():
        taken = tool["inputSchema"]["properties"]
        assert not {"model", "rerank_model"} & set(taken)
        assert set(tool["inputSchema"].get("required", [])) <= set(taken)
        assert all(each["description"] for each in taken.values())
        assert tool["outputSchema"]["properties"].keys() >= {"status", "receipt"}
        assert tool["description"]
        assert tool["title"]
        assert tool["annotations"]["readOnlyHint"] is (
            tool["name"] != "index"
        )  # it keeps an index of its own
    search = tools["search"]["inputSchema"]
    assert ["query"] == search["required"]
    assert search["additionalProperties"] is False
    assert {"type": "number", "minimum": 1, "maximum": 50, "default": 8} == {
        name: search["properties"]["top_k"][name] for name in ("type", "minimum", "maximum", "default")
    }
    assert "fast" == search["properties"]["effort"]["default"]
    assert ["extractive", "fast", "balanced", "thorough"] == search["properties"]["effort"]["enum"]
    assert 45 == search["properties"]["seconds"]["default"]
    assert "passages" in tools["search"]["outputSchema"]["properties"]


def test_a_tool_answers_with_text_and_structured_content(endpoints: Endpoints) -> None:
    asked = {"query": QUESTION, "datasets": "harbour", "effort": None}
    result = call(endpoints, "quote", asked)
    assert result["isError"] is False
    assert "every ninety days" in result["content"][0]["text"]
    structured = result["structuredContent"]
    said = (structured["schema"], structured["status"], structured["reason"])
    assert ("1", "partial", "conflicting") == said  # the older rules say sixty
    assert any("every ninety days" in each["quote"] for each in structured["citations"])


@pytest.mark.parametrize("tool", ["quote", "search", "discover"])
def test_an_mcp_client_gets_all_unless_it_asks_for_compact_json(endpoints: Endpoints, tool: str) -> None:
    asked = {"query": QUESTION, "datasets": "harbour"}
    compact = call(endpoints, tool, asked | {"output": "compact"})["structuredContent"]
    assert size(compact) <= MOST_COMPACT
    assert {"claims", "passages", "facets"}.isdisjoint(compact)
    assert not any("quote" in citation for citation in compact["citations"])
    assert "claims" in call(endpoints, tool, asked)["structuredContent"]


def test_what_search_found_can_be_handed_to_aggregate_and_reflect(endpoints: Endpoints) -> None:
    asked = {"query": QUESTION, "datasets": "harbour"}
    found = call(endpoints, "search", asked)["structuredContent"]
    handed = {"query": QUESTION, "passages": json.dumps(found)}
    said = call(endpoints, "aggregate", handed)["structuredContent"]
    assert said["citations"]
    verdict = call(endpoints, "reflect", handed | {"answer": said["answer"]})["structuredContent"]["verdict"]
    assert verdict["status"] in ("settled", "unsettled", "unknown")


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("search", {}, "`query` is required"),
        ("search", {"q": "crane"}, "takes no `q`"),
        ("search", {"query": "crane", "model": {"provider": "p", "model": "m"}}, "takes no `model`"),
        ("search", {"query": "crane", "top_k": 51}, "`top_k`"),
        ("search", {"query": "crane", "datasets": "nowhere"}, "no dataset"),
        ("search", {"query": ["crane"]}, "`query` must be a text"),
        ("aggregate", {"query": "crane", "passages": "no JSON"}, "`passages`"),
        ("list_datasets", {"query": "crane"}, "takes no `query`"),
    ],
)
def test_what_a_tool_refuses_is_told_to_the_model(
    endpoints: Endpoints, tool: str, arguments: Any, said: str
) -> None:
    result = call(endpoints, tool, arguments)
    assert result["isError"] is True
    assert said in result["content"][0]["text"]
    assert "structuredContent" not in result


def test_a_failing_knowledge_server_is_an_error_of_the_tool_and_shows_no_secret(endpoints: Endpoints) -> None:
    for settings in ({"dify_base_url": "http://127.0.0.1:9"}, {"dify_api_key": "not-the-right-one"}):
        result = call(endpoints, "list_datasets", **settings)
        assert result["isError"] is True
        assert not [secret for secret in (KEY, DIFY_KEY, "not-the-right-one") if secret in json.dumps(result)]


def test_the_errors_of_the_protocol_have_the_codes_of_json_rpc(endpoints: Endpoints) -> None:
    assert (-32700, None) == error(endpoints, b"{", 400)
    assert (-32700, None) == error(endpoints, b"", 400)
    assert (-32700, None) == error(endpoints, b"[" * 50_000, 400)
    assert (-32600, None) == error(endpoints, {"jsonrpc": "2.0", "id": None, "method": "ping"}, 400)
    assert (-32600, 3) == error(endpoints, {"id": 3, "method": "ping"}, 400)
    assert (-32601, 1) == error(endpoints, request("resources/list"))
    assert (-32602, 1) == error(endpoints, request("tools/call", {"name": "nothing"}))
    assert (-32602, 1) == error(endpoints, request("tools/call", {"name": ["ask"]}))
    assert (-32602, 1) == error(endpoints, request("tools/call", {"name": "ask", "arguments": [1]}))
    assert (-32602, 1) == error(endpoints, request("tools/list", {"cursor": "2"}))
    assert (-32602, 1) == error(endpoints, request("initialize", {"capabilities": {}}))
    assert (-32600, None) == error(endpoints, request("ping"), 400, MCP_Protocol_Version="1999-01-01")


def test_a_batch_is_no_message(endpoints: Endpoints) -> None:
    for version in ("2025-03-26", "2025-11-25"):
        assert (-32600, None) == error(endpoints, [request("ping")], 400, MCP_Protocol_Version=version)


@pytest.mark.parametrize("header", [None, "", "Bearer", "Bearer wrong", f"Basic {KEY}", KEY])
def test_nobody_gets_in_without_the_key(endpoints: Endpoints, header: str | None) -> None:
    headers = mcp_headers()
    del headers["Authorization"]
    answer = endpoints.mcp(
        request("ping"), headers if header is None else headers | {"Authorization": header}
    )
    assert (401, "Bearer") == (answer.status, answer.headers["WWW-Authenticate"])
    assert "result" not in answer.json()


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_there_is_no_stream_and_no_session(endpoints: Endpoints, method: str) -> None:
    answer = endpoints.process.endpoint(method, "/mcp", mcp_headers(), b"", endpoints.settings)
    assert (405, "POST", b"") == (answer.status, answer.headers["Allow"], answer.body)


def test_a_body_of_another_kind_or_size_is_refused(endpoints: Endpoints) -> None:
    ping = json.dumps(request("ping")).encode()
    assert 415 == endpoints.mcp(ping, mcp_headers() | {"Content-Type": "text/plain"}).status
    assert 406 == endpoints.mcp(ping, mcp_headers() | {"Accept": "text/html"}).status
    assert 413 == endpoints.mcp(b" " * 1_000_001).status
    plain = mcp_headers() | {"Content-Type": "Application/JSON; charset=utf-8", "Accept": "*/*"}
    assert 200 == endpoints.mcp(ping, plain).status


def test_headers_of_the_peer_are_refused_aloud_where_they_are_not_allowed(endpoints: Endpoints) -> None:
    answer = endpoints.mcp(request("ping"), mcp_headers(X_RETRIEVAL_API_KEY="other"))
    assert (400, -32600) == (answer.status, answer.json()["error"]["code"])
    assert "X-RETRIEVAL-API-KEY" in answer.json()["error"]["message"]


def test_a_caller_may_bring_a_dify_of_its_own_where_its_host_is_allowed(endpoints: Endpoints) -> None:
    own = {"X_RETRIEVAL_ENDPOINT": endpoints.server.base_url, "X_RETRIEVAL_API_KEY": DIFY_KEY}
    settings = {
        "dify_base_url": "http://127.0.0.1:9",
        "dify_api_key": "of the administrator",
        "allow_header_overrides": True,
    }
    message = request("tools/call", {"name": "list_datasets"})
    refused = endpoints.mcp(message, mcp_headers(**own), **settings, allowed_header_hosts="dify.example.com")
    assert 400 == refused.status
    taken = endpoints.mcp(message, mcp_headers(**own), **settings, allowed_header_hosts="127.0.0.1")
    assert "harbour" in taken.json()["result"]["content"][0]["text"]


@pytest.mark.parametrize(
    "smuggled",
    [
        {"X_RETRIEVAL_ENDPOINT": "http://127.0.0.1"},
        {"DIFY_HOOK_ID": "another"},
        {"Content-Length": "5"},
        {"Transfer-Encoding": "chunked"},
        {"Accept ": "x"},
        {"Accept": "a\0b"},
    ],
)
def test_a_request_with_smuggled_headers_is_not_served(
    endpoints: Endpoints, smuggled: dict[str, str]
) -> None:
    """Underscores, characters that no header has, and two ideas of how long the body is."""
    ping = json.dumps(request("ping")).encode()
    with pytest.raises(PluginError) as caught:
        endpoints.process.endpoint("POST", "/mcp", mcp_headers() | smuggled, ping, endpoints.settings)
    assert caught.value.error_type == "ValueError"


def test_of_two_keys_the_last_one_counts(endpoints: Endpoints) -> None:
    """So the SDK reads them; whoever knows the key gets in either way."""
    for last, status in ((KEY, 200), ("wrong", 401)):
        headers = mcp_headers() | {"Origin": f"x\r\nAuthorization: Bearer {last}"}
        assert status == endpoints.mcp(request("ping"), headers).status
