"""Whether a sentence exchanges who does what to whom: the buyer for the seller, the attacker for the attacked."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from evidence.language.opposites import ACTORS
from evidence.verify.words import Text, Word

type Doubt = tuple[int, int, str]  # a place in the sentence, and what a quote says instead, if anything

_LEAST = 2  # other terms that clauses share which say the same
_NEAR = 30  # characters before a verb that make it passive
_BE = re.compile(r"\b(?:is|are|was|were|be|been|being)\b(?:\s\w{1,12})?\s?$", re.IGNORECASE)
_BY = re.compile(r"\b(?:by|von|durch)\s(?:(?:the|an?|der|dem|die)\s)?$", re.IGNORECASE)


def exchanged_roles(sentence: Text, quotes: Sequence[Text]) -> Iterator[Doubt]:
    """What the quotes say of somebody else, or the other way round."""
    named = frozenset[str]().union(*(_names(quote) for quote in quotes)) & _names(sentence)
    yield from _other_actors(sentence, quotes, named)
    yield from _crossings(sentence, quotes, named)


def _names(text: Text) -> frozenset[str]:
    """The terms of capitalised words, where a language has them for names alone, and of actors."""
    capitals = text.language not in ("de", "ja", "zh")
    return frozenset(
        word.term
        for word in text.words
        if word.term in ACTORS[text.language] or (capitals and text.text[word.start].isupper())
    )


def _other_actors(sentence: Text, quotes: Sequence[Text], named: frozenset[str]) -> Iterator[Doubt]:
    """The one who may or must do something, where the quotes say another one."""
    deeds = [(quote, *deed) for quote in quotes for deed in _deeds(quote)]
    for actor, deed in _deeds(sentence):
        same = [(quote, other) for quote, other, others in deeds if _is_same(deed, others, sentence.language)]
        if not same or any(other.term == actor.term for _, other in same):
            continue
        quote, other = same[0]
        against = other.term in ACTORS[sentence.language].get(actor.term, ())
        beside = any(word.term == actor.term and word.sentence == other.sentence for word in quote.words)
        if against or (beside and actor.term in named):
            yield actor.start, actor.end, quote.around(other)


def _deeds(text: Text) -> Iterator[tuple[Word, list[Word]]]:
    """Who may or must do something, and the words behind it in the clause."""
    names = _names(text)
    for rule in ("duty", "leave"):
        for start, end in text.places(rule):
            before = [word for word in text.words if word.end <= start][-1:]
            behind = [word for word in text.words if word.start >= end]
            clause = [word for word in behind if word.clause == behind[0].clause and not word.is_figure]
            if before and clause and before[0].term in names and start - before[0].end <= _LEAST:
                yield before[0], clause
    for _, words in groupby(text.words, key=lambda word: word.clause):
        actor, *deed = words
        if deed and actor.term in ACTORS[text.language]:
            yield actor, deed


def _is_same(deed: Sequence[Word], other: Sequence[Word], language: str) -> bool:
    """Whether two deeds begin with the same verb, or share words where a verb may stand anywhere."""
    if language not in ("de", "ja", "zh"):
        return deed[0].term == other[0].term
    return len({word.term for word in deed} & {word.term for word in other}) >= _LEAST


def _crossings(sentence: Text, quotes: Sequence[Text], named: frozenset[str]) -> Iterator[Doubt]:
    """Names on both sides of a word that stand on the other sides of it in a quote."""
    for word in sentence.words:
        if word.is_figure or word.term in named:
            continue
        left, right = _sides([name for name in sentence.words if name.clause == word.clause], word, named)
        if not left or not right:
            continue
        for quote in quotes:
            for other in quote.words:
                if other.term == word.term:
                    before, behind = _sides(quote.words, other, named)
                    turned = left & behind and right & before and not left & before and not right & behind
                    if turned and _is_passive(sentence, word) == _is_passive(quote, other):
                        yield word.start, word.end, quote.around(other)


def _sides(words: Sequence[Word], word: Word, named: frozenset[str]) -> tuple[set[str], set[str]]:
    """The names before and behind a word of its sentence."""
    own = [name for name in words if name.sentence == word.sentence and name.term in named]
    return {n.term for n in own if n.end <= word.start}, {n.term for n in own if n.start >= word.end}


def _is_passive(text: Text, word: Word) -> bool:
    """Whether one to whom it is done stands before it."""
    behind = (
        other.start for other in text.words if other.sentence == word.sentence and other.start >= word.end
    )
    before = text.text[max(0, word.start - _NEAR) : word.start]
    return _BE.search(before) is not None or any(_BY.search(text.text, word.end, at) for at in behind)
