"""What every Knowledge must do, run against all profiles of the embedded server."""

from collections.abc import Iterator

import pytest

from evidence.errors import (
    DatasetNotFound,
    InvalidRequest,
    KnowledgeError,
    KnowledgeUnavailable,
    Misconfigured,
)
from evidence.http.client import Client
from evidence.knowledge.dify.datasets import DifyDatasets
from evidence.knowledge.port import Knowledge
from evidence.limits import Deadline
from evidence.model import Condition, Dataset, Document, MetadataFilter, Query, Retrieved
from evidence.model.metadata_filter import Value
from standalone.knowledge import Collection, Corpus, KnowledgeServer, SourceDocument, SourceSegment
from standalone.knowledge.profiles import ProfileName
from standalone.knowledge.server import Fault

DOCUMENTS = (
    SourceDocument(
        "Ferry timetable.txt",
        "The ferry leaves at nine.\n\nThe last ferry leaves at midnight.",
        {"kind": "timetable", "year": 2020},
    ),
    SourceDocument(
        "Harbour rules.txt",
        "A ferry waits for the harbour master.\n\nDogs stay on a lead.",
        {"kind": "rules", "year": 2024},
    ),
    SourceDocument("Old timetable.txt", "The ferry left at eight.", {"kind": "timetable"}, archived=True),
    SourceDocument("Draft.txt", "The ferry may leave at ten.", enabled=False),
)
LONG = SourceDocument(
    "Logbook.txt", segments=tuple(SourceSegment(f"Entry {n} of the log.") for n in range(130))
)
FAQ = SourceDocument("faq.csv", segments=(SourceSegment("When does the ferry leave?", answer="At nine."),))
FAMILY = SourceDocument(
    "Guide.txt",
    segments=(
        SourceSegment(
            "The ferry is blue. The ferry is fast.", children=("The ferry is blue.", "The ferry is fast.")
        ),
    ),
)
CORPUS = Corpus(
    (
        Collection("harbour", DOCUMENTS, segment_characters=50),
        Collection("harbour cheap", DOCUMENTS, "economy", segment_characters=50),
        Collection("plain", DOCUMENTS, built_in_fields=False, segment_characters=50),
        Collection("log", (LONG,), "economy"),
        Collection("faq", (FAQ,), doc_form="qa_model"),
        Collection("guide", (FAMILY,), doc_form="hierarchical_model"),
        Collection(
            "many", tuple(SourceDocument(f"Note {n}.txt", f"Note {n}.") for n in range(120)), "economy"
        ),
        Collection("elsewhere", (), provider="external"),
    )
)
TECHNIQUES = ("harbour", "harbour cheap")


def only(name: str, operator: str, value: Value) -> MetadataFilter:
    return MetadataFilter((Condition(name, operator, value),))


@pytest.fixture(scope="module", params=["1.10.1", "1.13.3", "1.18"])
def server(request: pytest.FixtureRequest) -> Iterator[KnowledgeServer]:
    profile: ProfileName = request.param
    with KnowledgeServer(CORPUS, profile) as running:
        yield running


@pytest.fixture
def knowledge(server: KnowledgeServer) -> Iterator[Knowledge]:
    server.clear_requests()
    with Client(server.base_url, server.api_key) as client:
        yield DifyDatasets(client)


def dataset(knowledge: Knowledge, name: str) -> Dataset:
    return next(each for each in knowledge.datasets(1).items if each.name == name)


def document(knowledge: Knowledge, dataset_name: str, name: str) -> Document:
    page = knowledge.documents(dataset(knowledge, dataset_name), 1)
    return next(each for each in page.items if each.name == name)


def names(found: Retrieved) -> set[str]:
    return {passage.segment.document.name for passage in found.passages}


def test_datasets_tell_their_kind(knowledge: Knowledge) -> None:
    page = knowledge.datasets(1)
    assert page.total == 8
    kinds = {each.name: (each.technique, each.provider) for each in page.items}
    assert kinds["harbour"] == ("high_quality", "vendor")
    assert kinds["harbour cheap"] == ("economy", "vendor")
    assert kinds["elsewhere"][1] == "external"
    assert all(each.version for each in page.items)


