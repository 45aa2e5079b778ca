"""Reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009), with weights and provenance."""

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ranking[K: Hashable]:
    """One list, best first; `weight` multiplies its share."""

    items: tuple[K, ...]
    weight: float = 1.0


def reciprocal_rank_fusion[K: Hashable](rankings: Sequence[Ranking[K]], k: float = 60) -> dict[K, float]:
    """A score for every item of every list, sum of weight / (k + rank), in descending order.

    Ranks count from 1. An item that stands twice in one list counts once, at its better rank. The order of the
    lists changes nothing.
    """
    shares: dict[K, list[float]] = defaultdict(list)
    for ranking in rankings:
        for rank, item in enumerate(dict.fromkeys(ranking.items), 1):
            shares[item].append(ranking.weight / (k + rank))
    fused = {item: sum(sorted(share)) for item, share in shares.items()}
    return dict(sorted(fused.items(), key=lambda entry: (-entry[1], str(entry[0]))))


def interleave[K: Hashable](lists: Sequence[Sequence[K]]) -> list[K]:
    """The first of each list, then the second of each, and so on; no item twice."""
    longest = max(map(len, lists), default=0)
    turns = (items[place] for place in range(longest) for items in lists if place < len(items))
    return list(dict.fromkeys(turns))
