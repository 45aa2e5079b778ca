"""The answer made of findings: text by intent, status, reason, citations, claims, facets."""

from collections.abc import Sequence
from dataclasses import replace

from evidence.answer import comparison
from evidence.answer.abstention import NAMES, absent, extent, foreign, lacking, nothing, unreached
from evidence.answer.compose import Findings, Ledger, bullets, claims, named, sentence
from evidence.answer.conflicts import Conflict, conflicts
from evidence.answer.coverage import asked_of, covered
from evidence.answer.phrases import opening, phrase, verdict_line
from evidence.answer.sentence_scoring import merged
from evidence.answer.summary import older
from evidence.language.markdown import shown_name
from evidence.model import (
    Answer,
    Citation,
    Comparison,
    Facet,
    Intent,
    Pool,
    Reason,
    Shortlist,
    Status,
    Understanding,
)

_COMPLETE = frozenset[Intent]({"list_all", "summarise", "compare"})  # what is dropped of these is missing
_NAMED = 0.5  # how surely a question must name documents for the others to be none of its matter


def finish(understanding: Understanding, pool: Pool, shortlist: Shortlist, findings: Findings) -> Answer:
    """The answer; not_found, with what was searched, when nothing is proven."""
    if not findings.statements and not findings.cells:
        return nothing(understanding, pool, shortlist, findings)
    ledger = Ledger()
    if understanding.intent == "compare" and findings.cells is not None:
        return _comparison_answer(understanding, pool, shortlist, findings, ledger)
    quotes = [quote for statement in findings.statements for quote in statement.quotes]
    apart = () if findings.thin else conflicts(understanding, quotes, pool)
    if findings.by_model:
        lines = [_model_text(understanding, findings, ledger), _contradictions(understanding, apart, ledger)]
    else:
        lines = [
            _contradictions(understanding, apart, ledger),
            _extractive_text(understanding, findings, apart, ledger),
        ]
    if findings.dropped and not findings.by_model:
        lines.insert(0, phrase("unproven_answer", understanding.text))
    lines += [
        _older_versions(understanding, pool, findings),
        _cut_off(understanding, findings),
        _extent_line(understanding, pool, shortlist),
    ]
    parts = covered(understanding, pool, findings.statements, ledger, findings.missing, apart)
    answer = _answer(understanding, pool, shortlist, findings, ledger, lines, parts)
    if answer.status == "answered" and _partly_read(understanding, pool, shortlist):
        return replace(answer, status="partial", reason="limit_reached")
    return answer


def refused(understanding: Understanding, pool: Pool, shortlist: Shortlist) -> Answer | None:
    """The answer where there is nothing to read, or nobody knows in what; None where there is."""
    if shortlist.verdict == "ambiguous":
        return Answer(shown_name(shortlist.ask_back), "ambiguous")
    if foreign(shortlist) or not pool.passages:
        return nothing(understanding, pool, shortlist)
    return None


# --- text by intent ----------------------------------------------------------------------------------------


def _model_text(understanding: Understanding, findings: Findings, ledger: Ledger) -> str:
    question, statements = understanding.text, findings.statements
    if understanding.intent == "list_all":
        return bullets(statements, ledger, question)
    if understanding.intent == "summarise":
        return "\n".join(f"- {sentence(statement, ledger, question)}" for statement in statements)
    return _sentences_first(understanding, findings, ledger)


def _extractive_text(
    understanding: Understanding, findings: Findings, apart: Sequence[Conflict], ledger: Ledger
) -> str:
    """The answer without a model: the quotes that are not shown side by side already."""
    lead = _extractive_lead(understanding, findings)
    if understanding.intent == "list_all":
        return "\n\n".join(filter(None, (lead, bullets(findings.statements, ledger, understanding.text))))
    shown = {quote for conflict in apart for quote in conflict.quotes}
    unshown = (quote for statement in findings.statements for quote in statement.quotes if quote not in shown)
    quotes = tuple(dict.fromkeys(unshown))
    if not quotes:
        return ""
    if apart:
        lead = phrase("besides", understanding.text)
    return "\n\n".join(filter(None, (lead, named(quotes, ledger))))


def _extractive_lead(understanding: Understanding, findings: Findings) -> str:
    if findings.thin:
        return phrase("thin", understanding.text)
    return phrase("documents_say", understanding.text) if understanding.intent == "yes_no" else ""


def _sentences_first(understanding: Understanding, findings: Findings, ledger: Ledger) -> str:
    """The verdict if one was asked for, what the model says, and the words of the document that this leans on.

    The words come first where they are all that is said, and where they decide nothing.
    """
    question, statements = understanding.text, findings.statements
    verdict = ""
    if understanding.intent == "yes_no":
        verdict = _verdict(findings, question)
        statements = tuple(replace(statement, text=opening(statement.text)[1]) for statement in statements)
    first, *others = statements
    written = others if first.verbatim else statements
    written_out = " ".join(sentence(statement, ledger, question) for statement in written)
    quoted = named(merged(first.quotes), ledger)
    quotes_first = first.verbatim or (verdict and findings.verdict not in ("yes", "no"))
    return "\n\n".join(
        filter(None, (verdict, quoted, written_out) if quotes_first else (verdict, written_out, quoted))
    )


