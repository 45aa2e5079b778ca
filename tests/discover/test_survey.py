"""The first look: lists and the server's own rankings, asked at once and no more than needed."""

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from evidence.cache import Cache
from evidence.corpus.fetch import read_document
from evidence.discover.survey import Survey, SurveyOptions, survey
from evidence.errors import KnowledgeUnavailable, LimitReached, Misconfigured
from evidence.limits import CallBudget, Limits, ReadPolicy
from evidence.model import (
    EVERYTHING,
    Condition,
    Dataset,
    MetadataFilter,
    Query,
    Question,
    RankedDataset,
    Retrieved,
    Route,
)
from evidence.single_flight import SingleFlight
from evidence.understand.question import understand
from tests.fakes import FakeKnowledge, HandClock, Holding, degraded, holding, metered

TEXTS = {"Harbour Lease.txt": ["The rent is ten."], "Mountain Lease.txt": ["The rent is twelve."]}
GOOD, CHEAP = holding("Good", TEXTS, technique="high_quality"), holding("Cheap", TEXTS)
LARGE = {f"Note {number}.txt": [f"Note {number}."] for number in range(650)}
ASKED = "What is the rent in the Harbour Lease?"


def _route(*held: Holding) -> Route:
    return Route(tuple(RankedDataset(dataset, 1.0) for dataset, _ in held))


def _survey(
    knowledge: FakeKnowledge,
    text: str = ASKED,
    cache: Cache | None = None,
    budget: CallBudget = CallBudget(),  # noqa: B008 - a frozen value
    flights: SingleFlight | None = None,
) -> Survey:
    ctx = replace(metered(knowledge, cache=cache, flights=flights), budget=budget)
    route = Route(tuple(RankedDataset(dataset, 1.0) for dataset in knowledge.listed))
    return survey(Question(text), understand(Question(text)), route, SurveyOptions(), ctx)


def test_a_catalogue_and_the_servers_ranking_of_question_and_subject_are_asked_for() -> None:
    knowledge = FakeKnowledge(GOOD)
    found = _survey(knowledge)
    assert set(GOOD[1]) == set(found.documents)
    assert [ASKED, "Harbour Lease"] == [run.query.text for run in found.retrieved]
    assert 3 == len(knowledge.calls)


@pytest.mark.parametrize("few_documents", [0, 100])
@pytest.mark.parametrize("calls", [0, 6])
def test_three_datasets_cost_three_retrieves_one_each(few_documents: int, calls: int) -> None:
    third = holding("Third", TEXTS, technique="high_quality")
    knowledge = FakeKnowledge(GOOD, replace_name(GOOD), third)
    _survey(knowledge, budget=CallBudget(names=calls, retrieves=calls + 4, few_documents=few_documents))
    assert ["set Good", "set Other", "set Third"] == sorted(call[1] for call in knowledge.asked("retrieve"))


@pytest.mark.parametrize(("few_documents", "retrieves"), [(0, 3), (100, 2)])
def test_two_datasets_cost_three_retrieves_and_two_where_documents_are_few(
    few_documents: int, retrieves: int
) -> None:
    knowledge = FakeKnowledge(GOOD, replace_name(GOOD))
    _survey(knowledge, budget=CallBudget(few_documents=few_documents))
    assert retrieves == len(knowledge.asked("retrieve"))


def test_each_of_three_datasets_that_were_read_whole_is_asked_for_its_vectors() -> None:
    held = (GOOD, replace_name(GOOD), holding("Third", TEXTS, technique="high_quality"))
    knowledge, cache = FakeKnowledge(*held), Cache()
    _survey(knowledge, cache=cache)
    for _, documents in held:
        for document in documents:
            read_document(document, metered(knowledge, cache=cache))
    knowledge.calls.clear()
    _survey(knowledge, cache=cache)
    assert ["set Good", "set Other", "set Third"] == sorted(call[1] for call in knowledge.asked("retrieve"))


class Slow(FakeKnowledge):
    """Takes a tenth of a second to rank."""

    def retrieve(
        self, dataset: Dataset, query: Query, top_k: int, metadata_filter: MetadataFilter = EVERYTHING
    ) -> Retrieved:
        time.sleep(0.1)
        return super().retrieve(dataset, query, top_k, metadata_filter)


def test_the_same_question_asked_twice_at_once_is_ranked_once() -> None:
    knowledge, flights = Slow(GOOD), SingleFlight()
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: _survey(knowledge, flights=flights), range(4)))
    assert 2 == len(knowledge.asked("retrieve"))
    assert {found[0].retrieved} == {each.retrieved for each in found}


