"""What went wrong with a question: the first of the causes, from the documents' side to ours, that can be shown."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evidence.context import Context
from evidence.corpus.fetch import all_datasets, catalogue_of, documents_named, read_document
from evidence.errors import EvidenceError
from evidence.evaluation.expected import Expected
from evidence.evaluation.matching import holds, is_document, parts
from evidence.evaluation.measured import Fault, Measured
from evidence.language.function_words import content_terms, significant_terms
from evidence.model import Document, Outcome, Query, Segment

_LOOKED_AT = 12  # documents that are read
_LONGEST = 120  # characters of an expected text in a line


@dataclass(frozen=True, slots=True)
class Tried:
    """A question that went wrong."""

    expected: Expected
    outcome: Outcome
    measured: Measured


def fault_of(tried: Tried, ctx: Context) -> tuple[Fault, str]:
    """The fault, and the names that it is about. Reads the expected documents where need be."""
    if tried.measured.kind == "no answer":
        quotes = tried.outcome.answer.citations if tried.outcome.answer else ()
        return "answered", ", ".join(_names(citation.quote.segment.document for citation in quotes))
    try:
        return next(_causes(tried, ctx))
    except EvidenceError as error:
        return "failed", str(error)


def _causes(tried: Tried, ctx: Context) -> Iterator[tuple[Fault, str]]:
    expected, measured = tried.expected, tried.measured
    documents = _expected_documents(tried, ctx)
    names = ", ".join(_names(documents))
    if not documents:
        yield (
            ("missing_document", ", ".join(expected.documents))
            if expected.documents
            else ("missing_text", "")
        )
    segments = [segment for document in documents for segment in read_document(document, ctx).segments]
    holding = [segment for segment in segments if _bears(expected, segment)]
    if measured.kind == "words" and not holds(expected, [segment.text for segment in segments]):
        yield "missing_text", names
    if any(not any(holds(part, [segment.text]) for segment in segments) for part in parts(expected)):
        yield "split", names
    routed = {entry.dataset.dataset_id for entry in tried.outcome.route.datasets}
    if not routed & {document.dataset_id for document in documents}:
        yield "wrong_dataset", ", ".join(dict.fromkeys(document.dataset_name for document in documents))
    if copies := _copies(tried, documents):
        yield "duplicate", ", ".join(copies)
    if not measured.rank and holding and not any(_speaks(tried, segment) for segment in holding):
        yield "heading", names
    if not measured.rank:
        yield "ranked_low", names
    yield "abstained" if measured.status == "not_found" else "not_quoted", f"{names}{_lacking(tried)}"


def _expected_documents(tried: Tried, ctx: Context) -> list[Document]:
    """The documents of the expected names; where none is named, of the passages found by the expected words."""
    expected, documents = tried.expected, list[Document]()
    for dataset in all_datasets(ctx):
        if dataset.provider == "external" or not dataset.document_count:
            continue
        if not expected.documents:
            query = Query(" ".join([*expected.words, expected.answer]))
            passages = ctx.knowledge.retrieve(dataset, query, 5).passages
            documents += [
                passage.segment.document for passage in passages if _bears(expected, passage.segment)
            ]
            continue
        catalogue = catalogue_of(dataset, ctx)
        listed = catalogue.documents
        if not catalogue.complete:
            listed = (*listed, *documents_named(dataset, expected.documents, ctx)[0])
        documents += [document for document in listed if is_document(document, expected)]
    return list(dict.fromkeys(documents))[:_LOOKED_AT]


def _bears(expected: Expected, segment: Segment) -> bool:
    """Whether a segment holds one of the expected texts."""
    return any(holds(part, [segment.text]) for part in parts(expected))


def _lacking(tried: Tried) -> str:
    """The first of the expected texts that is not quoted."""
    answer = tried.outcome.answer
    quotes = [citation.quote.text for citation in answer.citations] if answer else []
    missing = (
        text
        for part in parts(tried.expected)
        if not holds(part, quotes)
        for text in (*part.words, part.answer)
    )
    first = next(filter(None, missing), "")
    return f": “{first[:_LONGEST]}{'…'[: len(first) > _LONGEST]}”" if first else ""


def _copies(tried: Tried, documents: Sequence[Document]) -> list[str]:
    """Names of other documents that are quoted, or stand first, and hold the expected words too."""
    expected, answer = tried.expected, tried.outcome.answer
    quoted = [citation.quote.segment for citation in answer.citations] if answer else []
    first = [passage.segment for passage in tried.outcome.pool.passages[:3]]
    return _names(
        segment.document
        for segment in (*quoted, *first)
        if segment.document not in documents and _bears(expected, segment)
    )


def _speaks(tried: Tried, segment: Segment) -> bool:
    """Whether a segment shares a telling word with the question."""
    return bool({*content_terms(tried.expected.question)} & significant_terms(segment.text))


def _names(documents: Iterator[Document] | Sequence[Document]) -> list[str]:
    return list(dict.fromkeys(document.name for document in documents))
