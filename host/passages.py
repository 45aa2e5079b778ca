"""Passages that a caller hands in: the JSON of `search`, its list, or items of Dify's knowledge retrieval."""

import json
import math
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, get_args

from pydantic import AliasChoices, AliasPath, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from evidence.errors import InvalidRequest
from evidence.model import Document, Passage, Pool, Provenance, Query, Segment, Voice
from host.parameters import unset

MOST_PASSAGES = 200
LONGEST_PASSAGES = 500_000  # characters of all texts
LONGEST_NAME = 500  # characters of a name, an id, a question: they are shown and counted with every quote
_VOICES = frozenset(get_args(Voice.__value__))

type _Text = Annotated[
    str, Field(max_length=LONGEST_NAME), BeforeValidator(lambda value: "" if value is None else value)
]
type _Count = Annotated[int, BeforeValidator(lambda value: 0 if value is None else value)]
type _Score = Annotated[float, BeforeValidator(lambda value: 0.0 if value is None else value)]


def _either(name: str, inner: str | None = None) -> Any:
    """A field of ours, or the one of the same meaning in the metadata of a knowledge-retrieval item."""
    return Field("", validation_alias=AliasChoices(name, AliasPath("metadata", inner or name)))


class _Item(BaseModel):
    model_config = ConfigDict(extra="ignore")

    text: str = Field(min_length=1, validation_alias=AliasChoices("text", "content"))
    question: _Text = ""
    dataset_id: _Text = _either("dataset_id")
    dataset_name: _Text = _either("dataset_name")
    document_id: _Text = _either("document_id")
    document_name: _Text = Field(
        "", validation_alias=AliasChoices("document_name", AliasPath("metadata", "document_name"), "title")
    )
    segment_id: _Text = _either("segment_id")
    position: _Count = Field(
        0, validation_alias=AliasChoices("position", AliasPath("metadata", "segment_position"))
    )
    score: _Score = Field(0.0, validation_alias=AliasChoices("score", AliasPath("metadata", "score")))
    why: Any = None
    context: bool = False

    def passage(self, rank: int) -> Passage:
        name = self.document_name or f"passage {rank}"
        document = Document(self.dataset_id, self.document_id or name, name, self.dataset_name)
        question, words = (self.question, self.text) if self.question else _parted(self.text)
        segment = Segment(document, self.segment_id or f"passage-{rank}", self.position, words, question)
        score = self.score if math.isfinite(self.score) else 0.0
        return Passage(segment, score, rank, tuple(_provenance(self.why)), self.context)


def _parted(text: str) -> tuple[str, str]:
    """Question and answer of a Q&A segment, as Dify joins the two; the question of any other text is empty."""
    question, joined, answer = text.removeprefix("question:").partition(" \nanswer:")
    return (question, answer) if joined and text.startswith("question:") else ("", text)


def pool_from(parameters: Mapping[str, Any]) -> Pool:
    """The passages of `passages`, in their order; raises InvalidRequest naming the first problem."""
    given = parameters.get("passages")
    if unset(given) and given != []:
        raise InvalidRequest("`passages` is required: the JSON of the search tool")
    items = list(_items(_json(given) if isinstance(given, str) else given))
    if len(items) > MOST_PASSAGES:
        raise InvalidRequest(f"`passages` has {len(items)} entries; at most {MOST_PASSAGES} are accepted")
    passages: dict[tuple[str, str], Passage] = {}
    for rank, item in enumerate(items, 1):
        passage = _passage(item, rank)
        passages.setdefault((passage.segment.document.document_id, passage.segment.segment_id), passage)
    length = sum(len(each.segment.text) for each in passages.values())
    if length > LONGEST_PASSAGES:
        raise InvalidRequest(
            f"`passages` has {length:,} characters; at most {LONGEST_PASSAGES:,} are accepted: hand in fewer"
        )
    documents = {each.segment.document for each in passages.values()}
    return Pool(tuple(passages.values()), read=len(passages), held=len(passages), documents=len(documents))


def _json(given: str) -> Any:
    bare = given.strip()
    if bare.startswith("```") and bare.endswith("```"):
        bare = bare.strip("`").removeprefix("json")
    try:
        return json.loads(bare)
    except (ValueError, RecursionError):
        raise InvalidRequest("`passages` is no JSON; hand on what the search tool returned") from None


def _items(given: Any) -> Iterable[Any]:
    if isinstance(given, Mapping):
        inner = given.get("passages", given.get("result"))
        if not isinstance(inner, list | tuple):
            raise InvalidRequest('`passages` must be an object with a list "passages", or that list')
        return inner
    if not isinstance(given, list | tuple):
        raise InvalidRequest('`passages` must be an object with a list "passages", or that list')
    if given and isinstance(given[0], Mapping) and ("passages" in given[0] or "result" in given[0]):
        return [item for each in given for item in _items(each)]  # Dify's `json`: a list of objects
    return given


def _passage(item: Any, rank: int) -> Passage:
    try:
        return _Item.model_validate(item).passage(rank)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "it"
        raise InvalidRequest(f"`passages`, entry {rank}: {where}: {first['msg']}") from None


def _provenance(given: Any) -> Iterable[Provenance]:
    """What of the provenance can be read; the rest is decoration and is left out."""
    for each in given if isinstance(given, list) else ():
        if not isinstance(each, Mapping) or type(each.get("rank")) is not int:
            continue
        voice, query = each.get("list"), each.get("query")
        if isinstance(voice, str) and voice in _VOICES:
            yield Provenance(
                query[:LONGEST_NAME] if isinstance(query, str) else "", each["list"], each["rank"]
            )


def queries_of(pool: Pool) -> tuple[Query, ...]:
    """The different queries that the passages were found with."""
    found = dict.fromkeys(why.query for each in pool.passages for why in each.why if why.query)
    return tuple(Query(query) for query in found)
