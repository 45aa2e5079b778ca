"""Dify's dictionaries, read once into our values. Every refusal names the parameter and what it takes."""

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from evidence.errors import InvalidRequest
from evidence.knowledge.metadata_filter import parse_filter
from evidence.model import EVERYTHING, Effort, MetadataFilter, Question
from evidence.settings import Settings
from host.view.links import unlinked

LONGEST_QUERY = 8_000  # characters
LONGEST_TEXT = 20_000  # characters of instructions, and of an answer to be judged
LONGEST_HISTORY = 8_000  # characters; the newest count
MOST_NAMES = 100
LONGEST_NAME = 500  # characters of an id or a name
LONGEST_NUMBER = 100  # characters of a number that is written as a text
LONGEST_QUESTIONS = 1_000_000  # characters of all questions of an evaluation
LONGEST_FILTER = 100_000  # characters of a metadata filter that is written as a text
LONGEST_MODEL = 20_000  # characters of a model selector's value, as JSON
RERANK_FORM = (
    "chat, or provider/model as the workspace names them: a plugin's provider has three parts, as in "
    "langgenius/jina/jina/jina-reranker-v2-base-multilingual"
)
ANY = 1_000_000  # the highest number where none is declared
type Output = Literal["full", "compact"]
type Language = Literal["en_US", "zh_Hans", "ja_JP", "pt_BR"]
type Action = Literal["status", "build", "refresh", "drop"]
# A name: quoted where it holds commas ("" is a quote inside), or everything up to the next comma or line.
_NAME = re.compile(r'\s*+(?:(!?+)\s*+"((?:[^"]|"")*+)"\s*+|([^,，\n]*+))(?:[,，\n]|$)')


@dataclass(frozen=True, slots=True)
class Parameter:
    """How a parameter is declared to Dify: a person sets it in the `form`, or a model (`llm`) fills it in."""

    name: str
    required: bool = False
    form: Literal["llm", "form"] = "llm"
    type: Literal["string", "number", "select", "model-selector"] = "string"


@dataclass(frozen=True, slots=True)
class Number(Parameter):
    """A number inside [lowest, highest], `default` when unset."""

    type: Literal["number"] = "number"
    default: float = 0
    lowest: float = 0
    highest: float = ANY


@dataclass(frozen=True, slots=True)
class Choice[Value: str](Parameter):
    """One of `choices`, `default` when unset."""

    type: Literal["select"] = "select"
    form: Literal["form"] = "form"
    choices: tuple[Value, ...] = ()
    default: str = ""


EFFORT: Choice[Effort] = Choice("effort", choices=get_args(Effort.__value__), default="balanced")
OUTPUT: Choice[Output] = Choice("output", choices=get_args(Output.__value__), default="full")
LANGUAGE: Choice[Language] = Choice("language", choices=get_args(Language.__value__), default="en_US")
ACTION: Choice[Action] = Choice("action", choices=get_args(Action.__value__), default="status")
TOP_K = Number("top_k", form="form", default=8, lowest=1, highest=50)
SECONDS = Number("seconds", form="form", default=60, lowest=1, highest=240)
SUGGEST = Number("suggest", highest=100)
THRESHOLD = Number("threshold", form="form", highest=1)
PAGE = Number("page", default=1, lowest=1)
LIMIT = Number("limit", default=20, lowest=1, highest=100)
_TEXTS = ("datasets", "documents", "metadata_filter", "history", "instructions", "name", "questions")
PARAMETERS: Mapping[str, Parameter] = {
    choice.name: choice
    for choice in (
        *(Parameter(name, required=True) for name in ("query", "passages", "answer")),
        *map(Parameter, _TEXTS),
        Parameter("model", required=True, form="form", type="model-selector"),
        Parameter("rerank_model", form="form"),
        *(ACTION, EFFORT, TOP_K, SECONDS, THRESHOLD, OUTPUT, LANGUAGE, SUGGEST, PAGE, LIMIT),
    )
}


def unset(value: Any) -> bool:
    """Dify casts what nobody filled in to None, "", [None], [] or {}, depending on type and caller."""
    return value is None or value in ("", [], {}, [None]) or (isinstance(value, str) and not value.strip())


def text(parameters: Mapping[str, Any], name: str, longest: int = LONGEST_TEXT) -> str:
    """A trimmed text, "" when unset; raises InvalidRequest."""
    value = parameters.get(name)
    if unset(value):
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise InvalidRequest(f"`{name}` must be a text")
    trimmed = str(value).encode("utf-8", "replace").decode("utf-8").strip()  # no half characters
    if len(trimmed) > longest:
        raise InvalidRequest(f"`{name}` has {len(trimmed):,} characters; at most {longest:,} are accepted")
    return trimmed


def number(parameters: Mapping[str, Any], limits: Number) -> float:
    """The number, given as a number or a text; raises InvalidRequest."""
    given: Any = parameters.get(limits.name)
    if unset(given):
        return limits.default
    unreadable = isinstance(given, bool) or (isinstance(given, str) and len(given) > LONGEST_NUMBER)
    try:
        value = math.nan if unreadable else float(given)
    except (TypeError, ValueError, OverflowError):
        value = math.nan
    if not limits.lowest <= value <= limits.highest:  # NaN is in no range
        raise InvalidRequest(f"`{limits.name}` must be a number {_range(limits)}")
    return value


