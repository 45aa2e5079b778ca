"""Embedder, answered by an OpenAI-compatible /embeddings API."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evidence.errors import UnusableReply
from evidence.http.client import Client, address
from evidence.index.vectors import Vectors

_MOST_DIMENSIONS = 8_192


def embedding_base_url(text: str) -> str:
    """The base of an embedding API, typed with or without /embeddings; raises Misconfigured."""
    return address(text).removesuffix("/embeddings")


@dataclass(frozen=True, slots=True)
class EmbeddingAPI:
    """Thread-safe; one request a call."""

    client: Client
    model: str

    @property
    def name(self) -> str:
        """What tells one model from another, so that vectors of two are never compared."""
        return f"{self.client.base_url} {self.model}"

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """A row a text, in their order. Raises ModelError."""
        answer = self.client.post("embeddings", {"model": self.model, "input": list(texts)})
        rows = answer.get("data") if isinstance(answer, Mapping) else None
        by_index = dict(map(_row, rows)) if isinstance(rows, list) else {}
        if by_index.keys() != set(range(len(texts))):
            raise UnusableReply(f"{self.client.place} did not give a vector for each text")
        if len({len(row) for row in by_index.values()}) != 1:
            raise UnusableReply(f"{self.client.place} gave vectors of different lengths")
        return np.stack([by_index[at] for at in range(len(texts))])


def _row(row: Any) -> tuple[int, Vectors]:
    """Index and vector of one result; (-1, empty) where it is none."""
    values = row.get("embedding") if isinstance(row, Mapping) else None
    if (
        not isinstance(values, list)
        or not 0 < len(values) <= _MOST_DIMENSIONS
        or type(row.get("index")) is not int
    ):
        return -1, np.zeros(0, dtype=np.float32)
    if not all(type(value) in {int, float} for value in values):
        return -1, np.zeros(0, dtype=np.float32)
    vector = np.asarray(values, dtype=np.float32)
    return (row["index"], vector) if np.isfinite(vector).all() and vector.any() else (-1, vector)
