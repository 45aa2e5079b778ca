"""Sets of questions as people ask them, with the places that answer each.

A folder of sets holds a folder a set, named after its subject and the language of its documents (`manual_en`), with
`corpus/`, `queries.jsonl` {id, query, history, category, gold, short_answer, verdict?} and, where there are any,
`unanswerable.jsonl` {id, query, kind}. `gold` lists alternatives, each a list of {file, start, end} that answer
together. Files are known as `set/file`, so that sets can be asked together.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bench.data import NoData, rows, spread
from bench.metrics import Place
from standalone.knowledge import Collection, Corpus, load_folder
from standalone.knowledge.corpus import Technique


@dataclass(frozen=True, slots=True)
class Asked:
    """One question; without `gold` nothing answers it, and `category` says of what kind it is.

    `answers` are the words of which a right quote holds one. `verdict` is yes, no or "".
    """

    id: str
    query: str
    category: str
    history: tuple[str, ...] = ()
    gold: tuple[tuple[Place, ...], ...] = ()
    answers: tuple[str, ...] = ()
    verdict: str = ""

    @property
    def whole(self) -> str:
        """What was said before and what is asked now, for an engine that knows no history."""
        return " ".join((*self.history, self.query))


@dataclass(frozen=True, slots=True)
class Base:
    """Documents that are asked about together: one set, or several in one language.

    `texts` are by `set/file`; `language` is the two letters at the end of a set's name.
    """

    name: str
    language: str
    collections: tuple[Collection, ...]
    questions: tuple[Asked, ...]

    @property
    def corpus(self) -> Corpus:
        return Corpus(self.collections)

    @property
    def texts(self) -> dict[str, str]:
        return {
            f"{collection.name}/{document.name}": document.text
            for collection in self.collections
            for document in collection.documents
        }


def names(folder: Path, wanted: Sequence[str] = ()) -> tuple[str, ...]:
    """The sets in a folder, all or those wanted; raises NoData."""
    there = sorted(each.parent.name for each in folder.glob("*/queries.jsonl"))
    if unknown := sorted(set(wanted) - set(there)):
        raise NoData(f"There is no set {unknown[0]} in {folder}; there are: {', '.join(there) or 'none'}.")
    if not there:
        raise NoData(f"The folder {folder} holds no set (a folder with corpus/ and queries.jsonl).")
    return tuple(each for each in there if not wanted or each in wanted)


def base(folder: Path, name: str, technique: Technique, limit: int | None = None) -> Base:
    """One set; at most `limit` questions of either kind, spread evenly. Raises NoData."""
    home = folder / name
    try:
        corpus = load_folder(home / "corpus", technique, name)
    except (FileNotFoundError, ValueError) as error:
        raise NoData(str(error)) from error
    absent = home / "unanswerable.jsonl"
    asked = [_asked(row, name) for row in rows(home / "queries.jsonl")]
    unanswerable = [_asked(row, name) for row in rows(absent)] if absent.is_file() else []
    questions = (*spread(asked, limit), *spread(unanswerable, limit))
    return Base(name, name.rsplit("_", 1)[-1], corpus.collections, questions)


def together(name: str, bases: Sequence[Base]) -> Base:
    """Several sets of one language as one, each still a dataset of its own."""
    return replace(
        bases[0],
        name=name,
        collections=tuple(each for one in bases for each in one.collections),
        questions=tuple(each for one in bases for each in one.questions),
    )


def _asked(row: Mapping[str, Any], name: str) -> Asked:
    answers = row.get("short_answer", ())
    return Asked(
        str(row["id"]),
        row["query"],
        row.get("category") or row["kind"],
        tuple(row.get("history", ())),
        tuple(tuple(_place(each, name) for each in alternative) for alternative in row.get("gold", ())),
        (answers,) if isinstance(answers, str) else tuple(answers),
        row.get("verdict", ""),
    )


def _place(span: Mapping[str, Any], name: str) -> Place:
    return Place(f"{name}/{span['file']}", span["start"], span["end"])
