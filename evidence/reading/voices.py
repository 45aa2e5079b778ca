"""Voices: each ranks all segments of a collection for one query, and is heard with its own weight."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from evidence.model import Passage, Provenance
from evidence.model import Voice as VoiceName
from evidence.ranking.lexical import Booleans, Floats, Integers
from evidence.reading.collection import Collection
from evidence.reading.ground import Ground
from evidence.text.stopwords import content_terms


@dataclass(frozen=True, slots=True, eq=False)
class Voice:
    """Scores of all segments for one query; 0 where it does not answer."""

    query: str
    name: VoiceName
    scores: Floats
    weight: float


def keyword_voices(
    keywords: Mapping[str, tuple[str, ...]], collection: Collection, weight: float
) -> list[Voice]:
    """Words for single documents count in these documents only."""
    found: list[Voice] = []
    for document_id, words in keywords.items():
        place = collection.place.get(document_id)
        if place is not None and words:
            text = " ".join(words)
            scores = collection.lexical.scores(dict(Counter(content_terms(text))))
            mine = scores * (collection.owners == place)
            found.append(Voice(text, "local", mine, weight))
    return found


def server_voices(ground: Ground, weight: float) -> list[Voice]:
    """The server's lists as shares by rank."""
    found: list[Voice] = []
    for run in ground.retrieved:
        scores = np.zeros(len(ground.collection.segments))
        for passage in run.passages:
            place = ground.collection.number.get(passage.segment.segment_id)
            if place is not None:
                scores[place] = 10.0 / (9.0 + passage.rank)
        if scores.any():
            found.append(Voice(run.query.text, run.voice, scores, weight))
    return found


def best_first(scores: Floats, mask: Booleans) -> list[int]:
    """The numbers of the masked segments, best first; equals in reading order."""
    numbers: Integers = np.flatnonzero(mask).astype(np.int32)
    return [int(number) for number in numbers[np.argsort(-scores[numbers], kind="stable")]]


def passages(
    order: Sequence[int], scores: Floats, voices: Sequence[Voice], inside: Booleans, ground: Ground
) -> tuple[Passage, ...]:
    """The segments in their order as passages; each says where it stood with every voice."""
    ranks = [(each, _ranks(each.scores, inside)) for each in voices]
    return tuple(
        Passage(
            ground.collection.segments[number],
            round(float(scores[number]), 4),
            rank,
            tuple(
                Provenance(each.query, each.name, places[number])
                for each, places in ranks
                if number in places
            ),
        )
        for rank, number in enumerate(order, 1)
    )


def _ranks(scores: Floats, mask: Booleans) -> dict[int, int]:
    found = [number for number in best_first(scores, mask) if scores[number] > 0]
    return {number: rank for rank, number in enumerate(found, 1)}
