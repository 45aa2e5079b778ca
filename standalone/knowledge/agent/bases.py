"""An agent knowledge base made of a stored dataset: documents with revisions, and chunks between other nodes."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from itertools import accumulate, groupby
from typing import Any
from uuid import UUID, uuid5

from standalone.knowledge.catalogue import StoredDataset, StoredDocument, StoredSegment
from standalone.knowledge.corpus import SourceDocument

PREFIX = "agent:"  # before the name of a dataset, in `bound_to`
_STATUS = {"completed": "ready", "error": "failed"}
_NO_OFFSETS = 7  # every so many chunks one comes without offsets


@dataclass(frozen=True, slots=True)
class Node:
    """A piece of a document's revision; offsets are bytes of the parser's text, None where it has none."""

    id: str
    ordinal: int
    kind: str
    text: str
    enabled: bool = True
    section_path: tuple[str, ...] = ()
    offsets: tuple[int, int] | None = None
    parent: str | None = None
    segment: StoredSegment | None = None


@dataclass(frozen=True, eq=False)
class AgentDocument:
    """A document of an agent knowledge base; `revision` is its active one."""

    base: "AgentBase"
    stored: StoredDocument

    @cached_property
    def id(self) -> str:
        return str(uuid5(UUID(self.stored.id), "logical document"))

    @cached_property
    def file_id(self) -> str:
        return str(uuid5(UUID(self.stored.id), "document asset"))

    @property
    def revision(self) -> int:
        return self.stored.source.revision

    @property
    def searchable(self) -> bool:
        return self.stored.source.available

    @cached_property
    def content_hash(self) -> str:
        return hashlib.sha256("\n".join(self._texts(self.stored)).encode()).hexdigest()

    def nodes(self, revision: int) -> tuple[Node, ...]:
        """The nodes of a revision in the order of their ids; none for one that never was."""
        if revision == self.revision:
            return self._active_nodes
        source: SourceDocument | None = self.stored.source
        while source is not None and source.revision != revision:
            source = source.former
        if source is None:
            return ()
        former = StoredDocument(self.stored.dataset, source, self.stored.position, self.stored.id)
        return self._nodes(former, revision)

    @cached_property
    def _active_nodes(self) -> tuple[Node, ...]:
        return self._nodes(self.stored, self.revision)

    @staticmethod
    def _texts(stored: StoredDocument) -> list[str]:
        return ["\n".join(filter(None, (s.source.content, s.source.answer))) for s in stored.segments]

    def _nodes(self, stored: StoredDocument, revision: int) -> tuple[Node, ...]:
        texts = self._texts(stored)
        return tuple(sorted(self._made(stored, revision, texts), key=lambda node: node.id))

    def _made(self, stored: StoredDocument, revision: int, texts: list[str]) -> Iterator[Node]:
        """Chunks in reading order, a section over the first that share a path, a picture and a summary."""
        ends = list(accumulate(len(text.encode()) + 1 for text in texts))
        paths = _section_paths(texts)
        section = self._node_id(revision, "section")
        alike = next((len(list(group)) for _, group in groupby(paths)), 0)
        covered = alike if alike > 1 else 0
        for at, (text, segment) in enumerate(zip(texts, stored.segments, strict=True)):
            start, end = ends[at] - len(text.encode()) - 1, ends[at] - 1
            yield Node(
                self._node_id(revision, f"chunk {at}"),
                at,
                "table" if text.lstrip().startswith("|") else "chunk",
                text,
                segment.source.enabled,
                paths[at],
                None if at % _NO_OFFSETS == _NO_OFFSETS - 1 else (start, end),
                section if at < covered else None,
                segment,
            )
        if covered:
            whole = "\n".join(texts[:covered])
            offsets = (0, len(whole.encode()))
            yield Node(section, len(texts), "section", whole, section_path=paths[0], offsets=offsets)
        if texts:
            told = f"In short, {stored.source.name} sets out this: {texts[0][:200]}"
            yield Node(self._node_id(revision, "summary"), len(texts) + 1, "summary", told)
            yield Node(self._node_id(revision, "image"), len(texts) + 2, "image", "A picture of a page.")

    def _node_id(self, revision: int, what: str) -> str:
        return str(uuid5(UUID(self.id), f"{revision} {what}"))


@dataclass(frozen=True, eq=False)
class AgentBase:
    """`id` is what the user is shown; `space_id` is the inner one."""

    dataset: StoredDataset

    @cached_property
    def id(self) -> str:
        return str(uuid5(UUID(self.dataset.id), "control space"))

    @cached_property
    def space_id(self) -> str:
        return str(uuid5(UUID(self.dataset.id), "knowledge space"))

    @property
    def name(self) -> str:
        return self.dataset.collection.name

    @cached_property
    def documents(self) -> tuple[AgentDocument, ...]:
        """Oldest first."""
        return tuple(AgentDocument(self, stored) for stored in self.dataset.documents)

    @cached_property
    def by_id(self) -> Mapping[str, AgentDocument]:
        return {document.id: document for document in self.documents}

    @cached_property
    def by_segment(self) -> Mapping[str, tuple[AgentDocument, Node]]:
        """Chunks by the id of the classic segment with the same text."""
        return {
            node.segment.id: (document, node)
            for document in self.documents
            for node in document.nodes(document.revision)
            if node.segment
        }

    @cached_property
    def segments(self) -> Mapping[str, StoredSegment]:
        """The classic segments by the id of the chunk with the same text."""
        return {node.id: node.segment for _, node in self.by_segment.values() if node.segment}


def document_json(document: AgentDocument) -> dict[str, Any]:
    """A logical document as it is listed."""
    stored, source = document.stored, document.stored.source
    made = moment(stored.created_at)
    active = source.indexing_status == "completed"
    return {
        "id": document.id,
        "knowledge_space_id": document.base.space_id,
        "title": source.name,
        "status": _STATUS.get(source.indexing_status, "pending"),
        "enabled": source.enabled and not source.archived,
        "active_revision": document.revision if active else None,
        "active": _revision_json(document, document.revision, made) if active else None,
        "user_metadata": dict(source.metadata),
        "source_id": None,
        "provider_item_id": None,
        "row_version": 0,
        "disabled_at": None if source.enabled else made,
        "disabled_by_subject_id": None,
        "latest_task": None,
        "created_at": made,
        "updated_at": moment(stored.created_at + source.revision),
    }


def revisions_json(document: AgentDocument) -> list[dict[str, Any]]:
    made = moment(document.stored.created_at)
    return [_revision_json(document, number, made) for number in range(document.revision, 0, -1)]


def _revision_json(document: AgentDocument, revision: int, made: str) -> dict[str, Any]:
    return {
        "document_id": document.id,
        "knowledge_space_id": document.base.space_id,
        "revision": revision,
        "state": "active" if revision == document.revision else "superseded",
        "document_asset_id": document.file_id,
        "document_asset_version": revision,
        "content_hash": document.content_hash,
        "mime_type": "text/plain",
        "size_bytes": len(document.stored.source.text.encode()),
        "created_at": made,
        "activated_at": made,
    }


def node_json(document: AgentDocument, revision: int, node: Node) -> dict[str, Any]:
    start, end = node.offsets or (None, None)
    return {
        "id": node.id,
        "document_id": document.id,
        "document_revision": revision,
        "ordinal": node.ordinal,
        "kind": node.kind,
        "text": node.text,
        "token_count": len(node.text) // 4,
        "enabled": node.enabled,
        "section_path": list(node.section_path),
        "start_offset": start,
        "end_offset": end,
        "parent_chunk_id": node.parent,
        "parse_element_ids": [],
        "user_metadata": {},
        "knowledge_space_id": document.base.space_id,
        "created_at": moment(document.stored.created_at),
    }


def moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")


def _section_paths(texts: list[str]) -> list[tuple[str, ...]]:
    """The Markdown headings that each text stands under, its own first line included."""
    paths: list[tuple[str, ...]] = []
    path: tuple[str, ...] = ()
    for text in texts:
        own = path
        for at, line in enumerate(text.splitlines()):
            marks = len(line) - len(line.lstrip("#"))
            if 0 < marks <= 6 and line[marks : marks + 1] == " ":
                path = (*path[: marks - 1], line[marks:].strip())
                own = path if not at else own
        paths.append(own)
    return paths
