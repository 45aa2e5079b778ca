"""
Whether a sentence turns round what its quotes say: an opposite, a "not", a "may" for a "must".

A word is compared with the same word, one that may stand for it, or its opposite in the quotes. It is a conflict only
where no quote says it the sentence's way, and the two sentences speak of the same: they share other words too.
"""

from collections.abc import Iterator, Sequence

from evidence.language.figures import figures
from evidence.language.named_parties import PARTY_WORDS
from evidence.language.terms import terms_of
from evidence.verify.words import DENIED, OPEN, Text, Word

type Doubt = tuple[int, int, str]  # a place in the sentence, and what a quote says instead, if anything

_LEAST = 2  # other words that two sentences share which speak of the same
PARTIES = frozenset(term for word in PARTY_WORDS for term in terms_of(word))


def opposites(sentence: Text, quotes: Sequence[Text]) -> Iterator[Doubt]:
    """Words whose opposite the quotes have."""
    for word in sentence.words:
        for pair, side in word.sides:
            matched = [
                (quote, other, other_side * _sign(other))
                for quote in quotes
                for other in quote.words
                for other_pair, other_side in other.sides
                if other_pair == pair
            ]
            mine = side * _sign(word)
            if not mine or {sign for _, _, sign in matched} != {-mine}:
                continue
            denied = word.denied or any(other.denied for _, other, _ in matched)
            if not (denied and (sentence.conditional or any(quote.conditional for quote, _, _ in matched))):
                yield word.start, word.end, matched[0][0].around(matched[0][1])


def _sign(word: Word) -> int:
    return 1 if word.denied == OPEN else -1 if word.denied == DENIED else 0


def denials(sentence: Text, quotes: Sequence[Text]) -> Iterator[Doubt]:
    """Words that are denied on one side alone."""
    if sentence.conditional:
        return
    for word in sentence.words:
        if word.sides or word.is_figure or word.term in PARTIES or _sign(word) == 0:
            continue
        same = [(quote, other) for quote in quotes for other in quote.words if other.term == word.term]
        turned = same and all(_sign(other) == -_sign(word) and not quote.conditional for quote, other in same)
        if not turned or (word.denied == OPEN and any(_is_told(sentence, *place) for place in same)):
            continue
        others = {w.term for w in sentence.words if w.sentence == word.sentence and not w.sides} - {word.term}
        if any(len(_shared(sentence, word, *place)) >= min(_LEAST, len(others)) for place in same):
            yield word.start, word.end, same[0][0].around(same[0][1])


def _is_told(sentence: Text, quote: Text, denied: Word) -> bool:
    """Whether the sentence denies something of the clause itself: "the cup may be washed, the pump not"."""
    of_clause = {word.term for word in quote.words if word.clause == denied.clause}
    return any(word.denied and word.term in of_clause for word in sentence.words)


def _shared(sentence: Text, word: Word, quote: Text, other: Word) -> set[str]:
    """The other terms that the sentences of two words share."""
    theirs = {item.term for item in quote.words if item.sentence == other.sentence}
    return {item.term for item in sentence.words if item.sentence == word.sentence} & theirs - {word.term}


def modes(sentence: Text, quotes: Sequence[Text]) -> Iterator[Doubt]:
    """A duty for a leave, or a leave for a duty, of the same thing."""
    if sentence.has("only") or sentence.has("partly") or any(quote.has("only") for quote in quotes):
        return
    mine = list(_modal(sentence))
    theirs = [(quote, *modal) for quote in quotes for modal in _modal(quote)]
    for start, end, mode, about in mine:
        same = [(quote, at, other == mode) for quote, at, _, other, words in theirs if about & words]
        only_leave = {item[2] for item in mine} == {"duty"} and {item[3] for item in theirs} == {"leave"}
        if any(agrees for _, _, agrees in same) or not (same or only_leave):
            continue
        quote, at = (same or [(theirs[0][0], theirs[0][1], False)])[0][:2]
        own = {word.term for word in sentence.words if not word.sides}
        if len(own & quote.terms) >= min(_LEAST, len(own)):
            yield start, end, quote.around_place(at, at)


def _modal(text: Text) -> Iterator[tuple[int, int, str, frozenset[str]]]:
    """Where a text says "must" or "may", and the terms of what is due or allowed."""
    dated = {place for figure in figures(text.text) for place in range(figure.start, figure.end)}
    for mode in ("duty", "leave"):
        for start, end in text.places(mode):
            behind = [word for word in text.words if word.start >= end]
            before = [word for word in text.words if word.end <= start]
            backwards = text.language == "ja" or not behind or text.breaks_between(end, behind[0].start)
            near = before[-4:] if backwards else behind[: 20 if text.language == "de" else 2]
            if not near or start in dated:
                continue
            near = [word for word in near if word.clause == near[-1 if backwards else 0].clause]
            if any(word.denied for word in near) or text.breaks_between(
                end, near[-1 if backwards else 0].start
            ):
                continue
            yield (
                start,
                end,
                mode,
                frozenset(w.term for w in near if not w.is_figure and w.term not in PARTIES),
            )
