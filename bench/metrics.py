"""The LegalBench-RAG metrics (Pipitone & Houir Alami 2024, arXiv 2408.10343), over characters of files.

All shares are 0..1. Overlapping places count once, so what is found twice never counts twice.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """The characters [start, end) of a file."""

    file: str
    start: int
    end: int


def merged(places: Iterable[Place]) -> tuple[Place, ...]:
    """The same characters as places that neither overlap nor touch, by file and start."""
    whole: list[Place] = []
    for place in sorted(place for place in places if place.start < place.end):
        last = whole[-1] if whole else None
        if last and last.file == place.file and place.start <= last.end:
            whole[-1] = Place(last.file, last.start, max(last.end, place.end))
        else:
            whole.append(place)
    return tuple(whole)


def characters(places: Iterable[Place]) -> int:
    """How many different characters the places hold."""
    return sum(place.end - place.start for place in merged(places))


def overlap(left: Iterable[Place], right: Iterable[Place]) -> int:
    """How many different characters both hold."""
    by_file: dict[str, list[Place]] = defaultdict(list)
    for place in merged(right):
        by_file[place.file].append(place)
    return sum(
        max(0, min(one.end, other.end) - max(one.start, other.start))
        for one in merged(left)
        for other in by_file[one.file]
    )


def recall(found: Iterable[Place], gold: Iterable[Place]) -> float:
    """The share of the gold characters that was found; 0 without gold."""
    gold = tuple(gold)
    wanted = characters(gold)
    return overlap(found, gold) / wanted if wanted else 0.0


def precision(found: Iterable[Place], gold: Iterable[Place]) -> float:
    """The share of the found characters that is gold; 0 where nothing was found."""
    found = tuple(found)
    given = characters(found)
    return overlap(found, gold) / given if given else 0.0


def document_hit(files: Sequence[str], gold: Iterable[Place], most: int) -> bool:
    """Whether a file with gold is among the first `most` different files."""
    return bool({place.file for place in gold} & set(tuple(dict.fromkeys(files))[:most]))


def passage_hit(found: Sequence[Place], gold: Iterable[Place], most: int) -> bool:
    """Whether one of the first `most` places overlaps gold."""
    return overlap(found[:most], gold) > 0


def mean(values: Iterable[float]) -> float:
    """The arithmetic mean; 0 of nothing."""
    listed = tuple(values)
    return sum(listed) / len(listed) if listed else 0.0


def quantile(values: Iterable[float], share: float) -> float:
    """The smallest value that at least `share` of the values do not exceed; 0 of nothing."""
    ordered = sorted(values)
    if not ordered:
        return 0.0
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]
