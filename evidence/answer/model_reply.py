"""The reply that a model is asked for, read tolerantly, and its quotes located where they really stand."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Self

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, field_validator, model_validator
from pydantic_core import PydanticCustomError

from evidence.answer.compose import Statement
from evidence.answer.quote_relevance import bears_on, is_clause
from evidence.answer.sentence_scoring import overlap
from evidence.language.markdown import plain
from evidence.language.sentences import sentences
from evidence.language.terms import terms
from evidence.llm.fence import suspicious_around
from evidence.model import Quote, Segment
from evidence.verify.grounding_check import unsupported_details
from evidence.verify.quotes import locate

_NUMBER = re.compile(r"\d+")
_WORD = re.compile(r"\w+")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")  # punctuation, as Markdown escapes it
_KEYS = re.compile(r"(?<!\s)\s*+[\[(【]([\s,;，]{0,9}+\w[\w\s,;，]{0,200}+)[\])】]")
# names that models give to the fields of the reply; ours come first
_TEXT = ("text", "sentence", "answer", "statement", "claim", "item", "content")
_WORDS = ("words", "quote", "evidence", "excerpt", "citation", "citations")
_PASSAGE = ("passage", "key", "source", "passage_key", "id")
_LIST = ("sentences", "answers", "items", "statements", "claims", "results")
_EDITION = re.compile(r"(?<![^\W_])[vV](\d{1,3})(?![^\W_]|\.\d)")
_POINT = re.compile(r"[ \t]*(?:[-*•]|\d{1,2}[.)])[ \t]|[ \t]{2,}")  # of a list, or what goes on below one
_AROUND = 400  # characters before a point of a list in which names may stand that a sentence on it has
_LONGEST = 2_000  # characters of quoted words that are looked for
_SENTENCES = 12  # of a quote that are looked for one by one
_NEAR = 0.2  # of a sentence's terms that a quote holds to be leaned on
DROPPED = "aggregate: a quote that stands in no passage was dropped"
HOSTILE = "aggregate: dropped a quote that looks like an instruction to a model"
SHORT = "aggregate: dropped a quote too short to support the sentence"
UNRELATED = "aggregate: a sentence shares nothing with its quotes; the quotes are shown instead"
MOVED = "aggregate: a quote stands in another passage than the model said, and was moved there"


def _as_list(value: Any) -> list[Any]:  # noqa: ANN401 - a model may reply anything
    if value is None or value == "":
        return []
    return list(value) if isinstance(value, list | tuple) else [value]


def _number(value: Any) -> int:  # noqa: ANN401 - a model may reply anything
    match = _NUMBER.search(str(value))
    return int(match[0]) if match and len(match[0]) < 6 else 0


def _first_value(value: Mapping[str, Any], names: Sequence[str]) -> Any:  # noqa: ANN401 - a model may reply anything
    return next((value[name] for name in names if value.get(name)), None)


def _is_quote(value: Any) -> bool:  # noqa: ANN401 - a model may reply anything
    return isinstance(value, dict) and _first_value(value, (*_WORDS, "text")) is not None


def _quotes_in(value: Any) -> list[Any]:  # noqa: ANN401 - a model may reply anything
    """A quote by its fields, by its words alone, or several as words by their passages."""
    if isinstance(value, str):
        return [{"words": value}]
    if isinstance(value, dict) and not _is_quote(value):
        return [{"passage": key, "words": words} for key, words in value.items() if isinstance(words, str)]
    return [value] if isinstance(value, dict | BaseModel) else []


def _with_plain_names(value: Any) -> Any:  # noqa: ANN401 - a model may reply anything
    """The value with all names of fields in lower case; keys of passages are in lower case anyway."""
    if isinstance(value, list):
        return [_with_plain_names(item) for item in value]
    if isinstance(value, dict):
        return {str(name).strip().lower(): _with_plain_names(item) for name, item in value.items()}
    return value


class _Reply(BaseModel):
    model_config = ConfigDict(extra="ignore", coerce_numbers_to_str=True)


class DraftQuote(_Reply):
    """`passage` is the key that the model named, with whatever it wrote around it."""

    passage: str = Field(default="", validation_alias=AliasChoices(*_PASSAGE))
    words: str = Field(default="", validation_alias=AliasChoices(*_WORDS, "text"))


class DraftSentence(_Reply):
    """One sentence; its one quote may stand beside it, several in a list."""

    text: str = Field(default="", validation_alias=AliasChoices(*_TEXT))
    part: int = 0
    quotes: list[DraftQuote] = Field(default_factory=list)

    @model_validator(mode="before")
    @classmethod
    def _beside(cls, value: Any) -> Any:  # noqa: ANN401 - a model may reply anything
        """With its quotes in a list, each with the passage that is named beside it, or beside all."""
        if not isinstance(value, dict):
            return value
        lists = (part for part in value.values() if isinstance(part, list) and any(map(_is_quote, part)))
        listed = _first_value(value, ("quotes", *_WORDS)) or next(lists, None)
        quotes = [quote for part in _as_list(listed) for quote in _quotes_in(part)]
        keys = _as_list(_first_value(value, _PASSAGE))
        keys = keys if len(keys) == len(quotes) else keys[:1] * len(quotes)
        for at, key in enumerate(keys):
            quote = quotes[at]
            quotes[at] = (
                quote
                if not isinstance(quote, dict) or _first_value(quote, _PASSAGE)
                else quote | {"passage": key}
            )
        return {**value, "quotes": quotes}

    @property
    def readable(self) -> bool:
        return bool(self.text.strip() or any(quote.words.strip() for quote in self.quotes))

    @field_validator("part", mode="before")
    @classmethod
    def _part(cls, value: Any) -> int:  # noqa: ANN401 - a model may reply anything
        return _number(value)


class DraftCell(DraftSentence):
    """A sentence on one document and one part."""

    document: int = Field(default=0, validation_alias=AliasChoices("document", "doc"))

    @field_validator("document", mode="before")
    @classmethod
    def _document(cls, value: Any) -> int:  # noqa: ANN401 - a model may reply anything
        return _number(value)


def _sentences(value: Any) -> list[Any]:  # noqa: ANN401 - a model may reply anything
    read = [{"text": sentence} if isinstance(sentence, str) else sentence for sentence in _as_list(value)]
    return [sentence for sentence in read if isinstance(sentence, dict | BaseModel)]


def _is_bare(value: Any, name: str) -> bool:  # noqa: ANN401 - a model may reply anything
    """Whether a list is what should stand under the name; an empty one says nothing."""
    named = [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
    return bool(named) and not any(name in item for item in named)


def _demand_readable(sentences: Sequence[DraftSentence]) -> None:
    """Sentences in fields that nobody knows are not "nothing found"."""
    if sentences and not any(sentence.readable for sentence in sentences):
        raise PydanticCustomError("unreadable", 'nothing stands in "text" or in "words"')


class Draft(_Reply):
    """`verdict` answers a yes-or-no question; `missing` are the parts that the passages do not answer."""

    status: str = ""
    verdict: str = ""
    sentences: list[DraftSentence] = Field(default_factory=list, validation_alias=AliasChoices(*_LIST))
    missing: list[int] = Field(default_factory=list)

    _listed_sentences = field_validator("sentences", mode="before")(_sentences)

    @model_validator(mode="before")
    @classmethod
    def _bare(cls, value: Any) -> Any:  # noqa: ANN401 - a model may reply anything
        """The list alone or under another name, or its one sentence alone."""
        value = _with_plain_names(value)
        if _is_bare(value, _LIST[0]):
            return {_LIST[0]: value}
        if not isinstance(value, dict) or _first_value(value, _LIST):
            return value
        if isinstance(value.get("answer"), list):
            return {**value, _LIST[0]: value["answer"]}
        if _first_value(value, (*_WORDS, "quotes")):
            return {**value, _LIST[0]: [value]}
        lists = [part for part in value.values() if _is_bare(part, _LIST[0])]
        return {**value, _LIST[0]: lists[0]} if len(lists) == 1 else value

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not self.model_fields_set & {"sentences", "status"}:
            raise PydanticCustomError("silent", 'it has neither "sentences" nor a status')
        _demand_readable(self.sentences)
        return self

    @property
    def promises_more(self) -> bool:
        """Whether it breaks off behind "answered", before it says anything."""
        return not self.sentences and self.status.strip().casefold() == "answered"

    @property
    def listed(self) -> tuple[str, ...]:
        """A line for each sentence."""
        return tuple(
            sentence.text or sentence.quotes[0].words for sentence in self.sentences if sentence.readable
        )

    def joined(self, more: "Draft") -> "Draft":
        """This one and what another adds, which was told what this one holds."""
        return self.model_copy(
            update={
                "sentences": [*self.sentences, *_new_items(more.sentences, self.sentences)],
                "verdict": self.verdict or more.verdict,
                "missing": [*self.missing, *more.missing],
            }
        )

    @field_validator("missing", mode="before")
    @classmethod
    def _missing(cls, value: Any) -> list[int]:  # noqa: ANN401 - a model may reply anything
        return [number for number in map(_number, _as_list(value)) if number]


class ComparisonDraft(_Reply):
    """One cell for each document and part that the passages speak about.

    `differences` lean on the cells' quotes, `sentences` on quotes of their own.
    """

    cells: list[DraftCell]
    differences: list[str] = Field(default_factory=list)
    sentences: list[DraftSentence] = Field(default_factory=list)

    _listed_cells = field_validator("cells", mode="before")(_sentences)
    _listed_sentences = field_validator("sentences", mode="before")(_sentences)

    @model_validator(mode="before")
    @classmethod
    def _bare(cls, value: Any) -> Any:  # noqa: ANN401 - a model may reply anything
        """The list of cells alone."""
        value = _with_plain_names(value)
        return {"cells": value} if _is_bare(value, "cells") else value

    @model_validator(mode="after")
    def _is_readable(self) -> Self:
        _demand_readable(self.cells)
        return self

    @property
    def listed(self) -> tuple[str, ...]:
        """A line for each cell."""
        cells = (cell for cell in self.cells if cell.readable)
        return tuple(
            f"D{cell.document}, part {cell.part}: {cell.text or cell.quotes[0].words}" for cell in cells
        )

    def joined(self, more: "ComparisonDraft") -> "ComparisonDraft":
        """This one and what another adds, which was told what this one holds."""
        return self.model_copy(
            update={
                "cells": [*self.cells, *_new_items(more.cells, self.cells)],
                "differences": list(dict.fromkeys((*self.differences, *more.differences))),
                "sentences": [*self.sentences, *_new_items(more.sentences, self.sentences)],
            }
        )

    @field_validator("differences", mode="before")
    @classmethod
    def _differences(cls, value: Any) -> list[str]:  # noqa: ANN401 - a model may reply anything
        read = [
            difference.get("text") if isinstance(difference, dict) else difference
            for difference in _as_list(value)
        ]
        return [difference for difference in read if isinstance(difference, str)]


def _new_items[T: DraftSentence](more: Sequence[T], known: Sequence[T]) -> list[T]:
    """The items of `more` that say what none of the `known` says, in the same words or on the same quotes."""
    return [
        sentence
        for sentence in more
        if sentence.readable and not any(_are_alike(sentence, other) for other in known)
    ]


def _are_alike(one: DraftSentence, other: DraftSentence) -> bool:
    first, second = terms(one.text), terms(other.text)
    if first == second:
        return bool(first) or one.quotes == other.quotes
    return one.quotes == other.quotes and 5 * len({*first} & {*second}) >= 4 * len({*first} | {*second})


def leaning(text: str, quotes: Sequence[Quote]) -> Statement:
    """A sentence on those of the quotes that share words with it, checked against all of them."""
    sentence = plain(text)
    near = tuple(quote for quote in quotes if overlap(sentence, quote.text) >= _NEAR) or tuple(quotes[:2])
    return Statement(sentence, near, _unproven_details(sentence, quotes))


def placed(
    draft: DraftSentence, shown: Mapping[str, Segment], among: Sequence[Segment], question: str = ""
) -> tuple[Statement, tuple[str, ...]]:
    """The sentence on the quotes that really stand in `among`, and what was wrong with the others.

    The quotes without the sentence where they share nothing.
    """
    text = _without_keys(plain(draft.text), shown)
    quotes: dict[Quote, None] = {}
    faults: dict[str, None] = {}
    for draft_quote in (part for whole in draft.quotes for part in _findable(whole, among)):
        quote, fault = _located(draft_quote, text, shown, among)
        if fault:
            faults[fault] = None
        if quote is not None:
            quotes[quote] = None
    if text and quotes and not bears_on(tuple(quotes), text):
        faults[UNRELATED] = None
        text = ""
    missing = _unproven_details(text, tuple(quotes), question) if quotes else ()
    copied = [quote.text for quote in quotes] == [text]
    return Statement(text, tuple(quotes), missing, draft.part, verbatim=copied), tuple(faults)


def _findable(draft: DraftQuote, among: Sequence[Segment]) -> tuple[DraftQuote, ...]:
    """The quote; without escapes, or sentence by sentence, where it stands nowhere as it is."""
    words = draft.words.strip()[:_LONGEST]
    if not words or locate(words, among):
        return (draft,)
    bare = _ESCAPED.sub(r"\1", words)
    parts = [bare[span.start : span.end] for span in sentences(bare)][:_SENTENCES]
    if locate(bare, among) or not any(locate(part, among) for part in parts):
        return (DraftQuote(passage=draft.passage, words=bare),)
    return tuple(DraftQuote(passage=draft.passage, words=part) for part in parts)


def _located(
    draft: DraftQuote, text: str, shown: Mapping[str, Segment], among: Sequence[Segment]
) -> tuple[Quote | None, str]:
    """The quote if it may prove the sentence `text`, and what was wrong with it."""
    words = draft.words.strip()[:_LONGEST]
    claimed = _claimed_segment(draft.passage, shown, among)
    located = locate(words, among, claimed=claimed) if words else None
    if located is None:
        return None, DROPPED
    if suspicious_around(located.quote.segment.text, located.quote.span):
        return None, HOSTILE
    if not is_clause(located.quote, text):
        return None, SHORT
    return located.quote, MOVED if located.repointed and claimed is not None else ""


def _unproven_details(text: str, quotes: Sequence[Quote], question: str = "") -> tuple[str, ...]:
    beside = [around(quote) for quote in quotes]
    return unsupported_details(text, [with_source(quote) for quote in quotes], question, beside)


def _claimed_segment(named: str, shown: Mapping[str, Segment], among: Sequence[Segment]) -> Segment | None:
    """The segment that a model named, if it is one that may be quoted here."""
    named_segments = [shown[word] for word in _WORD.findall(named.lower()) if word in shown]
    return named_segments[0] if named_segments and named_segments[0] in among else None


def _without_keys(text: str, shown: Mapping[str, Segment]) -> str:
    """A sentence without the passage keys in brackets that a model may have typed into it."""
    return _KEYS.sub(lambda match: "" if shown.keys() >= {*_WORD.findall(match[1])} else match[0], text)


def with_source(quote: Quote) -> str:
    """The text that a sentence may lean on: the quoted words, and the name of the document they stand in."""
    name = _EDITION.sub(r"\g<0> version \1", quote.segment.document.name)
    return f"{quote.text} ({name} {quote.segment.question})"


def around(quote: Quote) -> str:
    """The steps of a list before the one that is quoted, or what it is a point of; nothing of other texts."""
    text, span = quote.segment.text, quote.span
    line = text.rfind("\n", 0, span.start) + 1
    if not _POINT.match(text, line):
        return ""
    before = text[max(0, line - _AROUND) : line]
    return before if text[line : line + 2].isspace() else before.rpartition("\n\n")[2]