def test_a_dataset_is_had_by_its_id_as_the_list_shows_it(knowledge: Knowledge) -> None:
    for listed in knowledge.datasets(1).items:
        assert listed == knowledge.dataset(listed.dataset_id)
    with pytest.raises(DatasetNotFound):
        knowledge.dataset("00000000-0000-0000-0000-000000000000")


def test_a_page_past_the_end_is_empty_and_knows_the_total(knowledge: Knowledge) -> None:
    page = knowledge.datasets(2)
    assert (page.items, page.total) == ((), 8)


def test_documents_tell_whether_they_are_usable(knowledge: Knowledge) -> None:
    page = knowledge.documents(dataset(knowledge, "harbour"), 1)
    assert {each.name: each.usable for each in page.items} == {
        "Ferry timetable.txt": True,
        "Harbour rules.txt": True,
        "Old timetable.txt": False,
        "Draft.txt": False,
    }
    rules = next(each for each in page.items if each.name == "Harbour rules.txt")
    assert (rules.metadata["kind"], rules.metadata["year"], rules.dataset_name) == ("rules", 2024, "harbour")


def test_a_document_is_had_by_its_id_as_the_list_shows_it(knowledge: Knowledge) -> None:
    harbour = dataset(knowledge, "harbour")
    for listed in knowledge.documents(harbour, 1).items:
        document = knowledge.document(harbour, listed.document_id)
        assert document == listed
        assert document is not None
        assert (listed.usable, listed.created_at) == (document.usable, document.created_at)
        assert document.read_at >= listed.read_at > 0
    assert knowledge.document(harbour, "00000000-0000-0000-0000-000000000000") is None
    stranger = knowledge.documents(dataset(knowledge, "log"), 1).items[0]
    assert knowledge.document(harbour, stranger.document_id) is None


def test_documents_are_found_by_a_part_of_the_name(knowledge: Knowledge) -> None:
    page = knowledge.documents(dataset(knowledge, "harbour"), 1, "rules")
    assert ["Harbour rules.txt"] == [each.name for each in page.items]


def test_documents_are_paged_by_a_hundred(knowledge: Knowledge) -> None:
    many = dataset(knowledge, "many")
    pages = [knowledge.documents(many, number) for number in (1, 2)]
    assert [(len(page.items), page.total) for page in pages] == [(100, 120), (20, 120)]
    assert len({each.document_id for page in pages for each in page.items}) == 120


def test_a_document_is_the_same_and_as_new_when_nothing_changed(knowledge: Knowledge) -> None:
    first = document(knowledge, "harbour", "Harbour rules.txt")
    knowledge.retrieve(dataset(knowledge, "harbour"), Query("harbour master"), 3)
    again = document(knowledge, "harbour", "Harbour rules.txt")
    assert first == again
    assert first.version == again.version != ""


def test_segments_come_in_reading_order_by_pages_of_a_hundred(knowledge: Knowledge) -> None:
    log = document(knowledge, "log", "Logbook.txt")
    pages = [knowledge.segments(log, number) for number in (1, 2, 3)]
    assert [130, 130, 130] == [page.total for page in pages]
    assert [f"Entry {n} of the log." for n in range(130)] == [
        each.text for page in pages for each in page.items
    ]


def test_segments_are_found_by_a_keyword(knowledge: Knowledge) -> None:
    log = document(knowledge, "log", "Logbook.txt")
    assert ["Entry 77 of the log."] == [each.text for each in knowledge.segments(log, 1, "entry 77").items]


def test_the_answer_is_the_text_of_a_question_and_answer_segment(knowledge: Knowledge) -> None:
    listed = knowledge.segments(document(knowledge, "faq", "faq.csv"), 1).items[0]
    found = knowledge.retrieve(dataset(knowledge, "faq"), Query("When does the ferry leave?"), 1)
    for segment in (listed, found.passages[0].segment):
        assert (segment.text, segment.question) == ("At nine.", "When does the ferry leave?")


def test_the_parent_is_the_text_of_a_parent_child_segment_and_comes_once(knowledge: Knowledge) -> None:
    found = knowledge.retrieve(dataset(knowledge, "guide"), Query("ferry blue fast"), 5)
    assert ["The ferry is blue. The ferry is fast."] == [each.segment.text for each in found.passages]


