"""The few sentences that are ours, in the language of the question; the tables of the languages hold them."""

import re
from itertools import zip_longest

from evidence.language.detect import language_of
from evidence.language.sentences import sentences
from evidence.language.tables import LANGUAGES

_OPENINGS = re.compile(
    r"^\s*(?:"
    + "|".join(
        f"(?P<{verdict}>{'|'.join(table.openings[verdict] for table in LANGUAGES.values())})"
        for verdict in ("not_stated", "no", "yes")
    )
    + r")[\s,.:;，。、：–—-]*",
    re.IGNORECASE,
)


def language_name(question: str) -> str:
    """The language that a model is told to write in; in doubt that of the question."""
    language = language_of(question)
    return "the language of the question" if language == "en" else LANGUAGES[language].name


def phrase(name: str, question: str, **values: object) -> str:
    """One of our sentences, filled in, in the language of the question."""
    return LANGUAGES[language_of(question)].phrases[name].format(**values)


def verdict_line(verdict: str, question: str) -> str:
    """Yes or no, or that neither is proven."""
    if verdict in ("yes", "no"):
        return f"{phrase(verdict, question)}{phrase('stop', question).strip()}"
    return phrase("undecided", question)


def is_ours(sentence: str) -> bool:
    """Whether a sentence is one of ours, in any language, however it is filled in."""
    line = " ".join(sentence.split())
    aside = line[1:-1] if line.startswith("(") and line.endswith(")") else line
    return any(_OURS.fullmatch(text) for text in (line, aside))


def _pattern(written: str) -> str:
    """One of our sentences as a pattern: counts for counts, anything for names and queries."""
    parts = _BLANK.split(re.escape(written).replace(r"\{", "{").replace(r"\}", "}"))
    filled = [r"\d{1,12}+" if name in _COUNTS else r"[^\n]{0,1000}" for name in parts[1::2]]
    return "".join(part for pair in zip_longest(parts[::2], filled, fillvalue="") for part in pair)


_BLANK = re.compile(r"\{(\w++)\}")
_COUNTS = frozenset("read total documents count pieces others more".split())
_OF_THE_VIEW = (
    "title_",
    "label_",
    "foot_",
    "reason_",
    "proof_",
)  # lines of a form of their own, or of a page
_PARTS = frozenset("draft yes no stop document point more nothing".split())  # of sentences, and no sentences
_OURS = re.compile(
    "^(?:"
    + "|".join(
        _pattern(written[span.start : span.end])
        for table in LANGUAGES.values()
        for name, written in table.phrases.items()
        if name not in _PARTS and not name.startswith(_OF_THE_VIEW)
        for span in sentences(written)
    )
    + ")"
)


def opening(sentence: str) -> tuple[str, str]:
    """("yes" | "no" | "not_stated" | "", the sentence without that opening)."""
    match = _OPENINGS.match(sentence)
    if match is None or match.lastgroup is None:
        return "", sentence
    rest = sentence[match.end() :]
    return match.lastgroup, rest[:1].upper() + rest[1:]
