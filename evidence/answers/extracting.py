"""The whole answer without a model: what is quoted for each part, and whether that is enough."""

from evidence.answers import comparison
from evidence.answers.composing import Found, Statement, verbatim
from evidence.answers.extractive import best_of, central, choose
from evidence.answers.judging import parts
from evidence.answers.sufficiency import strength
from evidence.answers.weighing import found, names
from evidence.model import Pool, Shortlist, Understanding
from evidence.text.stopwords import content_terms

# Below ABSENT nothing is said; below THIN what is quoted is called thin: shares of the question's words that the
# passages hold, and of the score that other, like documents reach (Pool.strength). Of contract questions with an
# answer 3 % lie below ABSENT and 15 % below THIN, of those without one 24 % and 54 %. Where no like documents can be
# compared with, the words alone must say more; measured in docs/quality.md.
ABSENT, THIN = (0.15, 0.12), (0.31, 0.34)
ABSENT_ALONE, THIN_ALONE = 0.15, 0.39
_PART_QUOTES, _PART_FLOOR = 3, 0.15


def extract(understanding: Understanding, pool: Pool, shortlist: Shortlist) -> Found:
    """Quotes as statements; nothing when the pool hardly holds what is asked."""
    if understanding.intent == "compare":
        cells = comparison.cells_of(understanding, pool, comparison.compared(shortlist, pool))
        return Found(cells=cells)
    asked = parts(understanding)
    if len(asked) > 1:
        return _by_part(asked, pool)
    if understanding.intent == "summarise" and names(found(pool)).issuperset(content_terms(asked[0])):
        return Found(tuple(verbatim(quote, 1) for quote in central(found(pool))))
    if _below(ABSENT, ABSENT_ALONE, asked[0], pool):
        return Found()
    quotes = choose(asked[0], found(pool), understanding.intent)
    return Found(tuple(verbatim(quote, 1) for quote in quotes), thin=_below(THIN, THIN_ALONE, asked[0], pool))


def _below(bounds: tuple[float, float], alone: float, question: str, pool: Pool) -> bool:
    """Whether the pool holds less of the question than the bounds ask for."""
    held = strength(question, found(pool))
    if not pool.strength:
        return held < alone
    return held < bounds[0] or pool.strength < bounds[1]


def _by_part(asked: tuple[str, ...], pool: Pool) -> Found:
    statements: dict[tuple[str, int, int], Statement] = {}
    missing = []
    for number, part in enumerate(asked, 1):
        quotes = best_of(part, found(pool), _PART_FLOOR, _PART_QUOTES)
        if strength(part, found(pool)) < THIN_ALONE:
            missing.append(number)
        for quote in quotes:
            key = (quote.segment.segment_id, quote.span.start, number)
            statements[key] = verbatim(quote, number)
    thin = len(missing) == len(asked)
    return Found(tuple(statements.values()), missing=tuple(missing), thin=thin)
