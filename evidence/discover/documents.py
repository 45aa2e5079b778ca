"""Which documents does the question mean?

Names come first: a list of names costs one call for a hundred documents. What the server retrieves for the
question is a second signal, what was read before a third. Then the likely documents are read, and ranked again by
what they say.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from evidence.context import Context
from evidence.corpus.candidates import (
    Candidates,
    SurveyReport,
    candidates_of,
    renewed,
    server_scores,
    unreached,
    unread,
    without_likeness,
)
from evidence.corpus.collection import Collection
from evidence.corpus.fetch import pages_of, read_documents
from evidence.discover.missing_documents import nowhere, unread_names
from evidence.discover.pins import pinned
from evidence.discover.survey import SurveyOptions, retrieved_also, survey
from evidence.index.bm25 import Floats
from evidence.index.fields import DocumentScores, FieldWeights
from evidence.index.fusion import interleave
from evidence.index.smoothing import UNNAMED, share_of_best, smooth
from evidence.index.versions import in_turn, is_another, lifts, version_notes
from evidence.knowledge.metadata_filter import matches
from evidence.language.detect import in_other_languages
from evidence.language.function_words import content_terms, telling_terms
from evidence.language.synonyms import related
from evidence.llm.chat_reranker import reranked
from evidence.model import (
    Document,
    Query,
    Question,
    RankedDocument,
    Route,
    Shortlist,
    Understanding,
)

# What is added to the words of a document's best segment where the question names none:
BODY = 0.3  # of the words of all the document
WORDS, MEANING = 0.25, 1.5  # of the server's ranking by keywords, and by vectors
_ABROAD = 2  # pages that may be read beyond the budget of what another language's words bring up


@dataclass(frozen=True, slots=True)
class DiscoverOptions:
    """`most` documents are shortlisted. `fields` and `server` weigh what names them, and the server's own ranking.

    At most `reads` documents are read before the answer, as far as the call budget allows, or `granted` pages. With
    `versions` the version
    that is asked for, else the newest, stands first of its family.
    """

    most: int = 8
    fields: FieldWeights = FieldWeights()
    server: float = 0.5
    reads: int = 10
    granted: int = 0
    versions: bool = True
    survey: SurveyOptions = SurveyOptions()


def discover(
    question: Question, understanding: Understanding, route: Route, options: DiscoverOptions, ctx: Context
) -> tuple[Shortlist, Candidates]:
    """Ranked documents of the routed datasets, and the candidates that the search will rank."""
    first_look = survey(question, understanding, route, options.survey, ctx)
    documents, unknown = _permitted(question, first_look.documents)
    report = SurveyReport(
        first_look.large,
        unknown,
        any(not word.startswith("!") for word in question.documents),
        tuple(entry.dataset for entry in route.datasets),
        first_look.searched,
        first_look.unreached,
        first_look.unranked,
    )
    candidates = candidates_of(documents, first_look.retrieved, report, ctx)
    return rediscover(question, understanding, candidates, options, ctx)


def rediscover(
    question: Question,
    understanding: Understanding,
    candidates: Candidates,
    options: DiscoverOptions,
    ctx: Context,
) -> tuple[Shortlist, Candidates]:
    """The ranking of known candidates, for a new understanding; likely documents that were not read are read."""
    ranked = _ranked(understanding, candidates, options)
    plan = _worth_reading(question, ranked, candidates, options, ctx)
    if plan:
        nothing_yet = not candidates.collection.segments
        lost = read_documents(plan, ctx, required=nothing_yet)
        report = replace(candidates.report, unreached=(*candidates.report.unreached, *lost))
        candidates = renewed(replace(candidates, report=report), ctx)
        ranked = _ranked(understanding, candidates, options)
    return _shortlist(understanding, ranked, candidates, options), candidates


def rethink(
    question: Question,
    understanding: Understanding,
    candidates: Candidates,
    options: DiscoverOptions,
    ctx: Context,
) -> tuple[Shortlist, Candidates]:
    """The ranking for a model's reading; what that puts in the documents' own language is also retrieved for."""
    abroad = in_other_languages(understanding.hypothetical_answers, understanding.text)
    if abroad:
        query = Query(abroad[0], "hypothetical_answer")
        runs = retrieved_also(question, query, candidates.report.datasets, options.survey, ctx)
        known = {document.document_id: document for document in candidates.documents}
        new = (passage.segment.document for run in runs for passage in run.passages)
        usable = [document for document in new if document.usable and document.document_id not in known]
        documents = (*known.values(), *_permitted(question, tuple(dict.fromkeys(usable)))[0])
        retrieved = (*candidates.retrieved, *runs)
        candidates = candidates_of(documents, retrieved, candidates.report, ctx)
        options = replace(options, granted=_ABROAD)
    return rediscover(question, understanding, candidates, options, ctx)


def reordered(
    understanding: Understanding, shortlist: Shortlist, candidates: Candidates, ctx: Context
) -> Shortlist:
    """The shortlist in the order that a reranker makes with it, by names and best passages; versions keep theirs.

    The scores stay with the places: the best place has the best score, whichever document stands there now.
    """
    documents = [entry.document for entry in shortlist.documents]
    texts = _best_passages(understanding.text, documents, candidates.collection)
    ranked, order = reranked(understanding.text, texts, ctx.reranker, ctx.trace)
    rank = {at: f"rerank: {number}" for number, at in enumerate(ranked, 1)}
    moved = tuple(
        replace(shortlist.documents[at], score=place.score, why=(*shortlist.documents[at].why, rank[at]))
        for place, at in zip(shortlist.documents, in_turn(documents, order), strict=False)
    )
    return replace(shortlist, documents=moved) if moved else shortlist


def _best_passages(query: str, documents: Sequence[Document], collection: Collection) -> list[str]:
    """The name of each document, and of what was read of it the segment that holds most of what is asked."""
    scores = collection.scores(dict.fromkeys(content_terms(query), 1.0))
    texts = []
    for document in documents:
        own = np.flatnonzero(collection.owners == collection.place[document.document_id])
        best = collection.segments[own[np.argmax(scores[own])]].text if len(own) else ""
        texts.append(f"{document.name}\n{best}")
    return texts


def _permitted(
    question: Question, documents: Sequence[Document]
) -> tuple[tuple[Document, ...], tuple[str, ...]]:
    """The documents that filter, pins and exclusions leave, and the pins that name nothing."""
    conditions = question.metadata_filter
    left = [document for document in documents if matches(conditions, document.name, document.metadata)]
    return pinned(question.documents, left)


def _worth_reading(
    question: Question,
    ranked: Sequence[RankedDocument],
    candidates: Candidates,
    options: DiscoverOptions,
    ctx: Context,
) -> list[tuple[Document, int]]:
    """The likely documents that were not read, with the pages that the calls left allow; the first one always."""
    budget = ctx.budget
    few = bool(candidates.retrieved) and len(candidates.documents) <= budget.few_documents
    left = ctx.calls_left(budget.few_reads if few else budget.reads)
    left = max(left, options.granted) if options.granted else left
    if question.documents:
        left = max(left, min(len(ranked), options.reads))
    named = max(1, len({entry.subject for entry in ranked if entry.subject >= 0}))
    first = len(unread(candidates, [entry.document for entry in ranked[:named]]))
    left = min(max(left, min(first, left + budget.forced)), ctx.meter.left("knowledge_calls"))
    plan: list[tuple[Document, int]] = []
    for document in unread(candidates, [entry.document for entry in ranked[: options.reads]]):
        if left < 1:
            break
        pages = min(left, pages_of(document, ctx))
        plan.append((document, pages))
        left -= pages
    if plan and not plan[0][0].word_count:
        plan[0] = (plan[0][0], plan[0][1] + left)  # of unknown length: what is left may go to it
    return plan


def _ranked(
    understanding: Understanding, candidates: Candidates, options: DiscoverOptions
) -> list[RankedDocument]:
    """All documents, best first; where several are named, each one's best in turn."""
    if not candidates.documents:
        return []
    if len(understanding.subjects) < 2:
        named = bool(understanding.subjects)
        weights = _weights(understanding)
        return _ranking(understanding.text, weights, -1, candidates, options, named=named)
    rankings = _rankings_by_subject(understanding, candidates, options)
    by_id = {
        entry.document.document_id: entry for ranking in reversed(rankings) for entry in reversed(ranking)
    }
    for ranking in rankings:
        by_id[ranking[0].document.document_id] = ranking[0]
    order = interleave([[entry.document.document_id for entry in ranking] for ranking in rankings])
    return [by_id[document_id] for document_id in order]


