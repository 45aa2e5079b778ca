"""The whole answer without a model: what is quoted for each part, and whether that is enough."""

import re
from collections.abc import Sequence
from itertools import pairwise

from evidence.answer import comparison
from evidence.answer.answer_type import quantity
from evidence.answer.compose import Findings, Statement, verbatim
from evidence.answer.confidence import confidence
from evidence.answer.coverage import parts
from evidence.answer.select_sentences import best_of, choose, items
from evidence.answer.sentence_scoring import (
    by_document,
    coverage,
    merged,
    names,
    pieces,
    terms_by_place,
    weights,
    within,
)
from evidence.answer.summary import summary
from evidence.language.function_words import STOP, content_terms
from evidence.language.terms import terms
from evidence.model import Passage, Pool, Quote, Shortlist, Understanding

# Below ABSENT nothing is said; below THIN what is quoted is called thin: shares of the question's words that the
# passages hold, and of the score that other, like documents reach (Pool.strength). Of contract questions with an
# answer 13 % are below ABSENT or THIN, of those without one 52 %. Where no like documents can be
# compared with, quotes are thin that are less LIKELY to hold the answer: below it 20 % do, above it 58 %.
ABSENT, THIN = (0.15, 0.12), (0.33, 0.375)
LIKELY = 0.4
_ASKING = re.compile(  # for a summary, and of what: "the document" stands where the question had a name
    r"\bthe documents?\b|\b(?:summari[sz]e|summary|overview|outline|gist|(?:key|main) points|recap|sum up|short|brief"
    r"|concise)\b",
    re.IGNORECASE,
)
_PART_QUOTES, _PART_FLOOR = 3, 0.15
_NEAR = 4  # terms apart


def extract(understanding: Understanding, pool: Pool, shortlist: Shortlist) -> Findings:
    """Quotes as statements; nothing when the pool hardly holds what is asked."""
    if understanding.intent == "compare":
        points, cells = comparison.cells_of(understanding, pool, comparison.compared(shortlist, pool))
        return Findings(cells=cells, points=points)
    question_parts = parts(understanding)
    question = understanding.topic or understanding.text
    if understanding.intent == "summarise":
        return _summary(question, pool)
    if understanding.intent == "list_all":
        return _items(question, pool)
    if len(question_parts) > 1:
        return _by_part(question_parts, pool)
    part = question_parts[0]
    empty = STOP.issuperset(content_terms(part))  # nothing is asked: a mark, or function words alone
    if empty or _is_absent(part, pool):
        return Findings()
    quotes = choose(part, pool.passages, understanding.intent)
    thin = _is_thin(part, quotes, pool) or lacking(understanding.text, quotes)
    return Findings(tuple(verbatim(quote) for quote in quotes), thin=thin)


def _summary(question: str, pool: Pool) -> Findings:
    """A summary of the documents when nothing else is asked; else only when they hold what is asked."""
    of_documents = names(pool.passages).issuperset(content_terms(_ASKING.sub(" ", question)))
    if not of_documents and _is_absent(question, pool):
        return Findings()
    return Findings(tuple(verbatim(quote) for quote in summary(question, pool)))


def _items(question: str, pool: Pool) -> Findings:
    if _is_absent(question, pool):
        return Findings()
    listed = items(question, pool.ranked)
    if _is_thin(
        question, [quotes[0] for quotes in listed], pool
    ):  # the closest passages, and no list of them
        closest = choose(question, pool.passages, "lookup")
        return Findings(tuple(verbatim(quote) for quote in closest), thin=True)
    return Findings(tuple(Statement(quotes[0].text, quotes, verbatim=True) for quotes in listed))


def lacking(question: str, quotes: Sequence[Quote]) -> bool:
    """Whether an amount or a number is asked for and none of the quotes holds one; a time may be said in words."""
    figure = quantity(question)
    return "number" in figure.kinds and not any(figure.stated_in(quote.text) for quote in quotes)


def _is_absent(question: str, pool: Pool) -> bool:
    """Whether the passages hardly hold what is asked."""
    return _is_below(ABSENT, question, pool)


def _is_thin(question: str, quotes: Sequence[Quote], pool: Pool) -> bool:
    """Whether the quotes hardly answer."""
    if not pool.strength:
        return confidence(question, pool.passages, quotes) < LIKELY
    return _is_below(THIN, question, pool)


def _is_below(bounds: tuple[float, float], question: str, pool: Pool) -> bool:
    return strength(question, pool.passages) < bounds[0] or 0 < pool.strength < bounds[1]


def _by_part(question_parts: tuple[str, ...], pool: Pool) -> Findings:
    by_part: list[tuple[int, Quote]] = []
    missing = []
    for number, part in enumerate(question_parts, 1):
        quotes = best_of(part, pool.passages, _PART_FLOOR, _PART_QUOTES)
        if _is_thin(part, quotes, pool) or lacking(part, quotes):
            missing.append(number)
        by_part.extend((number, quote) for quote in quotes)
    joined = merged(by_document(quote for _, quote in by_part))  # no sentence is shown twice
    statements = dict.fromkeys(
        verbatim(next(other for other in joined if within(quote, other)), number) for number, quote in by_part
    )
    thin = len(missing) == len(question_parts)
    return Findings(tuple(statements), missing=tuple(missing), thin=thin)


# --- how much is there ---------------------------------------------------------------------------------------


def strength(question: str, passages: Sequence[Passage]) -> float:
    """The evidence that the passages hold an answer, 0..1; 0 for none: a reader decides better, but may be absent.

    Three shares are averaged: of the question's content words in the best passage; of their weight in all passages
    together, where a word that stands nowhere weighs most; of neighbouring words of the question that stand near each
    other in one passage. None of them tells alone; measured in docs/quality.md.
    """
    among = pieces(passages, question)
    question_terms = weights(question, among)
    if not among or not question_terms:
        return 0.0
    words = terms_by_place(among).values()
    best = max(sum(term in passage for term in question_terms) for passage in words) / len(question_terms)
    everything = coverage(question_terms, frozenset[str]().union(*words))
    return (best + everything + nearness(question, passages, best)) / 3


def nearness(question: str, passages: Sequence[Passage], single: float) -> float:
    """The share of neighbouring content terms that stand near each other in one passage; `single` for one term."""
    question_terms = content_terms(question)
    pairs = tuple(dict.fromkeys((one, two) for one, two in pairwise(question_terms) if one != two))
    if not pairs:
        return single
    return max((_near(pairs, passage) for passage in passages), default=0.0)


def _near(pairs: Sequence[tuple[str, str]], passage: Passage) -> float:
    pair_terms = {term for pair in pairs for term in pair}
    places: dict[str, list[int]] = {}
    for place, term in enumerate(terms(f"{passage.segment.question} {passage.segment.text}")):
        if term in pair_terms:
            places.setdefault(term, []).append(place)
    return sum(_come_near(places.get(one, ()), places.get(two, ())) for one, two in pairs) / len(pairs)


def _come_near(first: Sequence[int], second: Sequence[int]) -> bool:
    """Whether two ascending lists hold places at most `_NEAR` apart; one walk along both."""
    one = two = 0
    while one < len(first) and two < len(second):
        if abs(first[one] - second[two]) <= _NEAR:
            return True
        if first[one] < second[two]:
            one += 1
        else:
            two += 1
    return False
