"""How true the quotes are: verbatim, where the answer stands, silent where there is none, fair to each document."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from bench.data import Asked, Data
from bench.metrics import Place, mean, precision, quantile, recall
from bench.rig import Bench, Rig, Said, Tool, warm_up
from standalone.knowledge import KnowledgeServer

SELECTOR = {"provider": "bench/bench/bench", "model": "scripted", "model_type": "llm", "mode": "chat"}
_HELD_BACK = frozenset({"not_found", "ambiguous", "partial"})


@dataclass(frozen=True, slots=True)
class Answered:
    """One question's quotes as places in files; `verbatim` counts those that the server holds letter by letter."""

    asked: Asked
    said: Said
    places: tuple[Place, ...]
    verbatim: int

    @property
    def status(self) -> str:
        return str(self.said.json.get("status", "failed"))


def measure(
    data: Data,
    parts: Mapping[str, Sequence[Asked]],
    bench: Bench,
    technique: Literal["high_quality", "economy"] = "high_quality",
    tool: Tool = "quote",
) -> dict[str, Any]:
    """The parts `queries`, `unanswerable` and `comparison`, as far as given, through one warm plugin."""
    corpus = data.corpus(technique)
    texts = {each.name: each.text for collection in corpus.collections for each in collection.documents}
    with bench.serve(corpus) as server, bench.rig(server) as rig:
        first = next((asked for questions in parts.values() for asked in questions), None)
        if first:
            warm_up(rig, first.text)
        answers = {
            part: [_answered(rig, tool, asked, texts) for asked in questions]
            for part, questions in parts.items()
        }
    report = {"data": data.name, "technique": technique, "profile": bench.profile, "tool": tool}
    details = {part: [_detail(each) for each in given] for part, given in answers.items()}
    return report | summary(answers) | {"details": details}


def summary(answers: Mapping[str, Sequence[Answered]]) -> dict[str, Any]:
    """Shares in percent. A question without a quote counts 0 in recall and precision."""
    every = [each for given in answers.values() for each in given]
    asked, compared = answers.get("queries", ()), answers.get("comparison", ())
    quotes = sum(len(_citations(each.said)) for each in every)
    quoted = [each for each in asked if each.places]
    seconds = [each.said.seconds for each in every]
    return {
        "questions": {part: len(given) for part, given in answers.items()},
        "failed": sum(bool(each.said.error) for each in every),
        "quotes": quotes,
        "verbatim": _percent(sum(each.verbatim for each in every) / quotes if quotes else 1.0),
        "unverified": quotes - sum(each.verbatim for each in every),
        "recall": _percent(mean(recall(each.places, each.asked.gold) for each in asked)),
        "precision": _percent(mean(precision(each.places, each.asked.gold) for each in asked)),
        "precision_where_quoted": _percent(mean(precision(each.places, each.asked.gold) for each in quoted)),
        "held_back": {
            part: _percent(mean(each.status in _HELD_BACK for each in given))
            for part, given in answers.items()
        },
        "statuses": {
            part: dict(sorted(Counter(each.status for each in given).items()))
            for part, given in answers.items()
        },
        "coverage": _percent(mean(_covers(each) for each in compared)),
        "model_calls": round(mean(_spent(each, "model_calls") for each in every), 2),
        "knowledge_calls": round(mean(each.said.calls for each in every), 2),
        "seconds": {"mean": round(mean(seconds), 4), "p95": round(quantile(seconds, 0.95), 4)},
    }


def _answered(rig: Rig, tool: Tool, asked: Asked, texts: Mapping[str, str]) -> Answered:
    model = {"model": SELECTOR} if tool == "ask" else {}
    said = rig.ask(tool, {"query": asked.text, **model})
    found = [_place(rig.server, each, texts) for each in _citations(said)]
    return Answered(asked, said, tuple(place for place, _ in found), sum(true for _, true in found))


def _place(
    server: KnowledgeServer, citation: Mapping[str, Any], texts: Mapping[str, str]
) -> tuple[Place, bool]:
    """Where a quote stands in its file, and whether the server's own segment holds it there."""
    try:
        _, name, start, end = server.source_of(citation["segment_id"])
    except KeyError:
        return Place("", 0, 0), False
    content = texts[name][start:end]
    within = slice(citation["start"], citation["end"])
    place = Place(name, (start or 0) + citation["start"], (start or 0) + citation["end"])
    return place, bool(citation["quote"]) and content[within] == citation["quote"]


def _citations(said: Said) -> Sequence[Mapping[str, Any]]:
    found: Sequence[Mapping[str, Any]] = said.json.get("citations", ())
    return found


def _covers(answered: Answered) -> bool:
    return set(answered.asked.files) <= {place.file for place in answered.places}


def _spent(answered: Answered, what: str) -> int:
    return int(answered.said.json.get("receipt", {}).get(what, 0))


def _percent(share: float) -> float:
    return round(100 * share, 2)


def _detail(each: Answered) -> Mapping[str, Any]:
    gold = each.asked.gold
    return {
        "id": each.asked.id,
        "status": each.status,
        "reason": each.said.json.get("reason"),
        "quotes": len(each.places),
        "verbatim": each.verbatim,
        "recall": round(recall(each.places, gold), 4),
        "precision": round(precision(each.places, gold), 4),
        "files": sorted({place.file for place in each.places}),
        **({"error": each.said.error} if each.said.error else {}),
    }
