"""The corpus as a server stores it: with ids, positions and segments, all worked out when first asked for."""

import hashlib
import threading
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from uuid import UUID, uuid5

from standalone.knowledge.corpus import Collection, Corpus, SourceDocument, SourceSegment
from standalone.knowledge.economy import KeywordIndex, document_keywords
from standalone.knowledge.high_quality import TextIndex
from standalone.knowledge.sentence_model import SentenceModel
from standalone.knowledge.splitting import split

_NAMESPACE = UUID("6f1c1f2e-0f0a-5d3b-9a57-2f6d0c4b8e11")
_CHILD_CHARACTERS = 200
EPOCH = 1_750_000_000
"""Unix seconds at which the first dataset was made: fixed, so that answers are reproducible."""


@dataclass(frozen=True, eq=False)
class StoredChild:
    """A child of a parent segment; position is 1-based."""

    segment_id: str
    position: int
    content: str

    @cached_property
    def id(self) -> str:
        return str(uuid5(UUID(self.segment_id), f"child {self.position}"))


@dataclass(frozen=True, eq=False)
class StoredSegment:
    """A segment with its 1-based position; `start` and `end` are None when it was made by hand."""

    document: "StoredDocument"
    position: int
    source: SourceSegment
    start: int | None
    end: int | None
    keywords: tuple[str, ...] | None

    @cached_property
    def id(self) -> str:
        return str(uuid5(UUID(self.document.id), f"segment {self.position}"))

    @cached_property
    def children(self) -> tuple[StoredChild, ...]:
        if self.document.dataset.collection.doc_form != "hierarchical_model":
            return ()
        texts = self.source.children or tuple(_lines(self.source.content))
        return tuple(StoredChild(self.id, number, text) for number, text in enumerate(texts, 1))


@dataclass(frozen=True, eq=False)
class StoredDocument:
    """A document of a dataset; position is 1-based."""

    dataset: "StoredDataset"
    source: SourceDocument
    position: int
    id: str

    @property
    def created_at(self) -> int:
        return self.dataset.created_at + self.position

    @cached_property
    def word_count(self) -> int:
        """Characters, as Dify counts; an edited text counts as it was loaded: the count of a list tells no edit."""
        if self.source.segments is None or self.source.text:
            return len(self.source.text.strip())
        return sum(len(segment.content) + len(segment.answer or "") for segment in self.source.segments)

    @cached_property
    def segments(self) -> tuple[StoredSegment, ...]:
        if self.source.indexing_status != "completed":
            return ()
        slices: tuple[tuple[int | None, int | None], ...]
        if self.source.segments is None:
            cut = split(self.source.text, self.dataset.collection.segment_characters)
            sources = tuple(SourceSegment(self.source.text[start:end]) for start, end in cut)
            slices = cut
        else:
            sources = self.source.segments
            slices = ((None, None),) * len(sources)
        keywords: tuple[tuple[str, ...] | None, ...] = (None,) * len(sources)
        if self.dataset.collection.technique == "economy":
            keywords = document_keywords(tuple(source.content for source in sources))
        return tuple(
            StoredSegment(self, number, source, start, end, chosen)
            for number, (source, (start, end), chosen) in enumerate(
                zip(sources, slices, keywords, strict=True), 1
            )
        )

    @cached_property
    def metadata(self) -> Mapping[str, Any] | None:
        """The stored metadata object, built-in fields included; None when there is none at all."""
        values: dict[str, Any] = dict(self.source.metadata)
        if self.dataset.collection.built_in_fields:
            values |= {
                "document_name": self.source.name,
                "uploader": "admin",
                "upload_date": float(self.created_at),
                "last_update_date": float(self.created_at),
                "source": "file_upload",
            }
        return values or None


@dataclass(frozen=True, eq=False)
class StoredDataset:
    """A dataset; its documents and its indexes are made on first use."""

    collection: Collection
    index: int
    id: str
    seed: int
    lock: threading.RLock
    model: SentenceModel | None = None

    @property
    def created_at(self) -> int:
        return EPOCH + self.index * 1000

    @property
    def external(self) -> bool:
        return self.collection.provider == "external"

    @cached_property
    def documents(self) -> tuple[StoredDocument, ...]:
        """Oldest first. A name that comes again makes another document."""
        seen: Counter[str] = Counter()
        made = []
        for number, source in enumerate(self.collection.documents, 1):
            identity = _id(UUID(self.id), "document", source.key or source.name, seen)
            made.append(StoredDocument(self, source, number, identity))
        return tuple(document for document in made if not document.source.deleted)

    @cached_property
    def word_count(self) -> int:
        return sum(document.word_count for document in self.documents)

    @cached_property
    def by_document_id(self) -> Mapping[str, StoredDocument]:
        return {document.id: document for document in self.documents}

    @cached_property
    def by_segment_id(self) -> Mapping[str, StoredSegment]:
        return {segment.id: segment for document in self.documents for segment in document.segments}

    @cached_property
    def searched(self) -> tuple[StoredSegment, ...]:
        """The segments that can be retrieved: the enabled ones of completed, enabled, unarchived documents."""
        return tuple(
            segment
            for document in self.documents
            if document.source.searchable
            for segment in document.segments
            if segment.source.enabled
        )

    @cached_property
    def _keyword_index(self) -> KeywordIndex:
        ties = (_hash(f"{self.seed} {segment.id}") for segment in self.searched)
        return KeywordIndex((segment.keywords or () for segment in self.searched), ties)

    @cached_property
    def units(self) -> tuple[tuple[StoredSegment, StoredChild | None], ...]:
        """What is searched in a high-quality dataset: segments, or the children of parent segments."""
        if self.collection.doc_form != "hierarchical_model":
            return tuple((segment, None) for segment in self.searched)
        return tuple((segment, child) for segment in self.searched for child in segment.children)

    @cached_property
    def _text_index(self) -> TextIndex:
        texts = (child.content if child else segment.source.content for segment, child in self.units)
        return TextIndex(texts, model=self.model)

    def prepare(self) -> None:
        """Make the documents once, however many requests come first at the same time."""
        with self.lock:
            _ = self.documents

    def keyword_index(self) -> KeywordIndex:
        with self.lock:
            return self._keyword_index

    def text_index(self) -> TextIndex:
        with self.lock:
            return self._text_index


def store(corpus: Corpus, seed: int, model: SentenceModel | None = None) -> tuple[StoredDataset, ...]:
    """Give every dataset its id; the same corpus always gets the same ids.

    `seed` orders the ties of keyword searches; `model` embeds what a semantic search compares.
    """
    seen: Counter[str] = Counter()
    return tuple(
        StoredDataset(
            collection,
            index,
            _id(_NAMESPACE, "dataset", collection.key or collection.name, seen),
            seed,
            threading.RLock(),
            model,
        )
        for index, collection in enumerate(corpus.collections)
    )


def _id(namespace: UUID, kind: str, name: str, seen: Counter[str]) -> str:
    seen[name] += 1
    return str(uuid5(namespace, f"{kind} {seen[name]} {name}"))


def _hash(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest())


def _lines(text: str) -> list[str]:
    """Cut a parent into children, a line each, as Dify does by default."""
    lines = (line.strip() for line in text.splitlines())
    return [line[start:end] for line in lines for start, end in split(line, _CHILD_CHARACTERS)]
