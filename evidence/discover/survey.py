"""The first look at the chosen datasets: what they list and what they themselves rank, asked at the same time."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from evidence.cache import Catalogue
from evidence.context import Context
from evidence.corpus.fetch import (
    catalogue_of,
    documents_named,
    listed_until,
    unreached,
)
from evidence.corpus.large import IndexedBase, from_index
from evidence.corpus.meaning import alike
from evidence.errors import EvidenceError, KnowledgeError, LimitReached
from evidence.index.names import unpack
from evidence.language.editions import EDITION_NOUNS
from evidence.language.function_words import content_words, telling_terms
from evidence.language.scripts import has_cjk
from evidence.language.synonyms import related
from evidence.model import (
    Dataset,
    Document,
    MetadataFilter,
    Query,
    Question,
    Retrieved,
    Route,
    Understanding,
    Unreached,
)

_ID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


@dataclass(frozen=True, slots=True)
class SurveyOptions:
    """What the first look may ask.

    Every dataset that has vectors or was not read whole is asked for `top_k` segments. While these are fewer than
    `retrieves` (`few_retrieves` where there are few documents), some are also asked for what is named. `lookups` are
    names asked for.
    """

    retrieves: int = 3
    few_retrieves: int = 2
    top_k: int = 100
    lookups: int = 3


@dataclass(frozen=True, slots=True)
class Survey:
    """`large` tells that a catalogue was not listed to its end. The datasets `searched` gave a ranking of their own.

    Of `unreached` datasets not all names are known; `unranked` ones gave no ranking: only reading them whole helps.
    """

    documents: tuple[Document, ...] = ()
    retrieved: tuple[Retrieved, ...] = ()
    large: bool = False
    searched: frozenset[str] = frozenset()
    unreached: tuple[Unreached, ...] = ()
    unranked: tuple[Unreached, ...] = ()


@dataclass(frozen=True, slots=True)
class _Ask:
    """One thing that a dataset is asked."""

    dataset: Dataset
    call: Callable[[], Catalogue | Retrieved]
    ranks: bool = False


@dataclass(slots=True)
class _Answers:
    catalogues: list[Catalogue] = field(default_factory=list)
    retrieved: list[Retrieved] = field(default_factory=list)
    searched: set[str] = field(default_factory=set)
    unlisted: list[Unreached] = field(default_factory=list)
    unranked: list[Unreached] = field(default_factory=list)
    errors: list[EvidenceError] = field(default_factory=list)


def survey(
    question: Question, understanding: Understanding, route: Route, options: SurveyOptions, ctx: Context
) -> Survey:
    """Catalogues and the server's own rankings. Raises the first error if no catalogue can be had at all."""
    free = not question.documents and not question.metadata_filter.conditions
    indexed = _indexed(understanding, route, ctx) if free else {}
    answers = _answers(list(_asks(question, understanding, route, indexed, options, ctx)), ctx)
    if not answers.catalogues and answers.errors:
        raise answers.errors[0]
    answers.unlisted.extend(_left_out(question, ctx))
    documents = {d.document_id: d for entry in route.datasets for d in entry.documents}
    named_before = {entry.dataset.dataset_id for entry in route.datasets if entry.documents}
    documents |= {d.document_id: d for catalogue in answers.catalogues for d in catalogue.documents}
    partly = [catalogue.dataset for catalogue in answers.catalogues if not catalogue.complete]
    for dataset in partly:
        named, lost = _pinned_by_id(question, dataset, documents, ctx)
        documents |= {document.document_id: document for document in named}
        answers.unlisted.extend(lost)
        pins = [pin for pin in question.documents if not pin.startswith("!")]
        if all(pin in documents for pin in pins) if pins else dataset.dataset_id in named_before:
            continue
        most = options.lookups if ctx.calls_left(ctx.budget.names) >= 0 else 1
        words = _pin_words(question, options.lookups) or _name_words(understanding, most)
        named, lost = documents_named(dataset, words, ctx)
        documents |= {document.document_id: document for document in named}
        answers.unlisted.extend(lost)
    for run in answers.retrieved:
        documents |= {p.segment.document.document_id: p.segment.document for p in run.passages} | documents
    unranked = tuple(dataset for dataset in answers.unranked if dataset.id not in answers.searched)
    return Survey(
        tuple(document for document in documents.values() if document.usable),
        tuple(answers.retrieved),
        bool(partly),
        frozenset(answers.searched),
        tuple(answers.unlisted),
        unranked,
    )


