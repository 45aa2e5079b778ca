"""Borders where others answer: the knowledge server, the model APIs, models; and whole questions through them all."""

import json
import math
import random
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import httpx
from pydantic import BaseModel

from bench.fuzz_border import KEY, QUESTIONS, declared, must
from bench.fuzz_inputs import Inputs
from bench.fuzz_values import ROOT, make_parameters
from evidence import pipeline
from evidence.answer.model_reply import ComparisonDraft, Draft
from evidence.cache import Cache
from evidence.context import Context
from evidence.http.client import Client
from evidence.knowledge.dify.datasets import DifyDatasets
from evidence.knowledge.middleware import GuardedKnowledge
from evidence.knowledge.port import Knowledge
from evidence.limits import Meter
from evidence.llm.chat_reranker import Grades
from evidence.llm.openai import OpenAIChat
from evidence.llm.port import LLM, MeteredLLM
from evidence.llm.replies import parse
from evidence.llm.rerank_api import RerankAPI
from evidence.model import Completion, Condition, MetadataFilter, Prompt, Query, Segment
from evidence.search.boost import Keywords
from evidence.settings import Settings
from evidence.trace import Trace
from evidence.understand.question import Reading
from host.parameters import question_from, settings_from
from host.replies import Ended, Run
from host.tools import TOOLS
from standalone.knowledge import KnowledgeServer, load_folder
from standalone.knowledge.api import Call
from standalone.models import ModelRefusal
from standalone.models.reader import truthful

_LONGEST = 1_000_000  # characters of one message
_HIDDEN = (
    range(9),
    range(0x0E, 0x20),
    range(0x7F, 0x85),
    range(0x86, 0xA0),
    range(0x202A, 0x202F),
    range(0x2066, 0x206A),
)
_SHOWN_NEVER = frozenset(chr(code) for codes in _HIDDEN for code in codes)


def _inputs(*seeds: object) -> Inputs:
    return Inputs(random.Random(" ".join(map(str, seeds))))  # noqa: S311 - to be repeated


# --- what servers answer -----------------------------------------------------------------------------------


@cache
def world() -> KnowledgeServer:
    """It need not listen: it is asked without a network."""
    return KnowledgeServer(load_folder(ROOT / "standalone" / "documents"), api_key=KEY)


class Asked(httpx.BaseTransport):
    """The embedded server's answers, a share of them spoiled: always the same for the same request and seed."""

    def __init__(self, seed: str, share: float = 1.0) -> None:
        self._seed, self._share = seed, share

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        content = request.read()
        headers = {name.lower(): value for name, value in request.headers.items()}
        call = Call(request.method, request.url.path, request.url.query.decode(), headers, content)
        answer = world().answer(call)
        body, status = (answer.body, answer.status) if answer else (b"", 500)
        inputs = _inputs(self._seed, request.method, request.url, content)
        if inputs.chance(self._share):
            body = inputs.encoded(inputs.spoiled(json.loads(body), 4))
            status = inputs.random.choice((200,) * 9 + (400, 404, 429, 500))
        return httpx.Response(status, content=body, headers={"Content-Type": "application/json"})


def knowledge(seed: str, share: float) -> DifyDatasets:
    return DifyDatasets(Client("http://dify.example/v1", KEY, transport=Asked(seed, share)))


def make_seed(inputs: Inputs) -> Any:
    return inputs.random.getrandbits(60)


def run_answers(made: int) -> None:
    """Every call of the port, each time over what an honest server would have answered before."""
    honest, spoiled = _honest(), knowledge(str(made), 1.0)
    dataset = honest[0][made % len(honest[0])]
    document, segment = honest[1][made % len(honest[1])]
    calls: Sequence[Callable[[], Any]] = (
        lambda: spoiled.datasets(1),
        lambda: spoiled.dataset(dataset.dataset_id),
        lambda: spoiled.documents(dataset, 1),
        lambda: spoiled.segments(document, 1),
        lambda: spoiled.segment(document, segment),
        lambda: spoiled.retrieve(dataset, Query("days of notice"), 5),
        lambda: spoiled.retrieve(dataset, Query("days"), 5, MetadataFilter((Condition("a", "empty"),))),
    )
    declared(lambda: _bounded(calls[made % len(calls)]()))


