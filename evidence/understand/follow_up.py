"""A follow-up question made whole from the turns before it: deterministic, and careful.

A question is completed only when its own form says that it leans on something: it opens with "and", "what about",
那么, では; it ends with 呢; it begins with a pronoun; or it says "that agreement", "the second one". What it leans
on is the last thing the person asked.
"""

import json
import re
from collections.abc import Iterable

from evidence.language.function_words import content_words
from evidence.language.scripts import has_cjk
from evidence.understand.noun_phrases import words_of
from evidence.understand.subjects import split

_TURNS = 6
_USER = re.compile(r"^\s*(?:user|human|question|q|me|用户|用戶|ユーザー|质问|質問)\s*[:：]\s*", re.IGNORECASE)
_OTHER = re.compile(
    r"^\s*(?:assistant|ai|bot|answer|a|system|助手|助理|アシスタント|回答)\s*[:：]", re.IGNORECASE
)
_OPENER = re.compile(
    r"^\W*(?:(?:and|but|so|then|ok(?:ay)?|also)[\s,]+)*(?:what about|how about|what of|and|also|same for"
    r"|same question for|but)\b[\s,]*"
    r"|^(?:那么?|那|还有|然后|另外)[，,]?\s*|^(?:では|じゃあ|それでは|あと)[、,]?\s*",
    re.IGNORECASE,
)
_CLOSER = re.compile(r"(?:呢|的呢|はどう(?:ですか|なりますか)?|については|の場合は?|は)\s*+(?:[？?。]\s*+)?$")
_POINTS = re.compile(
    r"\b(?:that|this|those|these|the same|the said|the other) (?:agreement|contract|polic|document|lease"
    r"|nda|file|report|one\b"
    r"|clause|section)|\bthe (?:former|latter)\b|\b(?:in|under|for|from|about) (?:it|them|that|both)\b\s*[?.]?$"
    r"|上述|前者|后者|該(?:契約|文書)|该(?:合同|协议|文件|制度)|(?:这|那)(?:份|个|些)|其(?:中|他)?|它们?"
    r"|(?:その|この)(?:契約|文書|規程)|それ|同じ",
    re.IGNORECASE,
)
_AROUND = re.compile(  # a name in a short follow-up
    r"^(?:in|for|under|with|from|on)\s+|(?<![?？.。])[?？.。]++$|呢[？?]?$|(?:について)?は[？?]?$",
    re.IGNORECASE,
)
_FIRM = re.compile(r"\S{1,12}(?:公司|集团|银行|大学|社|銀行)")
_HIRAGANA = re.compile(r"[\u3041-\u3096]")
_LAST_NE = re.compile(r"呢(?=[？?]?$)")
_PRONOUN = re.compile(r"\b(?:it|its|they|them|their|this|that|these|those|he|she|his|her)\b", re.IGNORECASE)
_ORDINAL = re.compile(
    r"\bthe (?P<word>first|second|third|fourth|last|former|latter) (?:one|document|agreement|contract"
    r"|policy)?|第(?P<cjk>[一二三四1234])(?:个|份|つ)?"
    r"|(?P<ja>一つ目|二つ目|三つ目)|(?P<pair>前者|后者|後者)",
    re.IGNORECASE,
)
_PLACE = {
    "first": 0,
    "former": 0,
    "一": 0,
    "1": 0,
    "一つ目": 0,
    "前者": 0,
    "second": 1,
    "二": 1,
    "2": 1,
    "二つ目": 1,
}
_PLACE |= {
    "third": 2,
    "三": 2,
    "3": 2,
    "三つ目": 2,
    "fourth": 3,
    "四": 3,
    "4": 3,
    "last": -1,
    "latter": -1,
    "后者": -1,
    "後者": -1,
}


def user_turns(history: str) -> tuple[str, ...]:
    """What the person said, oldest first, from JSON messages, from "user: …" lines or from plain lines."""
    turns = _from_json(history)
    if turns is None:
        turns = _from_lines(history.splitlines())
    return tuple(turn for turn in turns if turn.strip())[-_TURNS:]


