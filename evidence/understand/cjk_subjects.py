"""Words that name documents in Chinese and Japanese, where no blanks stand between words: "the lease of A and B"."""

import re

from evidence.language.editions import EDITION_CJK
from evidence.language.rules import every
from evidence.language.tables import LANGUAGES
from evidence.model import Span

_WRITTEN = every("document_kind", spaced=False)
_FIRST = "".join(dict.fromkeys(kind[0] for kind in _WRITTEN.split("|")))  # looked at before all the words
_KIND = rf"(?=[{_FIRST}])(?:{_WRITTEN})"
# What may stand right of a name: then the kind is its head, and not part of a longer word.
_AFTER = rf"(?=$|[,，、；;：:？?。\s]|{every('after_kind', spaced=False)}|{EDITION_CJK})"
_OF = "".join(table.rules["of"] for table in LANGUAGES.values() if not table.spaced)
_WITH = every("conjunction", spaced=False)
_KANJI = r"[\u3400-\u9fff\u30a0-\u30ff\u30fcA-Za-z0-9０-９（）()\-_.·]"
_OWNED = rf"(?:(?![{_OF}]){_KANJI})"
_OWNER = (
    rf"(?:(?=(?:{_OWNED}|{_WITH}){{1,31}}+[{_OF}])"
    rf"(?:{_OWNED}{{1,16}}+|{_OWNED}{{1,14}}(?:{_WITH}){_OWNED}{{1,16}}+)[{_OF}]++)?"
)
_NAME = re.compile(rf"{_OWNER}{_KANJI}{{0,14}}?{_KIND}{_AFTER}")
_LEAD = re.compile(rf"^(?:{every('lead_in', spaced=False)})++")
_ASKING = re.compile(every("asks_which", spaced=False))
_BARE = re.compile(_KIND)
_GENERIC = re.compile(rf"^(?:{every('any_document', spaced=False)}).{{0,3}}?{_KIND}$")


def _trimmed(match: re.Match[str]) -> Span | None:
    name, start = match.group(), match.start()
    lead = _LEAD.match(name)
    if lead:
        name, start = name[lead.end() :], start + lead.end()
    if not name or name[0] in _OF or _ASKING.search(name) or _BARE.fullmatch(name) or _GENERIC.match(name):
        return None
    return Span(start, match.end())


def cjk_phrases(text: str) -> list[Span]:
    """Where documents are named by a word for their kind; a bare kind, and "which contracts", name none."""
    return [span for span in map(_trimmed, _NAME.finditer(text)) if span is not None]


_SIDE = r"[^\s，,。：:；;？?、《》「」]{2,14}?"
_COMPARED = re.compile(rf"(?P<a>{_SIDE})(?:{_WITH})(?P<b>{_SIDE})(?:{every('compared', spaced=False)})")
FIRM = re.compile(rf"{every('firm', spaced=False)}|[A-Z]")


def cjk_compared(text: str) -> list[Span]:
    """The two sides of a comparison that look like names of firms."""
    match = _COMPARED.search(text)
    if match is None:
        return []
    lead = _LEAD.match(match["a"])
    first = Span(
        match.start("a") + (lead.end() if lead and lead.end() < len(match["a"]) else 0), match.end("a")
    )
    second = Span(*match.span("b"))
    both = (text[first.start : first.end], text[second.start : second.end])
    return [first, second] if all(FIRM.search(name) for name in both) else []
