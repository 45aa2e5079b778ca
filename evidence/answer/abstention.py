"""The answer where nothing was found: where it was looked for, with what, and what could not be read.

"Not found" is said of what was searched alone; where something could not be, it is no more than a part of an answer.
"""

from collections.abc import Sequence
from dataclasses import replace

from evidence.answer.compose import Findings, Ledger, Statement, claims
from evidence.answer.coverage import asked_of, covered, parts
from evidence.answer.phrases import phrase
from evidence.language.markdown import safe, shown_name
from evidence.model import Answer, Lack, Outcome, Pool, Searched, Shortlist, Understanding

NAMES = 5  # documents, and queries, that a "not found" names


def nothing(
    understanding: Understanding, pool: Pool, shortlist: Shortlist, findings: Findings | None = None
) -> Answer:
    """Not found, and where and with what it was looked for; claims that nothing proves are listed.

    Where not all could be read, that nothing was found is no more than a part of the answer.
    """
    question = understanding.text
    findings = findings or Findings()
    lines = [absent(shortlist, question), unreached(pool, shortlist, question)]
    if findings.dropped:
        lines.append(phrase("unproven_answer", question))
    if not foreign(shortlist):
        stated = phrase("not_found", question, where=_where(pool, question))
        if understanding.intent == "yes_no":
            stated = f"{phrase('not_stated', question)}{phrase('stop', question)}{stated}"
        lines.append(stated)
    queries = asked_of(pool, NAMES) or (question,)
    lines.append(phrase("searched", question, queries="; ".join(map(safe, queries))))
    lines.append(extent(pool, question))
    lines.append(phrase("cut_off", question) if findings.cut_off else "")
    lack = lacking(pool, shortlist) or ("limit_reached" if findings.cut_off else None)
    denied = range(1, len(parts(understanding)) + 1) if findings.by_model else ()
    ledger = Ledger()
    return Answer(
        "\n\n".join(filter(None, lines)),
        "partial" if lack else "not_found",
        lack or ("no_document_fits" if foreign(shortlist) else "no_evidence"),
        (),
        claims(findings.dropped, ledger, shown=False),
        covered(understanding, pool, (), ledger, denied),
    )


def nowhere(first: Outcome, second: Outcome) -> Outcome:
    """Two searches that found nothing as one: where the second one looked is said with the first one's answer."""
    one, other, answer = first.pool, second.pool, first.answer
    searched = Searched(
        tuple(dict.fromkeys((*one.searched.datasets, *other.searched.datasets))),
        tuple(dict.fromkeys((*one.searched.documents, *other.searched.documents))),
        one.searched.partly + other.searched.partly,
        one.searched.pieces + other.searched.pieces,
    )
    read, total, documents = one.read + other.read, one.total + other.total, one.documents + other.documents
    partly = (*one.unreached, *other.unreached)
    pool = replace(one, read=read, total=total, documents=documents, searched=searched, unreached=partly)
    lost = (*first.shortlist.unreached, *second.shortlist.unreached)
    shortlist = replace(first.shortlist, unreached=lost)
    if answer is not None:
        dropped = tuple(Statement(claim.text) for claim in answer.claims)
        renewed = nothing(first.understanding, pool, shortlist, Findings(dropped=dropped))
        reason_stays = answer.reason in ("model_unavailable", "limit_reached")
        status = renewed.status if answer.status == "not_found" else answer.status
        answer = replace(renewed, status=status, reason=answer.reason if reason_stays else renewed.reason)
    return replace(first, pool=pool, shortlist=shortlist, answer=answer)


def unproven(answer: Answer, lack: Lack) -> Answer:
    """The answer where not all was done that was to be done: it is then no more than a part of one."""
    return replace(answer, status="ambiguous" if answer.status == "ambiguous" else "partial", reason=lack)


def unsearched(answer: Answer, understanding: Understanding) -> Answer:
    """The answer where there is no dataset to search."""
    return replace(answer, text=phrase("no_dataset", understanding.text), reason="no_dataset_fits")


def foreign(shortlist: Shortlist) -> bool:
    """Whether the documents that the question is about are not there: others must not answer for them."""
    named = {ranked.subject for ranked in shortlist.documents if ranked.subject >= 0}
    return shortlist.verdict == "nothing_fits" or (bool(shortlist.missing) and not named)


def extent(pool: Pool, question: str) -> str:
    """The number of segments read, and of documents of which only retrieved pieces were read."""
    line = ""
    if pool.documents:
        name = "bound" if pool.documents != 1 else "bound_one"
        line = phrase(name, question, read=pool.read, total=pool.total, documents=pool.documents)
    partly = pool.searched
    if not partly.partly:
        return line
    pieces = phrase("pieces", question, pieces=partly.pieces, documents=partly.partly)
    return f"{line} {pieces}".strip()


def unreached(pool: Pool, shortlist: Shortlist, question: str) -> str:
    """The datasets and documents that were to be searched or read and could not be."""
    datasets = [lost for lost in shortlist.unreached if lost.kind == "dataset"]
    partly = [lost.name for lost in (*datasets, *pool.unreached)]
    unread = shortlist.unread
    documents = [e.name for e in shortlist.unreached if e.kind == "document" and e.name not in unread]
    counts = {"count": len(documents), "documents": pool.documents + len(documents)}
    lines = (
        phrase("unsearched", question, names=_few(partly, question)) if partly else "",
        phrase("unreadable", question, names=_few(documents, question), **counts) if documents else "",
    )
    return "\n\n".join(filter(None, lines))


def lacking(pool: Pool, shortlist: Shortlist) -> Lack | None:
    """Why not all that was to be read was read; None where all was."""
    reasons = {lost.reason for lost in (*shortlist.unreached, *pool.unreached)}
    if "knowledge_unavailable" in reasons:
        return "knowledge_unavailable"
    return "limit_reached" if reasons or shortlist.unread else None


def absent(shortlist: Shortlist, question: str) -> str:
    """The documents that are named and exist nowhere, and those that are named and could not be read."""
    named = (("missing", shortlist.missing), ("unread", shortlist.unread))
    return "\n\n".join(
        phrase(name, question, names="; ".join(map(safe, names))) for name, names in named if names
    )


def _where(pool: Pool, question: str) -> str:
    names = list(
        dict.fromkeys(
            (*pool.searched.documents, *(passage.segment.document.name for passage in pool.passages))
        )
    )
    return _few(names, question) if names else phrase("nothing", question)


def _few(names: Sequence[str], question: str) -> str:
    """The first names, and how many more there are."""
    shown = ", ".join(map(shown_name, names[:NAMES]))
    more = len(names) - NAMES
    return phrase("more", question, shown=shown, more=more) if more > 0 else shown
