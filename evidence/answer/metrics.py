"""Metrics of an answer, in shares of what can be counted; each share says what it counted."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from evidence.language.figures import figures
from evidence.language.function_words import content_terms
from evidence.model import Answer, Claim, Facet, Understanding

_CONCRETE = re.compile(r"(?<=\S\s)[A-Z][\w&.-]+")
_FOLLOW_UPS = 6


@dataclass(frozen=True, slots=True)
class Share:
    """`part` of `total` things; 0 of 0 is 0: nothing counted is nothing proven."""

    part: float
    total: int
    what: str

    @property
    def value(self) -> float:
        return self.part / self.total if self.total else 0.0

    def __str__(self) -> str:
        return f"{self.part:g} of {self.total} {self.what}"


def grounding(answer: Answer) -> Share:
    """Claims whose every detail is in their quotes, of those that can be compared with them."""
    compared = [claim for claim in answer.claims if not claim.unknown]
    return Share(sum(claim.supported for claim in compared), len(compared), "sentences supported")


def uncompared(answer: Answer) -> Share:
    """Claims in another language than the passages, of which nothing can be compared."""
    unknown = sum(claim.unknown for claim in answer.claims)
    return Share(unknown, len(answer.claims), "sentences not comparable with passages in another language")


def completeness(facets: Sequence[Facet]) -> Share:
    """Facets covered; a part that is touched or contradicted counts half."""
    worth = {"covered": 1.0, "partial": 0.5, "contradicted": 0.5, "missing": 0.0}
    return Share(sum(worth[facet.status] for facet in facets), len(facets), "parts of the question covered")


def consistency(facets: Sequence[Facet]) -> Share:
    """Facets on which the documents do not contradict each other."""
    agreed = sum(facet.status != "contradicted" for facet in facets)
    return Share(agreed, len(facets), "parts without contradiction")


def specificity(answer: Answer) -> Share:
    """Supported claims that hold a figure, a name, or a quote word for word."""
    texts = {citation.marker: citation.quote.text for citation in answer.citations}
    concrete = sum(_is_concrete(claim, texts) for claim in answer.claims)
    return Share(concrete, len(answer.claims), "sentences with a figure, a name or a clause word for word")


def _is_concrete(claim: Claim, texts: dict[int, str]) -> bool:
    if not claim.supported:
        return False
    verbatim = any(texts.get(marker, "") and texts[marker] in claim.text for marker in claim.markers)
    return verbatim or bool(_CONCRETE.search(claim.text) or figures(claim.text))


def follow_ups(understanding: Understanding, facets: Sequence[Facet]) -> tuple[str, ...]:
    """The next queries for each uncovered part: its words alone, then the query variants that share some."""
    queries: dict[str, None] = {}
    for facet in facets:
        if facet.status in ("covered", "contradicted"):
            continue
        words = content_terms(facet.question)
        queries[neutral(facet.question)] = None
        for hypothetical_answer in (*understanding.hypothetical_answers, *understanding.rewrites):
            if set(words) & set(content_terms(hypothetical_answer)):
                queries[hypothetical_answer] = None
        for half in relaxed(facet.question):
            queries[half] = None
    tried = {query for facet in facets for query in facet.queries}
    return tuple(query for query in queries if query and query not in tried)[:_FOLLOW_UPS]


def neutral(question: str) -> str:
    """The content words of a question, as written, without the words that frame it or take a side."""
    content = set(content_terms(question))
    return " ".join(word for word in _words_of(question) if set(content_terms(word)) & content)


def relaxed(question: str) -> tuple[str, ...]:
    """The first and the second half of a long question's content words: fewer words match more."""
    words = neutral(question).split()
    middle = len(words) // 2
    return (" ".join(words[:middle]), " ".join(words[middle:])) if len(words) >= 4 else ()


def _words_of(question: str) -> list[str]:
    return [word.strip(".,;:!?()[]\"“”'？。，、；：") for word in question.split()]
