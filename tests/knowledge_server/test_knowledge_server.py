import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, cast

import httpx
import pytest
from knowledge_samples import DOCUMENTS, KEY, Reader, model, reading, sample_corpus

from standalone.knowledge import Fault, KnowledgeServer, Request


@pytest.fixture
def reader() -> Iterator[Reader]:
    with reading(KnowledgeServer(sample_corpus())) as opened:
        yield opened


def test_every_request_is_logged_until_the_log_is_cleared(reader: Reader) -> None:
    reader.get("/datasets", page=1, limit=2)
    reader.retrieve("office", "rent")
    listed, asked = reader.server.requests
    assert Request("GET", "/v1/datasets", "page=1&limit=2", None, 200) == listed
    assert ("POST", {"query": "rent", "retrieval_model": None}) == (asked.method, asked.body)
    reader.server.clear_requests()
    assert () == reader.server.requests


def test_a_body_that_is_no_json_is_logged_as_text(reader: Reader) -> None:
    reader.http.post("/datasets", content="name=x")
    assert ["name=x"] == [request.body for request in reader.server.requests]


def test_a_fault_takes_the_place_of_the_answer(reader: Reader) -> None:
    def broken(method: str, path: str) -> Fault | None:
        return Fault(502, b"<html>", "text/html") if (method, path) == ("GET", "/v1/datasets") else None

    reader.server.faults = broken
    response = reader.http.get("/datasets")
    assert (502, "<html>", "text/html") == (
        response.status_code,
        response.text,
        response.headers["Content-Type"],
    )
    assert 200 == reader.http.get(reader.dataset("office")).status_code
    assert [502, 200] == [request.status for request in reader.server.requests]
    reader.server.faults = None
    assert 200 == reader.http.get("/datasets").status_code


def test_a_fault_of_status_0_drops_the_connection(reader: Reader) -> None:
    reader.server.faults = lambda _method, _path: Fault(0)
    with pytest.raises(httpx.RemoteProtocolError):
        reader.http.get("/datasets")


def test_a_fault_s_delay_is_waited_for_until_the_server_closes() -> None:
    begun = threading.Event()

    def slow(_method: str, path: str) -> Fault | None:
        if path != "/v1/datasets":
            return None
        begun.set()
        return Fault(503, delay=3_600)

    def ask(reader: Reader) -> None:
        with suppress(httpx.HTTPError):  # the server may be gone before it could answer
            reader.http.get("/datasets")

    with ThreadPoolExecutor(1) as pool, reading(KnowledgeServer(sample_corpus(), faults=slow)) as reader:
        pool.submit(ask, reader)
        assert begun.wait(30)
        reader.http.get(reader.dataset("office"))
        assert [200] == [request.status for request in reader.server.requests]
        reader.server.close()
    assert [200, 503] == [request.status for request in reader.server.requests]


def test_a_connection_is_kept_and_used_again(reader: Reader) -> None:
    ports = set()
    for _ in range(3):
        with reader.http.stream("GET", "/datasets") as response:
            response.read()
            ports.add(response.extensions["network_stream"].get_extra_info("client_addr"))
    assert None not in ports
    assert 1 == len(ports)


def test_many_threads_get_the_same_first_answer() -> None:
    with reading(KnowledgeServer(sample_corpus())) as reader, ThreadPoolExecutor(8) as pool:
        path = f"{reader.dataset('handbook')}/retrieve"
        body = {"query": "rent", "retrieval_model": model("semantic_search")}
        answers = list(pool.map(lambda _: reader.http.post(path, json=body).json(), range(16)))
        assert all(answers[0] == answer for answer in answers)


def test_the_source_of_a_segment_is_its_span_in_the_text(reader: Reader) -> None:
    for name in ("Lease.txt", "policy.md", "minutes.txt"):
        text = next(document.text for document in DOCUMENTS if document.name == name)
        for segment in reader.get(f"{reader.document('office', name)}/segments")["data"]:
            dataset, document, start, end = reader.server.source_of(segment["id"])
            assert ("office", name, segment["content"]) == (dataset, document, text[start:end])


def test_a_segment_made_by_hand_has_no_span(reader: Reader) -> None:
    segment = reader.get(f"{reader.document('questions', 'faq.csv')}/segments")["data"][0]
    assert ("questions", "faq.csv", None, None) == reader.server.source_of(segment["id"])


def test_unknown_names_and_ids_are_key_errors(reader: Reader) -> None:
    with pytest.raises(KeyError, match="nobody"):
        reader.server.dataset_id("nobody")
    with pytest.raises(KeyError, match=r"none\.txt"):
        reader.server.document_id("office", "none.txt")
    with pytest.raises(KeyError, match="segment"):
        reader.server.source_of("segment")


def test_closing_ends_idle_connections_and_their_threads() -> None:
    before = set(threading.enumerate())
    server = KnowledgeServer(sample_corpus())
    server.start()
    server.start()  # harmless
    address = httpx.URL(server.base_url)
    with socket.create_connection((address.host, address.port or 0)) as idle:
        request = f"GET /v1/datasets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {KEY}\r\n\r\n"
        idle.sendall(request.encode())
        assert idle.recv(20).startswith(b"HTTP/1.1 200 OK")
        server.close()
        server.close()  # harmless
        while idle.recv(65_536):
            pass
    with pytest.raises(RuntimeError, match="not running"):
        _ = server.base_url
    ours = set(threading.enumerate()) - before
    assert not [thread for thread in ours if "process_request" in thread.name]


def test_a_closed_server_can_be_started_again() -> None:
    server = KnowledgeServer(sample_corpus())
    for _ in range(2):
        with reading(server) as reader:
            assert 5 == reader.get("/datasets")["total"]


def test_an_unknown_profile_is_refused() -> None:
    with pytest.raises(ValueError, match=r"There is no profile 9\.9\.9"):
        KnowledgeServer(sample_corpus(), profile=cast("Any", "9.9.9"))
