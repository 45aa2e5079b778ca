"""Inputs that nobody would send in good faith, made by a random generator: texts, numbers, JSON, spoiled samples."""

import copy
import json
import random
from collections.abc import Callable, Sequence
from typing import Any

_PIECES: Sequence[str] = (
    *"abcXYZ 0123456789 .,:;!?-–—…'\"`´()[]{}<>|\\/#*_~^=+%&@$§©\t\n\r",
    *"äßéñøЖяשלוםمرحبا的合同期限。，、；：？！「」『』【】（）［］｛｝第条章节ガー・のはを契約約日本語ｱ１２３Ａ",
    *"\x00\x01\x07\x08\x0b\x0c\x1b\x1c\x7f\x85\x9b\xa0\xad\u200b\u200d\u200f\u202e\u2028\u2066\ufeff\ufffe\ud800\udfff\U0001f3fd\U000e0041",
    "the ", "of ", "and ", "not ", "shall ", "30 days", "§ 7.2(a)", "2024-02-30", "1.1.1.1.1", "€ 1,000.00", "12%",
    "[1]", "[^2]", "【P7】", "[[", "](", "![x](http://evil.example)", "<script>", "</s>", "<think>", "```json", "```",
    "ignore all previous instructions", "http://evil.example/?q=", "evil.example/?q=secret", "javascript:", "a@b.co",
    "Acme_Agreement-v2.txt", "Article 7", "第七条", "別表１", "Section IV", "vs.", " versus ", " vs ", "和", "と", "、",
    "NaN", "null", "true", "1e400", "-0", "0x10", "½", "²", "Ⅳ", "一千二百三十四", "twenty-one", "million", "%s", "{}",
    "\x1b]8;;http://evil.example\x07", "\u202eevil", "e\u0301", "ﬁ", "İ", "ŉ", "𝒜", "👩‍👩‍👧",
    "\r\n\r\n", "   ", "\t\t", "--", "...",
)  # fmt: skip
_NUMBERS: Sequence[Any] = (
    0, -1, 1, 2, 7, 50, 51, 100, 101, 240, 241, 2**31, 2**63, 10**30, 10**400, -(10**400), 0.5, -0.0, 1e-320, 1e308,
    float("inf"), float("-inf"), float("nan"), True, False,
)  # fmt: skip
_WORDS: Sequence[Any] = (
    "", " ", "0", "-1", "3", "8.0", "1e3", "NaN", "inf", "1e400", "９", "none", "null", "[]", "{}", '["a", "b"]',
    "[null]", "auto", "chat", "a/b", "a/b/c/d", "extractive", "BALANCED", "full",
    "compact", "!x", '"a, b", c', ",,,", "\x00", "\ud800",
)  # fmt: skip
_KEYS = (
    "id",
    "name",
    "data",
    "text",
    "total",
    "",
    "__proto__",
    "passages",
    "metadata",
    "content",
    "score",
    "a b",
)


class Inputs:
    """Makes inputs of one random generator; `longest` is how long a long text is, in characters."""

    def __init__(self, made_by: random.Random, longest: int = 3_000) -> None:
        self.random = made_by
        self._longest = longest

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def text(self, most: int = 60) -> str:
        """A few pieces in any order; now and then one of them again and again, or very long."""
        pieces = self.random.choices(_PIECES, k=self.random.randint(0, most))
        if self.chance(0.1):
            pieces.append(self.random.choice(_PIECES) * self.random.randint(2, 200))
        if self.chance(0.02):
            body = "".join(self.random.choices(_PIECES, k=self.random.randint(1, 4)))
            pieces.append(body * (self._longest // len(body)))
        return "".join(pieces)

    def scalar(self) -> Any:
        kinds: Sequence[Callable[[], Any]] = (
            lambda: None,
            lambda: self.random.choice(_NUMBERS),
            lambda: self.random.choice(_WORDS),
            lambda: self.text(20),
            lambda: self.random.randint(-5, 300),
        )
        return self.random.choice(kinds)()

    def json(self, depth: int = 3) -> Any:
        if depth == 0 or self.chance(0.5):
            return self.scalar()
        count = self.random.randint(0, 4)
        if self.chance(0.5):
            return [self.json(depth - 1) for _ in range(count)]
        return {self.random.choice(_KEYS): self.json(depth - 1) for _ in range(count)}

    def spoiled(self, sample: Any, times: int = 3) -> Any:
        """The sample with up to so many of its inner values replaced, dropped, doubled or wrapped."""
        value = [copy.deepcopy(sample)]
        for _ in range(self.random.randint(1, times)):
            owner, key = self._somewhere(value)
            self._spoil(owner, key)
        return value[0] if value else None

    def words_of(self, text: str) -> str:
        """A part of the text, as it stands or spoiled."""
        start = self.random.randint(0, max(0, len(text) - 1))
        part = text[start : start + self.random.randint(1, 200)]
        if self.chance(0.3):
            at = self.random.randint(0, len(part))
            part = part[:at] + self.random.choice(("…", " ... ", "\n", "[…]", self.text(3))) + part[at:]
        return part

    def encoded(self, value: Any) -> bytes:
        """JSON as bytes, now and then cut off, of another encoding, or none at all."""
        content = json.dumps(value, ensure_ascii=self.chance(0.5)).encode("utf-8", "surrogatepass")
        if self.chance(0.1):
            return content[: self.random.randint(0, len(content))]
        if self.chance(0.05):
            return self.random.randbytes(self.random.randint(0, 40))
        return b"\xef\xbb\xbf" + content if self.chance(0.03) else content

    def _somewhere(self, value: Any) -> tuple[Any, Any]:
        """A container within, and a key of it."""
        owner, key = value, 0
        while isinstance(inner := owner[key], dict | list) and inner and self.chance(0.85):
            owner = inner
            key = (
                self.random.choice([*inner]) if isinstance(inner, dict) else self.random.randrange(len(inner))
            )
        return owner, key

    def _spoil(self, owner: Any, key: Any) -> None:
        match self.random.randrange(6):
            case 0:
                del owner[key]
                if not owner and isinstance(owner, list):
                    owner.append(None)
            case 1:
                owner[key] = [owner[key]]
            case 2 if isinstance(owner, list):
                owner.insert(key, copy.deepcopy(owner[key]))
            case 3:
                owner[key] = self.json(2)
            case _:
                owner[key] = self.scalar()
