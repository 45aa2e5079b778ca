"""One more round where something is missing, and a wider route where nothing was found."""

import json
from dataclasses import replace

import pytest

from evidence import pipeline
from evidence.errors import EvidenceError, KnowledgeUnavailable, LimitReached, ModelUnavailable
from evidence.model import Prompt, Question
from evidence.settings import Settings
from tests.fakes import Call, FakeKnowledge, FakeReranker, ScriptedLLM, degraded, holding, keys, metered
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
    sources,
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


# --- the second call of a model ----------------------------------------------------------------------------

STREET = holding(
    "Houses", {"Street.txt": [f"The rent of house {number} is {number} coins." for number in range(1, 31)]}
)


def asked(llm: ScriptedLLM) -> list[str]:
    return [prompt.name for prompt in llm.prompts]


def test_a_model_is_not_asked_again_where_nothing_new_was_found_and_nothing_was_wrong() -> None:
    llm = ScriptedLLM(lambda prompt: json.dumps(json.loads(tolerant(prompt)) | {"missing": [2]}))
    outcome, _, _ = ask(TWO_PARTS, "balanced", llm=llm)
    assert outcome.answer is not None
    assert ("partial", "The rent is ten.") == (outcome.answer.status, quotes(outcome)[0])
    assert ["aggregate", "understand"] == sorted(asked(llm))


def test_a_model_that_left_a_part_out_without_a_word_is_asked_for_it() -> None:
    llm = ScriptedLLM(tolerant)
    ask(TWO_PARTS, "balanced", llm=llm)
    first, second = (prompt for prompt in llm.prompts if prompt.name == "aggregate")
    assert keys(first).keys() | {"You left open: what colour is the door?"} == keys(second).keys()


def test_a_model_that_found_nothing_is_asked_again_of_passages_that_it_has_not_seen() -> None:
    llm = ScriptedLLM(lambda prompt: '{"sentences": []}' if prompt.name == "aggregate" else "{}")
    ask("What is the rent of a house, and who pays it?", "balanced", FakeKnowledge(STREET), llm)
    first, second = (prompt for prompt in llm.prompts if prompt.name == "aggregate")
    review = "You found no answer to: What is the rent of a house\nYou found no answer to: who pays it?"
    assert keys(second).keys() - keys(first).keys() - {review}
    assert review in keys(second)


def test_a_model_is_told_what_was_wrong_with_its_first_answer() -> None:
    def inventing(prompt: Prompt) -> str:
        if prompt.name != "aggregate":
            return "{}"
        key = keys(prompt)["The rent is ten."]
        said = [
            {"text": "The rent is eleven coins.", "passage": key, "words": "The rent is ten."},
            {"text": "The door is green.", "passage": key, "words": "The door of the house is green."},
        ]
        return json.dumps({"sentences": said})

    llm = ScriptedLLM(inventing)
    ask(TWO_PARTS, "balanced", llm=llm)
    first, second = (prompt for prompt in llm.prompts if prompt.name == "aggregate")
    assert keys(first).keys() <= keys(second).keys()
    assert "No quote of it holds eleven: The rent is eleven coins." in second.user
    assert "Its words stand in no passage: The door is green." in second.user
    assert "The door is green" not in first.user


def test_a_model_is_told_what_its_judge_doubted() -> None:
    def doubting(prompt: Prompt) -> str:
        if prompt.name == "reflect":
            return '{"unsupported": [1], "missing": [2], "searches": ["door"]}'
        return tolerant(prompt)

    llm = ScriptedLLM(doubting)
    outcome, _, spent = ask(TWO_PARTS, "thorough", llm=llm)
    assert outcome.answer is not None
    assert ("partial", "unsettled") == (outcome.answer.status, outcome.verdict.status)
    assert "The rent is ten. [1] (doubted when checked)" in outcome.answer.text
    _, second = (prompt for prompt in llm.prompts if prompt.name == "aggregate")
    assert "A reader doubts: The rent is ten." in second.user
    assert "You left open: what colour is the door?" in second.user
    assert spent["model_calls"] <= 6


RENTS = holding("Rent office", {"Hut.txt": ["The rent is ten coins."]}, description="Where rent is paid")
DOORS = holding("Folder", {"Colours.txt": ["The door is green."]})


def missing_the_rent(prompt: Prompt) -> str:
    """A judge that misses the rent, until the answer tells of it."""
    if prompt.name == "reflect":
        return json.dumps({"unsupported": [], "missing": [] if "rent is" in prompt.user else [1]})
    texts = [text for text in keys(prompt) if "rent is" in text or "green" in text]
    sentences = [
        {
            "text": text,
            "part": 1 + ("green" in text),
            "quotes": [{"passage": keys(prompt)[text], "words": text}],
        }
        for text in texts
        if prompt.name == "aggregate"
    ]
    return json.dumps({"status": "answered", "sentences": sentences}) if sentences else "{}"


