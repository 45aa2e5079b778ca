"""Documents that the caller names: by id, else by exact name, else by likeness of names."""

import re
from collections.abc import Sequence

from rapidfuzz import fuzz

from evidence.index.names import unpack
from evidence.model import Document

_ALIKE = 86.0  # of 100
_NUMBER = re.compile(r"\d+")


def pinned(
    pins: Sequence[str], documents: Sequence[Document]
) -> tuple[tuple[Document, ...], tuple[str, ...]]:
    """The documents that the pins leave, and the pins that no document answers to. `!name` excludes."""
    out = {d.document_id for word in pins if word.startswith("!") for d in _meant(word[1:], documents)}
    left = tuple(document for document in documents if document.document_id not in out)
    included = [word for word in pins if word and not word.startswith("!")]
    if not included:
        return left, ()
    matches = {word: _meant(word, left) for word in included}
    chosen = {d.document_id: d for documents_ in matches.values() for d in documents_}
    return tuple(chosen.values()), tuple(word for word, meant in matches.items() if not meant)


def _meant(word: str, documents: Sequence[Document]) -> list[Document]:
    pin = word.strip()
    if not pin:
        return []
    same = [document for document in documents if document.document_id == pin]
    same = same or [document for document in documents if document.name.casefold() == pin.casefold()]
    plain = unpack(pin).casefold()
    same = same or [document for document in documents if unpack(document.name).casefold() == plain]
    if same:
        return same
    numbers = set(_NUMBER.findall(plain))  # another year or version is another document
    likeness = {
        d.document_id: fuzz.token_sort_ratio(plain, unpack(d.name).casefold())
        for d in documents
        if numbers <= set(_NUMBER.findall(unpack(d.name)))
    }
    best = max(likeness.values(), default=0.0)
    return [d for d in documents if best >= _ALIKE and likeness.get(d.document_id) == best]
