"""How a tool ended."""

from collections.abc import Sized

from evidence.answer.abstention import lacking
from evidence.answer.focus import focused
from evidence.corpus.building import IndexReport
from evidence.model import Lack, Outcome, Status


def answered(outcome: Outcome) -> Status:
    """The status of a tool that answers; without an answer, of one that finds documents."""
    return outcome.answer.status if outcome.answer else by_documents(outcome)


def by_documents(outcome: Outcome) -> Status:
    return _status(outcome, outcome.shortlist.documents)


def by_queries(outcome: Outcome) -> Status:
    return _status(outcome, outcome.plan.queries)


def by_passages(outcome: Outcome) -> Status:
    return _status(outcome, outcome.pool.passages)


def by_verdict(outcome: Outcome) -> Status:
    """A check that failed or found faults is never read as answered."""
    return "answered" if outcome.verdict.status == "settled" else "partial"


def listed(items: Sized) -> Status:
    return "answered" if items else "not_found"


def by_index(report: IndexReport) -> Status:
    """Partial where documents are left to be read, or could not be."""
    return "partial" if report.busy or report.failed or report.unread or report.unembedded else listed(report)


def lack(outcome: Outcome) -> Lack | None:
    """Why a search did not see all that it was to see."""
    return lacking(*focused(outcome))


def ask_back_of(outcome: Outcome) -> str:
    """What to ask the person when the question may mean several things; empty otherwise."""
    return outcome.shortlist.ask_back or outcome.route.ask_back


def _status(outcome: Outcome, what: Sized) -> Status:
    if "ambiguous" in (outcome.route.verdict, outcome.shortlist.verdict):
        return "ambiguous"
    return "partial" if lack(outcome) else listed(what)
