"""The local front forwards as nginx and the plugin daemon do."""

import json
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from endpoint_samples import (
    DIFY_KEY,
    WORLD,
    Endpoints,
    body_of,
    dify_headers,
    held_back,
    mcp_headers,
    request,
)
from hypothesis import given
from hypothesis import strategies as st

from standalone.front import Front
from standalone.front.forwarding import LONGEST_BODY, endpoint_path, raw_request
from standalone.knowledge import KnowledgeServer

ORIGIN = ("h1", "http://127.0.0.1/e/h1/mcp")


@pytest.fixture(scope="module")
def front(endpoints: Endpoints) -> Iterator[Front]:
    with Front(endpoints.process, endpoints.settings) as running:
        yield running


def lines(raw: bytes) -> list[str]:
    return raw.partition(b"\r\n\r\n")[0].decode().split("\r\n")


def test_the_path_behind_the_hook_is_the_path_of_the_endpoint() -> None:
    assert "/retrieval" == endpoint_path("/e/h1/retrieval", "h1")
    assert "/mcp?x=1" == endpoint_path("/e/h1/mcp?x=1", "h1")
    for elsewhere in ("/retrieval", "/e/h2/retrieval", "/e/h1", "/e/h10/retrieval"):
        assert endpoint_path(elsewhere, "h1") is None


def test_the_hook_is_named_and_proxies_are_forgotten() -> None:
    headers = [("Authorization", "Bearer x"), ("X-Forwarded-For", "10.0.0.1"), ("Content-Length", "99")]
    said = lines(raw_request("POST", "/mcp", headers, b"{}", ORIGIN))
    assert "POST /mcp HTTP/1.1" == said[0]
    assert said[1:] == [
        "Authorization: Bearer x",
        "Dify-Hook-Id: h1",
        "Dify-Hook-Url: http://127.0.0.1/e/h1/mcp",
        "Content-Length: 2",
    ]


def test_a_body_is_cut_where_the_daemon_cuts_it() -> None:
    raw = raw_request("POST", "/mcp", [], b"x" * (LONGEST_BODY + 5), ORIGIN)
    assert LONGEST_BODY == len(raw.partition(b"\r\n\r\n")[2])


@given(st.binary(max_size=50))
def test_every_body_arrives_as_it_was_sent(body: bytes) -> None:
    raw = raw_request("POST", "/mcp", [("Accept", "*/*")], body, ORIGIN)
    assert body == raw.partition(b"\r\n\r\n")[2]
    assert f"Content-Length: {len(body)}" in lines(raw)


def test_dify_gets_its_records_through_the_front(front: Front) -> None:
    answer = httpx.post(f"{front.base_url}/retrieval", json=body_of(), headers=dify_headers(), timeout=5)
    assert 200 == answer.status_code
    assert "every ninety days" in answer.json()["records"][0]["content"]


def test_a_notification_is_answered_without_a_body(front: Front) -> None:
    message = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    answer = httpx.post(f"{front.base_url}/mcp", json=message, headers=mcp_headers())
    assert (202, b"") == (answer.status_code, answer.content)


def test_an_address_without_the_hook_is_not_found(front: Front) -> None:
    address = front.base_url.rpartition("/e/")[0]
    assert 404 == httpx.post(f"{address}/retrieval", json=body_of(), headers=dify_headers()).status_code
    assert 405 == httpx.get(f"{front.base_url}/mcp", headers=mcp_headers()).status_code


def test_blanks_keep_a_slow_answer_alive_for_a_client_like_that_of_dify(endpoints: Endpoints) -> None:
    with KnowledgeServer(WORLD, api_key=DIFY_KEY) as slow, held_back(slow, "/datasets") as go_on:
        settings = endpoints.over(slow).settings | {"keep_alive_seconds": 20}
        with (
            Front(endpoints.process, settings) as front,
            httpx.stream(
                "POST", f"{front.base_url}/retrieval", json=body_of(), headers=dify_headers(), timeout=30
            ) as answer,
        ):
            coming = answer.iter_bytes()
            first = next(coming)
            go_on.set()
            said = json.loads(b"".join(coming))
    assert (200, b" ") == (answer.status_code, first)
    assert "every ninety days" in said["records"][0]["content"]


def test_what_the_plugin_refuses_to_read_is_an_error_of_the_server(front: Front) -> None:
    parts = urlsplit(front.base_url)
    with socket.create_connection((parts.hostname or "", parts.port or 0), timeout=5) as connection:
        connection.sendall(f"POST {parts.path}/mcp HTTP/1.1\r\nHost: x\r\nX_BAD: 1\r\n\r\n".encode())
        assert connection.recv(100).startswith(b"HTTP/1.1 500")


def test_a_front_that_was_closed_frees_its_port(endpoints: Endpoints) -> None:
    front = Front(endpoints.process, endpoints.settings)
    with pytest.raises(RuntimeError, match="not running"):
        _ = front.base_url
    with front:
        port = urlsplit(front.base_url).port or 0
        assert (
            200
            == httpx.post(f"{front.base_url}/mcp", json=request("ping"), headers=mcp_headers()).status_code
        )
    front.close()
    with Front(endpoints.process, endpoints.settings, port) as again:
        assert port == urlsplit(again.base_url).port


def test_everything_is_served_for_trying_out_until_ctrl_c() -> None:
    root = Path(__file__).resolve().parents[2]
    heard = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"  # a shell's & ignores it
    )
    serving = "from pathlib import Path; from standalone.front import serve"
    code = f"{heard}; {serving}; serve(Path('standalone/documents'), 0)"
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, text=True) as process:
        said = ""
        for line in process.stdout or ():
            said += line
            if "Ctrl-C" in line:
                break
        address = re.search(r"endpoint: (http://127\.0\.0\.1:\d+/e/local)\n", said)
        key = re.search(r"Bearer\): +(\S+)", said)
        assert address is not None
        assert key is not None
        assert f"curl -s {address.group(1)}/retrieval" in said
        body = body_of("How fast must a lost laptop be reported?", "auto")
        headers = dify_headers(key.group(1))
        answer = httpx.post(f"{address.group(1)}/retrieval", json=body, headers=headers, timeout=5)
        page = httpx.get(
            address.group(1).removesuffix("e/local"), params={"q": "When is a laptop lost?"}, timeout=30
        )
        (proof, *_) = re.findall(r'href="(http[^"]+/proof\?p=[^"]+)"', page.text)
        opened = httpx.get(proof, timeout=5)
        process.send_signal(signal.SIGINT)
        assert 0 == process.wait(10)
    assert "Security Desk" in answer.json()["records"][0]["content"]
    assert "Verified just now" in opened.text
