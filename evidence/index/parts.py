"""BM25 over bases that do not fit into memory: postings in parts of some thousand segments, each term's apart.

A question touches the postings of its own words alone: three bytes for each segment that holds one. What a document
is called is indexed with its first segment, under the same words marked as a name's.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evidence.index.bm25 import Floats, Integers, Postings, idf, norms, saturated

SEGMENTS = 20_000  # of a part, about; no more than 65,535, since places are written in two bytes
POSTINGS = 1_200_000  # of a part, about
NAME = "\N{INFORMATION SEPARATOR ONE}"  # before a term that stands in the name of a document
_OFTEN = 255  # times that a term counts in one segment

type Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Documents by number, the place of the first segment of each, and the length of each segment in terms."""

    documents: Numbers
    firsts: Integers
    lengths: Integers


@dataclass(frozen=True, slots=True, eq=False)
class IndexedWords:
    """A document's words, to be put into a part; the numbers of `postings` are places in `terms`."""

    number: int
    terms: Sequence[str]
    postings: Postings
    name: frozenset[str]


def made(documents: Sequence[IndexedWords]) -> tuple[Part, Iterable[tuple[str, bytes]]]:
    """A part of these documents, and its postings term by term: all places, then how often at each."""
    sizes = [len(document.postings.lengths) for document in documents]
    firsts = np.cumsum([0, *sizes[:-1]], dtype=np.int32)
    numbers: dict[str, int] = {}
    terms, places, often = [], [], []
    for document, first in zip(documents, firsts, strict=True):
        own = [numbers.setdefault(term, len(numbers)) for term in document.terms]
        named = [numbers.setdefault(NAME + term, len(numbers)) for term in document.name]
        terms += [np.asarray(own, dtype=np.int32)[document.postings.terms], np.asarray(named, dtype=np.int32)]
        places += [document.postings.segments + first, np.full(len(named), first, dtype=np.int32)]
        often += [document.postings.frequencies, np.ones(len(named), dtype=np.uint16)]
    lengths = np.concatenate([document.postings.lengths for document in documents])
    numbered = np.asarray([document.number for document in documents], dtype=np.int64)
    part = Part(numbered, firsts, lengths.astype(np.int32))
    return part, _by_term(list(numbers), np.concatenate(terms), np.concatenate(places), np.concatenate(often))


def _by_term(
    names: Sequence[str], terms: Integers, places: Integers, often: npt.NDArray[np.uint16]
) -> Iterable[tuple[str, bytes]]:
    order = np.argsort(terms, kind="stable")
    ends = np.cumsum(np.bincount(terms, minlength=len(names)))
    where, counts = places[order].astype(np.uint16), np.minimum(often[order], _OFTEN).astype(np.uint8)
    for number in sorted(range(len(names)), key=names.__getitem__):
        begin, end = (int(ends[number - 1]) if number else 0), int(ends[number])
        if end > begin:
            yield names[number], where[begin:end].tobytes() + counts[begin:end].tobytes()


@dataclass(frozen=True, slots=True, eq=False)
class PartScores:
    """The best segments of all parts, best first: the number of the document, the place inside it, and the score."""

    documents: Numbers
    places: Integers
    scores: Floats


def scored(
    parts: Sequence[Part],
    postings: Mapping[tuple[int, str], bytes],
    weights: Mapping[str, float],
    most: int,
) -> PartScores:
    """The `most` best segments by BM25; `postings` are those of (part, term). The statistics are of all parts."""
    sizes = [len(part.lengths) for part in parts]
    total = sum(sizes)
    mean = sum(float(part.lengths.sum()) for part in parts) / max(total, 1)
    holding = {
        term: sum(len(postings.get((at, term), b"")) // 3 for at in range(len(parts))) for term in weights
    }
    scores = [np.zeros(size) for size in sizes]
    for term, weight in weights.items():
        worth = weight * idf(float(holding[term]), total)
        for at, part in enumerate(parts):
            stored = postings.get((at, term))
            if stored:
                count = len(stored) // 3
                where = np.frombuffer(stored, np.uint16, count)
                often = np.frombuffer(stored, np.uint8, count, 2 * count).astype(np.float64)
                scores[at][where] += worth * saturated(often, norms(part.lengths[where], mean))
    return _best(parts, scores, most)


def _best(parts: Sequence[Part], scores: Sequence[Floats], most: int) -> PartScores:
    everything = np.concatenate(scores) if scores else np.zeros(0)
    most = min(most, int((everything > 0).sum()))
    best = np.argpartition(-everything, most - 1)[:most] if most else np.zeros(0, dtype=np.int64)
    best = best[np.argsort(-everything[best], kind="stable")]
    begins = np.cumsum([0, *(len(part.lengths) for part in parts)])
    documents, places = [], []
    for place in best.tolist():
        at = int(np.searchsorted(begins, place, side="right")) - 1
        part, inside = parts[at], place - int(begins[at])
        document = int(np.searchsorted(part.firsts, inside, side="right")) - 1
        documents.append(int(part.documents[document]))
        places.append(inside - int(part.firsts[document]))
    return PartScores(
        np.asarray(documents, dtype=np.int64), np.asarray(places, dtype=np.int32), everything[best]
    )
