"""Which language a text is in: by its script, else by the function words in it, else English."""

import re
from collections import Counter
from collections.abc import Iterable

from evidence.language.memo import remembered
from evidence.language.tables import LANGUAGES

_SAMPLE = 1_500  # characters that are looked at
_LEAST = 2  # different function words, or one letter that English has not, that make a text foreign
_NAMES = 8  # of so many words one may be a foreign name, "Müller"; then its letters tell nothing
_WORD = re.compile(r"[^\W\d_]{2,40}+")  # letters alone are initials, and the rest of "it's"
_SCRIPTS = tuple(
    (code, re.compile(f"[{table.letters}]")) for code, table in LANGUAGES.items() if not table.spaced
)  # Japanese before Chinese: kana decide
_SPACED = {code: table for code, table in LANGUAGES.items() if table.spaced}
_SPEAK: dict[str, tuple[str, ...]] = {
    word: tuple(code for code, table in _SPACED.items() if word in table.function_words.split())
    for table in _SPACED.values()
    for word in table.function_words.split()
}
_LETTERS: dict[str, tuple[str, ...]] = {
    letter: tuple(code for code, table in _SPACED.items() if letter in table.letters)
    for table in _SPACED.values()
    for letter in table.letters
}


@remembered(4_000, 2_000)
def language_of(text: str) -> str:
    """The code of the language of a text, of those in `tables`; "en" where nothing tells."""
    return _detected(text, _LEAST)


def language_of_sentence(text: str) -> str:
    """The language of a text that is too short to hold two function words: one is enough."""
    return _detected(text, 1)


def in_other_languages(texts: Iterable[str], than: str) -> tuple[str, ...]:
    """Those of the texts that are in another language than a text."""
    return tuple(text for text in texts if language_of(text) != language_of(than))


def _detected(text: str, least: int) -> str:
    sample = text[:_SAMPLE]
    if not sample.isascii():
        for code, script in _SCRIPTS:
            if script.search(sample):
                return code
    low = sample.casefold()
    words = set(_WORD.findall(low))
    count = Counter(code for word in words for code in _SPEAK.get(word, ()))
    if not low.isascii():
        marked = Counter(code for word in words for code in _spelled(word))
        count.update({code: _LEAST for code, number in marked.items() if number * _NAMES >= len(words)})
    best = max(count, key=lambda code: (count[code], code == "en", code), default="en")
    return best if count[best] >= least else "en"


def _spelled(word: str) -> set[str]:
    """The languages that a word has a letter of."""
    return {code for letter in _LETTERS.keys() & set(word) for code in _LETTERS[letter]}
