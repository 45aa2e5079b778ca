"""Noun phrases that name documents: "the lease between A and B", "Acme's privacy policy of 2021".

A small hand-written recogniser: around an English word for a kind of document it grows left over modifiers and owners,
and right over "between A and B", "with A", "in New York". In Chinese and Japanese, where no blanks stand between words,
a kind ends a name. No dictionary of names, no model.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from evidence.language.editions import EDITION_CJK, EDITION_NOUNS
from evidence.language.function_words import SCAFFOLD, STOP
from evidence.language.named_parties import PARTY_WORDS, UNITS
from evidence.language.rules import every
from evidence.language.scripts import has_cjk
from evidence.language.tables import LANGUAGES
from evidence.language.terms import terms_of
from evidence.model import Span

_SUFFIX = r"(?:Inc|LLC|Ltd|Corp|Co|LLP|PLC|GmbH|Limited)\b\.?"
_WORD = re.compile(
    rf"(?:,\s)?{_SUFFIX}(?:['’]s)?|[\w&](?:[\w&./+-]*[\w&+])?(?:['’]s\b|(?<=s)['’](?!\w)|['’]\w+)?"
)
_POSSESSIVE = re.compile(r"['’]s?$")
_SURE = frozenset(
    """agreement agreements contract contracts nda ndas policy policies handbook manual minutes lease leases memorandum
    mou sow msa sla dpa charter bylaws addendum amendment guideline guidelines regulation regulations directive
    whitepaper deed licence license proposal specification memo questionnaire brochure prospectus readme faq
    rfp sop treaty handbooks manuals report reports transcript""".split()
)
_CAPITAL = frozenset(
    """terms code statement letter order notice certificate act guide plan procedure form rules paper declaration
    resolution constitution conditions standard schedule annex appendix plans""".split()
)
_THE = frozenset("the our my your their his her its".split())
_ANY = frozenset("a an this that these those each every any which what all no some such both either".split())


@dataclass(frozen=True, slots=False)
class Word:
    """One word with its place; `first` where a sentence begins."""

    text: str
    start: int
    end: int
    first: bool

    @cached_property
    def low(self) -> str:
        return self.text.casefold()

    @cached_property
    def stop(self) -> bool:
        """A function word, or "Compare" at the beginning; "ON", "IT" and "May" inside a sentence are names."""
        if not self.first and (self.text == "May" or (self.text.isupper() and len(self.text) > 1)):
            return False
        return (self.first and self.framing) or all(term in STOP for term in terms_of(self.text))

    @cached_property
    def framing(self) -> bool:
        return all(term in SCAFFOLD for term in terms_of(self.text))

    @cached_property
    def capital(self) -> bool:
        return any(letter.isupper() or letter.isdigit() for letter in self.text)

    @cached_property
    def owner(self) -> bool:
        return self.text.endswith(("'s", "’s", "s'", "s’"))

    @cached_property
    def kind(self) -> bool:
        bare = _POSSESSIVE.sub("", self.low)
        return bare in _SURE or (bare in _CAPITAL and self.text[0].isupper())


def words_of(text: str) -> list[Word]:
    """The words of scripts with blanks, in order."""
    words: list[Word] = []
    for match in _WORD.finditer(text):
        if has_cjk(match.group()):
            continue
        before = text[: match.start()].rstrip(" \t\"'“‘(")
        words.append(Word(match.group(), *match.span(), not before or before[-1] in ".?!;:\n。；：？！"))
    return words


def english_phrases(text: str) -> list[Span]:
    """The noun phrases around kinds of documents that say which one, in order."""
    words, spans = words_of(text), list[Span]()
    at = floor = 0
    while at < len(words):
        if words[at].kind:
            start = _left(text, words, at, floor)
            while at + 1 < len(words) and words[at + 1].kind and _adjacent(text, words, at + 1):
                at += 1  # "license agreement"
            end = at + 1 if words[at].owner else _right(text, words, at)
            if span := _span(text, words, start, at, end):
                spans.append(span)
                floor = end
            at = end
        else:
            at += 1
    return spans


def _adjacent(text: str, words: Sequence[Word], at: int) -> bool:
    """Whether nothing but blanks stands between a word and the one before."""
    return text[words[at - 1].end : words[at].start].strip() in {"", '"', "/"}


def name_run(text: str, words: Sequence[Word], at: int, joiners: Sequence[str]) -> int:
    """The index after the run of capitalised words that begins at `at`; `at` where there is none."""
    end = at
    while end < len(words) and (end == at or _adjacent(text, words, end)):
        ahead = end
        if end > at and words[end].low in joiners and end + 1 < len(words):
            ahead = end + 1
        if not words[ahead].capital or words[ahead].stop or (ahead > end and words[ahead].owner):
            break
        end = ahead + 1
    return end


def _name(text: str, words: Sequence[Word], at: int, small: int = 0) -> int:
    """The index after a party or a place, "the" before and "office" behind included; `at` where none is named.

    A name in small letters has at most so many words.
    """
    start = at + (at < len(words) and words[at].low == "the")
    end = name_run(text, words, start, ("of", "de", "la", "für", "&"))
    if end == start and small:
        end = min(start + small, _small_run(text, words, start))
    name = words[start:end]
    anybody = bool(name) and name[-1].low in PARTY_WORDS and (start > at or len(name) == 1)
    if not name or anybody or any(word.kind or word.owner or word.low in EDITION_NOUNS for word in name):
        return at
    return end + (end < len(words) and words[end].low in UNITS and _adjacent(text, words, end))


def _small_run(text: str, words: Sequence[Word], at: int) -> int:
    """The index after words of content; `at` where they only describe a kind, as in "with the remote work policy"."""
    end = at
    while end < len(words) and not words[end].framing and (end == at or _adjacent(text, words, end)):
        end += 1
    return at if end < len(words) and words[end].kind and _adjacent(text, words, end) else end


def _parties(text: str, words: Sequence[Word], at: int) -> int:
    """The index after "A" or "A and B"; `at` where no party is named. In small letters the first one tells."""
    end = _name(text, words, at, 3)
    if end < len(words) and words[end].low not in {"and", "&"}:
        end = _name(text, words, at, 1)
    small = max(1, end - at)
    while at < end < len(words) and words[end].low in {"and", "&"}:
        after = _name(text, words, end + 1, small)
        if after == end + 1:
            break
        end = after
    return end


def _right(text: str, words: Sequence[Word], at: int) -> int:
    """The index after all that belongs to the kind at `at` on its right."""
    end = at + 1
    while end < len(words) and _adjacent(text, words, end):
        word, after = words[end], end + 1
        if word.capital and not word.stop and not word.owner:
            end = after
            continue
        if word.low in {"between", "among", "with"}:
            after = _parties(text, words, end + 1)
        elif word.low in {"of", "for", "in", "from", "by", "dated", "at", "on"}:
            after = _name(text, words, end + 1)
        if after == end + 1:
            break
        end = after
    return end


def _left(text: str, words: Sequence[Word], at: int, floor: int) -> int:
    """The index of the first word that belongs to the kind at `at`."""
    start, named = at, words[at].capital
    while start > floor and _adjacent(text, words, start):
        word = words[start - 1]
        if word.low in {"and", "&", "of"}:
            before = words[start - 2] if start - 2 >= floor else word
            if not (before.capital and words[start].capital) or before.stop or before.owner:
                break
            start -= 2
            continue
        if word.stop:
            break
        if not word.capital and ((named and words[start].capital and not word.owner) or at - start > 3):
            break
        start, named = start - 1, named or word.capital
    return start


def _span(text: str, words: Sequence[Word], start: int, at: int, end: int) -> Span | None:
    """The span of the words from `start` to `end` around the kind at `at`, if they say which document is meant."""
    article = words[start - 1].low if start else ""
    if start < at and words[at - 1].text.isdigit() and len(words[at - 1].text) < 4:
        return None  # "5 minutes"
    named = any(word.capital or word.owner for word in words[start:at])
    weak = article in _THE and start < at and not words[at].low.endswith("s")
    if not (named or weak or end > at + 1) or (article in _ANY and not named):
        return None
    begins = start - 1 if article in _THE and _adjacent(text, words, start) else start
    owned = _POSSESSIVE.search(words[at].text) if end == at + 1 else None
    return Span(words[begins].start, words[end - 1].end - (len(owned[0]) if owned else 0))


# --- Chinese and Japanese ------------------------------------------------------------------------------------

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


def cjk_phrases(text: str) -> list[Span]:
    """Where documents are named by a word for their kind; a bare kind, and "which contracts", name none."""
    return [span for span in map(_trimmed, _NAME.finditer(text)) if span is not None]


def _trimmed(match: re.Match[str]) -> Span | None:
    lead = _LEAD.match(match.group())
    start = match.start() + (lead.end() if lead else 0)
    name = match.string[start : match.end()]
    if not name or name[0] in _OF or _ASKING.search(name) or _BARE.fullmatch(name) or _GENERIC.match(name):
        return None
    return Span(start, match.end())
