"""What was found becomes an answer: text by intent, status, reason, citations, claims, facets."""

from collections.abc import Sequence
from dataclasses import replace

from evidence.answer import comparison
from evidence.answer.abstention import NAMES, absent, extent, foreign, lacking, nothing, unreached
from evidence.answer.compose import Found, Ledger, bullets, claims, named, sentence
from evidence.answer.conflicts import Conflict, conflicts
from evidence.answer.coverage import covered, queries_of
from evidence.answer.phrases import opening, phrase
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

_WHOLE = frozenset[Intent]({"list_all", "summarise", "compare"})  # what is dropped of these is missing
_NAMED = 0.5  # how surely a question must name documents for the others to be none of its matter


def finish(understanding: Understanding, pool: Pool, shortlist: Shortlist, found: Found) -> Answer:
    """The answer; not_found, with what was searched, when nothing is proven."""
    if not found.statements and not found.cells:
        return nothing(understanding, pool, shortlist, found)
    ledger = Ledger()
    if understanding.intent == "compare" and found.cells is not None:
        return _compared(understanding, pool, shortlist, found, ledger)
    said = [quote for each in found.statements for quote in each.quotes]
    apart = () if found.thin else conflicts(understanding, said, pool)
    if found.by_model:
        lines = [_body(understanding, found, ledger), _contradictions(understanding, apart, ledger)]
    else:
        lines = [_contradictions(understanding, apart, ledger), _quoted(understanding, found, apart, ledger)]
    if found.dropped and not found.by_model:
        lines.insert(0, phrase("unproven_answer", understanding.text))
    lines += [
        _older(understanding, pool, found),
        _cut_off(understanding, found),
        _bound(understanding, pool, shortlist),
    ]
    parts = covered(understanding, pool, found.statements, ledger, found.missing, apart)
    answer = _whole(understanding, pool, shortlist, found, ledger, lines, parts)
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


def _body(understanding: Understanding, found: Found, ledger: Ledger) -> str:
    question, statements = understanding.text, found.statements
    if understanding.intent == "list_all":
        return bullets(statements, ledger, question)
    if understanding.intent == "summarise":
        return "\n".join(f"- {sentence(each, ledger, question)}" for each in statements)
    return _clause_first(understanding, found, ledger)


def _quoted(understanding: Understanding, found: Found, apart: Sequence[Conflict], ledger: Ledger) -> str:
    """The answer without a model: the quotes that are not shown side by side already."""
    lead = _extractive_lead(understanding, found)
    if understanding.intent == "list_all":
        return "\n\n".join(filter(None, (lead, bullets(found.statements, ledger, understanding.text))))
    shown = {quote for each in apart for quote in each.quotes}
    said = (quote for each in found.statements for quote in each.quotes if quote not in shown)
    quotes = tuple(dict.fromkeys(said))
    if not quotes:
        return ""
    if apart:
        lead = phrase("besides", understanding.text)
    return "\n\n".join(filter(None, (lead, named(quotes, ledger))))


def _extractive_lead(understanding: Understanding, found: Found) -> str:
    if found.thin:
        return phrase("thin", understanding.text)
    return phrase("documents_say", understanding.text) if understanding.intent == "yes_no" else ""


def _clause_first(understanding: Understanding, found: Found, ledger: Ledger) -> str:
    """The verdict if one was asked for, the words of the document, then what they say."""
    question, statements = understanding.text, found.statements
    lines = []
    if understanding.intent == "yes_no":
        lines.append(_verdict(found, question))
        statements = tuple(replace(each, text=opening(each.text)[1]) for each in statements)
    lines.append(named(merged(statements[0].quotes), ledger))
    said = [sentence(each, ledger, question) for each in statements if not each.verbatim or each.quotes]
    written = said[1:] if statements[0].verbatim else said
    return "\n\n".join((*lines, " ".join(written))).strip()


def _verdict(found: Found, question: str) -> str:
    """Yes or no where that is proven; a clause that stands below is never "not stated"."""
    if found.verdict in ("yes", "no"):
        return f"{phrase(found.verdict, question)}{phrase('stop', question).strip()}"
    return phrase("undecided" if found.verdict else "documents_say", question)