def _from_json(history: str) -> list[str] | None:
    if not history.lstrip().startswith("["):
        return None
    try:
        told = json.loads(history)
    except (ValueError, RecursionError):
        return None
    if not isinstance(told, list):
        return None
    messages = [item for item in told if isinstance(item, dict)]
    return [str(item.get("content", "")) for item in messages if item.get("role") in ("user", "human")]


def _from_lines(lines: Iterable[str]) -> list[str]:
    turns: list[list[str]] = []
    speaking, labelled = False, False
    for line in lines:
        if _USER.match(line):
            speaking = labelled = True
            turns.append([_USER.sub("", line)])
        elif _OTHER.match(line):
            speaking, labelled = False, True
        elif speaking:
            turns[-1].append(line.strip())
        elif not labelled and line.strip():
            turns.append([line.strip()])
    return [" ".join(turn) for turn in turns]


def whole(question: str, history: str) -> str:
    """The question as it would be asked without the turns before it; unchanged when it stands alone."""
    before = ""
    for turn in user_turns(history):
        if turn.strip() != question.strip():
            before = _completed(turn.strip(), before)
    return _completed(question.strip(), before)


def leans(question: str) -> bool:
    """Whether the form of a question says that it is not complete by itself."""
    named = bool(split(question).subjects)
    if _OPENER.match(question) or _ORDINAL.search(question):
        return len(content_words(question)) <= 8
    if has_cjk(question):
        short = len(question) <= 14 and _CLOSER.search(question) is not None
        return not named and (short or _POINTS.search(question) is not None)
    return not named and (_POINTS.search(question) is not None or _early_pronoun(question))


def _early_pronoun(question: str) -> bool:
    """A pronoun with at most one word of content before it cannot mean something inside the question."""
    match = _PRONOUN.search(question)
    return match is not None and len(content_words(question[: match.start()])) <= 1


def _completed(question: str, before: str) -> str:
    if not before or not question or not leans(question):
        return question
    earlier = split(before)
    ordinal = _place(question, earlier.subjects)
    if ordinal:
        return _swapped(before, earlier.subjects, ordinal)
    rest = _OPENER.sub("", question).strip()
    named = _new_name(rest)
    if named and earlier.topic:
        return _swapped(before, earlier.subjects, named)
    if not earlier.subjects:
        return f"{before} {question}"
    return _about(rest, earlier.subjects)


def _place(question: str, subjects: tuple[str, ...]) -> str:
    match = _ORDINAL.search(question)
    if match is None or len(content_words(_ORDINAL.sub("", question))) > 1:
        return ""
    place = _PLACE[next(filter(None, match.groups())).casefold()]
    return subjects[place] if -len(subjects) <= place < len(subjects) > 1 else ""


def _new_name(rest: str) -> str:
    """The document that a short follow-up names: "Acme?", "in Globex's lease?", 乙公司呢."""
    bare = _AROUND.sub("", rest).strip()
    subjects = split(rest).subjects
    if len(subjects) == 1 and len(content_words(split(rest).topic)) == len(content_words(rest)):
        return subjects[0]
    if subjects and len(content_words(bare)) <= len(content_words(subjects[0])) + 1:
        return subjects[0]
    found = words_of(bare)
    proper = (
        found
        and all(word.capital for word in found if not word.stop)
        and not all(word.stop for word in found)
    )
    firm = _FIRM.fullmatch(bare)
    return bare if (proper and not has_cjk(bare)) or firm else ""


def _swapped(before: str, subjects: tuple[str, ...], name: str) -> str:
    """The question before, asked of another document; a name that holds no kind goes first, where it is seen."""
    if not subjects:
        return f"{name}{'：' if has_cjk(name) else ': '}{before}"
    found = split(name if has_cjk(name) else f"the {name}")
    if len(subjects) == 1 and found.subjects and found.sure:
        return before.replace(subjects[0], name, 1)
    return f"{name}{'：' if has_cjk(before) else ': '}{split(before).topic}"


def _about(rest: str, subjects: tuple[str, ...]) -> str:
    """The follow-up, asked of the documents before."""
    if has_cjk(rest):
        joined = ("と" if _HIRAGANA.search(rest) else "和").join(subjects)
        return f"{joined}：{_LAST_NE.sub('', rest)}"
    return f"{' and '.join(subjects)}: {rest}"
