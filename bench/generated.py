"""A server of generated documents, of any number: each is made when it is asked for, always the same."""

import re
import threading
import time
from collections.abc import Callable

from evidence.model import (
    EVERYTHING,
    Dataset,
    Document,
    MetadataFilter,
    Page,
    Passage,
    Query,
    Retrieved,
    Segment,
)

_PLACES = ("Alder", "Birch", "Cedar", "Durham", "Exeter", "Falmouth", "Granby", "Harwich", "Ilford", "Jarrow")
_KINDS = ("Lease", "Licence", "Supply Agreement", "Loan", "Service Contract")
_SUBJECTS = (
    (
        "Term",
        "The term begins on the day of signing and lasts for {} months, unless it is renewed in writing.",
    ),
    ("Payment", "The fee is {} coins a quarter and falls due on the last working day of the month."),
    ("Notice", "Either side may give notice of {} days; the notice is given in writing to the other side."),
    ("Liability", "Liability is limited to {} coins a year, save for harm that was done on purpose."),
    ("Confidence", "What was shown in confidence is kept so for {} years after the end."),
    ("Storage", "Goods are stored dry and below {} degrees; the keeper looks after them once a week."),
)
_PAGE = 100
_FILL = (
    " Nothing said elsewhere changes this, and nothing here takes away what the law grants to either side."
)


class Generated:
    """A Knowledge port over `documents` documents in `datasets` datasets, all of like size.

    `calls` are counted by port; `seconds` is the processor time that this server itself took.
    """

    def __init__(self, documents: int, datasets: int, technique: str = "high_quality") -> None:
        self.calls: dict[str, int] = {}
        self.seconds = 0.0
        self._share = documents // datasets
        self._sets = [
            Dataset(
                f"set-{number}",
                f"{_PLACES[number % len(_PLACES)]} archive {number}",
                technique=technique,
                document_count=self._share,
                word_count=self._share * 3_000,
                version="1",
            )
            for number in range(datasets)
        ]
        self._lock = threading.Lock()

    def name(self, number: int) -> str:
        """The name of the document of that number: no two have the same."""
        place, kind = _PLACES[number % len(_PLACES)], _KINDS[number // 10 % len(_KINDS)]
        return f"{place} {kind} {number:06}.txt"

    def datasets(self, page: int) -> Page[Dataset]:
        return self._answered("datasets", lambda: _page(self._sets, page))

    def dataset(self, dataset_id: str) -> Dataset:
        return self._answered("dataset", lambda: next(e for e in self._sets if e.dataset_id == dataset_id))

    def documents(self, dataset: Dataset, page: int, keyword: str = "") -> Page[Document]:
        return self._answered("documents", lambda: self._listed(dataset, page, keyword))

    def document(self, dataset: Dataset, document_id: str) -> Document | None:
        number = int(document_id.removeprefix("document-"))
        return self._answered("document", lambda: self._document(dataset, number))

    def segments(self, document: Document, page: int, keyword: str = "", limit: int = 100) -> Page[Segment]:  # noqa: ARG002 - nobody asks
        return self._answered("segments", lambda: _page(self._text(document), page))

    def segment(self, document: Document, segment_id: str) -> Segment | None:
        def ask() -> Segment | None:
            return next((each for each in self._text(document) if each.segment_id == segment_id), None)

        return self._answered("segment", ask)

    def retrieve(
        self,
        dataset: Dataset,
        query: Query,
        top_k: int,
        metadata_filter: MetadataFilter = EVERYTHING,  # noqa: ARG002 - nobody asks
    ) -> Retrieved:
        return self._answered("retrieve", lambda: self._ranked(dataset, query, top_k))

    def _listed(self, dataset: Dataset, page: int, keyword: str) -> Page[Document]:
        numbers = self._numbers(dataset)
        if not keyword:
            wanted = numbers[(page - 1) * _PAGE : page * _PAGE]
            return Page(tuple(self._document(dataset, number) for number in wanted), len(numbers))
        named = [number for number in numbers if keyword in self.name(number)]
        return Page(
            tuple(self._document(dataset, n) for n in named[(page - 1) * _PAGE : page * _PAGE]), len(named)
        )

    def _ranked(self, dataset: Dataset, query: Query, top_k: int) -> Retrieved:
        """The documents whose number the query holds, then their neighbours."""
        numbers = self._numbers(dataset)
        told = [int(found) for found in re.findall(r"\d{6}", query.text)]
        first = [number for number in told if number in numbers] or [numbers[len(query.text) % len(numbers)]]
        near = [number for number in range(first[0] + 1, first[0] + top_k) if number in numbers]
        found = [self._text(self._document(dataset, number))[0] for number in (*first, *near)]
        passages = tuple(Passage(each, 1 / rank, rank) for rank, each in enumerate(found[:top_k], 1))
        return Retrieved(query, "semantic", passages)

    def _numbers(self, dataset: Dataset) -> range:
        at = int(dataset.dataset_id.removeprefix("set-"))
        return range(at * self._share, (at + 1) * self._share)

    def _document(self, dataset: Dataset, number: int) -> Document:
        return Document(
            dataset.dataset_id,
            f"document-{number}",
            self.name(number),
            dataset.name,
            version="1",
            word_count=3_000,
        )

    def _text(self, document: Document) -> tuple[Segment, ...]:
        number = int(document.document_id.removeprefix("document-"))
        return tuple(
            Segment(
                document,
                f"{document.document_id}-{at}",
                at,
                f"{at}. {title}. {words.format((number * 7 + at) % 89 + 2)}{_FILL * 4}",
            )
            for at, (title, words) in enumerate(_SUBJECTS, 1)
        )

    def _answered[R](self, port: str, answer: Callable[[], R]) -> R:
        began = time.thread_time()
        found = answer()
        with self._lock:
            self.calls[port] = self.calls.get(port, 0) + 1
            self.seconds += time.thread_time() - began
        return found


def _page[T](items: list[T] | tuple[T, ...], page: int) -> Page[T]:
    return Page(tuple(items[(page - 1) * _PAGE : page * _PAGE]), len(items))
