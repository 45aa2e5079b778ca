"""The embedded server's agent knowledge bases, as a strict client sees them."""

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from standalone.knowledge import Collection, Corpus, KnowledgeServer, SourceDocument, SourceSegment
from tests.fakes import HandClock

RULES = SourceDocument(
    "Harbour rules.md",
    "# Rules\n\nA ferry waits for the harbour master, wie es üblich ist.\n\n## Dogs\n\nDogs stay on a lead.",
)
LOG = SourceDocument("Log.txt", segments=tuple(SourceSegment(f"Entry {n} of the log.") for n in range(100)))
DRAFT = SourceDocument("Draft.txt", "The ferry may leave at ten.", enabled=False)
CORPUS = Corpus((Collection("harbour", (RULES, DRAFT, LOG), segment_characters=70),))
QUESTION = {"query": "What does a ferry wait for?", "mode": "fast"}


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def server(clock: HandClock) -> Iterator[KnowledgeServer]:
    with KnowledgeServer(CORPUS, "1.18") as running:
        running.queries.clock = clock
        yield running


@pytest.fixture
def http(server: KnowledgeServer) -> Iterator[httpx.Client]:
    headers = {"Authorization": f"Bearer {server.api_key}"}
    with httpx.Client(base_url=f"{server.base_url}/knowledge-fs/", headers=headers) as client:
        yield client


def space(server: KnowledgeServer) -> str:
    return f"spaces/{server.agent_bases['harbour']}"


def admitted(http: httpx.Client, server: KnowledgeServer) -> dict[str, Any]:
    answer: dict[str, Any] = http.post(f"{space(server)}/queries/admission", json=QUESTION).json()
    return answer


def streamed(http: httpx.Client, admission: dict[str, Any], **changed: Any) -> httpx.Response:
    headers = {"Authorization": f"Bearer {admission['token']}", "X-Trace-ID": admission["trace_id"]}
    request = admission["request"] | changed.pop("body", {})
    return http.post("query-stream", json=request, headers=headers | changed)


def events(answer: httpx.Response) -> list[tuple[str, Any]]:
    frames = (frame.split("\n") for frame in answer.text.removesuffix("\n\n").split("\n\n"))
    return [(name.removeprefix("event: "), json.loads(data.removeprefix("data: "))) for name, data in frames]


