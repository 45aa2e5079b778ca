"""Words of any script, made alike for matching.

Latin, Cyrillic and Greek words are case-folded and stemmed (Snowball, Porter 2001), irregular past forms as their
verb; runs of Chinese, Japanese
and Korean characters become single characters and pairs (Nie, Gao, Zhang and Zhou, 2000: n-grams rank Chinese
as well as a segmenter does, with no dictionary).
"""

import re
import unicodedata
from functools import lru_cache

import Stemmer

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af\uff66-\uff9f々〆"
_TOKEN = re.compile(rf"[{_CJK}]+|[^\W_{_CJK}]+(?:['’][^\W\d_]+)*")
_CJK_RUN = re.compile(rf"[{_CJK}]+")
_POSSESSIVE = re.compile(r"['’]s?$")
_FIRST_CJK = "\u3040"  # runs of these are seldom met twice
_LONGEST = 64  # letters; a longer run of them is a hash, a path, a slip of the keyboard
_STEMMER = Stemmer.Stemmer("english")
# Past forms that a stemmer cannot lead back. Not those that are mostly another word: "felt", "saw", "lay", "wound".
_FORMS = """
become became; begin began begun; bear bore borne; bind bound; break broke broken; bring brought; build built;
buy bought; choose chose chosen; drive drove driven; fall fell fallen; find found; forbid forbade forbidden;
forgive forgave forgiven; give gave given; grow grew grown; hold held; keep kept; know knew known; leave left;
lend lent; lose lost; meet met; overtake overtook overtaken; pay paid; repay repaid; rise rose risen;
run ran; sell sold; send sent; speak spoke spoken; spend spent; steal stole stolen; take took taken; teach taught;
tell told; think thought; undertake undertook undertaken; withdraw withdrew withdrawn; withhold withheld;
write wrote written
"""
_IRREGULAR = {form: each.split()[0] for each in _FORMS.split(";") for form in each.split()[1:]}


def has_cjk(text: str) -> bool:
    return _CJK_RUN.search(text) is not None


def words(text: str) -> list[str]:
    """The surface words of a text in order; a run of CJK characters is one word."""
    return _TOKEN.findall(text)


def terms_of(word: str) -> tuple[str, ...]:
    """The terms that one surface word is matched by; of a word that is none, its first letters."""
    kept = word[:1] < _FIRST_CJK and len(word) <= _LONGEST
    return _terms_of_kept(word) if kept else _terms_of(word)


def _terms_of(word: str) -> tuple[str, ...]:
    folded = unicodedata.normalize("NFKC", word).casefold()
    if _CJK_RUN.fullmatch(folded):
        return (*folded, *(folded[i : i + 2] for i in range(len(folded) - 1)))
    folded = _POSSESSIVE.sub("", folded[:_LONGEST])
    stem = _STEMMER.stemWord(_IRREGULAR.get(folded, folded))
    return (stem,) if stem else ()


_terms_of_kept = lru_cache(maxsize=100_000)(_terms_of)


def terms(text: str) -> list[str]:
    """The terms of a text, in order, repeats kept."""
    return [term for word in words(text) for term in terms_of(word)]
