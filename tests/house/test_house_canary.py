"""The canary of tests/canary.py hears what it should."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.canary import leaks

KEY, OTHER, CALLER = "dataset-0123456789", "chat-0123456789", "endpoint-0123456789"


@pytest.fixture
def transcripts(tmp_path: Path) -> Path:
    """A plugin was asked with three keys, by a tool and by an endpoint, and said nothing of them."""
    raw = f"POST /mcp HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {CALLER}\r\n\r\n{{}}"
    asked: tuple[dict[str, Any], ...] = (
        {"credentials": {"dify_base_url": "http://x/v1", "dify_api_key": KEY}},
        {"settings": {"llm_api_key": OTHER, "effort": "fast"}, "raw_http_request": raw.encode().hex()},
    )
    lines = "".join(json.dumps({"event": "request", "data": data}) + "\n" for data in asked)
    (tmp_path / "7.asked").write_text(lines, encoding="utf-8")
    (tmp_path / "7.said").write_text('{"event": "session", "data": "answered"}\n', encoding="utf-8")
    return tmp_path


def test_a_suite_that_shows_no_key_is_in_order(transcripts: Path) -> None:
    assert [] == leaks(transcripts, {"test_one": "http://x/v1"})


@pytest.mark.parametrize("key", [KEY, OTHER, CALLER])
@pytest.mark.parametrize("name", ["7.said", "7.complained", "8.said"])
def test_a_key_in_what_a_plugin_says_is_a_leak(transcripts: Path, key: str, name: str) -> None:
    (transcripts / name).write_text(f"Traceback: {key}!", encoding="utf-8")
    assert [f"{name}: a key of {len(key)} characters"] == leaks(transcripts, {})


def test_a_key_in_an_endpoint_s_answer_and_in_print_is_a_leak(transcripts: Path) -> None:
    (transcripts / "7.said").write_text(json.dumps({"result": f"a{KEY}".encode().hex()}), encoding="utf-8")
    assert 2 == len(leaks(transcripts, {"test_one": f"the key is {KEY}"}))
