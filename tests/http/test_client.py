import json
import socket
import threading
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evidence.errors import (
    DatasetNotFound,
    EvidenceError,
    KnowledgeError,
    KnowledgeUnavailable,
    LimitReached,
    ListingRefused,
    Misconfigured,
    ModelError,
    ModelUnavailable,
    RateLimited,
    UnusableReply,
)
from evidence.http.client import Client, normalise_base_url
from evidence.http.failures import PathMissing, Refused, ServerFault, retry_after
from evidence.http.network import is_private
from evidence.limits import Deadline

HTML = "<!doctype html>\n<html lang=en>\n<title>404 Not Found</title>\n"
SECRET = "dataset-very-secret"
CONTENTS = "the tenant pays 400 crowns"
PROVIDER_MISSING = "Failed to request plugin daemon, url: plugin/47b4/management/models"

type Handler = Callable[[httpx.Request], httpx.Response]


def client(handler: Handler, service: Any = "knowledge", url: str = "https://dify.example.com/v1") -> Client:
    return Client(url, SECRET, service, transport=httpx.MockTransport(handler))


def answering(status: int, body: Any, **headers: str) -> Handler:
    def handle(request: httpx.Request) -> httpx.Response:
        if isinstance(body, str):
            return httpx.Response(status, text=body, headers=headers)
        return httpx.Response(status, json=body, headers=headers)

    return handle


def error_of(handler: Handler, path: str = "datasets", service: Any = "knowledge") -> EvidenceError:
    with client(handler, service) as asked, pytest.raises(EvidenceError) as raised:
        asked.get(path)
    message = str(raised.value)
    assert "\n" not in message
    assert SECRET not in message
    assert CONTENTS not in message
    return raised.value


def dify(status: int, code: str, message: str = CONTENTS) -> Handler:
    return answering(status, {"code": code, "message": message, "status": status})


@pytest.mark.parametrize(
    ("expected", "path", "handler"),
    [
        (Misconfigured, "datasets", dify(401, "unauthorized")),
        (ListingRefused, "datasets", dify(403, "forbidden")),
        (Misconfigured, "datasets", answering(404, HTML)),
        (Misconfigured, "datasets", answering(404, {"detail": "Not Found"})),
        (DatasetNotFound, "datasets/x/documents", answering(404, HTML)),
        (DatasetNotFound, "datasets/x/documents", dify(404, "not_found")),
        (Misconfigured, "datasets", answering(200, HTML)),
        (Misconfigured, "datasets", answering(405, HTML)),
        (Misconfigured, "datasets", answering(302, "", Location="https://elsewhere.example.com")),
        (Misconfigured, "datasets", dify(400, "invalid_param", PROVIDER_MISSING)),
        (Misconfigured, "datasets", dify(400, "provider_not_initialize")),
        (Misconfigured, "datasets", dify(400, "invalid_param", "Provider acme/acme/acme does not exist.")),
        (Misconfigured, "datasets", dify(400, "invalid_param", "[acme] InvokeAuthorizationError: key")),
        (KnowledgeError, "datasets/x/retrieve", dify(400, "provider_not_initialize")),
        (KnowledgeError, "datasets/x/retrieve", dify(403, "forbidden")),
        (KnowledgeUnavailable, "datasets", dify(400, "invalid_param", "[acme] InvokeConnectionError: no")),
        (RateLimited, "datasets", dify(400, "invalid_param", "[acme] InvokeRateLimitError: slow down")),
        (KnowledgeError, "datasets/x/retrieve", dify(400, "invalid_param", 'relation "x" does not exist')),
        (KnowledgeError, "datasets", answering(400, {"errors": {"x": "y"}, "message": "failed"})),
        (KnowledgeError, "datasets", dify(415, "unsupported_media_type")),
        (ServerFault, "datasets", dify(500, "internal_server_error", "SELECT secret FROM t")),
        (KnowledgeUnavailable, "datasets", answering(502, HTML)),
        (KnowledgeUnavailable, "datasets", answering(200, "not json")),
        (KnowledgeUnavailable, "datasets", answering(200, "")),
        (KnowledgeUnavailable, "datasets", answering(200, "[" * 100_000)),
    ],
)
def test_a_knowledge_failure_is_named_for_who_must_act(expected: type, path: str, handler: Handler) -> None:
    assert isinstance(error_of(handler, path), expected)


