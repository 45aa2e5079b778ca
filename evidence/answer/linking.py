"""Which stored sentences bear on a sentence that anybody wrote.

Words, figures and names are weighed by how seldom they stand in the passages. The stored sentence that holds most of
them comes first, then those that hold what is left: the other half of a sentence that joins two facts, the definition
of a party that the clause calls by another name, the date in a document's head. One word that is left is looked for no
further than in the sentences beside: it may be what is wrong.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from evidence.answer.sentence_scoring import merged
from evidence.index.bm25 import idf
from evidence.language.detect import language_of, language_of_sentence
from evidence.language.figures import Figure, Known, agrees, figures, known
from evidence.language.function_words import significant_terms
from evidence.language.rules import every
from evidence.language.scripts import has_cjk
from evidence.language.sentences import analysed
from evidence.language.synonyms import concepts
from evidence.language.terms import term_spans
from evidence.llm.fence import suspicious_around
from evidence.model import Quote, Segment, Span

_BEARS = 0.25  # of a sentence's words: so many of its own passage share 98 %, of another document 8 %
_LEAST_WORDS = 2  # or one, where it has no other
_REST = 0.1  # of a sentence's weight, that one more stored sentence must hold of what is left
_MOST = 4  # stored sentences, and as many definitions and dates
_FIGURE = 1.5  # what a figure weighs beside a word that is as rare
_QUESTION = 0.3  # what a word of the question weighs beside one of the sentence
_LENGTH = 0.3  # how much a longer sentence loses, as in BM25
_PLACES = 2  # of a sentence that one more stored sentence must hold
_SMALL = 3  # a bare number that is smaller tells nothing across languages: one is an article, two are both
_PART = 4  # letters of a word in a compound
_LONGEST = 1_000  # characters of a sentence; what has no stops is cut into pieces of so many
_PARAGRAPH = 200  # characters of a paragraph that is quoted whole
_WIDE = 2  # letters that one Chinese or Japanese character is worth
_DATE_LINE = 60  # characters of a line that gives a date
_DEFINED = re.compile(r"[\"“”「『]([^\"“”」』]{1,60})[\"”“」』]")
_DATED = re.compile(every("dated_field"), re.IGNORECASE)


@dataclass(frozen=True)
class _Stored:
    """A stored sentence with its terms; one that is `beside` goes on the paragraph of the last.

    A heading says nothing, but it may define a party or date a document.
    """

    quote: Quote
    language: str
    terms: frozenset[str]
    heading: bool
    beside: bool

    @cached_property
    def figures(self) -> Known:
        return known([self.quote.text])

    @cached_property
    def dates(self) -> bool:
        """Whether it does no more than give the date of a document."""
        text = self.quote.text
        stated = any(kind == "date" for kind, _ in self.figures.readings)
        return stated and len(text) <= _DATE_LINE and _DATED.search(text) is not None

    @cached_property
    def defined(self) -> tuple[frozenset[str], ...]:
        """The terms of each word in quote marks."""
        return tuple(filter(None, map(significant_terms, _DEFINED.findall(self.quote.text))))


@dataclass(frozen=True)
class Passages:
    """The stored sentences of some segments, and in which of them each term of a language stands."""

    stored: tuple[_Stored, ...]
    where: Mapping[tuple[str, str], Sequence[int]]

    @cached_property
    def languages(self) -> tuple[str, ...]:
        return tuple(sorted({entry.language for entry in self.stored}))

    def holders(self, term: str, language: str) -> Iterable[int]:
        """Where a term stands; where it does not, the words that it begins or ends with, as a compound does."""
        if (language, term) in self.where or has_cjk(term):
            return self.where.get((language, term), ())
        cuts = range(_PART, len(term) - 1)
        parts = (part for cut in cuts for part in (term[:cut], term[-cut:]))
        return (at for part in parts for at in self.where.get((language, part), ()))

    @cached_property
    def counting(self) -> Sequence[int]:
        """Those that hold a figure."""
        return [at for at, entry in enumerate(self.stored) if entry.figures.numbers or entry.figures.readings]

    @cached_property
    def length(self) -> float:
        """Terms of a stored sentence in the mean."""
        return sum(len(entry.terms) for entry in self.stored) / max(1, len(self.stored))


@dataclass(frozen=True, slots=True)
class _Detail:
    """A word or a figure of a sentence: where it stands, what it weighs, and the stored sentences that hold it."""

    text: str
    start: int
    end: int
    weight: float
    holders: frozenset[int]
    figure: Figure | None = None

    @property
    def telling(self) -> bool:
        """Whether it means the same in any language: a figure, or a word in Latin letters, as names are."""
        if self.figure is not None:
            return _tells(self.figure)
        return len(self.text) > 2 and self.text.isalpha() and not has_cjk(self.text)


def passages_of(segments: Sequence[Segment]) -> Passages:
    """The passages, ready to be asked about any sentence."""
    stored = tuple(entry for segment in segments for entry in _sentences_of(segment))
    where = defaultdict[tuple[str, str], list[int]](list)
    for at, entry in enumerate(stored):
        for term in entry.terms:
            where[entry.language, term].append(at)
    return Passages(stored, where)


def _sentences_of(segment: Segment) -> Iterator[_Stored]:
    text, language = segment.text, language_of(segment.text)
    end = -1
    for sentence in analysed(text):
        for start in range(sentence.span.start, sentence.span.end, _LONGEST):
            span = Span(start, min(start + _LONGEST, sentence.span.end))
            own = significant_terms(text[span.start : span.end], language)
            if own:
                beside = end >= 0 and "\n" not in text[end : span.start]
                yield _Stored(Quote(segment, span), language, own, sentence.is_heading, beside)
                end = span.end


def linked(sentence: str, question: str, passages: Passages) -> tuple[Quote, ...]:
    """The stored sentences that bear on a sentence, in reading order; none where nothing does.

    The question helps to choose among them; what it shares with a passage makes no sentence bear on it.
    """
    return _Link(sentence, question, passages).quotes()


def telling_figures(sentence: str) -> tuple[str, ...]:
    """The figures of a sentence, as written, that mean the same in any language."""
    return tuple(sentence[figure.start : figure.end] for figure in figures(sentence) if _tells(figure))


def _tells(figure: Figure) -> bool:
    return figure.kind != "number" or any(
        isinstance(number, str) or number >= _SMALL for number in figure.numbers
    )


class _Link:
    """One sentence among the passages."""

    def __init__(self, sentence: str, question: str, passages: Passages) -> None:
        self._sentence, self._passages = sentence, passages
        self._language = language_of_sentence(sentence)
        self._words = tuple(_words(sentence, passages))
        self._details = (*self._words, *_figures(sentence, passages))
        self._question = tuple(
            replace(detail, weight=_QUESTION * detail.weight) for detail in _words(question, passages)
        )
        self._total = sum(detail.weight for detail in self._details)
        self._chosen: list[int] = []

    def quotes(self) -> tuple[Quote, ...]:
        if self._choose((*self._details, *self._question), lambda at, _: self._bears(at)):
            while len(self._chosen) < _MOST and self._choose(self._left(), self._explains):
                pass
            self._chosen += self._definitions()[:_MOST]
        whole = {part for at in self._chosen for part in self._paragraph(at)}
        return merged([self._passages.stored[at].quote for at in sorted(whole)])

    def _paragraph(self, at: int) -> range:
        """The places of the sentences of its paragraph, where that is short; else of itself."""
        stored = self._passages.stored
        start, end = at, at + 1
        while stored[start].beside:
            start -= 1
        while end < len(stored) and stored[end].beside:
            end += 1
        length = stored[end - 1].quote.span.end - stored[start].quote.span.start
        long = length * (_WIDE if has_cjk(stored[at].quote.text) else 1) > _PARAGRAPH
        whole = range(start, end)
        return range(at, at + 1) if long or not all(map(self._is_innocent, whole)) else whole

    def _choose(self, details: Iterable[_Detail], fits: Callable[[int, float], bool]) -> bool:
        """Whether the stored sentence that is worth most of those that fit was added."""
        worth = defaultdict[int, float](float)
        for detail in details:
            for at in detail.holders:
                worth[at] += detail.weight
        length = self._passages.length
        for at in worth:
            worth[at] /= 1 - _LENGTH + _LENGTH * len(self._passages.stored[at].terms) / length
        for at in sorted(worth, key=lambda at: (-worth[at], at)):
            heading = self._passages.stored[at].heading
            if not heading and fits(at, worth[at]) and self._is_innocent(at):
                self._chosen.append(at)
                return True
        return False

    def _is_innocent(self, at: int) -> bool:
        """Whether it is no order to a model."""
        quote = self._passages.stored[at].quote
        return not suspicious_around(quote.segment.text, quote.span)

    def _left(self) -> list[_Detail]:
        """What no chosen sentence holds."""
        return [detail for detail in self._details if not detail.holders.intersection(self._chosen)]

    def _bears(self, at: int) -> bool:
        """Whether it holds a quarter of the words, two at least, or one and a figure.

        One of another language holds a figure or a name.
        """
        words = sum(at in detail.holders for detail in self._words)
        if words >= max(_BEARS * len(self._words), min(_LEAST_WORDS, len(self._words)), 1):
            return True
        telling = [detail for detail in self._details if at in detail.holders and detail.telling]
        if self._passages.stored[at].language != self._language:
            return bool(telling)
        return words > 0 and any(detail.figure and detail.figure.kind != "number" for detail in telling)

    def _explains(self, at: int, worth: float) -> bool:
        """Whether it holds enough of what is left, and not only one thing that may be wrong."""
        if at in self._chosen or worth < _REST * self._total:
            return False
        return self._adds([detail for detail in self._left() if at in detail.holders])

    def _adds(self, details: Sequence[_Detail]) -> bool:
        """Whether they are more than one thing, or a figure in whose place the chosen sentences have no other one."""
        return self._places(details) >= _PLACES or self._fills(details)

    def _places(self, details: Sequence[_Detail]) -> int:
        """How many places of the sentence they are; words that follow each other are one."""
        places, last = 0, -1
        for start, end in sorted((detail.start, detail.end) for detail in details):
            if last < 0 or any(map(str.isalnum, self._sentence[last:start])):
                places += 1
            last = max(last, end)
        return places

    def _fills(self, own: Sequence[_Detail]) -> bool:
        """Whether it holds a figure in whose place the chosen sentences have no other one of its kind."""
        kinds = {detail.figure.kind for detail in own if detail.figure}
        stated = known([self._sentence])
        others = {
            figure.kind
            for at in self._chosen
            for figure in figures(self._passages.stored[at].quote.text)
            if not agrees(figure, stated)
        }
        return bool(kinds - others)

    def _definitions(self) -> list[int]:
        """Sentences that say who is meant by a name that is left, or when."""
        left, stored = self._left(), self._passages.stored
        chosen = [stored[at].terms for at in self._chosen]
        explaining = []
        for at in sorted({at for detail in left for at in detail.holders}):
            own = {detail.text for detail in left if at in detail.holders}
            if stored[at].dates or any(
                own - defined and any(defined <= terms for terms in chosen) for defined in stored[at].defined
            ):
                explaining.append(at)
        return list(filter(self._is_innocent, explaining))


def _words(text: str, passages: Passages) -> Iterator[_Detail]:
    """The words of a text that say something, figures apart, read as of each language that a passage is in.

    Other words for the same hold them too.
    """
    spans = dict[tuple[int, int], tuple[str, set[int]]]()
    synonyms = _synonyms(text, passages)
    for language in passages.languages:
        significant = significant_terms(text, language)
        for start, end, term in term_spans(text, language):
            if term in significant and not _counts(text[start:end]):
                holders = spans.setdefault((start, end), (term, set()))[1]
                holders.update(passages.holders(term, language), synonyms.get(term, ()))
    for (start, end), (term, holders) in spans.items():
        yield _Detail(term, start, end, idf(len(holders), len(passages.stored)), frozenset(holders))


def _counts(word: str) -> bool:
    """Whether a word is a number and nothing else."""
    return any(figure.start == 0 and figure.end == len(word) for figure in figures(word))


def _synonyms(text: str, passages: Passages) -> Mapping[str, set[int]]:
    """Where other ways stand whole to say what the terms of a text say."""
    language = language_of(text)
    holders = defaultdict[str, set[int]](set)
    for concept in concepts(text):
        for other in concept.others:
            places = [{*passages.where.get((language, term), ())} for term in other]
            for term in concept.own:
                holders[term] |= set.intersection(*places)
    return holders


def _figures(text: str, passages: Passages) -> Iterator[_Detail]:
    for figure in figures(text):
        holders = [at for at in passages.counting if agrees(figure, passages.stored[at].figures)]
        weight = _FIGURE * idf(len(holders), len(passages.stored))
        yield _Detail("", figure.start, figure.end, weight, frozenset(holders), figure)
