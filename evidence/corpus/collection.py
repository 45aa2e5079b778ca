"""A snapshot of some documents, listed and partly or wholly read, ready to be ranked."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import accumulate

import numpy as np

from evidence.cache import Cache, Reading
from evidence.context import Context
from evidence.index.bm25 import Booleans, Floats, Integers, LexicalIndex
from evidence.index.fields import FieldedIndex
from evidence.index.names import name_terms
from evidence.index.spelling import misspelt, spellings
from evidence.language.detect import language_of
from evidence.language.function_words import STOP
from evidence.language.synonyms import is_listed
from evidence.language.terms import terms
from evidence.model import Document, Segment


class Collection:
    """Documents in a fixed order; `owners[i]` is the place of the document of segment i.

    `firsts[i]` is the place of the first segment of reading i.
    """

    def __init__(self, documents: Sequence[Document], readings: Sequence[Reading], cache: Cache) -> None:
        self.documents = tuple(documents)
        self.place = {document.document_id: at for at, document in enumerate(documents)}
        self.readings = tuple(r for r in readings if r.document.document_id in self.place)
        self.segments: tuple[Segment, ...] = tuple(s for r in self.readings for s in r.segments)
        sizes = [len(reading.segments) for reading in self.readings]
        places = [self.place[reading.document.document_id] for reading in self.readings]
        self.owners: Integers = np.repeat(np.asarray(places, dtype=np.int32), sizes)
        lead = [at < reading.lead for reading in self.readings for at in range(len(reading.segments))]
        self.lexical = LexicalIndex([r.postings for r in self.readings], cache.vocabulary)
        names = [name_terms(document.name) for document in documents]
        self.lead: Booleans = np.asarray(lead, dtype=np.bool_)
        partial = [place for reading, place in zip(self.readings, places, strict=True) if reading.partial]
        self.fields = FieldedIndex(names, self.lexical, self.owners, self.lead, partial)
        self.firsts = list(accumulate(sizes, initial=0))
        self._vocabulary = cache.vocabulary
        self._telling = np.isin(np.arange(len(cache.vocabulary)), cache.vocabulary.numbers(STOP), invert=True)
        self.number = {segment.segment_id: at for at, segment in enumerate(self.segments)}

    @property
    def complete(self) -> bool:
        """Whether every listed document was read to its end."""
        read = {reading.document.document_id for reading in self.readings if reading.complete}
        return all(document.document_id in read for document in self.documents)

    def misspelt(self, question: str) -> Mapping[str, str]:
        """The words of a question that nothing here holds, with the nearest spelling that stands here."""
        language = language_of(question)

        def known(word: str) -> bool:
            return any(self._holds(term) or is_listed(term, language) for term in terms(word, language))

        return misspelt(question, known, lambda: self._spellings)

    @cached_property
    def _spellings(self) -> Mapping[str, int]:
        return spellings(segment.text for segment in self.segments)

    def _holds(self, term: str) -> bool:
        """Whether some text, or the name of some document, holds a term."""
        return bool(len(self.lexical.postings(term)[0]) or self.fields.name_frequency(term))

    def scores(self, weights: Mapping[str, float]) -> Floats:
        """One score a segment for a query given as weighted terms."""
        return self.lexical.scores(weights)

    def telling(self, places: Sequence[int]) -> tuple[Integers, Integers, Integers]:
        """The terms of segments that are no function words: in which of the segments, which term, how often."""
        rows = [self._row(place) for place in places]
        owners = np.repeat(np.arange(len(rows), dtype=np.int32), [len(terms) for terms, _ in rows])
        terms, counts = (np.concatenate([row[column] for row in rows]) for column in (0, 1))
        telling = self._telling[terms]
        return owners[telling], terms[telling], counts[telling]

    def _row(self, place: int) -> tuple[Integers, Integers]:
        at = bisect_right(self.firsts, place) - 1
        return self.readings[at].postings.row(place - self.firsts[at])

    def rarities(self, numbers: Integers) -> Floats:
        """The idf of terms over the segments."""
        return self.lexical.rarities(numbers)

    def term(self, number: int) -> str:
        return self._vocabulary.term(number)

    def best_segment(self, scores: Floats) -> Floats:
        """The best segment's score of each document, 0 for one that was not read."""
        best = np.zeros(len(self.documents))
        if len(scores):
            np.maximum.at(best, self.owners, scores)
        return best

    def reading_of(self, document: Document) -> Reading | None:
        for reading in self.readings:
            if reading.document.document_id == document.document_id:
                return reading
        return None


def collection_of(documents: Sequence[Document], readings: Iterable[Reading], ctx: Context) -> Collection:
    """The snapshot of these documents; the same one for all who ask as long as nothing was read since."""
    listed = tuple(documents)
    cached = tuple(readings)
    key = tuple(document.document_id for document in listed)
    version = (
        tuple(document.version for document in listed),
        tuple((reading.document.document_id, reading.read_at) for reading in cached),
    )
    weight = sum(len(reading.postings.terms) for reading in cached)

    def made() -> Collection:
        return ctx.cache.memo(key, version, lambda: Collection(listed, cached, ctx.cache), lambda _: weight)

    return ctx.single_flight(("collection", key, version), made)
