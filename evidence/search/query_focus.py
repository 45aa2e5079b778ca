"""What a question asks of the documents that it means, told by the catalogue."""

from collections.abc import Sequence

import numpy as np

from evidence.corpus.collection import Collection
from evidence.index.names import name_terms, unpack
from evidence.language.terms import terms
from evidence.model import Document, Shortlist, Understanding
from evidence.search.naming import NameEvidence, topic_of


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
    wanted = [collection.place[d.document_id] for d in documents]
    return bool(np.isin(collection.owners[places[collection.lead[places]]], wanted).any())
