"""What a written number means: in figures, in words, in Chinese and Japanese numerals."""

import re
from decimal import Decimal
from functools import lru_cache

from evidence.language.rules import any_word
from evidence.language.tables import LANGUAGES

type Number = Decimal | str

_PARTS = {"half": Decimal("0.5"), "quarter": Decimal("0.25")}
_SHORT_SCALES = {"k": 1000, "m": 10**6, "mn": 10**6, "bn": 10**9}
_SPOKEN, _SPOKEN_SCALES, _HAN, _HAN_SCALES = (
    dict[str, int](),
    dict[str, int](),
    dict[str, int](),
    dict[str, int](),
)
for _table in LANGUAGES.values():
    (_SPOKEN if _table.spaced else _HAN).update(_table.number_words)
    (_SPOKEN_SCALES if _table.spaced else _HAN_SCALES).update(_table.scale_words)
SCALES = _SPOKEN_SCALES | _SHORT_SCALES | _HAN_SCALES

_WORD = any_word([*_SPOKEN, *_SPOKEN_SCALES])
_SCALED = "|".join(_SPOKEN_SCALES)
_MANY, _DIGITS = "".join(_HAN_SCALES), "".join(_HAN)
FIGURE = r"(?<!\d)(?<!\d[.,])\d{1,30}+(?:[.,']\d{1,30}+){0,14}+"
_PART = rf"(?:half|quarter)\s+(?:of\s+)?an?\s+(?:{_SCALED})\b"  # of a million
WORDS = (
    rf"\b(?:{_PART}|(?:{_WORD})(?:(?:\s+and)?[\s-]++(?:{_WORD})\b){{0,9}}+\b"
    rf"(?:\s+and\s+a\s+half\b(?:\s+(?:{_SCALED})\b)?)?)"
)
HAN = rf"[{_DIGITS}{_MANY}]{{1,16}}+"
HAN_SCALED = rf"[{_DIGITS}{_MANY}]" + HAN
SCALED = rf"{FIGURE}(?:\s?(?:{_SCALED})\b|\s?[{_MANY}]{{1,2}})?"

_FIGURE, _SCALE, _LETTERS = (
    re.compile(r"[\d.,']+"),
    re.compile(rf"[^\W\d_{_MANY}]+|[{_MANY}]"),
    re.compile(r"[^\W\d_]+"),
)


@lru_cache(maxsize=10_000)
def values(text: str) -> frozenset[Number]:
    """The numbers that a match of FIGURE, SCALED, WORDS or HAN may mean: "1.000" is one or a thousand."""
    text = text.strip().lower()
    figure = _FIGURE.match(text)
    if not figure:
        number = _han(text) if text[0] in _HAN or text[0] in _HAN_SCALES else _spoken(text)
        return frozenset({Decimal(number)})
    scale = 1
    for word in _SCALE.findall(text, figure.end()):
        scale *= SCALES[word]
    return frozenset(value * scale if isinstance(value, Decimal) else value for value in _written(figure[0]))


def small(text: str) -> int:
    """A part of a date."""
    return int(text) if text.isdecimal() else _han(text)


def _written(figure: str) -> tuple[Number, ...]:
    """1,000 and 1.000,50 and 1'000; several dots ("3.2.1") are a clause number and stay as they are."""
    figure = figure.replace("'", "")
    last = max(figure.rfind(","), figure.rfind("."))
    if last < 0:
        return (Decimal(figure),)
    point, other = figure[last], "," if figure[last] == "." else "."
    integer, fraction = figure[:last].replace(other, ""), figure[last + 1 :]
    if point in integer:
        grouped = len(fraction) == 3 and integer.replace(point, "").isdecimal()
        return (Decimal(integer.replace(point, "") + fraction),) if grouped else (figure,)
    if not integer:
        return (figure,)
    decimal = Decimal(f"{integer}.{fraction}")
    if len(fraction) != 3 or other in figure:
        return (decimal,)
    return (Decimal(integer + fraction), decimal) if point == "." else (Decimal(integer + fraction),)


def _spoken(text: str) -> Decimal:
    total = part = Decimal(0)
    for word in _LETTERS.findall(text):
        if word in _PARTS or word in _SPOKEN:
            part += _PARTS.get(word) or _SPOKEN[word]
        elif _SPOKEN_SCALES.get(word) == 100:
            part = (part or 1) * Decimal(100)
        elif word in _SPOKEN_SCALES:
            total, part = total + (part or 1) * _SPOKEN_SCALES[word], Decimal(0)
    return total + part


def _han(text: str) -> int:
    """By scale, as "three thousand five hundred", or by place, as "two zero two four"."""
    if not any(char in _HAN_SCALES for char in text):
        return int("".join(str(_HAN[char]) for char in text))
    total = part = digit = 0
    for char in text:
        scale = _HAN_SCALES.get(char, 0)
        if not scale:
            digit = _HAN[char]
        elif scale < 10**4:
            part, digit = part + max(digit, 1) * scale, 0
        else:
            total, part, digit = total + max(part + digit, 1) * scale, 0, 0
    return total + part + digit
