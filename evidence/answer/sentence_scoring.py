"""The score of a sentence for a question: the share of the question's words that it holds, rare words first.

Weights are idf over the sentences of the pool itself (Spärck Jones 1972, the form of Robertson and Walker
1999), because that is all that is known here. A word that stands nowhere in the pool keeps the largest weight:
that it is missing says most about whether the pool answers.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

from evidence.answer.answer_type import quantity
from evidence.answer.structure import is_head_row
from evidence.index.bm25 import idf
from evidence.language.function_words import content_terms, significant_terms
from evidence.language.sentences import analysed
from evidence.language.synonyms import concepts
from evidence.language.terms import terms, terms_of_texts
from evidence.model import Passage, Quote, Segment, Span

_OWN = 0.3  # of the best piece's words, below which a piece is no answer
_UNDER = 0.5  # what a word is worth that only the heading holds
_PLACES, _FALL = 0.25, 1.5  # how fast a passage's worth falls with its rank, and with its score


@dataclass(frozen=True, slots=True)
class Piece:
    """A sentence, or a clause of a very long one; `place` is its passage's place in the pool, from 0.

    `own` are its terms, with the words of a question that ask for such a figure as it holds and those that it says in
    others, where its passage has none of them; `terms` are those and its heading's.
    """

    passage: Passage
    span: Span
    place: int
    own: frozenset[str]
    terms: frozenset[str]
    head: str = ""

    @property
    def segment(self) -> Segment:
        return self.passage.segment

    @property
    def quote(self) -> Quote:
        return Quote(self.passage.segment, self.span)

    @property
    def text(self) -> str:
        return self.passage.segment.text[self.span.start : self.span.end]


def pieces(passages: Sequence[Passage], question: str = "", *, verbatim: bool = False) -> tuple[Piece, ...]:
    """Every sentence of the passages but headings; a stored question counts as words of its answer.

    With `verbatim` what says the question's words in others holds none of them.
    """
    figure, question_concepts = quantity(question), () if verbatim else concepts(question)
    heads = _headings_before(passages)
    result = []
    for place, passage in enumerate(passages):
        stored = frozenset(terms(passage.segment.question)) if passage.segment.question else frozenset[str]()
        sentences = analysed(passage.segment.text)
        stated_terms = frozenset[str]().union(*(sentence.terms for sentence in sentences))
        absent = [concept for concept in question_concepts if not concept.own <= stated_terms]
        head = heads.get(place, "")
        head_terms = significant_terms(head) if head else frozenset[str]()
        for sentence in sentences:
            if not sentence.terms:
                continue
            text = passage.segment.text[sentence.span.start : sentence.span.end]
            if sentence.is_heading or is_head_row(passage.segment.text, sentence.span):
                head, head_terms = text, significant_terms(text)
                continue
            own = sentence.terms | stored | (figure.terms if figure.stated_in(text) else frozenset[str]())
            own = own.union(*(c.own for c in absent if any(other <= own for other in c.others)))
            result.append(Piece(passage, sentence.span, place, own, own | head_terms, head))
    return tuple(result)


def _headings_before(passages: Sequence[Passage]) -> Mapping[int, str]:
    """The heading under which each passage begins, by its place, where the passage before it is at hand."""
    order = sorted(range(len(passages)), key=lambda at: _place(passages[at].segment))
    heads: dict[int, str] = {}
    for before, after in pairwise(order):
        first, second = passages[before].segment, passages[after].segment
        if first.document == second.document and 0 <= second.position - first.position <= 1:
            heads[after] = next(reversed(list(_headings(first.text))), heads.get(before, ""))
    return heads


def _headings(text: str) -> Iterator[str]:
    for sentence in analysed(text):
        if sentence.is_heading:
            yield text[sentence.span.start : sentence.span.end]


def names(passages: Iterable[Passage]) -> frozenset[str]:
    """The terms of the names of the documents that the passages come from."""
    documents = {passage.segment.document.name for passage in passages}
    return frozenset(chain.from_iterable(terms_of_texts(documents)))


def question_terms(question: str, among: Sequence[Piece]) -> tuple[str, ...]:
    """The question's content terms, without those that only the names of the documents hold.

    Such words say which document is meant, not what is asked about it. Empty when nothing else is asked.
    """
    named = names(piece.passage for piece in among)
    stands = {term for piece in among for term in piece.terms}
    return tuple(
        term for term in dict.fromkeys(content_terms(question)) if term in stands or term not in named
    )


def weights(question: str, among: Sequence[Piece]) -> Mapping[str, float]:
    """The question's content terms and what each is worth."""
    frequency = Counter(term for piece in among for term in piece.terms)
    number = len(among)
    return {term: idf(frequency[term], number) for term in question_terms(question, among)}