def test_another_filter_is_another_ranking() -> None:
    knowledge, flights = Slow(GOOD), SingleFlight()
    route = _route(GOOD)

    def ask(wanted: str) -> Survey:
        question = Question(ASKED, metadata_filter=MetadataFilter((Condition("owner", "is", wanted),)))
        ctx = metered(knowledge, flights=flights)
        return survey(question, understand(question), route, SurveyOptions(), ctx)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(ask, ("one", "two")))
    assert 4 == len(knowledge.asked("retrieve"))


def replace_name(held: Holding) -> Holding:
    dataset = replace(held[0], name="Other", dataset_id="set Other")
    return dataset, {replace(d, dataset_id="set Other"): segments for d, segments in held[1].items()}


def test_an_economy_dataset_that_was_read_whole_is_listed_anew_and_not_asked_to_rank() -> None:
    knowledge, clock = FakeKnowledge(CHEAP), HandClock()
    cache = Cache(clock=clock)
    _survey(knowledge, cache=cache)
    for document in CHEAP[1]:
        read_document(document, metered(knowledge, cache=cache))
    knowledge.calls.clear()
    clock.forward(5)
    _survey(knowledge, cache=cache)
    assert [("documents", CHEAP[0].dataset_id, 1, "")] == knowledge.calls


def test_an_economy_dataset_whose_reading_grew_stale_is_asked_to_rank_again() -> None:
    knowledge, clock = FakeKnowledge(CHEAP), HandClock()
    cache = Cache(clock=clock)
    _survey(knowledge, cache=cache)
    for document in CHEAP[1]:
        read_document(document, metered(knowledge, cache=cache))
    clock.forward(901)
    knowledge.calls.clear()
    _survey(knowledge, cache=cache)
    assert 1 == len(knowledge.asked("retrieve"))


def test_a_large_catalogue_is_asked_for_the_names_in_the_question() -> None:
    held = holding("Large", {**LARGE, "Harbour Lease.txt": ["The rent is ten."]})
    knowledge = FakeKnowledge(held)
    found = _survey(knowledge)
    assert found.large
    assert "Harbour Lease.txt" in {document.name for document in found.documents}
    assert 1 + 2 == len(knowledge.asked("documents"))
    assert {"Harbour", "Lease"} == {call[3] for call in knowledge.asked("documents")} - {""}


def test_a_name_in_small_letters_is_found_in_a_large_catalogue_too() -> None:
    held = holding("Large", {**LARGE, "Harbour Lease.txt": ["Payable monthly."]})
    found = _survey(FakeKnowledge(held), "what is the rent in the harbour lease?")
    assert "Harbour Lease.txt" in {document.name for document in found.documents}


def test_a_chinese_name_is_found_in_a_large_catalogue() -> None:
    held = holding("Large", {**LARGE, "港口租约.txt": ["每月付款。"]})
    found = _survey(FakeKnowledge(held), "港口租约的通知期是多久？")
    assert "港口租约.txt" in {document.name for document in found.documents}


def test_a_document_that_the_server_found_beyond_the_catalogue_is_known() -> None:
    held = holding("Large", {**LARGE, "Zephyr.txt": ["The ferry sails at dawn."]}, technique="high_quality")
    found = _survey(FakeKnowledge(held), "when does the ferry sail?")
    assert "Zephyr.txt" in {document.name for document in found.documents}


def test_documents_that_are_disabled_are_left_out() -> None:
    dataset, documents = CHEAP
    held = {replace(d, usable=d.name != "Harbour Lease.txt"): segments for d, segments in documents.items()}
    assert ["Mountain Lease.txt"] == [d.name for d in _survey(FakeKnowledge((dataset, held))).documents]


def test_a_failing_retrieve_costs_a_line_and_the_catalogue_stays() -> None:
    knowledge = FakeKnowledge(GOOD, failing={("retrieve",): KnowledgeUnavailable("no embedding")})
    ctx = metered(knowledge)
    found = survey(Question(ASKED), understand(Question(ASKED)), _route(GOOD), SurveyOptions(), ctx)
    assert (2, ()) == (len(found.documents), found.retrieved)
    assert ("discover: Good could not be searched (no embedding)",) == degraded(ctx)


def test_one_catalogue_of_two_that_fails_costs_a_line() -> None:
    knowledge = FakeKnowledge(GOOD, CHEAP, failing={("documents", "set Good"): KnowledgeUnavailable("down")})
    assert set(CHEAP[1]) <= set(_survey(knowledge).documents)


