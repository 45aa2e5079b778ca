"""Headings inside a stored text: short lines that title what follows.

Markdown, bold lines, numbered clauses, capitals, title case and Chinese or Japanese article numbers are known. A
clause that begins with its title in the same line (`7. Term. This Agreement …`) is known too.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

from evidence.language.rules import every
from evidence.language.scripts import has_cjk

LONGEST = 90  # characters of a line that may be a heading
WORDS = 12
_PLAIN = 7  # the level of a heading that no Markdown marks
_MARKDOWN = re.compile(r"#{1,6}\s++(?P<title>\S.*)")
_BOLD = re.compile(r"\*\*(?P<title>[^*\n]{1,80})\*\*$")
_NUMBER = (
    rf"(?:§\s{{0,3}})?(?:(?:{every('clause_kind')})\s+)?"
    r"(?:\(?(?:\d{1,3}(?:\.\d{1,3}){0,8}|[IVXLC]{1,6}|[A-Z]))"
)
_NUMBERED = re.compile(rf"(?i:{_NUMBER}[.):]{{0,2}}\s++)(?P<title>[^\W\d_].*)")
_RUN_IN = re.compile(rf"(?i:{_NUMBER}[.):]{{1,2}}\s++)(?P<title>[A-Z][^.:;,]{{2,60}})[.:]\s++\S")
_CJK_NUMBER = re.compile(
    rf"(?:{every('clause_number', spaced=False)}|(?:{every('list_number', spaced=False)})、"
    r"|\d{1,3}(?:\.\d{1,3}){0,8}[.、．]?)\s{0,3}[（(【]?(?P<title>[^。，；：]{2,24}?)[）)】]?$"
)
_SAYS = re.compile(r"\w:\**+\s++\S|^[-–—•·|>]")  # a label with its value, an item
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_SMALL = frozenset("a an and as at by for from in into of on or the to with".split())


def is_heading(text: str) -> bool:
    """Whether a text is only the title of what follows."""
    return "\n" not in text.strip() and bool(heading(text))


@lru_cache(maxsize=4_000)
def heading(line: str) -> str:
    """The title that a line is, without its number; empty where it is none."""
    line = line.strip()
    if len(line) > LONGEST:
        return ""
    if match := _MARKDOWN.match(line):
        title = match["title"].rstrip("#").rstrip()
        numbered = _NUMBERED.match(title)
        return _unmarked(numbered["title"]) if numbered else _cjk_title(title) or title
    bold = _BOLD.match(line)
    plain = line.strip("*_").strip()
    if not plain or _SAYS.search(line):
        return ""
    if has_cjk(plain):
        return _cjk_title(plain) or (plain if bold else "")
    match = _NUMBERED.match(plain)
    title = _unmarked(match["title"]) if match else plain
    colon = plain[-1] == ":"
    if plain[-1] in ";," or colon:
        return ""
    return title if bold or _titled(title, numbered=bool(match), stopped=plain.endswith(".")) else ""


def _cjk_title(line: str) -> str:
    match = _CJK_NUMBER.match(line)
    return match["title"] if match else ""


def _unmarked(title: str) -> str:
    """A title without the dot or colon at its end."""
    return (title[:-1] if title.endswith((".", ":")) else title).rstrip()


def _titled(title: str, *, numbered: bool, stopped: bool = False) -> bool:
    """Whether words are written as titles are: no sentence, in capitals or title case."""
    words = _WORD.findall(title)
    if not words or len(words) > WORDS or not title[0].isalpha() or ". " in title:
        return False
    if not numbered and (title.endswith(".") or ": " in title):
        return False
    if title.isupper():
        return True
    share = 0.6 if numbered and not stopped else 1.0
    great = [word[0].isupper() for word in words if word.casefold() not in _SMALL]
    return words[0][0].isupper() and bool(great) and sum(great) >= share * len(great)


def headings(text: str) -> list[tuple[int, str]]:
    """The titles in a text with the places where their lines begin."""
    at, titles = 0, list[tuple[int, str]]()
    for line in text.split("\n"):
        title = heading(line) if len(line) <= LONGEST else ""
        if (
            not title
            and (match := _RUN_IN.match(line.lstrip()[:120]))
            and _titled(match["title"], numbered=True)
        ):
            title = match["title"]
        if title:
            titles.append((at, title))
        at += len(line) + 1
    return titles


def heading_paths(texts: Iterable[str]) -> list[tuple[str, ...]]:
    """The titles under which each text begins, outermost first; the texts are one document in reading order.

    A Markdown heading ends those of its own level and below, any other heading the last one.
    """
    path: dict[int, str] = {}
    paths = []
    for text in texts:
        paths.append(tuple(path[level] for level in sorted(path)))
        for at, title in headings(text):
            marks = len(text[at : at + 8].lstrip()) - len(text[at : at + 8].lstrip().lstrip("#"))
            level = marks or _PLAIN
            path = {outer: name for outer, name in path.items() if outer < level} | {level: title}
    return paths
