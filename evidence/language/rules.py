"""The rules of all languages as patterns: of each language by itself, or of all at once."""

import re
from collections.abc import Collection, Mapping, Sequence

from evidence.language.scripts import CJK
from evidence.language.table import Rule
from evidence.language.tables import LANGUAGES

_NEVER = r"(?!)"
_MIXED = [code for code, table in LANGUAGES.items() if not table.spaced or code == "en"]
_LANGUAGES_OF = {code: [code] if table.spaced else _MIXED for code, table in LANGUAGES.items()}


def every(rule: Rule, *, spaced: bool | None = None) -> str:
    """The rule of all languages, as alternatives without a group around them; of one kind of script, where told."""
    tables = (table for table in LANGUAGES.values() if spaced in (None, table.spaced))
    return "|".join(filter(None, (table.rules.get(rule, "") for table in tables))) or _NEVER


def patterns_by_language(rule: Rule) -> Mapping[str, Sequence[re.Pattern[str]]]:
    """A rule by the code of the language of a text, a pattern a language that stands in such a text.

    Where words have no blanks between them, languages are mixed: each of them is asked, and English.
    """
    return {
        code: [re.compile(LANGUAGES[language].rules.get(rule, _NEVER), re.IGNORECASE) for language in codes]
        for code, codes in _LANGUAGES_OF.items()
    }


def by_language(rule: Rule, around: str = "{}") -> Mapping[str, re.Pattern[str]]:
    """The same as one pattern a language; `around` is what stands around its alternatives."""
    return {
        code: re.compile(
            around.replace(
                "{}", f"(?:{'|'.join(LANGUAGES[language].rules.get(rule, _NEVER) for language in codes)})"
            ),
            re.IGNORECASE,
        )
        for code, codes in _LANGUAGES_OF.items()
    }


def whole_by_language(rule: Rule) -> Mapping[str, re.Pattern[str]]:
    """A rule by language as whole words; where there are no blanks between words, of every such language."""
    unspaced = every(rule, spaced=False)
    return {
        code: re.compile(
            rf"(?<!\w)(?:{table.rules.get(rule, _NEVER)})(?!\w)" if table.spaced else unspaced, re.IGNORECASE
        )
        for code, table in LANGUAGES.items()
    }


def tokens_by_language(phrases: Mapping[str, Collection[str]]) -> Mapping[str, re.Pattern[str]]:
    """A pattern by language of its phrases, and of the words of scripts that have blanks between them."""
    word = rf"[^\W_{CJK}]{{1,64}}+(?:['’][^\W_{CJK}]{{1,64}}+){{0,3}}"
    return {
        code: re.compile("|".join(filter(None, (any_word(listed), word))), re.IGNORECASE)
        for code, listed in phrases.items()
    }


def any_word(words: Collection[str]) -> str:
    """A pattern of one of the words, the longest that stands there; common beginnings are looked at once."""
    ends = sorted({word[:1] for word in words})
    tails = {first: [word[1:] for word in words if word[:1] == first] for first in ends if first}
    branches = "|".join(f"{re.escape(first)}{any_word(rest)}" for first, rest in tails.items())
    if not branches:
        return ""
    return f"(?:{branches})" + ("?" if "" in ends else "")
