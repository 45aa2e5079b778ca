"""The answer without a model: the sentences that hold most of what is asked, in reading order."""

import re
from collections import Counter
from collections.abc import Sequence

from evidence.answers.weighing import (
    Piece,
    coverage,
    held,
    pieces,
    prior,
    reading_order,
    scores,
    weights,
)
from evidence.model import Intent, Passage, Quote, Span
from evidence.text.fence import suspicious
from evidence.text.stopwords import SCAFFOLD

# how many sentences at most, and from which share of the best score on
_SENTENCES: dict[Intent, tuple[int, float]] = {
    "lookup": (6, 0.65),
    "yes_no": (6, 0.65),
    "define": (4, 0.75),
    "summarise": (8, 0.6),
    "compare": (4, 0.75),
    "list_all": (24, 0.5),
}
_SUMMARY = (8, 0.3)
_THEMES = 30  # words that a summary of a whole document is chosen by
_ALIKE = 0.9  # shared terms from which two sentences say the same
_DEFINES = r"[\"'“”‘’「『《]?{term}[\"'“”‘’」』》]?\s*(?:\([^)]{{0,60}}\)\s*)?"
_VERBS = r"(?:shall mean|means?\b|is defined as|refers? to|has the meaning|是指|指的是|系指|指|とは|をいう|意味する)"


def choose(question: str, passages: Sequence[Passage], intent: Intent) -> tuple[Quote, ...]:
    """The quotes that answer, best document first, in reading order inside it; none for no passages."""
    among = pieces(passages)
    if not among:
        return ()
    worth = scores(weights(question, among), among)
    if intent == "define":
        worth = [score + _defining(question, piece) for score, piece in zip(worth, among, strict=True)]
    chosen = in_order(_best(among, worth, *_SENTENCES[intent]))
    return chosen if intent == "list_all" else merged(chosen)


def central(passages: Sequence[Passage]) -> tuple[Quote, ...]:
    """The sentences that hold most of the words that return in passage after passage: what it is all about."""
    among = pieces(passages)
    if not among:
        return ()
    spread = Counter(term for words in held(among).values() for term in words - SCAFFOLD)
    themes = dict(spread.most_common(_THEMES))
    worth = [0.3 * prior(piece.place) + 0.7 * coverage(themes, piece.terms) for piece in among]
    return merged(in_order(_best(among, worth, *_SUMMARY)))


def _best(among: Sequence[Piece], worth: Sequence[float], most: int, share: float) -> list[Piece]:
    order = sorted(range(len(among)), key=lambda index: -worth[index])
    floor = share * worth[order[0]]
    chosen: list[Piece] = []
    for index in order:
        if len(chosen) == most or worth[index] < floor:
            break
        if suspicious(among[index].text) or any(alike(among[index], other) for other in chosen):
            continue
        chosen.append(among[index])
    return chosen


def alike(first: Piece, second: Piece) -> bool:
    """Whether two sentences share nearly all of their terms, or are the same words in two documents' copies."""
    shared = len(first.terms & second.terms)
    return shared >= _ALIKE * max(len(first.terms), len(second.terms), 1)


def _defining(question: str, piece: Piece) -> float:
    """1 when the sentence says what a term of the question means, and the term is one of its first words."""
    for term in _defined(question):
        pattern = _DEFINES.format(term=re.escape(term)) + _VERBS
        if re.search(pattern, piece.text, re.IGNORECASE):
            return 1.0
    return 0.0


def _defined(question: str) -> list[str]:
    """What a question may want defined: quoted words first, else its longest runs of content words."""
    quoted = re.findall(r"[\"“「『《]([^\"”」』》]{1,60})[\"”」』》]", question)
    if quoted:
        return quoted
    spoken = re.sub(
        r"(?i)\b(?:what|how|does|do|is|are|the|an?|mean|means|meaning|of|term|defined?|definition)\b",
        "|",
        question,
    )
    parts = re.split(
        r"[|?？!,，。.:：]|什么是|是什么意思|是什么|指什么|的定义|とは何|とは|の意味|の定義", spoken
    )
    return [part.strip() for part in parts if part.strip()]


def in_order(chosen: Sequence[Piece]) -> tuple[Quote, ...]:
    """Quotes in reading order inside a document, documents by their best place."""
    places: dict[str, int] = {}
    for piece in chosen:
        document = piece.passage.segment.document.document_id
        places[document] = min(places.get(document, piece.place), piece.place)
    return tuple(
        sorted(
            (piece.quote for piece in chosen),
            key=lambda quote: (places[quote.segment.document.document_id], reading_order(quote)),
        )
    )


def merged(quotes: Sequence[Quote]) -> tuple[Quote, ...]:
    """Quotes of one segment with nothing but white space between them become one."""
    joined: list[Quote] = []
    for quote in quotes:
        last = joined[-1] if joined else None
        if last and last.segment == quote.segment and _touch(last, quote):
            end = max(last.span.end, quote.span.end)
            joined[-1] = Quote(last.segment, Span(last.span.start, end))
        else:
            joined.append(quote)
    return tuple(joined)


def _touch(first: Quote, second: Quote) -> bool:
    between = first.segment.text[first.span.end : second.span.start]
    return second.span.start >= first.span.start and not between.strip()


def best_of(question: str, passages: Sequence[Passage], floor: float, most: int) -> tuple[Quote, ...]:
    """At most `most` sentences that hold at least `floor` of what is asked: for one cell of a comparison."""
    among = pieces(passages)
    if not among:
        return ()
    wanted = weights(question, among)
    if max(coverage(wanted, words) for words in held(among).values()) < floor:
        return ()
    return merged(in_order(_best(among, scores(wanted, among), most, 0.7)))