@pytest.mark.parametrize("name", TECHNIQUES)
def test_passages_are_ranked_segments_of_usable_documents(knowledge: Knowledge, name: str) -> None:
    found = knowledge.retrieve(dataset(knowledge, name), Query("When does the ferry leave?"), 3)
    assert list(range(1, len(found.passages) + 1)) == [each.rank for each in found.passages]
    assert names(found) <= {"Ferry timetable.txt", "Harbour rules.txt"}
    assert "Ferry timetable.txt" in names(found)
    assert found.filtered
    assert {found.signal} == {why.signal for each in found.passages for why in each.why}


@pytest.mark.parametrize("name", TECHNIQUES)
def test_a_found_segment_equals_the_listed_one(knowledge: Knowledge, name: str) -> None:
    found = knowledge.retrieve(dataset(knowledge, name), Query("harbour master"), 1).passages[0].segment
    listed = knowledge.segments(document(knowledge, name, "Harbour rules.txt"), 1).items
    assert found in listed
    assert {found.content_hash} == {each.content_hash for each in listed if each == found}


@pytest.mark.parametrize("name", TECHNIQUES)
def test_top_k_is_never_exceeded(knowledge: Knowledge, name: str) -> None:
    found = knowledge.retrieve(dataset(knowledge, name), Query("ferry"), 2)
    assert 1 <= len(found.passages) <= 2


@pytest.mark.parametrize("name", [*TECHNIQUES, "plain"])
@pytest.mark.parametrize(
    "wanted",
    [
        only("document_name", "is", "Harbour rules.txt"),
        only("document_name", "in", ("Harbour rules.txt", "Other.txt")),
        only("document_name", "contains", "rules"),
        only("document_name", "not contains", "timetable"),
        only("kind", "is", "rules"),
        only("kind", "is not", "timetable"),
        only("kind", "not in", ("timetable",)),
        only("year", "≥", 2021),
        only("year", "=", 2024),
    ],
)
def test_no_passage_passes_that_the_filter_excludes(
    knowledge: Knowledge, name: str, wanted: MetadataFilter
) -> None:
    for _ in range(2):  # a server that drops filters is asked in another way the second time
        found = knowledge.retrieve(dataset(knowledge, name), Query("ferry harbour"), 2, wanted)
        assert names(found) == {"Harbour rules.txt"}


def test_a_dropped_filter_is_said(server: KnowledgeServer, knowledge: Knowledge) -> None:
    wanted = only("kind", "is", "rules")
    found = knowledge.retrieve(dataset(knowledge, "harbour"), Query("ferry"), 5, wanted)
    assert found.filtered is (server.profile != "1.13.3")


@pytest.mark.parametrize("wanted", [only("kind", ">", 3), only("kind", "is", "nothing of that kind")])
def test_a_filter_that_breaks_the_server_is_answered_when_asked_again(
    knowledge: Knowledge, wanted: MetadataFilter
) -> None:
    """1.10.1 answers 500 to the first, 1.18 to the second too; the second attempt leaves the filter to us."""
    place = dataset(knowledge, "harbour")
    try:
        found = knowledge.retrieve(place, Query("ferry"), 3, wanted)
    except KnowledgeUnavailable:
        found = knowledge.retrieve(place, Query("ferry"), 3, wanted)
    assert found.passages == ()


@pytest.mark.parametrize("name", TECHNIQUES)
@pytest.mark.parametrize(
    "text",
    [
        "ferry " * 200,
        'the "ferry" of the "harbour"',
        "ferry\x00harbour",
        "ferry \ud800",
        "渡轮" * 200,
        "f" * 20_000,
        "%_\\ ferry",
    ],
)
def test_any_query_is_taken(knowledge: Knowledge, name: str, text: str) -> None:
    found = knowledge.retrieve(dataset(knowledge, name), Query(text), 3)
    assert found.query == Query(text)


@pytest.mark.parametrize(("text", "top_k"), [("", 3), ("  \n", 3), ("\x00", 3), ("ferry", 0), ("ferry", -1)])
def test_a_request_that_means_nothing_is_refused(knowledge: Knowledge, text: str, top_k: int) -> None:
    with pytest.raises(InvalidRequest):
        knowledge.retrieve(dataset(knowledge, "harbour"), Query(text), top_k)


