"""Which documents does a question mean? Fields weighed by idf over documents.

Three fields, as in BM25F (Robertson, Zaragoza and Taylor, CIKM 2004) but kept apart, so that a score explains
itself: the name, the lead (the beginning of a document, which says what it is) and the whole text. Names count by
plain coverage, since a name says a word once or not at all.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from evidence.index.bm25 import K1, B, Booleans, Floats, Integers, LexicalIndex, idf
from evidence.index.names import aliases

ALIKE = 4_000  # terms whose aliases are kept
SAMPLE = 5  # documents that were read, from which on they tell of the others
LAST = 4  # queries whose scores are kept: a question asks for the same ones several times


@dataclass(frozen=True, slots=True)
class FieldWeights:
    name: float = 3.0
    lead: float = 1.0
    body: float = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class DocumentScores:
    """One number a document and field, before weighing; `name` is the idf of the query's words in the name."""

    name: Floats
    lead: Floats
    body: Floats

    def total(self, weights: FieldWeights) -> Floats:
        return weights.name * self.name + weights.lead * self.lead + weights.body * self.body


class FieldedIndex:
    """Documents by name, lead and text; a document that was not read has a name only.

    `partial` are the places of documents of which only segments that were searched for are held: these are no sample.
    """

    def __init__(
        self,
        names: Sequence[frozenset[str]],
        index: LexicalIndex,
        owners: Integers,
        lead: Booleans,
        partial: Sequence[int] = (),
    ) -> None:
        self._size = len(names)
        self._index, self._owners, self._lead = index, owners, lead
        self._named: dict[str, list[int]] = {}
        for place, words in enumerate(names):
            for word in words:
                self._named.setdefault(word, []).append(place)
        self._body_lengths = self._per_document(index.lengths.astype(np.float64))
        self._lead_lengths = self._per_document((index.lengths * lead).astype(np.float64))
        self._alike: dict[str, Mapping[str, float]] = {}
        self._cached: dict[frozenset[tuple[str, float]], DocumentScores] = {}
        known = self._body_lengths > 0
        self._sample = known & ~np.isin(np.arange(self._size), partial)
        self._read, self._unknown = int(self._sample.sum()), self._size - int(known.sum())

    def scores(self, query: Mapping[str, float]) -> DocumentScores:
        """The query's terms, weighted, against each field of each document; what was asked last is at hand."""
        key = frozenset(query.items())
        scores = self._cached.get(key) or self._scored(query)
        self._cached = {key: scores} | dict(islice(self._cached.items(), LAST - 1))
        return scores

    def _scored(self, query: Mapping[str, float]) -> DocumentScores:
        name, lead, body = (np.zeros(self._size) for _ in range(3))
        for term, weight in query.items():
            places, counts = self._index.postings(term)
            in_body = self._summed(places, counts)
            in_lead = self._summed(places, counts * self._lead[places])
            rarity = weight * self.idf(term, in_body)
            name += self._in_names(term, rarity)
            lead += rarity * _saturated(in_lead, self._lead_lengths)
            body += rarity * _saturated(in_body, self._body_lengths)
        return DocumentScores(name, lead, body)

    def idf(self, term: str, in_body: Floats | None = None) -> float:
        """Rarity over documents; what is not known is taken to be like what was read, if that was enough to tell."""
        if in_body is None:
            in_body = self._summed(*self._index.postings(term))
        named = self._named.get(term, ())
        holding = in_body > 0
        share = float(holding[self._sample].sum()) / self._read if self._read >= SAMPLE else 0.0
        text = float(holding.sum()) + share * self._unknown
        either = min(float(self._size), text + sum(1 for place in named if not holding[place]))
        return idf(either, self._size)

    def names_it(self, term: str, name: frozenset[str]) -> bool:
        """Whether a name, given as terms, holds a term or an alias of it."""
        return any(alias in name for alias in self._aliases(term))

    def holders(self, term: str) -> Booleans:
        """Which documents hold a term in their text, or it or an alias of it in their name."""
        holding: Booleans = self._summed(*self._index.postings(term)) > 0
        for alias in self._aliases(term):
            holding[self._named[alias]] = True
        return holding

    def name_frequency(self, term: str) -> int:
        """How many names hold a term."""
        return len(self._named.get(term, ()))

    @property
    def rarest(self) -> float:
        """The idf of a term that one single document holds."""
        return idf(1.0, self._size)

    def _in_names(self, term: str, rarity: float) -> Floats:
        scores = np.zeros(self._size)
        for alias, likeness in self._aliases(term).items():
            places = self._named[alias]
            share = rarity if alias == term else min(rarity, idf(len(places), self._size)) * likeness
            scores[places] = np.maximum(scores[places], share)
        return scores

    def _aliases(self, term: str) -> Mapping[str, float]:
        """The words of names that a term may mean; looked for once while the names are the same."""
        known = self._alike.get(term)
        if known is None:
            if len(self._alike) >= ALIKE:
                self._alike = {}
            known = self._alike[term] = aliases(term, self._named.keys())
        return known

    def _summed(self, places: Integers, counts: Floats) -> Floats:
        return np.bincount(self._owners[places], weights=counts, minlength=self._size)

    def _per_document(self, values: Floats) -> Floats:
        return np.bincount(self._owners, weights=values, minlength=self._size).astype(np.float64)


def _saturated(counts: Floats, lengths: Floats) -> Floats:
    known = lengths[lengths > 0]
    mean = float(known.mean()) if len(known) else 1.0
    return counts * (K1 + 1) / (counts + K1 * (1 - B + B * lengths / mean) + 1e-9)
