"""Which passages answer? Every query variant over every segment of the shortlisted documents, fused.

What was fetched once is ranked here, so that a further variant costs no call, and filters that a server drops do not
matter. The server's own lists are fused in by rank: their scores mean different things for each method.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from evidence.context import Context
from evidence.corpus.candidates import Candidates, searched
from evidence.corpus.collection import Collection
from evidence.index.bm25 import Booleans, Floats
from evidence.index.fusion import interleave
from evidence.index.names import name_terms
from evidence.index.smoothing import SHARE, UNNAMED, share_of_best, smooth
from evidence.language.detect import in_other_languages
from evidence.language.function_words import content_terms, telling_terms
from evidence.language.synonyms import related
from evidence.llm.chat_reranker import reranked
from evidence.model import (
    Document,
    Passage,
    Pool,
    Query,
    QueryPlan,
    Searched,
    Shortlist,
    Understanding,
    Unreached,
)
from evidence.search.cutoff import above, steep
from evidence.search.expansion import Expansion, FeedbackOptions, expand
from evidence.search.long_documents import deepened
from evidence.search.query_focus import topic_in
from evidence.search.sections import SectionMap, section_signals, titled
from evidence.search.signals import (
    FusedRanking,
    Signal,
    best_first,
    keyword_signals,
    passages,
    server_signals,
    words_for_likeness,
)
from evidence.search.superseded import valid_first

_PARTS = {
    "local": "text",
    "section": "section",
}  # what a signal counts as in the parts of a score; else the server
NAMED = 0.5  # how surely a question must name documents for their names to be left out of its query variants
_MORE = 60  # passages behind those that are returned
_RERANKED = 30  # of the best that a reranker is shown
_LOOKED_UP = 3  # rarest words of the topic that a server looks up in a document that was not read to its end
_BARELY = 0.4  # the share of a document's weight that counts however unsurely the question names it
_TELLING = frozenset({"hypothetical_answer", "follow_up"})  # origins that know more than the question says


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """`top_k` passages are returned, and more behind them, that a reranker may look at.

    Weights: `document` of a document's own score against its passages', as far as the question names documents;
    `server` of the server's lists, less the share `like` of it where documents are so alike that its lists are mostly
    about others; `variants` of the rules' other queries; `hypothetical_answers` of a model's, and of what a judge found
    missing. Where the question names no document all are searched for all of its words, and the weights are
    `unnamed` of the words of a whole document and `meaning` of the server's lists. With `split` documents that are
    named are searched for the topic without the words that name them.

    `section` weighs the `sections` that the caller says a topic means. Passages that score below `threshold` (0..1) are
    dropped, and with `adaptive` those behind a steep fall of the scores.
    """

    top_k: int = 8
    document: float = 5.0
    unnamed: float = 0.1
    server: float = 0.25
    like: float = 0.7
    meaning: float = 1.5
    variants: float = 0.1
    hypothetical_answers: float = 0.5
    split: bool = True
    section: float = 2.0
    sections: SectionMap = SectionMap()
    threshold: float = 0.0
    adaptive: bool = False
    feedback: FeedbackOptions = FeedbackOptions()


def search(
    understanding: Understanding,
    plan: QueryPlan,
    shortlist: Shortlist,
    candidates: Candidates,
    options: SearchOptions,
    ctx: Context,
) -> Pool:
    """The fused passages, best first: of the documents that the question names, or of all that was read where it names
    none; of two versions what the valid one says.
    """
    split = options.split and (shortlist.named or understanding.core)
    topic = topic_in(understanding, shortlist, candidates.collection) if split else understanding.text
    first = [entry.document for entry in shortlist.documents[: max(1, len(understanding.subjects))]]
    words = min(_LOOKED_UP, max(0, ctx.calls_left(ctx.budget.long_documents)))
    candidates = deepened(candidates, first, topic, words, ctx)
    collection = candidates.collection
    documents = [entry.document for entry in shortlist.documents]
    if documents and not shortlist.named:
        documents = list(dict.fromkeys((*documents, *collection.documents)))
    places = [collection.place[document.document_id] for document in documents]
    inside = np.isin(collection.owners, places)
    pool = Pool((), plan.queries, *_extent(candidates, documents))
    if not inside.any():
        return pool
    with ctx.trace.step("search.rank", segments=int(inside.sum()), documents=len(places)) as step:
        signals, expansion = _signals(topic, understanding, plan, shortlist, candidates, options)
        signals.extend(section_signals(topic, inside, collection, options.sections, options.section))
        step.facts["feedback_trust"] = round(expansion.trust, 2)
        ranking = _fuse(signals, shortlist, candidates, inside, options)
    if understanding.intent != "list_all":
        ranking = _rerank(understanding, ranking, signals, collection, ctx)
    ranked = passages(ranking, options.top_k + _MORE, signals, inside, candidates)
    ranked = valid_first(ranked, understanding.text)
    best, more = _handed_on(ranked, understanding, options, ctx)
    best = titled(best, collection)
    strength = _strength(expansion, signals[0].scores, places, collection)
    queries = (Query(topic, "topic"), *plan.queries)
    return replace(pool, passages=best, queries=queries, strength=strength, more=more)


def _handed_on(
    passages: Sequence[Passage], understanding: Understanding, options: SearchOptions, ctx: Context
) -> tuple[tuple[Passage, ...], tuple[Passage, ...]]:
    """The passages worth handing on, and those behind them; lists and comparisons are not cut at a steep fall."""
    best, more = tuple(passages[: options.top_k]), tuple(passages[options.top_k :])
    scores = [passage.score for passage in best]
    if options.adaptive and understanding.intent not in {"list_all", "compare", "summarise"}:
        best = best[: steep(scores, [passage.score for passage in more])]
    if options.threshold > 0:
        places = above(scores[: len(best)], options.threshold)
        if best and best[places[0]].score < options.threshold:
            ctx.trace.degrade(f"search: no passage scores {options.threshold:g}; the best one is kept")
        best = tuple(replace(best[at], rank=rank) for rank, at in enumerate(places, 1))
        more = tuple(passage for passage in more if passage.score >= options.threshold)
    return best, more


def _strength(expansion: Expansion, scores: Floats, places: Sequence[int], collection: Collection) -> float:
    """The first document's best score against the ten best of other documents; 0 where these are unlike."""
    best = collection.best_segment(scores)
    others = np.sort(np.delete(best, places[0]))[::-1][:10]
    if expansion.trust < 1 or len(others) < 3 or others[2] <= 0:
        return 0.0
    return round(float(best[places[0]]) / float(others.mean()), 3)


