"""Signals: each ranks all segments of a collection for one query, and counts with its own weight."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from evidence.corpus.candidates import Candidates, server_scores, without_likeness
from evidence.corpus.collection import Collection
from evidence.index.bm25 import Booleans, Floats, Integers
from evidence.index.smoothing import share_of_best
from evidence.language.function_words import content_terms
from evidence.model import Passage, Provenance, SignalName


@dataclass(frozen=True, slots=True, eq=False)
class Signal:
    """Scores of all segments for one query; 0 where it does not answer."""

    query: str
    name: SignalName
    scores: Floats
    weight: float


@dataclass(frozen=True, slots=True, eq=False)
class FusedRanking:
    """A ranking: segment numbers, best first; the score in 0..1 of every segment, and the parts that sum to it."""

    order: tuple[int, ...]
    scores: Floats
    parts: Mapping[str, Floats]

    def parts_of(self, number: int) -> tuple[tuple[str, float], ...]:
        """The parts of one segment's score; those that add nothing are left out."""
        shares = ((name, round(float(values[number]), 4)) for name, values in self.parts.items())
        return tuple((name, share) for name, share in shares if share)


def keyword_signals(
    keywords: Mapping[str, tuple[str, ...]], collection: Collection, weight: float
) -> list[Signal]:
    """Words for single documents count in these documents only."""
    signals: list[Signal] = []
    for document_id, words in keywords.items():
        place = collection.place.get(document_id)
        if place is not None and words:
            text = " ".join(words)
            scores = collection.scores(dict(Counter(content_terms(text))))
            mine = scores * (collection.owners == place)
            signals.append(Signal(text, "local", mine, weight))
    return signals


def server_signals(candidates: Candidates, words: float, meaning: float) -> list[Signal]:
    """The server's lists as shares by rank; those by keywords weigh `words`, those by vectors `meaning`."""
    return [
        Signal(run.query.text, run.signal, scores, words if run.signal == "keyword" else meaning)
        for run, scores in server_scores(candidates)
        if scores.any()
    ]


def words_for_likeness(first: Signal, candidates: Candidates, meaning: float) -> list[Signal]:
    """The words of the question in the place of vectors, for datasets that rank by words beside others that do not."""
    scores = share_of_best(first.scores) * without_likeness(candidates)
    return [Signal(first.query, "local", scores, meaning)] if scores.any() else []


def best_first(scores: Floats, mask: Booleans) -> list[int]:
    """The numbers of the masked segments, best first; equals in reading order."""
    numbers: Integers = np.flatnonzero(mask).astype(np.int32)
    return [int(number) for number in numbers[np.argsort(-scores[numbers], kind="stable")]]


def passages(
    ranking: FusedRanking, most: int, signals: Sequence[Signal], inside: Booleans, candidates: Candidates
) -> tuple[Passage, ...]:
    """The best segments in their order as passages; each says its rank in every signal, and its parts."""
    ranks = [(signal, _ranks(signal.scores, inside)) for signal in signals]
    ranked: list[Passage] = []
    for rank, number in enumerate(ranking.order[:most], 1):
        why = (
            Provenance(signal.query, signal.name, places[number])
            for signal, places in ranks
            if number in places
        )
        score = round(float(ranking.scores[number]), 4)
        ranked.append(
            Passage(
                candidates.collection.segments[number],
                score,
                rank,
                tuple(why),
                parts=ranking.parts_of(number),
            )
        )
    return tuple(ranked)


def _ranks(scores: Floats, mask: Booleans) -> dict[int, int]:
    numbers = [number for number in best_first(scores, mask) if scores[number] > 0]
    return {number: rank for rank, number in enumerate(numbers, 1)}