def test_an_external_dataset_is_never_asked(server: KnowledgeServer, knowledge: Knowledge) -> None:
    elsewhere = dataset(knowledge, "elsewhere")
    server.clear_requests()
    with pytest.raises(KnowledgeError, match="external"):
        knowledge.retrieve(elsewhere, Query("ferry"), 3)
    with pytest.raises(KnowledgeError, match="external"):
        knowledge.documents(elsewhere, 1)
    assert server.requests == ()


@pytest.mark.parametrize("unknown", ["00000000-0000-0000-0000-000000000000", "not-a-uuid", "../x", "a/b", ""])
def test_an_unknown_id_is_not_found(knowledge: Knowledge, unknown: str) -> None:
    with pytest.raises(DatasetNotFound):
        knowledge.documents(Dataset(unknown, "x"), 1)
    with pytest.raises(DatasetNotFound):
        knowledge.retrieve(Dataset(unknown, "x"), Query("ferry"), 3)
    with pytest.raises(DatasetNotFound):
        knowledge.segments(Document(unknown, unknown, "x"), 1)


def test_every_call_is_one_request_that_only_reads(server: KnowledgeServer, knowledge: Knowledge) -> None:
    harbour = dataset(knowledge, "harbour")
    rules = knowledge.documents(harbour, 1).items[0]
    knowledge.segments(rules, 1)
    knowledge.retrieve(harbour, Query("ferry"), 3, only("kind", "is", "rules"))
    asked = [(each.method, each.path.rsplit("/", 1)[-1]) for each in server.requests]
    assert asked == [("GET", "datasets"), ("GET", "documents"), ("GET", "segments"), ("POST", "retrieve")]


def test_a_wrong_key_is_misconfigured(server: KnowledgeServer) -> None:
    with Client(server.base_url, "dataset-other") as client, pytest.raises(Misconfigured, match="key"):
        DifyDatasets(client).datasets(1)


def test_a_workspace_without_a_model_provider_is_misconfigured(server: KnowledgeServer) -> None:
    with KnowledgeServer(CORPUS, server.profile, no_model_provider=True) as bare:
        client = Client(bare.base_url, bare.api_key)
        with client, pytest.raises(Misconfigured, match="no working model provider"):
            DifyDatasets(client).datasets(1)


def test_the_probe_counts_the_datasets_by_one_request(server: KnowledgeServer) -> None:
    server.clear_requests()
    with Client(server.base_url, server.api_key) as client:
        assert DifyDatasets(client).probe() == 8
    assert [("GET", "/v1/datasets", "page=1&limit=1")] == [
        (each.method, each.path, each.query) for each in server.requests
    ]


@pytest.mark.parametrize("status", [0, 500, 502, 503])
def test_a_failing_server_is_unavailable_and_not_asked_twice(server: KnowledgeServer, status: int) -> None:
    server.clear_requests()
    server.faults = lambda method, path: Fault(status, b"<html>SELECT * FROM segments</html>")
    try:
        client = Client(server.base_url, server.api_key)
        with client, pytest.raises(KnowledgeUnavailable) as raised:
            DifyDatasets(client).datasets(1)
    finally:
        server.faults = None
    assert "SELECT" not in str(raised.value)
    assert len(server.requests) == 1


def test_a_slow_server_is_given_up_in_time(server: KnowledgeServer) -> None:
    server.faults = lambda method, path: Fault(200, b"{}", delay=1.0)
    try:
        client = Client(server.base_url, server.api_key, timeout=0.2)
        with client, pytest.raises(KnowledgeUnavailable, match=r"did not answer within 0\.2 s"):
            DifyDatasets(client).datasets(1)
    finally:
        server.faults = None


def test_knowledge_bound_to_a_run_answers_as_before(server: KnowledgeServer) -> None:
    with Client(server.base_url, server.api_key) as client:
        knowledge = DifyDatasets(client)
        assert knowledge.datasets(1) == DifyDatasets(client.until(Deadline(5))).datasets(1)


def test_a_wrong_address_is_misconfigured(server: KnowledgeServer) -> None:
    client = Client(f"{server.base_url}/wrong", server.api_key)
    with client, pytest.raises(Misconfigured, match="/v1"):
        DifyDatasets(client).datasets(1)
