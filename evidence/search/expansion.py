"""Words that other documents use where they speak of the same thing.

Pseudo-relevance feedback (Rocchio, 1971; RM3: Abdul-Jaleel et al., TREC 2004), diversified: each document
gives its one best segment, so that a long document does not fill the feedback, and the documents being read give
none, since their own words would pull the ranking to what was found already. A guard measures how well other
documents answer at all: where they do not, as in a collection of unlike documents, feedback fades out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from evidence.index.bm25 import Floats, Integers


@dataclass(frozen=True, slots=True)
class FeedbackOptions:
    """`support` is in how many segments a term must stand.

    `original` is the share of the query's own terms, `renewed` the share of each later round's.
    `floor` and `ceiling` bound the guard: other documents' best scores as a share of the own best score.
    """

    segments: int = 30
    terms: int = 100
    original: float = 0.25
    idf_power: float = 1.25
    least: int = 3
    support: int = 2
    rounds: int = 2
    renewed: float = 0.7
    floor: float = 0.5
    ceiling: float = 0.8


@dataclass(frozen=True, slots=True)
class Expansion:
    """Weighted terms that sum to 1; `trust` in 0..1 is what the guard left of the feedback."""

    weights: Mapping[str, float]
    trust: float


class Readable(Protocol):
    """Segments that can be ranked for weighted terms, and read as the numbers of their terms."""

    @property
    def owners(self) -> Integers:
        """The place of the document of each segment."""
        ...

    def scores(self, weights: Mapping[str, float]) -> Floats: ...

    def telling(self, places: Sequence[int]) -> tuple[Integers, Integers, Integers]:
        """The terms of segments that are no function words: in which of the segments, which term, how often."""
        ...

    def rarities(self, numbers: Integers) -> Floats:
        """The idf of terms."""
        ...

    def term(self, number: int) -> str: ...


def best_elsewhere(scores: Floats, owners: Integers, own: frozenset[int], most: int) -> list[int]:
    """The best segment of each document outside `own`, best first, at most `most` of them."""
    order = np.argsort(-scores, kind="stable")
    by_owner: dict[int, int] = {}
    for place in order:
        if scores[place] <= 0 or len(by_owner) >= most:
            break
        owner = int(owners[place])
        if owner not in own and owner not in by_owner:
            by_owner[owner] = int(place)
    return list(by_owner.values())


def guard(
    scores: Floats, owners: Integers, own: frozenset[int], chosen: Sequence[int], o: FeedbackOptions
) -> float:
    """The trust in the feedback, in 0..1."""
    mask = np.isin(owners, list(own))
    best = float(scores[mask].max()) if mask.any() else float(scores.max(initial=0.0))
    if best <= 0:
        return 1.0
    ratio = float(np.mean([scores[place] for place in chosen[:10]])) / best
    return min(1.0, max(0.0, (ratio - o.floor) / (o.ceiling - o.floor)))


def expand(
    query: Mapping[str, float], segments: Readable, own: frozenset[int], options: FeedbackOptions
) -> Expansion:
    """The query with the terms of the best segments elsewhere; then once more with the segments that these find."""
    total = sum(query.values()) or 1.0
    plain = {term: weight / total for term, weight in query.items()}
    owners, scores = segments.owners, segments.scores(plain)
    chosen = best_elsewhere(scores, owners, own, options.segments)
    if len(chosen) < options.least or options.rounds < 1:
        return Expansion(plain, 0.0)
    trust = guard(scores, owners, own, chosen, options)
    if trust <= 0:
        return Expansion(plain, 0.0)
    weights = _mix(plain, _learn(chosen, scores, segments, options), (1 - options.original) * trust)
    for _ in range(options.rounds - 1):
        scores = segments.scores(weights)
        chosen = best_elsewhere(scores, owners, own, options.segments)
        weights = _mix(weights, _learn(chosen, scores, segments, options), options.renewed * trust)
    return Expansion(weights, trust)


def _mix(first: Mapping[str, float], second: Mapping[str, float], share: float) -> dict[str, float]:
    """Both, each summing to 1, with so large a share of the second; the first alone where there is no second."""
    if not second:
        return dict(first)
    mixed = {term: (1 - share) * weight for term, weight in first.items()}
    for term, weight in second.items():
        mixed[term] = mixed.get(term, 0.0) + share * weight
    return mixed


def _learn(
    chosen: Sequence[int], scores: Floats, segments: Readable, options: FeedbackOptions
) -> Mapping[str, float]:
    """The terms that several of the chosen segments share, weighted to sum to 1.

    A term of one segment alone is that document's own affair: a name, a number, a date.
    """
    owners, numbers, counts = segments.telling(chosen)
    lengths = np.bincount(owners, weights=counts, minlength=len(chosen))
    shares = scores[list(chosen)] ** 2 / np.sqrt(np.maximum(lengths, 1))
    worth = shares[owners] * np.log1p(counts) * segments.rarities(numbers) ** options.idf_power
    known, at = np.unique(numbers, return_inverse=True)
    shared = np.bincount(at) >= options.support
    gathered = np.bincount(at, weights=worth)[shared]
    enough = np.sort(gathered)[-options.terms :][:1]  # ties are broken by the terms themselves
    weighed = (
        (number, weight) for number, weight in zip(known[shared], gathered, strict=True) if weight >= enough
    )
    weighted = sorted(((segments.term(number), float(weight)) for number, weight in weighed), key=_heaviest)
    best = weighted[: options.terms]
    norm = sum(weight for _, weight in best) or 1.0
    return {term: weight / norm for term, weight in best if weight > 0}


def _heaviest(entry: tuple[str, float]) -> tuple[float, str]:
    return -entry[1], entry[0]
