"""Which datasets are worth searching?

A dataset is known by its name, its description and what it holds: the names of its documents and the texts that
were read before.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from evidence.context import Context
from evidence.corpus.fetch import PAGE, all_datasets, catalogue_of
from evidence.discover.scopes import named_scopes
from evidence.errors import DatasetNotFound, InvalidRequest, KnowledgeError, Misconfigured
from evidence.index.bm25 import idf
from evidence.index.names import name_terms
from evidence.language.function_words import content_terms, content_words
from evidence.language.terms import terms
from evidence.model import Dataset, Document, Question, RankedDataset, Route, Understanding
from evidence.workers import Failure

NOTHING: Mapping[str, Sequence[Document]] = {}
_NUMBER = re.compile(r"^(?!(?:19|20)\d\d$).*\d{3}")  # no year
_UNREAD = 0.7  # how loudly the words of what was read speak for what was not
_APART = 0.25  # how loudly words of other names speak than the one that holds most of what is asked


@dataclass(frozen=True, slots=True)
class RouteOptions:
    """At most `most` datasets are searched at once when the caller names none.

    Where the best of them holds less than the share `sure` of the question, up to `probes` more are looked into; where
    the question names a document and none of these holds the share `named` of its name, up to `further` more.
    """

    most: int = 6
    probes: int = 6
    further: int = 4
    sure: float = 0.25
    named: float = 0.8


def route(question: Question, understanding: Understanding, options: RouteOptions, ctx: Context) -> Route:
    """The datasets to search, best first, and why others are left out."""
    seen = all_datasets(ctx)
    if not seen:
        raise Misconfigured(
            "no dataset is visible: the key sees none, or the list of allowed datasets permits none"
        )
    requested = _requested(question.datasets, seen, ctx) if question.datasets else seen
    usable, skipped = _usable(requested)
    if question.datasets and all(dataset.provider == "external" for dataset in requested):
        raise InvalidRequest(
            f'"{requested[0].name[:60]}" is an external knowledge base, which cannot be read through Dify\'s API: '
            "name one that Dify itself stores"
        )
    for reason in skipped if question.datasets or not usable else ():
        ctx.trace.degrade(f"route: {reason}")
    if not usable:
        return Route((), skipped, "nothing_fits")
    if not question.datasets:
        usable, others = _bounded(usable, understanding)
        skipped = (*skipped, *others)
    ranked = _ranked(usable, understanding, ctx)
    if question.datasets or len(usable) <= options.most:
        return Route(tuple(ranked), skipped, considered=tuple(usable))
    unseen = 0
    if ranked[0].score < options.sure:
        chosen, ranked, unseen = _looked_into(usable, understanding, options, ctx)
    else:
        chosen = _best(ranked, understanding, options)
    left = tuple(f"{entry.dataset.name}: fits less" for entry in ranked if entry not in chosen)[:10]
    return Route(tuple(chosen), (*skipped, *left), considered=tuple(usable), unseen=unseen)


def unbounded(understanding: Understanding, route_: Route) -> Understanding:
    """The understanding without subjects that are names of the datasets that a list is made of, and of no document."""
    names = [entry.dataset.name for entry in route_.datasets]
    if understanding.intent != "list_all" or not named_scopes(understanding.text, names):
        return understanding
    scopes = [terms(name) for name in names]
    subjects = tuple(subject for subject in understanding.subjects if terms(subject) not in scopes)
    return replace(understanding, subjects=subjects)


def widened(
    route_: Route, question: Question, understanding: Understanding, options: RouteOptions, ctx: Context
) -> Route:
    """The next best datasets, where the first ones held nothing; empty when none is left or the caller chose.

    Empty too where the question names a document and many datasets are left: these would be tried at random.
    """
    tried = {entry.dataset.dataset_id for entry in route_.datasets}
    if question.datasets:
        return Route((), route_.skipped, "nothing_fits")
    usable, skipped = _usable(all_datasets(ctx))
    left = [entry for entry in _ranked(usable, understanding, ctx) if entry.dataset.dataset_id not in tried]
    if _naming(understanding) and len(left) > options.probes + options.further:
        left = []  # what is named was looked for by name, and that some were not looked into was said
    chosen = tuple(replace(entry, why=(*entry.why, "next in line")) for entry in left[: options.most])
    return Route(chosen, skipped, "chosen" if chosen else "nothing_fits", considered=route_.considered)


def _requested(requested: Sequence[str], seen: Sequence[Dataset], ctx: Context) -> list[Dataset]:
    """Datasets by id, else by name; a name that two datasets bear means both.

    One that is known and did not open was said to be left out; where there is no other, its error is raised.
    """
    datasets: dict[str, Dataset] = {}
    closed: list[str] = []
    for word in requested:
        same = [dataset for dataset in seen if dataset.dataset_id == word] or [
            dataset for dataset in seen if dataset.name.strip().casefold() == word.strip().casefold()
        ]
        if not same and (known_ids := _unlisted(word, ctx)):
            closed += known_ids
            continue
        if not same:
            known = [dataset.name for dataset in seen if dataset.provider != "external"]
            named = ", ".join([*known[:6], *(["…"] if len(known) > 6 else [])])
            raise DatasetNotFound(
                f'There is no dataset "{word[:60]}" that this key may read; it may read: {named or "none"}.'
            )
        datasets |= {dataset.dataset_id: dataset for dataset in same}
    if closed and not datasets:
        return [ctx.knowledge.dataset(closed[0])]
    return list(datasets.values())


def _unlisted(word: str, ctx: Context) -> list[str]:
    """Ids of knowledge bases that no server lists, by id or name."""
    name_or_id = word.strip().casefold()
    return [
        base_id for base_id, name in ctx.unlisted.items() if name_or_id in {base_id, name.strip().casefold()}
    ]


def _usable(datasets: Sequence[Dataset]) -> tuple[list[Dataset], tuple[str, ...]]:
    skipped: list[str] = []
    usable: list[Dataset] = []
    for dataset in datasets:
        if dataset.provider == "external":
            skipped.append(
                f"{dataset.name}: an external knowledge base, which cannot be read through Dify's API"
            )
        elif dataset.closed:
            skipped.append(f"{dataset.name}: its API access is off in Dify")
        elif dataset.document_count == 0:
            skipped.append(f"{dataset.name}: it holds no documents")
        else:
            usable.append(dataset)
    return usable, tuple(skipped)


def _best(
    ranked: Sequence[RankedDataset], understanding: Understanding, options: RouteOptions
) -> list[RankedDataset]:
    """The first datasets that are not far behind the best; half as many where a name tells which one is meant."""
    best, most = ranked[0].score, options.most // 2 if _naming(understanding) else options.most
    return [entry for entry in ranked[:most] if entry.score >= 0.25 * best or best <= 0]


def _bounded(datasets: list[Dataset], understanding: Understanding) -> tuple[list[Dataset], tuple[str, ...]]:
    """The datasets that a list is to be made of, where the question names them, and why the others are left out."""
    scopes = named_scopes(understanding.text, [dataset.name for dataset in datasets])
    if understanding.intent != "list_all" or not scopes:
        return datasets, ()
    bounded = [datasets[place] for place in scopes]
    named = ", ".join(dataset.name for dataset in bounded)
    others = tuple(
        f"{dataset.name}: the question asks for {named}" for dataset in datasets if dataset not in bounded
    )
    return bounded, others[:10]


def _looked_into(
    datasets: Sequence[Dataset], understanding: Understanding, options: RouteOptions, ctx: Context
) -> tuple[list[RankedDataset], list[RankedDataset], int]:
    """The chosen datasets and all, ranked by what some of them hold, or more of them if a named document is in none.

    And how many were not looked into, where what is named is in none of the others.
    """
    unknown = [dataset for dataset in datasets if not _is_listed(dataset, understanding, ctx)]
    order = [entry.dataset for entry in _ranked(datasets, understanding, ctx)]
    unknown.sort(key=order.index)  # what its description says before how much it holds
    first, then = unknown[: options.probes], unknown[options.probes :][: options.further]
    names = _probe(first, understanding, ctx)
    holding = _holding(datasets, understanding, names, options, ctx)
    unseen = 0
    if _naming(understanding) and not holding and then:
        names |= _probe(then, understanding, ctx)
        holding = _holding(datasets, understanding, names, options, ctx)
        unseen = 0 if holding else len(unknown) - len(first) - len(then)
        if unseen:
            ctx.trace.degrade(
                f"route: the named document was not found; {unseen} of {len(datasets)} datasets were not searched"
            )
    ranked = _ranked(datasets, understanding, ctx, names)
    likely = [entry for entry in ranked if entry.dataset.dataset_id in holding][: options.most]
    if likely or not (_naming(understanding) and then):
        return likely or _best(ranked, understanding, options), ranked, unseen
    listed = [entry for entry in ranked[1:] if ctx.cache.catalogue(entry.dataset, float("inf"))]
    return _best([ranked[0], *listed], understanding, options), ranked, unseen  # there are few calls left


def _is_listed(dataset: Dataset, understanding: Understanding, ctx: Context) -> bool:
    """Whether its names are known: all of them, where there is a word to ask for."""
    catalogue = ctx.cache.catalogue(dataset, ctx.reading.stale)
    return catalogue is not None and (catalogue.complete or not _telling_word(understanding))


def _probe(
    datasets: Sequence[Dataset], understanding: Understanding, ctx: Context
) -> dict[str, tuple[Document, ...]]:
    """List what small datasets hold; of a larger one the names that hold the most telling word of what is named.

    What is found by keyword is given back by dataset; what is listed is in the cache.
    """
    word = _telling_word(understanding)
    named: dict[str, tuple[Document, ...]] = {}

    def look(dataset: Dataset) -> None:
        if word and dataset.document_count > PAGE:
            named[dataset.dataset_id] = ctx.knowledge.documents(dataset, 1, word).items
        else:
            catalogue_of(dataset, ctx, pages=1)

    for dataset, result in zip(datasets, ctx.gather(look, datasets), strict=True):
        if isinstance(result, Failure):
            if not isinstance(result.error, KnowledgeError):
                raise result.error
            ctx.trace.degrade(f"route: the documents of {dataset.name} could not be listed ({result.error})")
    return named


def _naming(understanding: Understanding) -> tuple[str, ...]:
    """The words that may name documents."""
    return understanding.subjects or understanding.entities


def _telling_word(understanding: Understanding) -> str:
    """The word of a named document that fewest names hold, as far as it can be told: a long number, a name."""
    words = [word for word in content_words(" ".join(_naming(understanding))) if len(word) > 1]
    return max(
        words,
        key=lambda word: (_NUMBER.search(word) is not None, not word[:1].islower(), len(word)),
        default="",
    )


def _holding(
    datasets: Sequence[Dataset],
    understanding: Understanding,
    names: Mapping[str, Sequence[Document]],
    options: RouteOptions,
    ctx: Context,
) -> set[str]:
    """The ids of datasets with a name that holds nearly all words of a named document; none where one has none."""
    holding: set[str] = set()
    for subject in _naming(understanding):
        name = set(content_terms(subject))
        known = [_Names.of(dataset, name, ctx, names) for dataset in datasets]
        weight = _weights(name, [dataset_names.all for dataset_names in known])
        total = sum(weight.values()) or 1.0
        matches = [
            _score(name, dataset_names.words(weight), weight, total)[0] >= options.named
            for dataset_names in known
        ]
        if not any(matches):
            return set()
        holding |= {dataset.dataset_id for dataset, holds in zip(datasets, matches, strict=True) if holds}
    return holding


def _ranked(
    datasets: Sequence[Dataset],
    understanding: Understanding,
    ctx: Context,
    names: Mapping[str, Sequence[Document]] = NOTHING,
) -> list[RankedDataset]:
    """Idf-weighted coverage of the question's words by what is known of each dataset."""
    question_terms = set(content_terms(" ".join((understanding.text, *understanding.hypothetical_answers))))
    named = [_Names.of(dataset, question_terms, ctx, names) for dataset in datasets]
    read = _read_words(datasets, question_terms, ctx)
    weight = _weights(
        question_terms,
        [dataset_names.all | words.keys() for dataset_names, words in zip(named, read, strict=True)],
    )
    total = sum(weight.values()) or 1.0
    known = [
        _louder(dataset_names.words(weight), words) for dataset_names, words in zip(named, read, strict=True)
    ]
    ranked = [
        RankedDataset(
            dataset, *_score(question_terms, words, weight, total), tuple(names.get(dataset.dataset_id, ()))
        )
        for dataset, words in zip(datasets, known, strict=True)
    ]
    return sorted(ranked, key=lambda entry: (-entry.score, -entry.dataset.document_count, entry.dataset.name))


