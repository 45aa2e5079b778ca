"""The names, quoted terms, codes and figures of a question."""

import re

from evidence.language.scripts import has_cjk
from evidence.understand.noun_phrases import name_run, words_of

MOST = 12
_NUMBER = (
    r"(?:\d[\d,.]{0,18}\d|\d|one|two|three|four|five|six|seven|eight|nine|ten|twelve|thirty|sixty|ninety)"
)
_UNIT = (
    r"(?:(?:business |working |calendar )?(?:second|minute|hour|day|week|month|quarter|year)s?|%|percent"
    r"|per cent|km|kg"
    r"|(?:million |billion |thousand )?(?:dollars?|euros?|pounds?|yen|yuan|usd|eur|gbp|cny|jpy|rmb))"
)
_FIGURE = (
    rf"(?:[$€£¥￥]\s?\d[\d,.]{{0,18}}\d?\s?(?:k|m|bn|million|billion)?\b|(?<![\d,.]){_NUMBER}[ -]?{_UNIT}(?!\w)"
    r"|(?<![\d,.一二三四五六七八九十百千万两])[\d,.一二三四五六七八九十百千万两]{1,18}\s?(?:个?工作日|个?月|か月|ヶ月|小时|時間|分钟"
    r"|[年天日周週元円万亿億％%人名次回]+))"
)
_FIGURES = re.compile(_FIGURE, re.IGNORECASE)
_POSSESSIVE = re.compile(r"['’]s?$")
_QUOTED = re.compile(
    r"\"([^\"]{2,80})\"|“([^“”]{2,80})”|「([^「」]{1,80})」|『([^『』]{1,80})』|《([^《》]{1,80})》"
)
_CODE = re.compile(
    r"\b(?:[A-Z]{1,6}[-/]?\d[\w./-]{0,60}\w|[A-Z]{1,6}-\d)|(?<!§)§++\s?\d[\w.()]*|\b(?:section|clause|article|exhibit"
    r"|schedule|annex"
    r"|appendix|paragraph) (?:\d[\w.()]*|[A-Z]\b)|第[\d一二三四五六七八九十百]+[条章節节款項项]",
    re.IGNORECASE,
)


def _unique(found: list[str]) -> tuple[str, ...]:
    clean = (text.strip(" .,;:") for text in found)
    return tuple({text.casefold(): text for text in clean if text}.values())[:MOST]


def entities(text: str) -> tuple[str, ...]:
    """Quoted words, codes, runs of capitalised words and figures with units, in this order."""
    quoted = ["".join(filter(None, match.groups())) for match in _QUOTED.finditer(text)]
    codes = [match.group() for match in _CODE.finditer(text)]
    figures = [match.group() for match in _FIGURES.finditer(text)]
    return _unique([*quoted, *codes, *_names(text), *figures])


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