def _rankings_by_subject(
    understanding: Understanding, candidates: Candidates, options: DiscoverOptions
) -> list[list[RankedDocument]]:
    """A ranking for each named document that exists; two editions are never one and the same document."""
    rankings = [
        _ranking(subject, dict(Counter(content_terms(subject))), number, candidates, options)
        for number, subject in enumerate(understanding.subjects)
        if not nowhere(subject, candidates)
    ]
    firsts = Counter(ranking[0].document.document_id for ranking in rankings)
    return [
        ranking
        for ranking in rankings
        if firsts[ranking[0].document.document_id] < 2
        or not is_another(ranking[0].document, understanding.subjects[ranking[0].subject])
    ]


def _weights(understanding: Understanding) -> dict[str, float]:
    """The question's terms; where it names no document, its framing words too, and those that a model
    expects in documents of another language."""
    text, answers = understanding.text, understanding.hypothetical_answers
    if understanding.subjects:
        return dict.fromkeys(content_terms(text), 1.0)
    abroad = " ".join(in_other_languages(answers, text))
    return {**related(text), **dict.fromkeys((*telling_terms(text), *content_terms(abroad)), 1.0)}


def _ranking(
    query: str,
    weights: Mapping[str, float],
    subject: int,
    candidates: Candidates,
    options: DiscoverOptions,
    *,
    named: bool = True,
) -> list[RankedDocument]:
    collection = candidates.collection
    parts = _parts(weights, candidates, options) if named else _unnamed_parts(weights, candidates, options)
    total: Floats = np.sum(list(parts.values()), axis=0)
    if options.versions:
        parts["version"] = _version_signal(query, total, total - parts["server"], collection, options)
        total = total + parts["version"]
    top = float(total.max(initial=0.0)) or 1.0
    order = np.argsort(-total, kind="stable")
    names = share_of_best(collection.fields.scores(weights).name)
    return [
        RankedDocument(
            collection.documents[place],
            round(float(total[place]) / top, 4),
            _why(parts, place, top),
            subject,
            round(float(names[place]), 4),
        )
        for place in order
    ]


