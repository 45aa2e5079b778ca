"""Which passages an answer may be made of: those of the documents that the question means."""

from dataclasses import replace

from evidence.model import Outcome, Pool, Shortlist

SURE, ALIKE = 0.7, 0.7


def focused(outcome: Outcome) -> tuple[Pool, Shortlist]:
    """The pool without passages of documents that stand far behind the one that the question surely names.

    Other documents of the same kind say the same things of other parties; they do not answer for the one that was
    named, and that they could not be read is no loss. Versions of it have names as good, and stay.
    """
    shortlist, pool = outcome.shortlist, outcome.pool
    if shortlist.named < SURE or outcome.understanding.intent == "compare" or not shortlist.documents:
        return pool, shortlist
    meant = {e.document.document_id for e in shortlist.documents if e.named >= ALIKE or e.subject >= 0}
    kept, more = (
        tuple(passage for passage in passages if passage.segment.document.document_id in meant)
        for passages in (pool.passages, pool.more)
    )
    if not kept:
        return pool, shortlist
    lost = tuple(each for each in shortlist.unreached if each.id in meant)
    return replace(pool, passages=kept, more=more), replace(shortlist, unreached=lost)
