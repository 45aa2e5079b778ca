"""
JSON as models write it, read in one walk: whatever the text holds, each character is looked at a few times.

Understood besides JSON: single and curly quotation marks, unescaped ones inside a string, line breaks in strings,
comments, commas too many or missing, keys and words without quotation marks, Python's True and None, brackets that
were left open. Of a text that was cut off what was complete is read: an item of a list that breaks off is none.
"""

import json
import re
from dataclasses import dataclass
from typing import Any

type Json = Any

DEEPEST = 50  # brackets in brackets; no reply of ours goes deeper
_BLANK = re.compile(r"(?:[\s,]++|//[^\n]*+|/\*(?:[^*]++|\*(?!/))*+(?:\*/|\Z)|\#[^\n]*+)++")
_MARKS = {'"': '"', "'": "'", "“": "”", "‘": "’"}
_STOP = re.compile(r"[\"'”’\\]")  # where a string may end
_KEY = r"[\"'“‘][^\"'“”‘’\n]{0,60}+(?:\Z|[\"'”’]\s*+(?::|\Z))"  # perhaps cut off
_ENDS_KEY = re.compile(
    r"(?<!\s)\s*+:"
)  # what stands behind a string where it really ends: a key, a member, an item
_ENDS_MEMBER = re.compile(
    rf"(?<!\s)\s*+(?:[}}\]]|\Z|//|{_KEY}|,\s*+(?:[}}\]]|\Z|//|{_KEY}|\w{{1,60}}+\s*+:))"
)
_ENDS_ITEM = re.compile(
    r"(?<!\s)\s*+(?:[}\]]|\Z|//|,?\s*+(?:[\"'“‘{\[\]]|\Z|//|[-\d]|true\b|false\b|null\b))"
)
_WORD = re.compile(r"[^\s,:{}\[\]\"]++")
_WORDS = re.compile(r"(?:[^\n,{}\[\]/]++|/(?!/))++")
_NUMBER = re.compile(r"-?\d{1,30}(?:\.\d{1,30})?(?:[eE][+-]?\d{1,4})?")
_NAMED: dict[str, Json] = {"true": True, "false": False, "null": None, "none": None}
_ESCAPE = re.compile(r"(?P<good>\\(?:[\"\\/bfnrt]|u[0-9a-fA-F]{4}))|\\'|[\\\"]")
_TIDY = {"\\'": "'", "\\": "\\\\", '"': '\\"'}


@dataclass(frozen=True, slots=True)
class Lenient:
    """A value read up to `end`; it is `truncated` where the text ends inside of it, be it before its last bracket."""

    value: Json
    end: int
    truncated: bool


class TooDeep(ValueError):
    """More brackets in brackets than any reply has."""


def leniently(text: str, at: int = 0) -> Lenient:
    """The object or list that begins at the bracket `at`; raises TooDeep."""
    reader = _Reader(text, at)
    value, _ = reader.value(0, _ENDS_ITEM, listed=False)
    return Lenient(value, reader.at, reader.truncated)


class _Reader:
    """A place in a text. Methods give a value and whether it is complete."""

    def __init__(self, text: str, at: int) -> None:
        self.text = text
        self.at = at
        self.truncated = False

    def value(self, depth: int, ends: re.Pattern[str], *, listed: bool) -> tuple[Json, bool]:
        """`ends` is what stands behind a string here; `listed`: a list encloses it, nothing incomplete is kept."""
        if depth > DEEPEST:
            raise TooDeep
        sign = self.text[self.at]
        if sign == "{":
            return self._object(depth, listed=listed)
        if sign == "[":
            return self._list(depth)
        return self._scalar(ends)

    def _next(self) -> str:
        """The next sign that is no blank, comma or comment; empty at the end."""
        if blank := _BLANK.match(self.text, self.at):
            self.at = blank.end()
        return self.text[self.at : self.at + 1]

    def _list(self, depth: int) -> tuple[Json, bool]:
        self.at += 1
        items: list[Json] = []
        while sign := self._next():
            if sign in "]}":
                self.at += sign == "]"  # a brace closes what encloses the list
                return items, True
            began = self.at
            item, complete = self.value(depth + 1, _ENDS_ITEM, listed=True)
            if complete:
                items.append(item)
            self.at += self.at == began
        self.truncated = True
        return items, False

    def _object(self, depth: int, *, listed: bool) -> tuple[Json, bool]:
        self.at += 1
        members: dict[str, Json] = {}
        while sign := self._next():
            if sign in "]}":
                self.at += sign == "}"
                return members, True
            began = self.at
            key, complete = self._scalar(_ENDS_KEY)
            if self._next() == ":":
                self.at += 1
                complete = self._member(members, str(key), depth, listed=listed)
            self.truncated = self.truncated or not complete
            self.at += self.at == began
        self.truncated = True
        return members, False

    def _member(self, members: dict[str, Json], key: str, depth: int, *, listed: bool) -> bool:
        """Read a value into the members; a list or object that breaks off is kept where no list encloses it."""
        sign = self._next()
        if not sign or sign in "]}":
            return bool(sign)
        value, complete = self.value(depth + 1, _ENDS_MEMBER, listed=listed)
        if complete or (not listed and value and isinstance(value, dict | list)):
            members[key] = value
        return complete

    def _scalar(self, ends: re.Pattern[str]) -> tuple[Json, bool]:
        mark = self.text[self.at]
        if mark in _MARKS:
            return self._string(_MARKS[mark], ends)
        word = (_WORD if ends is _ENDS_KEY else _WORDS).match(self.text, self.at)
        if word is None:
            return "", True
        self.at = word.end()
        return _constant(word[0].strip()), word.end() < len(self.text)

    def _string(self, mark: str, ends: re.Pattern[str]) -> tuple[str, bool]:
        """Up to the mark behind which the JSON goes on; another one is part of the words."""
        start = at = self.at + 1
        while stop := _STOP.search(self.text, at):
            at = stop.end() + (stop[0] == "\\")
            if stop[0] == mark and ends.match(self.text, stop.end()):
                self.at = stop.end()
                return _unescape(self.text[start : stop.start()]), True
        self.at = len(self.text)
        self.truncated = True
        return "", False


def _constant(word: str) -> Json:
    if _NUMBER.fullmatch(word):
        return float(word) if set(word) & set(".eE") else int(word)
    return _NAMED.get(word.lower(), word)


def _unescape(raw: str) -> str:
    """The characters that a string of JSON means; an escape that is none stands for itself."""
    if "\\" not in raw:
        return raw
    tidy = _ESCAPE.sub(lambda match: match["good"] or _TIDY[match[0]], raw)
    try:
        value: str = json.loads(f'"{tidy}"', strict=False)
    except ValueError:
        return raw
    return value
