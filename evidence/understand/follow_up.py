"""A follow-up question made whole from the turns before it: deterministic, and careful.

A question is completed only when its own form says that it leans on something: it opens with "and" or "what about"; it
ends with a particle that asks the same again; it begins with a pronoun; or it says "that agreement". What it leans on
is the last thing the person asked.
"""

import json
import re
from collections.abc import Iterable

from evidence.language.detect import language_of
from evidence.language.function_words import content_words
from evidence.language.rules import by_language, every
from evidence.language.scripts import has_cjk
from evidence.language.tables import LANGUAGES
from evidence.understand.noun_phrases import words_of
from evidence.understand.subjects import split

_TURNS = 6
_USER = re.compile(rf"^\s*(?:{every('user_label')})\s*[:：]\s*", re.IGNORECASE)
_OTHER = re.compile(rf"^\s*(?:{every('other_label')})\s*[:：]", re.IGNORECASE)
_OPENER = by_language("opener")
_CLOSER = by_language("closer", r"{}\s*+(?:[？?。]\s*+)?$")
_AND_THIS = re.compile(rf"(?:{LANGUAGES['zh'].rules['closer']})(?=[？?]?$)")
_POINTS, _PRONOUN = by_language("points_back"), by_language("pronoun")
_AROUND = by_language("around_name", r"{}|(?<![？?.。])[?？.。]++$")  # a name in a short follow-up
_FIRM = re.compile(rf"\S{{1,12}}(?:{every('firm', spaced=False)})")


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
        turns = json.loads(history)
    except (ValueError, RecursionError):
        return None
    if not isinstance(turns, list):
        return None
    messages = [item for item in turns if isinstance(item, dict)]
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


def standalone_question(question: str, history: str) -> str:
    """The question as it would be asked without the turns before it; unchanged when it stands alone."""
    before = ""
    for turn in user_turns(history):
        if turn.strip() != question.strip():
            before = _completed(turn.strip(), before)
    return _completed(question.strip(), before)


def leans(question: str) -> bool:
    """Whether the form of a question says that it is not complete by itself."""
    language = language_of(question)
    if _OPENER[language].match(question):
        return len(content_words(question)) <= 8
    if split(question).subjects:
        return False
    short = len(question) <= 14 and _CLOSER[language].search(question) is not None
    return short or _POINTS[language].search(question) is not None or _early_pronoun(question, language)


def _early_pronoun(question: str, language: str) -> bool:
    """A pronoun with at most one word of content before it cannot mean something inside the question."""
    match = _PRONOUN[language].search(question)
    return match is not None and len(content_words(question[: match.start()])) <= 1


def _completed(question: str, before: str) -> str:
    if not before or not question or not leans(question):
        return question
    earlier = split(before)
    rest = _OPENER[language_of(question)].sub("", question).strip()
    named = _new_name(rest)
    if named and earlier.topic:
        return _swapped(before, earlier.subjects, named)
    if not earlier.subjects:
        return f"{before} {question}"
    return _about(rest, earlier.subjects)


def _new_name(rest: str) -> str:
    """The document that a short follow-up names: "Acme?", "in Globex's lease?"."""
    bare = _AROUND[language_of(rest)].sub("", rest).strip()
    subjects = split(rest).subjects
    if len(subjects) == 1 and len(content_words(split(rest).topic)) == len(content_words(rest)):
        return subjects[0]
    if subjects and len(content_words(bare)) <= len(content_words(subjects[0])) + 1:
        return subjects[0]
    words = words_of(bare)
    proper = (
        words
        and all(word.capital for word in words if not word.stop)
        and not all(word.stop for word in words)
    )
    firm = _FIRM.fullmatch(bare)
    return bare if (proper and not has_cjk(bare)) or firm else ""


def _swapped(before: str, subjects: tuple[str, ...], name: str) -> str:
    """The question before, asked of another document; a name that holds no kind goes first, where it is seen."""
    if not subjects:
        return f"{name}{'：' if has_cjk(name) else ': '}{before}"
    named = split(name if has_cjk(name) else f"the {name}")
    if len(subjects) == 1 and named.subjects and named.sure:
        return before.replace(subjects[0], name, 1)
    return f"{name}{'：' if has_cjk(before) else ': '}{split(before).topic}"


def _about(rest: str, subjects: tuple[str, ...]) -> str:
    """The follow-up, asked of the documents before."""
    if has_cjk(rest):
        joined = LANGUAGES[language_of(rest)].rules["conjunction"].partition("|")[0].join(subjects)
        return f"{joined}：{_AND_THIS.sub('', rest)}"
    return f"{' and '.join(subjects)}: {rest}"
