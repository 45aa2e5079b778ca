"""The deadline: what is ready is returned, and what is missing is said."""

import threading
from collections.abc import Callable

import pytest

from evidence import pipeline
from evidence.cache import Cache
from evidence.context import Context
from evidence.errors import LimitReached
from evidence.knowledge.middleware import GuardedKnowledge
from evidence.limits import Limits, Meter
from evidence.llm.port import LLM, MeteredLLM
from evidence.model import Completion, Document, Effort, Outcome, Page, Prompt, Question, Segment
from evidence.settings import Settings
from evidence.trace import Trace
from tests.fakes import FakeKnowledge, HandClock, ScriptedLLM, degraded, holding, metered, pool, segment
from tests.pipeline_samples import LEASES, LUNCH, ask, model, quotes

RENT = "In the Harbour Lease, what is the rent?"


class Slow(FakeKnowledge):
    """Reading a document takes `seconds` of the clock."""

    def __init__(self, clock: HandClock, seconds: float) -> None:
        super().__init__(LEASES)
        self._clock, self._takes = clock, seconds
        self._turn = threading.Lock()

    def segments(self, document: Document, page: int, keyword: str = "", limit: int = 100) -> Page[Segment]:
        with self._turn:
            self._clock.forward(self._takes)
            return super().segments(document, page, keyword, limit)


def _timed(knowledge: FakeKnowledge, clock: HandClock, seconds: float, llm: LLM | None = None) -> Context:
    limits = Limits(seconds=seconds, workers=1)
    meter, trace = Meter(limits, clock), Trace()
    return Context(
        GuardedKnowledge(knowledge, meter, trace, attempts=1),
        MeteredLLM(llm, meter, trace) if llm else None,
        None,
        Cache(),
        meter,
        trace,
    )


def _asked(text: str, knowledge: FakeKnowledge, clock: HandClock, seconds: float) -> tuple[Outcome, Context]:
    ctx = _timed(knowledge, clock, seconds)
    return pipeline.ask(Question(text), Settings.of("extractive", seconds=seconds), ctx), ctx


def test_what_was_read_in_time_answers_and_what_was_not_is_said() -> None:
    clock = HandClock()
    knowledge = Slow(clock, 6)
    outcome, ctx = _asked(RENT, knowledge, clock, 10)
    assert ["The rent is ten."] == quotes(outcome)
    assert len(knowledge.asked("segments")) < 3
    assert any("was left out (limit of 10 seconds" in line for line in degraded(ctx))


def test_nothing_is_asked_once_the_deadline_has_passed() -> None:
    clock = HandClock()
    knowledge = Slow(clock, 60)
    _asked(RENT, knowledge, clock, 10)
    assert 1 == len(knowledge.asked("segments"))


def test_an_answer_that_was_not_found_for_want_of_time_says_so() -> None:
    clock = HandClock()
    outcome, _ = _asked("What colour is the door of the boat?", Slow(clock, 60), clock, 10)
    assert outcome.answer is not None
    assert ("partial", "limit_reached") == (outcome.answer.status, outcome.answer.reason)


def test_no_second_answer_is_begun_once_the_deadline_has_passed() -> None:
    clock = HandClock()
    _, ctx = _asked(f"{RENT[:-1]}, and who feeds the parrot of the harbour?", Slow(clock, 60), clock, 10)
    assert 1 == [step.name for step in ctx.trace.receipt({}).steps].count("aggregate")
    assert "reflect: no time was left for a second answer" in degraded(ctx)


def test_an_answer_that_was_not_found_in_good_time_does_not_blame_the_limit() -> None:
    outcome, _, _ = ask("What colour is the door of the boat?")
    assert outcome.answer is not None
    assert outcome.answer.reason in {"no_evidence", "no_document_fits"}


class Dawdling:
    """Reads a question only when it is told to go on; answers at once."""

    def __init__(self, go_on: threading.Event) -> None:
        self._go_on = go_on

    def complete(self, prompt: Prompt, max_tokens: int) -> Completion:
        if prompt.name == "understand":
            self._go_on.wait(30)
        return Completion(model(prompt), 100, 20)


def test_a_model_that_dawdles_over_the_question_leaves_time_for_the_answer() -> None:
    go_on = threading.Event()
    settings = Settings.of("balanced", seconds=0.5)
    ctx = metered(FakeKnowledge(LEASES), Dawdling(go_on), limits=settings.limits)
    outcome = pipeline.ask(Question(LUNCH), settings, ctx)
    go_on.set()
    assert ["Lunch is at noon in the hall."] == quotes(outcome)
    assert "query analysis timed out; used rules instead" in degraded(ctx)
    assert 2 == ctx.meter.spent()["model_calls"]