def _indexed(understanding: Understanding, route: Route, ctx: Context) -> dict[str, IndexedBase]:
    """What an index ranks of large datasets, by their ids."""
    text = understanding.text
    weights = {**related(text), **dict.fromkeys(telling_terms(text), 1.0)}
    bases = {
        entry.dataset.dataset_id: from_index(entry.dataset, text, weights, ctx) for entry in route.datasets
    }
    return {dataset_id: base for dataset_id, base in bases.items() if base}


def _left_out(question: Question, ctx: Context) -> Iterator[Unreached]:
    """The knowledge bases that no server lists, that were meant, and that did not open."""
    listed = ctx.cache.datasets(float("inf"))
    opened = {dataset.dataset_id for dataset in listed.items} if listed else set()
    meant = {word.strip().casefold() for word in question.datasets}
    for base_id, name in ctx.unlisted.items():
        if base_id not in opened and (not meant or meant & {base_id, name.strip().casefold()}):
            yield Unreached("dataset", base_id, name, "knowledge_unavailable")


def _asks(
    question: Question,
    understanding: Understanding,
    route: Route,
    indexed: Mapping[str, IndexedBase],
    options: SurveyOptions,
    ctx: Context,
) -> Iterator[_Ask]:
    for base in indexed.values():
        yield _Ask(base.catalogue.dataset, partial(_itself, base.retrieved), ranks=True)
        if base.current:
            yield _Ask(base.catalogue.dataset, partial(_itself, base.catalogue))
    current = {dataset_id for dataset_id, base in indexed.items() if base.current}
    for entry in route.datasets:
        if entry.dataset.dataset_id in current:
            continue
        # One page of names is enough where names were found before, and all that there is time for after many calls.
        pages = 1 if entry.documents or ctx.calls_left(ctx.budget.names) < 0 else 0
        yield _Ask(entry.dataset, partial(catalogue_of, entry.dataset, ctx, pages=pages, now=True))
    datasets = [
        entry.dataset
        for entry in route.datasets
        if entry.dataset.dataset_id not in current or entry.dataset.technique == "high_quality"
    ]
    for dataset, query in _retrieves(datasets, understanding, options, ctx):
        retrieve = partial(_retrieved, dataset, query, question.metadata_filter, options, ctx)
        yield _Ask(dataset, retrieve, ranks=True)
    yield from _asks_for_meaning(understanding, route, indexed, ctx)


def _asks_for_meaning(
    understanding: Understanding, route: Route, indexed: Mapping[str, IndexedBase], ctx: Context
) -> Iterator[_Ask]:
    """Of datasets that rank by words alone, what the vectors of an index find alike."""
    query = Query(understanding.text, "question")
    for dataset in [entry.dataset for entry in route.datasets] if ctx.embedder else []:
        known = ctx.cache.catalogue(dataset, float("inf"))
        if dataset.dataset_id in indexed:
            known = indexed[dataset.dataset_id].catalogue
        if known is not None and dataset.technique != "high_quality":
            yield _Ask(dataset, partial(alike, dataset, known.documents, query, ctx), ranks=True)


def _itself[T](value: T) -> T:
    return value


def _pinned_by_id(
    question: Question, dataset: Dataset, known: Mapping[str, Document], ctx: Context
) -> tuple[tuple[Document, ...], tuple[Unreached, ...]]:
    """The documents of a large dataset that are pinned by their ids, and what could not be listed on the way."""
    ids = [pin for pin in question.documents if _ID.fullmatch(pin) and pin not in known]
    if not ids:
        return (), ()
    try:
        documents = listed_until(dataset, ids, ctx).documents
    except (KnowledgeError, LimitReached) as error:
        ctx.trace.degrade(f"discover: not all documents of {dataset.name} were listed ({error})")
        return (), (unreached(dataset, error),)
    return tuple(document for document in documents if document.document_id in ids), ()


