"""Which words of a question name documents, and which ask about them.

No phrasing is assumed: the catalogue itself tells. A word names a document when the document's name holds it and
few other names do, or when it is a proper noun of the document's beginning. From such words the naming phrase grows
over connecting words and over words that names are made of, and what is left of the question is its topic.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from evidence.corpus.collection import Collection
from evidence.index.names import name_terms, unpack
from evidence.language.detect import language_of
from evidence.language.function_words import STOP
from evidence.language.rules import every
from evidence.language.scripts import has_cjk
from evidence.language.tables import LANGUAGES
from evidence.language.terms import terms, terms_of
from evidence.model import Document, Shortlist, Span, Understanding

_WORD = re.compile(r"[\w&]+(?:['’.-]\w+)*['’]?")
_CONNECTING = frozenset("of and & between the a an with by for in to from its 's".split())
_BEFORE_VERBS = frozenset("i we you they he she may must can could shall should will would".split())
_JOINT = re.compile(r"[-.&]")
_BREAK = re.compile(r"[;:?!。；：？！]")
# Two characters name a document only where they are said to have something.
_OF = tuple(table.rules["of"] for table in LANGUAGES.values() if not table.spaced)
_PARTICLES = re.compile(rf"(?:[・、，]|{every('of', spaced=False)}|{every('after_name', spaced=False)})*+")


@dataclass(frozen=True, slots=True)
class NameEvidence:
    """The words by which a catalogue knows the documents that a question seems to mean.

    `names` are their unpacked names; `naming(term)` is true for a word that names one of them; `proper(term)` for a
    word that is rare and stands at the beginning of one; `nameable(term)` for a word that any name holds.
    """

    names: Sequence[str]
    naming: Callable[[str], bool]
    proper: Callable[[str], bool]
    nameable: Callable[[str], bool]


def topic_of(text: str, evidence: NameEvidence) -> str:
    """The question without the words that name documents; the whole question if nothing else were left."""
    cut = [*_latin_spans(text, evidence), *_cjk_spans(text, evidence.names)]
    if not cut:
        return text
    left, at = [], 0
    for span in sorted(cut, key=lambda span: span.start):
        left.append(text[at : max(at, span.start)])
        at = max(at, span.end)
    rest = " ".join(" ".join([*left, text[at:]]).split())
    return rest if any(term not in STOP for word in _WORD.findall(rest) for term in terms_of(word)) else text


def _latin_spans(text: str, evidence: NameEvidence) -> list[Span]:
    matches = [match for match in _WORD.finditer(text) if not has_cjk(match.group())]
    words = [match.group() for match in matches]
    language = language_of(text)
    kinds = [
        "word" if _is_verb(word, before, evidence) else _kind(word, evidence, language)
        for before, word in zip(["", *words], words, strict=False)
    ]
    taken = [kind == "name" for kind in kinds]
    for at, kind in enumerate(kinds):
        if kind == "name":
            for step in (1, -1):
                _grow(at, step, kinds, taken, text, matches)
    return [Span(*match.span()) for match, gone in zip(matches, taken, strict=True) if gone]


def _is_verb(word: str, before: str, evidence: NameEvidence) -> bool:
    """Whether a word says what somebody does: "may I work", though a policy on work may be meant."""
    follows = word.islower() and before.casefold() in _BEFORE_VERBS
    return follows and not any(evidence.proper(term) for term in terms_of(word))


def _grow(
    at: int, step: int, kinds: list[str], taken: list[bool], text: str, matches: list[re.Match[str]]
) -> None:
    """Take the words beside a name that belong to it, up to the next name, which grows by itself."""
    here = at + step
    while 0 <= here < len(kinds) and kinds[here] in {"part", "link"}:
        first, second = sorted((here, here - step))
        if _BREAK.search(text[matches[first].end() : matches[second].start()]):
            return
        taken[here] = True
        here += step


def _kind(word: str, evidence: NameEvidence, language: str) -> str:
    if word.casefold() in _CONNECTING:
        return "link"
    meant = [
        term for part in _JOINT.split(word) for term in terms_of(part, language) if term and term not in STOP
    ]
    if any(evidence.naming(term) for term in meant):
        return "name"
    capital = word[:1].isupper()
    if capital and any(evidence.proper(term) for term in meant):
        return "name"
    return "part" if capital and any(evidence.nameable(term) for term in meant) else "word"


def _cjk_spans(text: str, names: Sequence[str]) -> list[Span]:
    """Runs of CJK characters that also stand in a name, with the particles behind them."""
    spans: list[Span] = []
    at = 0
    while at < len(text):
        length = _longest(text, at, names) if has_cjk(text[at]) else 0
        end = at + length
        if length < 2 or (length == 2 and text[end : end + 1] not in _OF):
            at += 1
            continue
        after = _PARTICLES.match(text, end)
        end = after.end() if after else end
        spans.append(Span(at, end))
        at = end
    return spans


def _longest(text: str, at: int, names: Sequence[str]) -> int:
    length = 0
    while at + length < len(text) and any(text[at : at + length + 1] in name for name in names):
        length += 1
    return length


# --- the catalogue -----------------------------------------------------------------------------------------


def topic_in(understanding: Understanding, shortlist: Shortlist, collection: Collection) -> str:
    """The question without the words that name the shortlisted documents; what a model said is believed."""
    if understanding.core:
        return understanding.core
    subjects = max(1, len(understanding.subjects))
    meant = [entry.document for entry in shortlist.documents[:subjects]]
    named = frozenset(term for document in meant for term in name_terms(document.name))
    fields, common = collection.fields, _common(len(collection.documents))
    evidence = NameEvidence(
        names=[unpack(document.name) for document in meant],
        naming=lambda term: fields.names_it(term, named) and fields.name_frequency(term) <= common,
        proper=lambda term: _begins(term, meant, collection) and fields.idf(term) > fields.rarest / 2,
        nameable=lambda term: fields.name_frequency(term) > 0,
    )
    guessed = any(evidence.naming(term) for subject in understanding.subjects for term in terms(subject))
    return topic_of(understanding.topic if guessed else understanding.text, evidence)


def _common(documents: int) -> int:
    """In how many names a word may stand and still tell documents apart: versions of one document share words."""
    return max(1, documents // 10, min(3, documents // 4))


def _begins(term: str, documents: Sequence[Document], collection: Collection) -> bool:
    """Whether a term stands at the beginning of one of the documents."""
    places, _ = collection.lexical.postings(term)
    owners = [collection.place[d.document_id] for d in documents]
    return bool(np.isin(collection.owners[places[collection.lead[places]]], owners).any())
