"""Segments of the section that a question asks for by its title.

A heading holds until the next one: it may stand in its segment or at the end of the segment before. Titles come
from the documents themselves; which titles a topic means may be said by the caller ("fees -> Charges, Prices").
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from evidence.cache import Reading
from evidence.corpus.collection import Collection
from evidence.index.bm25 import Booleans, Floats
from evidence.language.function_words import content_terms, significant_terms
from evidence.language.headings import headings
from evidence.model import Passage, Segment
from evidence.search.signals import Signal

GIVEN = 5.0  # the worth of a title that the caller named: it outweighs the words of the question
FOUND, LEAST = (
    0.2,
    0.3,
)  # the worth of a title that nobody gave at its best, and the least fit at which it counts
_NARROW = str.maketrans({"：": ":", "；": ";", "，": ",", "→": "->", "－": "-", "＞": ">"})
AT_END = 120  # characters: a heading so near the end of a segment titles the next one


@dataclass(frozen=True, slots=True)
class SectionMap:
    """Which section titles a topic means: pairs of the topic's words and titles."""

    titles: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @classmethod
    def read(cls, instructions: str) -> "SectionMap":
        """From a line `sections: termination -> Term and Termination, Notice; fees -> Charges`; empty without one."""
        found: list[tuple[str, tuple[str, ...]]] = []
        for line in instructions.translate(_NARROW).splitlines():
            label, _, rest = line.partition(":")
            if label.strip().casefold() == "sections":
                for pair in rest.split(";"):
                    topic, _, titles = pair.partition("->")
                    named = tuple(title.strip() for title in titles.split(",") if title.strip())
                    found += [(topic.strip(), named)] if topic.strip() and named else []
        return cls(tuple(found))

    def meant(self, asked: Mapping[str, float]) -> tuple[frozenset[str], ...]:
        """The titles, as terms, that a topic given as terms means."""
        told = ((significant_terms(topic), titles) for topic, titles in self.titles)
        meant = (t for topic, titles in told if topic and topic <= asked.keys() for t in titles)
        return tuple(said for title in meant if (said := _terms(title)))


def section_signals(
    topic: str, inside: Booleans, collection: Collection, given: SectionMap, weight: float
) -> list[Signal]:
    """The signal of titles, weighed by how well the best of them fits; none where no title says what is asked."""
    scores = section_scores(dict(Counter(content_terms(topic))), inside, collection, given)
    best = float(scores.max(initial=0.0))
    return [Signal(topic, "section", scores, weight * best)] if best * weight > 0 else []


def section_scores(
    asked: Mapping[str, float], inside: Booleans, collection: Collection, given: SectionMap
) -> Floats:
    """For each segment of the documents that are marked, how far its title says what is asked, in 0..1, or GIVEN."""
    scores = np.zeros(len(inside))
    held = {term: weight for term, weight in asked.items() if len(collection.lexical.postings(term)[0])}
    weights = {term: collection.lexical.idf(term) * weight for term, weight in held.items()}
    meant = given.meant(asked)
    worth: dict[str, float] = {}
    for first, reading in zip(collection.firsts, collection.readings, strict=False):
        by_segment = _titles_of(reading) if inside[first : first + 1].any() else ()
        for place, titles in enumerate(by_segment, first):
            for title in titles:
                if title not in worth:
                    worth[title] = _worth(title, weights, meant)
                scores[place] = max(scores[place], worth[title])
    return scores


def titled(passages: Sequence[Passage], collection: Collection) -> tuple[Passage, ...]:
    """The passages with the titles that they stand under: their own first line, or the last title before it."""
    return tuple(replace(passage, heading=_heading(passage.segment, collection)) for passage in passages)


def _heading(segment: Segment, collection: Collection) -> str:
    place = collection.number[segment.segment_id]
    at = bisect_right(collection.firsts, place) - 1
    titles = _titles_of(collection.readings[at])[place - collection.firsts[at]]
    return next(iter(titles), "")


def _titles_of(reading: Reading) -> Sequence[Sequence[str]]:
    """The titles that hold in each segment of a document; looked for once."""
    if len(reading.titles) != len(reading.segments):
        last, titles = "", list[list[str]]()
        for before, segment in zip((None, *reading.segments), reading.segments, strict=False):
            beside = before is not None and segment.position - before.position == 1
            of_segment, last = _titles(segment, last if beside else "")
            titles.append(of_segment)
        reading.titles[:] = titles
    return reading.titles


def _titles(segment: Segment, before: str) -> tuple[list[str], str]:
    """The titles that hold in a segment, the one that held before included, and the one that holds after it."""
    own = list(headings(segment.text))
    inside = [title for at, title in own if at < len(segment.text) - AT_END or segment.text[at:].count("\n")]
    begins = bool(own) and own[0][0] == 0
    after = own[-1][1] if own else before
    return ([] if begins or not before else [before]) + inside, after


def _worth(title: str, weights: Mapping[str, float], meant: Sequence[frozenset[str]]) -> float:
    """The share of what is asked that a title says, less where it says much else; GIVEN for a title that was given."""
    said = _terms(title)
    total = sum(weights.values())
    if any(wanted <= said for wanted in meant):
        return GIVEN
    if not said or total <= 0:
        return 0.0
    common = said & weights.keys()
    fit = sum(weights[term] for term in common) / total * (len(common) / len(said)) ** 0.5
    return FOUND * fit if fit >= LEAST else 0.0


@lru_cache(maxsize=4_000)
def _terms(title: str) -> frozenset[str]:
    return significant_terms(title)
