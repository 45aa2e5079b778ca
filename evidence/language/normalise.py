"""
Text made alike, with the place where each character came from.

Two texts fold to the same string when they differ only in case, Unicode form (NFKD: ligatures, full-width
forms, composed accents), quote marks (dropped: models add, change and lose them), dashes, runs of white
space, hyphenation at line ends, soft hyphens, zero-width characters and variation selectors. Marks of any
script stay. Work is done on whole arrays of code points, so time is linear in the text whatever it holds.
"""

import threading
import unicodedata
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

type Codes = NDArray[np.uint32]
type Flags = NDArray[np.bool_]

QUOTE_MARKS = frozenset("'\"`´‘’‚‛“”„‟′″ʼ«»‹›「」『』〝〞＂＇")
DASHES = frozenset("-‐‑‒–—―−⁃﹘﹣－")
SOFT_HYPHEN = "\u00ad"
_CONTROLS = "\u034f\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
_BARRIER = "\x00"
_LONGEST = 6  # characters that one may unfold into; a phrase sign of 18 letters remains a sign

# what a character is, one bit each
_WHITE, _DASH, _SOFT, _GONE, _CJK, _LETTER, _DIGIT, _KNOWN, _BREAK = (1 << bit for bit in range(9))
_GAP = _WHITE | _DASH | _SOFT | _GONE


def is_cjk(char: str) -> bool:
    """Scripts that put no space between words: Han, kana and their punctuation."""
    at = ord(char)
    return (
        0x3001 <= at <= 0x3007
        or 0x3041 <= at <= 0x30FF
        or 0x3400 <= at <= 0x9FFF
        or 0xF900 <= at <= 0xFAFF
        or 0xFF61 <= at <= 0xFF9F
        or 0x20000 <= at <= 0x3FFFF
    )


def _is_gone(char: str) -> bool:
    at = ord(char)
    return (
        char in QUOTE_MARKS
        or char in _CONTROLS
        or 0x202A <= at <= 0x202E
        or 0x2066 <= at <= 0x2069
        or 0xFE00 <= at <= 0xFE0F
        or 0xE0100 <= at <= 0xE01EF
    )


def _bits(char: str) -> int:
    if char.isspace():
        return _KNOWN | _WHITE | (_BREAK if char in "\n\r\u0085\u2028\u2029" else 0)
    if char in DASHES:
        return _KNOWN | _DASH
    if char == SOFT_HYPHEN:
        return _KNOWN | _SOFT
    if _is_gone(char):
        return _KNOWN | _GONE
    letter = _LETTER if char.isalpha() or unicodedata.category(char) == "Mn" else 0
    digit = _DIGIT if char.isdigit() else 0
    return _KNOWN | (_CJK if is_cjk(char) else 0) | letter | digit


def _alike(char: str) -> str:
    """The character's folded form."""
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", char).casefold())
    alike = "".join(piece for piece in folded if not piece.isspace())
    return alike if 0 < len(alike) <= _LONGEST else char


class _Alphabet:
    """What is known of each code point, learned when first met; a code point is learned once."""

    def __init__(self) -> None:
        self.bits = np.zeros(0x110000, np.uint16)
        self.form = np.zeros(0x110000, np.uint32)  # the folded code point, or a row of `longer`
        self.size = np.ones(0x110000, np.uint8)
        self.longer: list[str] = []
        self._lock = threading.Lock()

    def learn(self, codes: NDArray[np.unsignedinteger]) -> None:
        with self._lock:
            for code in np.unique(codes[self.bits[codes] == 0]).tolist():
                alike = _alike(chr(code))
                self.size[code] = len(alike)
                self.form[code] = ord(alike) if len(alike) == 1 else len(self.longer)
                if len(alike) != 1:
                    self.longer.append(alike)
                self.bits[code] = _bits(chr(code))  # last: it says that the rest is there


_ALPHABET = _Alphabet()


