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
_OWN_ORIGINS = frozenset({"topic", "question", "follow_up"})
_QUERIES = 8  # named for a facet


def parts(understanding: Understanding) -> tuple[str, ...]:
    """The parts that an answer must cover: the facets that ask for something, else the question as one part."""
    asking = tuple(facet for facet in understanding.facets if content_terms(facet))
    return asking or (understanding.topic or understanding.text,)


def queries_of(pool: Pool, most: int) -> tuple[str, ...]:
    """The first queries that were searched for."""
    return tuple(dict.fromkeys(query.text for query in pool.queries))[:most]


def asked_of(pool: Pool, most: int) -> tuple[str, ...]:
    """The first of these in the words of the question, or of a judge; what was expected as an answer is not told."""
    return tuple(dict.fromkeys(query.text for query in pool.queries if query.origin in _OWN_ORIGINS))[:most]


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
    question_parts = parts(understanding)
    facets = []
    for number, part in enumerate(question_parts, 1):
        own = _statements_about(number, part, statements, alone=len(question_parts) == 1)
        quotes = [quote for statement in own for quote in statement.quotes]
        status = _status(own, denied=number in missing)
        clashing = [conflict for conflict in apart if set(conflict.quotes) & set(quotes)]
        if clashing:
            status = "contradicted"
        both = (*quotes, *(quote for conflict in clashing for quote in conflict.quotes))
        facets.append(Facet(part, status, ledger.known(both), queries, number in missing))
    return tuple(facets)


def _statements_about(
    number: int, part: str, statements: Sequence[Statement], *, alone: bool
) -> list[Statement]:
    """The statements about a part: as they say, else by the words that they share with it."""
    if alone:
        return [statement for statement in statements if statement.quotes]
    named = [statement for statement in statements if statement.quotes and statement.part == number]
    return named or [
        statement
        for statement in statements
        if statement.quotes and not statement.part and overlap(part, _words(statement)) >= TOUCHED
    ]


def _words(statement: Statement) -> str:
    return " ".join((statement.text, *(quote.text for quote in statement.quotes)))


def _status(own: Sequence[Statement], *, denied: bool) -> Coverage:
    if not own:
        return "missing"
    return "partial" if denied or not any(statement.supported for statement in own) else "covered"


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
    facets = []
    for part in parts(understanding):
        texts_of_claims: list[str] = []
        quotes: dict[int, Quote] = {}
        for claim in answer.claims:
            leaning = {marker: texts[marker] for marker in claim.markers if marker in texts}
            words = " ".join((claim.text, *(quote.text for quote in leaning.values())))
            if (claim.supported or claim.unknown) and overlap(part, words) >= TOUCHED:
                texts_of_claims.append(words)
                quotes |= leaning
        status: Coverage = "covered" if overlap(part, " ".join(texts_of_claims)) >= COVERED else "partial"
        if conflicts(understanding, list(quotes.values()), pool):
            status = "contradicted"
        facets.append(Facet(part, status if texts_of_claims else "missing", tuple(quotes), queries))
    return tuple(facets)