def _contradictions(understanding: Understanding, apart: Sequence[Conflict], ledger: Ledger) -> str:
    """What the documents differ on, side by side, newest first."""
    blocks = []
    for each in apart:
        name = "contradiction" if each.dated else "contradiction_partly"
        name = name if each.partly_dated else "contradiction_undated"
        dates = {
            quote.segment.document: str(when) for quote, when in zip(each.quotes, each.ages, strict=True)
        }
        blocks.append(f"{phrase(name, understanding.text)}\n\n{named(each.quotes, ledger, dates)}")
    return "\n\n".join(blocks)


def _older(understanding: Understanding, pool: Pool, found: Found) -> str:
    if understanding.intent != "summarise" or found.by_model:
        return ""
    names = "; ".join(shown_name(each.name) for each in older(pool))
    return phrase("older", understanding.text, names=names) if names else ""


def _cut_off(understanding: Understanding, found: Found) -> str:
    return phrase("cut_off", understanding.text) if found.cut_off else ""


def _bound(understanding: Understanding, pool: Pool, shortlist: Shortlist) -> str:
    if understanding.intent != "list_all":
        return ""
    line, others = extent(pool, understanding.text), _others(understanding, pool, shortlist)
    return f"{line} {phrase('others', understanding.text, others=others)}".strip() if others else line


def _partly_read(understanding: Understanding, pool: Pool, shortlist: Shortlist) -> bool:
    """Whether a list was made from a part of what it is about: of the documents, or of all where none is named."""
    if understanding.intent != "list_all":
        return False
    pieces_alone = not pool.documents and pool.searched.partly > 0
    return pieces_alone or pool.read < pool.total or _others(understanding, pool, shortlist) > 0


def _others(understanding: Understanding, pool: Pool, shortlist: Shortlist) -> int:
    """How many documents were not read for a question that names none."""
    names = understanding.subjects or shortlist.named >= _NAMED
    return 0 if names else max(0, shortlist.known - pool.documents)


# --- the whole ---------------------------------------------------------------------------------------------


def _compared(
    understanding: Understanding, pool: Pool, shortlist: Shortlist, found: Found, ledger: Ledger
) -> Answer:
    documents = comparison.compared(shortlist, pool)
    cells = found.cells or {}
    filled = (found.points or comparison.points(understanding), cells)
    made: Comparison = comparison.matrix(understanding, pool, documents, filled, ledger)
    said = " ".join(sentence(each, ledger, understanding.text) for each in found.statements)
    if found.dropped and not found.by_model:
        said = phrase("unproven_answer", understanding.text)
    lines = [
        comparison.table(made, cells, understanding.text, found.gaps),
        said,
        _cut_off(understanding, found),
    ]
    shown = [each for key in cells for each in cells[key]]
    whole = replace(found, statements=(*shown, *found.statements))
    parts = comparison.facets(made, queries_of(pool, NAMES) or (understanding.text,))
    answer = _whole(understanding, pool, shortlist, whole, ledger, lines, parts)
    told = sum(any(cell.text is not None for cell in row.cells) for row in made.rows)
    if told < 2 and answer.status == "answered":  # one document is nothing to compare with
        answer = replace(answer, status="partial", reason="no_evidence")
    return replace(answer, comparison=made)


def _whole(
    understanding: Understanding,
    pool: Pool,
    shortlist: Shortlist,
    found: Found,
    ledger: Ledger,
    lines: Sequence[str],
    parts: tuple[Facet, ...],
) -> Answer:
    status, reason = _status(understanding, pool, shortlist, found, parts)
    question = understanding.text
    lost = absent(shortlist, question), unreached(pool, shortlist, question)
    text = "\n\n".join(filter(None, (*lines, *lost)))
    said = (*claims(found.statements, ledger), *claims(found.dropped, ledger, shown=False))
    citations: tuple[Citation, ...] = ledger.citations
    return Answer(text, status, reason, citations, said, parts)


def _status(
    understanding: Understanding, pool: Pool, shortlist: Shortlist, found: Found, parts: Sequence[Facet]
) -> tuple[Status, Reason | None]:
    lack = lacking(pool, shortlist) or ("limit_reached" if found.cut_off else None)
    if lack:
        return "partial", lack
    if shortlist.missing:
        return "partial", "no_document_fits"
    if any(part.status == "contradicted" for part in parts):
        return "partial", "conflicting"
    lost = found.dropped and (not found.by_model or understanding.intent in _WHOLE)
    if lost or found.thin or any(part.status != "covered" for part in parts):
        return "partial", "no_evidence" if found.thin else None
    return "answered", None
