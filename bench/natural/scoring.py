"""What an answer to a natural question is worth: how well it was found, quoted, and how honest its status is."""

import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from bench.metrics import Place, characters, mean, overlap, precision, recall
from bench.natural.data import Asked

DEPTHS = (1, 4, 8, 20)
NEAR = 200  # characters beside a gold span that still count as precise
HIT = 0.5  # of the characters of the best alternative
# Answered only where the quotes touch every span of an alternative.
WHOLE = frozenset({"multi_hop", "multi_part", "comparison"})
HELD_BACK = frozenset({"partial", "ambiguous"})

type Figures = dict[str, float]


@dataclass(frozen=True, slots=True)
class Result:
    """What a system gave for one question, best first. Without a `status` it only ranks; it quotes nothing then.

    `verdict` is yes, no or ""; `settled` is whether its own check found no fault, `reason` what it says it lacks.
    """

    id: str
    passages: tuple[Place, ...] = ()
    documents: tuple[str, ...] = ()
    quotes: tuple[Place, ...] = ()
    status: str = ""
    verdict: str = ""
    verdict_status: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Judged:
    """A question with its result; `figures` are 0..1, or characters. A figure that does not apply is left out."""

    asked: Asked
    result: Result
    figures: Mapping[str, float]


def judged(asked: Asked, result: Result, texts: Mapping[str, str]) -> Judged:
    """`texts` are the documents' by file."""
    if not asked.gold:
        return Judged(asked, result, {})
    figures = _found(asked, result)
    if result.status:
        figures |= _quoted(asked, result, texts)
    if asked.verdict and result.verdict:
        figures["verdict"] = float(asked.verdict == result.verdict)
    return Judged(asked, result, figures)


def summary(rows: Sequence[Judged]) -> Figures:
    """The figures of a group: shares in percent, the median of the quoted characters, counts.

    A figure that applies to no question is left out.
    """
    asked = [each for each in rows if each.asked.gold]
    values: dict[str, list[float]] = {}
    for each in asked:
        for name, value in each.figures.items():
            values.setdefault(name, []).append(value)
    figures: Figures = {name: _percent(found) for name, found in values.items() if name != "chars"}
    if quoted := [value for value in values.get("chars", ()) if value]:
        figures["chars_median"] = statistics.median(quoted)
    if any(each.result.status for each in rows):
        figures |= _statuses(rows, asked)
    return {"n": len(asked)} | figures


def grouped(rows: Iterable[Judged], key: Callable[[Judged], str]) -> dict[str, list[Judged]]:
    groups: dict[str, list[Judged]] = {}
    for each in rows:
        groups.setdefault(key(each), []).append(each)
    return groups


def _found(asked: Asked, result: Result) -> Figures:
    files = {place.file for alternative in asked.gold for place in alternative}
    ranked = result.documents or tuple(place.file for place in result.passages)
    figures = {"doc@1": float(bool(ranked) and ranked[0] in files)}
    for depth in DEPTHS:
        covered = _coverage(result.passages[:depth], asked.gold)
        figures |= {f"hit@{depth}": float(covered >= HIT), f"cov@{depth}": covered}
    return figures


def _quoted(asked: Asked, result: Result, texts: Mapping[str, str]) -> Figures:
    zone = [
        Place(each.file, max(0, each.start - NEAR), each.end + NEAR) for gold in asked.gold for each in gold
    ]
    wanted = [_flat(each) for each in asked.answers]
    right = [each for each in result.quotes if _holds(each, wanted, texts)]
    near = any(overlap((each,), zone) for each in right)
    if asked.category in WHOLE:
        near = near and any(
            all(overlap((each,), result.quotes) for each in alternative) for alternative in asked.gold
        )
    figures = {
        "answer": float(bool(right)),
        "answer_near": float(near),
        "quoted_gold": _coverage(result.quotes, asked.gold),
        "chars": float(characters(result.quotes)),
    }
    if result.quotes:
        figures["precision"] = precision(result.quotes, zone)
    return figures


def _statuses(rows: Sequence[Judged], asked: Sequence[Judged]) -> Figures:
    answered = [each for each in rows if each.result.status == "answered"]
    settled = [each for each in rows if each.result.verdict_status == "settled"]
    absent = [each for each in rows if not each.asked.gold]
    figures: Figures = {
        "unanswerable": len(absent),
        "contradictions": sum(each.result.reason == "conflicting" for each in rows),
    }
    if asked:
        figures |= {
            "answered_share": _share(asked, lambda each: each.result.status == "answered"),
            "settled_share": _share(asked, lambda each: each.result.verdict_status == "settled"),
            "partial": _share(asked, lambda each: each.result.status in HELD_BACK),
            "lost": _share(asked, lambda each: each.result.status == "not_found"),
        }
    if answered:
        figures["answered_right"] = _share(answered, _right)
    if settled:
        figures["settled_right"] = _share(settled, _right)
    if absent:
        refused = _share(absent, lambda each: each.result.status == "not_found")
        figures["refused"] = refused
        figures["held"] = refused + _share(absent, lambda each: each.result.status in HELD_BACK)
    return figures


def _right(each: Judged) -> bool:
    return each.figures.get("answer_near") == 1.0


def _coverage(places: Sequence[Place], gold: Iterable[Sequence[Place]]) -> float:
    return max((recall(places, alternative) for alternative in gold), default=0.0)


def _holds(place: Place, wanted: Iterable[str], texts: Mapping[str, str]) -> bool:
    text = _flat(texts[place.file][place.start : place.end])
    return any(each in text for each in wanted)


def _flat(text: str) -> str:
    """Blanks and case do not count."""
    return "".join(text.split()).casefold()


def _share(rows: Sequence[Judged], holds: Callable[[Judged], bool]) -> float:
    return _percent([float(holds(each)) for each in rows])


def _percent(values: Sequence[float]) -> float:
    return 100 * mean(values)