def whole_number(parameters: Mapping[str, Any], limits: Number) -> int:
    """The whole number; raises InvalidRequest."""
    value = number(parameters, limits)
    if value != int(value):
        raise InvalidRequest(f"`{limits.name}` must be a whole number {_range(limits)}")
    return int(value)


def _range(limits: Number) -> str:
    return f"from {limits.lowest:.10g} to {limits.highest:.10g}"


def names(parameters: Mapping[str, Any], name: str, most: int = MOST_NAMES) -> tuple[str, ...]:
    """Ids or names, each once: comma separated (quoted where they hold commas), or a list, or JSON of one."""
    value = parameters.get(name)
    if unset(value):
        return ()
    if isinstance(value, str):
        if len(value) > most * LONGEST_NAME:
            raise InvalidRequest(
                f"`{name}` has {len(value):,} characters; at most {most * LONGEST_NAME:,} are accepted"
            )
        value = _json_list(value) or _split_names(value)
    if not isinstance(value, list | tuple) or not all(isinstance(entry, str) for entry in value):
        raise InvalidRequest(f"`{name}` must be ids or names, separated by commas")
    cleaned = tuple(dict.fromkeys(entry.strip() for entry in value if entry.strip(' \t"')))
    if len(cleaned) > most:
        raise InvalidRequest(f"`{name}` has {len(cleaned):,} entries; at most {most:,} are accepted")
    if (longest := max(map(len, cleaned), default=0)) > LONGEST_NAME:
        raise InvalidRequest(
            f"`{name}` has an entry of {longest:,} characters; at most {LONGEST_NAME} are accepted"
        )
    return cleaned


def _json_list(given: str) -> Sequence[Any]:
    if not given.lstrip().startswith("["):
        return ()
    try:
        value = json.loads(given)
    except (ValueError, RecursionError):
        return ()
    return value if isinstance(value, list) else ()


def _split_names(given: str) -> list[str]:
    groups = (match.groups() for match in _NAME.finditer(given))
    return [
        plain if plain is not None else mark + quoted.replace('""', '"') for mark, quoted, plain in groups
    ]


def history(parameters: Mapping[str, Any]) -> tuple[str, bool]:
    """The newest part of the earlier turns, and whether older ones were left out."""
    complete = unlinked(text(parameters, "history", longest=10**9))
    return complete[-LONGEST_HISTORY:], len(complete) > LONGEST_HISTORY


def question_from(parameters: Mapping[str, Any]) -> Question:
    """What is asked and where to look; raises InvalidRequest."""
    query = text(parameters, "query", LONGEST_QUERY)
    if not query:
        raise InvalidRequest("`query` is required: the question to be answered")
    return Question(
        text=query,
        datasets=names(parameters, "datasets"),
        documents=names(parameters, "documents"),
        metadata_filter=_filter(parameters.get("metadata_filter")),
        history=history(parameters)[0],
        instructions=text(parameters, "instructions"),
    )


def _filter(given: Any) -> MetadataFilter:
    if unset(given):
        return EVERYTHING
    if isinstance(given, str) and len(given) > LONGEST_FILTER:
        raise InvalidRequest(f"`metadata_filter` has more than {LONGEST_FILTER:,} characters")
    return parse_filter(given)


def settings_from(parameters: Mapping[str, Any], effort: Effort | None = None) -> Settings:
    """The run's settings; where `effort` is given, the parameter only says how far the search may go.

    Raises InvalidRequest.
    """
    chosen = one_of(parameters, EFFORT)
    settings = Settings.of(
        effort or chosen,
        top_k=whole_number(parameters, TOP_K),
        seconds=number(parameters, SECONDS),
        instructions=text(parameters, "instructions"),
        reranks_by_chat=by_chat(text(parameters, "rerank_model", 300)),
    )
    settings = settings.searching_as(chosen)
    threshold = number(parameters, THRESHOLD)
    return replace(settings, search=replace(settings.search, threshold=threshold)) if threshold else settings


def model_from(parameters: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The value of the model selector, None when unset; raises InvalidRequest."""
    given: Any = parameters.get("model")
    if unset(given):
        return None
    try:
        fits = isinstance(given, Mapping) and len(json.dumps(given)) <= LONGEST_MODEL
    except (TypeError, ValueError, RecursionError):
        fits = False
    if not fits:
        raise InvalidRequest("`model` must be a model of the workspace: choose one in the tool's settings")
    return dict(given)


def by_chat(rerank_model: str) -> bool:
    """Whether the chat model is to grade the passages."""
    return rerank_model.strip().casefold() == "chat"


def one_of[Value: str](parameters: Mapping[str, Any], options: Choice[Value]) -> Value:
    """The choice, in any case of letters; raises InvalidRequest."""
    given = text(parameters, options.name) or options.default
    for choice in options.choices:
        if given.lower() == choice.lower():
            return choice
    raise InvalidRequest(f"`{options.name}` must be one of {', '.join(options.choices)}")


def provider_and_model(name: str) -> tuple[str, str]:
    """A provider has one part, or three; a model's own name may hold slashes. Raises InvalidRequest."""
    parts = [part.strip() for part in name.split("/")]
    if len(parts) < 2 or not all(parts):
        raise InvalidRequest(f"`rerank_model` must be {RERANK_FORM}")
    provider_parts = 3 if len(parts) >= 4 else 1
    return "/".join(parts[:provider_parts]), "/".join(parts[provider_parts:])
