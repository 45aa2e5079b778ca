"""What a written number means: in figures, in English words, in Chinese and Japanese numerals."""

import re
from decimal import Decimal
from functools import lru_cache

type Number = Decimal | str

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_SPOKEN = {word: at for at, word in enumerate(f"{_ONES} seventeen eighteen nineteen".split())}
_SPOKEN |= {word: 10 * at for at, word in enumerate(_TENS.split(), 2)}
_SPOKEN_SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}
_SHORT_SCALES = {"k": 1000, "m": 10**6, "mn": 10**6, "bn": 10**9}
_HAN = {char: at for at, char in enumerate("〇一二三四五六七八九")} | {"零": 0, "○": 0, "两": 2, "兩": 2}
_HAN_SCALES = {"十": 10, "百": 100, "千": 1000, "万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
SCALES = _SPOKEN_SCALES | _SHORT_SCALES | _HAN_SCALES

_WORD = "|".join(sorted([*_SPOKEN, *_SPOKEN_SCALES], key=len, reverse=True))
FIGURE = r"(?<!\d)(?<!\d[.,])\d{1,30}+(?:[.,']\d{1,30}+){0,14}+"
WORDS = rf"\b(?:{_WORD})(?:(?:\s+and)?[\s-]++(?:{_WORD})\b){{0,9}}+\b"
HAN = r"[〇零一二三四五六七八九十百千万萬亿億两兩]{1,16}+"
HAN_SCALED = r"[一二三四五六七八九十百千万萬亿億]" + HAN
SCALED = rf"{FIGURE}(?:\s?(?:hundred|thousand|million|billion)\b|[百千万萬亿億]{{1,2}})?"

_FIGURE, _SCALE, _LETTERS = (
    re.compile(r"[\d.,']+"),
    re.compile(r"[a-z]+|[百千万萬亿億]"),
    re.compile(r"[a-z]+"),
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
    whole, rest = figure[:last].replace(other, ""), figure[last + 1 :]
    if point in whole:
        grouped = len(rest) == 3 and whole.replace(point, "").isdecimal()
        return (Decimal(whole.replace(point, "") + rest),) if grouped else (figure,)
    if not whole:
        return (figure,)
    decimal = Decimal(f"{whole}.{rest}")
    if len(rest) != 3 or other in figure:
        return (decimal,)
    return (Decimal(whole + rest), decimal) if point == "." else (Decimal(whole + rest),)


def _spoken(text: str) -> int:
    total = part = 0
    for word in _LETTERS.findall(text):
        if word in _SPOKEN:
            part += _SPOKEN[word]
        elif word == "hundred":
            part = max(part, 1) * 100
        elif word in _SPOKEN_SCALES:
            total, part = total + max(part, 1) * _SPOKEN_SCALES[word], 0
    return total + part


def _han(text: str) -> int:
    """三十 and 三千五百 and 一万二千 by scale; 二〇二四 by place."""
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