def _signals(
    topic: str,
    understanding: Understanding,
    plan: QueryPlan,
    shortlist: Shortlist,
    candidates: Candidates,
    options: SearchOptions,
) -> tuple[list[Signal], Expansion]:
    collection = candidates.collection
    subjects = max(1, len(understanding.subjects))
    own = frozenset(collection.place[e.document.document_id] for e in shortlist.documents[:subjects])
    question_terms: Mapping[str, float] = Counter(
        content_terms(topic) if shortlist.named else telling_terms(topic)
    )
    feedback = options.feedback if shortlist.named else replace(options.feedback, rounds=0)
    others = {} if shortlist.named else related(topic)
    expansion = expand({**others, **question_terms}, collection, own, feedback)
    signals = [Signal(topic, "local", collection.scores(expansion.weights), 1.0)]
    queried = {frozenset(question_terms)}
    naming = _naming(own, shortlist, collection) - question_terms.keys()
    abroad = in_other_languages(understanding.hypothetical_answers, understanding.text)
    for query in plan.queries:
        weights = {t: float(c) for t, c in Counter(content_terms(query.text)).items() if t not in naming}
        if query.origin in {"topic", "question"} or frozenset(weights) in queried:
            continue
        queried.add(frozenset(weights))
        scores = collection.scores(weights)
        weight = options.hypothetical_answers if query.origin in _TELLING else options.variants
        if query.text in abroad:
            weight = 1.0  # what the question is where its own words can find nothing
        signals.append(Signal(query.text, "local", scores, weight * query.weight))
    signals.extend(keyword_signals(plan.keywords, collection, options.variants))
    heard = options.server * (1 - options.like * expansion.trust)
    meaning = heard if shortlist.named else options.meaning
    signals.extend(server_signals(candidates, heard, meaning))
    signals.extend(words_for_likeness(signals[0], candidates, meaning))
    return signals, expansion


