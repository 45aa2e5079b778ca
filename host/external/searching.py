"""One search for an External Knowledge request: what it found, or what is ready so far."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from evidence import pipeline
from evidence.context import Context
from evidence.errors import KnowledgeUnavailable, LimitReached
from evidence.limits import Deadline, interruptible
from evidence.model import Effort, Outcome, Question
from evidence.settings import Settings
from evidence.single_flight import SingleFlight
from host.external.ready import Remembering
from host.external.request import RetrievalRequest
from host.parameters import settings_from, unset
from host.proof.settings import proofs_of
from host.view.records import records_of
from host.wiring import Caller, open_context

SO_FAR_SECONDS = 0.6  # for making an answer of what was found, where it may no longer be waited for
REREAD_SECONDS = 0.7  # of the four that there are until Dify gives up
_MOST_LINES = 20  # of what was left out
SECONDS = 20.0  # of a search that nobody waits for any more: its answer is kept for who asks again


class Search:
    """`run` is called once, in a thread of its own; `answer` at any time, by whoever cannot wait for its end."""

    def __init__(self, request: RetrievalRequest, settings: Mapping[str, Any]) -> None:
        """Raises Misconfigured and InvalidRequest; nobody is asked anything yet."""
        self._request = request
        self._caller = Caller(settings)
        self._options = options_of(settings, request.top_k)
        self._question = Question(
            request.query, datasets=request.datasets, metadata_filter=request.metadata_filter
        )
        self._proofs = proofs_of(settings, request.query)
        ctx = open_context(self._caller, self._options)
        self._remembering: Remembering | None = Remembering(ctx.knowledge)
        self._ctx = replace(ctx, knowledge=self._remembering)
        self._outcome: Outcome | None = None
        self._answer: dict[str, Any] | None = None

    def run(self) -> bool:
        """Whether the answer is worth keeping: nothing was left out of it. Raises EvidenceError."""
        try:
            outcome = self._find()
            if not outcome.pool.passages:
                self._ctx.deadline.remaining()  # nothing in time is not nothing at all
                if outcome.shortlist.unreached:
                    raise KnowledgeUnavailable("nothing was found in what could be searched; ask again")
            self._outcome = outcome
            self._answer = self._response(outcome, self._ctx, self._ctx)  # as read, for who waits no longer
            if not self._refresh(self._ctx):
                outcome = self._outcome = self._find()
                self._refresh(self._ctx)
            pipeline.read_ahead(outcome, self._options, open_context(self._caller, Settings.behind()))
        except LimitReached:
            self._answer = self._so_far()
        finally:
            remembering, self._remembering = self._remembering, None
            if remembering:
                remembering.forget()
        return "degraded" not in self._answer

    def answer(self) -> dict[str, Any]:
        """The records found, or what can be made of the texts read and retrieved until now, without another call.

        `records`, and in `degraded` what was left out, which Dify does not read. Raises KnowledgeUnavailable when
        there is too little to say anything.
        """
        return self._so_far() if self._answer is None else self._answer

    def renewed(self) -> dict[str, Any] | None:
        """The answer of a search that ended before this request came, as it stands now.

        None where nothing of what was found stands any longer, though something else may.
        """
        return self.answer() if self._refresh(open_context(self._caller, self._options)) else None

    def _find(self) -> Outcome:
        return self._ctx.ending(lambda: pipeline.find(self._question, self._options, self._ctx))

    def _refresh(self, ctx: Context) -> bool:
        """Whether something of what was found still stands, or nothing was found at all."""
        if self._outcome is None:
            return True
        outcome = pipeline.refresh(self._outcome, self._options, ctx)
        self._answer = self._response(outcome, ctx, ctx)
        return bool(outcome.pool.passages) or not self._outcome.pool.passages

    def _so_far(self) -> dict[str, Any]:
        remembering = self._remembering
        if remembering is None:
            raise KnowledgeUnavailable("the search has failed; ask again")
        discover = replace(self._options.discover, reads=0)
        options = replace(
            self._options, effort="extractive", reads_question=False, rerank=False, discover=discover
        )
        ctx = replace(
            open_context(self._caller, options),
            knowledge=remembering.ready(),
            flights=SingleFlight(),  # who must answer now cannot wait for the calls under way
        )
        ctx.trace.degrade("the search has not come to its end; this is what was found in time")
        try:
            outcome = interruptible(
                Deadline(SO_FAR_SECONDS), lambda: pipeline.find(self._question, options, ctx)
            )
        except LimitReached:
            raise KnowledgeUnavailable("nothing was found in time; ask again") from None
        if not outcome.pool.passages:  # that would say that nothing fits, which nobody knows yet
            raise KnowledgeUnavailable("nothing was found in time; ask again")
        return self._response(outcome, ctx, self._ctx)

    def _response(self, outcome: Outcome, ctx: Context, read_by: Context) -> dict[str, Any]:
        """An outcome of `ctx`; what was read since `read_by` began is fresh."""
        top_k, threshold = self._request.top_k, self._request.threshold
        records = records_of(outcome, top_k, threshold, read_by.trace.began_at, self._proofs.whole)
        receipts = [run.trace.receipt(run.meter.spent()) for run in (self._ctx, ctx)]
        degraded = [*dict.fromkeys(line for receipt in receipts for line in receipt.degraded)]
        return {"records": records} | ({"degraded": degraded[:_MOST_LINES]} if degraded else {})


def options_of(settings: Mapping[str, Any], top_k: int) -> Settings:
    """The options of the endpoint's effort; `fast` where none is set. Raises InvalidRequest."""
    effort: Effort | str = "fast" if unset(settings.get("effort")) else settings["effort"]
    options = settings_from({"effort": effort, "top_k": top_k, "seconds": SECONDS})
    return replace(options, reread=replace(options.reread, seconds=REREAD_SECONDS))