def code(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"].removeprefix("knowledge_fs_")


def test_a_query_is_admitted_and_then_streamed_in_frames(http: httpx.Client, server: KnowledgeServer) -> None:
    admission = admitted(http, server)
    assert admission["url"] == "/v1/knowledge-fs/query-stream"
    answer = streamed(http, admission)
    assert answer.headers["content-type"] == "text/event-stream"
    (first, delta), (last, done) = events(answer)
    assert ("answer.delta", "answer.done") == (first, last)
    assert delta["delta"].startswith("Retrieval evidence answer:\n1. Rules: ")
    item = done["metadata"]["evidenceBundle"]["items"][0]
    assert "harbour master" in item["text"]
    assert delta["traceId"] == done["traceId"] != admission["trace_id"]
    row = http.get(f"{space(server)}/traces/{done['traceId']}/evidence").json()["data"][0]
    assert (row["target_id"], row["metadata"]["text"]) == (item["nodeId"], item["text"])


def test_evidence_of_a_document_that_is_gone_is_a_placeholder(
    http: httpx.Client, server: KnowledgeServer
) -> None:
    run = events(streamed(http, admitted(http, server)))[-1][1]["traceId"]
    server.owner.delete(server.document_id("harbour", "Harbour rules.md"))
    rows = http.get(f"{space(server)}/traces/{run}/evidence").json()["data"]
    gone = [row for row in rows if "reason" in row["metadata"]]
    assert gone
    assert {"Evidence unavailable"} == {row["metadata"]["text"] for row in gone}


def test_an_admission_lasts_a_minute_for_its_own_trace_and_request(
    http: httpx.Client, server: KnowledgeServer, clock: HandClock
) -> None:
    admission = admitted(http, server)
    assert (403, "access_denied") == code(streamed(http, admission, **{"X-Trace-ID": "another"}))
    assert (400, "invalid_request") == code(streamed(http, admission, body={"query": "another"}))
    assert streamed(http, admission).status_code == 200
    clock.forward(61)
    assert (401, "invalid_credential") == code(streamed(http, admission))


@pytest.mark.parametrize(
    "body",
    [
        QUESTION | {"top_k": 3},
        {"query": "  "},
        {"query": "x" * 16_001},
        {"query": "渡" * 6_000},
        {"query": "x", "mode": "wide"},
    ],
)
def test_a_body_that_is_not_in_the_contract_is_refused_with_its_fields(
    http: httpx.Client, server: KnowledgeServer, body: dict[str, Any]
) -> None:
    answer = http.post(f"{space(server)}/queries/admission", json=body)
    assert (400, "invalid_request") == code(answer)
    assert answer.json()["violations"]


def test_a_query_parameter_that_is_not_in_the_contract_is_refused(
    http: httpx.Client, server: KnowledgeServer
) -> None:
    assert (400, "invalid_request") == code(http.get(f"{space(server)}/logical-documents?limit=5"))


def test_chunks_come_in_pages_in_the_order_of_their_ids_between_other_nodes(
    http: httpx.Client, server: KnowledgeServer
) -> None:
    documents = http.get(f"{space(server)}/logical-documents").json()["data"]
    assert [("Harbour rules.md", True), ("Draft.txt", False), ("Log.txt", True)] == [
        (each["title"], each["enabled"]) for each in documents
    ]
    path = f"{space(server)}/documents/{documents[2]['id']}/revisions/1/chunks"
    rows, cursor = [], ""
    while cursor is not None:
        page = http.get(path, params={"cursor": cursor} if cursor else {}).json()
        rows += page["data"]
        cursor = page["next_cursor"]
    assert sorted(row["id"] for row in rows) == [row["id"] for row in rows]
    assert {"chunk": 100, "section": 1, "summary": 1, "image": 1} == {
        kind: sum(row["kind"] == kind for row in rows) for kind in ("chunk", "section", "summary", "image")
    }
    assert any(row["start_offset"] is None for row in rows)


def test_offsets_are_bytes_of_the_parsers_text(http: httpx.Client, server: KnowledgeServer) -> None:
    document = http.get(f"{space(server)}/logical-documents").json()["data"][0]
    rows = http.get(f"{space(server)}/documents/{document['id']}/revisions/1/chunks").json()["data"]
    chunks = sorted((row for row in rows if row["kind"] == "chunk"), key=lambda row: row["ordinal"])
    parsed = "\n".join(row["text"] for row in chunks).encode()
    assert len(parsed) > len(parsed.decode())
    assert [row["text"] for row in chunks] == [
        parsed[row["start_offset"] : row["end_offset"]].decode() for row in chunks
    ]


def test_an_edit_makes_a_revision_and_leaves_the_former_one_readable(
    http: httpx.Client, server: KnowledgeServer
) -> None:
    segment = server.segments("harbour")[0]
    server.owner.edit_segment(segment.id, "# Rules\n\nA ferry waits for nobody.")
    document = http.get(f"{space(server)}/logical-documents").json()["data"][0]
    assert document["active_revision"] == 2

    def texts(revision: int) -> str:
        path = f"{space(server)}/documents/{document['id']}/revisions/{revision}/chunks"
        return " ".join(row["text"] for row in http.get(path).json()["data"])

    assert ("harbour master" in texts(1), "harbour master" in texts(2)) == (True, False)
    revisions = http.get(f"{space(server)}/documents/{document['id']}/revisions").json()["data"]
    assert [(2, "active"), (1, "superseded")] == [(each["revision"], each["state"]) for each in revisions]


def test_what_is_refused_has_its_own_status_and_code(http: httpx.Client, server: KnowledgeServer) -> None:
    admission = f"{space(server)}/queries/admission"
    assert (401, "invalid_credential") == code(
        http.get("spaces/00000000-0000-0000-0000-000000000000/settings")
    )
    assert (404, "resource_not_found") == code(http.get(f"{space(server)}/logical-documents/other"))
    assert (401, "unauthorized") == code(
        http.get(f"{space(server)}/settings", headers={"Authorization": "Bearer x"})
    )
    for state, expected in (
        ("unpublished", (503, "operation_unavailable")),
        ("deleting", (409, "conflict")),
        ("closed", (403, "access_denied")),
    ):
        server.agent_states["harbour"] = state  # type: ignore[assignment]
        assert expected == code(http.post(admission, json=QUESTION))
    with KnowledgeServer(CORPUS, "1.13.3") as old:
        answer = http.get(f"{old.base_url}/{admission}", headers={"Authorization": f"Bearer {old.api_key}"})
        assert answer.status_code == 404


def test_a_key_bound_to_an_agent_base_opens_no_dataset_and_the_other_way_round() -> None:
    for bound, agent, classic in (("agent:harbour", 200, 403), ("harbour", 403, 200)):
        server = KnowledgeServer(CORPUS, "1.18", bound_to=(bound,))
        headers = {"Authorization": f"Bearer {server.api_key}"}
        with server, httpx.Client(base_url=server.base_url, headers=headers) as client:
            assert client.get(f"/knowledge-fs/{space(server)}/settings").status_code == agent
            assert client.get(f"/datasets/{server.dataset_id('harbour')}").status_code == classic
            assert client.get("/datasets").status_code == 403


def test_nothing_found_and_a_failure_behind_status_200_are_two_things(
    http: httpx.Client, server: KnowledgeServer
) -> None:
    body = {"query": "zzzz", "mode": "fast"}
    admission = http.post(f"{space(server)}/queries/admission", json=body).json()
    assert events(streamed(http, admission))[-1][1]["finishReason"] == "no-retrieval-evidence"
    server.queries.breaks = True
    answer = streamed(http, admitted(http, server))
    assert answer.status_code == 200
    assert [name for name, _ in events(answer)] == ["answer.delta", "answer.error"]
