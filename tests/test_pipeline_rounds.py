"""One more round where something is missing, and a wider route where nothing was found."""

from dataclasses import replace

from evidence import pipeline
from evidence.errors import EvidenceError, KnowledgeUnavailable, ModelUnavailable
from evidence.model import Question
from evidence.settings import Settings
from tests.fakes import Call, FakeKnowledge, FakeReranker, ScriptedLLM, degraded, metered
from tests.pipeline_samples import (
    EMPTY_HANDED,
    HUT,
    LEASES,
    LUNCH,
    ONE_AT_A_TIME,
    TWO_PARTS,
    ask,
    model,
    quotes,
    tolerant,
)

# --- one more round ---------------------------------------------------------------------------------------


def test_what_is_missing_is_searched_once_more() -> None:
    outcome, _, _ = ask(TWO_PARTS)
    assert 2 == outcome.verdict.rounds
    assert "The rent is ten." in quotes(outcome)


def test_without_rounds_nothing_is_searched_again() -> None:
    outcome, _, _ = ask(TWO_PARTS, "fast", llm=ScriptedLLM(model))
    assert 1 == outcome.verdict.rounds


def test_a_settled_answer_is_not_searched_again() -> None:
    assert 1 == ask(LUNCH)[0].verdict.rounds


def test_a_second_round_is_not_lost_to_a_reranker_that_was_asked_once_already() -> None:
    settings = Settings.of("balanced")
    ctx = metered(
        FakeKnowledge(LEASES), ScriptedLLM(tolerant), reranker=FakeReranker(), limits=settings.limits
    )
    outcome = pipeline.ask(Question(TWO_PARTS), settings, ctx)
    assert 2 == outcome.verdict.rounds
    assert not any(line.startswith("reflect:") for line in degraded(ctx))


def test_a_failing_reranker_costs_a_line_and_no_answer() -> None:
    settings = Settings.of("extractive")
    reranker = FakeReranker(ModelUnavailable("down"))
    ctx = metered(FakeKnowledge(LEASES), reranker=reranker, limits=settings.limits)
    assert ["Lunch is at noon in the hall."] == quotes(pipeline.ask(Question(LUNCH), settings, ctx))
    assert ("rerank: down; the order stays without it",) == degraded(ctx)


# --- a wider route ----------------------------------------------------------------------------------------


def test_where_the_first_dataset_holds_nothing_the_next_one_is_searched() -> None:
    knowledge = FakeKnowledge(EMPTY_HANDED, HUT)
    outcome, _, _ = ask("What is the rent?", knowledge=knowledge, route=ONE_AT_A_TIME)
    assert ["The rent of the hut is ten coins."] == quotes(outcome)
    assert ["Rent office", "Folder"] == [entry.dataset.name for entry in outcome.route.datasets]


def test_a_wider_route_is_followed_by_a_second_round_where_something_is_missing() -> None:
    knowledge = FakeKnowledge(EMPTY_HANDED, HUT)
    outcome, _, _ = ask(TWO_PARTS, knowledge=knowledge, route=ONE_AT_A_TIME)
    assert "The rent of the hut is ten coins." in quotes(outcome)


def test_where_the_next_dataset_holds_nothing_either_the_first_outcome_stays() -> None:
    knowledge = FakeKnowledge(EMPTY_HANDED, HUT)
    outcome, _, _ = ask("Where is Atlantis?", knowledge=knowledge, route=ONE_AT_A_TIME)
    assert outcome.answer is not None
    assert ("not_found", 2) == (outcome.answer.status, len(outcome.route.datasets))


def test_a_next_dataset_that_cannot_be_listed_does_not_cost_the_first_answer() -> None:
    failing: dict[Call, EvidenceError] = {("documents", "set Folder"): KnowledgeUnavailable("down")}
    knowledge = FakeKnowledge(EMPTY_HANDED, HUT, failing=failing)
    outcome, left_out, _ = ask("What is the rent?", knowledge=knowledge, route=ONE_AT_A_TIME)
    assert outcome.answer is not None
    assert "not_found" == outcome.answer.status
    assert any("down" in line for line in left_out)


def test_calls_that_run_out_on_a_wider_route_leave_the_first_answer() -> None:
    knowledge = FakeKnowledge(EMPTY_HANDED, HUT)
    limits = replace(Settings.of("extractive").limits, knowledge_calls=4)
    outcome, left_out, _ = ask("What is the rent?", knowledge=knowledge, route=ONE_AT_A_TIME, limits=limits)
    assert outcome.answer is not None
    assert "not_found" == outcome.answer.status
    assert any(line.startswith("route: the limit of 4 knowledge calls is reached") for line in left_out)
