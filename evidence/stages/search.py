"""Which passages answer? Every wording over every segment of the shortlisted documents, fused.

What was fetched once is ranked here, so that a further wording costs no call, and filters that a server drops do not
matter. The server's own lists are fused in by rank: their scores mean different things for each method.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from evidence.context import Context
from evidence.errors import LimitReached, ModelError
from evidence.model import Pool, Query, QueryPlan, Shortlist, Understanding
from evidence.ranking.feedback import Expansion, FeedbackOptions, expand
from evidence.ranking.fusion import Ranking, interleave, reciprocal_rank_fusion
from evidence.ranking.lexical import Booleans, Floats
from evidence.ranking.smoothing import smooth
from evidence.reading.collection import Collection
from evidence.reading.ground import Ground
from evidence.reading.topics import topic_in
from evidence.reading.voices import Voice, best_first, keyword_voices, passages, server_voices
from evidence.text.analysis import terms
from evidence.text.stopwords import STOP, content_terms

_TELLING = frozenset({"wording", "follow_up"})  # origins that know more than the question says


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """`top_k` passages are returned; a reranker may look at the best `rerank_depth` of them.

    Weights: `document` of a document's own score against its passages', as far as the question names documents, and
    the share `unnamed` of it where it names none; `server` of the server's lists, less the share `like` of it where
    documents are so alike that its lists are mostly about others; `variants` of the rules' other wordings of the
    question; `wordings` of a model's, and of what a judge found missing.
    """

    top_k: int = 8
    document: float = 5.0
    unnamed: float = 0.4
    server: float = 0.25
    like: float = 0.7
    variants: float = 0.1
    wordings: float = 0.5
    rerank: bool = True
    rerank_depth: int = 30
    feedback: FeedbackOptions = FeedbackOptions()


def search(
    understanding: Understanding,
    plan: QueryPlan,
    shortlist: Shortlist,
    ground: Ground,
    options: SearchOptions,
    ctx: Context,
) -> Pool:
    """The fused passages of the shortlisted documents, best first."""
    collection = ground.collection
    places = [collection.place[entry.document.document_id] for entry in shortlist.documents]
    inside = np.isin(collection.owners, places)
    extent = _extent(collection, set(places))
    if not inside.any():
        return Pool((), plan.queries, *extent)
    topic = topic_in(understanding, shortlist, collection)
    with ctx.trace.step("search.rank", segments=int(inside.sum()), documents=len(places)) as step:
        voices, expansion = _voices(topic, understanding, plan, shortlist, ground, options)
        step.facts["feedback_trust"] = round(expansion.trust, 2)
        order, scores = _ordered(voices, shortlist, ground, inside, options)
    if options.rerank and understanding.intent != "list_all":
        order, scores = _reranked(understanding, order, scores, voices, collection, options, ctx)
    found = passages(order[: options.top_k], scores, voices, inside, ground)
    strength = _strength(expansion, voices[0].scores, places, collection) if order else 0.0
    return Pool(found, (Query(topic, "topic"), *plan.queries), *extent, strength)


def _strength(expansion: Expansion, scores: Floats, places: Sequence[int], collection: Collection) -> float:
    """The first document's best score against the ten best of other documents; 0 where these are unlike."""
    best = collection.best_segment(scores)
    others = np.sort(np.delete(best, places[0]))[::-1][:10]
    if expansion.trust < 1 or len(others) < 3 or others[2] <= 0:
        return 0.0
    return round(float(best[places[0]]) / float(others.mean()), 3)


def _voices(
    topic: str,
    understanding: Understanding,
    plan: QueryPlan,
    shortlist: Shortlist,
    ground: Ground,
    options: SearchOptions,
) -> tuple[list[Voice], Expansion]:
    collection = ground.collection
    subjects = max(1, len(understanding.subjects))
    own = frozenset(collection.place[e.document.document_id] for e in shortlist.documents[:subjects])
    asked = dict(Counter(content_terms(topic)))
    expansion = _expanded(asked, own, collection, options)
    voices = [Voice(topic, "local", collection.lexical.scores(expansion.weights), 1.0)]
    said = {frozenset(asked)}
    for query in plan.queries:
        weights = dict(Counter(content_terms(query.text)))
        if query.origin in {"topic", "question"} or frozenset(weights) in said:
            continue
        said.add(frozenset(weights))
        scores = collection.lexical.scores(weights)
        weight = options.wordings if query.origin in _TELLING else options.variants
        voices.append(Voice(query.text, "local", scores, weight * query.weight))
    voices.extend(keyword_voices(plan.keywords, collection, options.variants))
    voices.extend(server_voices(ground, options.server * (1 - options.like * expansion.trust)))
    return voices, expansion


