"""Document names, unpacked into words and matched with some forgiveness.

Names are the cheapest evidence of which document a question means, and the worst written: camel case, percent
escapes, separators, dates and versions all hide words.
"""

import re
from collections.abc import Collection, Mapping
from functools import lru_cache
from itertools import chain
from urllib.parse import unquote

from rapidfuzz import fuzz, process

from evidence.language.scripts import has_cjk
from evidence.language.terms import terms, terms_of_texts

_ENDING = re.compile(r"\.(txt|md|markdown|pdf|docx?|html?|csv|xlsx?|pptx?|epub|xml|json)$", re.IGNORECASE)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])")
_SEPARATOR = re.compile(r"[_\-.,;()\[\]{}+~#@!&]+")
LIKENESS = 84.0  # of 100: one or two letters of an ordinary word


def is_file_name(text: str) -> bool:
    """Whether words look like the name of a file."""
    return _ENDING.search(text.strip()) is not None


def unpack(name: str) -> str:
    """A file name as words: `NDA-AcmeCorp%20v2.pdf` is `NDA Acme Corp v 2`."""
    plain = unquote(unquote(name)).replace("+", " ")
    plain = _ENDING.sub("", plain.rsplit("/", 1)[-1] or plain)
    return " ".join(_SEPARATOR.sub(" ", _CAMEL.sub(" ", plain)).split())


@lru_cache(maxsize=50_000)
def name_terms(name: str) -> frozenset[str]:
    """The terms that a name is matched by: of its unpacked words and of its words as they are written."""
    written = _ENDING.sub("", unquote(unquote(name)))
    plain = unpack(name)
    own, english = terms_of_texts((plain, written.replace("_", " "))), terms(plain, "en")
    return frozenset(chain(english, *own))


def aliases(term: str, vocabulary: Collection[str]) -> Mapping[str, float]:
    """The terms of names that `term` may stand for, with a weight in 0..1.

    Itself (1); a name that abbreviates it, as `semi` does `semiconductor` (0.8); a near spelling (0.7).
    """
    if term in vocabulary:
        return {term: 1.0}
    if len(term) < 4 or has_cjk(term):
        return {}
    likeness = {word: 0.8 for word in vocabulary if 4 <= len(word) <= len(term) - 2 and term.startswith(word)}
    if len(term) >= 5:
        near = process.extract(term, vocabulary, scorer=fuzz.ratio, score_cutoff=LIKENESS, limit=4)
        likeness |= {word: 0.7 for word, _, _ in near if len(word) >= 5 and word not in likeness}
    return likeness
