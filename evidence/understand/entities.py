"""The names, quoted terms, codes and figures of a question."""

import re

from evidence.language.figures import figures
from evidence.language.rules import every
from evidence.language.scripts import has_cjk
from evidence.understand.noun_phrases import name_run, words_of

MOST = 12
_POSSESSIVE = re.compile(r"['’]s?$")
_QUOTED = re.compile(
    r"\"([^\"]{2,80})\"|“([^“”]{2,80})”|「([^「」]{1,80})」|『([^『』]{1,80})』|《([^《》]{1,80})》"
)
_KIND = rf"(?:{every('clause_kind')}|paragraph)"
_CODE = re.compile(
    r"\b(?:[A-Z]{1,6}[-/]?\d[\w./-]{0,60}\w|[A-Z]{1,6}-\d)|(?<!§)§++\s?\d[\w.()]*"
    rf"|\b{_KIND} (?:\d[\w.()]*|[A-Z]\b)|{every('clause_number', spaced=False)}",
    re.IGNORECASE,
)


def _unique(found: list[str]) -> tuple[str, ...]:
    clean = (text.strip(" .,;:") for text in found)
    return tuple({text.casefold(): text for text in clean if text}.values())[:MOST]


def entities(text: str) -> tuple[str, ...]:
    """Quoted words, codes, runs of capitalised words and figures with units, in this order."""
    quoted = ["".join(filter(None, match.groups())) for match in _QUOTED.finditer(text)]
    codes = [match.group() for match in _CODE.finditer(text)]
    measures = [text[each.start : each.end] for each in figures(text) if each.kind != "number"]
    return _unique([*quoted, *codes, *_names(text), *measures])


def _names(text: str) -> list[str]:
    """A single capitalised word that begins a sentence is no name."""
    found, names, at = words_of(text), [], 0
    while at < len(found):
        end = name_run(text, found, at, "of de la für &")
        run = found[at:end]
        lone = len(run) == 1 and (run[0].first or run[0].stop or run[0].text.isdigit())
        if run and not lone and not has_cjk(text[run[0].start : run[-1].end]):
            names.append(_POSSESSIVE.sub("", text[run[0].start : run[-1].end]))
        at = max(end, at + 1)
    return names