def _parts(
    weights: Mapping[str, float], candidates: Candidates, options: DiscoverOptions
) -> dict[str, Floats]:
    """The parts of each document's score where the question names documents."""
    collection = candidates.collection
    fields = collection.fields.scores(weights)
    unnamed = 1 - _surely(fields, collection)
    return {
        "name": options.fields.name * fields.name,
        "beginning": options.fields.lead * fields.lead,
        "text": options.fields.body * fields.body,
        "passages": collection.best_segment(collection.scores(weights)) * unnamed,
        "server": _server_signal(candidates) * options.server * collection.fields.rarest,
    }


def _unnamed_parts(
    weights: Mapping[str, float], candidates: Candidates, options: DiscoverOptions
) -> dict[str, Floats]:
    """The same where it names none: what was read is worth its best segment, other documents as if they were named."""
    collection = candidates.collection
    parts = _parts(weights, candidates, options)
    read = np.bincount(collection.owners, minlength=len(collection.documents)) > 0
    top = float((np.sum(list(parts.values()), axis=0) * read).max(initial=0.0))
    parts = {name: values * ~read for name, values in parts.items()}
    return parts | {"passages": parts["passages"] + top * _relevance(weights, candidates)}


def _relevance(weights: Mapping[str, float], candidates: Candidates) -> Floats:
    """What the best segment of each document is worth, in 0..1, where the question names no document."""
    collection = candidates.collection
    body = share_of_best(collection.fields.scores(weights).body)[collection.owners]
    words = share_of_best(smooth(collection.scores(weights), collection.owners, UNNAMED))
    scores = words + BODY * body + MEANING * words * without_likeness(candidates)
    for run, ranks in server_scores(candidates):
        weight = WORDS if run.signal == "keyword" else MEANING
        scores = scores + weight * smooth(ranks, collection.owners)
    return share_of_best(collection.best_segment(scores))


