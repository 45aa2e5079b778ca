"""English noun phrases that name documents: "the lease between A and B", "Acme's privacy policy of 2021".

A small hand-written recogniser over words: around a word for a kind of document it grows left over modifiers and
owners, and right over "between A and B", "with A", "in New York". No dictionary of names, no model.
"""

import re
from dataclasses import dataclass
from functools import cached_property

from evidence.language.editions import NOUN
from evidence.language.function_words import SCAFFOLD, STOP
from evidence.language.named_parties import UNITS
from evidence.language.scripts import has_cjk
from evidence.language.terms import terms_of
from evidence.model import Span

_SUFFIX = r"(?:Inc|LLC|Ltd|Corp|Co|LLP|PLC|GmbH|Limited)\b\.?"
_WORD = re.compile(
    rf"(?:,\s)?{_SUFFIX}(?:['’]s)?|[\w&](?:[\w&./+-]*[\w&+])?(?:['’]s\b|(?<=s)['’](?!\w)|['’]\w+)?"
)
_POSSESSIVE = re.compile(r"['’]s?$")
_EDITION = re.compile(rf"^{NOUN}\b|\b{NOUN}$")
_COUNTED = re.compile(r"\d|\b(?:last|final|first|one|two|three|five|ten)\b")  # of minutes that pass
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
_OF = frozenset(
    """university bank ministry department state city terms code articles memorandum statement college institute board
    office house republic kingdom church court society""".split()
)
_OF_WHAT = frozenset("minutes report reports transcript memo".split())
_PARTS = frozenset(
    "section article clause exhibit schedule annex appendix paragraph chapter part page".split()
)
_ROLES = frozenset(
    """receiving disclosing party parties confidential information recipient discloser other third the each
    employee employees company""".split()
)
_ORDERS = frozenset(
    """compare contrast consider considering summarise summarize describe list explain find show give tell identify
    outline name across regarding concerning review check verify enumerate does quote cite""".split()
)


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
        """A function word; "ON", "IT" and the month of May inside a sentence are names."""
        if not self.first and (self.text == "May" or (self.text.isupper() and len(self.text) > 1)):
            return False
        found = terms_of(self.text)
        return (self.low in _ORDERS and (self.first or not self.capital)) or all(
            term in STOP for term in found
        )

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


@dataclass(frozen=True, slots=True)
class Phrase:
    """`span` in the text with its article; `name` without; `sure` when a proper name is in it."""

    span: Span
    name: str
    sure: bool


def words_of(text: str) -> list[Word]:
    found: list[Word] = []
    for match in _WORD.finditer(text):
        if has_cjk(match.group()):
            continue
        before = text[: match.start()].rstrip(" \t\"'“‘(")
        found.append(Word(match.group(), *match.span(), not before or before[-1] in ".?!;:\n。；：？！"))
    return found


def _adjacent(text: str, left: Word, right: Word) -> bool:
    return text[left.end : right.start].strip() in {"", '"', "/"}


def name_run(text: str, found: list[Word], at: int, joiners: str = "of the de la für & and") -> int:
    """The index after the run of capitalised words that begins at `at`; `at` when there is none."""
    end, joining = at, joiners.split()
    while end < len(found) and (end == at or _adjacent(text, found[end - 1], found[end])):
        if found[end].capital and not (found[end].stop and found[end].low not in _THE):
            end += 1
            continue
        ahead = end + 1
        joins = end > at and found[end].low in joining and ahead < len(found)
        if joins and found[end].low == "of" and found[ahead].low == "the" and ahead + 1 < len(found):
            ahead += 1
        if not (joins and found[ahead].capital and not found[ahead].stop and not found[ahead].owner):
            break
        end = ahead
    return end


def _party(text: str, found: list[Word], at: int, most: int = 3) -> int:
    """The index after one party's name; a lower-case name has at most `most` words; `at` when none."""
    start = at + (at < len(found) and found[at].low == "the")
    end = name_run(text, found, at, "of de la für &")
    if end <= start:
        end = start
        while end < min(len(found), start + most) and _plain(found[end]) and _joined(text, found, start, end):
            end += 1
    inside = found[start:end]
    refused = any(w.kind or w.owner for w in inside) or all(w.low in _ROLES for w in inside)
    return at if refused or _heads(text, found, end) or _an_edition(inside) else end


def _heads(text: str, found: list[Word], at: int) -> bool:
    """Whether the words before `at` only describe a kind that comes next, as in "with the remote work policy"."""
    low = at > 0 and not found[at - 1].capital
    while low and at < len(found) and _plain(found[at]) and _adjacent(text, found[at - 1], found[at]):
        at += 1
    return 0 < at < len(found) and found[at].kind and _adjacent(text, found[at - 1], found[at])


def _an_edition(words: list[Word]) -> bool:
    """ "with version 2" and "with the 2023 edition" are no party."""
    return bool(words) and _EDITION.search(said(words)) is not None


def _plain(word: Word) -> bool:
    return not word.stop and not word.framing


def _joined(text: str, found: list[Word], start: int, end: int) -> bool:
    return end == start or _adjacent(text, found[end - 1], found[end])


