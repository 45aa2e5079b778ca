"""A summary without a model: for each section of the documents the sentence that says most, in reading order."""

import re
from collections import Counter
from collections.abc import Sequence

from evidence.answer.answer_type import unnumbered
from evidence.answer.dating import ages
from evidence.answer.select_sentences import alike, in_order
from evidence.answer.sentence_scoring import Piece, coverage, merged, pieces, prior, terms_by_place, weights
from evidence.language.figures import figures
from evidence.language.function_words import SCAFFOLD
from evidence.language.rules import every
from evidence.language.terms import terms
from evidence.llm.fence import suspicious
from evidence.model import Document, Pool, Quote

_SENTENCES, _CHARACTERS = 9, 1_800
_THEMES = 30  # words that a summary of a whole document is chosen by
_SHORTEST = 4  # terms of a sentence that says something
_MOSTLY = 0.25  # of the best passages that a document must hold to be summarised
_AGAIN = 0.45  # what a further sentence of a section is worth
_RULES = re.compile(every("obliges"), re.IGNORECASE)
_MEANS = re.compile(rf"[\"”」’]\s+(?:means|refers to)\b|{every('defines', spaced=False)}", re.IGNORECASE)
_LEANS = re.compile(every("leans_back"), re.IGNORECASE)
_DIGITS = re.compile(r"\d+")


def summary(question: str, pool: Pool) -> tuple[Quote, ...]:
    """At most nine sentences of the documents that the question is about."""
    documents = summarised(pool)
    among = [
        piece
        for piece in pieces([p for p in pool.ranked if p.segment.document in documents])
        if len(piece.own) >= _SHORTEST and not suspicious(piece.text)
    ]
    if not among:
        return ()
    worth = _scores(question, among)
    chosen: list[Piece] = []
    length = 0
    sections: Counter[tuple[Document, str]] = Counter()
    left = set(range(len(among)))
    while left and len(chosen) < _SENTENCES:
        best = max(left, key=lambda at: (worth[at] * _AGAIN ** sections[_section(among[at])], -at))
        left.discard(best)
        piece = among[best]
        if length + len(piece.text) > _CHARACTERS or any(alike(piece, other) for other in chosen):
            continue
        chosen.append(piece)
        length += len(piece.text)
        sections[_section(piece)] += 1
    return merged(in_order(chosen))


def _section(piece: Piece) -> tuple[Document, str]:
    return piece.passage.segment.document, piece.head


def _scores(question: str, among: Sequence[Piece]) -> list[float]:
    """Words that return in passage after passage, words of the question, rules and figures."""
    spread = Counter(term for words in terms_by_place(among).values() for term in words - SCAFFOLD)
    themes, question_terms = dict(spread.most_common(_THEMES)), weights(question, among)
    return [
        (
            0.4 * coverage(themes, piece.own)
            + 0.3 * coverage(question_terms, piece.terms)
            + 0.1 * prior(piece.place)
        )
        + (0.15 if _RULES.search(piece.text) else 0.0)
        + (0.1 if figures(unnumbered(piece.text)) else 0.0)
        - (0.3 if _MEANS.search(piece.text) else 0.0)
        - (0.2 if _LEANS.match(piece.text) else 0.0)  # on a sentence before it
        for piece in among
    ]


def summarised(pool: Pool) -> tuple[Document, ...]:
    """The documents that hold most of the best passages; of several versions only the newest."""
    counted = Counter(passage.segment.document for passage in pool.passages)
    leading = [document for document, count in counted.most_common() if count >= _MOSTLY * counted.total()]
    when = ages(frozenset(leading), pool)
    newest: dict[str, Document] = {}
    for document in leading:
        stem = stem_of(document)
        if stem not in newest or when[newest[stem]] < when[document]:
            newest[stem] = document
    return tuple(newest.values())


def stem_of(document: Document) -> str:
    """The terms that the names of all versions of a document share."""
    return " ".join(
        term for term in terms(_DIGITS.sub(" ", document.name)) if term not in {"v", "ver", "rev"}
    )


def older(pool: Pool) -> tuple[Document, ...]:
    """Versions that are at hand but not summarised."""
    shown = summarised(pool)
    stems = {stem_of(document) for document in shown}
    documents = dict.fromkeys(passage.segment.document for passage in pool.passages)
    return tuple(document for document in documents if document not in shown and stem_of(document) in stems)
