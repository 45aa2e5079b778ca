"""What the owner of the documents does to them, as Dify's console would; the API that is served only reads.

Ids and positions stay, and so does all that Dify leaves as it is: a dataset's `updated_at` moves with nothing here
(recorded on 1.13.3: only `total_available_documents` tells that a document was disabled or archived). The document
says so at once; its segments and the indexes follow a second or two later, which is as long here as `lagging` is set.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from standalone.knowledge.catalogue import StoredDataset, StoredDocument, StoredSegment
from standalone.knowledge.corpus import Corpus, SourceDocument, SourceSegment


class Owner:
    """Changes one server's corpus: `publish` is called with the new one after each change.

    Datasets, documents and segments are named by their id. Raises KeyError where there is none of it.
    """

    def __init__(
        self,
        corpus: Callable[[], Corpus],
        stored: Callable[[], tuple[StoredDataset, ...]],
        publish: Callable[[Corpus], None],
    ) -> None:
        self._corpus, self._stored, self._publish = corpus, stored, publish
        self.lagging = False

    def segments(self) -> dict[str, str]:
        """The content of every segment by its id."""
        return {
            segment.id: segment.source.content
            for dataset in self._stored()
            for segment in dataset.by_segment_id.values()
        }

    def edit_segment(self, segment_id: str, content: str) -> None:
        self._change_segment(
            segment_id,
            lambda source: replace(source, content=content),
            lambda source: {"revision": source.revision + 1, "former": source},
        )

    def enable_segment(self, segment_id: str, *, enabled: bool) -> None:
        self._change_segment(segment_id, lambda source: replace(source, enabled=enabled))

    def enable(self, document_id: str, *, enabled: bool) -> None:
        self._change(document_id, lambda source: replace(self._following(source), enabled=enabled))

    def archive(self, document_id: str, *, archived: bool) -> None:
        self._change(document_id, lambda source: replace(self._following(source), archived=archived))

    def catch_up(self) -> None:
        """Let segments and indexes follow what was done to their documents, and all that is done from now on."""
        self.lagging = False
        for dataset in self._stored():
            for document in dataset.documents:
                if document.source.indexed is not None:
                    self._change(document.id, lambda source: replace(source, indexed=None))

    def delete(self, document_id: str) -> None:
        self._change(document_id, lambda source: replace(source, deleted=True))

    def finish_indexing(self, document_id: str) -> None:
        self._change(document_id, lambda source: replace(source, indexing_status="completed"))

    def rename(self, document_id: str, name: str) -> None:
        self._change(document_id, lambda source: replace(source, name=name, key=source.key or source.name))

    def rename_dataset(self, dataset_id: str, name: str) -> None:
        for dataset in self._stored():
            if dataset.id == dataset_id:
                collection = dataset.collection
                renamed = replace(collection, name=name, key=collection.key or collection.name)
                collections = list(self._corpus().collections)
                collections[dataset.index] = renamed
                self._publish(Corpus(tuple(collections)))
                return
        raise KeyError(dataset_id)

    def _following(self, source: SourceDocument) -> SourceDocument:
        return replace(source, indexed=source.searchable) if self.lagging else source

    def _change_segment(
        self,
        segment_id: str,
        change: Callable[[SourceSegment], SourceSegment],
        later: Callable[[SourceDocument], dict[str, Any]] = lambda _: {},
    ) -> None:
        segment = self._segment(segment_id)

        def changed(source: SourceDocument) -> SourceDocument:
            own = [each.source for each in segment.document.segments]
            own[segment.position - 1] = change(own[segment.position - 1])
            return replace(source, segments=tuple(own), **later(source))

        self._change(segment.document.id, changed)

    def _change(self, document_id: str, change: Callable[[SourceDocument], SourceDocument]) -> None:
        document = self._document(document_id)
        collections = list(self._corpus().collections)
        documents = list(collections[document.dataset.index].documents)
        documents[document.position - 1] = change(document.source)
        collections[document.dataset.index] = replace(
            collections[document.dataset.index], documents=tuple(documents)
        )
        self._publish(Corpus(tuple(collections)))

    def _document(self, document_id: str) -> StoredDocument:
        for dataset in self._stored():
            if document := dataset.by_document_id.get(document_id):
                return document
        raise KeyError(document_id)

    def _segment(self, segment_id: str) -> StoredSegment:
        for dataset in self._stored():
            if segment := dataset.by_segment_id.get(segment_id):
                return segment
        raise KeyError(segment_id)
