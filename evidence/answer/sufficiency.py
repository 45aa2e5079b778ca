"""Whether passages hold what is asked at all, in counts of words: a reader decides better, but may be absent.

Three shares, each 0..1, are averaged: of the question's content words in the best passage; of their weight in
all passages together, where a word that stands nowhere weighs most; of neighbouring words of the question that
stand near each other in one passage. None of them tells alone; measured in docs/quality.md.
"""

from collections.abc import Sequence
from itertools import pairwise

from evidence.answer.sentence_scoring import coverage, held, pieces, weights
from evidence.language.function_words import content_terms
from evidence.language.terms import terms
from evidence.model import Passage

_NEAR = 4  # terms apart


def strength(question: str, passages: Sequence[Passage]) -> float:
    """How much speaks for the passages holding an answer, 0..1; 0 for none."""
    among = pieces(passages, question)
    wanted = weights(question, among)
    if not among or not wanted:
        return 0.0
    words = held(among).values()
    best = max(sum(term in each for term in wanted) for each in words) / len(wanted)
    everything = coverage(wanted, frozenset[str]().union(*words))
    return (best + everything + nearness(question, passages, best)) / 3


def nearness(question: str, passages: Sequence[Passage], single: float) -> float:
    """The share of neighbouring content terms that stand near each other in one passage; `single` for one term."""
    asked = content_terms(question)
    pairs = tuple(dict.fromkeys((one, two) for one, two in pairwise(asked) if one != two))
    if not pairs:
        return single
    return max((_near(pairs, each) for each in passages), default=0.0)


def _near(pairs: Sequence[tuple[str, str]], passage: Passage) -> float:
    wanted = {term for pair in pairs for term in pair}
    places: dict[str, list[int]] = {}
    for place, term in enumerate(terms(f"{passage.segment.question} {passage.segment.text}")):
        if term in wanted:
            places.setdefault(term, []).append(place)
    return sum(_meet(places.get(one, ()), places.get(two, ())) for one, two in pairs) / len(pairs)


def _meet(first: Sequence[int], second: Sequence[int]) -> bool:
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
