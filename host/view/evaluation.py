"""An evaluation in words and figures: what the figures are, what went wrong, and what to do about it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from evidence.evaluation.expected import Expected
from evidence.evaluation.measured import Measured, summary_of
from evidence.limits import Limits
from evidence.model import Status
from evidence.trace import Receipt
from host.view.json import listed_json

# What went wrong, and one piece of advice; `{about}` names what it is about.
FAULTS: Mapping[str, tuple[str, str]] = {
    "failed": ("the question could not be asked: {about}", "Run the doctor, and ask again."),
    "answered": (
        "quotes were given for a question that is to have no answer, from {about}",
        "Read the quotes: where they do answer, correct the expectation; else ask with a model.",
    ),
    "missing_document": (
        "no dataset holds {about}",
        "Upload and enable the document, see that key and allow-list show its dataset, or correct the expected name.",
    ),
    "missing_text": (
        "the expected words are nowhere in {about} as it is stored",
        "Look at its chunks in Dify: upload it as text or with OCR where they lack it, or correct the words.",
    ),
    "split": (
        "the expected words are cut in two by a chunk border of {about}",
        "Raise the chunk length or the overlap of this document, or split it at its headings.",
    ),
    "wrong_dataset": (
        "the dataset {about} was not chosen",
        "Say in the dataset's description what it holds, or name the dataset in the tool's `datasets`.",
    ),
    "duplicate": (
        "{about} holds the same words and was taken",
        "Disable the copy, or give both a date or version in their names.",
    ),
    "heading": (
        "the passage in {about} shares no word with the question",
        "Keep the heading in each chunk, or add the words that people use to the text or the document's name.",
    ),
    "ranked_low": (
        "{about} was not among the first ten passages",
        "Try a rerank model, or a line `sections: topic -> Title` in `instructions`.",
    ),
    "abstained": (
        "the right passage was found, and no answer was given: {about}",
        "Ask with a model: without one, words must resemble the question's.",
    ),
    "not_quoted": (
        "the right passage was found, and not all of it was quoted: {about}",
        "Ask with a model or more effort; see whether the question asks for one thing.",
    ),
}


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Questions that were asked, or such as were drafted."""

    measured: Sequence[Measured]
    drafted: Sequence[Expected] = ()


def status(evaluation: Evaluation) -> Status:
    """Answered where every question went right."""
    if evaluation.drafted:
        return "answered"
    rights = {measured.right for measured in evaluation.measured}
    return "not_found" if not rights else "answered" if rights == {True} else "partial"


def explained(measured: Measured) -> tuple[str, str]:
    """What went wrong with a question, and one piece of advice; empty where nothing did."""
    if not measured.fault:
        return "", ""
    fault, advice = FAULTS[measured.fault]
    return fault.format(about=measured.about or "the documents"), advice


def json(evaluation: Evaluation, status: Status, receipt: Receipt, limits: Limits) -> dict[str, Any]:
    fields = {
        "report": _known(asdict(summary_of(evaluation.measured))),
        "questions": [question_json(measured) for measured in evaluation.measured],
        "drafted": [draft_json(expected) for expected in evaluation.drafted],
    }
    return listed_json(fields, status, receipt, limits)


def _known(figures: Mapping[str, Any]) -> dict[str, Any]:
    """The figures without those that there are none of."""
    return {
        name: _known(value) if isinstance(value, Mapping) else value
        for name, value in figures.items()
        if value is not None
    }


def question_json(measured: Measured) -> dict[str, Any]:
    went_wrong, advice = explained(measured)
    return {**asdict(measured), "went_wrong": went_wrong, "advice": advice}


def draft_json(expected: Expected) -> dict[str, Any]:
    """A drafted question as a line of a file of questions."""
    documents, words = list(expected.documents), list(expected.words)
    return {"question": expected.question, "documents": documents, "words": words, "drafted": True}


def rows(evaluation: Evaluation) -> Iterable[tuple[str, str, str]]:
    """The table: a figure's name, this plugin's and the server's own; "–" where there is none."""
    summary = summary_of(evaluation.measured)
    for depth, share in summary.hit.items():
        yield f"hit@{depth}", percent(share), percent(summary.dify_hit[depth])
    yield "all that is expected, in ten passages", percent(summary.holds), percent(summary.dify_holds)
    yield "expected words or document quoted", percent(summary.quoted), "–"
    yield "share of the expected words quoted", percent(summary.share), "–"
    yield "no answer where there is none", percent(summary.abstained), "–"
    yield "no answer where there is one", percent(summary.wrongly_abstained), "–"
    yield "seconds a question, mean", f"{summary.seconds:.2f}", f"{summary.dify_seconds:.2f}"
    yield "seconds a question, longest", f"{summary.slowest:.2f}", "–"
    yield "knowledge calls a question", f"{summary.knowledge_calls:.1f}", "–"
    yield "model calls a question", f"{summary.model_calls:.1f}", "0"
    yield "tokens a question", f"{summary.tokens:,.0f}", "0"


def percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f} %"
