"""Whether a document or a text is the one that is expected. Pure."""

from collections.abc import Sequence
from dataclasses import replace

from evidence.evaluation.expected import Expected
from evidence.language.function_words import significant_terms
from evidence.language.markdown import decoded
from evidence.language.normalise import fold
from evidence.model import Document

_MOST_WORDS = 0.8  # of the terms of expected words that make up for a difference in the rest
_MOST_ANSWER = 0.6  # the same of an answer in words of its own
_FEW = 5  # terms below which words must stand as they are


def is_document(document: Document, expected: Expected) -> bool:
    """Whether a document is one of those expected, by id or by name, with or without its ending."""
    names = {document.document_id, *_names(document.name)}
    return any(not names.isdisjoint({name, *_names(name)}) for name in expected.documents)


def _names(name: str) -> tuple[str, str]:
    plain = " ".join(decoded(name).casefold().split())
    stem, dot, ending = plain.rpartition(".")
    return plain, stem if dot and len(ending) <= 5 else plain


def parts(expected: Expected) -> tuple[Expected, ...]:
    """The same expectation once for each of its texts."""
    words = [replace(expected, words=(text,), answer="") for text in expected.words]
    return (*words, *([replace(expected, words=())] if expected.answer else []))


def holds(expected: Expected, texts: Sequence[str]) -> bool:
    """Whether the texts hold all expected words, or most of what the expected answer says; True where none are."""
    whole = "\n".join(texts)
    if expected.answer:
        return share_of(expected.answer, whole) >= _MOST_ANSWER
    return all(_stands(words, whole) for words in expected.words)


def _stands(words: str, text: str) -> bool:
    if fold(words).text in fold(text).text:
        return True
    return len(significant_terms(words)) >= _FEW and share_of(words, text) >= _MOST_WORDS


def share_of(words: str, text: str) -> float:
    """How many of the terms of the words stand in the text, 0..1."""
    needed = significant_terms(words)
    return len(needed & significant_terms(text)) / len(needed) if needed else 0.0