def test_where_no_catalogue_can_be_had_the_error_is_raised_and_not_an_empty_survey() -> None:
    knowledge = FakeKnowledge(GOOD, failing={("documents",): KnowledgeUnavailable("down")})
    with pytest.raises(KnowledgeUnavailable, match="down"):
        _survey(knowledge)


def test_what_asking_elsewhere_does_not_help_is_raised() -> None:
    with pytest.raises(Misconfigured):
        _survey(FakeKnowledge(GOOD, failing={("retrieve",): Misconfigured("wrong key")}))


def test_a_limit_on_retrieves_leaves_the_catalogue_and_is_said() -> None:
    ctx = metered(FakeKnowledge(GOOD), limits=Limits(retrieves=0))
    found = survey(Question(ASKED), understand(Question(ASKED)), _route(GOOD), SurveyOptions(), ctx)
    assert ((), set(GOOD[1])) == (found.retrieved, set(found.documents))
    assert any("Good could not be searched (limit of 0 retrieves" in line for line in degraded(ctx))


def test_a_filter_that_the_server_ignored_is_said() -> None:
    wanted = MetadataFilter((Condition("year", "=", 1),))
    ctx = metered(FakeKnowledge(GOOD, drops_filter=True))
    question = Question(ASKED, metadata_filter=wanted)
    survey(question, understand(question), _route(GOOD), SurveyOptions(), ctx)
    assert ("the server ignored the metadata filter; it was applied here instead",) == degraded(ctx)


def test_no_more_is_asked_than_was_granted() -> None:
    knowledge = FakeKnowledge(GOOD)
    ctx = metered(knowledge, limits=Limits(knowledge_calls=2))
    survey(Question(ASKED), understand(Question(ASKED)), _route(GOOD), SurveyOptions(), ctx)
    assert 2 == len(knowledge.calls)


def test_a_survey_that_may_ask_nothing_raises_the_limit() -> None:
    ctx = metered(FakeKnowledge(GOOD), limits=Limits(knowledge_calls=0))
    with pytest.raises(LimitReached):
        survey(Question(ASKED), understand(Question(ASKED)), _route(GOOD), SurveyOptions(), ctx)


PINNED = "0a1b2c3d-0000-4000-8000-00000000beef"


def _numbered() -> Holding:
    """650 documents whose ids are Dify's; the pinned one stands on the sixth page."""
    dataset, held = holding("Large", LARGE)
    ids = [f"0a1b2c3d-0000-4000-8000-{number:012d}" for number in range(650)]
    ids[555] = PINNED
    return dataset, {
        replace(document, document_id=ids[number]): segments
        for number, (document, segments) in enumerate(held.items())
    }


def test_a_document_pinned_by_id_is_found_in_a_large_dataset_and_its_list_kept() -> None:
    knowledge = FakeKnowledge(_numbered())
    ctx = metered(knowledge)
    question = Question("What does it say?", documents=(PINNED,))
    route = Route((RankedDataset(knowledge.listed[0], 1.0),))
    found = survey(question, understand(question), route, SurveyOptions(), ctx)
    assert "Note 555.txt" in {document.name for document in found.documents if document.document_id == PINNED}
    assert 7 == len(knowledge.asked("documents"))
    assert [""] == sorted({str(call[3]) for call in knowledge.asked("documents")})
    knowledge.calls.clear()
    again = metered(knowledge, cache=ctx.cache)
    assert PINNED in {
        document.document_id
        for document in survey(question, understand(question), route, SurveyOptions(), again).documents
    }
    assert [] == knowledge.asked("documents")


def test_pages_are_turned_for_a_pinned_id_up_to_a_bound() -> None:
    knowledge = FakeKnowledge(_numbered())
    ctx = replace(metered(knowledge), reading=ReadPolicy(pinned_pages=3))
    question = Question("What does it say?", documents=(PINNED,))
    route = Route((RankedDataset(knowledge.listed[0], 1.0),))
    found = survey(question, understand(question), route, SurveyOptions(), ctx)
    assert PINNED not in {document.document_id for document in found.documents}
    assert {1, 2, 3} == {call[2] for call in knowledge.asked("documents") if not call[3]}


def test_pages_that_cannot_be_turned_cost_a_line() -> None:
    knowledge = FakeKnowledge(
        _numbered(), failing={("documents", "set Large", 4): KnowledgeUnavailable("down")}
    )
    ctx = metered(knowledge)
    question = Question("What does it say?", documents=(PINNED,))
    route = Route((RankedDataset(knowledge.listed[0], 1.0),))
    survey(question, understand(question), route, SurveyOptions(), ctx)
    assert "discover: not all documents of Large were listed (down)" in degraded(ctx)
