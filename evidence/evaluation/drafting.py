"""Questions that are drafted from the documents themselves, for a person to read and put right."""

from collections.abc import Iterator, Sequence
from itertools import batched

from pydantic import BaseModel

from evidence.answer.phrases import phrase
from evidence.context import Context
from evidence.corpus.fetch import all_datasets, catalogue_of, read_document
from evidence.errors import KnowledgeError, ModelError
from evidence.evaluation.expected import Expected
from evidence.language.figures import figures
from evidence.language.function_words import content_words, significant_terms
from evidence.language.headings import headings, is_heading
from evidence.language.markdown import decoded
from evidence.language.sentences import sentences
from evidence.llm.fence import fenced, opaque_keys
from evidence.llm.prompts import render
from evidence.llm.replies import read
from evidence.model import Document, Segment
from evidence.verify.quotes import locate

_AT_ONCE = 10  # passages in one prompt
_REPLY_TOKENS = 2_000
_SHORTEST, _LONGEST = 40, 400  # characters of a sentence
_SHORTEST_WIDE = 15  # the same where a character is a word
_TOPIC = 6  # words


class _Draft(BaseModel):
    passage: str
    question: str
    words: str = ""


class _Drafts(BaseModel):
    questions: list[_Draft]


def drafts(count: int, datasets: Sequence[str], ctx: Context) -> tuple[Expected, ...]:
    """At most `count` questions, spread evenly over the documents, each with its document and the words that answer it.

    Written by the model where there is one, else made of headings and sentences.
    """
    segments = list(_segments(_chosen(count, datasets, ctx), count, ctx))
    if ctx.llm is None:
        return tuple(_by_rule(segment) for segment in segments)
    return tuple(draft for batch in batched(segments, _AT_ONCE) for draft in _by_model(batch, ctx))


def _chosen(count: int, datasets: Sequence[str], ctx: Context) -> list[Document]:
    named = {*datasets}
    documents = [
        document
        for dataset in all_datasets(ctx)
        if dataset.provider != "external" and (not named or {dataset.dataset_id, dataset.name} & named)
        for document in catalogue_of(dataset, ctx).documents
        if document.usable
    ]
    return _spread(documents, count)


def _spread[T](items: Sequence[T], count: int) -> list[T]:
    """At most `count` of the items, evenly from the first to the last."""
    if len(items) <= count:
        return list(items)
    return [items[place * len(items) // count] for place in range(count)]


def _segments(documents: Sequence[Document], count: int, ctx: Context) -> Iterator[Segment]:
    """Segments with a sentence worth asking for, as many of each document as make up the count."""
    left = count
    for place, document in enumerate(documents):
        share = -(-left // (len(documents) - place))
        try:
            segments = read_document(document, ctx, pages=1).segments
        except KnowledgeError as error:
            ctx.trace.degrade(f"evaluate: {document.name} was left out ({error})")
            continue
        chosen = _spread([segment for segment in segments if _sentence(segment)], share)
        left -= len(chosen)
        yield from chosen


def _sentence(segment: Segment) -> str:
    """The sentence that says most: figures first, then telling words; empty where none is of a usual length."""
    texts = [segment.text[span.start : span.end] for span in sentences(segment.text)]
    usual = [text for text in texts if _is_usual(text)]
    return max(usual, key=lambda text: (bool(figures(text)), len(significant_terms(text))), default="")


def _is_usual(text: str) -> bool:
    shortest = _SHORTEST if text.isascii() else _SHORTEST_WIDE
    return shortest <= len(text) <= _LONGEST and not is_heading(text)


def _by_rule(segment: Segment) -> Expected:
    """A question after the last heading above the sentence, or after its first telling words."""
    sentence = _sentence(segment)
    above = [title for at, title in headings(segment.text) if at <= segment.text.find(sentence)]
    words = [word for word in content_words(sentence) if not figures(word)][:_TOPIC]
    name = decoded(segment.document.name)
    question = phrase("draft", sentence, document=name, topic=above[-1] if above else " ".join(words))
    return Expected(question, (segment.document.name,), (sentence,), drafted=True)


def _by_model(batch: Sequence[Segment], ctx: Context) -> Iterator[Expected]:
    """The model's questions; one whose words stand in no passage is left out, and where the model fails, rules ask."""
    assert ctx.llm is not None  # noqa: S101 - whoever calls has looked
    keys = opaque_keys(len(batch))
    by_key = dict(zip(keys, batch, strict=True))
    fence = fenced([(key, "passage", segment.text) for key, segment in by_key.items()])
    try:
        reply = ctx.llm.complete(render("draft", boundary=fence.boundary, passages=fence.text), _REPLY_TOKENS)
        written = read(reply.text, _Drafts).questions
    except ModelError as error:
        ctx.trace.degrade(f"evaluate: the model drafted nothing ({error}); questions are made of headings")
        yield from map(_by_rule, batch)
        return
    for draft in written:
        segment = by_key.get(draft.passage)
        located = locate(draft.words, [segment]) if segment else None
        if segment and located and draft.question.strip():
            words = located.quote.text
            yield Expected(draft.question.strip(), (segment.document.name,), (words,), drafted=True)
