"""The product and what stands beside it, asked the questions of a base."""

from collections.abc import Mapping, Sequence
from typing import Any

from bench.metrics import Place
from bench.natural.data import Asked, Base
from bench.natural.indexed import build
from bench.natural.rankers import rankers
from bench.natural.scoring import Judged, Result, grouped, judged, summary
from bench.rig import Bench, Rig, Said, warm_up
from evidence.answer.phrases import phrase
from standalone.knowledge import KnowledgeServer
from standalone.knowledge.sentence_model import SentenceModel

TOP_K = 50
PRODUCT = "product"

type Columns = Mapping[str, Sequence[Judged]]  # by the name of what was asked


def columns(base: Base, bench: Bench, model: SentenceModel | None = None) -> Columns:
    """The product, warm, and each ranker over the same questions; rankers are not asked what nothing answers."""
    texts = base.texts
    beside = {}
    for name, ranker in rankers(base, model).items():
        ranked = ((each, Result(each.id, tuple(ranker(each.whole)))) for each in base.questions if each.gold)
        beside[name] = [judged(asked, result, texts) for asked, result in ranked]
    with bench.serve(base.corpus) as server, bench.rig(server) as rig:
        if "index_home" in bench.credentials:
            build(server, bench)
        if base.questions:
            warm_up(rig, base.questions[0].query)
        return {PRODUCT: [judged(asked, _product(rig, asked), texts) for asked in base.questions]} | beside


def report(bases: Mapping[str, Columns]) -> dict[str, Any]:
    """Figures pooled over the questions, over those of the English sets, by base and by category, each by column.

    Last what became of each question.
    """
    pooled = _pooled(bases)
    return {
        "pooled": _figures(pooled),
        "english": _figures(_pooled({name: each for name, each in bases.items() if name.endswith("_en")})),
        "bases": {base: _figures(columns) for base, columns in bases.items()},
        "categories": {name: _by_category(rows) for name, rows in pooled.items()},
        "details": [_detail(each) for each in pooled[PRODUCT]],
    }


def lines(rows: Sequence[Judged]) -> list[dict[str, Any]]:
    """Results as other scorers read them: a line a question, files by their own names."""
    return [_line(each.result) for each in rows]


def _product(rig: Rig, asked: Asked) -> Result:
    parameters = {"query": asked.query, "history": "\n".join(asked.history)}
    found = rig.ask("search", {**parameters, "top_k": TOP_K}) if asked.gold else Said()
    said = rig.ask("quote", parameters)
    return Result(
        asked.id,
        tuple(_place(rig.server, each) for each in found.json.get("passages", ())),
        tuple(f"{each['dataset_name']}/{each['document_name']}" for each in found.json.get("documents", ())),
        tuple(_quote(rig.server, each) for each in said.json.get("citations", ())),
        str(said.json.get("status", "failed")),
        _verdict(asked, said),
        str(said.json.get("verdict", {}).get("status", "")),
        str(said.json.get("reason") or ""),
    )


def _verdict(asked: Asked, said: Said) -> str:
    """The yes or no with which the answer begins; "" where it begins otherwise."""
    opening = said.json.get("answer", "")[:40].lstrip("*_> ").casefold()
    told = {each: phrase(each, asked.query).casefold() for each in ("yes", "no")}
    return next(
        (
            each
            for each, word in told.items()
            if opening.startswith(word) and not opening[len(word) :][:1].isalnum()
        ),
        "",
    )


def _place(server: KnowledgeServer, passage: Mapping[str, Any]) -> Place:
    dataset, name, start, end = server.source_of(passage["segment_id"])
    return Place(f"{dataset}/{name}", start or 0, end or 0)


def _quote(server: KnowledgeServer, citation: Mapping[str, Any]) -> Place:
    whole = _place(server, citation)
    return Place(whole.file, whole.start + citation["start"], whole.start + citation["end"])


def _pooled(bases: Mapping[str, Columns]) -> Columns:
    names = dict.fromkeys(name for columns in bases.values() for name in columns)
    return {name: [each for columns in bases.values() for each in columns.get(name, ())] for name in names}


def _figures(columns: Columns) -> dict[str, dict[str, float]]:
    return {name: _rounded(summary(rows)) for name, rows in columns.items()}


def _by_category(rows: Sequence[Judged]) -> dict[str, dict[str, float]]:
    return {
        name: _rounded(summary(group))
        for name, group in grouped(rows, lambda each: each.asked.category).items()
    }


def _rounded(figures: Mapping[str, float]) -> dict[str, float]:
    return {name: round(value, 2) for name, value in figures.items()}


def _detail(each: Judged) -> dict[str, Any]:
    figures = {name: round(value, 4) for name, value in each.figures.items()}
    return {"id": each.asked.id, "category": each.asked.category, "status": each.result.status, **figures}


def _line(result: Result) -> dict[str, Any]:
    line: dict[str, Any] = {
        "id": result.id,
        "documents": [_own(each) for each in result.documents],
        "passages": [_span(each) for each in result.passages],
    }
    if result.status:
        line |= {"quotes": [_span(each) for each in result.quotes], "status": result.status}
        line |= {"verdict_status": result.verdict_status, "reason": result.reason}
    return line | ({"verdict": result.verdict} if result.verdict else {})


def _span(place: Place) -> dict[str, Any]:
    return {"file": _own(place.file), "start": place.start, "end": place.end}


def _own(file: str) -> str:
    return file.partition("/")[2]