def _read_words(
    datasets: Sequence[Dataset], question_terms: set[str], ctx: Context
) -> list[dict[str, float]]:
    """What is asked and stands in texts that were read of each dataset, with how loudly it speaks for it.

    A dataset that was never read may hold what others were read to hold; else what was read before would be searched
    for ever.
    """
    known = [ctx.cache.words_of(dataset.dataset_id, question_terms) for dataset in datasets]
    doubt: dict[str, float] = {}
    for words in known:
        doubt = _louder(doubt, {word: _UNREAD * share for word, share in words.items()})
    return [
        words if ctx.cache.holds_words(dataset.dataset_id) else doubt
        for dataset, words in zip(datasets, known, strict=True)
    ]


def _louder(some: Mapping[str, float], others: Mapping[str, float]) -> dict[str, float]:
    return {word: max(some.get(word, 0.0), others.get(word, 0.0)) for word in {*some, *others}}


@dataclass(frozen=True, slots=True)
class _Names:
    """What is asked and stands in a dataset's own name and description, and in the name of each of its documents."""

    own: frozenset[str]
    documents: tuple[frozenset[str], ...]

    @classmethod
    def of(
        cls, dataset: Dataset, question_terms: set[str], ctx: Context, more: Mapping[str, Sequence[Document]]
    ) -> "_Names":
        """Names that were listed, those in `more` as well."""
        catalogue = ctx.cache.catalogue(dataset, float("inf"))
        listed = (*(catalogue.documents if catalogue else ()), *more.get(dataset.dataset_id, ()))
        own = question_terms.intersection((*terms(dataset.description), *name_terms(dataset.name)))
        matches = (name_terms(document.name) & question_terms for document in listed)
        return cls(frozenset(own), tuple(filter(None, matches)))

    @property
    def all(self) -> frozenset[str]:
        return self.own.union(*self.documents)

    def words(self, weight: Mapping[str, float]) -> dict[str, float]:
        """How loudly each word speaks for the dataset: those that one name holds together, or many names say all."""
        best = max(self.documents, key=lambda name: sum(map(weight.__getitem__, name)), default=frozenset())
        return {word: 1.0 if word in self.own | best else _APART for word in self.all}


def _weights(question_terms: set[str], known: Sequence[Collection[str]]) -> dict[str, float]:
    return {word: _rarity(word, known) for word in question_terms}


def _rarity(word: str, known: Sequence[Collection[str]]) -> float:
    """The idf of a word over datasets; one that none is known to hold weighs most, for it is what is unknown."""
    holding = sum(1 for words in known if word in words)
    return idf(holding, len(known))


def _score(
    question_terms: set[str], words: Mapping[str, float], weight: Mapping[str, float], total: float
) -> tuple[float, tuple[str, ...]]:
    matches = sorted((word for word in question_terms if word in words), key=lambda word: -weight[word])
    score = sum(weight[word] * words[word] for word in matches) / total
    return round(score, 4), (f"words: {score:.2f}",) if matches else ("nothing known of it matches",)
