"""Dates, periods, amounts and states that a question sets, and the names and figures in it."""

import re

from evidence.text.analysis import has_cjk
from evidence.text.noun_phrases import name_run, words_of

MOST = 12
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\.?"
)
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_DATE = (
    rf"(?:\d{{4}}-\d{{1,2}}(?:-\d{{1,2}})?|\d{{1,2}}[./]\d{{1,2}}[./]\d{{2,4}}"
    rf"|(?:{_DAY} )?{_MONTH}(?: {_DAY},?)?,? \d{{4}}"
    rf"|{_DAY} {_MONTH}|{_MONTH} {_DAY}\b|Q[1-4](?: \d{{4}})?|(?:19|20)\d{{2}}"
    r"|\d{4}\s?年(?:\s?\d{1,2}\s?月(?:\s?\d{1,2}\s?[日号])?)?(?:度)?|(?:令和|平成"
    r"|昭和)[\d元一二三四五六七八九十]+年(?:度)?)"
)
_NUMBER = (
    r"(?:\d[\d,.]{0,18}\d|\d|one|two|three|four|five|six|seven|eight|nine|ten|twelve|thirty|sixty|ninety)"
)
_UNIT = (
    r"(?:(?:business |working |calendar )?(?:second|minute|hour|day|week|month|quarter|year)s?|%|percent"
    r"|per cent|km|kg"
    r"|(?:million |billion |thousand )?(?:dollars?|euros?|pounds?|yen|yuan|usd|eur|gbp|cny|jpy|rmb))"
)
_FIGURE = (
    rf"(?:[$€£¥￥]\s?\d[\d,.]{{0,18}}\d?\s?(?:k|m|bn|million|billion)?\b|{_NUMBER}[ -]?{_UNIT}(?!\w)"
    r"|[\d,.一二三四五六七八九十百千万两]{1,18}\s?(?:个?工作日|个?月|か月|ヶ月|小时|時間|分钟"
    r"|[年天日周週元円万亿億％%人名次回]+))"
)
_BOUND = (
    r"(?:after|before|since|until|till|by|from|between|during|prior to|as of|as at|within|at least|at most|more than"
    r"|less than|fewer than|over|under|above|below|up to|no (?:more|less|later|earlier) than|exceeding|longer than"
    r"|shorter than|in the (?:last|past|next)|effective)"
)
_STATE = (
    r"(?:\bin force\b|\bin effect\b|\bcurrently (?:valid|in force|effective)\b|\b(?:un)?expired\b|\bstill valid\b"
    r"|\b(?:latest|newest|most recent|current|previous|oldest|earliest) (?:version|edition|draft|policy"
    r"|agreement|contract)\b"
    r"|\b(?:this|last|next|past|current) (?:week|month|quarter|year)\b|\b(?:today|yesterday|tomorrow|now in force)\b"
    r"|现行|有效期内|目前有效|仍然有效|已生效|已过期|已失效|最新版?|上个?月|本月|去年|今年|明年|本年度|上一?年度"
    r"|現行|有効な|失効|最新版?|昨年|来年|先月|今月|今年度)"
)
_ALL = re.compile(
    rf"\b{_BOUND} {_DATE}(?: (?:and|to|until) {_DATE})?|\b{_BOUND} {_FIGURE}"
    rf"|{_DATE}(?:以后|之后|以前|之前|以来|至今|以降|以前|より前|まで|から)|(?:自|从|截至|至少|最多|超过"
    rf"|不超过)(?:{_DATE}|{_FIGURE})"
    rf"|{_FIGURE}(?:以上|以下|以内|之内|未満|超)|(?<![A-Za-z0-9-]){_DATE}(?![A-Za-z0-9-])|{_FIGURE}|{_STATE}",
    re.IGNORECASE,
)
_QUOTED = re.compile(
    r"\"([^\"]{2,80})\"|“([^“”]{2,80})”|「([^「」]{1,80})」|『([^『』]{1,80})』|《([^《》]{1,80})》"
)
_CODE = re.compile(
    r"\b(?:[A-Z]{1,6}[-/]?\d[\w./-]*\w|[A-Z]{1,6}-\d)|§+\s?\d[\w.()]*|\b(?:section|clause|article|exhibit"
    r"|schedule|annex"
    r"|appendix|paragraph) (?:\d[\w.()]*|[A-Z]\b)|第[\d一二三四五六七八九十百]+[条章節节款項项]",
    re.IGNORECASE,
)


def _unique(found: list[str]) -> tuple[str, ...]:
    clean = (text.strip(" .,;:") for text in found)
    return tuple({text.casefold(): text for text in clean if text}.values())[:MOST]


def constraints(text: str) -> tuple[str, ...]:
    """Dates, periods, amounts and states as they stand in the text, with the word that bounds them."""
    return _unique([match.group() for match in _ALL.finditer(text)])


def entities(text: str) -> tuple[str, ...]:
    """Quoted words, codes, runs of capitalised words and figures with units, in this order."""
    quoted = ["".join(filter(None, match.groups())) for match in _QUOTED.finditer(text)]
    codes = [match.group() for match in _CODE.finditer(text)]
    figures = [match.group() for match in re.finditer(_FIGURE, text, re.IGNORECASE)]
    return _unique([*quoted, *codes, *_names(text), *figures])


def _names(text: str) -> list[str]:
    """A single capitalised word that begins a sentence is no name."""
    found, names, at = words_of(text), [], 0
    while at < len(found):
        end = name_run(text, found, at, "of de la für &")
        run = found[at:end]
        lone = len(run) == 1 and (run[0].first or run[0].stop or run[0].text.isdigit())
        if run and not lone and not has_cjk(text[run[0].start : run[-1].end]):
            names.append(re.sub(r"['’]s?$", "", text[run[0].start : run[-1].end]))
        at = max(end, at + 1)
    return names
