import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import httpx
import pytest

from evidence.errors import ModelError, ModelUnavailable, UnusableReply
from evidence.http.client import Client
from evidence.limits import Deadline
from evidence.llm.openai import OpenAIChat, chat_base_url
from evidence.model import Completion, Prompt

PROMPT = Prompt("aggregate", "f00d", "Answer from the passages as JSON.", "How long is the notice?")


def reply(content: Any, **more: Any) -> dict[str, Any]:
    return {
        "choices": [{"message": {"role": "assistant", "content": content}, "finish_reason": "stop"}],
        **more,
    }


class Api:
    """A chat API that answers as `answer` says and remembers the bodies."""

    def __init__(self, answer: Callable[[dict[str, Any]], tuple[int, Any]]) -> None:
        self.bodies: list[dict[str, Any]] = []
        self.paths: list[str] = []
        self._answer = answer

    def __call__(self, request: httpx.Request) -> httpx.Response:
        body = json.loads(request.content)
        self.bodies.append(body)
        self.paths.append(request.url.path)
        status, answer = self._answer(body)
        return httpx.Response(status, json=answer)


def chat(api: Api) -> OpenAIChat:
    client = Client("https://models.example.com/v1", "key", "chat", transport=httpx.MockTransport(api))
    return OpenAIChat(client, "small")


def test_a_completion_is_asked_for_and_read() -> None:
    usage = {"prompt_tokens": 12, "completion_tokens": 3}
    api = Api(lambda body: (200, reply("Thirty days.", usage=usage)))
    assert chat(api).complete(PROMPT, 300) == Completion("Thirty days.", 12, 3, "stop")
    assert api.paths == ["/v1/chat/completions"]
    assert api.bodies == [
        {
            "model": "small",
            "messages": [
                {"role": "system", "content": "Answer from the passages as JSON."},
                {"role": "user", "content": "How long is the notice?"},
            ],
            "max_tokens": 300,
            "stream": False,
            "temperature": 0,
            "response_format": {"type": "json_object"},
        }
    ]


def modern(body: dict[str, Any]) -> tuple[int, Any]:
    """Refuses, one at a time, what newer models refuse."""
    if "max_tokens" in body:
        words = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
        return 400, {"error": {"message": words, "param": "max_tokens", "code": "unsupported_parameter"}}
    if "temperature" in body:
        words = "Unsupported value: 'temperature' does not support 0 with this model."
        return 400, {"error": {"message": words, "param": "temperature", "code": "unsupported_value"}}
    if "response_format" in body:
        return 422, {"error": {"message": "response_format.type must be 'json_schema'"}}
    return 200, reply("Yes.")


def test_what_a_model_refuses_is_left_out_and_remembered() -> None:
    api = Api(modern)
    model = chat(api)
    assert model.complete(PROMPT, 300).text == "Yes."
    assert len(api.bodies) == 4
    assert model.complete(PROMPT, 300).text == "Yes."
    assert len(api.bodies) == 5
    assert {"max_completion_tokens"} == {name for name in api.bodies[4] if "max" in name}


def test_a_model_bound_to_a_run_shares_what_was_learnt() -> None:
    api = Api(modern)
    model = chat(api)
    bound = replace(model, client=model.client.until(Deadline(9)))
    assert bound.complete(PROMPT, 300).text == "Yes."
    assert model.complete(PROMPT, 300).text == "Yes."
    assert len(api.bodies) == 5


def test_a_refusal_that_stays_is_raised_and_not_remembered() -> None:
    words = "'max_tokens' or 'max_completion_tokens' is too large"
    api = Api(lambda body: (400, {"error": {"message": words}}))
    model = chat(api)
    for _ in range(2):
        with pytest.raises(ModelError, match="refused the request"):
            model.complete(PROMPT, 10)
    assert ["max_tokens", "max_completion_tokens"] * 2 == [
        name for body in api.bodies for name in body if name.startswith("max")
    ]


def test_another_refusal_is_not_repeated() -> None:
    api = Api(lambda body: (400, {"error": {"message": "content filter"}}))
    with pytest.raises(ModelError):
        chat(api).complete(PROMPT, 10)
    assert len(api.bodies) == 1


@pytest.mark.parametrize(
    "answer",
    [
        {},
        [],
        "text",
        {"choices": []},
        {"choices": [{}]},
        {"choices": [{"message": {"content": 7}}]},
        {"choices": {"0": {}}},
        {"error": {"message": "upstream"}},
        reply(""),
        reply(None),
        reply("  \n"),
        reply([{"type": "image"}]),
    ],
)
def test_an_answer_without_text_is_unusable(answer: Any) -> None:
    with pytest.raises(UnusableReply):
        chat(Api(lambda body: (200, answer))).complete(PROMPT, 10)


def test_an_answer_cut_before_its_first_word_says_why() -> None:
    cut = {"choices": [{"message": {"content": None}, "finish_reason": "length"}]}
    with pytest.raises(UnusableReply, match="max_tokens"):
        chat(Api(lambda body: (200, cut))).complete(PROMPT, 10)


def test_parts_are_joined_and_thoughts_are_left_to_the_reader() -> None:
    parts = [{"type": "text", "text": "<think>hm</think>"}, {"type": "text", "text": "No."}]
    answer = reply(parts, usage={"prompt_tokens": None, "completion_tokens": "3"})
    assert chat(Api(lambda body: (200, answer))).complete(PROMPT, 10) == Completion(
        "<think>hm</think>No.", finish_reason="stop"
    )


@pytest.mark.parametrize(
    ("expected", "reason"),
    [
        *[
            (True, said)
            for said in ("length", "MAX_TOKENS", "SAFETY", "incomplete", "content_filter", "error")
        ],
        *[(False, said) for said in ("stop", "STOP", "end_turn", "tool_calls", "FinishReason.STOP", "1", "")],
        *[(False, None), (False, 7), (True, "FinishReason.MAX_TOKENS")],
    ],
)
def test_a_reply_that_was_cut_off_is_told_from_a_whole_one(expected: bool, reason: Any) -> None:
    answer = {"choices": [{"message": {"content": "Thirty days, and"}, "finish_reason": reason}]}
    completion = chat(Api(lambda body: (200, answer))).complete(PROMPT, 10)
    assert (expected, "Thirty days, and") == (completion.truncated, completion.text)


@pytest.mark.parametrize(
    ("expected", "status"), [(ModelUnavailable, 429), (ModelUnavailable, 500), (ModelError, 401)]
)
def test_a_failing_model_is_told_apart(expected: type, status: int) -> None:
    with pytest.raises(ModelError) as raised:
        chat(Api(lambda body: (status, {}))).complete(PROMPT, 10)
    assert expected is type(raised.value)


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        ("https://api.openai.com/v1", "https://api.openai.com"),
        ("https://api.openai.com/v1", "https://api.openai.com/v1/chat/completions/"),
        ("https://api.deepseek.com", "https://api.deepseek.com/chat/completions"),
        ("https://example.com/v1beta/openai", "https://example.com/v1beta/openai/"),
        ("https://example.com/api/paas/v4", "https://example.com/api/paas/v4"),
        ("http://ollama:11434/v1", "http://ollama:11434"),
    ],
)
def test_the_address_of_a_chat_api_is_forgiven_its_spelling(expected: str, text: str) -> None:
    assert expected == chat_base_url(text)
