"""What the core asks of a server of datasets.

Every method is one request: paging, retries, caches and parallel work are decided above, so that each
request is charged, traced and refused in one place. An adapter that must ask on says so before each further request.
"""

from typing import Protocol

from evidence.model import EVERYTHING, Dataset, Document, MetadataFilter, Page, Query, Retrieved, Segment

AGENT = "agent:"  # before the id of an agent knowledge base, which tells it from Dify's datasets


class Knowledge(Protocol):
    """A server of datasets. Raises KnowledgeError, Misconfigured or InvalidRequest.

    A server that pages by cursors gives all that there is on page 1, however much more than a hundred.
    """

    def datasets(self, page: int) -> Page[Dataset]:
        """One page (at most 100) of the datasets that the key may see; pages count from 1. Raises ListingRefused."""
        ...

    def dataset(self, dataset_id: str) -> Dataset:
        """One dataset by its id; raises DatasetNotFound."""
        ...

    def documents(self, dataset: Dataset, page: int, keyword: str = "") -> Page[Document]:
        """One page (at most 100) of a dataset's documents; `keyword` is a part of the name."""
        ...

    def document(self, dataset: Dataset, document_id: str) -> Document | None:
        """One document as it stands now, `usable` or not; None where it is gone."""
        ...

    def segments(self, document: Document, page: int, keyword: str = "", limit: int = 100) -> Page[Segment]:
        """One page of `limit` (at most 100) of a document's segments in reading order."""
        ...

    def segment(self, document: Document, segment_id: str) -> Segment | None:
        """One segment as it stands now; None where it is gone, disabled, not indexed, or another document's."""
        ...

    def retrieve(
        self, dataset: Dataset, query: Query, top_k: int, metadata_filter: MetadataFilter = EVERYTHING
    ) -> Retrieved:
        """The segments that the server itself ranks first for the query, best first."""
        ...
