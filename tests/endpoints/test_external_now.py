"""External Knowledge gives what stands in the documents now, and says of the rest that it was not read again."""

from collections.abc import Iterator

import pytest
from endpoint_samples import DIFY_KEY, QUESTION, Endpoints, body_of

from standalone.knowledge import Collection, Corpus, KnowledgeServer, SourceDocument, SourceSegment
from standalone.knowledge.server import Fault

CRANES = SourceDocument(
    "Crane rules.txt",
    segments=(
        SourceSegment("The harbour crane is inspected every ninety days by the port engineer."),
        *(SourceSegment(f"Rope number {number} is coiled by hand every evening.") for number in range(20)),
    ),
)


@pytest.fixture
def asked(endpoints: Endpoints) -> Iterator[Endpoints]:
    """A server of its own, of which the process has read everything."""
    corpus = Corpus((Collection("harbour", (CRANES,)),))
    with KnowledgeServer(corpus, "1.13.3", api_key=DIFY_KEY) as server:
        asked = Endpoints(endpoints.process, server)
        asked.records(body_of("Which ropes are coiled by hand?"))
        assert "every ninety days" in asked.records(body_of())[0]["content"]
        yield asked


@pytest.mark.parametrize("query", [QUESTION, "How often is the crane of the harbour inspected?"])
def test_an_edited_clause_is_given_with_its_new_text_to_who_asks_the_same_again_and_to_who_asks_otherwise(
    asked: Endpoints, query: str
) -> None:
    stored = asked.server.owner.segments()
    clause = next(key for key, content in stored.items() if "every ninety days" in content)
    edited = "The harbour crane is inspected every twenty days by the port engineer."
    asked.server.owner.edit_segment(clause, edited)
    records = asked.records(body_of(query))
    assert edited == records[0]["content"]
    assert not [each for each in records if "every ninety days" in each["content"]]
    assert {"verified"} == {each["metadata"]["freshness"] for each in records}
    assert all(each["metadata"]["read_at"] for each in records)


def test_a_disabled_document_gives_no_record(asked: Endpoints) -> None:
    asked.server.owner.enable(asked.server.document_id("harbour", "Crane rules.txt"), enabled=False)
    assert [] == asked.records(body_of())


def test_what_could_not_be_read_again_and_what_stands_behind_the_tenth_record_says_so(
    asked: Endpoints,
) -> None:
    asked.server.clear_requests()
    records = asked.records(body_of("Which rope is coiled by hand every evening?", top_k=20))
    assert ["not_reread"] * 10 == [each["metadata"]["freshness"] for each in records[10:20]]
    assert 10 >= sum("/segments/" in each.path for each in asked.server.requests)
    asked.server.faults = lambda _, path: Fault(500) if "/segments/" in path else None
    records = asked.records(body_of("Is a rope coiled by hand in the evening?"))
    asked.server.faults = None
    assert "not_reread" in {each["metadata"]["freshness"] for each in records}
