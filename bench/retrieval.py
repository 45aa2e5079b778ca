"""How well `search` finds: LegalBench-RAG's recall and precision, document and passage hits, calls and seconds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from bench.data import Asked, Data, spread
from bench.metrics import Place, document_hit, mean, passage_hit, precision, quantile, recall
from bench.rig import Bench, Rig, Said, Spent, places_of, warm_up
from standalone.knowledge import KnowledgeServer

DEPTHS = (1, 2, 4, 8, 16, 32)
DOCUMENTS = (1, 5, 10)
PASSAGES = 5
TOP_K = 50


@dataclass(frozen=True, slots=True)
class Found:
    """One question's answer as places in files, and the documents in the order of the answer's own list."""

    asked: Asked
    said: Said
    places: tuple[Place, ...] = ()
    documents: tuple[str, ...] = ()


def measure(
    data: Data,
    questions: Sequence[Asked],
    bench: Bench,
    technique: Literal["high_quality", "economy"] = "high_quality",
    cold: int = 0,
) -> dict[str, Any]:
    """All questions through one warm plugin; `cold` asks that many of them, each of a fresh one, instead."""
    with bench.serve(data.corpus(technique)) as server:
        if cold:
            found = [_fresh(bench, server, asked) for asked in spread(questions, cold)]
            warm: dict[str, Any] = {"warm_up_calls": 0}
        else:
            with bench.rig(server) as rig:
                warm = {"warm_up_calls": warm_up(rig, questions[0].text) if questions else 0}
                before = rig.spent()
                found = [_found(rig, asked) for asked in questions]
                warm |= _per_question(before, rig.spent(), len(found))
    report = {"data": data.name, "technique": technique, "profile": bench.profile, "cold": bool(cold)}
    return report | summary(found) | warm | {"details": [_detail(each) for each in found]}


def summary(found: Sequence[Found]) -> dict[str, Any]:
    """Means over the questions; shares in percent. A question without an answer counts 0."""
    calls = [each.said.calls for each in found]
    retrieves = [each.said.retrieves for each in found]
    rereads = [each.said.rereads for each in found]
    seconds = [each.said.seconds for each in found]
    return {
        "questions": len(found),
        "failed": sum(bool(each.said.error) for each in found),
        "recall": {
            k: _percent(mean(recall(each.places[:k], each.asked.gold) for each in found)) for k in DEPTHS
        },
        "precision": {
            k: _percent(mean(precision(each.places[:k], each.asked.gold) for each in found)) for k in DEPTHS
        },
        "document_hit": {
            k: _percent(mean(document_hit(each.documents, each.asked.gold, k) for each in found))
            for k in DOCUMENTS
        },
        "passage_document_hit": {
            k: _percent(mean(document_hit(_files(each), each.asked.gold, k) for each in found))
            for k in DOCUMENTS
        },
        "passage_hit": {
            PASSAGES: _percent(mean(passage_hit(each.places, each.asked.gold, PASSAGES) for each in found))
        },
        "knowledge_calls": {"mean": round(mean(calls), 2), "most": max(calls, default=0)},
        "retrieves": {"mean": round(mean(retrieves), 2), "most": max(retrieves, default=0)},
        "rereads": {"mean": round(mean(rereads), 2), "most": max(rereads, default=0)},
        "seconds": {
            "mean": round(mean(seconds), 4),
            "p50": round(quantile(seconds, 0.5), 4),
            "p95": round(quantile(seconds, 0.95), 4),
        },
    }


def _per_question(before: Spent, after: Spent, questions: int) -> dict[str, float]:
    milliseconds = 1000 * (after.processor - before.processor) / max(1, questions)
    return {"processor_ms": round(milliseconds, 1), "megabytes": round(after.megabytes)}


def _fresh(bench: Bench, server: KnowledgeServer, asked: Asked) -> Found:
    with bench.rig(server) as rig:
        return _found(rig, asked)


def _found(rig: Rig, asked: Asked) -> Found:
    said = rig.ask("search", {"query": asked.text, "top_k": TOP_K})
    documents = tuple(each["document_name"] for each in said.json.get("documents", ()))
    return Found(asked, said, places_of(rig.server, said.json.get("passages", ())), documents)


def _files(found: Found) -> tuple[str, ...]:
    return tuple(place.file for place in found.places)


def _percent(share: float) -> float:
    return round(100 * share, 2)


def _detail(found: Found) -> Mapping[str, Any]:
    """What there is to compare two runs question by question."""
    gold = found.asked.gold
    return {
        "id": found.asked.id,
        "recall": {k: round(recall(found.places[:k], gold), 4) for k in DEPTHS},
        "precision": {k: round(precision(found.places[:k], gold), 4) for k in DEPTHS},
        "documents": found.documents[: DOCUMENTS[-1]],
        "gold": sorted({place.file for place in gold}),
        "calls": found.said.calls,
        "seconds": round(found.said.seconds, 4),
        **({"error": found.said.error} if found.said.error else {}),
    }
