"""Questions with what is expected of them, read from CSV or JSON Lines. Pure."""

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evidence.errors import InvalidRequest

LONGEST_QUESTION = 2_000  # characters
LONGEST_WORDS = 2_000  # characters of one expected text
_NOTHING = frozenset({"no answer", "no_answer", "none", "not answerable", "unanswerable"})
_FALSE = frozenset({"false", "no", "0", "n"})
_DELIMITERS = ",;\t"
# The names of a column or field; ours come first. The two columns of an export of annotations are told by their place.
_QUESTION = ("question", "query", "input", "prompt")
_DOCUMENTS = ("documents", "document", "expected_document", "expected_documents", "file")
_WORDS = ("words", "expected_words", "evidence", "quote")
_ANSWER = ("answer", "expected_answer", "output")
_ANSWERABLE = ("answerable",)
_DATASETS = ("datasets", "dataset")
_KNOWN = frozenset(
    {*_QUESTION, *_DOCUMENTS, *_WORDS, *_ANSWER, *_ANSWERABLE, *_DATASETS, "history", "drafted"}
)


@dataclass(frozen=True, slots=True)
class Expected:
    """A question and what is right of it: one of the `documents`, all of the `words`, or that nothing answers.

    `answer` is a text in words of its own, of which most must be quoted; `drafted` where no person wrote it.
    """

    question: str
    documents: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    answer: str = ""
    answerable: bool = True
    datasets: tuple[str, ...] = ()
    history: str = ""
    drafted: bool = False


def expected_of(text: str) -> tuple[Expected, ...]:
    """The questions of a text in CSV (with a head) or JSON Lines; raises InvalidRequest naming the line."""
    body = text.removeprefix("\ufeff").strip()
    rows = _json_lines(body) if body.startswith("{") else _csv_rows(body)
    questions = tuple(_expected(line, row) for line, row in rows)
    if not questions:
        raise InvalidRequest("`questions` holds no question")
    return questions


def _json_lines(body: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for line, text in enumerate(body.splitlines(), 1):
        if not text.strip():
            continue
        try:
            row = json.loads(text)
        except (ValueError, RecursionError):
            raise InvalidRequest(f"line {line} of `questions` is not valid JSON") from None
        if not isinstance(row, dict):
            raise InvalidRequest(f"line {line} of `questions` is no JSON object")
        yield line, _of_messages(row["messages"]) if isinstance(row.get("messages"), list) else row


def _of_messages(messages: Sequence[Any]) -> Mapping[str, Any]:
    """An annotation as Dify exports it in JSON Lines: what the user said, and what is to be answered."""
    spoken = {
        str(message.get("role")): message.get("content")
        for message in messages
        if isinstance(message, Mapping)
    }
    return {"question": spoken.get("user"), "answer": spoken.get("assistant")}


def _csv_rows(body: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    head = body.partition("\n")[0]
    delimiter = max(_DELIMITERS, key=head.count)
    reader = csv.reader(io.StringIO(body), delimiter=delimiter)
    try:
        names = [name.strip().lower().replace(" ", "_") for name in next(reader, [])]
        if not _KNOWN.intersection(names):
            names = ["question", "answer", *names[2:]]
        for row in reader:
            if any(cell.strip() for cell in row):
                yield reader.line_num, dict(zip(names, row, strict=False))
    except csv.Error as error:
        raise InvalidRequest(f"line {reader.line_num} of `questions` is not valid CSV ({error})") from None


def _expected(line: int, row: Mapping[str, Any]) -> Expected:
    question = _text(row, _QUESTION)
    if not question:
        raise InvalidRequest(f"line {line} of `questions` has no question")
    if len(question) > LONGEST_QUESTION:
        raise InvalidRequest(f"line {line} of `questions` has more than {LONGEST_QUESTION:,} characters")
    documents, words, answer = _list(row, _DOCUMENTS), _list(row, _WORDS), _text(row, _ANSWER)
    texts = [*documents, *words, answer]
    nothing = any(text.casefold() in _NOTHING for text in texts)
    answerable = not nothing and _text(row, _ANSWERABLE).casefold() not in _FALSE
    if answerable and not any(texts):
        raise InvalidRequest(
            f'line {line} of `questions` expects nothing: name a document, words or "no answer"'
        )
    return Expected(
        question,
        documents if answerable else (),
        tuple(text[:LONGEST_WORDS] for text in words) if answerable else (),
        answer[:LONGEST_WORDS] if answerable and not words else "",
        answerable,
        _list(row, _DATASETS),
        _text(row, ("history",)),
        _text(row, ("drafted",)).casefold() not in {"", *_FALSE},
    )


def _value(row: Mapping[str, Any], names: Sequence[str]) -> Any:  # noqa: ANN401 - a file may hold anything
    return next((row[name] for name in names if row.get(name) not in (None, "", [])), "")


def _text(row: Mapping[str, Any], names: Sequence[str]) -> str:
    value = _value(row, names)
    return str(value).strip() if isinstance(value, str | int | float) else ""


def _list(row: Mapping[str, Any], names: Sequence[str]) -> tuple[str, ...]:
    """A list, or a text with bars between its entries."""
    value = _value(row, names)
    entries = value if isinstance(value, list) else str(value).split("|")
    return tuple(str(entry).strip() for entry in entries if str(entry).strip())