@pytest.mark.parametrize(
    ("expected", "handler"),
    [
        (ModelError, answering(401, {"error": {"message": CONTENTS}})),
        (ModelError, answering(403, HTML)),
        (PathMissing, answering(404, {"error": {"message": CONTENTS, "code": "model_not_found"}})),
        (PathMissing, answering(405, HTML)),
        (ModelUnavailable, answering(429, {"error": {"message": CONTENTS}})),
        (ModelError, answering(429, {"error": {"code": "insufficient_quota"}})),
        (ModelUnavailable, answering(503, "overloaded")),
        (Refused, answering(400, {"error": {"message": CONTENTS}})),
        (Refused, answering(422, {"detail": [{"msg": CONTENTS}]})),
        (ModelError, answering(307, "", Location="/")),
        (ModelError, answering(200, HTML)),
        (UnusableReply, answering(200, "data: {}")),
    ],
)
def test_a_model_failure_is_a_model_error(expected: type, handler: Handler) -> None:
    assert expected is type(error_of(handler, "chat/completions", "chat"))


def test_the_rate_limit_of_the_cloud_is_recognised_by_its_sentence() -> None:
    sentence = "Sorry, you have reached the knowledge base request rate limit of your subscription."
    error = error_of(dify(403, "forbidden", sentence))
    assert isinstance(error, RateLimited)
    assert error.wait == 60


@pytest.mark.parametrize(
    ("least", "most", "header"),
    [
        (7, 7, "7"),
        (0, 0, "soon"),
        (0, 0, ""),
        (600, 600, "86400"),
        (0, 0, "Wed, 21 Oct 2015 07:28:00 GMT"),
    ],
)
def test_retry_after_is_read_as_seconds(least: float, most: float, header: str) -> None:
    error = error_of(answering(429, {}, **{"Retry-After": header}))
    assert isinstance(error, RateLimited)
    assert least <= error.wait <= most


@given(st.text(alphabet="0123456789:+-., ()JanWedGMT\x1b", max_size=60))
@example("Wed, 21 Oct 99999999999 07:28:00 GMT")
@example("Wed, 21 Oct 2015 07:28:00 +99999999999999")
@example("9" * 5_000)
def test_no_retry_after_whatever_is_more_than_ten_minutes_or_an_error(header: str) -> None:
    assert 0 <= retry_after({"retry-after": header}) <= 600


def test_retry_after_is_read_as_a_date_too() -> None:
    error = error_of(answering(429, {}, **{"Retry-After": "Fri, 31 Dec 2999 23:59:59 GMT"}))
    assert isinstance(error, RateLimited)
    assert 600 == error.wait


def test_a_code_is_named_and_a_message_is_not() -> None:
    error = error_of(dify(400, "dataset_not_initialized"))
    assert str(error) == "Dify at dify.example.com refused the request (400 dataset_not_initialized)"
    assert "crowns" not in str(error_of(dify(400, "the tenant pays 400 crowns")))


def test_a_request_carries_the_key_and_json() -> None:
    seen: list[httpx.Request] = []

    def handle(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200, json={"ok": True})

    with Client("http://dify/sub/v1", f" Bearer {SECRET}\n", transport=httpx.MockTransport(handle)) as asked:
        assert asked.get("datasets", {"page": 1}) == {"ok": True}
        assert asked.post("datasets/x/retrieve", {"query": "漢 \ud800"}) == {"ok": True}
    assert [str(request.url) for request in seen] == [
        "http://dify/sub/v1/datasets?page=1",
        "http://dify/sub/v1/datasets/x/retrieve",
    ]
    assert seen[0].headers["Authorization"] == f"Bearer {SECRET}"
    assert json.loads(seen[1].content) == {"query": "漢 \ud800"}


@pytest.mark.parametrize("key", ["two words", "line\nbreak", "schlüssel"])
def test_a_key_that_no_header_can_carry_is_refused(key: str) -> None:
    with pytest.raises(Misconfigured) as raised:
        Client("http://dify/v1", key)
    assert key not in str(raised.value)


@pytest.mark.parametrize(
    "host",
    [
        "dify\u202e.example.com",
        "xn--\x7f.example.com",
        "a..example.com\x1b[2J",
        "\u2028",
        "xn--",
        "xn--a.com",
    ],
)
def test_a_host_that_no_url_can_carry_is_refused_and_not_repeated(host: str) -> None:
    with pytest.raises(Misconfigured, match=r"^the address of Dify names no server$"):
        Client(f"http://{host}/v1")


def test_a_host_of_other_letters_is_named_in_ascii() -> None:
    with Client("http://münchen.example.com:8080/v1") as asked:
        assert "Dify at xn--mnchen-3ya.example.com:8080" == asked.place


def test_no_key_sends_no_authorization() -> None:
    def handle(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, json=sorted(request.headers))

    with Client("http://tei", transport=httpx.MockTransport(handle)) as asked:
        assert "authorization" not in asked.get("rerank")


def test_one_call_is_one_attempt() -> None:
    seen: list[str] = []

    def handle(request: httpx.Request) -> httpx.Response:
        seen.append(request.method)
        return httpx.Response(503)

    with client(handle) as asked, pytest.raises(KnowledgeUnavailable):
        asked.get("datasets")
    assert seen == ["GET"]


