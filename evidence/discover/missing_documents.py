"""Which documents that a question names exist nowhere: not by name, and not in any text that is known."""

from collections.abc import Sequence

import numpy as np

from evidence.corpus.candidates import Candidates, unread
from evidence.discover.pins import pinned
from evidence.index.names import is_file_name
from evidence.index.versions import families
from evidence.language.function_words import SCAFFOLD, content_terms
from evidence.language.named_parties import Anchor, anchors, unowned
from evidence.language.scripts import has_cjk
from evidence.language.terms import terms, words
from evidence.model import Document, RankedDocument, Understanding

_COVERED = (
    0.9  # of the weight of the other words: so much of them in a name makes it the same but for the place
)
_SURE = 0.6  # of the weight of a subject: so much of it in a name, and that document is meant
_KNOWN = 0.5  # of the weight of a party's words: so much of them in one document, and the party is known


def nowhere(subject: str, candidates: Candidates) -> bool:
    """Whether a named document is none of the known ones: its telling words stand in no name and in no text.

    A neighbour that shares the kind of document only ("the agreement with …"), or all but a party or the place, is not
    the named one. Where not all was read, the server must have ranked something for the question, and not this.
    """
    if not candidates.documents or not _known_enough(candidates):
        return False
    if is_file_name(subject):
        return bool(pinned((subject,), candidates.documents)[1])
    named = anchors(subject)
    strange = [anchor for anchor in named if _stands_nowhere(anchor, candidates)]
    if not strange:
        known = any(_holding(anchor, candidates) for anchor in named if not anchor.place)
        return not known and _is_foreign(subject, candidates)
    alike = _alike(subject, strange, candidates)
    if alike and all(anchor.place for anchor in strange) and _is_one(alike, candidates):
        return False  # one document, which names no place: it is only worded differently
    alike = alike or [at for anchor in named if anchor not in strange for at in _holding(anchor, candidates)]
    read = candidates.collection.complete or (
        bool(alike) and not unread(candidates, [candidates.documents[at] for at in alike])
    )
    return read or _is_foreign(subject, candidates)


def unread_names(
    understanding: Understanding, ranked: Sequence[RankedDocument], candidates: Candidates
) -> tuple[str, ...]:
    """The names of documents that are surely meant, each the first of its subject, and of which nothing was read."""
    likely: dict[int, Document] = {}
    for entry in ranked:
        likely.setdefault(max(entry.subject, 0), entry.document)
    fields = candidates.collection.fields
    lost: list[str] = []
    for number, document in likely.items():
        subject = understanding.subjects[number] if number < len(understanding.subjects) else ""
        weights = dict.fromkeys(content_terms(subject), 1.0)
        named = float(fields.scores(weights).name[candidates.collection.place[document.document_id]])
        reading = candidates.collection.reading_of(document)
        sure = weights and named >= _SURE * sum(fields.idf(term) for term in weights)
        if sure and (reading is None or not reading.segments):
            lost.append(document.name)
    return tuple(lost)


def _known_enough(candidates: Candidates) -> bool:
    return candidates.collection.complete or any(run.passages for run in candidates.retrieved)


def _is_foreign(subject: str, candidates: Candidates) -> bool:
    """Whether most of what tells a named document from others is absent, and no name comes near it."""
    proper = {term for word in words(subject) if not word[:1].islower() for term in terms(word)}
    telling = set(content_terms(subject)) - SCAFFOLD
    weights = dict.fromkeys((telling & proper) or telling, 1.0)
    fields, postings = candidates.collection.fields, candidates.collection.lexical.postings
    weight = sum(fields.idf(term) for term in weights)
    if weight <= 0:
        return False
    absent = sum(fields.idf(term) for term in weights if not len(postings(term)[0])) / weight
    named = float(fields.scores(weights).name.max(initial=0.0)) / weight
    return named < 0.3 and absent > (0.5 if telling & proper else 0.99)


def _stands_nowhere(anchor: Anchor, candidates: Candidates) -> bool:
    """Whether no word of a name stands in any name or text, however it is spelled; of a Chinese one, no whole name."""
    fields, name = candidates.collection.fields, _terms(anchor)
    if any(map(has_cjk, name)):
        return bool(name) and not np.logical_and.reduce([fields.holders(term) for term in name]).any()
    return bool(name) and not any(
        fields.holders(term).any() or candidates.collection.lexical.holds_near(term) for term in name
    )


def _holding(anchor: Anchor, candidates: Candidates) -> list[int]:
    """The documents that hold most of a name."""
    fields, name = candidates.collection.fields, _terms(anchor)
    weight = sum(fields.idf(term) for term in name)
    weights = sum(
        (fields.idf(term) * fields.holders(term) for term in name), np.zeros(len(candidates.documents))
    )
    return np.flatnonzero(weights >= _KNOWN * weight).tolist() if weight > 0 else []


def _terms(anchor: Anchor) -> list[str]:
    name = [term for word in anchor.words for term in terms(word)]
    return [term for term in name if len(term) > 1] or name


def _alike(subject: str, strange: list[Anchor], candidates: Candidates) -> list[int]:
    """The documents whose names hold nearly all other words of the subject; none where there are no other words."""
    fields = candidates.collection.fields
    without = {term for anchor in strange for word in anchor.words for term in terms(word)}
    rest = dict.fromkeys((t for t in content_terms(unowned(subject)) if t not in without | SCAFFOLD), 1.0)
    weight = sum(fields.idf(term) for term in rest)
    return np.flatnonzero(fields.scores(rest).name >= _COVERED * weight).tolist() if weight > 0 else []


def _is_one(places: list[int], candidates: Candidates) -> bool:
    """Whether the documents are one, or versions of one."""
    documents = [candidates.documents[place] for place in places]
    return len(documents) == 1 or any(len(group) == len(documents) for group in families(documents))