def _expanded(
    asked: Mapping[str, float], own: frozenset[int], collection: Collection, options: SearchOptions
) -> Expansion:
    lexical = collection.lexical

    def read(place: int) -> tuple[list[str], dict[str, float]]:
        segment = collection.segments[place]
        found = [term for term in terms(f"{segment.question}\n{segment.text}") if term not in STOP]
        return found, {term: lexical.idf(term) for term in set(found)}

    return expand(asked, lexical.scores, collection.owners, own, read, options.feedback)


def _ordered(
    voices: Sequence[Voice], shortlist: Shortlist, ground: Ground, inside: Booleans, options: SearchOptions
) -> tuple[list[int], Floats]:
    """Segment numbers, best first, and the score in 0..1 of every segment."""
    collection = ground.collection
    text = np.zeros(len(inside))
    for each in voices:
        top = float(each.scores[inside].max(initial=0.0))
        if top > 0:
            text += each.weight * each.scores / top
    text = smooth(text, collection.owners) / (sum(each.weight for each in voices) * 1.3)
    best = max(entry.score for entry in shortlist.documents) or 1.0
    worth = np.zeros(len(collection.documents))
    groups: dict[int, list[int]] = {}
    for entry in shortlist.documents:
        place = collection.place[entry.document.document_id]
        worth[place] = entry.score / best
        groups.setdefault(entry.subject, []).append(place)
    weight = options.document * (options.unnamed + (1 - options.unnamed) * shortlist.named)
    scores = (text + weight * worth[collection.owners]) / (1 + weight)
    each_order = [
        best_first(scores, np.isin(collection.owners, places) & inside) for places in groups.values()
    ]
    return interleave(each_order), scores


def _reranked(
    understanding: Understanding,
    order: list[int],
    scores: Floats,
    voices: list[Voice],
    collection: Collection,
    options: SearchOptions,
    ctx: Context,
) -> tuple[list[int], Floats]:
    """The order with the reranker's fused in: fused, not believed; its failure costs a line on the receipt.

    The scores stay with the places: the best place has the best score, whichever segment stands there now.
    """
    head = order[: options.rerank_depth]
    if ctx.reranker is None or len(head) < 2:
        return order, scores
    try:
        judged = ctx.reranker.scores(understanding.text, [collection.segments[at].text for at in head])
    except (ModelError, LimitReached) as error:
        ctx.trace.degrade(f"rerank: {error}; the order stays without it")
        return order, scores
    ranked = sorted(range(len(head)), key=lambda at: -judged[at])
    opinion = np.zeros(len(scores))
    for rank, at in enumerate(ranked, 1):
        opinion[head[at]] = 1 / rank
    voices.append(Voice(understanding.text, "rerank", opinion, 0.0))
    fused = reciprocal_rank_fusion([Ranking(tuple(head)), Ranking(tuple(head[at] for at in ranked))], k=20)
    place = {number: at for at, number in enumerate(head)}
    moved = sorted(head, key=lambda number: (-fused[number], place[number]))
    renewed = scores.copy()
    renewed[moved] = np.sort(scores[head])[::-1]
    return [*moved, *order[options.rerank_depth :]], renewed


def _extent(collection: Collection, places: set[int]) -> tuple[int, int, int]:
    """Segments looked at, and held by the server, of the shortlisted documents that were read, and how many were."""
    inside = (r for r in collection.readings if collection.place[r.document.document_id] in places)
    chosen = [reading for reading in inside if not reading.loose]
    segments = sum(len(reading.segments) for reading in chosen)
    return segments, sum(reading.total for reading in chosen), len(chosen)
