"""Two kinds of knowledge bases behind one port: Dify's datasets, and the agent knowledge bases beside them."""

from dataclasses import dataclass

from evidence.knowledge.port import AGENT, Knowledge
from evidence.model import EVERYTHING, Dataset, Document, MetadataFilter, Page, Query, Retrieved, Segment


@dataclass(frozen=True, slots=True)
class RoutedKnowledge:
    """Asks `agents` for what belongs to an id that begins with AGENT, `classic` for all else and for the list."""

    classic: Knowledge
    agents: Knowledge

    def datasets(self, page: int) -> Page[Dataset]:
        return self.classic.datasets(page)

    def dataset(self, dataset_id: str) -> Dataset:
        return self._of(dataset_id).dataset(dataset_id)

    def documents(self, dataset: Dataset, page: int, keyword: str = "") -> Page[Document]:
        return self._of(dataset.dataset_id).documents(dataset, page, keyword)

    def document(self, dataset: Dataset, document_id: str) -> Document | None:
        return self._of(dataset.dataset_id).document(dataset, document_id)

    def segments(self, document: Document, page: int, keyword: str = "", limit: int = 100) -> Page[Segment]:
        return self._of(document.dataset_id).segments(document, page, keyword, limit)

    def segment(self, document: Document, segment_id: str) -> Segment | None:
        return self._of(document.dataset_id).segment(document, segment_id)

    def retrieve(
        self, dataset: Dataset, query: Query, top_k: int, metadata_filter: MetadataFilter = EVERYTHING
    ) -> Retrieved:
        return self._of(dataset.dataset_id).retrieve(dataset, query, top_k, metadata_filter)

    def _of(self, dataset_id: str) -> Knowledge:
        return self.agents if dataset_id.startswith(AGENT) else self.classic
