"""What agent knowledge bases must do behind the port: a contract of the fake and the real adapter, and its own ways."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.errors import (
    DatasetNotFound,
    InvalidRequest,
    KnowledgeError,
    KnowledgeUnavailable,
    LimitReached,
    ListingRefused,
    RateLimited,
)
from evidence.http.client import Client
from evidence.http.failures import NotPublished
from evidence.knowledge.agent.bases import AgentKnowledge
from evidence.knowledge.agent.shapes import ChunkShape, in_reading_order
from evidence.knowledge.port import Knowledge
from evidence.model import Condition, Dataset, Document, MetadataFilter, Query, Segment
from standalone.knowledge import Collection, Corpus, Fault, KnowledgeServer, SourceDocument, SourceSegment
from standalone.knowledge.agent.api import State
from standalone.knowledge.agent.errors import agent_refusal
from tests.fakes import FakeKnowledge, holding

TEXTS = {
    "Ferry timetable.txt": ("The ferry leaves at nine.", "The last ferry leaves at midnight."),
    "Harbour rules.txt": ("A ferry waits for the harbour master.", "Dogs stay on a lead."),
}
KINDS = {"Ferry timetable.txt": {"kind": "timetable"}, "Harbour rules.txt": {"kind": "rules"}}
QUERY = Query("When does the ferry leave?")
RULES = MetadataFilter((Condition("kind", "is", "rules"),))


def documents(*more: SourceDocument) -> tuple[SourceDocument, ...]:
    made = (
        SourceDocument(name, metadata=KINDS[name], segments=tuple(map(SourceSegment, texts)))
        for name, texts in TEXTS.items()
    )
    return (*made, *more)


def serving(*more: SourceDocument) -> KnowledgeServer:
    return KnowledgeServer(Corpus((Collection("harbour", documents(*more)),)), "1.18")


@pytest.fixture
def server() -> Iterator[KnowledgeServer]:
    with serving(SourceDocument("Draft.txt", "The ferry may leave at ten.", enabled=False)) as running:
        yield running


CLIENTS: list[Client] = []


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    """Every client that a test made ends with it."""
    yield
    while CLIENTS:
        CLIENTS.pop().close()


def client_of(server: KnowledgeServer) -> Client:
    CLIENTS.append(Client(server.base_url, server.api_key, "agents"))
    return CLIENTS[-1]


def asking(server: KnowledgeServer, turning: Callable[[], object] = lambda: None) -> AgentKnowledge:
    bases = {f"agent:{base_id}": name for name, base_id in server.agent_bases.items()}
    return AgentKnowledge(client_of(server), bases, turning=turning)


def only(knowledge: AgentKnowledge) -> Dataset:
    return knowledge.dataset(next(iter(knowledge.bases)))


def paths(server: KnowledgeServer) -> list[str]:
    return [each.path.partition("/spaces/")[2].partition("/")[2] or each.path for each in server.requests]


# --- the contract, of the fake and of the real one --------------------------------------------------------


@pytest.fixture(params=["fake", "real"])
def either(request: pytest.FixtureRequest) -> Iterator[tuple[Knowledge, str]]:
    if request.param == "fake":
        dataset, held = holding("harbour", TEXTS, metadata=KINDS, technique="high_quality")
        yield FakeKnowledge((dataset, held)), dataset.dataset_id
        return
    with serving() as running:
        knowledge = asking(running)
        yield knowledge, next(iter(knowledge.bases))


def test_a_base_is_had_by_its_id_with_its_name_and_what_it_holds(either: tuple[Knowledge, str]) -> None:
    knowledge, base_id = either
    base = knowledge.dataset(base_id)
    assert ("harbour", 2, "high_quality") == (base.name, base.document_count, base.technique)
    with pytest.raises(DatasetNotFound):
        knowledge.dataset("agent:00000000-0000-0000-0000-000000000000")


def test_documents_and_their_pieces_come_in_reading_order(either: tuple[Knowledge, str]) -> None:
    knowledge, base_id = either
    page = knowledge.documents(knowledge.dataset(base_id), 1)
    assert (list(TEXTS), 2) == ([each.name for each in page.items], page.total)
    for document in page.items:
        pieces = knowledge.segments(document, 1)
        assert (TEXTS[document.name], 2) == (tuple(each.text for each in pieces.items), pieces.total)
        assert [1, 2] == [each.position for each in pieces.items]
        assert knowledge.segments(document, 2).items == ()


def test_one_document_and_one_piece_are_had_as_they_are_listed(either: tuple[Knowledge, str]) -> None:
    knowledge, base_id = either
    base = knowledge.dataset(base_id)
    for document in knowledge.documents(base, 1).items:
        assert document == knowledge.document(base, document.document_id)
        for piece in knowledge.segments(document, 1).items:
            again = knowledge.segment(document, piece.segment_id)
            assert piece == again
            assert again is not None
            assert again.read_at >= piece.read_at > 0
        assert knowledge.segment(document, "nothing") is None
    assert knowledge.document(base, "nothing") is None


def test_documents_are_found_by_name_and_pieces_by_a_word(either: tuple[Knowledge, str]) -> None:
    knowledge, base_id = either
    base = knowledge.dataset(base_id)
    assert ["Harbour rules.txt"] == [each.name for each in knowledge.documents(base, 1, "rules").items]
    rules = knowledge.documents(base, 1, "rules").items[0]
    assert ["Dogs stay on a lead."] == [each.text for each in knowledge.segments(rules, 1, "dogs").items]


def test_passages_are_ranked_pieces_and_minded_by_the_filter(either: tuple[Knowledge, str]) -> None:
    knowledge, base_id = either
    base = knowledge.dataset(base_id)
    found = knowledge.retrieve(base, QUERY, 2)
    assert [1, 2] == [passage.rank for passage in found.passages]
    rules = knowledge.retrieve(base, QUERY, 5, RULES).passages
    assert {"Harbour rules.txt"} == {passage.segment.document.name for passage in rules}
    listed = [s for d in knowledge.documents(base, 1).items for s in knowledge.segments(d, 1).items]
    assert {passage.segment for passage in (*found.passages, *rules)} <= set(listed)


# --- its own ways -----------------------------------------------------------------------------------------


def test_a_key_cannot_list_them_and_no_other_base_is_ever_asked(server: KnowledgeServer) -> None:
    knowledge = asking(server)
    with pytest.raises(ListingRefused) as refused:
        knowledge.datasets(1)
    assert tuple(knowledge.bases) == refused.value.dataset_ids
    other = Dataset("agent:00000000-0000-0000-0000-000000000000", "other")
    for ask in (
        lambda: knowledge.documents(other, 1),
        lambda: knowledge.retrieve(other, QUERY, 3),
        lambda: knowledge.segments(Document(other.dataset_id, "d", "d"), 1),
        lambda: knowledge.segment(Document(next(iter(knowledge.bases)), "../x", "d", revision=1), "x"),
    ):
        with pytest.raises(DatasetNotFound):
            ask()
    assert () == server.requests


def test_a_disabled_document_is_listed_as_unusable_and_never_found(server: KnowledgeServer) -> None:
    knowledge = asking(server)
    usable = {each.name: each.usable for each in knowledge.documents(only(knowledge), 1).items}
    assert dict.fromkeys(TEXTS, True) | {"Draft.txt": False} == usable
    found = knowledge.retrieve(only(knowledge), Query("ferry ten"), 9)
    assert "Draft.txt" not in {passage.segment.document.name for passage in found.passages}


def test_a_query_is_one_admission_and_one_stream_and_pieces_that_are_known_cost_nothing(
    server: KnowledgeServer,
) -> None:
    turned: list[int] = []
    knowledge = asking(server, lambda: turned.append(1))
    base = only(knowledge)
    cold = knowledge.retrieve(base, QUERY, 9)
    for document in knowledge.documents(base, 1).items:
        knowledge.segments(document, 1)
    server.clear_requests()
    turned.clear()
    warm = knowledge.retrieve(base, QUERY, 9)
    assert ["queries/admission", "/v1/knowledge-fs/query-stream"] == paths(server)
    assert {"query": QUERY.text, "mode": "fast"} == server.requests[0].body
    assert len(turned) == 1
    assert [each.segment for each in cold.passages] == [each.segment for each in warm.passages]
    assert {"depth", "evidence_state", "publication"} == warm.facts.keys()


def test_deep_is_asked_only_where_it_is_allowed(server: KnowledgeServer) -> None:
    knowledge = replace(asking(server), depth="deep")
    assert knowledge.retrieve(only(knowledge), QUERY, 3).facts["depth"] == "deep"
    assert "deep" in {each.body.get("mode") for each in server.requests if each.body}


@pytest.mark.parametrize("read", [True, False])
def test_a_summary_is_never_a_passage(read: bool) -> None:
    """The server ranks one in twelve."""
    log = SourceDocument(
        "Log.txt", segments=tuple(SourceSegment(f"Entry {n} of the ferry.") for n in range(30))
    )
    with serving(log) as server:
        knowledge = asking(server)
        base = only(knowledge)
        listed = [s for d in knowledge.documents(base, 1).items for s in knowledge.segments(d, 1).items]
        asked = knowledge if read else asking(server)
        passages = asked.retrieve(only(asked), Query("ferry entry"), 50).passages
        sent = [item for item in ranked(server, base) if item["text"].startswith("In short")]
        assert sent
        assert len(passages) == (19 if read else 5)
        assert {passage.segment for passage in passages} <= set(listed)


def ranked(server: KnowledgeServer, base: Dataset) -> list[Mapping[str, Any]]:
    """The evidence that the server itself streams."""
    client = client_of(server)
    body = {"query": "ferry entry", "mode": "fast"}
    admission = client.post(f"knowledge-fs/spaces/{base.dataset_id[6:]}/queries/admission", body)
    headers = {"Authorization": f"Bearer {admission['token']}", "X-Trace-ID": admission["trace_id"]}
    _, done = client.event("knowledge-fs/query-stream", admission["request"], headers, {"answer.done"})
    items: list[Mapping[str, Any]] = done["metadata"]["evidenceBundle"]["items"]
    return items


def test_evidence_with_ids_of_its_own_is_matched_by_its_text(server: KnowledgeServer) -> None:
    knowledge = asking(server)
    base = only(knowledge)
    for document in knowledge.documents(base, 1).items:
        knowledge.segments(document, 1)
    expected = knowledge.retrieve(base, QUERY, 9).passages
    server.queries.own_ids = True
    assert expected == knowledge.retrieve(base, QUERY, 9).passages
    unread = asking(server)
    found = unread.retrieve(only(unread), QUERY, 9)
    assert ((), ("what harbour ranked itself is none of the chunks that it lists",)) == (
        found.passages,
        found.warnings,
    )


def test_an_edit_is_another_revision_and_what_was_found_before_is_of_a_superseded_one(
    server: KnowledgeServer,
) -> None:
    knowledge = asking(server)
    base = only(knowledge)
    before = next(d for d in knowledge.documents(base, 1).items if d.name == "Harbour rules.txt")
    piece = knowledge.segments(before, 1).items[0]
    edited = next(s for s in server.segments("harbour") if s.source.content == piece.text)
    server.owner.edit_segment(edited.id, "A ferry waits for nobody.")
    now = knowledge.document(base, before.document_id)
    assert now is not None
    assert (1, 2) == (before.revision, now.revision)
    assert before.version != now.version
    assert piece == knowledge.segment(before, piece.segment_id)  # the former revision stays readable
    assert knowledge.segment(now, piece.segment_id) is None
    unknown = replace(before, revision=None)  # handed in by a caller
    assert knowledge.segment(unknown, piece.segment_id) is None
    found = knowledge.retrieve(base, Query("harbour master waits nobody"), 9)
    assert "A ferry waits for nobody." in {passage.segment.text for passage in found.passages}


def test_a_base_without_a_published_index_is_said_and_not_empty(server: KnowledgeServer) -> None:
    server.agent_states["harbour"] = "unpublished"
    knowledge = asking(server)
    base = only(knowledge)  # its documents can be read
    server.clear_requests()
    with pytest.raises(NotPublished, match="no index"):
        knowledge.retrieve(base, QUERY, 3)
    assert () == server.requests
    with pytest.raises(NotPublished, match="no index"):
        asking(server).retrieve(base, QUERY, 3)
    with (
        KnowledgeServer(
            Corpus((Collection("harbour", ()),)), "1.18", agent_states={"harbour": "unpublished"}
        ) as bare,
        pytest.raises(NotPublished),
    ):
        only(asking(bare))


@pytest.mark.parametrize("state", ["closed", "deleting"])
def test_a_state_that_refuses_a_query_is_an_error_of_this_base_alone(
    server: KnowledgeServer, state: State
) -> None:
    knowledge = asking(server)
    base = only(knowledge)
    server.agent_states["harbour"] = state
    with pytest.raises(KnowledgeError) as raised:
        knowledge.retrieve(base, QUERY, 3)
    assert raised.value.retryable is (state == "deleting")


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, KnowledgeError),
        (401, KnowledgeError),
        (403, KnowledgeError),
        (404, DatasetNotFound),
        (409, KnowledgeUnavailable),
        (413, KnowledgeError),
        (422, KnowledgeError),
        (429, RateLimited),
        (502, KnowledgeUnavailable),
        (503, NotPublished),
        (504, KnowledgeUnavailable),
    ],
)
def test_every_refusal_is_an_error_of_ours_and_repeats_nothing(
    server: KnowledgeServer, status: int, kind: type[KnowledgeError]
) -> None:
    knowledge = asking(server)
    base = only(knowledge)
    knowledge.documents(base, 1)
    body = agent_refusal(status, message="SELECT secret").answer.body
    server.faults = lambda _method, _path: Fault(status, body)
    for ask in (lambda: knowledge.documents(base, 1), lambda: knowledge.retrieve(base, QUERY, 3)):
        with pytest.raises(KnowledgeError) as raised:
            ask()
        assert type(raised.value) is kind
        assert "SELECT" not in str(raised.value)


@pytest.mark.parametrize("fault", [Fault(200, b"<html>busy</html>", "text/html"), Fault(302)])
def test_a_web_page_or_a_redirect_in_the_way_of_one_base_is_an_error_of_this_base(
    server: KnowledgeServer, fault: Fault
) -> None:
    knowledge = asking(server)
    server.faults = lambda _method, _path: fault
    with pytest.raises(KnowledgeError):
        only(knowledge)


def test_a_stream_that_fails_is_not_run_again_and_shows_no_token(server: KnowledgeServer) -> None:
    knowledge = asking(server)
    base = only(knowledge)
    server.queries.breaks = True
    with pytest.raises(KnowledgeError, match="could not end the query") as broken:
        knowledge.retrieve(base, QUERY, 3)
    server.faults = lambda _method, path: Fault(0) if path.endswith("query-stream") else None
    with pytest.raises(KnowledgeError, match="not run again") as lost:
        knowledge.retrieve(base, QUERY, 3)
    assert [False, False] == [broken.value.retryable, lost.value.retryable]
    server.faults = lambda _method, path: Fault(429) if path.endswith("query-stream") else None
    with pytest.raises(RateLimited):
        knowledge.retrieve(base, QUERY, 3)


def test_a_stream_without_evidence_is_read_from_the_record_of_the_query(server: KnowledgeServer) -> None:
    knowledge = asking(server)
    base = only(knowledge)
    expected = knowledge.retrieve(base, QUERY, 9).passages
    server.queries.bare = True
    server.clear_requests()
    assert expected == knowledge.retrieve(base, QUERY, 9).passages
    assert server.requests[2].path.endswith("/evidence")


def test_what_a_run_may_not_spend_ends_a_list_between_its_pages() -> None:
    log = SourceDocument("Log.txt", segments=tuple(SourceSegment(f"Entry {n}.") for n in range(100)))

    def refuse() -> None:
        raise LimitReached("knowledge_calls", 1, 2)

    with serving(log) as server:
        knowledge = asking(server)
        document = knowledge.documents(only(knowledge), 1, "Log").items[0]
        assert len(knowledge.segments(document, 1).items) == 100
        with pytest.raises(LimitReached):
            replace(knowledge, turning=refuse).segments(document, 1)


@pytest.mark.parametrize("text", ["ferry " * 4_000, "渡轮" * 8_000, 'a "quoted" \x00 ferry', "ferry \ud800"])
def test_any_query_is_taken(server: KnowledgeServer, text: str) -> None:
    knowledge = asking(server)
    assert Query(text) == knowledge.retrieve(only(knowledge), Query(text), 3).query


@pytest.mark.parametrize(("text", "top_k"), [("", 3), (" \n", 3), ("ferry", 0)])
def test_a_request_that_means_nothing_is_refused(server: KnowledgeServer, text: str, top_k: int) -> None:
    knowledge = asking(server)
    with pytest.raises(InvalidRequest):
        knowledge.retrieve(only(knowledge), Query(text), top_k)


# --- pieces that no server of ours sends ------------------------------------------------------------------


def chunk(**given: Any) -> dict[str, Any]:
    usual = {
        "id": "c",
        "document_id": "d",
        "document_revision": 1,
        "ordinal": 0,
        "kind": "chunk",
        "text": "words",
    }
    return usual | given


def quotable(*chunks: dict[str, Any]) -> list[str]:
    return [each.id for each in in_reading_order([ChunkShape.model_validate(each) for each in chunks])]


def test_a_section_stands_only_where_nothing_else_holds_its_words() -> None:
    section = {"kind": "section", "ordinal": 9}
    assert ["a"] == quotable(chunk(id="a", parent_chunk_id="s"), chunk(id="s", text="other", **section))
    spans = {"start_offset": 0, "end_offset": 10}
    assert ["a"] == quotable(
        chunk(id="a", start_offset=9, end_offset=20), chunk(id="s", text="other", **section, **spans)
    )
    assert ["a", "s"] == quotable(
        chunk(id="a", start_offset=10, end_offset=20), chunk(id="s", text="other", **section, **spans)
    )
    assert ["a"] == quotable(
        chunk(id="a", text="inner words"), chunk(id="s", text="an inner words list", **section)
    )
    path = {"section_path": ["1 Scope"]}
    assert ["a", "s"] == quotable(chunk(id="a"), chunk(id="s", text="more words", **section, **path))


def test_only_chunks_tables_and_sections_that_are_enabled_may_be_quoted() -> None:
    kinds = ("table", "summary", "image", "chunk", "outline")
    rows = [chunk(id=kind, kind=kind, ordinal=at) for at, kind in enumerate(kinds)]
    assert ["table", "chunk"] == quotable(
        *rows, chunk(id="off", enabled=False), chunk(id="blank", text=" \n")
    )


def lying(pages: Mapping[str, Any]) -> AgentKnowledge:
    """A server that answers by the end of the path."""

    def answer(request: httpx.Request) -> httpx.Response:
        end = request.url.path.rsplit("/", 1)[-1]
        return httpx.Response(200, json=pages[end])

    client = Client("http://dify/v1", "dataset-sample", "agents", transport=httpx.MockTransport(answer))
    return AgentKnowledge(client, {"agent:b": "b"})


DOCUMENT = Document("agent:b", "d", "D.txt", revision=1)


def test_a_cursor_that_comes_again_is_the_end() -> None:
    page = lying({"chunks": {"data": [chunk()], "next_cursor": "more"}}).segments(DOCUMENT, 1)
    assert ["words", "words"] == [each.text for each in page.items]


def test_pieces_of_another_document_or_revision_and_odd_ones_are_left_out() -> None:
    rows = [
        chunk(id="good"),
        chunk(id="r", document_revision=2),
        chunk(id="x", document_id="e"),
        {"id": 7},
        None,
    ]
    page = lying({"chunks": {"data": rows, "next_cursor": None}}).segments(DOCUMENT, 1)
    assert ["good"] == [each.segment_id for each in page.items]
    assert ("2 of the records of D.txt were left out: the records cannot be read",) == page.warnings


@pytest.mark.parametrize("answer", [[], {}, {"data": 3}, {"data": [{"id": "x" * 99}]}, "text", None])
def test_a_list_that_is_none_is_a_failure(answer: Any) -> None:
    with pytest.raises(KnowledgeUnavailable, match="unexpected response format"):
        lying({"chunks": answer}).segments(DOCUMENT, 1)


def test_a_base_of_five_thousand_long_chunks_is_read_within_its_bounds() -> None:
    """Pages come in the order of ids: all are read, and the first in reading order are kept."""

    def answer(request: httpx.Request) -> httpx.Response:
        place = int(request.url.params.get("cursor", "0"))
        ordinals = [(number * 7_919) % 5_000 for number in range(place, place + 50)]
        rows = [chunk(id=f"c{at}", ordinal=at, text=f"{at:>4} " * 120) for at in ordinals]
        return httpx.Response(
            200, json={"data": rows, "next_cursor": str(place + 50) if place < 4_950 else None}
        )

    client = Client("http://dify/v1", "dataset-sample", "agents", transport=httpx.MockTransport(answer))
    page = AgentKnowledge(client, {"agent:b": "b"}).segments(DOCUMENT, 1)
    assert list(range(1, len(page.items) + 1)) == [each.position for each in page.items]
    assert 900_000 < sum(len(each.text) for each in page.items) <= 1_000_000
    assert ("of D.txt only the first pieces were read",) == page.warnings


@pytest.mark.parametrize(
    "broken",
    [
        {"token": "two words"},
        {"token": "ü"},
        {"trace_id": "a\r\nb"},
        {"trace_id": "x" * 300},
        {"request": "no object"},
    ],
)
def test_an_admission_that_cannot_be_sent_on_is_refused(broken: Mapping[str, Any]) -> None:
    admission = {"token": "t.t.t", "trace_id": "x", "request": {"query": "q"}} | broken
    knowledge = lying({"admission": admission})
    with pytest.raises(KnowledgeUnavailable, match="unexpected response format"):
        knowledge.retrieve(Dataset("agent:b", "b"), QUERY, 3)


def test_the_stream_is_asked_of_the_server_that_was_entered_whatever_address_it_gives() -> None:
    asked: list[str] = []
    done = {"metadata": {"evidenceBundle": {"items": []}}}

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(f"{request.url} {request.headers['authorization']}")
        if request.url.path.endswith("admission"):
            body = {"token": "t.t.t", "trace_id": "x", "request": {}, "url": "http://elsewhere/v1/stream"}
            return httpx.Response(200, json=body)
        return httpx.Response(200, content=f"event: answer.done\ndata: {json.dumps(done)}\n\n".encode())

    client = Client("http://dify/v1", "dataset-sample", "agents", transport=httpx.MockTransport(answer))
    found = AgentKnowledge(client, {"agent:b": "b"}).retrieve(Dataset("agent:b", "b"), QUERY, 3)
    assert () == found.passages
    assert [
        "http://dify/v1/knowledge-fs/spaces/b/queries/admission Bearer dataset-sample",
        "http://dify/v1/knowledge-fs/query-stream Bearer t.t.t",
    ] == asked


def test_the_heading_of_a_piece_is_its_section_path() -> None:
    page = lying(
        {"chunks": {"data": [chunk(section_path=["2 Refunds", "2.1 Deadlines"])], "next_cursor": None}}
    )
    pieces: tuple[Segment, ...] = page.segments(DOCUMENT, 1).items
    assert ["2 Refunds / 2.1 Deadlines"] == [piece.heading for piece in pieces]


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from([*chunk(), "data", "metadata", "evidenceBundle", "items"]), inner)
    ),
    max_leaves=12,
)
LISTED = {"id": "d", "active_revision": 1, "active": {"document_asset_id": "f", "document_asset_version": 1}}
ITEM = {"nodeId": "c", "text": "words", "citations": [{"documentAssetId": "f", "documentVersion": 1}]}
PLACES = (
    "settings",
    "document",
    "documents",
    "chunk",
    "chunks",
    "admission",
    "done",
    "bundle",
    "item",
    "place",
)


@given(JSON, st.sampled_from(PLACES))
def test_no_answer_whatever_raises_anything_but_ours(value: Any, odd: str) -> None:
    def of(place: str, usual: Any) -> Any:
        return value if place == odd else usual

    item = ITEM | {"citations": [of("place", ITEM["citations"][0])]}
    bundle = {"items": [of("item", item)], "state": value}
    done = {
        "metadata": {"evidenceBundle": of("bundle", bundle), "projectionSnapshot": {"publicationId": value}}
    }
    answers = {
        "settings": of("settings", {"capabilities": {"query": True}}),
        "logical-documents": {"data": [of("document", LISTED)], "next_cursor": of("documents", None)},
        "chunks": {"data": [of("chunk", chunk())], "next_cursor": of("chunks", None)},
        "c": of("chunk", chunk()),
        "admission": of("admission", {"token": "t", "trace_id": "x", "request": {}}),
    }

    def answer(request: httpx.Request) -> httpx.Response:
        end = request.url.path.rsplit("/", 1)[-1]
        if end == "query-stream":
            data = json.dumps(of("done", done))
            return httpx.Response(200, content=f"event: answer.done\ndata: {data}\n\n".encode())
        return httpx.Response(200, text=json.dumps(answers[end]))

    client = Client("http://dify/v1", "dataset-sample", "agents", transport=httpx.MockTransport(answer))
    knowledge = AgentKnowledge(client, {"agent:b": "b"})
    failures: list[str] = []
    for ask in (
        lambda: knowledge.dataset("agent:b"),
        lambda: knowledge.segments(DOCUMENT, 1),
        lambda: knowledge.segment(DOCUMENT, "c"),
        lambda: knowledge.retrieve(Dataset("agent:b", "b"), QUERY, 3, RULES),
    ):
        try:
            ask()
        except KnowledgeError as error:
            failures.append(str(error))
    assert all(line.startswith("Dify at dify ") for line in failures)
