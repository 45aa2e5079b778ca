"""Where the server fails in the middle of a question: what was not searched or read is said, and nothing is proven."""

import pytest

from evidence.discover.documents import DiscoverOptions
from evidence.errors import EvidenceError, KnowledgeUnavailable
from evidence.limits import CallBudget
from evidence.model import Outcome
from tests.fakes import Call, FakeKnowledge, holding
from tests.pipeline_samples import ONE_AT_A_TIME, ask, quotes

DOWN = KnowledgeUnavailable("down")
WOODS = "Ash Beech Cherry Dogwood Elder Fir Gorse Hazel".split()
LEASES = holding(
    "Leases",
    {
        f"{wood} Lease.md": [f"Lease of the {wood.lower()} house.", f"The rent is {at} coins a month."]
        for at, wood in enumerate(WOODS, 10)
    },
)
RULES = holding("Rules", {"Staff.md": ["Rules for everybody.", "Lunch is at noon in the hall."]})
NOWHERE = "What colour is the boat?"
DIED = [("segments", f"Leases/{wood} Lease.md") for wood in WOODS[2:]]


def _asked(text: str, *failing: Call, held: int = 2, **changes: object) -> tuple[Outcome, tuple[str, ...]]:
    errors: dict[Call, EvidenceError] = dict.fromkeys(failing, DOWN)
    knowledge = FakeKnowledge(*(LEASES, RULES)[:held], failing=errors)
    outcome, left_out, _ = ask(text, knowledge=knowledge, **changes)
    return outcome, left_out


def test_six_of_eight_documents_that_could_not_be_read_are_no_proof_that_nothing_is_there() -> None:
    outcome, left_out = _asked(NOWHERE, *DIED, held=1, budget=CallBudget(few_reads=13))
    assert outcome.answer is not None
    assert ("partial", "knowledge_unavailable") == (outcome.answer.status, outcome.answer.reason)
    assert "6 of 8 documents could not be read" in outcome.answer.text
    assert "Searched 4 of 4 segments of 2 documents." in outcome.answer.text
    assert (6, 12) == (outcome.pool.searched.partly, outcome.pool.searched.pieces)
    assert 6 == sum("was left out (down)" in line for line in left_out)


def test_what_is_listed_of_some_documents_alone_is_partial_and_says_of_how_many() -> None:
    outcome, _ = _asked("List every rent.", *DIED, ("retrieve",), held=1)
    assert outcome.answer is not None
    assert ("partial", "knowledge_unavailable") == (outcome.answer.status, outcome.answer.reason)
    assert 2 == len(quotes(outcome))
    assert "6 of 8 documents could not be read" in outcome.answer.text
    assert "Searched 4 of 4 segments of 2 documents." in outcome.answer.text


def test_where_the_named_document_was_read_it_is_no_loss_that_others_could_not_be() -> None:
    outcome, _ = _asked("In the Ash Lease, what is the rent?", *DIED)
    assert outcome.answer is not None
    assert ("answered", ["The rent is 10 coins a month."]) == (outcome.answer.status, quotes(outcome))


@pytest.mark.parametrize("call", [("documents", "set Rules"), ("retrieve", "set Rules")])
def test_a_dataset_that_fails_in_the_middle_is_said_by_its_name(call: Call) -> None:
    segments: Call = ("segments", "Rules/Staff.md")
    outcome, left_out = _asked(NOWHERE, call, segments)
    assert outcome.answer is not None
    assert ("partial", "knowledge_unavailable") == (outcome.answer.status, outcome.answer.reason)
    assert "Not searched to the end: Rules." in outcome.answer.text
    assert any(line.startswith("discover: Rules could not be ") for line in left_out)


def test_a_dataset_that_gave_nothing_is_not_among_those_that_were_searched() -> None:
    outcome, _ = _asked(NOWHERE, ("documents", "set Rules"), ("retrieve", "set Rules"))
    assert ("Leases",) == outcome.pool.searched.datasets
    assert ["Leases", "Rules"] == sorted(entry.dataset.name for entry in outcome.route.datasets)