@cache
def _honest() -> tuple[Any, Any]:
    """Datasets, and documents with the id of a segment."""
    port = knowledge("", 0.0)
    datasets = port.datasets(1).items
    documents = [document for each in datasets for document in port.documents(each, 1).items]
    return datasets, [(each, port.segments(each, 1).items[0].segment_id) for each in documents]


def _bounded(found: Any) -> None:
    items = getattr(found, "items", getattr(found, "passages", ()))
    must(len(items) <= 1_000, "a page without an end")
    must(len(repr(found)) < 20_000_000, "values without an end")


def make_model_answer(inputs: Inputs) -> Any:
    chat = {
        "choices": [
            {"index": 0, "message": {"role": "assistant", "content": inputs.text()}, "finish_reason": "stop"}
        ],
        "usage": {"prompt_tokens": 5, "completion_tokens": 5},
    }
    ranked = {"results": [{"index": at, "relevance_score": 0.5} for at in range(3)]}
    sample = inputs.random.choice((chat, ranked))
    spoiled = inputs.spoiled(sample, 4) if inputs.chance(0.9) else sample
    if inputs.chance(0.05):  # a server that streams though it was not asked to
        return {"sample": 0, "body": f"data: {json.dumps(spoiled)}\n\ndata: [DONE]\n\n", "status": 200}
    status = inputs.random.choice((200,) * 6 + (400, 422, 429, 500))
    return {"body": inputs.encoded(spoiled).decode("latin-1"), "status": status}


def run_model_answer(made: Any) -> None:
    def handle(_request: httpx.Request) -> httpx.Response:
        return httpx.Response(made["status"], content=made["body"].encode("latin-1"))

    def client(service: Any) -> Client:
        return Client("http://model.example/v1", KEY, service, transport=httpx.MockTransport(handle))

    declared(lambda: OpenAIChat(client("chat"), "m").complete(Prompt("aggregate", "", "s", "u"), 100))

    def rank() -> None:
        scores = RerankAPI(client("rerank"), "m").scores("q", ["a", "b", "c"])
        must(len(scores) == 3, "not one score a text")
        given = [score for score in scores if score is not None]
        must(bool(given), "no score, and no error that says so")
        must(all(map(math.isfinite, given)), "a score that is no number")

    declared(rank)


# --- what models reply, and whole questions ----------------------------------------------------------------


_SHAPES: Mapping[str, type[BaseModel]] = {
    each.__name__: each for each in (Draft, ComparisonDraft, Reading, Keywords, Grades)
}
_SAMPLES: Sequence[Any] = (
    {
        "status": "answered",
        "verdict": "yes",
        "sentences": [{"text": "a", "part": 1, "quotes": []}],
        "missing": [1],
    },
    {"cells": [{"document": "D1", "dimension": 1, "text": "a", "quotes": [{"passage": "p0", "words": "b"}]}]},
    {"question": "q", "subjects": ["a"], "facets": ["b"], "intent": "lookup", "pseudo_answer": "c"},
    {"documents": {"D1": ["a", "b"], "D2": "c"}},
    {"grades": [{"passage": "p0", "grade": 3}, {"passage": "p1", "grade": 0}]},
)


def make_reply(inputs: Inputs) -> Any:
    value = inputs.spoiled(inputs.random.choice(_SAMPLES), 5)
    written = json.dumps(value, ensure_ascii=inputs.chance(0.5))
    for _ in range(inputs.random.randint(0, 3)):
        at = inputs.random.randint(0, len(written))
        written = written[:at] + inputs.text(2) + written[at + inputs.random.randint(0, 2) :]
    around = inputs.text(3) if inputs.chance(0.3) else ""
    return {"shape": inputs.random.choice([*_SHAPES]), "reply": f"{around}{written}{around}"}


