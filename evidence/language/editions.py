"""Several editions of one named document: "version 1 and version 2 of the lease".

Each edition that a question names is a document of its own. Only words that stand right at the name of a document
count: "TLS version 1 and version 2" are no editions of the policy that speaks of them.
"""

import re
from dataclasses import dataclass

from evidence.language.rules import every
from evidence.language.scripts import has_cjk
from evidence.model import Span

EDITION_NOUNS = ("version", "edition", "revision", "release", "issue", "draft")
NOUN = rf"(?:{'|'.join(EDITION_NOUNS)})"
_NUMBER = r"\d{1,4}(?:\.\d{1,9}){0,5}(?![\w%])"
_YEAR = r"(?:19|20)\d\d(?!\w)"
_AGE = r"(?:older|oldest|old|newer|newest|new|previous|prior|former|current|latest|original)\b"
_ORDINAL = r"(?:first|second|third|fourth|fifth|1st|2nd|3rd|[4-9]th)\b"
_THE = r"(?:the |our |its )?"
_ITEM = (
    rf"(?:(?:{NOUN}s?|(?:v|ver|rev)\.?) ?{_NUMBER}"
    rf"|(?:{_YEAR}|{_AGE}|{_ORDINAL})(?: {NOUN}s?\b)?|{_NUMBER})"
)
_AND = rf"(?: ?(?:,|&|/) ?| )(?:(?:and|or|vs\.?|versus|with|to|against|from) )?{_THE}"
_MORE = "{0,7}"  # of eight editions at most
_GROUP = rf"{_THE}{_ITEM}(?:{_AND}{_ITEM}){_MORE}"
_OF = re.compile(rf"(?<![\w.])(?P<group>{_GROUP}) (?:of|in|from|to|for) (?:the |our )?$", re.IGNORECASE)
_BEFORE = re.compile(rf"(?<![\w.])(?P<group>{_THE}(?:{_YEAR}|{_AGE}))(?P<and>{_AND})$", re.IGNORECASE)
_OPENING = re.compile(
    rf"^(?P<group>{_THE}(?:{_YEAR}|{_AGE})(?:{_AND}(?:{_YEAR}|{_AGE})){_MORE}) (?=\w)", re.IGNORECASE
)
_AFTER = re.compile(rf"^ ?[,(]? ?(?:in )?(?P<group>{_GROUP})\)?", re.IGNORECASE)
_ENDING = re.compile(
    rf" (?:of |from |dated )?(?P<group>{_YEAR}|v\.? ?{_NUMBER}|{NOUN} ?{_NUMBER})$", re.IGNORECASE
)
_FURTHER = re.compile(
    rf"^(?P<group>(?:{_AND}(?:that |the one |those )?(?:of |from )?{_ITEM}){{1,8}})", re.IGNORECASE
)
_ANOTHER = re.compile(
    rf"\bthe (?P<age>{_AGE}|{_YEAR}) one\b|\b(?:the one|that) (?:of|from) (?P<year>{_YEAR})",
    re.IGNORECASE,
)
_ITEMS = re.compile(rf"(?<![\w.]){_ITEM}", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:the|our) ", re.IGNORECASE)
_EXPLAINED = re.compile(rf"\b(?:{NOUN}s?\b|(?:v|ver|rev)\.? ?\d)", re.IGNORECASE)
_NOUN = re.compile(NOUN, re.IGNORECASE)
_NUMBERED = re.compile(rf"{_NUMBER}$")
_IS_YEAR = re.compile(_YEAR)
_IS_ORDINAL = re.compile(_ORDINAL)

_CJK_ITEM = rf"(?:{every('edition', spaced=False)})"
_CJK_OF = rf"(?:{every('of', spaced=False)})"
_CJK_AND = rf"(?: ?(?:{every('edition_join', spaced=False)}|、|，|,|/) ?)"
_CJK_GROUP = rf"{_CJK_ITEM}(?:{_CJK_AND}{_CJK_ITEM}){_MORE}"
EDITION_CJK = _CJK_ITEM  # what may stand right of a name
_CJK_AFTER = re.compile(rf"^{_CJK_OF}?\s?[（(]?(?P<group>{_CJK_GROUP})[）)]?")
_CJK_OPENING = re.compile(rf"^(?P<group>{_CJK_GROUP}){_CJK_OF}?(?=\S{{2}})")
_CJK_INSIDE = re.compile(
    rf"^(?P<name>.{{2,}}?){_CJK_OF}?(?P<group>{_CJK_ITEM}(?:{_CJK_AND}{_CJK_ITEM}){{1,7}})(?=.)"
)
_CJK_BEFORE = re.compile(rf"(?P<group>{_CJK_GROUP}){_CJK_OF}\s?[《『「]?$")
_CJK_ITEMS = re.compile(_CJK_ITEM)


