"""A summary without a model: for each section of the documents the sentence that says most, in reading order."""

import re
from collections import Counter
from collections.abc import Sequence

from evidence.answer.answer_type import unnumbered
from evidence.answer.dating import ages
from evidence.answer.select_sentences import alike, in_order
from evidence.answer.sentence_scoring import Piece, coverage, held, merged, pieces, prior, weights
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
        each
        for each in pieces([p for p in pool.ranked if p.segment.document in documents])
        if len(each.own) >= _SHORTEST and not suspicious(each.text)
    ]
    if not among:
        return ()
    worth = _worth(question, among)
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


def _worth(question: str, among: Sequence[Piece]) -> list[float]:
    """Words that return in passage after passage, words of the question, rules and figures."""
    spread = Counter(term for words in held(among).values() for term in words - SCAFFOLD)
    themes, wanted = dict(spread.most_common(_THEMES)), weights(question, among)
    return [
        (0.4 * coverage(themes, each.own) + 0.3 * coverage(wanted, each.terms) + 0.1 * prior(each.place))
        + (0.15 if _RULES.search(each.text) else 0.0)
        + (0.1 if figures(unnumbered(each.text)) else 0.0)
        - (0.3 if _MEANS.search(each.text) else 0.0)
        - (0.2 if _LEANS.match(each.text) else 0.0)  # on a sentence before it
        for each in among
    ]


def summarised(pool: Pool) -> tuple[Document, ...]:
    """The documents that hold most of the best passages; of several versions only the newest."""
    counted = Counter(passage.segment.document for passage in pool.passages)
    leading = [each for each, count in counted.most_common() if count >= _MOSTLY * counted.total()]
    when = ages(frozenset(leading), pool)
    newest: dict[str, Document] = {}
    for each in leading:
        stem = stem_of(each)
        if stem not in newest or when[newest[stem]] < when[each]:
            newest[stem] = each
    return tuple(newest.values())


def stem_of(document: Document) -> str:
    """What the names of all versions of a document share."""
    return " ".join(
        term for term in terms(_DIGITS.sub(" ", document.name)) if term not in {"v", "ver", "rev"}
    )


def older(pool: Pool) -> tuple[Document, ...]:
    """Versions that are at hand but not summarised."""
    shown = summarised(pool)
    stems = {stem_of(each) for each in shown}
    found = dict.fromkeys(passage.segment.document for passage in pool.passages)
    return tuple(each for each in found if each not in shown and stem_of(each) in stems)
