"""Which passages an answer may be made of: those of the documents that the question means."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from evidence.context import Context
from evidence.model import Outcome, Passage, Pool, Shortlist

SURE, ALIKE = 0.7, 0.7
BRIEF = 40_000  # characters of passages from which an answer is made in a moment
_BRIEF = "aggregate: the time was over; the answer is made of the first {} of {} passages"


def focused(outcome: Outcome) -> tuple[Pool, Shortlist]:
    """The pool without passages of documents that stand far behind the one that the question surely names.

    Other documents of the same kind say the same things of other parties; they do not answer for the one that was
    named, and that they could not be read is no loss. Versions of it have names as good, and stay.
    """
    shortlist, pool = outcome.shortlist, outcome.pool
    if shortlist.named < SURE or outcome.understanding.intent == "compare" or not shortlist.documents:
        return pool, shortlist
    meant = {e.document.document_id for e in shortlist.documents if e.named >= ALIKE or e.subject >= 0}
    passages, more = (
        tuple(passage for passage in passages if passage.segment.document.document_id in meant)
        for passages in (pool.passages, pool.more)
    )
    if not passages:
        return pool, shortlist
    lost = tuple(entry for entry in shortlist.unreached if entry.id in meant)
    return replace(pool, passages=passages, more=more), replace(shortlist, unreached=lost)


def joined(first: Pool, second: Pool, most: int) -> Pool:
    """The second pool behind at most so many passages of the first that it has not, with what was searched for both."""
    known = {passage.segment for passage in second.passages}
    further = [passage for passage in first.passages if passage.segment not in known][:most]
    passages = tuple(
        replace(passage, rank=rank) for rank, passage in enumerate((*further, *second.passages), 1)
    )
    searched = replace(
        second.searched,
        datasets=tuple(dict.fromkeys((*second.searched.datasets, *first.searched.datasets))),
        documents=tuple(dict.fromkeys((*second.searched.documents, *first.searched.documents))),
    )
    return replace(second, passages=passages, searched=searched)


def brief(outcome: Outcome, ctx: Context) -> Outcome:
    """The outcome with as many of the first passages as are read in a moment, at least one; says what is left out."""
    pool = outcome.pool
    passages = _first_passages(pool.passages, BRIEF) or pool.passages[:1]
    more = _first_passages(pool.more, BRIEF - sum(map(_length, passages)))
    used, total = len(passages) + len(more), len(pool.passages) + len(pool.more)
    if used == total:
        return outcome
    ctx.trace.degrade(_BRIEF.format(used, total))
    return replace(outcome, pool=replace(pool, passages=passages, more=more))


def _first_passages(passages: Sequence[Passage], characters: int) -> tuple[Passage, ...]:
    """The first passages that have so many characters together."""
    ends = accumulate(map(_length, passages))
    return tuple(passages[: sum(end <= characters for end in ends)])


def _length(passage: Passage) -> int:
    return len(passage.segment.text) + len(passage.segment.question)
