"""The whole run: its order, its limits, and what happens when something fails."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from evidence import pipeline
from evidence.cache import Cache
from evidence.errors import LimitReached, ModelUnavailable
from evidence.limits import Limits
from evidence.model import Effort, Outcome, Prompt, Question
from evidence.settings import Settings
from tests.fakes import FakeKnowledge, ScriptedLLM, holding, metered
from tests.pipeline_samples import HUT, LEASES, LUNCH, ask, model, quotes, sources, tolerant

WRITES = ("create", "update", "delete", "add", "put")


def test_a_question_is_answered_with_a_citation_and_judged() -> None:
    outcome, left_out, _ = ask(LUNCH)
    assert outcome.answer is not None
    assert ("answered", ["Lunch is at noon in the hall."]) == (outcome.answer.status, quotes(outcome))
    assert ("settled", 1) == (outcome.verdict.status, outcome.verdict.rounds)
    assert () == left_out


def test_the_stages_follow_each_other() -> None:
    ctx = metered(FakeKnowledge(LEASES), ScriptedLLM(model), limits=Settings.of("balanced").limits)
    pipeline.ask(Question(LUNCH), Settings.of("balanced"), ctx)
    steps = [step.name for step in ctx.trace.receipt({}).steps]
    order = [
        "knowledge.datasets",
        "knowledge.documents",
        "knowledge.segments",
        "search.rank",
        "aggregate",
        "model.complete",
        "reflect",
    ]
    places = [steps.index(name) for name in order[:5]]
    assert sorted(places) == places
    assert (
        steps.index("aggregate")
        < len(steps) - 1 - steps[::-1].index("model.complete")
        < steps.index("reflect")
    )


def test_while_a_model_reads_the_question_the_documents_are_looked_for_already() -> None:
    knowledge = FakeKnowledge(LEASES)
    seen: list[int] = []

    def slow(prompt: Prompt) -> str:
        if prompt.name == "understand":
            for _ in range(400):
                if knowledge.asked("documents"):
                    break
                threading.Event().wait(0.005)
            seen.append(len(knowledge.asked("documents")))
        return model(prompt)

    ask(LUNCH, "balanced", knowledge, ScriptedLLM(slow))
    assert [1] == seen


def test_nothing_is_asked_of_the_server_but_lists_and_retrieves() -> None:
    knowledge = FakeKnowledge(LEASES)
    ask("What is the rent in the Harbour Lease and in the Zanzibar Charter?", "extractive", knowledge)
    assert {call[0] for call in knowledge.calls} <= {"datasets", "documents", "segments", "retrieve"}
    assert not [name for name in dir(FakeKnowledge) if name.startswith(WRITES)]


@pytest.mark.parametrize(
    ("effort", "most"), [("extractive", 0), ("fast", 1), ("balanced", 3), ("thorough", 6)]
)
@pytest.mark.parametrize(
    "text", [LUNCH, "What is the rent and what colour is the door?", "Where is Atlantis?"]
)
def test_no_effort_asks_a_model_more_often_than_it_says(effort: Effort, most: int, text: str) -> None:
    llm = ScriptedLLM(tolerant)
    _, _, spent = ask(text, effort, llm=llm)
    assert len(llm.prompts) == spent["model_calls"] <= most


def test_a_balanced_answer_without_a_second_round_asks_a_model_twice() -> None:
    llm = ScriptedLLM(model)
    outcome, _, _ = ask(LUNCH, "balanced", llm=llm)
    assert {"understand", "aggregate"} == {prompt.name for prompt in llm.prompts}
    assert ["Lunch is at noon in the hall."] == quotes(outcome)


def test_a_model_that_fails_leaves_an_answer_of_quotes_and_says_so() -> None:
    outcome, left_out, _ = ask(LUNCH, "balanced", llm=ScriptedLLM(ModelUnavailable("down")))
    assert ["Lunch is at noon in the hall."] == quotes(outcome)
    assert (
        "query analysis failed (down); used rules instead",
        "aggregate: the model could not be used (ModelUnavailable); the answer is made of quotes alone",
    ) == left_out


def test_a_named_document_alone_answers_for_itself() -> None:
    outcome, _, _ = ask("In the Harbour Lease, what is the rent?")
    assert {"Harbour Lease.txt"} == sources(outcome)


def _five_leases(*clauses: str) -> FakeKnowledge:
    names = ("Harbour", "Mountain", "Valley", "Forest", "Island")
    texts = {f"{name} Lease.txt": [each.format(at) for each in clauses] for at, name in enumerate(names, 1)}
    return FakeKnowledge(holding("Leases", texts))


def test_other_documents_of_the_same_kind_do_not_answer_for_the_one_that_was_named() -> None:
    knowledge = _five_leases("Notice: {} months.", "Dogs stay outside.", "The rent is {} coins.")
    outcome, _, _ = ask("In the Harbour Lease, what is the rent?", knowledge=knowledge)
    assert outcome.answer is not None
    assert ({"Harbour Lease.txt"}, None) == (sources(outcome), outcome.answer.reason)


def test_a_clause_that_every_document_has_is_found_in_the_one_that_was_named() -> None:
    outcome, _, _ = ask(
        "In the Harbour Lease, what is the rent?", knowledge=_five_leases("The rent is {} coins.")
    )
    assert "The rent is 1 coins." in quotes(outcome)


def test_a_named_document_that_does_not_exist_is_not_answered_from_a_neighbour() -> None:
    outcome, _, _ = ask("In the Zanzibar Charter, what is the rent?")
    assert outcome.answer is not None
    assert ("not_found", "no_document_fits", ()) == (
        outcome.answer.status,
        outcome.answer.reason,
        outcome.answer.citations,
    )


def test_where_no_dataset_can_be_searched_the_answer_says_so() -> None:
    outcome, _, _ = ask(LUNCH, knowledge=FakeKnowledge(holding("Outside", {"x": []}, provider="external")))
    assert outcome.answer is not None
    assert ("not_found", "no_dataset_fits") == (outcome.answer.status, outcome.answer.reason)


def test_questions_asked_at_once_on_one_cache_find_what_each_finds_alone() -> None:
    texts = [LUNCH, "What is the fee for a tree?", "In the Harbour Lease, how is notice given?", "Dogs?"] * 4
    settings, cache = Settings.of("extractive"), Cache()

    def find(text: str, on: Cache) -> list[str]:
        outcome = pipeline.search(Question(text), settings, metered(FakeKnowledge(LEASES), cache=on))
        return [passage.segment.segment_id for passage in outcome.pool.passages]

    alone = [find(text, Cache()) for text in texts]
    with ThreadPoolExecutor(8) as pool:
        assert alone == list(pool.map(lambda text: find(text, cache), texts))


# --- limits -----------------------------------------------------------------------------------------------


def test_a_limit_that_is_reached_before_an_answer_is_raised() -> None:
    with pytest.raises(LimitReached, match="0 knowledge calls"):
        ask(LUNCH, limits=Limits(knowledge_calls=0))


def test_a_deadline_that_passed_before_an_answer_is_raised() -> None:
    with pytest.raises(LimitReached, match="seconds"):
        ask(LUNCH, limits=Limits(seconds=0))


def test_a_limit_that_is_reached_while_answering_leaves_the_passages_own_words() -> None:
    outcome, left_out, _ = ask(LUNCH, "fast", llm=ScriptedLLM(model), limits=Limits(model_calls=0, rounds=0))
    assert outcome.answer is not None
    assert ["Lunch is at noon in the hall."] == quotes(outcome)
    assert "limit_reached" == outcome.answer.reason
    assert any(line.startswith("aggregate: limit of 0 model calls reached") for line in left_out)


def test_a_judge_that_may_not_be_asked_leaves_the_verdict_unknown() -> None:
    limits = Limits(model_calls=3, rounds=0)
    outcome, left_out, _ = ask(LUNCH, "thorough", llm=ScriptedLLM(model), limits=limits)
    assert "unknown" == outcome.verdict.status
    assert any(line.startswith("reflect: limit of 3 model calls") for line in left_out)
    assert ["Lunch is at noon in the hall."] == quotes(outcome)


# --- the other tools --------------------------------------------------------------------------------------


def _run(tool: Callable[..., Outcome], text: str, effort: Effort = "extractive") -> Outcome:
    settings = Settings.of(effort)
    return tool(Question(text), settings, metered(FakeKnowledge(LEASES), limits=settings.limits))


def test_discovering_ranks_documents_and_answers_nothing() -> None:
    outcome = _run(pipeline.discover, "What is the rent in the Harbour Lease?")
    assert "Harbour Lease.txt" == outcome.shortlist.documents[0].document.name
    assert (None, ()) == (outcome.answer, outcome.pool.passages)


def test_boosting_plans_queries_and_searches_nothing() -> None:
    outcome = _run(pipeline.boost, "What is the rent in the Harbour Lease?")
    assert outcome.plan.queries
    assert () == outcome.pool.passages


def test_searching_finds_passages_and_answers_nothing() -> None:
    outcome = _run(pipeline.search, LUNCH)
    assert "Lunch is at noon in the hall." == outcome.pool.passages[0].segment.text
    assert outcome.answer is None


def test_of_passages_handed_in_only_those_that_are_quoted_are_read_again() -> None:
    pool = _run(pipeline.search, LUNCH).pool
    knowledge = FakeKnowledge(LEASES)
    outcome = pipeline.aggregate(Question(LUNCH), pool, Settings.of("extractive"), metered(knowledge))
    assert ["Lunch is at noon in the hall."] == quotes(outcome)
    assert ["dataset", "document", "segment"] == sorted(str(call[0]) for call in knowledge.calls)


def test_an_answer_handed_in_is_judged_by_its_passages() -> None:
    pool = _run(pipeline.search, LUNCH).pool
    settings = Settings.of("extractive")

    def judged(answer: str) -> Outcome:
        return pipeline.reflect(Question(LUNCH), answer, pool, settings, metered(FakeKnowledge(LEASES)))

    assert judged("Lunch is at noon in the hall.").verdict.grounding == 1.0
    assert judged("Lunch is at nine on the roof.").verdict.grounding < 1.0


def test_datasets_and_documents_are_listed() -> None:
    settings = Settings.of("extractive")
    ctx = metered(FakeKnowledge(LEASES, HUT))
    assert ["Leases", "Folder"] == [each.name for each in pipeline.list_datasets(ctx)]
    page = pipeline.list_documents((), "Lease", 1, 20, settings, ctx)
    assert (["Harbour Lease.txt"], 1) == ([each.name for each in page.items], page.total)


def test_reading_ahead_leaves_the_next_question_at_most_two_calls() -> None:
    knowledge, cache, settings = FakeKnowledge(LEASES), Cache(), Settings.of("extractive")
    first = pipeline.ask(Question(LUNCH), settings, metered(knowledge, cache=cache))
    behind = metered(knowledge, cache=cache, limits=Settings.behind().limits)
    pipeline.read_ahead(first, settings, behind)
    for _ in range(400):
        if cache.prefetching.acquire(blocking=False):
            break
        threading.Event().wait(0.005)
    assert cache.fully_read(LEASES[0], 900)
    knowledge.calls.clear()
    second = pipeline.ask(Question("What is the fee for a tree?"), settings, metered(knowledge, cache=cache))
    assert len(knowledge.calls) - len(knowledge.asked("segment")) <= 2
    assert len(knowledge.asked("segment")) <= len(set(quotes(second)))
