"""The whole answer without a model: what is quoted for each part, and whether that is enough."""

import re
from collections.abc import Sequence

from evidence.answer import comparison
from evidence.answer.answer_type import quantity
from evidence.answer.compose import Found, Statement, verbatim
from evidence.answer.coverage import parts
from evidence.answer.select_sentences import best_of, choose, items
from evidence.answer.sentence_scoring import merged, names, reading_order
from evidence.answer.sufficiency import strength
from evidence.answer.summary import summary
from evidence.language.function_words import STOP, content_terms
from evidence.model import Pool, Quote, Shortlist, Understanding

# Below ABSENT nothing is said; below THIN what is quoted is called thin: shares of the question's words that the
# passages hold, and of the score that other, like documents reach (Pool.strength). Of contract questions with an
# answer 13 % are below ABSENT or THIN, of those without one 52 %. Where no like documents can be
# compared with, the words alone must say more; measured in docs/quality.md.
ABSENT, THIN = (0.15, 0.12), (0.33, 0.375)
ABSENT_ALONE, THIN_ALONE = 0.15, 0.39
_ASKING = re.compile(  # for a summary, and of what: "the document" stands where the question had a name
    r"\bthe documents?\b|\b(?:summari[sz]e|summary|overview|outline|gist|(?:key|main) points|recap|sum up|short|brief"
    r"|concise)\b",
    re.IGNORECASE,
)
_PART_QUOTES, _PART_FLOOR = 3, 0.15


def extract(understanding: Understanding, pool: Pool, shortlist: Shortlist) -> Found:
    """Quotes as statements; nothing when the pool hardly holds what is asked."""
    if understanding.intent == "compare":
        points, cells = comparison.cells_of(understanding, pool, comparison.compared(shortlist, pool))
        return Found(cells=cells, points=points)
    asked = parts(understanding)
    question = understanding.topic or understanding.text
    if understanding.intent == "summarise":
        return _summary(question, pool)
    if understanding.intent == "list_all":
        return _items(question, pool)
    if len(asked) > 1:
        return _by_part(asked, pool)
    empty = STOP.issuperset(content_terms(asked[0]))  # nothing is asked: a mark, or function words alone
    held = 0.0 if empty else strength(asked[0], pool.passages)
    if empty or _below(ABSENT, ABSENT_ALONE, held, pool):
        return Found()
    quotes = choose(asked[0], pool.passages, understanding.intent)
    thin = _below(THIN, THIN_ALONE, held, pool) or lacking(understanding.text, quotes)
    return Found(tuple(verbatim(quote) for quote in quotes), thin=thin)


def _summary(question: str, pool: Pool) -> Found:
    """Of the documents as a whole when nothing else is asked; else only when they hold what is asked."""
    whole = names(pool.passages).issuperset(content_terms(_ASKING.sub(" ", question)))
    if not whole and _below(ABSENT, ABSENT_ALONE, strength(question, pool.passages), pool):
        return Found()
    return Found(tuple(verbatim(quote) for quote in summary(question, pool)))


def _items(question: str, pool: Pool) -> Found:
    held = strength(question, pool.passages)
    if _below(ABSENT, ABSENT_ALONE, held, pool):
        return Found()
    listed = tuple(
        Statement(quotes[0].text, quotes, verbatim=True) for quotes in items(question, pool.ranked)
    )
    return Found(listed, thin=_below(THIN, THIN_ALONE, held, pool))


def lacking(question: str, quotes: Sequence[Quote]) -> bool:
    """Whether an amount or a number is asked for and none of the quotes holds one; a time may be said in words."""
    asked = quantity(question)
    return "number" in asked.kinds and not any(asked.held(quote.text) for quote in quotes)


def _below(bounds: tuple[float, float], alone: float, held: float, pool: Pool) -> bool:
    """Whether what the passages hold of the question is less than the bounds ask for."""
    if not pool.strength:
        return held < alone
    return held < bounds[0] or pool.strength < bounds[1]


def _by_part(asked: tuple[str, ...], pool: Pool) -> Found:
    by_part: list[tuple[int, Quote]] = []
    missing = []
    for number, part in enumerate(asked, 1):
        quotes = best_of(part, pool.passages, _PART_FLOOR, _PART_QUOTES)
        if strength(part, pool.passages) < THIN_ALONE or lacking(part, quotes):
            missing.append(number)
        by_part.extend((number, quote) for quote in quotes)
    whole = _joined([quote for _, quote in by_part])
    statements = dict.fromkeys(verbatim(_holding(quote, whole), number) for number, quote in by_part)
    thin = len(missing) == len(asked)
    return Found(tuple(statements), missing=tuple(missing), thin=thin)


def _joined(quotes: Sequence[Quote]) -> tuple[Quote, ...]:
    """The quotes of all parts, those that overlap or touch as one, so that no sentence is shown twice."""
    places = {document: at for at, document in reversed(list(enumerate(q.segment.document for q in quotes)))}
    ordered = sorted(quotes, key=lambda quote: (places[quote.segment.document], reading_order(quote)))
    return merged(ordered)


def _holding(quote: Quote, among: Sequence[Quote]) -> Quote:
    return next(
        each
        for each in among
        if each.segment == quote.segment
        and each.span.start <= quote.span.start
        and quote.span.end <= each.span.end
    )