def test_a_ranking_that_fails_is_no_loss_where_the_dataset_was_read_whole() -> None:
    outcome, left_out, _ = ask(NOWHERE, knowledge=FakeKnowledge(RULES, failing={("retrieve",): DOWN}))
    assert outcome.answer is not None
    assert ("not_found", "no_document_fits") == (outcome.answer.status, outcome.answer.reason)
    assert ("Rules",) == outcome.pool.searched.datasets
    assert ("discover: Rules could not be searched (down)",) == left_out


def test_a_ranking_that_fails_is_a_loss_where_some_documents_were_not_read() -> None:
    outcome, _ = _asked(NOWHERE, ("retrieve",), held=1, discover=DiscoverOptions(reads=2))
    assert outcome.answer is not None
    assert ("partial", "knowledge_unavailable") == (outcome.answer.status, outcome.answer.reason)
    assert "Not searched to the end: Leases." in outcome.answer.text


def test_a_page_of_a_catalogue_that_fails_leaves_the_names_on_it_unknown() -> None:
    large = holding("Large", {f"Note {number:03}.txt": [f"Note {number}."] for number in range(150)})
    knowledge = FakeKnowledge(large, RULES, failing={("documents", "set Large", 2): DOWN})
    outcome, left_out, _ = ask("In the Zanzibar Charter, what is the rent?", knowledge=knowledge)
    assert outcome.answer is not None
    assert ("partial", "knowledge_unavailable") == (outcome.answer.status, outcome.answer.reason)
    assert "Not searched to the end: Large." in outcome.answer.text
    assert "discover: Large could not be listed (down)" in left_out


def test_names_of_a_large_dataset_that_cannot_be_asked_for_leave_a_named_document_unproven() -> None:
    large = holding("Large", {f"Note {number:03}.txt": [f"Note {number}."] for number in range(650)})
    failing: dict[Call, EvidenceError] = {("documents", "set Large", 1, "Zanzibar"): DOWN}
    outcome, left_out, _ = ask(
        "In the Zanzibar Charter, what is the rent?", knowledge=FakeKnowledge(large, failing=failing)
    )
    assert outcome.answer is not None
    assert ("partial", "knowledge_unavailable") == (outcome.answer.status, outcome.answer.reason)
    assert "discover: a search by name in Large failed (down)" in left_out


def test_every_failure_at_once_is_an_error_and_no_answer() -> None:
    with pytest.raises(KnowledgeUnavailable):
        _asked(NOWHERE, ("segments",), ("retrieve",))


def test_where_all_was_read_that_nothing_was_found_is_said_as_before() -> None:
    outcome, left_out = _asked(NOWHERE)
    assert outcome.answer is not None
    assert ("not_found", "no_evidence", ()) == (outcome.answer.status, outcome.answer.reason, left_out)


def test_datasets_that_a_wider_route_searched_in_vain_are_said_too() -> None:
    outcome, _ = _asked(NOWHERE, route=ONE_AT_A_TIME)
    assert outcome.answer is not None
    assert {"Leases", "Rules"} == set(outcome.pool.searched.datasets)
    assert "Staff.md" in outcome.pool.searched.documents
    assert "Searched 8 of 8 segments of 4 documents." in outcome.answer.text


def test_where_no_dataset_can_be_searched_nothing_is_said_to_have_been() -> None:
    outside = holding("Outside", {"x": []}, provider="external")
    outcome, left_out, spent = ask(NOWHERE, knowledge=FakeKnowledge(outside))
    assert outcome.answer is not None
    assert "There is no dataset that could be searched." == outcome.answer.text
    assert (
        "route: Outside: an external knowledge base, which cannot be read through Dify's API",
    ) == left_out
    assert 1 == spent["knowledge_calls"]


def test_a_long_document_that_was_not_searched_to_its_end_proves_nothing_by_its_beginning() -> None:
    entries = [f"Entry {number} of the logbook." for number in range(1_300)]
    logs = holding("Logs", {"Logbook.txt": entries})
    failing: dict[Call, EvidenceError] = {("segments", "Logs/Logbook.txt", 1, "rudder"): DOWN}
    question = "In the logbook, who paid for the rudder?"
    outcome, left_out, _ = ask(question, knowledge=FakeKnowledge(logs, failing=failing))
    assert outcome.answer is not None
    assert ("partial", "knowledge_unavailable") == (outcome.answer.status, outcome.answer.reason)
    assert "Not searched to the end: Logbook.txt." in outcome.answer.text
    assert "search: Logbook.txt was not searched to its end (down)" in left_out
