"""Which parts of a question are answered, and on which the documents disagree."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from evidence.answer.compose import Ledger, Statement
from evidence.answer.conflicts import Conflict, conflicts
from evidence.answer.sentence_scoring import overlap
from evidence.language.function_words import content_terms
from evidence.model import Answer, Facet, Pool, Quote, Understanding, Verdict

type Coverage = Literal["covered", "partial", "missing", "contradicted"]

# shares of a part's terms: from the first on a sentence speaks about it, from the second on it is covered
TOUCHED, COVERED = 0.25, 0.5
_QUERIES = 8  # named for a facet


def parts(understanding: Understanding) -> tuple[str, ...]:
    """What an answer must cover: the facets that ask for something, else the question as one part."""
    asking = tuple(facet for facet in understanding.facets if content_terms(facet))
    return asking or (understanding.topic or understanding.text,)


def queries_of(pool: Pool, most: int) -> tuple[str, ...]:
    """The first queries that were searched for."""
    return tuple(dict.fromkeys(query.text for query in pool.queries))[:most]


def covered(
    understanding: Understanding,
    pool: Pool,
    statements: Sequence[Statement],
    ledger: Ledger,
    missing: Sequence[int] = (),
    apart: Sequence[Conflict] = (),
) -> tuple[Facet, ...]:
    """Each part with its status, the markers of its statements and the queries that were tried.

    A part is contradicted when one of its quotes is `apart` from another document's.
    """
    queries = queries_of(pool, _QUERIES)
    wanted = parts(understanding)
    found = []
    for number, part in enumerate(wanted, 1):
        own = _own(number, part, statements, alone=len(wanted) == 1)
        quotes = [quote for each in own for quote in each.quotes]
        status = _status(own, said_missing=number in missing)
        clashing = [each for each in apart if set(each.quotes) & set(quotes)]
        if clashing:
            status = "contradicted"
        both = (*quotes, *(quote for each in clashing for quote in each.quotes))
        found.append(Facet(part, status, ledger.known(both), queries, number in missing))
    return tuple(found)


def _own(number: int, part: str, statements: Sequence[Statement], *, alone: bool) -> list[Statement]:
    """The statements about a part: as they say, else by the words that they share with it."""
    if alone:
        return [each for each in statements if each.quotes]
    named = [each for each in statements if each.quotes and each.part == number]
    return named or [
        each
        for each in statements
        if each.quotes and not each.part and overlap(part, _words(each)) >= TOUCHED
    ]


def _words(statement: Statement) -> str:
    return " ".join((statement.text, *(quote.text for quote in statement.quotes)))


def _status(own: Sequence[Statement], *, said_missing: bool) -> Coverage:
    if not own:
        return "missing"
    return "partial" if said_missing or not any(each.supported for each in own) else "covered"


def agreed(answer: Answer, verdict: Verdict) -> Answer:
    """The answer with a status that its verdict bears out: "answered" lacks no part, and not all of its proof."""
    lacks = verdict.completeness < 1 or verdict.grounding <= 0
    if answer.status == "answered" and verdict.status == "unsettled" and lacks:
        return replace(answer, status="partial")
    return answer


def facets_of(understanding: Understanding, answer: Answer, pool: Pool) -> tuple[Facet, ...]:
    """The parts of a question as an answer from anywhere covers them, by the words that its proven claims share."""
    texts = {citation.marker: citation.quote for citation in answer.citations}
    queries = queries_of(pool, _QUERIES)
    found = []
    for part in parts(understanding):
        told: list[str] = []
        quotes: dict[int, Quote] = {}
        for claim in answer.claims:
            leaning = {marker: texts[marker] for marker in claim.markers if marker in texts}
            words = " ".join((claim.text, *(quote.text for quote in leaning.values())))
            if claim.supported and overlap(part, words) >= TOUCHED:
                told.append(words)
                quotes |= leaning
        status: Coverage = "covered" if overlap(part, " ".join(told)) >= COVERED else "partial"
        if conflicts(understanding, list(quotes.values()), pool):
            status = "contradicted"
        found.append(Facet(part, status if told else "missing", tuple(quotes), queries))
    return tuple(found)
