"""What is about to be shown, read again at its source: a quote is the text of now, not of a quarter of an hour ago.

On a real server nothing that is listed tells of an edited segment, so the segment itself is asked for; and a segment
tells only seconds later that its document was disabled, so the document is asked for where this run has not listed it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from evidence.context import Context
from evidence.model import Citation, Dataset, Document, Outcome, Passage, Segment
from evidence.workers import Failure, settled

type Key = tuple[str, str]

AT_ONCE = 20  # as many calls as a server's gate lets through at first: one round trip for an answer


@dataclass(frozen=True, slots=True)
class RereadOptions:
    """At most `most` segments are read again, and waited for `seconds` altogether; of a search its first `passages`."""

    most: int = 60
    seconds: float = 10.0
    passages: int = 10


def reread(
    segments: Iterable[Segment], outcome: Outcome, options: RereadOptions, ctx: Context
) -> tuple[Outcome, tuple[Document, ...]]:
    """The outcome with these segments and their documents as they stand now, and the documents that changed.

    Passages that are gone, or whose document is, are left out; the answer is of now only where nothing has changed.
    What this run has read itself is not asked for again. What cannot be read (in time) is said to be as it was;
    documents that changed, `usable` or not, are named, and forgotten, so that they are read again.
    """
    quoted = list({_key(segment): segment for segment in segments}.values())[: options.most]
    known = _read_last([segment.document for segment in quoted], outcome, ctx)
    stale = [segment for segment in quoted if segment.read_at < ctx.trace.began_at]
    unlisted = [document for document in known.values() if document.read_at < ctx.trace.began_at]
    with ctx.trace.step("reread", segments=len(stale), documents=len(unlisted)) as step:
        answers, reason = _ask(stale, unlisted, options.seconds, ctx)
        documents = {document.document_id: answers.current(document) for document in unlisted}
        now = _Now(answers.segments, known | {key: value for key, value in documents.items() if value})
        moved = [segment for segment in quoted if not now.same(segment)]
        step.facts.update(read=len(answers.segments), changed=len(moved))
    if lost := len(stale) - len(answers.segments):
        ctx.trace.degrade(f"reread: {lost} of {len(stale)} segments could not be read again ({reason})")
    if lost := sum(document is None for document in documents.values()):
        ctx.trace.degrade(f"reread: {lost} of {len(documents)} documents could not be read again ({reason})")
    _forget(moved, now.documents, ctx)
    changed = dict.fromkeys(segment.document.document_id for segment in moved)
    return _as_of(now, outcome, answer_stands=not changed), tuple(now.documents[key] for key in changed)


@dataclass(frozen=True, slots=True)
class _Now:
    """Segments as they stand now, None for those that are gone or disabled, and documents, `usable` or not."""

    segments: Mapping[Key, Segment | None]
    documents: Mapping[str, Document]

    def of(self, segment: Segment) -> Segment | None:
        document = self.documents.get(segment.document.document_id, segment.document)
        now = self.segments.get(_key(segment), segment)
        revised = segment.document.revision not in {None, document.revision}
        return replace(now, document=document) if now and document.usable and not revised else None

    def same(self, segment: Segment) -> bool:
        """Whether a segment and the name of its document are as they were; what could not be read is."""
        now = self.of(segment)
        return now is not None and _shown(now) == _shown(segment)


@dataclass(slots=True)
class _Answers:
    """What the server has said so far; `names` are those of datasets by id. Threads that are late may still write."""

    ctx: Context
    names: dict[str, str]
    segments: dict[Key, Segment | None] = field(default_factory=dict)
    documents: dict[str, Document | None] = field(default_factory=dict)

    def calls(
        self, segments: Iterable[Segment], documents: Sequence[Document]
    ) -> Iterator[Callable[[], None]]:
        """What is to be asked; nothing of what came without the id of its dataset."""
        for segment in segments:
            if segment.document.dataset_id:
                yield partial(self._read_segment, segment)
        for document in documents:
            if document.dataset_id:
                yield partial(self._read_document, document)
        for dataset_id in {document.dataset_id for document in documents} - {"", *self.names}:
            yield partial(self._read_dataset, dataset_id)

    def _read_segment(self, segment: Segment) -> None:
        self.segments[_key(segment)] = self.ctx.knowledge.segment(segment.document, segment.segment_id)

    def _read_document(self, document: Document) -> None:
        dataset = Dataset(document.dataset_id, document.dataset_name)
        self.documents[document.document_id] = self.ctx.knowledge.document(dataset, document.document_id)

    def _read_dataset(self, dataset_id: str) -> None:
        self.names[dataset_id] = self.ctx.knowledge.dataset(dataset_id).name

    def current(self, document: Document) -> Document | None:
        """The document as it stands now; None where that, or the name of its dataset, could not be read."""
        if document.document_id not in self.documents:
            return None
        now = self.documents[document.document_id]
        if now is None or not now.usable:
            return replace(document, usable=False, read_at=now.read_at if now else document.read_at)
        if document.dataset_id not in self.names:
            return None
        same = (now.name, now.revision) == (document.name, document.revision)
        version = document.version if same else now.version  # lists tell another one
        dataset_name = self.names[document.dataset_id]
        return replace(now, dataset_name=dataset_name, version=version, word_count=document.word_count)


def _ask(
    segments: Sequence[Segment], documents: Sequence[Document], seconds: float, ctx: Context
) -> tuple[_Answers, str]:
    """What the server says of them in time, asked all at once, and why the rest is not known."""
    datasets = ctx.cache.datasets(ctx.reading.unasked)
    names = {dataset.dataset_id: dataset.name for dataset in datasets.items} if datasets else {}
    answers = _Answers(ctx, names)
    reason = "no ids came with them"
    if calls := list(answers.calls(segments, documents)):
        work = ctx.start(lambda: ctx.gather(lambda call: call(), calls, at_once=AT_ONCE))
        if settled(work, min(seconds, ctx.deadline.left())):
            failures = (str(result.error) for result in work.result() if isinstance(result, Failure))
            reason = next(failures, reason)
        else:
            reason = "no time is left"
    return replace(answers, segments=dict(answers.segments), documents=dict(answers.documents)), reason


def _forget(moved: Sequence[Segment], documents: Mapping[str, Document], ctx: Context) -> None:
    """Say what changed, and drop what was read of it; the catalogue has documents as they were read last."""
    changed: dict[str, None] = {}
    for before in dict.fromkeys(segment.document for segment in moved):
        document = documents[before.document_id]
        if document.usable and not document.read_since(ctx.trace.began_at):
            ctx.cache.forget(document)
        else:
            ctx.cache.correct(document)
        if document.name == before.name:
            changed[before.name] = None
        else:
            ctx.trace.degrade(f"reread: {before.name} is called {document.name} now")
    if changed:
        names = ", ".join(changed)
        ctx.trace.degrade(f"reread: {names} changed while it was cached; what is shown stands there now")


def _as_of(now: _Now, outcome: Outcome, *, answer_stands: bool) -> Outcome:
    """The outcome with the passages and documents of now."""
    pool, shortlist, answer = outcome.pool, outcome.shortlist, outcome.answer
    pool = replace(pool, passages=_passages(pool.passages, now), more=_passages(pool.more, now))
    current = ((entry, now.documents.get(entry.document.document_id)) for entry in shortlist.documents)
    ranked = (replace(entry, document=document or entry.document) for entry, document in current)
    usable = tuple(entry for entry in ranked if entry.document.usable)
    if answer is not None and answer_stands:
        answer = replace(answer, citations=tuple(_citation(citation, now) for citation in answer.citations))
    return replace(outcome, pool=pool, shortlist=replace(shortlist, documents=usable), answer=answer)


def _passages(passages: Iterable[Passage], now: _Now) -> tuple[Passage, ...]:
    segments = ((passage, now.of(passage.segment)) for passage in passages)
    return tuple(replace(passage, segment=segment) for passage, segment in segments if segment is not None)


def _citation(citation: Citation, now: _Now) -> Citation:
    segment = now.of(citation.quote.segment) or citation.quote.segment
    return replace(citation, quote=replace(citation.quote, segment=segment))


def _read_last(documents: Iterable[Document], outcome: Outcome, ctx: Context) -> dict[str, Document]:
    """Of each of the documents what was read last, by its id: with its text, or with the list of a dataset."""
    known = {document.document_id: document for document in documents}
    listed = [entry.document for entry in outcome.shortlist.documents]
    for catalogue in ctx.cache.catalogues():
        listed += [document for document in catalogue.documents if document.document_id in known]
    for document in listed:
        before = known.get(document.document_id)
        if before is not None and before.read_at < document.read_at:
            known[document.document_id] = document
    return known


def _shown(segment: Segment) -> tuple[str, str, str]:
    return segment.text, segment.question, segment.document.name


def _key(segment: Segment) -> Key:
    return segment.document.document_id, segment.segment_id
