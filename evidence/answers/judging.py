"""Which parts of a question are answered, and where two documents say different things about one."""

import re
from collections.abc import Sequence
from itertools import combinations
from typing import Literal

from evidence.answers.composing import Ledger, Statement
from evidence.answers.weighing import overlap, spans
from evidence.model import Answer, Document, Facet, Pool, Quote, Understanding
from evidence.text.analysis import terms
from evidence.text.figures import agrees, figures, known
from evidence.text.polarity import contradicted
from evidence.text.stopwords import STOP

type Coverage = Literal["covered", "partial", "missing", "contradicted"]

# shares of a part's terms: from the first on a sentence speaks about it, from the second on it is covered
TOUCHED, COVERED = 0.25, 0.5
_QUERIES = 8  # queries named for a facet
_SAME_MATTER = 0.5  # shared terms from which two sentences speak of the same matter
_DATE = re.compile(
    r"(?<!\d)((?:19|20)\d\d)(?:[-_./年\s]?(0?[1-9]|1[0-2])(?!\d))?(?:[-_./月\s]?([0-3]?\d)(?!\d))?"
)
_VERSION = re.compile(r"(?i)(?:\bv|\bver|\bversion|\brev|_v|版|第)[\s._-]*(\d+(?:\.\d+)*)")


def parts(understanding: Understanding) -> tuple[str, ...]:
    """What an answer must cover: the facets, else the question as one part."""
    return understanding.facets or (understanding.topic or understanding.text,)


def covered(
    understanding: Understanding,
    pool: Pool,
    statements: Sequence[Statement],
    ledger: Ledger,
    missing: Sequence[int] = (),
) -> tuple[Facet, ...]:
    """Each part with its status, the markers of its statements and the queries that were tried."""
    asked = tuple(dict.fromkeys(query.text for query in pool.queries))[:_QUERIES]
    wanted = parts(understanding)
    found = []
    for number, part in enumerate(wanted, 1):
        own = _own(number, part, statements, alone=len(wanted) == 1)
        quotes = [quote for each in own for quote in each.quotes]
        status = _status(own, said_missing=number in missing)
        if disputed(understanding, quotes):
            status = "contradicted"
        found.append(Facet(part, status, ledger.known(quotes), asked))
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


def facets_of(understanding: Understanding, answer: Answer, pool: Pool) -> tuple[Facet, ...]:
    """The parts of a question as an answer from anywhere covers them, by the words that its proven claims share."""
    texts = {citation.marker: citation.quote for citation in answer.citations}
    asked = tuple(dict.fromkeys(query.text for query in pool.queries))[:_QUERIES]
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
        if disputed(understanding, list(quotes.values())):
            status = "contradicted"
        found.append(Facet(part, status if told else "missing", tuple(quotes), asked))
    return tuple(found)


# --- contradictions ----------------------------------------------------------------------------------------


def disputed(understanding: Understanding, quotes: Sequence[Quote]) -> tuple[Quote, ...]:
    """The conflicting quotes, where one answer is wanted: of a list or a comparison, difference is the point."""
    return () if understanding.intent in ("list_all", "compare") else conflicts(quotes)


def conflicts(quotes: Sequence[Quote]) -> tuple[Quote, ...]:
    """The quotes of different documents that say different things about one matter, newest first."""
    found: dict[Quote, None] = {}
    for first, second in combinations(quotes, 2):
        if first.segment.document != second.segment.document and _differ(first, second):
            found.update({first: None, second: None})
    return tuple(sorted(found, key=lambda quote: age(quote.segment.document), reverse=True))


def _differ(first: Quote, second: Quote) -> bool:
    left = [first.text[span.start : span.end] for span in spans(first.text)]
    right = [second.text[span.start : span.end] for span in spans(second.text)]
    return any(_contradict(one, other) for one in left[:8] for other in right[:8])


def _contradict(one: str, other: str) -> bool:
    """The same matter in much the same words, with other figures or the other polarity."""
    here, there = _matter(one), _matter(other)
    if min(len(here), len(there)) < 2 or len(here & there) < _SAME_MATTER * len(here | there):
        return False
    return _figures_differ(one, other) or bool(contradicted(one, (other,)))


def _matter(sentence: str) -> frozenset[str]:
    """The terms of a sentence without its figures."""
    for figure in reversed(figures(sentence)):
        sentence = f"{sentence[: figure.start]} {sentence[figure.end :]}"
    return frozenset(terms(sentence)) - STOP


def _figures_differ(one: str, other: str) -> bool:
    """Each has a figure of one kind that the other does not have."""
    mine, theirs = figures(one), figures(other)
    here, there = known((one,)), known((other,))
    kinds = {figure.kind for figure in mine if not agrees(figure, there)}
    return any(figure.kind in kinds for figure in theirs if not agrees(figure, here))


def age(document: Document) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Larger is newer: the date, then the version, that the name or the metadata states; () when unknown."""
    stated = " ".join((document.name, *(str(value) for value in document.metadata.values())))
    dates = [tuple(int(piece or 0) for piece in found) for found in _DATE.findall(stated)]
    versions = [tuple(map(int, found.split("."))) for found in _VERSION.findall(stated)]
    return max(dates, default=()), max(versions, default=())


def dated(quotes: Sequence[Quote]) -> bool:
    return all(any(age(quote.segment.document)) for quote in quotes)
