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
EDITION_NOUN = rf"(?:{'|'.join(EDITION_NOUNS)})"
_NUMBER = r"\d{1,4}(?:\.\d{1,9}){0,5}(?![\w%])"
_YEAR = r"(?:19|20)\d\d(?!\w)"
_AGE = r"(?:older|oldest|old|newer|newest|new|previous|prior|former|current|latest|original)\b"
_ORDINAL = r"(?:first|second|third|fourth|fifth|1st|2nd|3rd|[4-9]th)\b"
_ITEM = (  # "versions 1", "v2.1"; "2021 edition", "old", "second version"; "2"
    rf"(?:(?:{EDITION_NOUN}s?|(?:v|ver|rev)\.?) ?{_NUMBER}"
    rf"|(?:{_YEAR}|{_AGE}|{_ORDINAL})(?: {EDITION_NOUN}s?\b)?|{_NUMBER})"
)
_JOIN = r"(?: ?[,&/(] ?| )(?:(?:and|or|vs\.?|versus|with|to|against|from|in|of|that|the|one|our|its) ){0,4}"
_BEFORE = re.compile(
    rf"(?<![\w.])(?P<group>{_ITEM}(?:{_JOIN}{_ITEM}){{0,7}})"
    r" (?:(?:and|or|vs\.?|versus|of|in|from|to|for) )?(?:the |our )?$",
    re.IGNORECASE,
)
_FIRST = re.compile(
    rf"(?:the |our )?(?P<group>(?:{_YEAR}|{_AGE})(?:{_JOIN}(?:{_YEAR}|{_AGE})){{0,7}}) (?=\w)", re.IGNORECASE
)
_LAST = re.compile(
    rf" (?:of |from )?(?P<group>{_YEAR}|v\.? ?{_NUMBER}|{EDITION_NOUN} ?{_NUMBER})$", re.IGNORECASE
)
_AFTER = re.compile(rf"(?P<group>(?:{_JOIN}{_ITEM}){{1,8}})\)?(?! (?:of|in|for) )", re.IGNORECASE)
_ANOTHER = re.compile(rf"\bthe (?P<group>{_AGE}|{_YEAR}) one\b", re.IGNORECASE)
_ITEMS = re.compile(rf"(?<![\w.]){_ITEM}", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:the|our) ", re.IGNORECASE)
_EXPLAINED = re.compile(rf"\b(?:{EDITION_NOUN}s?\b|(?:v|ver|rev)\.? ?\d)", re.IGNORECASE)
_NOUN = re.compile(EDITION_NOUN, re.IGNORECASE)
_NUMBERED = re.compile(rf"{_NUMBER}$")
_UNNUMBERED = re.compile(rf"{_YEAR}$|{_ORDINAL}", re.IGNORECASE)

EDITION_CJK = rf"(?:{every('edition', spaced=False)})"  # what may stand right of a name
_CJK_OF = rf"(?:{every('of', spaced=False)})"
_CJK_AND = rf"(?: ?(?:{every('edition_join', spaced=False)}|、|，|,|/) ?)"
_CJK_GROUP = rf"(?P<group>{EDITION_CJK}(?:{_CJK_AND}{EDITION_CJK}){{0,7}})"
_CJK_AFTER = re.compile(rf"{_CJK_OF}?\s?[（(]?{_CJK_GROUP}[）)]?")
_CJK_INSIDE = re.compile(rf"{_CJK_OF}?{_CJK_GROUP}{_CJK_OF}?(?=\S{{2}})")
_CJK_BEFORE = re.compile(rf"{_CJK_GROUP}{_CJK_OF}\s?[《『「]?$")
_CJK_ITEMS = re.compile(EDITION_CJK)


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
        name = text[span.start : span.end]
        widened = _cjk if has_cjk(name) else _latin
        editions.append(widened(text[floor : span.start], name, text[span.end : ceiling], span))
    return editions if sum(len(named.names) for named in editions) > 1 else plain


def _latin(before: str, name: str, after: str, span: Span) -> Named:
    """Editions in front of a name, in it at either end, behind it, or told apart from it: "from the old one"."""
    left, right = _BEFORE.search(before), _AFTER.match(after)
    first, last = _FIRST.match(name), _LAST.search(name)
    own = first or last
    other = None if right else _ANOTHER.search(after)
    left, right = (
        near if near and (own or _EXPLAINED.search(near["group"])) else None for near in (left, right)
    )
    signs = [sign["group"] for sign in (left, own, right, other if own else None) if sign]
    items = [item for sign in signs for item in _ITEMS.findall(sign)]
    if not items or (own and len(items) < 2):
        return Named(span, (name,))
    bare = name[first.end() :] if first else _ARTICLE.sub("", name[: last.start()] if last else name)
    noun = _NOUN.search(" ".join(signs))
    kind = noun[0].casefold() if noun else "version"
    start = span.start - (len(before) - left.start() if left else 0)
    widened = Span(start, span.end + (right.end() if right else 0))
    return Named(widened, tuple(f"{_spelled(item, kind)} of the {bare.strip()}" for item in items))


def _spelled(item: str, kind: str) -> str:
    if (number := _NUMBERED.search(item)) and not _UNNUMBERED.match(item):
        return f"{kind} {number[0]}"
    return item.removesuffix("s") if _NOUN.search(item) else f"{item} {kind}"


def _cjk(before: str, name: str, after: str, span: Span) -> Named:
    start, end, group = span.start, span.end, ""
    if right := _CJK_AFTER.match(after):
        end, group = end + right.end(), right["group"]
    elif inside := _CJK_INSIDE.search(name):
        end = start + inside.end() if inside.start() else end
        name, group = name[: inside.start()] or name[inside.end() :], inside["group"]
    elif left := _CJK_BEFORE.search(before):
        start, group = start - len(before) + left.start(), left["group"]
    bare = name.strip("《》『』「」")
    return Named(Span(start, end), tuple(f"{bare}{item}" for item in _CJK_ITEMS.findall(group)) or (name,))
