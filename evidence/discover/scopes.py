"""Which collections a question asks to be searched: "across the supplier contracts".

A collection is named by its whole name, as the bound of what is searched; a word of it that only occurs says nothing.
"""

import re
from collections.abc import Sequence

from evidence.language.rules import every
from evidence.language.scripts import has_cjk
from evidence.language.terms import terms

_WORD = re.compile(r"[^\W_](?:[\w&-]*[^\W_])?")
_LEAD = re.compile(
    r"\b(?:(?P<one>every|each|any)|(?P<all>all|our|both|which|across|throughout)(?: of)?(?: (?:the|these|those|our))?"
    r"|(?:in|within|among|from|over|of|for) (?:the|these|those))\s$",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"^\s*(?:[,.;:?!)\"”]|$|(?:that|which|where|whose|with|without|have|has|contain\w*|mention\w*|allow\w*|permit\w*"
    r"|require\w*|provide\w*|include\w*|state\w*|say\w*|set|give\w*|what|who|and|or|do|does|is|are|was|were|there)\b)",
    re.IGNORECASE,
)
_STOPS = re.compile(r"^\s*(?:[,.;:?!)\"”]|$)")
_HOLDER = re.compile(r"^\s+(?:dataset|data set|knowledge base|collection|library|folder)s?\b", re.IGNORECASE)
_BEFORE_CJK = re.compile(rf"(?:^|[，,。：:；;？?、「『《“\s]|{every('scope_before', spaced=False)})$")
_AFTER_CJK = re.compile(rf"^[」』》”]?(?:{every('scope_after', spaced=False)})")


def named_scopes(text: str, names: Sequence[str]) -> tuple[int, ...]:
    """The places of the names that bound what the question asks for."""
    words = list(_WORD.finditer(text))
    line = f"\n{'\n'.join(_form(word[0]) for word in words)}\n"
    return tuple(
        at
        for at, name in enumerate(map(str.strip, names))
        if name and (_bounds_cjk(text, name) if has_cjk(name) else _bounds(text, name, words, line))
    )


def _bounds_cjk(text: str, name: str) -> bool:
    end = 0
    while (start := text.find(name, end)) >= 0:
        end = start + len(name)
        if _BEFORE_CJK.search(text[max(0, start - 4) : start]) and _AFTER_CJK.match(text[end : end + 20]):
            return True
    return False


def _bounds(text: str, name: str, words: Sequence[re.Match[str]], line: str) -> bool:
    """Whether a name stands as a bound; `line` holds the forms of the words between line breaks."""
    parts = _WORD.findall(name.replace("_", " "))
    sequence = f"\n{'\n'.join(map(_form, parts))}\n"
    at = start = 0
    while parts and (place := line.find(sequence, start)) >= 0:
        at += line.count("\n", start, place)
        if _is_bound(text, words[at].start(), words[at + len(parts) - 1], parts):
            return True
        at, start = at + 1, place + 1
    return False


def _form(word: str) -> str:
    """What a word is known by: its terms, or its letters where it has none."""
    return " ".join(terms(word)) or word.casefold()


def _is_bound(text: str, start: int, last: re.Match[str], parts: Sequence[str]) -> bool:
    """Whether words stand as a bound: "in all …", "across the …", "which … allow", "in the … collection"."""
    lead, after = _LEAD.search(text[max(0, start - 40) : start]), text[last.end() :]
    singular = last[0].casefold() != parts[-1].casefold() and not last[0].endswith("s")
    if lead is None or (singular and not lead["one"]):
        return False  # of "agreements" one is no bound, but each is
    ends = _ENDS if lead["one"] or lead["all"] or len(parts) > 1 else _STOPS
    return (ends.match(after) or _HOLDER.match(after)) is not None
