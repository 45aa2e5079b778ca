"""Models for a plugin's reverse invocations: handlers for `PluginProcess(on_invoke=…)`.

The objects have the shapes of the SDK's entities (LLMResultChunk, RerankResult, TextEmbeddingResult).
Join several handlers with `standalone.daemon.first_of`.
"""

import re
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from standalone.daemon.reverse import Handler, ReverseError
from standalone.models.scoring import Embed, Score, rank, shared_words, word_vector
from standalone.models.scripted import (
    Message,
    Model,
    ModelRefusal,
    cut_off,
    estimate_tokens,
    plain_text,
    prompt_tokens,
)

_PIECE = re.compile(r"\s*\S+|\s+$")  # a word with the blanks before it; nothing is lost


def usage(prompt: int, completion: int, seconds: float) -> dict[str, Any]:
    """LLMUsage: tokens counted, prices zero."""
    prices = dict.fromkeys(
        (
            "prompt_unit_price",
            "prompt_price_unit",
            "prompt_price",
            "completion_unit_price",
            "completion_price_unit",
            "completion_price",
            "total_price",
        ),
        "0",
    )
    tokens = {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
    }
    return {**prices, **tokens, "currency": "USD", "latency": seconds}


def reply_piece(
    model: str, index: int, text: str, spent: Mapping[str, Any] | None, ended: str | None = None
) -> dict[str, Any]:
    """One LLMResultChunk; the one with the usage is the last, and says why the reply ended."""
    delta = {
        "index": index,
        "message": {"role": "assistant", "content": text, "tool_calls": []},
        "usage": spent,
        "finish_reason": ended,
    }
    return {"model": model, "prompt_messages": [], "system_fingerprint": "", "delta": delta}


def demand_prompt(messages: Sequence[Message]) -> None:
    """Refuse, as the daemon does, a prompt without messages or with an empty one."""
    if not messages or not all(plain_text(message) for message in messages):
        raise ReverseError("invoke llm model failed: a prompt message has no content")


def reverse_llm(model: Model, latency: float = 0.0) -> Handler:
    """Answers `llm` after `latency` seconds: in one piece, or word by word where it shall stream.

    The reply is cut off at the request's max_tokens. Why it ended is told only where it streams, as Dify does.
    """

    def pieces(request: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
        messages = request["prompt_messages"]
        demand_prompt(messages)
        started = time.monotonic()
        time.sleep(latency)
        try:
            text, ended = cut_off(model(messages), request["completion_params"].get("max_tokens"))
        except ModelRefusal as refusal:
            raise ReverseError(f"read llm model failed: {refusal.status} {refusal}") from refusal
        spent = usage(prompt_tokens(messages), estimate_tokens(text), time.monotonic() - started)
        words = _PIECE.findall(text) if request.get("stream") else [text]
        *first, last = words or [""]
        for index, word in enumerate(first):
            yield reply_piece(request["model"], index, word, None)
        yield reply_piece(request["model"], len(first), last, spent, ended if request.get("stream") else "")

    return lambda kind, request: pieces(request) if kind == "llm" else None


def reverse_rerank(
    score: Score = shared_words, latency: float = 0.0, known: Collection[str] | None = None
) -> Handler:
    """Answers `rerank`: best first, cut by `score_threshold` and `top_n` of the request.

    Refuses, in Dify's words, a model that is not among those `known` as provider/model, where they are given.
    """

    def answer(kind: str, request: Mapping[str, Any]) -> Mapping[str, Any] | None:
        if kind != "rerank":
            return None
        if known is not None and f"{request['provider']}/{request['model']}" not in known:
            words = f"Model {request['model']} credentials is not initialized."
            raise ReverseError(f"invoke rerank model failed: {words}")
        time.sleep(latency)
        ranked = rank(score, request["query"], request["docs"])
        kept = [pair for pair in ranked if pair[1] >= request["score_threshold"]][: request["top_n"]]
        docs = [{"index": at, "text": request["docs"][at], "score": points} for at, points in kept]
        return {"model": request["model"], "docs": docs}

    return answer


def reverse_embedding(embed: Embed = word_vector, latency: float = 0.0) -> Handler:
    """Answers `text_embedding`: one vector a text, in order."""

    def answer(kind: str, request: Mapping[str, Any]) -> Mapping[str, Any] | None:
        if kind != "text_embedding":
            return None
        time.sleep(latency)
        tokens = sum(estimate_tokens(text) for text in request["texts"])
        prices = dict.fromkeys(("unit_price", "price_unit", "total_price"), "0")
        spent = {"tokens": tokens, "total_tokens": tokens, **prices, "currency": "USD", "latency": latency}
        vectors = [list(embed(text)) for text in request["texts"]]
        return {"model": request["model"], "embeddings": vectors, "usage": spent}

    return answer