def _parties(text: str, found: list[Word], at: int) -> int:
    """The index after "A and B" or "A, B and C"; where a lower-case name ends, the one before it tells."""
    end = _party(text, found, at)
    most = max(1, end - at)
    if end >= len(found) or found[end].low not in {"and", "&"}:
        end = _party(text, found, at, 1)
    while end > at and end < len(found):
        gap = text[found[end - 1].end : found[end].start].strip()
        if found[end].low in {"and", "&"} and gap in {"", ","}:
            return max(end, _party_after(text, found, end, most))
        after = _party(text, found, end, most) if gap == "," else end
        if after == end or not any(w.low == "and" for w in found[after : after + 1]):
            return end
        end = after
    return end


def _party_after(text: str, found: list[Word], joiner: int, most: int) -> int:
    after = _party(text, found, joiner + 1, most)
    return after if after > joiner + 1 else 0


def _right(text: str, found: list[Word], at: int) -> int:
    """The index after all that belongs to the kind at `at` on its right."""
    end = at + 1
    while end < len(found) and _adjacent(text, found[end - 1], found[end]):
        word, after = found[end], end
        if word.low in {"between", "among", "with"}:
            after = _parties(text, found, end + 1)
        elif word.low in {"of", "for", "in", "from", "by", "dated", "at", "on"}:
            after = _meeting(found, end + 1) if found[at].low in _OF_WHAT else end + 1
            after = _named_unit(text, found, end + 1) if after == end + 1 else after
            inside = found[end + 1 : after]
            after = end + 1 if all(w.low in _ROLES for w in inside) or any(w.owner for w in inside) else after
        elif word.capital and not word.stop and word.low not in _PARTS and not word.owner:
            end += 1
            continue
        if after <= end + 1:
            break
        end = after
    return end


def _named_unit(text: str, found: list[Word], at: int) -> int:
    """The index after "Berlin" or "the Berlin office"; `at` when it is none."""
    the = at < len(found) and found[at].low == "the"
    end = name_run(text, found, at + the)
    if end < len(found) and end > at + the and found[end].low in UNITS and _joined(text, found, at, end):
        return end + 1
    return at if the and (end < at + 3 or found[end - 1].low not in UNITS) else end


def _meeting(found: list[Word], at: int) -> int:
    """The index after "the board meeting" in "minutes of the board meeting"; `at` when it is none."""
    end = at + 1
    if at >= len(found) or found[at].low != "the":
        return at
    while end < len(found) and end < at + 4 and _plain(found[end]):
        end += 1
    return end if end > at + 1 else at


def _left(text: str, found: list[Word], at: int, floor: int) -> int:
    """The index of the first word that belongs to the kind at `at`."""
    start, named = at, found[at].capital
    while start > floor and _adjacent(text, found[start - 1], found[start]):
        word = found[start - 1]
        if word.low in {"and", "&", "of"}:
            before = found[start - 2] if start - 2 >= floor else None
            if before is None or not _joins(before, found[start], word):
                break
            start -= 2
            continue
        if word.stop or word.low in _THE or (word.framing and (not word.capital or word.first)):
            break
        if not word.capital and ((named and found[start].capital and not word.owner) or at - start > 3):
            break
        start, named = start - 1, named or word.capital
    return start


def _joins(before: Word, after: Word, joiner: Word) -> bool:
    if not (before.capital and after.capital) or before.stop or before.owner:
        return False
    return joiner.low != "of" or not before.first or before.low in _OF


def said(run: list[Word]) -> str:
    return " ".join(word.low for word in run)


def phrases(text: str) -> list[Phrase]:
    """The noun phrases around kinds of documents that say which one, in order."""
    found, kept, floor = words_of(text), [], 0
    at = 0
    while at < len(found):
        if not found[at].kind:
            at += 1
            continue
        start = _left(text, found, at, floor)
        while (
            at + 1 < len(found)
            and found[at + 1].kind
            and not found[at].owner
            and _joined(text, found, at, at + 1)
        ):
            at += 1
        end = at + 1 if found[at].owner else _right(text, found, at)
        phrase = _phrase(text, found, start, at, end)
        if phrase:
            kept.append(phrase)
        floor = at = end
    return kept


def _phrase(text: str, found: list[Word], start: int, at: int, end: int) -> Phrase | None:
    article = found[start - 1].low if start else ""
    modifiers = [word for word in found[start:at] if not word.kind]
    if found[at].low == "minutes" and _COUNTED.search(said(modifiers)):
        return None
    sure = any(w.capital or w.owner for w in modifiers) or end > at + 1
    begins = start - 1 if article in _THE and _adjacent(text, found[start - 1], found[start]) else start
    weak = article in _THE and modifiers and not found[at].low.endswith("s")
    if not sure and not weak:
        return None
    if article in _ANY and not any(w.capital or w.owner for w in modifiers):
        return None
    owned = _POSSESSIVE.search(found[at].text) if end == at + 1 else None
    span = Span(found[begins].start, found[end - 1].end - (len(owned.group()) if owned else 0))
    return Phrase(span, text[found[start].start : span.end], sure)
