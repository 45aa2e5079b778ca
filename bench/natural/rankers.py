"""What stands beside the product: BM25 over the same segments, a dense ranking where there is a model, their fusion."""

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from bench.metrics import Place
from bench.natural.data import Base
from standalone.knowledge.high_quality import TextIndex
from standalone.knowledge.sentence_model import SentenceModel
from standalone.knowledge.splitting import split

SEGMENT_CHARACTERS = 500
DEPTH = 50
_RRF = 60  # Cormack, Clarke and Büttcher, SIGIR 2009
_STEMMED = {"en": "english", "de": "german", "pt": "portuguese", "es": "spanish", "fr": "french"}

type Ranker = Callable[[str], Sequence[Place]]  # a question to its best places, at most DEPTH


def rankers(base: Base, model: SentenceModel | None = None) -> Mapping[str, Ranker]:
    """By the name of their column; the dense ones only with a model of the base's language."""
    places = tuple(_segments(base))
    texts = base.texts
    segments = [texts[each.file][each.start : each.end] for each in places]

    def named(ranker: Callable[[str], Sequence[int]]) -> Ranker:
        return lambda query: tuple(places[number] for number in ranker(query))

    words = _bm25(segments, base.language)
    if model is None or base.language not in model.languages:
        return {"BM25": named(words)}
    dense = _dense(segments, model)
    return {"BM25": named(words), "dense": named(dense), "RRF": named(_fused(words, dense))}


def _segments(base: Base) -> Iterator[Place]:
    for file, text in base.texts.items():
        for start, end in split(text, SEGMENT_CHARACTERS):
            yield Place(file, start, end)


def _bm25(segments: Sequence[str], language: str) -> Callable[[str], Sequence[int]]:
    index = TextIndex(segments, _STEMMED.get(language, "english"))
    return lambda query: [number for number, score in index.semantic(query, DEPTH) if score > 0]


def _dense(segments: Sequence[str], model: SentenceModel) -> Callable[[str], Sequence[int]]:
    vectors = model.vectors(segments)

    def ranked(query: str) -> Sequence[int]:
        similar = vectors @ model.vectors([query])[0]
        return [int(number) for number in np.argsort(-similar, kind="stable")[:DEPTH]]

    return ranked


def _fused(*rankings: Callable[[str], Sequence[int]]) -> Callable[[str], Sequence[int]]:
    def ranked(query: str) -> Sequence[int]:
        scores: dict[int, float] = {}
        for ranking in rankings:
            for rank, number in enumerate(ranking(query), 1):
                scores[number] = scores.get(number, 0.0) + 1 / (_RRF + rank)
        return sorted(scores, key=lambda number: -scores[number])[:DEPTH]

    return ranked
