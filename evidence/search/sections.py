"""The sections that segments stand in, by their titles, and those that a caller says a topic means.

A heading holds until the next one: it may stand in its segment or at the end of the segment before. Titles that are
like the question need no signal of their own: their words are indexed with each segment that stands under them.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from evidence.cache import Reading
from evidence.corpus.collection import Collection
from evidence.index.bm25 import Booleans
from evidence.language.function_words import content_terms, significant_terms
from evidence.language.headings import headings
from evidence.model import Passage, Segment
from evidence.search.signals import Signal

_NARROW = str.maketrans({"：": ":", "；": ";", "，": ",", "→": "->", "－": "-", "＞": ">"})
_AT_END = 120  # characters: a heading so near the end of a segment titles the next one


@dataclass(frozen=True, slots=True)
class SectionMap:
    """Which section titles a topic means, as the caller says: pairs of the topic's words and titles."""

    titles: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @classmethod
    def read(cls, instructions: str) -> "SectionMap":
        """From a line `sections: termination -> Term and Termination, Notice; fees -> Charges`; empty without one."""
        topics: list[tuple[str, tuple[str, ...]]] = []
        for line in instructions.translate(_NARROW).splitlines():
            label, _, rest = line.partition(":")
            if label.strip().casefold() == "sections":
                for pair in rest.split(";"):
                    topic, _, titles = pair.partition("->")
                    named = tuple(title.strip() for title in titles.split(",") if title.strip())
                    topics += [(topic.strip(), named)] if topic.strip() and named else []
        return cls(tuple(topics))

    def meant(self, question_terms: frozenset[str]) -> tuple[frozenset[str], ...]:
        """The titles, as terms, that a question with these terms means."""
        topics = ((significant_terms(topic), titles) for topic, titles in self.titles)
        meant = (_terms(t) for topic, titles in topics if topic and topic <= question_terms for t in titles)
        return tuple(filter(None, meant))


def section_signals(
    topic: str, inside: Booleans, collection: Collection, sections: SectionMap, weight: float
) -> list[Signal]:
    """The signal of the segments inside that stand under a title which the topic means; none where there are none."""
    meant = sections.meant(frozenset(content_terms(topic)))
    if not meant:
        return []
    stands = [
        any(terms <= _terms(title) for title in titles for terms in meant)
        for reading in collection.readings
        for titles in _titles_of(reading)
    ]
    scores = inside.astype(np.float64) * stands
    return [Signal(topic, "section", scores, weight)] if scores.any() else []


def titled(passages: Sequence[Passage], collection: Collection) -> tuple[Passage, ...]:
    """The passages with the titles that they stand under: their own first line, or the last title before it."""
    return tuple(replace(passage, heading=_heading(passage.segment, collection)) for passage in passages)


def _heading(segment: Segment, collection: Collection) -> str:
    place = collection.number[segment.segment_id]
    at = bisect_right(collection.firsts, place) - 1
    titles = _titles_of(collection.readings[at])[place - collection.firsts[at]]
    return segment.heading or next(iter(titles), "")


def _titles_of(reading: Reading) -> Sequence[Sequence[str]]:
    """The titles that hold in each segment of a document; looked for once."""
    if len(reading.titles) != len(reading.segments):
        last, titles = "", list[list[str]]()
        for before, segment in zip((None, *reading.segments), reading.segments, strict=False):
            beside = before is not None and segment.position - before.position == 1
            of_segment, last = _titles(segment, last if beside else "")
            titles.append([segment.heading] if segment.heading else of_segment)
        reading.titles[:] = titles
    return reading.titles


def _titles(segment: Segment, before: str) -> tuple[list[str], str]:
    """The titles that hold in a segment, the one that held before included, and the one that holds after it."""
    own = list(headings(segment.text))
    inside = [title for at, title in own if at < len(segment.text) - _AT_END or segment.text[at:].count("\n")]
    begins = bool(own) and own[0][0] == 0
    after = own[-1][1] if own else before
    return ([] if begins or not before else [before]) + inside, after


@lru_cache(maxsize=4_000)
def _terms(title: str) -> frozenset[str]:
    return significant_terms(title)
