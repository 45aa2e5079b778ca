"""The cases of a kind: a file of documents, questions and the words that answer them.

A document has `text`, whose lines within a paragraph are joined, or hand-written `sections` of a generated handbook.
A case without `answer` asks for what is not there. `answer` is one text or several that are needed together; words in
`instead` are wrong where they are quoted first. Blanks in `answer` and `instead` match any blanks.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from bench.cases.filler import Section, handbook
from bench.metrics import Place
from standalone.knowledge import Collection, Corpus, SourceDocument

FOLDER = Path(__file__).parent
KINDS = ("versions", "long", "missing", "lengthy", "negation", "deadlines")
_WIDE = r"[\u3000-\u9fff\uff00-\uffef]"  # scripts that are written without blanks
_GOES_ON = r"\n(?=[^\s#|-])(?!\d+\. |第.{1,3}条)"  # before a line that is no heading, item or article
_BREAKS = ((re.compile(rf"(?<={_WIDE}){_GOES_ON}"), ""), (re.compile(rf"(?<=\S){_GOES_ON}"), " "))
_FOLDED = re.compile(rf"(?<={_WIDE}) ")


@dataclass(frozen=True, slots=True)
class Case:
    """One question; nothing answers it where `answers` is empty. Places are found in the documents."""

    question: str
    answers: tuple[Place, ...]
    instead: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Kind:
    """Cases of one kind with the documents that they are asked of."""

    name: str
    documents: Mapping[str, str]
    cases: tuple[Case, ...]


def together(kinds: Iterable[Kind]) -> Corpus:
    """One knowledge base of all their documents: each is asked for among the others."""
    documents = (SourceDocument(*each) for kind in kinds for each in kind.documents.items())
    return Corpus((Collection("house rules and handbooks", tuple(documents)),))


def kind(name: str, folder: Path = FOLDER) -> Kind:
    """Raises ValueError for an answer that stands in no document."""
    told: Mapping[str, Any] = yaml.safe_load((folder / f"{name}.yaml").read_text(encoding="utf-8"))
    documents = {each["name"]: _unwrapped(each["text"]) for each in told.get("documents", ())}
    documents |= {each["name"]: _handbook(each) for each in told.get("long", ())}
    return Kind(name, documents, tuple(_case(each, documents) for each in told["cases"]))


def _case(told: Mapping[str, Any], documents: Mapping[str, str]) -> Case:
    answers = [_places(each, documents) for each in _listed(told.get("answer"))]
    instead = [_places(each, documents) for each in _listed(told.get("instead"))]
    return Case(
        _joined(told["question"].strip()),
        tuple(places[0] for places in answers),
        tuple(place for places in instead for place in places),
    )


def _places(words: str, documents: Mapping[str, str]) -> tuple[Place, ...]:
    wanted = re.compile(r"\s+".join(map(re.escape, _joined(words).split())))
    found = tuple(
        Place(name, match.start(), match.end())
        for name, text in documents.items()
        for match in wanted.finditer(text)
    )
    if not found:
        raise ValueError(f"No document holds: {words}")
    return found


def _handbook(told: Mapping[str, Any]) -> str:
    sections = [Section(each["after"], each["title"], each["text"]) for each in told["sections"]]
    return handbook(told["name"].rpartition(".")[0], told["language"], told["chapters"], sections)


def _unwrapped(text: str) -> str:
    """The lines of a paragraph as one."""
    for broken, joint in _BREAKS:
        text = broken.sub(joint, text)
    return text


def _joined(text: str) -> str:
    """YAML folds lines with blanks; Chinese and Japanese have none."""
    return _FOLDED.sub("", text)


def _listed(value: Any) -> Sequence[str]:
    return [value] if isinstance(value, str) else [str(each) for each in value or ()]


def kinds(wanted: Iterable[str] = ()) -> tuple[Kind, ...]:
    return tuple(kind(name) for name in (tuple(wanted) or KINDS))
