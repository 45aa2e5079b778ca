"""Passages that a caller hands in: the JSON of `search`, its list, or items of Dify's knowledge retrieval."""

import math
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, get_args

from pydantic import AliasChoices, AliasPath, BaseModel, ConfigDict, Field, ValidationError

from evidence.errors import InvalidRequest
from evidence.http.foreign_json import TooMuch, parsed
from evidence.model import Document, Passage, Pool, Provenance, Query, Segment, SignalName
from host.parameters import unset

MOST_PASSAGES = 200
LONGEST_JSON = 4_000_000  # characters of the parameter, where it is written as a text
LONGEST_PASSAGES = 500_000  # characters of all texts
LONGEST_PASSAGE = 100_000  # characters of one text, as of a stored segment
LONGEST_NAME = 500  # characters of a name, an id, a question: they are shown and counted with every quote
MOST_REASONS = 50  # lists and queries that a passage was found by
_DEEPEST = 100  # levels of the JSON
_HIGHEST = 1_000_000_000  # position or rank
_SIGNALS = frozenset(get_args(SignalName.__value__))

type _Text = Annotated[str, Field(max_length=LONGEST_NAME)] | None
type _Count = Annotated[int, Field(ge=0, le=_HIGHEST)] | None


def _either(name: str, inner: str | None = None) -> Any:
    """A field of ours, or the one of the same meaning in the metadata of a knowledge-retrieval item."""
    return Field("", validation_alias=AliasChoices(name, AliasPath("metadata", inner or name)))


class _Item(BaseModel):
    model_config = ConfigDict(extra="ignore")

    text: str = Field(
        min_length=1, max_length=LONGEST_PASSAGE, validation_alias=AliasChoices("text", "content")
    )
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
    score: float | None = Field(0.0, validation_alias=AliasChoices("score", AliasPath("metadata", "score")))
    why: Any = None

    def passage(self, rank: int) -> Passage:
        name = self.document_name or f"passage {rank}"
        document = Document(self.dataset_id or "", self.document_id or name, name, self.dataset_name or "")
        question, words = (self.question, self.text) if self.question else _question_and_answer(self.text)
        position = self.position or 0
        segment = Segment(document, self.segment_id or f"passage-{rank}", position, words, question)
        score = self.score if self.score is not None and math.isfinite(self.score) else 0.0
        return Passage(segment, score, rank, tuple(_provenance(self.why)))


def _question_and_answer(text: str) -> tuple[str, str]:
    """Question and answer of a Q&A segment, as Dify joins the two; the question of any other text is empty."""
    question, joined, answer = text.removeprefix("question:").partition(" \nanswer:")
    return (question, answer) if joined and text.startswith("question:") else ("", text)


def pool_from(parameters: Mapping[str, Any]) -> tuple[Pool, tuple[str, ...]]:
    """The passages of `passages`, in their order, and warnings of those that cannot be read.

    Raises InvalidRequest where nothing can be read, naming the first problem, and where there is too much.
    """
    given = parameters.get("passages")
    if unset(given) and given != []:
        raise InvalidRequest("`passages` is required: the JSON of the search tool")
    items = list(_items(_json(given) if isinstance(given, str) else given))
    if len(items) > MOST_PASSAGES:
        raise InvalidRequest(f"`passages` has {len(items):,} entries; at most {MOST_PASSAGES} are accepted")
    passages: dict[tuple[str, str], Passage] = {}
    problems: list[str] = []
    for rank, item in enumerate(items, 1):
        try:
            passage = _Item.model_validate(item).passage(rank)
        except ValidationError as error:
            problems.append(f"`passages`, entry {rank}: {_problem(error)}")
            continue
        passages.setdefault((passage.segment.document.document_id, passage.segment.segment_id), passage)
    if problems and not passages:
        raise InvalidRequest(problems[0])
    length = sum(len(passage.segment.text) for passage in passages.values())
    if length > LONGEST_PASSAGES:
        raise InvalidRequest(
            f"`passages` has {length:,} characters; at most {LONGEST_PASSAGES:,} are accepted: hand in fewer"
        )
    documents = {passage.segment.document for passage in passages.values()}
    pool = Pool(tuple(passages.values()), read=len(passages), total=len(passages), documents=len(documents))
    return pool, tuple(f"{problem}; it is left out" for problem in problems)


def _json(given: str) -> Any:
    if len(given) > LONGEST_JSON:
        raise InvalidRequest(
            f"`passages` has {len(given):,} characters; at most {LONGEST_JSON:,} are accepted"
        )
    bare = given.strip()
    if bare.startswith("```") and bare.endswith("```"):
        bare = bare.strip("`").removeprefix("json")
    try:
        return parsed(bare.encode("utf-8", "surrogatepass"), _DEEPEST)
    except TooMuch as error:
        raise InvalidRequest(f"`passages` has {error}") from None
    except ValueError:
        raise InvalidRequest("`passages` is not valid JSON; hand on what the search tool returned") from None


def _items(given: Any) -> Iterable[Any]:
    """The entries of a list or of an object that holds it; Dify's `json` is a list of such objects."""
    if isinstance(given, list | tuple) and given and _records_in(given[0]) is not None:
        return [item for piece in given for item in _records_in(piece) or ()]
    items = given if isinstance(given, list | tuple) else _records_in(given)
    if items is None:
        raise InvalidRequest(
            '`passages` must be an object with a list "passages", or that list; `search` gives it with `output` full'
        )
    return items


def _records_in(given: Any) -> Iterable[Any] | None:
    inner = given.get("passages", given.get("result")) if isinstance(given, Mapping) else None
    return inner if isinstance(inner, list | tuple) else None


def _problem(error: ValidationError) -> str:
    """The first problem of an entry, without anything that stands in it."""
    first = error.errors(include_input=False, include_url=False)[0]
    return f"{'.'.join(str(part) for part in first['loc']) or 'it'}: {first['msg']}"


def _provenance(given: Any) -> Iterable[Provenance]:
    """The reasons of a provenance that can be read; the rest is left out."""
    for reason in given[:MOST_REASONS] if isinstance(given, list) else ():
        if not isinstance(reason, Mapping) or type(rank := reason.get("rank")) is not int:
            continue
        signal, query = reason.get("list"), reason.get("query")
        if isinstance(signal, str) and signal in _SIGNALS and 0 <= rank <= _HIGHEST:
            yield Provenance(query[:LONGEST_NAME] if isinstance(query, str) else "", reason["list"], rank)


def queries_of(pool: Pool) -> tuple[Query, ...]:
    """The different queries that the passages were found with."""
    texts = dict.fromkeys(why.query for passage in pool.passages for why in passage.why if why.query)
    return tuple(Query(query) for query in texts)
