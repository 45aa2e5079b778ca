"""No character that steers a terminal or turns the writing leaves in anything but the words of a quote or passage."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from bench.judging import hidden
from host.external.answering import answer_retrieval
from host.fitting import shown
from host.mcp.answering import answer_mcp
from host.tools import TOOLS
from host.web import HttpAnswer, HttpRequest
from host.wiring import Caller, server_of
from standalone.knowledge import Collection, Corpus, KnowledgeServer, SourceDocument, SourceSegment
from standalone.models import ChatServer
from standalone.models.reader import MODELS

EVIL = "\x1b]0;pwned\x07\x1b[31m\u202eevil\u2066x\x9b31m\x00"
QUESTION = f"What is the notice of termination{EVIL} of the warehouse lease?"
RENT = SourceSegment(f"The rent of the warehouse{EVIL} is 900 coins.")
NOTICE = SourceSegment(
    f"Notice of termination of the warehouse lease is 180 days{EVIL} for all {EVIL} tenants."
)
WORLD = Corpus(
    (
        Collection(
            f"lea{EVIL}ses",
            (
                SourceDocument(f"Ware{EVIL}house.md", segments=(NOTICE, RENT)),
                SourceDocument("Other.md", segments=(SourceSegment("The boathouse costs 40 coins."),)),
            ),
            "high_quality",
            description=f"Leases{EVIL}",
        ),
    )
)


@pytest.fixture(scope="module")
def caller() -> Iterator[Caller]:
    with (
        KnowledgeServer(WORLD, "1.13.3", api_key="dataset-key-of-hidden") as server,
        ChatServer(MODELS["reader"], api_key="chat-key-of-hidden") as chat,
    ):
        caller = Caller(
            {
                "dify_base_url": server.base_url,
                "dify_api_key": "dataset-key-of-hidden",
                "llm_base_url": chat.base_url,
                "llm_api_key": "chat-key-of-hidden",
                "llm_model": "reader",
                "endpoint_key": "ep",
            }
        )
        yield caller
        server_of(caller.credentials).api.client.close()  # the registry never closes what it made


def needed(tool: str, caller: Caller) -> dict[str, Any]:
    given: dict[str, Any] = {"query": QUESTION}
    if {"passages"} & {each.name for each in TOOLS[tool].takes}:
        given["passages"] = json.dumps(TOOLS["search"].reply({"query": QUESTION}, caller).json)
    if tool == "evaluate":
        given["questions"] = json.dumps({"question": QUESTION, "words": f"180 days{EVIL}"})
    if tool == "reflect":
        given["answer"] = f"Notice of termination is 180 days.{EVIL}"
    return {name: value for name, value in given.items() if name in {each.name for each in TOOLS[tool].takes}}


@pytest.mark.parametrize("output", ["full", "compact"])
@pytest.mark.parametrize("tool", TOOLS)
def test_no_field_of_a_tool_shows_what_nobody_may_see(tool: str, output: str, caller: Caller) -> None:
    reply = TOOLS[tool].reply(needed(tool, caller) | {"output": output}, caller)
    assert [] == [*hidden(reply.text), *hidden(reply.json), *hidden(reply.variables)]


def test_a_quote_stays_what_stands_at_its_span(caller: Caller) -> None:
    reply = TOOLS["quote"].reply({"query": QUESTION}, caller)
    texts = {each["segment_id"]: each["text"] for each in reply.json["passages"]}
    quotes = [
        (each["quote"], texts[each["segment_id"]][each["start"] : each["end"]])
        for each in reply.json["citations"]
    ]
    assert EVIL in quotes[0][0]
    assert [quote for quote, _ in quotes] == [stored for _, stored in quotes]
    assert {NOTICE.content, RENT.content} <= {each["content"] for each in reply.variables["result"]}


def body(answer: HttpAnswer) -> Any:
    assert isinstance(answer.body, bytes)
    return json.loads(answer.body)


@pytest.mark.parametrize("knowledge_id", ["auto", f"none{EVIL}"])
def test_no_record_and_no_refusal_shows_what_nobody_may_see(caller: Caller, knowledge_id: str) -> None:
    settings = {"top_k": 4, "score_threshold": 0.0}
    asked = {"query": QUESTION, "knowledge_id": knowledge_id, "retrieval_setting": settings}
    headers = {"authorization": "Bearer ep"}
    answer = body(
        answer_retrieval(HttpRequest("POST", headers, json.dumps(asked).encode()), caller.credentials)
    )
    assert answer.get("records") or "evil" in answer["error_msg"]
    assert [] == [*hidden(answer)]


@pytest.mark.parametrize(
    ("method", "params"),
    [
        *[("tools/call", {"name": tool, "arguments": {}}) for tool in TOOLS],
        ("tools/call", {"name": f"quote{EVIL}", "arguments": {}}),
        ("tools/call", {"name": "quote", "arguments": {f"query{EVIL}": "?"}}),
        ("tools/call", {"name": "quote", "arguments": {"query": QUESTION, "datasets": f"none{EVIL}"}}),
        (f"tools{EVIL}", {}),
        ("initialize", {"protocolVersion": EVIL}),
        ("tools/list", {"cursor": EVIL}),
    ],
)
def test_no_answer_to_an_mcp_client_shows_what_nobody_may_see(
    caller: Caller, method: str, params: dict[str, Any]
) -> None:
    if params.get("name") in TOOLS and not params["arguments"]:
        params = params | {"arguments": needed(params["name"], caller)}
    headers = {"authorization": "Bearer ep", "content-type": "application/json"}
    asked = {"jsonrpc": "2.0", "id": f"7{EVIL}", "method": method, "params": params}
    answer = body(answer_mcp(HttpRequest("POST", headers, json.dumps(asked).encode()), caller))
    assert f"7{EVIL}" == answer.pop("id")  # the client's own
    assert [] == [*hidden(answer)]


def test_a_field_that_is_new_is_printable_and_stored_words_are_verbatim() -> None:
    values = {
        "new": [{EVIL: EVIL}],
        "quote": EVIL,
        "citations": [{"quote": EVIL, "of": EVIL}],
        "content": EVIL,
    }
    assert ["new[], a name", "new[]." + EVIL, "quote", "citations[].of", "content"] == [*hidden(values)]
    assert [] == [*hidden(shown(values))]
    assert EVIL == shown(values)["citations"][0]["quote"]
