"""Benchmark data: a folder of documents, and questions with the places that answer them.

A data directory holds `corpus/`, `queries.jsonl` {id, query, …, gold: [{file, start, end}]} and, where there are any,
`unanswerable.jsonl` and `comparison.jsonl`. Without a directory the sample collection is taken.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from bench.metrics import Place
from standalone.knowledge import Corpus, load_folder

type Field = Literal["query", "query_inline", "question"]
type Part = Literal["queries", "unanswerable", "comparison"]

_STANDALONE = Path(__file__).resolve().parents[1] / "standalone"


class NoData(Exception):
    """The data directory lacks what was asked for; the message says what."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One question. `gold` is empty where nothing answers it; `files` are the documents that it names."""

    id: str
    text: str
    gold: tuple[Place, ...] = ()
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Data:
    """A data directory, or the sample collection when `path` is None."""

    path: Path | None = None

    @property
    def name(self) -> str:
        return self.path.resolve().name if self.path else "sample collection"

    def corpus(self, technique: Literal["high_quality", "economy"]) -> Corpus:
        """The documents, to be cut into segments of 500 characters; raises NoData."""
        folder = self.path / "corpus" if self.path else _STANDALONE / "documents"
        try:
            return load_folder(folder, technique, self.path.resolve().name if self.path else None)
        except (FileNotFoundError, ValueError) as error:
            raise NoData(str(error)) from error

    def questions(
        self,
        part: Part = "queries",
        field: Field = "query",
        limit: int | None = None,
        file: Path | None = None,
    ) -> tuple[Asked, ...]:
        """The questions of a part (or of `file`), at most `limit`, spread evenly; raises NoData."""
        if self.path is None and file is None:
            listed = tuple(_sample(part))
        else:
            source = file or (self.path or _STANDALONE) / f"{part}.jsonl"
            listed = tuple(_asked(row, field, source) for row in rows(source))
        return spread(listed, limit)

    def has(self, part: Part) -> bool:
        return self.path is None or (self.path / f"{part}.jsonl").is_file()


def spread[T](items: Sequence[T], limit: int | None) -> tuple[T, ...]:
    """At most `limit` items, evenly spread over all, in their order."""
    if limit is None or limit >= len(items):
        return tuple(items)
    return tuple(items[place * len(items) // limit] for place in range(limit))


def rows(source: Path) -> Iterator[Mapping[str, Any]]:
    try:
        with source.open(encoding="utf-8") as lines:
            for line in lines:
                if line.strip():
                    yield json.loads(line)
    except FileNotFoundError as error:
        raise NoData(f"There is no file {source}.") from error
    except ValueError as error:
        raise NoData(f"{source} is not JSON, one object a line: {error}") from error


def _asked(row: Mapping[str, Any], field: Field, source: Path) -> Asked:
    if field not in row:
        raise NoData(f"The questions of {source} have no field {field}.")
    gold = tuple(Place(each["file"], each["start"], each["end"]) for each in row.get("gold", ()))
    named = row.get("files") or ([row["file"]] if row.get("file") else [])
    return Asked(str(row["id"]), row[field], gold, tuple(named))


def _sample(part: Part) -> Iterator[Asked]:
    """Our own questions: the evidence is given in words, which are looked up in the documents."""
    texts = {
        file.name: file.read_bytes().decode() for file in sorted((_STANDALONE / "documents").rglob("*.*"))
    }
    for row in rows(_STANDALONE / "questions.jsonl"):
        kind = "comparison" if row["intent"] == "compare" else "queries"
        if part == (kind if row["answerable"] else "unanswerable") or (part, kind) == (
            "queries",
            "comparison",
        ):
            named = tuple(row["documents"])
            gold = _places(row["evidence"], {name: texts[name] for name in named})
            yield Asked(row["id"], row["question"], tuple(gold), named)


def _places(evidence: Iterable[str], texts: Mapping[str, str]) -> Iterator[Place]:
    for words in evidence:
        for name, text in texts.items():
            if (start := text.find(words)) >= 0:
                yield Place(name, start, start + len(words))