def _surely(scores: DocumentScores, collection: Collection) -> float:
    """How surely the query names a document: the idf of its words in the best name, as a share of the rarest word's."""
    return min(1.0, float(scores.name.max(initial=0.0)) / collection.fields.rarest)


def _why(parts: Mapping[str, Floats], place: int, top: float) -> tuple[str, ...]:
    """The named parts that a score is the sum of."""
    return tuple(
        f"{name}: {values[place] / top:.2f}" for name, values in parts.items() if values[place] / top >= 0.005
    )


def _version_signal(
    query: str, total: Floats, own: Floats, collection: Collection, options: DiscoverOptions
) -> Floats:
    """What lifts the version that is asked for, or the newest, above the others of one document."""
    likely = [
        int(place) for place in np.argsort(-total, kind="stable")[: 4 * options.most] if total[place] > 0
    ]
    documents = [collection.documents[place] for place in likely]
    signal = np.zeros(len(total))
    for document_id, lift in lifts(documents, total[likely].tolist(), own[likely].tolist(), query).items():
        signal[collection.place[document_id]] = lift
    return signal


def _server_signal(candidates: Candidates) -> Floats:
    """For each document, the sum over the server's lists of 1 / rank among documents."""
    signal = np.zeros(len(candidates.documents))
    for run in candidates.retrieved:
        seen = dict.fromkeys(passage.segment.document.document_id for passage in run.passages)
        for rank, document_id in enumerate(seen, 1):
            place = candidates.collection.place.get(document_id)
            if place is not None:
                signal[place] += 1 / rank
    return signal


def _shortlist(
    understanding: Understanding,
    ranked: Sequence[RankedDocument],
    candidates: Candidates,
    options: DiscoverOptions,
) -> Shortlist:
    report, subjects = candidates.report, understanding.subjects
    if not candidates.documents:
        return Shortlist((), 0.0, report.unknown, 0, "nothing_fits", unreached=unreached(candidates))
    if len(subjects) < 2:
        lost = [subject for subject in subjects if nowhere(subject, candidates)]
    else:
        rankings = _rankings_by_subject(understanding, candidates, options)
        lost = [s for at, s in enumerate(subjects) if at not in {ranking[0].subject for ranking in rankings}]
    missing = [*report.unknown, *lost]
    keep_all = report.pinned or not ((ranked and ranked[0].score > 0) or candidates.collection.complete)
    chosen = tuple(entry for entry in ranked if entry.score > 0 or keep_all)[: options.most]
    none_left = not chosen or (bool(lost) and len(lost) == len(subjects))
    verdict: Literal["found", "nothing_fits"] = "nothing_fits" if none_left else "found"
    scores = candidates.collection.fields.scores(_weights(understanding))
    named = round(_surely(scores, candidates.collection), 2) if subjects else 0.0
    versions = version_notes([entry.document for entry in chosen])
    explained = tuple(
        replace(entry, why=(*entry.why, versions[entry.document.document_id]))
        if entry.document.document_id in versions
        else entry
        for entry in chosen
    )
    unread = () if lost else unread_names(understanding, ranked, candidates)
    return Shortlist(
        explained,
        named,
        tuple(missing),
        len(candidates.documents),
        verdict,
        unread=unread,
        unreached=unreached(candidates),
    )