def terms_by_place(among: Sequence[Piece]) -> Mapping[int, set[str]]:
    """The terms of each passage by its place."""
    by_place: dict[int, set[str]] = {}
    for piece in among:
        by_place.setdefault(piece.place, set()).update(piece.terms)
    return by_place


def coverage(term_weights: Mapping[str, float], words: Iterable[str]) -> float:
    """The weighted share of the wanted terms that are held, 0..1; 0 when nothing is wanted."""
    total = sum(term_weights.values())
    have = set(words)
    return sum(weight for term, weight in term_weights.items() if term in have) / total if total else 0.0


def overlap(question: str, text: str) -> float:
    """The unweighted share of a question's content terms that a text holds, 0..1."""
    question_terms = set(content_terms(question))
    return len(question_terms & set(terms(text))) / len(question_terms) if question_terms else 0.0


def prior(place: int) -> float:
    """The worth of a passage by its place in the ranking: 1 for the first, falling; scores have no known scale."""
    return 1 / (1 + _PLACES * place)


def _by_meaning(passage: Passage) -> bool:
    """Whether the server's vectors, more than its words, are why a passage was found."""
    parts = dict(passage.parts)
    return parts.get("server", 0.0) > parts.get("text", 0.0)


def _rank_scores(among: Sequence[Piece]) -> Mapping[int, float]:
    """The worth of each passage, 0..1: by its place, or where meaning decided, by its share of the best score."""
    scored = {piece.place: piece.passage for piece in among}
    best = max((passage.score for passage in scored.values()), default=0.0)
    return {
        place: (passage.score / best) ** _FALL if best > 0 and _by_meaning(passage) else prior(place)
        for place, passage in scored.items()
    }


def scores(term_weights: Mapping[str, float], among: Sequence[Piece], place: float = 0.5) -> list[float]:
    """The worth of each piece, 0..1: `place` for its passage's place, the rest for its and its neighbours' words.

    A piece that holds far less of the words than the best one is worth nothing, wherever it stands, unless its passage
    was found by meaning.
    """
    stands = {term for piece in among for term in piece.terms}
    known = {term: weight for term, weight in term_weights.items() if term in stands}
    own = [
        _UNDER * coverage(known, piece.terms) + (1 - _UNDER) * coverage(known, piece.own) for piece in among
    ]
    floor = _OWN * max(own, default=0.0)
    ranked, beside = _rank_scores(among), _neighbours(among)
    return [
        place * ranked[piece.place]
        + (0.9 - place) * own[index]
        + 0.1 * max((own[other] for other in beside[index]), default=0.0)
        if own[index] >= floor or _by_meaning(piece.passage)
        else 0.0
        for index, piece in enumerate(among)
    ]


def _neighbours(among: Sequence[Piece]) -> list[list[int]]:
    """For each piece the pieces before and after it in its document, in the same or the next segment."""
    order = sorted(range(len(among)), key=lambda index: reading_order(among[index]))
    beside: list[list[int]] = [[] for _ in among]
    for before, after in pairwise(order):
        first, second = among[before].passage.segment, among[after].passage.segment
        if first.document == second.document and second.position - first.position <= 1:
            beside[before].append(after)
            beside[after].append(before)
    return beside


def reading_order(quote: Quote | Piece) -> tuple[str, str, int, str, int]:
    return _place(quote.segment, quote.span.start)


def _place(segment: Segment, start: int = 0) -> tuple[str, str, int, str, int]:
    document = segment.document
    return document.dataset_id, document.document_id, segment.position, segment.segment_id, start


def by_document(quotes: Iterable[Quote]) -> list[Quote]:
    """Quotes in reading order inside a document, documents as they come first."""
    quotes = list(quotes)
    places = {quote.segment.document: at for at, quote in reversed(list(enumerate(quotes)))}
    return sorted(quotes, key=lambda quote: (places[quote.segment.document], reading_order(quote)))


def within(quote: Quote, other: Quote) -> bool:
    """Whether a quote is a part of another one."""
    first, second = quote.span, other.span
    return quote.segment == other.segment and second.start <= first.start and first.end <= second.end


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