@dataclass(frozen=True, slots=True)
class Folded:
    """`origin[i]` is the place in the raw text of the character that folded character i came from."""

    text: str
    origin: NDArray[np.int32]

    def place(self, raw: int) -> int:
        """The first folded character at or after a raw place."""
        return int(np.searchsorted(self.origin, raw))

    def span(self, start: int, end: int) -> tuple[int, int] | None:
        """The raw range of folded [start, end); None when an end falls inside one raw character."""
        inside = start > 0 and self.origin[start - 1] == self.origin[start]
        if inside or (end < len(self.origin) and self.origin[end - 1] == self.origin[end]):
            return None
        return int(self.origin[start]), int(self.origin[end - 1]) + 1


def fold(text: str) -> Folded:
    codes: NDArray[np.unsignedinteger]
    if text.isascii():
        codes = np.frombuffer(text.encode("ascii"), np.uint8)
    else:
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    bits = _ALPHABET.bits[codes]
    if codes.size and not bits.all():
        _ALPHABET.learn(codes)
        bits = _ALPHABET.bits[codes]
    form, size = _ALPHABET.form[codes], _ALPHABET.size[codes]
    gap = (bits & _GAP) != 0
    size[gap] = 0
    starts, becomes = _gaps(bits, gap)
    form[starts] = becomes
    size[starts] = becomes != 0
    if size.max(initial=0) > 1:
        out = np.repeat(form, size)
        origin = np.repeat(np.arange(codes.size, dtype=np.int32), size)
        _lengthen(out, form, size)
    else:  # the common case, and quicker
        remains = size.view(np.bool_)
        out, origin = form[remains], np.flatnonzero(remains).astype(np.int32)
    return Folded(out.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass"), origin)


def fold_all(texts: tuple[str, ...]) -> tuple[Folded, tuple[int, ...], tuple[int, ...]]:
    """Several texts folded as one: the whole, and where each begins in the raw and in the folded text."""
    folded = fold(_BARRIER.join(texts))
    lengths = np.fromiter((len(text) + 1 for text in texts), np.int64, len(texts))
    raw = np.concatenate(([0], np.cumsum(lengths)))
    return folded, tuple(raw.tolist()), tuple(np.searchsorted(folded.origin, raw).tolist())


def _gaps(bits: NDArray[np.uint16], gap: Flags) -> tuple[NDArray[np.intp], Codes]:
    """Where each run of white space and dashes begins, and what it becomes: nothing, a space or a dash."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], gap, [False])).view(np.int8)))
    starts, ends = edges[::2], edges[1::2]
    if not starts.size:
        return starts, np.zeros(0, np.uint32)
    contents = np.bitwise_or.reduceat(bits, edges[: -1 if ends[-1] == bits.size else None])[::2]
    around = np.concatenate(([0], bits, [0]))
    before, after = around[starts], around[ends + 1]
    first, last = bits[starts], bits[ends - 1]
    white = (contents & _WHITE) != 0
    dash = ((contents & _DASH) != 0) | (((contents & _SOFT) != 0) & ((contents & _BREAK) != 0))
    spaced = white & (((first | last) & (_DASH | _SOFT)) == 0)
    letters = (before & after & _LETTER) != 0
    digits = ((before | after) & _DIGIT) != 0
    hyphen = dash & (digits | ~spaced) & ~letters
    space = np.where(dash, spaced & ~hyphen, white) & (((before | after) & _CJK) == 0)
    return starts, np.where(hyphen, ord("-"), np.where(space, ord(" "), 0)).astype(np.uint32)


def _lengthen(out: Codes, form: Codes, size: NDArray[np.uint8]) -> None:
    """Write the characters of folded forms that are longer than one."""
    where = np.flatnonzero(size > 1)
    if not where.size:
        return
    at = np.cumsum(size, dtype=np.int64)[where] - size[where]
    rows, back = np.unique(form[where], return_inverse=True)
    forms = [_ALPHABET.longer[row] for row in rows.tolist()]
    table = np.array([[ord(char) for char in form.ljust(_LONGEST)] for form in forms], np.uint32)
    for place in range(int(size[where].max())):
        longer = size[where] > place
        out[at[longer] + place] = table[back[longer], place]
