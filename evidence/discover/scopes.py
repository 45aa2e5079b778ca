"""Which collections a question asks to be searched: "across the supplier contracts".

A collection is named by its whole name, as the bound of what is searched; a word of it that only occurs says nothing.
"""

import re
from collections.abc import Mapping, Sequence

from evidence.language.rules import every
from evidence.language.scripts import has_cjk
from evidence.language.terms import terms

_WORD = re.compile(r"[^\W_](?:[\w&-]*[^\W_])?")
_IN = frozenset("in across within among throughout from over of for".split())
_ALL = frozenset("all every each any our both".split())
_ONE_BY_ONE = frozenset("every each any".split())
_ENDS = re.compile(
    r"^\s*(?:[,.;:?!)\"”]|$|(?:that|which|where|whose|with|without|have|has|contain\w*|mention\w*|allow\w*|permit\w*"
    r"|require\w*|provide\w*|include\w*|state\w*|say\w*|set|give\w*|what|who|and|or|do|does|is|are|was|were|there)\b)",
    re.IGNORECASE,
)
_STOPS = re.compile(r"^\s*(?:[,.;:?!)\"”]|$)")
_HOLDER = re.compile(r"^\s+(?:dataset|data set|knowledge base|collection|library|folder)s?\b", re.IGNORECASE)
_BEFORE_CJK = re.compile(rf"(?:^|[，,。：:；;？?、「『《“\s]|{every('scope_before', spaced=False)})$")
_AFTER_CJK = re.compile(rf"^[」』》”]?(?:{every('scope_after', spaced=False)})")

type _Places = Mapping[str | tuple[str, ...], Sequence[int]]  # of the words of a question, by their forms


def named_scopes(text: str, names: Sequence[str]) -> tuple[int, ...]:
    """The places of the names that bound what the question asks for."""
    words = list(_WORD.finditer(text))
    places: dict[str | tuple[str, ...], list[int]] = {}
    for at, word in enumerate(words):
        for form in _forms(word[0]):
            places.setdefault(form, []).append(at)
    return tuple(
        at
        for at, name in enumerate(map(str.strip, names))
        if name and (_bounds_cjk(text, name) if has_cjk(name) else _bounds(text, name, words, places))
    )


def _bounds_cjk(text: str, name: str) -> bool:
    end = 0
    while (start := text.find(name, end)) >= 0:
        end = start + len(name)
        if _BEFORE_CJK.search(text[max(0, start - 4) : start]) and _AFTER_CJK.match(text[end : end + 20]):
            return True
    return False


def _bounds(text: str, name: str, words: Sequence[re.Match[str]], places: _Places) -> bool:
    name_words = _WORD.findall(name.replace("_", " "))
    size = len(name_words)
    first = {at for word in name_words[:1] for form in _forms(word) for at in places.get(form, ())}
    return any(
        all(
            _forms(match[0]) & _forms(word)
            for match, word in zip(words[at : at + size], name_words, strict=True)
        )
        and _is_bound(text, words, at, size, name_words[-1])
        for at in first
        if at + size <= len(words)
    )


def _forms(word: str) -> frozenset[str | tuple[str, ...]]:
    """What a word is known by: its letters, and its terms where it has any."""
    return frozenset((word.casefold(), tuple(terms(word)) or word.casefold()))


def _is_bound(text: str, words: Sequence[re.Match[str]], at: int, size: int, last: str) -> bool:
    """Whether the words stand as a bound: "in all …", "across the …", "which … allow", "in the … collection"."""
    before = [word[0].casefold() for word in words[max(0, at - 4) : at]]
    after = text[words[at + size - 1].end() :]
    the = bool(before) and before[-1] in {"the", "these", "those"}
    lead = before[:-1] if the else before
    every = bool(lead) and (lead[-1] in _ALL or lead[-2:] == ["all", "of"])
    inside = bool(lead) and (lead[-1] in _IN or any(word in _IN for word in lead[-3:-1]))
    one = words[at + size - 1][0].casefold() != last.casefold() and not words[at + size - 1][0].endswith("s")
    if one and not (every and lead[-1] in _ONE_BY_ONE):
        return False  # of "agreements" one is no bound, but each is
    if (the or every) and inside and _HOLDER.match(after):
        return True
    if every or (
        lead and lead[-1] in {"across", "throughout", "which"} and (the or size > 1 or lead[-1] == "which")
    ):
        return _ENDS.match(after) is not None
    return the and inside and (_ENDS if size > 1 else _STOPS).match(after) is not None
