"""Reranker, answered by a /rerank API: Jina and Cohere (documents), or Text Embeddings Inference (texts)."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from evidence.errors import UnusableReply
from evidence.http.client import Client, address
from evidence.http.failures import PathMissing, Refused
from evidence.llm.remembered import Remembered


def rerank_base_url(text: str) -> str:
    """The base of a rerank API, typed with or without /rerank; raises Misconfigured."""
    return address(text).removesuffix("/rerank")


@dataclass(frozen=True, slots=True)
class _Dialect:
    path: str = "rerank"
    texts_are: Literal["documents", "texts"] = "documents"


@dataclass(frozen=True, slots=True)
class RerankAPI:
    """Thread-safe. The dialect that was understood is kept; another is tried once when it was not."""

    client: Client
    model: str = ""
    dialect: Remembered[_Dialect | None] = field(default_factory=lambda: Remembered(None))

    def scores(self, query: str, texts: Sequence[str]) -> Sequence[float | None]:
        """One score a text, in their order; None for a text that got none."""
        if not texts:
            return ()
        dialect = self.dialect.get() or _Dialect(texts_are="documents" if self.model else "texts")
        try:
            answer = self._ask(query, texts, dialect)
        except PathMissing:
            dialect = replace(dialect, path="v1/rerank" if dialect.path == "rerank" else "rerank")
            answer = self._ask(query, texts, dialect)
        except Refused:
            dialect = replace(dialect, texts_are="texts" if dialect.texts_are == "documents" else "documents")
            answer = self._ask(query, texts, dialect)
        self.dialect.put(dialect)
        return self._scores(answer, len(texts))

    def _ask(self, query: str, texts: Sequence[str], dialect: _Dialect) -> Any:
        if dialect.texts_are == "texts":
            body: dict[str, Any] = {"query": query, "texts": list(texts)}
        else:
            body = {"query": query, "documents": list(texts), "top_n": len(texts)}
        if self.model:
            body["model"] = self.model
        return self.client.post(dialect.path, body)

    def _scores(self, answer: Any, count: int) -> tuple[float | None, ...]:
        rows = answer.get("results", answer.get("data")) if isinstance(answer, Mapping) else answer
        if not isinstance(rows, list):
            raise UnusableReply(f"{self.client.place} returned an unexpected response format")
        by_index: dict[int, float] = {}
        for row in rows:
            index, score = _row(row)
            if 0 <= index < count and math.isfinite(score):
                by_index.setdefault(index, score)
        if not by_index:
            raise UnusableReply(f"{self.client.place} scored none of the texts")
        return tuple(by_index.get(index) for index in range(count))


def _row(row: Any) -> tuple[int, float]:
    """Index and score of one result; (-1, nan) when it is none."""
    if not isinstance(row, Mapping):
        return -1, math.nan
    index, score = row.get("index"), row.get("relevance_score", row.get("score"))
    if type(index) is not int or not isinstance(score, int | float):
        return -1, math.nan
    return index, float(score)
