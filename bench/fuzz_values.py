"""Borders where a caller's values enter: parameters, passages, filters, bodies; and the readers of texts."""

import importlib
import inspect
import json
import pkgutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import yaml

from bench.fuzz_border import KEY, QUESTIONS, declared, must
from bench.fuzz_inputs import Inputs
from evidence import language, understand, verify
from evidence.knowledge.metadata_filter import matches, parse_filter
from evidence.model import Document, Segment
from evidence.verify.quotes import locate
from host.external.request import parse_request
from host.mcp.messages import RpcError, call_of, failure, negotiated, version_of
from host.parameters import (
    LIMIT,
    OUTPUT,
    PAGE,
    by_chat,
    model_from,
    names,
    one_of,
    provider_and_model,
    question_from,
    settings_from,
    text,
    whole_number,
)
from host.passages import pool_from
from host.web import encoded, json_of, key_problem

ROOT = Path(__file__).resolve().parents[1]


# --- parameters --------------------------------------------------------------------------------------------


_TURNS = [
    {"role": "user", "content": "How long is the notice?"},
    {"role": "assistant", "content": "30 days."},
]


@cache
def schemas() -> Mapping[str, Sequence[Mapping[str, Any]]]:
    """The parameters that each tool declares."""
    files = sorted((ROOT / "tools").glob("*.yaml"))
    return {file.stem: yaml.safe_load(file.read_text(encoding="utf-8"))["parameters"] or [] for file in files}


def make_parameters(inputs: Inputs) -> Any:
    tool = inputs.random.choice([*schemas()])
    given = {each["name"]: _given(inputs, each) for each in schemas()[tool] if inputs.chance(0.8)}
    return {"tool": tool, "given": given}


def _given(inputs: Inputs, schema: Mapping[str, Any]) -> Any:
    if inputs.chance(0.1):
        return inputs.json(2)
    made: Mapping[str, Callable[[], Any]] = {
        "select": lambda: inputs.random.choice([each["value"] for each in schema["options"]]),
        "number": lambda: inputs.random.randint(int(schema.get("min", 1)), int(schema.get("max", 50))),
        "model-selector": lambda: inputs.spoiled({"provider": "a/b/c", "model": "m", "mode": "chat"}),
        "query": lambda: inputs.random.choice(QUESTIONS) if inputs.chance(0.5) else inputs.text(),
        "metadata_filter": lambda: make_filter(inputs),
        "passages": lambda: make_passages(inputs),
        "history": lambda: json.dumps(inputs.spoiled(_TURNS)) if inputs.chance(0.6) else inputs.text(),
    }
    return made.get(schema["type"], made.get(schema["name"], inputs.text))()


def run_parameters(made: Any) -> None:
    given = made["given"]
    for read in (question_from, settings_from, model_from, pool_from):
        declared(read, given)
    for number in (PAGE, LIMIT):
        declared(whole_number, given, number)
    declared(one_of, given, OUTPUT)
    declared(names, given, "datasets")
    declared(lambda: provider_and_model(text(given, "rerank_model", 300)))
    declared(lambda: by_chat(text(given, "rerank_model", 300)))


def make_passages(inputs: Inputs) -> Any:
    sample = {"passages": [_passage(inputs, number) for number in range(inputs.random.randint(0, 4))]}
    spoiled = inputs.spoiled(sample) if inputs.chance(0.7) else sample
    if inputs.chance(0.5):
        return spoiled
    written = json.dumps(spoiled)
    return f"```json\n{written}\n```" if inputs.chance(0.2) else written


def _passage(inputs: Inputs, number: int) -> Mapping[str, Any]:
    why = [{"query": "days", "list": "semantic", "rank": 1}]
    return {
        "text": inputs.text() or "x",
        "document_name": inputs.text(5),
        "segment_id": f"s{number}",
        "position": number,
        "score": 0.5,
        "why": why,
        "metadata": {"document_id": "d", "segment_position": 2},
    }


def run_passages(made: Any) -> None:
    def read() -> None:
        pool, _ = pool_from({"passages": made})
        must(all(each.segment.text for each in pool.passages), "a passage without a text")
        must(len(pool.passages) <= 200, "more passages than accepted")

    declared(read)


# --- metadata filters --------------------------------------------------------------------------------------

_OPERATORS: Sequence[Any] = (
    *"contains;not contains;start with;end with;is;is not;empty;not empty;in;not in;before;after;like;".split(
        ";"
    ),
    *"= ≠ > < ≥ ≤ >=".split(),
    7,
)


def make_filter(inputs: Inputs) -> Any:
    conditions = [
        {
            "name": inputs.random.choice(("year", "owner", "document_name", "", "note")),
            "comparison_operator": inputs.random.choice(_OPERATORS),
            "value": inputs.json(1),
        }
        for _ in range(inputs.random.randint(0, 3))
    ]
    sample = {"logical_operator": inputs.random.choice(("and", "or", "xor")), "conditions": conditions}
    spoiled = inputs.spoiled(sample) if inputs.chance(0.4) else sample
    return json.dumps(spoiled) if inputs.chance(0.3) else spoiled


