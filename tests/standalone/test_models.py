"""The stand-ins for models: by reverse invocation and over HTTP."""

import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from standalone.daemon import Handler, ReverseError, first_of
from standalone.daemon.reverse import answers
from standalone.models import (
    ChatServer,
    ModelRefusal,
    Reply,
    RerankServer,
    ScriptedModel,
    relay,
    reverse_embedding,
    reverse_llm,
    reverse_rerank,
    shared_words,
)
from standalone.models.scripted import Message, cut_off, estimate_tokens

KEY = "the-right-key"
FRUIT = ["a pear", "an apple and a pear", "a stone"]


def question(text: str) -> list[Message]:
    return [{"role": "user", "content": text}]


def llm_request(text: str, *, stream: bool = False, **parameters: Any) -> dict[str, Any]:
    messages = question(text)
    return {
        "model": "m",
        "prompt_messages": messages,
        "stream": stream,
        "stop": None,
        "completion_params": parameters,
    }


def ask(handler: Handler, request: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return list(answers(handler, "llm", request))


def texts(pieces: Sequence[Mapping[str, Any]]) -> list[str]:
    return [piece["delta"]["message"]["content"] for piece in pieces]


def echo(messages: Sequence[Message]) -> str:
    return f"echo {messages[-1]['content']}"


# --- the scripted model ------------------------------------------------------------------------


def test_a_script_is_read_line_by_line_and_then_refuses() -> None:
    model = ScriptedModel(["one", ModelRefusal("slow down", 429), "three"])
    assert model(question("a")) == "one"
    with pytest.raises(ModelRefusal, match="slow down") as refused:
        model(question("b"))
    assert refused.value.status == 429
    assert model(question("c")) == "three"
    with pytest.raises(ModelRefusal, match="only 3 lines"):
        model(question("d"))
    assert [call[0]["content"] for call in model.calls] == ["a", "b", "c", "d"]


def test_a_script_may_be_a_function_of_the_messages() -> None:
    assert ScriptedModel(echo)(question("hello")) == "echo hello"


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("abcd", 1), ("abcde", 2), ("知識庫", 3), ("知識 ab", 3)]
)
def test_tokens_are_estimated_by_script(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens


# --- reverse invocation ------------------------------------------------------------------------


def test_an_unstreamed_reply_is_one_piece_with_its_usage() -> None:
    (piece,) = ask(reverse_llm(ScriptedModel(echo)), llm_request("one two"))
    assert texts([piece]) == ["echo one two"]
    usage = piece["delta"]["usage"]
    assert (usage["prompt_tokens"], usage["completion_tokens"], usage["total_tokens"]) == (6, 3, 9)


def test_a_streamed_reply_comes_in_words_and_the_usage_comes_last() -> None:
    pieces = ask(reverse_llm(ScriptedModel(["one  two\nthree "])), llm_request("x", stream=True))
    assert texts(pieces) == ["one", "  two", "\nthree", " "]
    assert [piece["delta"]["usage"] is not None for piece in pieces] == [False, False, False, True]
    assert texts(ask(reverse_llm(ScriptedModel([""])), llm_request("x", stream=True))) == [""]


def test_a_reply_is_cut_off_where_the_tokens_are_spent_and_a_streamed_one_says_so() -> None:
    model = reverse_llm(ScriptedModel(lambda _messages: "one two three four"))
    streamed = ask(model, llm_request("x", stream=True, max_tokens=2))
    assert "".join(texts(streamed)) == "one two "
    assert [piece["delta"]["finish_reason"] for piece in streamed] == [None, None, "length"]
    (whole,) = ask(model, llm_request("x", max_tokens=2))
    assert (whole["delta"]["message"]["content"], whole["delta"]["finish_reason"]) == ("one two ", "")
    assert whole["delta"]["usage"]["completion_tokens"] == 2


@pytest.mark.parametrize(
    ("text", "most", "expected"),
    [
        ("abcd", 1, ("abcd", "stop")),
        ("abcde", 1, ("abcd", "length")),
        ("知識庫", 2, ("知識", "length")),
        ("知識 ab", 2, ("知識", "length")),
        ("x", 0, ("", "length")),
        ("x", None, ("x", "stop")),
    ],
)
def test_no_more_tokens_are_written_than_are_asked_for(
    text: str, most: int | None, expected: tuple[str, str]
) -> None:
    assert cut_off(text, most) == expected


def test_the_latency_is_waited_for_and_counted() -> None:
    (piece,) = ask(reverse_llm(ScriptedModel(echo), latency=0.1), llm_request("x"))
    assert piece["delta"]["usage"]["latency"] >= 0.1


def test_an_empty_prompt_and_a_refusal_are_errors_of_the_invocation() -> None:
    model = reverse_llm(ScriptedModel([ModelRefusal("rate limit", 429)]))
    with pytest.raises(ReverseError, match="has no content"):
        ask(model, llm_request(""))
    with pytest.raises(ReverseError, match="read llm model failed: 429 rate limit"):
        ask(model, llm_request("x"))


def test_reranking_sorts_cuts_and_keeps_the_index() -> None:
    request = {"model": "r", "query": "apple pear", "docs": FRUIT, "score_threshold": 0.4, "top_n": 5}
    expected = [
        {"index": 1, "text": "an apple and a pear", "score": 1.0},
        {"index": 0, "text": "a pear", "score": 0.5},
    ]
    assert list(answers(reverse_rerank(), "rerank", request)) == [{"model": "r", "docs": expected}]
    first = list(answers(reverse_rerank(), "rerank", request | {"top_n": 1}))
    assert first == [{"model": "r", "docs": expected[:1]}]


def test_texts_with_the_same_words_have_the_same_vector() -> None:
    request = {"model": "e", "texts": ["red apple", "Apple, red!", "blue"]}
    (answer,) = answers(reverse_embedding(), "text_embedding", request)
    one, two, other = answer["embeddings"]
    assert one == two
    assert one != other
    assert sum(number * number for number in one) == pytest.approx(1.0)


def test_handlers_are_asked_in_turn_and_an_unknown_kind_is_refused() -> None:
    both = first_of(reverse_rerank(), reverse_llm(ScriptedModel(["yes"])))
    assert texts(ask(both, llm_request("x"))) == ["yes"]
    with pytest.raises(ReverseError, match="type tts"):
        list(answers(both, "tts", {}))


# --- the chat API ------------------------------------------------------------------------------


@pytest.fixture
def chat() -> Iterator[ChatServer]:
    with ChatServer(ScriptedModel(echo), api_key=KEY) as server:
        yield server


def post(server: ChatServer | RerankServer, path: str, body: Any, key: str = KEY) -> httpx.Response:
    headers = {"Authorization": f"Bearer {key}"}
    return httpx.post(server.base_url + path, json=body, headers=headers, timeout=10)


def complete(server: ChatServer, text: str, key: str = KEY) -> httpx.Response:
    body = {"model": "m", "messages": question(text), "temperature": 0}
    return post(server, "/chat/completions", body, key)


def test_a_chat_completion_has_the_reply_and_counts_tokens(chat: ChatServer) -> None:
    answer = complete(chat, "hello").json()
    assert answer["choices"][0]["message"] == {"role": "assistant", "content": "echo hello"}
    assert answer["usage"] == {"prompt_tokens": 6, "completion_tokens": 3, "total_tokens": 9}
    (call,) = chat.log
    assert (call.model, call.prompt_tokens, call.parameters) == ("m", 6, {"temperature": 0})


@pytest.mark.parametrize("name", ["max_tokens", "max_completion_tokens"])
def test_a_chat_completion_is_cut_off_where_the_tokens_are_spent(chat: ChatServer, name: str) -> None:
    body = {"model": "m", "messages": question("one two three four"), name: 3}
    answer = post(chat, "/chat/completions", body).json()
    assert answer["choices"][0]["message"]["content"] == "echo one two"
    assert answer["choices"][0]["finish_reason"] == "length"
    assert answer["usage"]["completion_tokens"] == 3


def test_a_wrong_key_gets_401_and_no_reply(chat: ChatServer) -> None:
    answer = complete(chat, "hello", key="another")
    assert answer.status_code == 401
    assert answer.json()["error"]["message"] == "the API key is not valid"
    assert chat.log == ()


@pytest.mark.parametrize(
    "body",
    [
        {"messages": [{"role": "user", "content": "x"}]},
        {"model": "m"},
        {"model": "m", "messages": []},
        {"model": "m", "messages": ["x"]},
        {"model": "m", "messages": [{"role": "user", "content": "x"}], "stream": True},
        ["not an object"],
    ],
)
def test_a_malformed_request_gets_400(chat: ChatServer, body: Any) -> None:
    assert post(chat, "/chat/completions", body).status_code == 400


def test_an_unknown_path_gets_404_and_another_method_405(chat: ChatServer) -> None:
    assert post(chat, "/completions", {}).status_code == 404
    assert httpx.get(chat.base_url + "/models", timeout=10).status_code == 405


def test_a_fault_replaces_the_answer_until_it_is_lifted(chat: ChatServer) -> None:
    chat.fault = lambda _request: Reply(429, "slow down", {"Retry-After": "1"})
    answer = complete(chat, "hello")
    assert (answer.status_code, answer.text, answer.headers["Retry-After"]) == (429, "slow down", "1")
    chat.fault = lambda request: None if request.body["messages"] else Reply(500, {})
    assert complete(chat, "hello").status_code == 200
    assert len(chat.log) == 1


def test_a_refusal_of_the_model_is_an_http_error() -> None:
    with ChatServer(ScriptedModel([ModelRefusal("overloaded", 503)])) as server:
        answer = complete(server, "hello")
    assert (answer.status_code, answer.json()["error"]["message"]) == (503, "overloaded")


def test_twenty_requests_are_served_at_once_over_kept_connections() -> None:
    all_here = threading.Barrier(20, timeout=30)

    def together(messages: Sequence[Message]) -> str:
        all_here.wait()
        return echo(messages)

    with (
        ChatServer(ScriptedModel(together)) as server,
        httpx.Client(base_url=server.base_url) as client,
        ThreadPoolExecutor(20) as threads,
    ):

        def one(number: int) -> str:
            body = {"model": "m", "messages": question(str(number))}
            reply = client.post("/chat/completions", json=body).json()
            return str(reply["choices"][0]["message"]["content"])

        replies = list(threads.map(one, range(20)))
    assert replies == [f"echo {number}" for number in range(20)]


def test_close_leaves_no_thread_though_a_client_stays_connected() -> None:
    before = set(threading.enumerate())
    server = ChatServer(ScriptedModel(echo)).start()
    with httpx.Client(base_url=server.base_url) as client:
        assert client.post("/chat/completions", json={}).status_code == 400
        server.close()
        server.close()
        assert set(threading.enumerate()) <= before
        with pytest.raises(httpx.TransportError):
            client.post("/chat/completions", json={})


def test_a_server_that_was_not_started_has_no_address() -> None:
    with pytest.raises(RuntimeError, match="before it is started"):
        _ = ChatServer(ScriptedModel(echo)).base_url


# --- the reranker ------------------------------------------------------------------------------


def test_the_reranker_answers_as_jina_and_cohere_do() -> None:
    body = {"model": "r", "query": "apple pear", "documents": FRUIT, "top_n": 2}
    expected = [{"index": 1, "relevance_score": 1.0}, {"index": 0, "relevance_score": 0.5}]
    with RerankServer(api_key=KEY) as server:
        assert post(server, "/rerank", body).json() == {"model": "r", "results": expected}
        shown = post(server, "/rerank", body | {"top_n": 1, "return_documents": True}).json()
        assert shown["results"] == [expected[0] | {"document": {"text": FRUIT[1]}}]
        assert post(server, "/rerank", body, key="another").status_code == 401
        assert post(server, "/rerank", {"query": "apple"}).status_code == 400
        assert len(server.log) == 2


def test_the_reranker_answers_as_tei_does_where_it_is_sent_texts() -> None:
    with RerankServer(shared_words) as server:
        answer = post(server, "/rerank", {"query": "pear", "texts": FRUIT[:2]}).json()
    assert answer == [{"index": 0, "score": 1.0}, {"index": 1, "score": 1.0}]


# --- the relay to a real model -----------------------------------------------------------------


def test_the_relay_forwards_prompt_and_parameters_and_brings_back_reply_and_usage(chat: ChatServer) -> None:
    request = llm_request("hello", temperature=0.2, response_format="json_object") | {"stop": ["END"]}
    (piece,) = ask(relay(chat.base_url + "/", KEY, "real"), request)
    assert texts([piece]) == ["echo hello"]
    assert piece["delta"]["usage"]["total_tokens"] == 9
    (call,) = chat.log
    assert (call.model, call.messages) == ("real", ({"role": "user", "content": "hello"},))
    expected = {"temperature": 0.2, "response_format": {"type": "json_object"}, "stop": ["END"]}
    assert call.parameters == expected
    (cut,) = ask(relay(chat.base_url, KEY, "real"), llm_request("one two three four", max_tokens=2))
    assert (texts([cut]), cut["delta"]["finish_reason"]) == (["echo one"], "length")


def test_a_failure_behind_the_relay_is_told_without_the_key(chat: ChatServer) -> None:
    with pytest.raises(ReverseError, match="read llm model failed: 401") as refused:
        ask(relay(chat.base_url, "another-key", "real"), llm_request("x"))
    assert "another-key" not in str(refused.value)
    chat.fault = lambda _request: Reply(200, "<html>")
    with pytest.raises(ReverseError, match="invoke llm model failed: JSONDecodeError"):
        ask(relay(chat.base_url, KEY, "real"), llm_request("x"))
    chat.fault = lambda _request: Reply(200, {"choices": []})
    with pytest.raises(ReverseError, match="no choices"):
        ask(relay(chat.base_url, KEY, "real"), llm_request("x"))


def test_an_unreachable_model_is_an_error_of_the_invocation() -> None:
    with ChatServer(ScriptedModel(echo)) as server:
        gone = server.base_url
    with pytest.raises(ReverseError, match="invoke llm model failed: ConnectError"):
        ask(relay(gone, KEY, "real"), llm_request("x"))
