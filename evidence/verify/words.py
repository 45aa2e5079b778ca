"""
A text as the checks read it: its content words, made alike, with their opposites, and which of them it denies.

Words that may stand for each other have one term; a word that has an opposite knows on which side of the pair it is.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import groupby

from evidence.language.figures import Figure, figures
from evidence.language.function_words import STOP_OF
from evidence.language.opposites import ACTORS, LEXICONS, TOKENS, Sides
from evidence.language.rules import whole_by_language
from evidence.language.table import Rule
from evidence.language.tables import LANGUAGES
from evidence.language.terms import terms_of

OPEN, DENIED, UNDER_DENIAL = range(3)  # UNDER_DENIAL: it stands in such a clause, and nobody knows
LONGEST = 4_000  # characters of a text that are read
_HEADS = {"de": (2, 1), "ja": (0, 3)}  # words behind, and before, a "not" that it denies
_LONGEST_EXCERPT = 80
_CUT_WORD, _CUT_TAIL = (
    re.compile(r"^[^\s\u2e80-\uffef]{1,30}\s"),
    re.compile(r"(?<=\s)[^\s\u2e80-\uffef]{1,30}$"),
)
_VERBAL = re.compile(r"not|never|n['’]t", re.IGNORECASE)  # denies the word behind it and no more
_BACKWARDS = re.compile(r"nothing|nowhere|nichts", re.IGNORECASE)  # denies the word before it
_NOTHING_OF = re.compile(r"no|keine?", re.IGNORECASE)
_ADJUNCT = re.compile(r"\b(?:on|at|in|for|by|with|from|under|during)\b", re.IGNORECASE)
_EXCERPT = 32  # characters about a word that show where it stands
_HAN = re.compile(r"[\u3400-\u9fff\u30a1-\u30fa\u30fc]+")
_BREAK = re.compile(r"[.:](?!\d)|[;!?。；：！？\n]|[,，、](?!\d)")
_END = re.compile(r"[.;!?](?!\d)|[。；！？\n]")
_NUMBERING = re.compile(r"\s{0,3}\d{1,3}(?:\.\d{1,3}){0,3}\.?\s(?=\D)")  # of a clause
_GLUED = re.compile(r"[^\W\d_]-$")  # a number that is part of a name
_OPENERS = "|".join(opener for table in LANGUAGES.values() for opener in table.openings.values())
_OPENING = re.compile(rf"\W{{0,3}}(?:{_OPENERS})\s?[,.:;!，。：；！、]", re.IGNORECASE)
_NO_CONTENT: tuple[Rule, ...] = ("denies", "duty", "leave", "provided")
_READ: tuple[Rule, ...] = (
    *("denies", "denies_nothing", "clause_break", "duty", "leave"),
    *(
        "all",
        "each",
        "only",
        "partly",
        "provided",
        "otherwise",
        "unless",
        "because",
        "boilerplate",
        "narrows",
        "regardless",
    ),
)
_RULES = {rule: whole_by_language(rule) for rule in _READ}


@dataclass(frozen=True, slots=True)
class Word:
    """`clause` and `sentence` count from 0 what it stands in."""

    start: int
    end: int
    term: str
    sides: Sides = frozenset()
    clause: int = 0
    sentence: int = 0
    denied: int = OPEN
    kind: str = ""  # of a figure

    @property
    def is_figure(self) -> bool:
        return bool(self.kind)


@dataclass(frozen=True)
class Text:
    """`words` are in reading order, figures among them; `breaks` are where a clause begins."""

    text: str
    language: str
    words: tuple[Word, ...] = field(repr=False, default=())
    breaks: tuple[int, ...] = ()

    @cached_property
    def terms(self) -> frozenset[str]:
        return frozenset(word.term for word in self.words)

    @cached_property
    def denies(self) -> bool:
        return bool(_denying(self.text, self.language))

    @cached_property
    def conditions(self) -> tuple[tuple[int, int], ...]:
        """Where it says on what something depends, or that there is nothing else."""
        return (*self.places("provided"), *self.places("only"))

    @property
    def conditional(self) -> bool:
        return bool(self.conditions)

    def places(self, rule: Rule) -> tuple[tuple[int, int], ...]:
        return tuple(match.span() for match in _RULES[rule][self.language].finditer(self.text))

    def has(self, rule: Rule, start: int = 0, end: int = LONGEST) -> bool:
        return _RULES[rule][self.language].search(self.text, start, end) is not None

    def opens(self, rule: Rule, at: int) -> bool:
        return _RULES[rule][self.language].match(self.text, at) is not None

    def breaks_between(self, start: int, end: int) -> bool:
        low, high = sorted((start, end))
        return bisect_left(self.breaks, low) < bisect_left(self.breaks, high)

    def around(self, word: Word) -> str:
        """What stands about a word, of its sentence."""
        return self.around_place(word.start, word.end)

    def around_place(self, start: int, end: int) -> str:
        return excerpt(self.text, start, end)


def excerpt(text: str, start: int, end: int) -> str:
    """A place in a text with the words about it, of its sentence, on one line."""
    first, last = max(0, start - _EXCERPT), min(len(text), end + _EXCERPT)
    before, behind = _END.split(text[first:start])[-1], _END.split(text[end:last])[0]
    if first and before == text[first:start]:
        before = _CUT_WORD.sub("", before)
    if last < len(text) and behind == text[end:last]:
        behind = _CUT_TAIL.sub("", behind)
    if end - start > _LONGEST_EXCERPT:
        end, behind = start + _LONGEST_EXCERPT, "…"
    return " ".join(f"{before}{text[start:end]}{behind}".split())


@lru_cache(maxsize=512)
def read(text: str, language: str) -> Text:
    """A text of that language; what goes on after 4,000 characters is left out."""
    text = text[:LONGEST]
    number = _NUMBERING.match(text)
    figured = [
        figure
        for figure in figures(text)
        if figure.start >= (number.end() if number else 0)
        and not _GLUED.search(text, max(0, figure.start - 2), figure.start)
    ]
    taken = bytearray(len(text) + 1)
    for figure in figured:
        taken[figure.start : figure.end] = b"\1" * (figure.end - figure.start)
    breaks = sorted({at for at in _starts(text, _BREAK, _RULES["clause_break"][language]) if not taken[at]})
    ends = [at for at in _starts(text, _END) if not taken[at]]
    for rule in _NO_CONTENT:
        for match in _RULES[rule][language].finditer(text) if LANGUAGES[language].spaced else ():
            taken[match.start() : match.end()] = b"\1" * (match.end() - match.start())
    words = [word for word in _words(text, language) if word.sides or not taken[word.start]]
    for figure in figured:
        term = "#" + min(" ".join(map(str, reading)) for reading in figure.readings)
        words.append(Word(figure.start, figure.end, term, kind=_kind(figure)))
    words.sort(key=lambda word: word.start)
    placed = tuple(
        replace(word, clause=clause, sentence=sentence)
        for word, clause, sentence in zip(words, _counted(words, breaks), _counted(words, ends), strict=True)
    )
    return Text(text, language, tuple(_with_denials(text, placed, breaks, language)), tuple(breaks))


def _starts(text: str, *patterns: re.Pattern[str]) -> Iterator[int]:
    return (match.start() for pattern in patterns for match in pattern.finditer(text))


def _kind(figure: Figure) -> str:
    """Measures are of one kind where they measure the same."""
    return (
        f"measure {min(str(reading[0]) for reading in figure.readings)}"
        if figure.kind == "measure"
        else figure.kind
    )


def _counted(words: Sequence[Word], bounds: Sequence[int]) -> Iterator[int]:
    """For each word how many bounds stand before it."""
    number = 0
    for word in words:
        while number < len(bounds) and bounds[number] < word.start:
            number += 1
        yield number


def _words(text: str, language: str) -> Iterator[Word]:
    """Words that are listed or carry content; where there are no blanks, pairs of characters for the latter."""
    lexicon, spaced = LEXICONS[language], LANGUAGES[language].spaced
    taken = bytearray(len(text) + 2)
    for match in TOKENS[language].finditer(text):
        parts = (
            [term for part in match[0].split() for term in terms_of(part, language)]
            if spaced
            else [match[0].casefold()]
        )
        term = " ".join(parts)
        sides = lexicon.sides.get(term) or lexicon.sides.get(f"={match[0].casefold()}", frozenset())
        named = match.start() or text[match.end() + 1 : match.end() + 2].isupper()
        if named and spaced and match[0][:1].isupper() and language != "de":
            sides = frozenset()  # part of a name: South Africa
        listed = bool(sides) or term in lexicon.alike or term in ACTORS[language]
        if listed or (not set(parts) <= STOP_OF[language] if spaced else match[0].isascii()):
            taken[match.start() : match.end()] = b"\1" * (match.end() - match.start())
            yield Word(match.start(), match.end(), lexicon.alike.get(term, term), sides)
    for run in () if spaced else _HAN.finditer(text):
        for at in range(run.start(), run.end() - 1):
            if not taken[at] and not taken[at + 1]:
                yield Word(at, at + 2, text[at : at + 2])


# --- denials -----------------------------------------------------------------------------------------------


def _denying(text: str, language: str) -> list[tuple[int, int]]:
    """Where a text says "not", but for an opening "No," and phrases such as "not only"."""
    opening = _OPENING.match(text)
    idle = bytearray(len(text) + 1)
    for match in (*_RULES["denies_nothing"][language].finditer(text), *([opening] if opening else [])):
        idle[match.start() : match.end()] = b"\1" * (match.end() - match.start())
    return [match.span() for match in _RULES["denies"][language].finditer(text) if not idle[match.start()]]


def _with_denials(text: str, words: Sequence[Word], breaks: Sequence[int], language: str) -> Iterator[Word]:
    by_clause: dict[int, list[tuple[int, int]]] = {}
    for span in _denying(text, language):
        by_clause.setdefault(bisect_left(breaks, span[0]), []).append(span)
    for clause, group in groupby(words, key=lambda word: word.clause):
        own, denying = list(group), by_clause.get(clause, [])
        if len(denying) == 1:
            yield from _denied(text, own, *denying[0], language)
        else:  # what is denied twice may be said
            yield from (replace(word, denied=UNDER_DENIAL if denying else OPEN) for word in own)


def _denied(text: str, words: Sequence[Word], start: int, end: int, language: str) -> Iterator[Word]:
    """The words of a clause with one "not"."""
    behind, before = [w for w in words if w.start >= end], [w for w in words if w.end <= start]
    most, least = _HEADS.get(language, (2, 0))
    verb = (
        bool(behind)
        and _VERBAL.search(text, start, end) is not None
        and text[end : behind[0].start].isspace()
    )
    if language not in _HEADS and (
        verb or (len(behind) > 1 and _ADJUNCT.search(text, behind[0].end, behind[1].start))
    ):
        most = 1
    if _BACKWARDS.fullmatch(text, start, end):
        most, least = 0, 1
    elif before and _NOTHING_OF.fullmatch(text, start, end) and text[before[-1].end : start].isspace():
        least = 1  # "grants no rights"
    heads = [*behind[:most], *(before[-least:] if least else ())] or before[-1:]
    for word in words:
        under = language in _HEADS or word.start >= end
        yield replace(word, denied=DENIED if word in heads else UNDER_DENIAL if under else OPEN)