def make_filtered(inputs: Inputs) -> Any:
    fields = {name: inputs.scalar() for name in ("year", "owner", "note") if inputs.chance(0.8)}
    return {"filter": make_filter(inputs), "fields": fields}


def run_filtered(made: Any) -> None:
    def read() -> None:
        wanted = parse_filter(made["filter"])
        json.dumps([each.value for each in wanted.conditions], allow_nan=False)
        must(matches(wanted, "Note.txt", made["fields"]) in {True, False}, "neither matches nor does not")

    declared(read)


# --- bodies of the endpoints -------------------------------------------------------------------------------


def make_retrieval(inputs: Inputs) -> Any:
    setting = {"top_k": inputs.random.randint(1, 60), "score_threshold": 0.2}
    body = {
        "retrieval_setting": setting,
        "query": inputs.random.choice(QUESTIONS) if inputs.chance(0.4) else inputs.text(),
        "knowledge_id": inputs.random.choice(("auto", "policies", "a, b", inputs.text(6))),
        "metadata_condition": make_filter(inputs) if inputs.chance(0.5) else None,
    }
    return inputs.encoded(inputs.spoiled(body) if inputs.chance(0.7) else body).decode("latin-1")


def run_retrieval(made: str) -> None:
    def read() -> None:
        wanted = parse_request(made.encode("latin-1"))
        if wanted is not None:
            must(1 <= wanted.top_k <= 50, "an impossible top_k")
            must(0 <= wanted.threshold <= 1, "an impossible threshold")
            must(0 < len(wanted.query) <= 8_000, "a query out of bounds")

    declared(read)


def make_mcp(inputs: Inputs) -> Any:
    method = inputs.random.choice(
        ("tools/call", "tools/list", "initialize", "ping", "notifications/initialized", "")
    )
    params = {
        "name": inputs.random.choice([*schemas()]),
        "arguments": {"query": "x"},
        "protocolVersion": "2025-06-18",
    }
    body = {"jsonrpc": "2.0", "id": inputs.random.randint(0, 9), "method": method, "params": params}
    spoiled = inputs.spoiled(body) if inputs.chance(0.8) else body
    headers = {"version": inputs.text(3), "authorization": f"Bearer {inputs.text(4)}"}
    return {"body": inputs.encoded(spoiled).decode("latin-1"), **headers}


def run_mcp(made: Any) -> None:
    def read() -> None:
        version_of(made["version"] if len(made["version"]) % 2 else None)
        call = call_of(json_of(made["body"].encode("latin-1")))
        must(call.expects_answer or call.request_id is None, "an answer that nobody expects")
        negotiated(call.params)

    try:
        declared(read)
    except RpcError as error:
        must(b"NaN" not in encoded(failure(error)), "a number that JSON does not have")
    must(key_problem(made["authorization"], {"endpoint_key": KEY}) != "", "a wrong key was let in")


# --- texts -------------------------------------------------------------------------------------------------


_TAKES_SOME = {"use_tables", "small", "terms_of", "loose"}  # a directory, words of their kind, JSON of sorts


def _modules(*rooms: ModuleType) -> Iterator[ModuleType]:
    for room in rooms:
        for module in pkgutil.iter_modules(room.__path__):
            yield importlib.import_module(f"{room.__name__}.{module.name}")


def _readers() -> Iterator[Callable[..., Any]]:
    """Every public function of the rooms of texts that takes one or two texts, whatever they hold, and nothing else."""
    for room in _modules(language, understand, verify):
        for name, found in inspect.getmembers(room, inspect.isfunction):
            if name.startswith("_") or found.__module__ != room.__name__ or name in _TAKES_SOME:
                continue
            needed = [
                each for each in inspect.signature(found).parameters.values() if each.default is each.empty
            ]
            if 1 <= len(needed) <= 2 and all(
                each.annotation is str and each.name != "char" for each in needed
            ):
                yield found


@cache
def readers() -> Mapping[str, Callable[..., Any]]:
    return {f"{read.__module__.rpartition('.')[2]}.{read.__name__}": read for read in _readers()}


def make_texts(inputs: Inputs) -> Any:
    return {"reader": inputs.random.choice([*readers()]), "texts": [inputs.text(), inputs.text()]}


def run_texts(made: Mapping[str, Any]) -> None:
    read = readers()[made["reader"]]
    count = sum(each.default is each.empty for each in inspect.signature(read).parameters.values())
    declared(read, *made["texts"][:count])


def make_quote(inputs: Inputs) -> Any:
    texts = [inputs.text(80) for _ in range(inputs.random.randint(1, 3))]
    words = inputs.words_of(inputs.random.choice(texts)) if inputs.chance(0.8) else inputs.text(10)
    return {"words": words, "texts": texts}


def run_quote(made: Any) -> None:
    document = Document("set", "document", "Note.txt")
    segments = [Segment(document, f"s{at}", at, words) for at, words in enumerate(made["texts"])]
    found = locate(made["words"], segments, segments[0])
    if found is not None:
        quote = found.quote
        text_ = quote.segment.text
        must(0 <= quote.span.start < quote.span.end <= len(text_), "a span outside of its text")
        must(quote.segment in segments, "a quote of another segment")
