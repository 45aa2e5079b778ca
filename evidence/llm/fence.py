"""
Stored text as data: fenced by a boundary that nobody can guess, named by keys that mean nothing.

Whatever a passage says, it cannot close its fence, since the boundary is chosen after the text is known.
`suspicious` only flags; the fence is what protects.
"""

import re
import secrets
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evidence.language.memo import remembered
from evidence.language.normalise import fold
from evidence.language.rules import every
from evidence.language.sentences import sentences
from evidence.model import Span

_KEY_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # none that looks like another


@dataclass(frozen=True, slots=True)
class Fenced:
    """The text for the prompt, the boundary to name in the instructions, and the keys in order."""

    text: str
    boundary: str
    keys: tuple[str, ...]


def opaque_keys(count: int) -> tuple[str, ...]:
    """Distinct keys such as "p7k" that carry neither order nor content."""
    keys: dict[str, None] = {}
    length = 2 if count <= 200 else 4
    while len(keys) < count:
        keys["p" + "".join(secrets.choice(_KEY_LETTERS) for _ in range(length))] = None
    return tuple(keys)


def fenced(passages: Sequence[tuple[str, str, str]], boundary: str | None = None) -> Fenced:
    """Passages (key, header, text) between lines that hold the boundary.

    A given boundary is for tests and golden prompts; it grows when a passage happens to hold it.
    """
    tidy = [(key, " ".join(header.split()), text) for key, header, text in passages]
    wall = boundary or secrets.token_hex(12)
    while any(wall in part for passage in tidy for part in passage):
        wall += secrets.token_hex(6)
    parts = [f"<<{wall} {key} | {header}>>\n{text}\n<<{wall} end {key}>>" for key, header, text in tidy]
    return Fenced("\n\n".join(parts), wall, tuple(key for key, _, _ in passages))


# --- instructions aimed at a model -------------------------------------------------------------------------

_LOOKALIKES = (
    r"</?(?:tool_calls?|function_calls?|tool_use|tool_result|invoke|system|assistant|instructions?)(?:\s[^<>\n]{0,80})?>",
    r"<\|(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id)\|>",
    r"\[/?INST\]|<</?SYS>>",
    r"\[\[\s?##\s?\w{1,40}\s?##\s?\]\]",
    r"\"(?:tool_calls|function_call)\"\s?:",
    r"\{\s?\"name\"\s?:\s?\"[\w.-]{1,60}\"\s?,\s?\"(?:arguments|parameters|input)\"\s?:",
    r"(?:^|\n)\s{0,3}(?:#{1,6}\s?|\*\*)(?:system|new instructions?)\b\s?:?",
)


def _same_form(pattern: str) -> str:
    return unicodedata.normalize("NFKD", pattern)


_SPOKEN = re.compile(_same_form(every("injection")), re.IGNORECASE)
_WRITTEN = re.compile("|".join(_LOOKALIKES), re.IGNORECASE)
# One of these stands in whatever the English patterns find: most texts hold none, and need not be searched.
_SIGNS = (
    *("ignor", "disregard", "forget", "override", "bypass", "you are now", "prompt", "the user", "api key"),
    *(f"{act} {like}" for act in ("act", "behave", "respond", "pretend") for like in ("as", "to be", "like")),
    *("system message", "hidden instruction", "initial instruction", "developer m"),
    *(
        "as an ai",
        "as an artificial",
        "as a language",
        "llm",
        "language model",
        "chatbot",
        " ai",
        ":ai",
        ",ai",
    ),
    *(f"{reading} this" for reading in ("reading", "processing", "parsing", "summarising", "summarizing")),
    *(f"new {role}" for role in ("instruction", "task", "role", "persona")),
    "jailbr",
)
_SENTENCE = 1_000  # characters on either side of a quote in which its sentence is looked for
_OF_PEOPLE = re.compile(
    r"\b(?:may|shall|can|could|not|to|will|would|might|cannot|who|must)\s(?:\w+\s(?:or|and)\s)?$"
)
_TO_YOU = re.compile(r"\byou\s(?:must|should|shall|will|to|need\sto|have\sto|are\sto)\s$")


@remembered(1_000, 4_000)
def suspicious(text: str) -> tuple[str, ...]:
    """Words in a document that talk to a model, as they stand there; ordinary contracts yield nothing."""
    return tuple(
        dict.fromkeys((*_injections(text), *(match[0].strip() for match in _WRITTEN.finditer(text))))
    )


def suspicious_around(text: str, span: Span) -> tuple[str, ...]:
    """The suspicious words of the whole sentences that a quote is taken from: the middle of an order looks innocent."""
    low = max(0, span.start - _SENTENCE)
    around = text[low : span.end + _SENTENCE]
    stands = [s for s in sentences(around) if s.start < span.end - low and span.start - low < s.end]
    return suspicious(around[stands[0].start : stands[-1].end]) if stands else ()


def _injections(text: str) -> Iterator[str]:
    """Instructions to a model, found in the folded text: odd spacing, width or hidden characters do not hide them."""
    folded = fold(text)
    if folded.text.isascii() and not any(sign in folded.text for sign in _SIGNS):
        return
    for match in _SPOKEN.finditer(folded.text):
        before = folded.text[max(0, match.start() - 30) : match.start()]
        order = match[0].startswith(("ignore", "disregard", "forget", "override", "bypass"))
        if order and _OF_PEOPLE.search(before) and not _TO_YOU.search(before):
            continue  # "the Bank may disregard prior instructions" is about people
        span = folded.span(match.start(), match.end())
        yield text[span[0] : span[1]] if span else match[0]
