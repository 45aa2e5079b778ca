"""Vectors kept between runs, by what they are of: a text's vector is worked out once."""

import hashlib
import sqlite3
import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from standalone.knowledge.sentence_model import SentenceModel, Vectors

_TOGETHER = 256  # texts worked out before they are written down


class StoredVectors:
    """A sentence model that remembers, in a file of `folder`, which is made where it is not there."""

    def __init__(self, model: SentenceModel, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._model = model
        self._lock = threading.Lock()
        self._file = sqlite3.connect(folder / "vectors.sqlite", check_same_thread=False, isolation_level=None)
        self._file.execute("CREATE TABLE IF NOT EXISTS vectors (of BLOB PRIMARY KEY, vector BLOB NOT NULL)")

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def languages(self) -> frozenset[str]:
        return self._model.languages

    def close(self) -> None:
        with self._lock:
            self._file.close()

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """A row a text, in the order given; those not kept yet are worked out and kept."""
        keys = [hashlib.blake2b(f"{self.name}\0{text}".encode(), digest_size=16).digest() for text in texts]
        with self._lock:
            found = {key: row for key in keys if (row := self._kept(key)) is not None}
            lacking = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
            for first in range(0, len(lacking), _TOGETHER):
                found |= self._made(dict(list(lacking.items())[first : first + _TOGETHER]))
        return np.stack([found[key] for key in keys]) if keys else np.zeros((0, 0), np.float32)

    def _kept(self, key: bytes) -> Vectors | None:
        row = self._file.execute("SELECT vector FROM vectors WHERE of = ?", (key,)).fetchone()
        return None if row is None else np.frombuffer(row[0], np.float32)

    def _made(self, texts: dict[bytes, str]) -> dict[bytes, Vectors]:
        made = dict(zip(texts, self._model.vectors(list(texts.values())), strict=True))
        self._file.executemany(
            "INSERT OR REPLACE INTO vectors VALUES (?, ?)",
            [(key, row.tobytes()) for key, row in made.items()],
        )
        return made