def _naming(own: frozenset[int], shortlist: Shortlist, collection: Collection) -> frozenset[str]:
    """The terms of the names of documents that the question names: inside these they tell nothing apart."""
    meant = own if shortlist.named >= NAMED else ()
    return frozenset(term for place in meant for term in name_terms(collection.documents[place].name))


def _fuse(
    signals: Sequence[Signal],
    shortlist: Shortlist,
    candidates: Candidates,
    inside: Booleans,
    options: SearchOptions,
) -> FusedRanking:
    """All signals, weighed and added to what the document itself is worth."""
    owners = candidates.collection.owners
    by_part: dict[str, Floats] = {"text": np.zeros(len(inside))}
    lent = SHARE if shortlist.named else UNNAMED
    for signal in signals:
        part = _PARTS.get(signal.name, "server")
        scores = signal.scores if part == "server" else share_of_best(signal.scores * inside)
        by_part[part] = by_part.get(part, 0.0) + signal.weight * smooth(
            scores, owners, lent if part == "text" else SHARE
        )
    worth, groups = _document_scores(shortlist, candidates.collection)
    weight = (
        options.document * (_BARELY + (1 - _BARELY) * shortlist.named) if shortlist.named else options.unnamed
    )
    total_weight = sum(signal.weight for signal in signals) * 1.3 * (1 + weight)
    parts = {"document": weight * worth[owners] / (1 + weight)}
    parts |= {name: values / total_weight for name, values in by_part.items()}
    total: Floats = np.sum(list(parts.values()), axis=0)
    orders = [best_first(total, np.isin(owners, places) & inside) for places in groups]
    return FusedRanking(tuple(interleave(orders)), total, parts)


def _document_scores(shortlist: Shortlist, collection: Collection) -> tuple[Floats, list[list[int]]]:
    """The score of each document as a share of the best one, and the documents of each subject.

    Where the question names none, all that was read is searched.
    """
    best = max(entry.score for entry in shortlist.documents) or 1.0
    worth = np.zeros(len(collection.documents))
    groups: dict[int, list[int]] = {}
    for entry in shortlist.documents:
        place = collection.place[entry.document.document_id]
        worth[place] = entry.score / best
        groups.setdefault(entry.subject, []).append(place)
    return worth, list(groups.values()) if shortlist.named else [[*range(len(collection.documents))]]


def _rerank(
    understanding: Understanding,
    ranking: FusedRanking,
    signals: list[Signal],
    collection: Collection,
    ctx: Context,
) -> FusedRanking:
    """The order with the reranker's fused in.

    The scores stay with the places: the best place has the best score, whichever segment stands there now.
    """
    head = ranking.order[:_RERANKED]
    texts = [collection.segments[at].text for at in head]
    ranked, order = reranked(understanding.text, texts, ctx.reranker, ctx.trace)
    if not order:
        return ranking
    opinion = np.zeros(len(ranking.scores))
    for rank, at in enumerate(ranked, 1):
        opinion[head[at]] = 1 / rank
    signals.append(Signal(understanding.text, "rerank", opinion, 0.0))
    moved = [head[at] for at in order]
    renewed = ranking.scores.copy()
    renewed[moved] = np.sort(ranking.scores[list(head)])[::-1]
    parts = {**ranking.parts, "rerank": renewed - ranking.scores}
    return FusedRanking((*moved, *ranking.order[_RERANKED:]), renewed, parts)


def _extent(
    candidates: Candidates, documents: Sequence[Document]
) -> tuple[int, int, int, Searched, tuple[Unreached, ...]]:
    """The extent of a search: the fields of a pool behind its queries, but for its ranking."""
    places = {document.document_id for document in documents}
    read = [
        reading
        for reading in candidates.collection.readings
        if reading.document.document_id in places and not reading.partial
    ]
    segments = sum(len(reading.segments) for reading in read)
    total = sum(reading.total for reading in read)
    return segments, total, len(read), searched(candidates, documents), candidates.report.unended
