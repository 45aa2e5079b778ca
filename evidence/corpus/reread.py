"""What is about to be shown, read again at its source: a quote is the text of now, not of a quarter of an hour ago.

On a real server nothing that is listed tells of an edited segment, so the segment itself is asked for.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from evidence.context import Context
from evidence.model import Citation, Document, Outcome, Passage, Segment
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
    """The outcome with these segments as they stand now, and the documents that changed.

    Passages that are gone are left out; the answer is of now only where nothing has changed. What this run has read
    itself is not asked for again. A segment that cannot be read (in time) is said to be as it was; documents that
    changed are named, and forgotten, so that they are read again.
    """
    distinct = {_key(segment): segment for segment in segments if segment.read_at < ctx.trace.began_at}
    due = list(distinct.values())[: options.most]
    named = {entry.document.document_id: entry.document for entry in outcome.shortlist.documents}
    by_key: dict[Key, Segment | None] = {}

    def read(segment: Segment) -> None:
        document = named.get(segment.document.document_id, segment.document)
        by_key[_key(segment)] = ctx.knowledge.segment(document, segment.segment_id)

    with ctx.trace.step("reread", segments=len(distinct)) as step:
        reason = "no time is left"
        if due:
            work = ctx.start(lambda: ctx.gather(read, due, at_once=AT_ONCE))
            if settled(work, min(options.seconds, ctx.deadline.left())):
                reason = next(
                    (str(result.error) for result in work.result() if isinstance(result, Failure)), reason
                )
        now = dict(by_key)
        moved = [
            segment for segment in due if _key(segment) in now and not _same(segment, now[_key(segment)])
        ]
        step.facts.update(read=len(now), changed=len(moved))
    if lost := len(distinct) - len(now):
        ctx.trace.degrade(f"reread: {lost} of {len(distinct)} segments could not be read again ({reason})")
    changed = tuple(dict.fromkeys(segment.document for segment in moved))
    _forget(changed, ctx)
    return _as_of(now, outcome, answer_stands=not changed), changed


def _forget(changed: Sequence[Document], ctx: Context) -> None:
    if changed:
        names = ", ".join(dict.fromkeys(document.name for document in changed))
        ctx.trace.degrade(f"reread: {names} changed while it was cached; what is shown stands there now")
    for document in changed:
        ctx.cache.forget(document)


def _as_of(now: Mapping[Key, Segment | None], outcome: Outcome, *, answer_stands: bool) -> Outcome:
    """The outcome with the passages of now, None for segments that are gone."""
    pool, answer = outcome.pool, outcome.answer
    pool = replace(pool, passages=_passages(pool.passages, now), more=_passages(pool.more, now))
    if answer is not None and answer_stands:
        answer = replace(answer, citations=tuple(_citation(citation, now) for citation in answer.citations))
    return replace(outcome, pool=pool, answer=answer)


def _passages(passages: Iterable[Passage], now: Mapping[Key, Segment | None]) -> tuple[Passage, ...]:
    segments = ((passage, now.get(_key(passage.segment), passage.segment)) for passage in passages)
    return tuple(replace(passage, segment=segment) for passage, segment in segments if segment is not None)


def _citation(citation: Citation, now: Mapping[Key, Segment | None]) -> Citation:
    segment = now.get(_key(citation.quote.segment)) or citation.quote.segment
    return replace(citation, quote=replace(citation.quote, segment=segment))


def _same(before: Segment, now: Segment | None) -> bool:
    return now is not None and (before.text, before.question) == (now.text, now.question)


def _key(segment: Segment) -> Key:
    return segment.document.document_id, segment.segment_id
