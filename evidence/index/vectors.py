"""Vectors of texts in one byte a dimension: what is alike in meaning points the same way."""

import numpy as np
import numpy.typing as npt

from evidence.index.bm25 import Floats

type Vectors = npt.NDArray[np.float32]
type Bytes = npt.NDArray[np.int8]

_FULL = 127


def rounded(vectors: Vectors) -> Bytes:
    """Each row scaled so that its largest value takes a byte; the cosine changes by about a hundredth of a percent."""
    largest = np.abs(vectors).max(axis=1, keepdims=True)
    return np.rint(vectors / np.where(largest > 0, largest, 1) * _FULL).astype(np.int8)


def likeness(rows: Bytes, vector: Vectors) -> Floats:
    """The cosine of each row with one vector; 0 where the lengths differ, as those of another model do."""
    if rows.shape[1:] != vector.shape:
        return np.zeros(len(rows))
    values = rows.astype(np.float32)
    lengths = np.linalg.norm(values, axis=1) * np.linalg.norm(vector)
    cosines: Floats = (values @ vector / np.where(lengths > 0, lengths, 1)).astype(np.float64)
    return cosines