def _retrieves(
    datasets: Sequence[Dataset], understanding: Understanding, options: SurveyOptions, ctx: Context
) -> list[tuple[Dataset, Query]]:
    """What is worth asking the server's own ranking.

    Each dataset once, whatever was spent on the way here: nothing is nowhere before every dataset was asked or read
    whole. A dataset that was read whole is asked for its vectors only, as is one for what the question names.
    """
    query = Query(understanding.text, "question")
    subject = Query(" ".join(understanding.subjects), "subject")
    unread = [dataset for dataset in datasets if not ctx.cache.fully_read(dataset, ctx.reading.stale)]
    vectors = [dataset for dataset in datasets if dataset.technique == "high_quality"]
    first = [
        (dataset, query) for dataset in (*unread, *(dataset for dataset in vectors if dataset not in unread))
    ]
    second = [(dataset, subject) for dataset in vectors if dataset in unread and subject.text]
    few = sum(dataset.document_count for dataset in datasets) <= ctx.budget.few_documents
    most = options.few_retrieves if few else options.retrieves
    left = ctx.calls_left(ctx.budget.retrieves)
    return [*first, *second][: max(len(first), min(most, left))]


def retrieved_also(
    question: Question, query: Query, datasets: Sequence[Dataset], options: SurveyOptions, ctx: Context
) -> tuple[Retrieved, ...]:
    """What the datasets that have vectors or were not read whole rank for one more query; what fails is told."""
    ask = partial(_retrieved, query=query, metadata_filter=question.metadata_filter, options=options, ctx=ctx)
    worth_asking = (
        dataset
        for dataset in datasets
        if dataset.technique == "high_quality" or not ctx.cache.fully_read(dataset, ctx.reading.stale)
    )
    asks = [_Ask(dataset, partial(ask, dataset), ranks=True) for dataset in worth_asking]
    return tuple(_answers(asks[: ctx.meter.left("retrieves")], ctx).retrieved)


def _retrieved(
    dataset: Dataset,
    query: Query,
    metadata_filter: MetadataFilter,
    options: SurveyOptions,
    ctx: Context,
) -> Retrieved:
    """The server's own ranking; who asks the same at the same time shares it."""

    def ask() -> Retrieved:
        return ctx.knowledge.retrieve(dataset, query, options.top_k, metadata_filter)

    key = ("retrieve", dataset.dataset_id, query.text, options.top_k, metadata_filter)
    return ctx.single_flight(key, ask)


def _answers(asks: Sequence[_Ask], ctx: Context) -> _Answers:
    """What was asked, all at once; what fails is said by the name of its dataset."""
    answers = _Answers()
    for ask, result in zip(asks, ctx.gather(lambda ask: ask.call(), asks), strict=True):
        name, dataset_id = ask.dataset.name, ask.dataset.dataset_id
        if isinstance(result, Catalogue):
            answers.catalogues.append(result)
        elif isinstance(result, Retrieved):
            answers.retrieved.append(result)
            answers.searched.add(dataset_id)
            ctx.trace.degrade(*result.warnings)
            if not result.filtered:
                ctx.trace.degrade("the server ignored the metadata filter; it was applied here instead")
        elif isinstance(result.error, KnowledgeError | LimitReached):
            answers.errors.append(result.error)
            lost = answers.unranked if ask.ranks else answers.unlisted
            lost.append(unreached(ask.dataset, result.error))
            what = f"{name} could not be searched" if ask.ranks else f"{name} could not be listed"
            ctx.trace.degrade(f"discover: {what} ({result.error})")
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
    words = [word for word in content_words(named) or content_words(understanding.text) if len(word) >= 2]
    words.sort(
        key=lambda word: (word in EDITION_NOUNS, not (word[:1].isupper() or has_cjk(word)), -len(word))
    )
    return list(dict.fromkeys(words))[:most]
