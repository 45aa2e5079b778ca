"""How good an outcome is: whether it holds anything, whether a limit cut it short, and which of two is better."""

from evidence.context import Context
from evidence.model import Answer, Outcome


def holds_nothing(outcome: Outcome) -> bool:
    """Whether an outcome quotes nothing and asks nothing back."""
    answer = outcome.answer
    return answer is None or not (answer.citations or answer.status == "ambiguous")


def cut_short(answer: Answer, outcome: Outcome, ctx: Context) -> bool:
    """Whether an answer lacks something that more time or more calls could have found; a list may always do."""
    if answer.reason == "no_document_fits":
        return outcome.route.unseen > 0
    spent = ctx.deadline.passed() or ctx.meter.refused("knowledge_calls") or ctx.meter.refused("retrieves")
    complete = answer.status == "answered" and outcome.understanding.intent != "list_all"
    return spent and not complete and answer.reason in {None, "no_evidence"}


def worth(outcome: Outcome) -> tuple[bool, float, float, int]:
    """How good an answer is; one that a model wrote is better than its stand-in."""
    answer, verdict = outcome.answer or Answer(""), outcome.verdict
    by_model = answer.reason != "model_unavailable"
    return by_model, verdict.completeness, verdict.grounding, len(answer.citations)
