"""Models over HTTP: OpenAI-compatible chat and embedding APIs, and a Jina-, Cohere- or TEI-compatible reranker."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any

from standalone.models.http_server import JsonServer, Reply, Request, error
from standalone.models.scoring import Score, rank, shared_words
from standalone.models.scripted import Message, Model, ModelRefusal, cut_off, estimate_tokens, prompt_tokens

type Embed = Callable[[Sequence[str]], Iterable[Iterable[float]]]


@dataclass(frozen=True, slots=True)
class ChatCall:
    """One request for a completion, as it arrived."""

    model: str
    messages: tuple[Message, ...]
    prompt_tokens: int  # estimated
    parameters: Mapping[str, Any]  # the rest of the body: temperature, response_format, …


class ChatServer(JsonServer):
    """`POST {base_url}/chat/completions`, not streamed, cut off at the limit of tokens that is sent.

    `model` replies, `latency` seconds later; `log` keeps the calls, oldest first. A wrong key
    gets 401, a malformed body 400, a ModelRefusal its own status, all in OpenAI's error shape.
    """

    def __init__(self, model: Model, latency: float = 0.0, api_key: str = "") -> None:
        super().__init__(latency, api_key)
        self._model = model
        self._log: list[ChatCall] = []
        self._lock = Lock()

    @property
    def log(self) -> tuple[ChatCall, ...]:
        with self._lock:
            return tuple(self._log)

    def reply(self, request: Request) -> Reply:
        if request.path != "/v1/chat/completions":
            return error(404, f"no such path: {request.path}")
        refusal = _unusable(request.body)
        if refusal:
            return error(400, refusal)
        call = _call(request.body)
        with self._lock:
            self._log.append(call)
            number = len(self._log)
        try:
            text = self._model(call.messages)
        except ModelRefusal as refused:
            return error(refused.status, str(refused))
        return Reply(200, _completion(call, number, text))


def _unusable(body: Mapping[str, Any]) -> str | None:
    messages = body.get("messages")
    if not body.get("model"):
        return "you must provide a model"
    if not isinstance(messages, list) or not messages:
        return "messages must be a list with at least one message"
    if not all(isinstance(message, dict) and message.get("role") for message in messages):
        return "every message needs a role and a content"
    return "this stand-in does not stream" if body.get("stream") else None


def _call(body: Mapping[str, Any]) -> ChatCall:
    messages = tuple(body["messages"])
    rest = {name: value for name, value in body.items() if name not in ("model", "messages")}
    return ChatCall(body["model"], messages, prompt_tokens(messages), rest)


def _completion(call: ChatCall, number: int, written: str) -> dict[str, Any]:
    limits = (call.parameters.get(name) for name in ("max_tokens", "max_completion_tokens"))
    text, ended = cut_off(written, next((limit for limit in limits if limit), None))
    completion = estimate_tokens(text)
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": ended}
    usage = {
        "prompt_tokens": call.prompt_tokens,
        "completion_tokens": completion,
        "total_tokens": call.prompt_tokens + completion,
    }
    return {
        "id": f"chatcmpl-{number}",
        "object": "chat.completion",
        "created": 0,
        "model": call.model,
        "choices": [choice],
        "usage": usage,
    }


class EmbeddingServer(JsonServer):
    """`POST {base_url}/embeddings`: the rows that `embed` makes of the texts, in OpenAI's shape."""

    def __init__(self, embed: Embed, latency: float = 0.0, api_key: str = "") -> None:
        super().__init__(latency, api_key)
        self._embed = embed

    def reply(self, request: Request) -> Reply:
        texts = request.body.get("input")
        if request.path != "/v1/embeddings":
            return error(404, f"no such path: {request.path}")
        if not request.body.get("model") or not isinstance(texts, list):
            return error(400, "model and input are required")
        rows = [
            {"object": "embedding", "index": at, "embedding": [float(value) for value in row]}
            for at, row in enumerate(self._embed(texts))
        ]
        return Reply(200, {"object": "list", "model": request.body["model"], "data": rows})


class RerankServer(JsonServer):
    """`POST {base_url}/rerank`, also without `/v1`.

    With `documents` it answers as Jina and Cohere do: `{"results": [{"index", "relevance_score"}]}`,
    cut to `top_n`, with the document where `return_documents` asks for it. With `texts` it
    answers as TEI does: `[{"index", "score"}]`. `log` keeps the bodies, oldest first.
    """

    def __init__(self, score: Score = shared_words, latency: float = 0.0, api_key: str = "") -> None:
        super().__init__(latency, api_key)
        self._score = score
        self._log: list[Mapping[str, Any]] = []
        self._lock = Lock()

    @property
    def log(self) -> tuple[Mapping[str, Any], ...]:
        with self._lock:
            return tuple(self._log)

    def reply(self, request: Request) -> Reply:
        body = request.body
        if request.path not in ("/v1/rerank", "/rerank"):
            return error(404, f"no such path: {request.path}")
        given = body.get("documents") or body.get("texts")
        if not isinstance(body.get("query"), str) or not isinstance(given, list):
            return error(400, "query and documents are required")
        with self._lock:
            self._log.append(body)
        texts = [item["text"] if isinstance(item, dict) else str(item) for item in given]
        ranked = rank(self._score, body["query"], texts)
        if "texts" in body:
            return Reply(200, [{"index": at, "score": points} for at, points in ranked])
        results = [_result(at, points, texts, body) for at, points in ranked[: body.get("top_n")]]
        return Reply(200, {"model": body.get("model"), "results": results})


def _result(at: int, points: float, texts: list[str], body: Mapping[str, Any]) -> dict[str, Any]:
    result: dict[str, Any] = {"index": at, "relevance_score": points}
    return result | {"document": {"text": texts[at]}} if body.get("return_documents") else result