def _verdict(findings: Findings, question: str) -> str:
    """Yes or no where that is proven; a clause that stands below is never "not stated"."""
    return verdict_line(findings.verdict, question) if findings.verdict else phrase("documents_say", question)


def _contradictions(understanding: Understanding, apart: Sequence[Conflict], ledger: Ledger) -> str:
    """The statements that contradict each other, side by side, newest first."""
    blocks = []
    for conflict in apart:
        name = "contradiction" if conflict.dated else "contradiction_partly"
        name = name if conflict.partly_dated else "contradiction_undated"
        dates = {
            quote.segment.document: str(when)
            for quote, when in zip(conflict.quotes, conflict.ages, strict=True)
        }
        blocks.append(f"{phrase(name, understanding.text)}\n\n{named(conflict.quotes, ledger, dates)}")
    return "\n\n".join(blocks)


def _older_versions(understanding: Understanding, pool: Pool, findings: Findings) -> str:
    if understanding.intent != "summarise" or findings.by_model:
        return ""
    names = "; ".join(shown_name(document.name) for document in older(pool))
    return phrase("older", understanding.text, names=names) if names else ""


def _cut_off(understanding: Understanding, findings: Findings) -> str:
    return phrase("cut_off", understanding.text) if findings.cut_off else ""


def _extent_line(understanding: Understanding, pool: Pool, shortlist: Shortlist) -> str:
    if understanding.intent != "list_all":
        return ""
    line, others = extent(pool, understanding.text), _count_unread(understanding, pool, shortlist)
    return f"{line} {phrase('others', understanding.text, others=others)}".strip() if others else line


def _partly_read(understanding: Understanding, pool: Pool, shortlist: Shortlist) -> bool:
    """Whether a list was made from a part of what it is about: of the documents, or of all where none is named."""
    if understanding.intent != "list_all":
        return False
    pieces_alone = not pool.documents and pool.searched.partly > 0
    return pieces_alone or pool.read < pool.total or _count_unread(understanding, pool, shortlist) > 0


def _count_unread(understanding: Understanding, pool: Pool, shortlist: Shortlist) -> int:
    """The number of documents that were not read for a question that names none."""
    names = understanding.subjects or shortlist.named >= _NAMED
    return 0 if names else max(0, shortlist.known - pool.documents)


# --- the whole ---------------------------------------------------------------------------------------------


def _comparison_answer(
    understanding: Understanding, pool: Pool, shortlist: Shortlist, findings: Findings, ledger: Ledger
) -> Answer:
    documents = comparison.compared(shortlist, pool)
    cells = findings.cells or {}
    filled = (findings.points or comparison.points(understanding), cells)
    made: Comparison = comparison.matrix(understanding, pool, documents, filled, ledger)
    text = " ".join(sentence(statement, ledger, understanding.text) for statement in findings.statements)
    if findings.dropped and not findings.by_model:
        text = phrase("unproven_answer", understanding.text)
    lines = [
        comparison.table(made, cells, understanding.text, findings.gaps),
        text,
        _cut_off(understanding, findings),
    ]
    shown = [statement for key in cells for statement in cells[key]]
    all_findings = replace(findings, statements=(*shown, *findings.statements))
    parts = comparison.facets(made, asked_of(pool, NAMES) or (understanding.text,))
    answer = _answer(understanding, pool, shortlist, all_findings, ledger, lines, parts)
    rows_with_text = sum(any(cell.text is not None for cell in row.cells) for row in made.rows)
    if rows_with_text < 2 and answer.status == "answered":  # one document is nothing to compare with
        answer = replace(answer, status="partial", reason="no_evidence")
    return replace(answer, comparison=made)


def _answer(
    understanding: Understanding,
    pool: Pool,
    shortlist: Shortlist,
    findings: Findings,
    ledger: Ledger,
    lines: Sequence[str],
    parts: tuple[Facet, ...],
) -> Answer:
    status, reason = _status(understanding, pool, shortlist, findings, parts)
    question = understanding.text
    lost = absent(shortlist, question), unreached(pool, shortlist, question)
    text = "\n\n".join(filter(None, (*lines, *lost)))
    proofs = (*claims(findings.statements, ledger), *claims(findings.dropped, ledger, shown=False))
    citations: tuple[Citation, ...] = ledger.citations
    return Answer(text, status, reason, citations, proofs, parts)


def _status(
    understanding: Understanding, pool: Pool, shortlist: Shortlist, findings: Findings, parts: Sequence[Facet]
) -> tuple[Status, Reason | None]:
    lack = lacking(pool, shortlist) or ("limit_reached" if findings.cut_off else None)
    if lack:
        return "partial", lack
    if shortlist.missing:
        return "partial", "no_document_fits"
    if any(part.status == "contradicted" for part in parts):
        return "partial", "conflicting"
    lost = findings.dropped and (not findings.by_model or understanding.intent in _COMPLETE)
    if lost or findings.thin or any(part.status != "covered" for part in parts):
        return "partial", "no_evidence" if findings.thin else None
    return "answered", None
