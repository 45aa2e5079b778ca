"""What an index holds, and what a home of it does. Texts and lists are those of one server, key and allow-list."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from evidence.index.bm25 import Postings
from evidence.index.vectors import Bytes
from evidence.model import Dataset, Document, Segment

FORMAT = 1  # of what is stored: another one is built anew


@dataclass(frozen=True, slots=True, eq=False)
class StoredText:
    """A document as it was read, with the words of its segments; the numbers of `postings` are places in `terms`.

    `total` segments are what the server holds, `pages` were asked for; `read_at` is in Unix seconds.
    """

    document: Document
    segments: tuple[Segment, ...]
    terms: tuple[str, ...]
    postings: Postings
    total: int
    pages: int
    read_at: float
    warnings: tuple[str, ...] = ()

    @property
    def characters(self) -> int:
        return sum(len(segment.text) + len(segment.question) for segment in self.segments)


@dataclass(frozen=True, slots=True)
class IndexState:
    """Of the usable `documents` of a dataset that were listed, so many were `read`; moments are in Unix seconds.

    `size` is in bytes, as stored; `oldest` is when the text that was read longest ago was read.
    """

    documents: int = 0
    read: int = 0
    characters: int = 0
    size: int = 0
    listed_at: float = 0.0
    oldest: float = 0.0

    @property
    def name(self) -> str:
        """In a word how far it was built."""
        if not self.read:
            return "none"
        return "built" if self.listed_at and self.read >= self.documents else "partial"


@dataclass(frozen=True, slots=True)
class IndexRanking:
    """What an index ranks of a base that is too large for memory, best first.

    `segments` are (document id, place in the document, score); `documents` are theirs, and those by their names.
    `current` unless the dataset shows a change since it was listed.
    """

    documents: tuple[Document, ...]
    segments: tuple[tuple[str, int, float], ...]
    current: bool


@dataclass(frozen=True, slots=True, eq=False)
class SegmentVectors:
    """A row of bytes for each segment of a document; `keys` tell of which text, 16 bytes each."""

    keys: tuple[bytes, ...]
    rows: Bytes


class Store(Protocol):
    """A home of the index. None of its methods raises: what fails is in `warnings`, and as if it were not there."""

    @property
    def home(self) -> str:
        """What the credentials call it."""

    @property
    def working(self) -> bool:
        """Whether it took what it was last given to keep."""

    def listed(self, dataset: Dataset, most: int) -> tuple[tuple[Document, ...], float] | None:
        """All documents of a dataset and when they were listed, if it shows no change since and they are not more."""

    def keep_list(self, dataset: Dataset, documents: Sequence[Document]) -> None:
        """Keep the list of all documents of a dataset; the texts of those that changed or are gone are dropped."""

    def texts(self, documents: Sequence[Document]) -> Mapping[str, StoredText]:
        """Those of the documents whose texts of the same version are stored, by document id."""

    def keep(self, texts: Sequence[StoredText]) -> bool:
        """Keep texts, all or none of them; whether they are."""

    def unread(self, dataset_id: str, before: float, skipped: int = 0) -> tuple[Document, ...]:
        """Some listed documents that are usable and have no text, or one that was read before that moment.

        Without the first `skipped` ones; none where there are no more.
        """

    def arrange(self, dataset_id: str) -> bool:
        """Prepare some of the texts of a dataset for `ranked`; whether there may be more to do."""

    def ranked(self, dataset: Dataset, weights: Mapping[str, float]) -> IndexRanking | None:
        """All documents and segments of a dataset, ranked by weighted terms; None where it was not arranged."""

    def unembedded(self, dataset_id: str, model: str) -> tuple[Document, ...]:
        """The documents whose texts are stored, and no vectors of these texts by that model."""

    def vectors(
        self, documents: Sequence[Document], model: str, *, current: bool = True
    ) -> dict[str, SegmentVectors]:
        """The vectors of documents by their ids; unless `current`, also those of texts that were stored before."""

    def keep_vectors(self, document: Document, model: str, vectors: SegmentVectors) -> bool:
        """Keep the vectors of a document's stored text; whether they are."""

    def forget(self, document: Document) -> None:
        """Drop the text of a document."""

    def states(self) -> Mapping[str, IndexState]:
        """What is stored, by dataset id."""

    def drop(self, dataset_id: str = "") -> bool:
        """Remove all of a dataset, or all of this server, key and allow-list; whether it is removed."""

    def building(self) -> AbstractContextManager[bool]:
        """Whether the caller may build here; nobody else may until it leaves, or ends in whatever way."""

    def warnings(self) -> tuple[str, ...]:
        """What is wrong with the home now, and once what was wrong with it before."""
