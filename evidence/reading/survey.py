"""The first look at the chosen datasets: what they list and what they themselves rank, asked at the same time."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from evidence.context import Context
from evidence.errors import EvidenceError, KnowledgeError, LimitReached
from evidence.model import Dataset, Document, Query, Question, RankedDataset, Retrieved, Route, Understanding
from evidence.ranking.names import unpack
from evidence.reading.fetching import ReadOptions, catalogue_of, documents_named, listed_until
from evidence.shelf import Catalogue
from evidence.text.analysis import has_cjk
from evidence.text.stopwords import content_words
from evidence.workers import Failure

_EDITIONS = frozenset("version edition revision release issue".split())  # no name is found by these
_ID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


@dataclass(frozen=True, slots=True)
class SurveyOptions:
    """What the first look may ask.

    Every dataset that was not read whole is asked for `top_k` segments. While there are fewer than `retrieves` of these
    (`few_retrieves` where there are few documents), the first `datasets` of them are also asked for what is named.
    `lookups` are names asked for. After `late` calls, spent on the way here, what is beyond the first is cut down.
    """

    retrieves: int = 3
    few_retrieves: int = 2
    few_documents: int = 24
    datasets: int = 2
    top_k: int = 40
    lookups: int = 3
    late: int = 6
    reading: ReadOptions = ReadOptions()


@dataclass(frozen=True, slots=True)
class Survey:
    """`large` tells that a catalogue was not listed to its end; `unfiltered` that a filter was not applied."""

    documents: tuple[Document, ...] = ()
    retrieved: tuple[Retrieved, ...] = ()
    large: bool = False


@dataclass(slots=True)
class _Answers:
    catalogues: list[Catalogue] = field(default_factory=list)
    retrieved: list[Retrieved] = field(default_factory=list)
    errors: list[EvidenceError] = field(default_factory=list)


def survey(
    question: Question, understanding: Understanding, route: Route, options: SurveyOptions, ctx: Context
) -> Survey:
    """Catalogues and the server's own rankings. Raises the first error if no catalogue can be had at all."""
    datasets = [entry.dataset for entry in route.datasets]
    asks: list[Callable[[], Catalogue | Retrieved]] = [
        partial(catalogue_of, entry.dataset, _pages_of(entry, options, ctx), ctx, now=True)
        for entry in route.datasets
    ]
    for dataset, query in _retrieves(datasets, understanding, options, ctx):
        asks.append(partial(_retrieved, dataset, query, question.metadata_filter, options, ctx))
    answers = _sorted(ctx.gather(lambda ask: ask(), asks), ctx)
    if not answers.catalogues and answers.errors:
        raise answers.errors[0]
    found = {d.document_id: d for entry in route.datasets for d in entry.documents}
    named_before = {entry.dataset.dataset_id for entry in route.datasets if entry.documents}
    found |= {d.document_id: d for catalogue in answers.catalogues for d in catalogue.documents}
    partly = [catalogue for catalogue in answers.catalogues if not catalogue.complete]
    for catalogue in partly:
        ids = [pin for pin in question.documents if _ID.fullmatch(pin) and pin not in found]
        if ids:
            found |= {d.document_id: d for d in _pinned_by_id(catalogue.dataset, ids, options, ctx)}
        pins = [pin for pin in question.documents if not pin.startswith("!")]
        if pins and all(pin in found for pin in pins):
            continue
        if catalogue.dataset.dataset_id in named_before and not pins:
            continue
        most = options.lookups if ctx.meter.spent()["knowledge_calls"] <= options.late else 1
        words = _pin_words(question, options.lookups) or _name_words(understanding, most)
        named = documents_named(catalogue.dataset, words, ctx)
        found |= {document.document_id: document for document in named}
    for run in answers.retrieved:
        found |= {p.segment.document.document_id: p.segment.document for p in run.passages} | found
    usable = tuple(document for document in found.values() if document.usable)
    return Survey(usable, tuple(answers.retrieved), bool(partly))