@dataclass(frozen=True, slots=True)
class Named:
    """`span` covers a name with its editions; `names` is one entry an edition, the name itself where there is none."""

    span: Span
    names: tuple[str, ...]


def with_editions(text: str, spans: list[Span]) -> list[Named]:
    """The named documents, each edition apart, if then there are several; else as they were.

    In the text single blanks stand between words.
    """
    plain = [Named(span, (text[span.start : span.end],)) for span in spans]
    editions: list[Named] = []
    for at, span in enumerate(spans):
        floor = editions[-1].span.end if editions else 0
        ceiling = spans[at + 1].start if at + 1 < len(spans) else len(text)
        editions.append(_widened(text[:ceiling], span, floor))
    return editions if sum(len(named.names) for named in editions) > 1 else plain


def _widened(text: str, span: Span, floor: int) -> Named:
    name = text[span.start : span.end]
    return (_cjk if has_cjk(name) else _latin)(text, span, floor, name)


def _latin(text: str, span: Span, floor: int, name: str) -> Named:
    before, after = text[floor : span.start], text[span.end :]
    bare = _ARTICLE.sub("", name)
    if (left := _OF.search(before)) and _is_edition(left["group"]):
        return Named(Span(floor + left.start(), span.end), _of(left["group"], bare))
    if opening := _OPENING.match(name):
        first = _BEFORE.search(before)
        group = f"{first['group']}, {opening['group']}" if first else opening["group"]
        if len(_ITEMS.findall(group)) > 1:
            start = floor + first.start() if first else span.start
            return Named(Span(start, span.end), _of(group, name[opening.end() :]))
    right = _AFTER.match(after)
    if right and _is_edition(right["group"]):
        return Named(Span(span.start, span.end + right.end()), _of(right["group"], bare))
    return _elsewhere(span, name, bare, after)


def _elsewhere(span: Span, name: str, bare: str, after: str) -> Named:
    """The name has one edition in it, and another is told apart from it: "and of 2023", "from the old one"."""
    opening, ending = _OPENING.match(name), _ENDING.search(name)
    own = opening or ending
    if own is None:
        return Named(span, (name,))
    rest = name[opening.end() :] if opening else bare[: -len(own[0])]
    further, another = _FURTHER.match(after), _ANOTHER.search(after)
    if further:
        return Named(
            Span(span.start, span.end + further.end()), _of(f"{own['group']}, {further['group']}", rest)
        )
    if another:
        return Named(span, _of(f"{own['group']}, {another['age'] or another['year']}", rest))
    return Named(span, (name,))


def _is_edition(group: str) -> bool:
    """A bare number or year beside a name may be anything: a word for an edition must explain it."""
    return _EXPLAINED.search(group) is not None


def _of(group: str, name: str) -> tuple[str, ...]:
    """ "versions 1 and 2" of a name as "version 1 of the name" and "version 2 of the name"."""
    noun = _NOUN.search(group)
    kind = noun[0].casefold() if noun else "version"
    return tuple(f"{_spelled(item, kind)} of the {name.strip()}" for item in _ITEMS.findall(group))


def _spelled(item: str, kind: str) -> str:
    number = _NUMBERED.search(item)
    if number and not _IS_YEAR.fullmatch(item) and not _IS_ORDINAL.match(item):
        return f"{kind} {number[0]}"
    return item.removesuffix("s") if _NOUN.search(item) else f"{item} {kind}"


def _cjk(text: str, span: Span, floor: int, name: str) -> Named:
    before, after = text[floor : span.start], text[span.end :]
    if right := _CJK_AFTER.match(after):
        return Named(Span(span.start, span.end + right.end()), _cjk_names(name, right["group"]))
    if opening := _CJK_OPENING.match(name):
        return Named(span, _cjk_names(name[opening.end() :], opening["group"]))
    if inside := _CJK_INSIDE.match(name):
        end = span.start + inside.end()
        return Named(Span(span.start, end), _cjk_names(inside["name"], inside["group"]))
    if left := _CJK_BEFORE.search(before):
        return Named(Span(floor + left.start(), span.end), _cjk_names(name, left["group"]))
    return Named(span, (name,))


def _cjk_names(name: str, group: str) -> tuple[str, ...]:
    bare = name.strip("《》『』「」")
    return tuple(f"{bare}{item}" for item in _CJK_ITEMS.findall(group))
