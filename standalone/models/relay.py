"""Lends the plugin a real model: reverse invocations go on to an OpenAI-compatible API."""

import time
from collections.abc import Mapping
from typing import Any

import httpx

from standalone.daemon.reverse import Handler, ReverseError
from standalone.models.reverse import demand_prompt, reply_piece, usage
from standalone.models.scripted import estimate_tokens, plain_text, prompt_tokens

_PATIENCE = 240.0  # seconds; the daemon waits as long for Dify


def relay(base_url: str, api_key: str, model: str) -> Handler:
    """Answers `llm` from `{base_url}/chat/completions`, always with `model`, always in one piece.

    Failures reach the plugin as the bare messages that Dify gives it, status included.
    """
    url = f"{base_url.strip().rstrip('/')}/chat/completions"
    headers = {"Authorization": f"Bearer {api_key}"}

    def answer(kind: str, request: Mapping[str, Any]) -> Mapping[str, Any] | None:
        if kind != "llm":
            return None
        demand_prompt(request["prompt_messages"])
        started = time.monotonic()
        reply = _post(url, headers, _body(model, request))
        choice = reply["choices"][0]
        text = choice["message"].get("content") or ""
        counted = reply.get("usage") or {}
        spent = usage(
            counted.get("prompt_tokens", prompt_tokens(request["prompt_messages"])),
            counted.get("completion_tokens", estimate_tokens(text)),
            time.monotonic() - started,
        )
        return reply_piece(model, 0, text, spent, choice.get("finish_reason"))

    return answer


def _body(model: str, request: Mapping[str, Any]) -> dict[str, Any]:
    parameters = dict(request.get("completion_params") or {})
    if isinstance(parameters.get("response_format"), str):  # Dify's form field is a plain string
        parameters["response_format"] = {"type": parameters["response_format"]}
    if request.get("stop"):
        parameters["stop"] = request["stop"]
    messages = [
        {"role": message["role"], "content": plain_text(message)} for message in request["prompt_messages"]
    ]
    return {**parameters, "model": model, "messages": messages}


def _post(url: str, headers: Mapping[str, str], body: Mapping[str, Any]) -> Mapping[str, Any]:
    try:
        answer = httpx.post(url, headers=headers, json=body, timeout=_PATIENCE)
        answer.raise_for_status()
        reply: Mapping[str, Any] = answer.json()
    except httpx.HTTPStatusError as error:
        raise ReverseError(
            f"read llm model failed: {error.response.status_code} {error.response.text[:500]}"
        ) from error
    except (httpx.HTTPError, ValueError) as error:
        raise ReverseError(f"invoke llm model failed: {type(error).__name__}: {error}") from error
    if not reply.get("choices"):
        raise ReverseError("read llm model failed: the answer has no choices")
    return reply