def _pages_of(entry: RankedDataset, options: SurveyOptions, ctx: Context) -> ReadOptions:
    """One page of names is enough where names were found before, and all that there is time for after many calls."""
    late = ctx.meter.spent()["knowledge_calls"] > options.late
    return replace(options.reading, catalogue_pages=1) if entry.documents or late else options.reading


def _pinned_by_id(
    dataset: Dataset, ids: Sequence[str], options: SurveyOptions, ctx: Context
) -> tuple[Document, ...]:
    try:
        documents = listed_until(dataset, ids, options.reading, ctx).documents
    except (KnowledgeError, LimitReached) as error:
        ctx.trace.degrade(f"discover: not all documents of {dataset.name} were listed ({error})")
        return ()
    return tuple(document for document in documents if document.document_id in ids)


def _retrieves(
    datasets: Sequence[Dataset], understanding: Understanding, options: SurveyOptions, ctx: Context
) -> list[tuple[Dataset, Query]]:
    """What is worth asking the server's own ranking.

    Each dataset once, whatever was spent on the way here: nothing is nowhere before every dataset was asked or read
    whole. A dataset that was read whole is asked for its vectors only.
    """
    asked = Query(understanding.text, "question")
    subject = Query(" ".join(understanding.subjects), "subject")
    age = options.reading.freshness.stale
    unread = [dataset for dataset in datasets if not ctx.shelf.holds_whole(dataset, age)]
    likely = datasets[: options.datasets]
    vectors = [each for each in likely if each.technique == "high_quality"]
    first = [(dataset, asked) for dataset in (*unread, *(each for each in vectors if each not in unread))]
    second = [(each, subject) for each in vectors if each in unread and subject.text]
    few = sum(dataset.document_count for dataset in datasets) <= options.few_documents
    most = options.few_retrieves if few else options.retrieves
    left = options.late + 4 - ctx.meter.spent()["knowledge_calls"]
    return [*first, *second][: max(len(unread), min(most, max(left, 1)))]


def _retrieved(
    dataset: Dataset,
    query: Query,
    metadata_filter: Mapping[str, Any] | None,
    options: SurveyOptions,
    ctx: Context,
) -> Retrieved:
    """The server's own ranking; who asks the same at the same time shares it."""

    def ask() -> Retrieved:
        return ctx.knowledge.retrieve(dataset, query, options.top_k, metadata_filter)

    wanted = json.dumps(metadata_filter, sort_keys=True, default=str)
    key = ("retrieve", dataset.dataset_id, query.text, options.top_k, wanted)
    return ctx.shelf.once(key, ask, ctx.deadline)


def _sorted(results: Sequence[Catalogue | Retrieved | Failure], ctx: Context) -> _Answers:
    answers = _Answers()
    for result in results:
        if isinstance(result, Catalogue):
            answers.catalogues.append(result)
        elif isinstance(result, Retrieved):
            answers.retrieved.append(result)
            ctx.trace.degrade(*result.warnings)
            if not result.filtered:
                ctx.trace.degrade("the server ignored the metadata filter; it was applied here instead")
        elif isinstance(result.error, KnowledgeError | LimitReached):
            answers.errors.append(result.error)
            ctx.trace.degrade(f"discover: {result.error}")
        else:
            raise result.error
    return answers


def _pin_words(question: Question, most: int) -> list[str]:
    """Of each pinned document the name as it is written, and its longest word, since names are written anyhow."""
    pins = [word for word in question.documents if not word.startswith("!") and not _ID.fullmatch(word)][
        :most
    ]
    longest = (max(unpack(pin).split(), key=len, default="") for pin in pins)
    return [word for word in dict.fromkeys((*pins, *longest)) if word]


def _name_words(understanding: Understanding, most: int) -> list[str]:
    """Words to ask a list of names for, as they are written, the most telling first."""
    named = " ".join((*understanding.subjects, *understanding.entities))
    found = [word for word in content_words(named) or content_words(understanding.text) if len(word) >= 2]
    found.sort(key=lambda word: (word in _EDITIONS, not (word[:1].isupper() or has_cjk(word)), -len(word)))
    return list(dict.fromkeys(found))[:most]