def run_reply(made: Any) -> None:
    shape = _SHAPES[made["shape"]]

    def read() -> None:
        must(isinstance(parse(made["reply"], shape).value, shape), "a reply of another shape")

    declared(read)


class Spoiling(LLM):
    """A model that reads, and then misspeaks."""

    def __init__(self, seed: str) -> None:
        self._seed = seed

    def complete(self, prompt: Prompt, max_tokens: int) -> Completion:
        inputs = _inputs(self._seed, prompt.name, len(prompt.user))
        messages = [{"role": "system", "content": prompt.system}, {"role": "user", "content": prompt.user}]
        try:
            true = truthful(messages)
        except ModelRefusal:
            true = "{}"
        said = self._misspoken(inputs, true, prompt.user)
        return Completion(said[: max_tokens * 8], 10, 10)

    def _misspoken(self, inputs: Inputs, true: str, user: str) -> str:
        value = json.loads(true)
        for sentence in value.get("sentences") or ():
            if inputs.chance(0.3):
                sentence["text"] = inputs.text()
            for quote in sentence.get("quotes") or ():
                quote["words"] = inputs.words_of(user) if inputs.chance(0.3) else quote["words"]
        said = json.dumps(inputs.spoiled(value, 4) if inputs.chance(0.6) else value, ensure_ascii=False)
        said = said[: inputs.random.randint(0, len(said))] if inputs.chance(0.15) else said
        around = inputs.random.choice(
            ("{}", "{}", "```json\n{}\n```", "<think>x</think>{}", "Sure! {}", "{}\n{}")
        )
        return around.replace("{}", said)


def context(port: Knowledge, settings: Settings, llm: LLM | None = None) -> Context:
    meter, trace = Meter(settings.limits), Trace()
    metered = GuardedKnowledge(port, meter, trace, attempts=1)
    chat = MeteredLLM(llm, meter, trace) if llm else None
    return Context(metered, chat, None, Cache(), meter, trace)


def make_question(inputs: Inputs) -> Any:
    asked = make_parameters(inputs)
    query = inputs.random.choice(QUESTIONS) if inputs.chance(0.6) else inputs.text()
    tool = inputs.random.choice(("ask", "ask", "quote", "search", "discover", "boost"))
    kept = {name: value for name, value in asked["given"].items() if name not in {"query", "seconds"}}
    noise = inputs.random.choice((0.0, 0.0, 0.2, 0.6))
    return {"tool": tool, "seed": make_seed(inputs), "noise": noise, "given": {**kept, "query": query}}


def run_question(made: Any) -> None:
    declared(lambda: _question(made))


def _question(made: Any) -> None:
    tool, seed = made["tool"], str(made["seed"])
    question, settings = question_from(made["given"]), settings_from(made["given"])
    ctx = context(knowledge(seed, made["noise"]), settings, None if tool == "quote" else Spoiling(seed))
    stage: Any = {"quote": pipeline.ask}.get(tool) or getattr(pipeline, tool)
    outcome = stage(question, settings, ctx)
    said = TOOLS[tool].shown(Ended(outcome, Run(settings, ctx)))
    segments = {passage.segment.segment_id: passage.segment for passage in outcome.pool.passages}
    _check_reply(said.text, said.json, segments)


def _check_reply(shown: str, answer: Mapping[str, Any], segments: Mapping[str, Segment]) -> None:
    json.dumps(answer, allow_nan=False)
    must(len(json.dumps(answer)) <= _LONGEST, "an answer of more than a megabyte")
    hidden = _SHOWN_NEVER & set(shown + str(answer.get("answer", "")))
    must(not hidden, f"shows {sorted(map(ascii, hidden))[:3]}")
    for cited in answer.get("citations") or ():
        segment = segments.get(cited["segment_id"])
        if segment is not None:
            must(
                segment.text[cited["start"] : cited["end"]] == cited["quote"], "a quote that is not its span"
            )
    claimed = answer.get("status") == "answered" and "citations" in answer and answer.get("answer")
    must(not claimed or bool(answer["citations"]), "answered without a quote")
