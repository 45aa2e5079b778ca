"""Where documents say different things about one matter: other figures, the other polarity, or a reversal.

Rules, so that the same passages always get the same verdict. They are cautious: two sentences must share most of
their words, or answer the same question with different figures, or one must take back what the other says.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from evidence.answer.answer_type import Quantity, quantity, unnumbered
from evidence.answer.dating import Age, ages
from evidence.answer.sentence_scoring import merged, names, reading_order, within
from evidence.language.figures import Figure, agrees, figures, known
from evidence.language.function_words import content_terms, significant_terms
from evidence.language.rules import every
from evidence.language.sentences import Sentence, analysed
from evidence.llm.fence import suspicious
from evidence.model import Document, Pool, Quote, Segment, Understanding
from evidence.verify.grounding_check import contradicted

_SAME_MATTER = 0.5  # of all their terms that two sentences share
_SAME_ANSWER = 0.4  # of the shorter one's terms, where both answer with a figure that is asked for
_ON_THE_QUESTION = 0.4  # of the question's terms that both hold
_TAKEN_BACK = 0.5  # of the shorter one's terms, where one takes something back
_TAKING = 0.4  # of the terms of the one that does
_LEAST = 3  # shared terms where less than half of all are shared
COMPARED = 400  # quotes and sentences of other documents that are compared with each other
_MOST_QUOTED = 40  # of them, the quotes of the answer
_MOST_SENTENCES = 8  # of one quote that are looked at
_MOST = 6  # quotes of one conflict
_REVERSED = re.compile(every("takes_back"), re.IGNORECASE)
_GLUED = re.compile(r"[^\W\d_]\d|\d[^\W\d_]")  # a figure at a word, which without it is another term
_NUMBERED = re.compile(r"\b(?!(?i:section|clause|article|paragraph|version)\b)[A-Z]\w+ \d+(?:[-/.]\d+)+\b")
_EDITION = re.compile(
    r"\b([A-Z]\w*+)\W{1,4}(?:[vV]\.? ?)?(\d+(?:\.\d+)+)(?!\w)"
)  # Django 3.2, HTTP/1.1, License - v 1.0
_SUCCEEDS = re.compile(every("succeeds"), re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Conflict:
    """Quotes of one matter that differ, newest first; `ages` belong to them one by one."""

    quotes: tuple[Quote, ...]
    ages: tuple[Age, ...]

    @property
    def dated(self) -> bool:
        return all(age.known for age in self.ages)

    @property
    def partly_dated(self) -> bool:
        return any(age.known for age in self.ages)


def conflicts(understanding: Understanding, quotes: Sequence[Quote], pool: Pool) -> tuple[Conflict, ...]:
    """The contradictions between the quotes, and between them and other documents of the pool, in its order.

    Nothing where difference is the point: in a list, a comparison, a summary.
    """
    if understanding.intent in ("list_all", "compare", "summarise"):
        return ()
    question = understanding.text
    figure, question_terms = quantity(question), frozenset(content_terms(question)) - names(pool.ranked)
    quotes = quotes[:_MOST_QUOTED]
    statements = (*quotes, *islice(_other_sentences(quotes, question_terms, pool), COMPARED - len(quotes)))
    parts = [_parts(statement) for statement in statements]
    groups: list[dict[Quote, None]] = []
    for quote, own in zip(quotes, parts, strict=False):
        against = [
            other
            for other, others in zip(statements, parts, strict=True)
            if other.segment.document != quote.segment.document
            and _contradict(own, others, question_terms, figure)
        ]
        if against:
            _add_to_group(groups, dict.fromkeys((quote, *against)))
    return tuple(_newest_first(group, pool, first=number == 0) for number, group in enumerate(groups))


def _other_sentences(quotes: Sequence[Quote], question_terms: frozenset[str], pool: Pool) -> Iterator[Quote]:
    """The sentences of the pool that speak of what is wanted and may contradict a quote of another document."""
    quoted = {quote.segment.document for quote in quotes}
    for segment, sentence, text in _sentences(pool, lambda document: quoted != {document}):
        if _is_relevant(text, sentence.terms, question_terms):
            other = Quote(segment, sentence.span)
            if not any(within(other, quote) for quote in quotes):
                yield other


def _is_relevant(sentence: str, words: frozenset[str], question_terms: frozenset[str]) -> bool:
    """Whether a sentence, of these terms, holds one that is asked for, or takes back what has a number."""
    if (question_terms & words or _GLUED.search(sentence)) and question_terms & _matter_terms(sentence):
        return True
    return _NUMBERED.search(sentence) is not None and _REVERSED.search(sentence) is not None


def _add_to_group(groups: list[dict[Quote, None]], quotes: dict[Quote, None]) -> None:
    """Add quotes to the group that they share one with, else as a group of their own."""
    for group in groups:
        if group.keys() & quotes.keys():
            group.update(quotes)
            return
    groups.append(quotes)


def _newest_first(group: Iterable[Quote], pool: Pool, *, first: bool) -> Conflict:
    """The quotes newest first; the first conflict also says by which document another one is replaced."""
    quotes = list(group)[:_MOST]
    when = ages(frozenset(quote.segment.document for quote in quotes), pool)
    newest = max(quotes, key=lambda quote: when[quote.segment.document]).segment.document
    if first and when[newest].known:
        own = _sentences(pool, lambda document: document == newest)
        succeeding = (Quote(segment, part.span) for segment, part, text in own if _SUCCEEDS.search(text))
        quotes += islice(succeeding, 1)
    quotes.sort(key=reading_order)
    quotes.sort(key=lambda quote: when[quote.segment.document], reverse=True)
    shown = merged(tuple(dict.fromkeys(quotes)))
    return Conflict(shown, tuple(when[quote.segment.document] for quote in shown))


def _sentences(pool: Pool, of: Callable[[Document], bool]) -> Iterator[tuple[Segment, Sentence, str]]:
    """Every sentence that may be quoted of some documents, with its segment and its text."""
    segments = (passage.segment for passage in pool.ranked if of(passage.segment.document))
    return (
        (segment, part, segment.text[part.span.start : part.span.end])
        for segment in segments
        for part in analysed(segment.text)
        if not part.is_heading
    )


# --- two sentences -----------------------------------------------------------------------------------------


def _contradict(
    first: Sequence[str], second: Sequence[str], question_terms: frozenset[str], figure: Quantity
) -> bool:
    return any(
        differ(one, other, question_terms, figure) and not suspicious(other)
        for one in first
        for other in second
    )


def _parts(quote: Quote) -> list[str]:
    """The first sentences of a quote, without headings."""
    text = quote.text
    first = analysed(text)[:_MOST_SENTENCES]
    return [text[part.span.start : part.span.end] for part in first if not part.is_heading]


def differ(
    one: str, other: str, question_terms: frozenset[str] = frozenset(), figure: Quantity | None = None
) -> bool:
    """Whether two sentences of two documents contradict each other on what is wanted."""
    here, there = _matter_terms(one), _matter_terms(other)
    shared, least = here & there, min(len(here), len(there))
    if _takes_back_by_number(one, other) or _takes_back_by_number(other, one):
        return True
    if least < 2 or not shared or (question_terms and not shared & question_terms) or _of_others(one, other):
        return False
    related = len(shared & question_terms) >= _ON_THE_QUESTION * len(question_terms)
    much = len(shared) >= _SAME_MATTER * len(here | there) and (related or least >= 2 * _LEAST)
    if much and (_figures_differ(one, other) or contradicted(one, (other,))):
        return True
    answering = (
        related and len(shared & question_terms) >= 2 and len(shared) >= max(_LEAST, _SAME_ANSWER * least)
    )
    if not much and figure and answering and _answers_differ(one, other, figure):
        return True
    return (
        related
        and len(shared) >= max(_LEAST, _TAKEN_BACK * least)
        and (_takes_back(one, other, shared) or _takes_back(other, one, shared))
    )


def _of_others(one: str, other: str) -> bool:
    """Whether the sentences are about numbered things of other names, or of one name, but of other numbers."""
    here, there = _editions(one), _editions(other)
    if here and there and here.keys().isdisjoint(there.keys()):
        return True
    return any(here[name].isdisjoint(there[name]) for name in here.keys() & there.keys())


def _takes_back(one: str, other: str, shared: frozenset[str]) -> bool:
    """Whether the first sentence reverses what the second one says."""
    if not _REVERSED.search(one) or _REVERSED.search(other):
        return False
    return len(shared) >= _TAKING * len(_matter_terms(one))


def _takes_back_by_number(one: str, other: str) -> bool:
    """Whether the first sentence reverses what stands under a number, such as "Decision 7-2", in the second."""
    if not _REVERSED.search(one) or _REVERSED.search(other):
        return False
    return bool(set(_NUMBERED.findall(one)) & set(_NUMBERED.findall(other)))


@lru_cache(maxsize=4096)
def _matter_terms(sentence: str) -> frozenset[str]:
    """The terms of a sentence without its figures and its own number."""
    bare = unnumbered(sentence)
    for figure in reversed(_figures(sentence)):
        bare = f"{bare[: figure.start]} {bare[figure.end :]}"
    return significant_terms(bare)


@lru_cache(maxsize=4096)
def _figures(sentence: str) -> tuple[Figure, ...]:
    """The figures of a sentence, but for the numbers of editions, which are names."""
    text = unnumbered(sentence)
    names = {place for match in _EDITION.finditer(text) for place in range(*match.span(2))}
    return tuple(figure for figure in figures(text) if figure.kind != "number" or figure.start not in names)


@lru_cache(maxsize=4096)
def _editions(sentence: str) -> Mapping[str, frozenset[str]]:
    """The numbers of things that have one, by their name; an amount is none."""
    text = unnumbered(sentence)
    amounts = {
        place
        for figure in figures(text)
        if figure.kind != "number"
        for place in range(figure.start, figure.end)
    }
    numbers: dict[str, frozenset[str]] = {}
    for match in _EDITION.finditer(text):
        if match.start(2) not in amounts:
            numbers[match[1]] = numbers.get(match[1], frozenset()) | {match[2]}
    return numbers


def _figures_differ(one: str, other: str) -> bool:
    """Each has a figure of one kind that the other does not have."""
    here, there = known((unnumbered(one),)), known((unnumbered(other),))
    kinds = {figure.kind for figure in _figures(one) if not agrees(figure, there)}
    return any(figure.kind in kinds for figure in _figures(other) if not agrees(figure, here))


def _answers_differ(one: str, other: str, quantity: Quantity) -> bool:
    """Both hold figures of a kind that is asked for, and none in common."""
    there = known((unnumbered(other),))
    mine = [figure for figure in _figures(one) if figure.kind in quantity.kinds]
    theirs = {figure.kind for figure in _figures(other) if figure.kind in quantity.kinds}
    return any(figure.kind in theirs for figure in mine) and not any(agrees(figure, there) for figure in mine)