def test_what_a_judge_finds_missing_is_looked_for_in_datasets_that_were_not_asked() -> None:
    knowledge = FakeKnowledge(RENTS, DOORS)
    outcome, _, _ = ask(
        TWO_PARTS, "thorough", knowledge=knowledge, llm=ScriptedLLM(missing_the_rent), route=ONE_AT_A_TIME
    )
    assert {"Hut.txt", "Colours.txt"} == sources(outcome)
    assert ["Folder", "Rent office"] == [entry.dataset.name for entry in outcome.route.datasets]


def test_a_dataset_that_cannot_be_asked_for_what_is_missing_costs_a_line_and_no_answer() -> None:
    failing: dict[Call, EvidenceError] = {("documents", "set Rent office"): KnowledgeUnavailable("down")}
    knowledge = FakeKnowledge(RENTS, DOORS, failing=failing)
    outcome, left_out, _ = ask(
        TWO_PARTS, "thorough", knowledge=knowledge, llm=ScriptedLLM(missing_the_rent), route=ONE_AT_A_TIME
    )
    assert {"Colours.txt"} == sources(outcome)
    assert any("down" in line for line in left_out)


@pytest.mark.parametrize("failure", [LimitReached("seconds", 60, 61), ModelUnavailable("down")])
def test_a_second_answer_that_fails_does_not_cost_the_first_one(failure: EvidenceError) -> None:
    replies = iter([tolerant, failure])

    def once(prompt: Prompt) -> str:
        reply = next(replies) if prompt.name == "aggregate" else (lambda _prompt: "{}")
        if isinstance(reply, EvidenceError):
            raise reply
        return reply(prompt)

    outcome, left_out, _ = ask(TWO_PARTS, "balanced", llm=ScriptedLLM(once))
    assert outcome.answer is not None
    assert ("partial", None, ["The rent is ten."]) == (
        outcome.answer.status,
        outcome.answer.reason,
        [claim.text for claim in outcome.answer.claims],
    )
    assert not any("answered extractively" in line for line in left_out)


def test_a_list_is_part_of_one_where_calls_ran_out_on_the_way() -> None:
    knowledge = FakeKnowledge(LEASES)
    limits = replace(Settings.of("extractive").limits, knowledge_calls=3)
    outcome, _, _ = ask("List every rent and every fee.", knowledge=knowledge, limits=limits)
    assert outcome.answer is not None
    assert {"The rent is ten.", "The fee is nine coins a tree."} == {*quotes(outcome)}
    assert ("list_all", "partial", "limit_reached", "unsettled") == (
        outcome.understanding.intent,
        outcome.answer.status,
        outcome.answer.reason,
        outcome.verdict.status,
    )


def test_a_model_that_used_up_its_calls_keeps_its_answer_and_says_so() -> None:
    replies = iter(["I would rather chat.", None])

    def chatting(prompt: Prompt) -> str:
        return (next(replies) or tolerant(prompt)) if prompt.name == "aggregate" else "{}"

    llm = ScriptedLLM(chatting)
    outcome, left_out, _ = ask(TWO_PARTS, "balanced", llm=llm)
    assert ["The rent is ten."] == quotes(outcome)
    assert 3 == len(llm.prompts)
    assert "reflect: no model call was left for a second answer" in left_out
    assert not any("answered extractively" in line for line in left_out)


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
    assert ("partial", "knowledge_unavailable") == (outcome.answer.status, outcome.answer.reason)
    assert any("down" in line for line in left_out)


def test_calls_that_run_out_on_a_wider_route_leave_the_first_answer() -> None:
    knowledge = FakeKnowledge(EMPTY_HANDED, HUT)
    limits = replace(Settings.of("extractive").limits, knowledge_calls=4)
    outcome, left_out, _ = ask("What is the rent?", knowledge=knowledge, route=ONE_AT_A_TIME, limits=limits)
    assert outcome.answer is not None
    assert ("partial", "limit_reached") == (outcome.answer.status, outcome.answer.reason)
    assert any(line.startswith("route: limit of 4 knowledge calls reached") for line in left_out)


# --- across languages --------------------------------------------------------------------------------------


def test_what_a_model_puts_in_the_documents_language_finds_them() -> None:
    rooms = holding(
        "Rooms",
        {
            "rules.txt": ["The landlord and the tenant return the keys.", "Rent is due within ten days."],
            "租赁合同.txt": ["出租方应在十五日内将押金退还承租方。", "租金按月支付。"],
            "menu.txt": ["Soup is served within ten minutes.", "Plates are returned within the hour."],
        },
    )

    def bilingual(prompt: Prompt) -> str:
        expected = ["出租方应当在若干日内退还押金给承租方。", "押金在十日内退还。"]
        return json.dumps({"hypothetical_answers": expected}) if prompt.name == "understand" else "{}"

    settings = Settings.of("balanced", top_k=2)
    ctx = metered(FakeKnowledge(rooms), ScriptedLLM(bilingual), limits=settings.limits)
    found = pipeline.find(
        Question("Within how many days does the landlord return the deposit?"), settings, ctx
    )
    assert "租赁合同.txt" in {passage.segment.document.name for passage in found.pool.passages}
