"""LLM and Reranker, answered by the models of the workspace (Dify's reverse invocation)."""

import math
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from typing import Any

from evidence.errors import InvalidRequest, UnusableReply
from evidence.model import LONGEST_REPLY, Completion, Prompt
from host.causes import UNKNOWN, classified
from host.parameters import RERANK_FORM, provider_and_model

# Nothing is cut by score: rerankers of raw logits score below zero too. 0 would count as missing.
_NO_THRESHOLD = -1_000_000.0


def translated[R](call: Callable[[], R], what: str, unknown: str = UNKNOWN) -> R:
    """What Dify answers, after 250 s of silence at the latest; raises the ModelError that its failure means."""
    try:
        return call()
    except Exception as error:  # noqa: BLE001 - the SDK raises bare Exception for every failure
        raise classified(error, what, unknown) from None


def gathered(pieces: Generator[Any], limit: Any) -> Completion:
    """The reply as a whole, read no further than any reply is; it is cut off where the `limit` of tokens is spent.

    Not every provider says why a reply ended, and those that count tokens do so in one of the pieces.
    """
    texts, ended, spent, length = list[str](), "", (0, 0), 0
    with closing(pieces):
        for piece in pieces:
            delta = piece.delta
            texts.append(delta.message.content if isinstance(delta.message.content, str) else "")
            ended = delta.finish_reason or ended
            if delta.usage:
                spent = (int(delta.usage.prompt_tokens or 0), int(delta.usage.completion_tokens or 0))
            length += len(texts[-1])
            if length > LONGEST_REPLY:
                ended = "length"
                break
    if not ended and isinstance(limit, int) and 0 < limit <= spent[1]:
        ended = "length"
    return Completion("".join(texts), *spent, ended)


class SessionLLM:
    """The chat model that a person chose. `model` is the selector's value; its own parameters win over ours."""

    def __init__(self, session: Any, model: Mapping[str, Any]) -> None:
        self._session = session
        name = str(model.get("model") or "")
        if not name or not model.get("provider"):
            raise InvalidRequest(
                "`model` must be a model of the workspace: choose one in the tool's settings"
            )
        self._model = {**model, "mode": model.get("mode") or "chat", "model_type": "llm"}
        self._what = f"the workspace's model {_one_line(name)}"

    def complete(self, prompt: Prompt, max_tokens: int) -> Completion:
        from dify_plugin.entities.model.message import (  # noqa: PLC0415 - the SDK patches sockets and threads
            PromptMessage,
            SystemPromptMessage,
            UserPromptMessage,
        )

        parameters = {"max_tokens": max_tokens} | dict(self._model.get("completion_params") or {})
        model = {**self._model, "completion_params": parameters}
        messages: list[PromptMessage] = [
            kind(content=words)
            for kind, words in ((SystemPromptMessage, prompt.system), (UserPromptMessage, prompt.user))
            if words.strip()  # the daemon refuses an empty message
        ]

        def ask() -> Completion:
            # in pieces, because only they tell why a reply ended
            pieces = self._session.model.llm.invoke(model_config=model, prompt_messages=messages, stream=True)
            return gathered(pieces, parameters["max_tokens"])

        reply = translated(ask, self._what)
        if not reply.text.strip():
            raise UnusableReply(
                f"{self._what} answered nothing; a reasoning model needs a larger max_tokens in its settings"
            )
        return reply


class SessionReranker:
    """A rerank model of the workspace, named "provider/model" or "organisation/plugin/provider/model"."""

    def __init__(self, session: Any, name: str) -> None:
        self._session = session
        self._provider, self._model = provider_and_model(name)
        self._what = f"the workspace's rerank model {_one_line(self._model)}"

    def scores(self, query: str, texts: Sequence[str]) -> Sequence[float | None]:
        """One score a text; None for a text that got none."""
        from dify_plugin.entities.model.rerank import (  # noqa: PLC0415 - the SDK patches sockets and threads
            RerankModelConfig,
        )

        if not texts:
            return ()
        model = RerankModelConfig(
            provider=self._provider, model=self._model, score_threshold=_NO_THRESHOLD, top_n=len(texts)
        )

        def ask() -> Any:
            return self._session.model.rerank.invoke(model, docs=list(texts), query=query)

        unknown = f"the workspace does not know it; `rerank_model` is {RERANK_FORM}"
        reply = translated(ask, self._what, unknown)
        scored = ((doc.index, float(doc.score)) for doc in reply.docs)
        by_index = {at: score for at, score in scored if 0 <= at < len(texts) and math.isfinite(score)}
        if not by_index:
            raise UnusableReply(f"{self._what} scored none of the texts")
        return tuple(by_index.get(index) for index in range(len(texts)))


def _one_line(model: str) -> str:
    """A name fit for one line of a message."""
    return " ".join(model.split())[:80]
