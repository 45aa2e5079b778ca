"""One question is asked of the pipeline and of the server's own retrieval, and both are held to what is expected."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from time import perf_counter

from evidence import pipeline
from evidence.context import Context
from evidence.corpus.fetch import all_datasets
from evidence.errors import EvidenceError
from evidence.evaluation.expected import Expected
from evidence.evaluation.faults import Tried, fault_of
from evidence.evaluation.matching import holds, is_document, parts, share_of
from evidence.evaluation.measured import TOP_K, Kind, Measured
from evidence.model import Dataset, Document, Outcome, Passage, Query, Question
from evidence.settings import Settings
from evidence.workers import Failure

_DATASETS = 8  # that are asked for their own ranking

type Open = Callable[[Settings], Context]
"""Opens a context for one run."""


def measure(expected: Expected, settings: Settings, open_run: Open) -> Measured:
    """The figures of one question. An expected error is a result, as failed; nothing is kept of what was read."""
    kind: Kind = "no answer" if not expected.answerable else "words" if parts(expected) else "document"
    beside = replace(settings.limits, retrieves=_DATASETS * 2, model_calls=0)
    ctx, aside = open_run(settings), open_run(replace(settings, effort="extractive", limits=beside))
    question = Question(expected.question, expected.datasets, history=expected.history)
    try:
        outcome = ctx.ending(lambda: pipeline.ask(question, replace(settings, top_k=TOP_K), ctx))
    except EvidenceError as error:
        return Measured(expected.question, kind, "failed", False, fault="failed", about=str(error)[:300])
    seconds = ctx.trace.elapsed()
    began = perf_counter()
    own = _own_ranking(expected, aside)
    dify_seconds = perf_counter() - began
    spent = ctx.meter.spent()
    measured = replace(
        _held_to(expected, kind, outcome, own or ()),
        drafted=expected.drafted,
        seconds=round(seconds, 3),
        dify_seconds=round(dify_seconds, 3),
        dify_failed=own is None,
        knowledge_calls=spent["knowledge_calls"],
        model_calls=spent["model_calls"],
        tokens=spent["prompt_tokens"] + spent["completion_tokens"],
    )
    if measured.right:
        return measured
    fault, about = fault_of(Tried(expected, outcome, measured), aside)
    return replace(measured, fault=fault, about=about[:300])


def _held_to(expected: Expected, kind: Kind, outcome: Outcome, own: Sequence[Passage]) -> Measured:
    answer = outcome.answer
    status = answer.status if answer else "not_found"
    if kind == "no answer":
        return Measured(expected.question, kind, status, right=status in ("not_found", "ambiguous"))
    citations = answer.citations if answer else ()
    quotes = [
        citation.quote.text for citation in citations if _is_right(citation.quote.segment.document, expected)
    ]
    quoted = bool(quotes) and holds(expected, quotes)
    return Measured(
        expected.question,
        kind,
        status,
        right=quoted,
        rank=_rank(expected, outcome.pool.passages),
        dify_rank=_rank(expected, own),
        quoted=quoted,
        share=round(share_of(" ".join([*expected.words, expected.answer]), "\n".join(quotes)), 3),
        holds=_all_among(expected, outcome.pool.passages),
        dify_holds=_all_among(expected, own),
    )


def _rank(expected: Expected, passages: Sequence[Passage]) -> int:
    """The place of the first passage of a right document, or, where none is named, that holds expected words."""
    for place, passage in enumerate(passages[:TOP_K], 1):
        if expected.documents:
            right = is_document(passage.segment.document, expected)
        else:
            right = any(holds(part, [passage.segment.text]) for part in parts(expected))
        if right:
            return place
    return 0


def _all_among(expected: Expected, passages: Sequence[Passage]) -> bool:
    """Whether the first passages hold all that is expected."""
    segments = [passage.segment for passage in passages[:TOP_K]]
    texts = [segment.text for segment in segments if _is_right(segment.document, expected)]
    return bool(texts) and holds(expected, texts)


def _is_right(document: Document, expected: Expected) -> bool:
    """Whether a document is one of those expected, or none is."""
    return not expected.documents or is_document(document, expected)


def _own_ranking(expected: Expected, ctx: Context) -> list[Passage] | None:
    """The server's own first passages for the question as it is, of all datasets by score; None where it failed."""
    try:
        datasets = _in_scope(expected, all_datasets(ctx))
    except EvidenceError:
        return None
    query = Query(expected.question)
    rankings = ctx.gather(lambda dataset: ctx.knowledge.retrieve(dataset, query, TOP_K), datasets[:_DATASETS])
    succeeded = [ranking for ranking in rankings if not isinstance(ranking, Failure)]
    passages = [passage for ranking in succeeded for passage in ranking.passages]
    passages.sort(key=lambda passage: (-passage.score, passage.rank))
    return passages[:TOP_K] if len(succeeded) == len(rankings) else None


def _in_scope(expected: Expected, datasets: Sequence[Dataset]) -> list[Dataset]:
    named = {*expected.datasets}
    return [
        dataset
        for dataset in datasets
        if dataset.provider != "external"
        and dataset.document_count
        and (not named or {dataset.dataset_id, dataset.name} & named)
    ]