def test_a_call_lasts_no_longer_than_the_run_and_its_end_is_told_from_a_silent_server(
    silent_port: int,
) -> None:
    deadline = Deadline(0.1)
    asked = Client(f"http://127.0.0.1:{silent_port}/v1", SECRET)
    with asked, pytest.raises(LimitReached, match=r"0\.1 seconds"):
        asked.until(deadline).get("datasets")


def test_a_server_that_is_silent_within_the_run_is_said_to_be_so(silent_port: int) -> None:
    asked = Client(f"http://127.0.0.1:{silent_port}/v1", SECRET, timeout=0.1)
    with asked, pytest.raises(KnowledgeUnavailable, match=r"did not answer within 0\.1 s"):
        asked.until(Deadline(60)).get("datasets")


def test_a_run_that_is_over_asks_nothing() -> None:
    seen: list[httpx.Request] = []

    def handle(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200, json={})

    deadline = Deadline(0)
    with client(handle) as asked, pytest.raises(LimitReached):
        asked.until(deadline).get("datasets")
    assert seen == []


def test_an_untrusted_certificate_is_named() -> None:
    def handle(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("[SSL: CERTIFICATE_VERIFY_FAILED] self-signed certificate")

    assert str(error_of(handle)) == "the certificate of Dify at dify.example.com is not trusted"


@pytest.fixture
def silent_port() -> Iterator[int]:
    """A server that accepts and never answers."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener.getsockname()[1]


@pytest.mark.parametrize("service", ["knowledge", "chat", "rerank"])
def test_a_silent_server_is_unavailable(silent_port: int, service: Any) -> None:
    expected = KnowledgeUnavailable if service == "knowledge" else ModelUnavailable
    asked = Client(f"http://127.0.0.1:{silent_port}/v1", SECRET, service)
    with asked, pytest.raises(expected, match=r"did not answer within 0\.2 s; inside a container"):
        asked.get("datasets", timeout=0.2)


def test_a_closed_port_is_told_from_a_slow_server() -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    asked = Client(f"http://127.0.0.1:{port}/v1", SECRET)
    with asked, pytest.raises(KnowledgeUnavailable, match="cannot be reached; inside a container"):
        asked.get("datasets")


def test_threads_share_one_client() -> None:
    barrier = threading.Barrier(8, timeout=5)
    answers: list[Any] = []

    def handle(request: httpx.Request) -> httpx.Response:
        barrier.wait()
        return httpx.Response(200, json=request.url.params["page"])

    with client(handle) as asked:
        threads = [
            threading.Thread(target=lambda page=page: answers.append(asked.get("datasets", {"page": page})))
            for page in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(answers) == [str(page) for page in range(8)]


@pytest.mark.parametrize(
    ("expected", "text"),
    [
        ("https://api.dify.ai/v1", " https://api.dify.ai/v1/ "),
        ("https://api.dify.ai/v1", "https://api.dify.ai"),
        ("https://api.dify.ai/v1", "HTTPS://api.dify.ai//"),
        ("http://nginx/v1", "<http://nginx/v1>"),
        ("http://api:5001/v1", "http://api:5001"),
        ("http://host/dify/v1", "http://host/dify/"),
        ("http://host/dify/v1", "http://host/dify//v1?x=1#y"),
        ("http://host/v1", "http://host/v1/datasets/abc/retrieve"),
        ("http://host/v1", "http://host/datasets"),
        ("http://datasets/v1", "http://datasets"),
        ("http://host/datasets-api/v1", "http://host/datasets-api"),
        ("http://[::1]:5001/v1", "http://[::1]:5001"),
    ],
)
def test_an_address_is_forgiven_its_spelling(expected: str, text: str) -> None:
    assert expected == normalise_base_url(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  ",
        "api.dify.ai/v1",
        "localhost:5001",
        "ftp://host",
        "http://",
        "http://host:99999",
        "http://[::1",
        "http://user:pass@host",
        "http://host/a b",
        "https:\\\\host",
    ],
)
def test_an_address_that_cannot_be_meant_is_refused(text: str) -> None:
    with pytest.raises(Misconfigured):
        normalise_base_url(text)


@given(st.text(max_size=40) | st.text(alphabet="htps:/.@[]v1 ", max_size=30).map("http://".__add__))
def test_an_address_is_either_refused_or_settled(text: str) -> None:
    try:
        settled = normalise_base_url(text)
    except Misconfigured:
        return
    assert settled == normalise_base_url(settled)


@pytest.mark.parametrize(
    ("expected", "host"),
    [
        (True, "localhost"),
        (True, "127.0.0.1"),
        (True, "10.1.2.3"),
        (True, "192.168.0.9"),
        (True, "api"),
        (True, "host.docker.internal"),
        (True, "nas.local"),
        (False, "api.dify.ai"),
        (False, "8.8.8.8"),
        (True, "::1"),
    ],
)
def test_private_hosts_are_told_apart(expected: bool, host: str) -> None:
    assert expected is is_private(host)
