"""
Whether a sentence says more than its quotes: "all" for "some", "only" of what is not alone, a condition left out.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from evidence.language.figures import UNITS, figures
from evidence.language.numerals import WORDS
from evidence.language.rules import any_word, every
from evidence.language.synonyms import related
from evidence.verify.figure_check import alike, bound, figured
from evidence.verify.meaning_check import PARTIES
from evidence.verify.words import DENIED, Text, Word, excerpt

type Doubt = tuple[int, int, str]  # a place in the sentence, and what a quote says instead, if anything

_SHARE = 0.4  # of a sentence's terms that stand in what a quote says under a condition
_NEAR = 3  # words about an "only" that say what it is about
_REACH = 48  # characters behind an "only" in which it may restrict a figure
_FOR_EACH = re.compile(r"\s(?:for|per|je|pro)\s")
_COUNTED = re.compile(  # behind "every": not all of something, but how often
    rf"\s{{1,3}}(?:other |second |calendar |working |business |full )?(?:\d|{WORDS}|{any_word([*UNITS])}|time|night)",
    re.IGNORECASE,
)
_OR = re.compile(
    rf"\W{{0,4}}(?:\b(?:{every('or', spaced=True)})\b|{every('or', spaced=False)})", re.IGNORECASE
)
_OTHER_THAN = re.compile(r"\s{1,3}(?:\w{1,20}\s{1,3}){0,2}other than\b", re.IGNORECASE)


def overstatements(sentence: Text, quotes: Sequence[Text], question: Text) -> Iterator[Doubt]:
    """What the quotes say of fewer things, or under a condition."""
    yield from _all(sentence, quotes)
    yield from _only(sentence, quotes, question)
    yield from _regardless(sentence, quotes)
    yield from _denied_conditions(sentence, quotes)
    yield from _conditions(sentence, quotes, question)
    yield from _reasons(sentence, quotes, question)


def _reasons(sentence: Text, quotes: Sequence[Text], question: Text) -> Iterator[Doubt]:
    """A reason of which no word stands in a quote, nor another word for it."""
    known = question.terms.union(*(quote.terms for quote in quotes))
    for _, end in sentence.places("because"):
        behind = [word for word in sentence.words if word.start >= end]
        words = [word for word in behind if word.clause == behind[0].clause]
        if words and not known & {word.term for word in words}:
            reason = sentence.text[words[0].start : words[-1].end]
            if not related(reason).keys() & known:
                yield words[0].start, words[-1].end, ""


def _universals(text: Text) -> Iterator[tuple[int, int]]:
    """Where a text says "all", but for the times that something happens."""
    figured = figures(text.text)
    for start, end in text.places("all"):
        before = [text.text[figure.end : start] for figure in figured if figure.end <= start]
        inside = any(figure.start <= start < figure.end for figure in figured)
        if (
            not inside
            and not _COUNTED.match(text.text, end)
            and not (before and _FOR_EACH.fullmatch(before[-1]))
        ):
            yield start, end


def _all(sentence: Text, quotes: Sequence[Text]) -> Iterator[Doubt]:
    narrow = sentence.has("denies") or sentence.conditional
    backed = any(
        [*_universals(quote)] or quote.has("each") or (narrow and quote.has("denies")) for quote in quotes
    )
    partly = [quote.around_place(*place) for quote in quotes for place in quote.places("partly")]
    only = not sentence.conditional and any(quote.has("only") for quote in quotes)
    for start, end in _universals(sentence):
        denied = any(
            a < start and not sentence.breaks_between(b, start) for a, b in sentence.places("denies")
        )
        noun = next((word.term for word in sentence.words if word.start >= end), "")
        if any(noun in _behind(quote, place) for quote in quotes for _, place in _universals(quote)):
            continue
        narrowed = _narrowed(sentence, noun, quotes)
        strange = not backed and not any(noun in quote.terms for quote in quotes)
        if (
            not denied
            and not _OTHER_THAN.match(sentence.text, end)
            and (strange or partly or narrowed or only)
        ):
            yield start, end, narrowed or (partly[0] if partly else "")


def _behind(text: Text, at: int) -> set[str]:
    """The terms of the next words."""
    return {word.term for word in [word for word in text.words if word.start >= at][:_NEAR]}


def _narrowed(sentence: Text, noun: str, quotes: Sequence[Text]) -> str:
    """What narrows down in a quote that which the sentence says of all."""
    mine = sentence.terms
    for quote in quotes:
        for at, word in enumerate(quote.words):
            behind = quote.words[at + 1 : at + _NEAR]
            narrows = word.term == noun and behind and quote.opens("narrows", word.end + 1)
            if narrows and not mine & {item.term for item in behind}:
                return quote.around(behind[0])
    return ""


def _only(sentence: Text, quotes: Sequence[Text], question: Text) -> Iterator[Doubt]:
    restricted = any(quote.conditional or quote.has("denies") for quote in quotes) or question.has("only")
    for start, end in sentence.places("only"):
        if not restricted and not _is_bounded(sentence, end, quotes):
            yield start, end, ""
        about = {word.term for word in [w for w in sentence.words if w.start >= end][: _NEAR + 1]}
        for quote in quotes:
            for one, other in pairwise(quote.words):
                between = quote.text[one.end : other.start].lower()
                if (
                    one.term in about
                    and other.term not in sentence.terms
                    and between.strip() in ("or", ",", "or the")
                ):
                    yield start, end, excerpt(quote.text, one.start, other.end)


def _is_bounded(sentence: Text, at: int, quotes: Sequence[Text]) -> bool:
    """Whether an "only" stands before a figure that a quote bounds likewise: "only above 9", of "all above 9"."""
    mine, theirs = figured(sentence.text), [figured(quote.text) for quote in quotes]
    behind = [figure for figure in mine.figures if 0 <= figure.start - at <= _REACH][:1]
    return any(
        bound(mine, figure) == bound(quote, other) != 0
        for figure in behind
        for quote, other in alike(figure, theirs)
    )


def _denied_conditions(sentence: Text, quotes: Sequence[Text]) -> Iterator[Doubt]:
    """ "Without a ticket", where the quote says "only with a ticket"."""
    if sentence.conditional:
        return
    for quote in quotes:
        places = [(rule, *place) for rule in ("provided", "only") for place in quote.places(rule)]
        for rule, start, end in places:
            if quote.opens("unless", start):
                continue  # "unless there is notice" is "without notice"
            behind = {word.term for word in _conditional(quote, start, end, rule) if word.start >= end}
            for word in sentence.words:
                denied = {other.term for other in quote.words if other.denied} - behind
                if (
                    word.denied == DENIED
                    and word.term in behind
                    and sentence.terms & quote.terms - behind - denied
                ):
                    yield word.start, word.end, excerpt(quote.text, start, end)


def _regardless(sentence: Text, quotes: Sequence[Text]) -> Iterator[Doubt]:
    conditions = [quote.around_place(*place) for quote in quotes for place in quote.conditions]
    if conditions and not any(quote.has("regardless") for quote in quotes):
        for start, end in sentence.places("regardless"):
            yield start, end, conditions[0]


# --- conditions left out -----------------------------------------------------------------------------------


def _conditions(sentence: Text, quotes: Sequence[Text], question: Text) -> Iterator[Doubt]:
    general = [*_universals(sentence)]
    if sentence.conditional or sentence.has("partly") or (sentence.denies and not general):
        return
    if sentence.has("otherwise", 0, _REACH):
        return
    mentioned = sentence.terms | (frozenset[str]() if general else question.terms)
    for quote in quotes:
        for rule in ("provided", "only"):
            for start, end in quote.places(rule):
                words = _conditional(quote, start, end, rule)
                alternative = _OR.match(quote.text, max((at for at in quote.breaks if at < start), default=0))
                if words and not alternative and _is_left_out(sentence, mentioned, quote, words):
                    first = sentence.words[0]
                    yield (
                        first.start,
                        sentence.words[-1].end,
                        excerpt(quote.text, start, max(word.end for word in words)),
                    )


def _conditional(quote: Text, start: int, end: int, rule: str) -> list[Word]:
    """The words of a condition, or those about an "only"."""
    behind = [word for word in quote.words if word.start >= end]
    before = [word for word in quote.words if word.end <= start]
    if rule == "only":
        clause = (before[-1:] or behind[:1])[0].clause if quote.words else 0
        words = [word for word in (*before[-2:], *behind[:_NEAR]) if word.clause == clause]
    else:
        words = [word for word in behind if word.clause == behind[0].clause]
    idle = words and quote.has("boilerplate", start, words[-1].end + 20)
    return [] if idle else words


def _is_left_out(sentence: Text, mentioned: frozenset[str], quote: Text, words: Sequence[Word]) -> bool:
    """Whether a sentence says what a quote says under a condition, and nothing of the condition."""
    inside = {word.start for word in words}
    beside = (word for word in quote.words if word.sentence == words[0].sentence and word.start not in inside)
    main = {word.term for word in beside}
    own = {word.term for word in words} - main - PARTIES
    shared = main & sentence.terms
    return len(shared) >= max(2, _SHARE * len(sentence.terms)) and bool(own) and not own & mentioned