class Late:
    """Reads a question at once, and has answered nothing when the time is over."""

    def __init__(self, clock: HandClock) -> None:
        self._clock = clock
        self.calls = 0

    def complete(self, prompt: Prompt, max_tokens: int) -> Completion:
        if prompt.name == "understand":
            return Completion(model(prompt), 100, 20)
        self.calls += 1
        self._clock.forward(60)
        raise LimitReached("seconds", 10, 60)


def test_a_model_whose_answer_comes_too_late_leaves_the_passages_own_words_and_the_reason() -> None:
    settings = Settings.of("fast")
    llm = ScriptedLLM(LimitReached("seconds", 10, 10.1))
    outcome = pipeline.ask(Question(LUNCH), settings, metered(FakeKnowledge(LEASES), llm))
    assert outcome.answer is not None
    assert (["Lunch is at noon in the hall."], "limit_reached") == (quotes(outcome), outcome.answer.reason)


@pytest.mark.parametrize("effort", ["extractive", "fast", "balanced", "thorough"])
def test_an_answer_that_a_limit_cut_short_is_a_part_of_one_at_every_effort(effort: Effort) -> None:
    clock = HandClock()
    llm = Late(clock)
    ctx = _timed(FakeKnowledge(LEASES), clock, 10, llm)
    outcome = pipeline.ask(Question(LUNCH), Settings.of(effort, seconds=10), ctx)
    assert outcome.answer is not None
    late = effort != "extractive"
    assert late == bool(llm.calls)
    assert (("partial", "limit_reached") if late else ("answered", None)) == (
        outcome.answer.status,
        outcome.answer.reason,
    )
    assert ["Lunch is at noon in the hall."] == quotes(outcome)


@pytest.mark.parametrize("read", [pipeline.ask, pipeline.search])
def test_reading_ahead_is_planned_on_the_receipt_and_told_on_the_next(
    read: Callable[[Question, Settings, Context], Outcome],
) -> None:
    held = holding("Notes", {f"Note {number:02}.txt": [f"Note {number}."] for number in range(30)})
    knowledge, cache, settings = FakeKnowledge(held), Cache(), Settings.of("extractive")

    def facts() -> tuple[object, object]:
        ctx = metered(knowledge, cache=cache)
        pipeline.plan_ahead(read(Question("Note 7?"), settings, ctx), settings, ctx)
        (step,) = [each for each in ctx.trace.receipt({}).steps if each.name == "read_ahead"]
        return step.facts["documents"], step.facts["calls_behind"]

    planned, before = facts()
    cache.behind.add(22)
    assert planned
    assert 0 == before
    assert (planned, 22) == facts()
    assert (planned, 0) == facts()


def test_after_the_deadline_an_answer_is_made_of_the_first_passages_alone() -> None:
    clock = HandClock()
    ctx = _timed(FakeKnowledge(LEASES), clock, 10)
    texts = [f"The rent of hut {number} is ten. {'It has a door. ' * 1_000}" for number in range(100)]
    passages = pool(*(segment(text, f"Hut {number}.txt") for number, text in enumerate(texts)))
    clock.forward(11)
    pipeline.aggregate(Question("What is the rent of hut 1?"), passages, Settings.of("extractive"), ctx)
    assert "aggregate: the time was over; the answer is made of the first 2 of 100 passages" in degraded(ctx)


def test_after_the_deadline_one_passage_is_read_however_long_it_is() -> None:
    clock = HandClock()
    ctx = _timed(FakeKnowledge(LEASES), clock, 10)
    passages = pool(segment(f"The rent is ten. {'It has a door. ' * 5_000}"), segment("The rent is nine."))
    clock.forward(11)
    outcome = pipeline.aggregate(Question("What is the rent?"), passages, Settings.of("extractive"), ctx)
    assert ["The rent is ten."] == quotes(outcome)


def test_in_good_time_an_answer_is_made_of_all_passages() -> None:
    ctx = _timed(FakeKnowledge(LEASES), HandClock(), 10)
    passages = pool(segment(f"The rent is ten. {'It has a door. ' * 5_000}"), segment("The rent is nine."))
    pipeline.aggregate(Question("What is the rent?"), passages, Settings.of("extractive"), ctx)
    assert not [line for line in degraded(ctx) if "the time was over" in line]
