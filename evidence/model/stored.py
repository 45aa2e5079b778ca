"""Datasets, documents and segments as a knowledge server stores them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Dataset:
    """`technique` is high_quality or economy; `version` changes when the server says the dataset changed.

    Where its API access is off it is `closed`: it is listed, and nothing of it can be read.
    """

    dataset_id: str
    name: str
    description: str = ""
    technique: str = "economy"
    provider: str = "vendor"
    document_count: int = 0
    word_count: int = 0
    version: str = ""
    closed: bool = False


@dataclass(frozen=True, slots=True)
class Document:
    """A stored document; two documents of one name are two documents. `version` shows a change.

    `read_at` is when the server was asked for its name and state, in Unix seconds; 0 where nobody knows. `revision`
    counts what an agent knowledge base made of it; None elsewhere.
    """

    dataset_id: str
    document_id: str
    name: str
    dataset_name: str = ""
    version: str = field(default="", compare=False)
    word_count: int = field(default=0, compare=False)
    usable: bool = field(default=True, compare=False)
    created_at: int = field(default=0, compare=False)
    metadata: Mapping[str, Any] = field(default_factory=dict, compare=False, hash=False)
    read_at: float = field(default=0.0, compare=False)
    revision: int | None = field(default=None, compare=False)

    def read_since(self, moment: float) -> bool:
        """Whether it was read at that moment, in Unix seconds, or later."""
        return self.read_at >= moment


@dataclass(frozen=True, slots=True)
class Segment:
    """A stored piece of a document. `text` is verbatim and is never decorated: quotes are spans of it.

    For a question-and-answer segment `text` is the stored answer and `question` the stored question. `read_at` is when
    the server was asked for it, in Unix seconds; 0 where nobody knows. `heading` is the path of sections that it
    stands under, where the server says it.
    """

    document: Document
    segment_id: str
    position: int
    text: str
    question: str = ""
    content_hash: str = field(default="", compare=False)
    read_at: float = field(default=0.0, compare=False)
    heading: str = field(default="", compare=False)

    def read_since(self, moment: float) -> bool:
        """Whether it and the name of its document were read at that moment, in Unix seconds, or later."""
        return self.read_at >= moment and self.document.read_since(moment)


@dataclass(frozen=True, slots=True)
class Page[T]:
    """One page of a list and the number of items in all pages; of a server that pages by cursors, all of them.

    `lost` of them were on this page and could not be read; `warnings` say so, and what was cut.
    """

    items: tuple[T, ...]
    total: int
    lost: int = 0
    warnings: tuple[str, ...] = ()
