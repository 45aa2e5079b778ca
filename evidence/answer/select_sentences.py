"""The answer without a model: the sentences that hold most of what is asked, in reading order."""

import re
from collections.abc import Mapping, Sequence

from evidence.answer.answer_type import unnumbered
from evidence.answer.sentence_scoring import (
    Piece,
    by_document,
    coverage,
    merged,
    names,
    pieces,
    scores,
    terms_by_place,
    weights,
)
from evidence.answer.structure import completed
from evidence.language.rules import every
from evidence.llm.fence import suspicious
from evidence.model import Intent, Passage, Quote

# how many sentences at most, and from which share of the best score on
_SENTENCES: dict[Intent, tuple[int, float]] = {
    "lookup": (5, 0.68),
    "yes_no": (5, 0.68),
    "define": (4, 0.75),
    "summarise": (8, 0.6),
    "compare": (4, 0.75),
    "list_all": (40, 0.45),
}
_BEFORE = 200  # characters before a verb that says what a term means
_ALIKE = 0.9  # shared terms from which two sentences say the same
_DIGITS = re.compile(r"\d+")
_MARKS = "\"'“”‘’」』》"
_ASIDE = re.compile(r"\([^()]{0,60}\)$")
_MEANS = re.compile(every("defines"), re.IGNORECASE)
_QUOTED = re.compile(r"[\"“「『《]([^\"“「『《”」』》]{1,60})[\"”」』》]")
_BOUNDS = re.compile(rf"{every('asks_meaning')}|[|?？!,，。.:：]", re.IGNORECASE)


def choose(question: str, passages: Sequence[Passage], intent: Intent) -> tuple[Quote, ...]:
    """The quotes that answer, best document first, in reading order inside it; none for no passages."""
    among = pieces(passages, question)
    if not among:
        return ()
    worth = scores(weights(question, among), among)
    if intent == "define":
        terms = _terms_to_define(question)
        worth = [score + _defines(terms, piece) for score, piece in zip(worth, among, strict=True)]
    return merged(completed(merged(in_order(_best(among, worth, *_SENTENCES[intent])))))


def items(question: str, passages: Sequence[Passage]) -> tuple[tuple[Quote, ...], ...]:
    """Every sentence that a list asks for; an item that several documents hold is one, with a quote of each."""
    among = pieces(passages, question)
    if not among:
        return ()
    term_weights = _list_terms(question, among)
    own = [coverage(term_weights, piece.own) for piece in among]  # an item says itself what it is about
    worth = [
        score if share else 0.0 for score, share in zip(scores(term_weights, among, 0.1), own, strict=True)
    ]
    chosen = _best(among, worth, *_SENTENCES["list_all"])
    copies: dict[Quote, list[Quote]] = {piece.quote: [piece.quote] for piece in chosen}
    for piece, score in zip(among, worth, strict=True):
        first = next((other for other in chosen if alike(other, piece)), None) if score else None
        seen = {quote.segment.document for quote in copies[first.quote]} if first else set()
        if first and piece.passage.segment.document not in seen:
            copies[first.quote].append(piece.quote)
    return tuple(tuple(copies[quote]) for quote in in_order(chosen))


def _list_terms(question: str, among: Sequence[Piece]) -> Mapping[str, float]:
    """The weighted terms of the items of a list; where one document is meant, without the words of its name."""
    term_weights = weights(question, among)
    if len({piece.passage.segment.document for piece in among}) > 1:
        return term_weights
    named = names(piece.passage for piece in among)
    return {term: weight for term, weight in term_weights.items() if term not in named} or term_weights


def _best(among: Sequence[Piece], worth: Sequence[float], most: int, share: float) -> list[Piece]:
    """The best pieces; of those that say the same the one whose passage stands first."""
    order = sorted(range(len(among)), key=lambda index: -worth[index])
    floor = share * worth[order[0]]
    chosen: list[Piece] = []
    for index in order:
        if len(chosen) == most or worth[index] < floor:
            break
        if suspicious(among[index].text):
            continue
        twin = next((at for at, other in enumerate(chosen) if alike(among[index], other)), None)
        if twin is None:
            chosen.append(among[index])
        elif among[index].place < chosen[twin].place:
            chosen[twin] = among[index]
    return chosen


def alike(first: Piece, second: Piece) -> bool:
    """Whether two sentences share nearly all of their terms and hold the same figures."""
    shared = len(first.own & second.own)
    if shared < _ALIKE * max(len(first.own), len(second.own), 1):
        return False
    return _DIGITS.findall(unnumbered(first.text)) == _DIGITS.findall(unnumbered(second.text))


def _defines(terms: tuple[str, ...], piece: Piece) -> float:
    """1 when the sentence says what one of the terms means."""
    for verb in _MEANS.finditer(piece.text):
        before = piece.text[max(0, verb.start() - _BEFORE) : verb.start()].rstrip().casefold()
        bare = _ASIDE.sub("", before).rstrip()
        if before.rstrip(_MARKS).endswith(terms) or bare.rstrip(_MARKS).endswith(terms):
            return 1.0
    return 0.0


def _terms_to_define(question: str) -> tuple[str, ...]:
    """The terms that a question may want defined, in lower case: quoted words, else its runs between marks."""
    parts = _QUOTED.findall(question) or _BOUNDS.split(question)
    return tuple(part.strip().casefold() for part in parts if part.strip())


def in_order(chosen: Sequence[Piece]) -> tuple[Quote, ...]:
    """Quotes in reading order inside a document, documents by their best place."""
    return tuple(by_document(piece.quote for piece in sorted(chosen, key=lambda piece: piece.place)))


def best_of(question: str, passages: Sequence[Passage], floor: float, most: int) -> tuple[Quote, ...]:
    """At most `most` sentences that hold at least `floor` of what is asked: for one cell of a comparison."""
    among = pieces(passages, question)
    if not among:
        return ()
    term_weights = weights(question, among)
    if max(coverage(term_weights, words) for words in terms_by_place(among).values()) < floor:
        return ()
    return merged(in_order(_best(among, scores(term_weights, among), most, 0.7)))
