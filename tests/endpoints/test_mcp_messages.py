"""JSON-RPC as MCP speaks it: what a message is, and what is no message."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from host.mcp.messages import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    Call,
    RpcError,
    call_of,
    failure,
    version_of,
)

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=10)
ANYTHING = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=6), inner))
MESSAGES = st.fixed_dictionaries(
    {},
    optional={"jsonrpc": st.just("2.0") | ANYTHING, "id": ANYTHING, "method": ANYTHING, "params": ANYTHING},
)


def test_a_request_a_notification_and_a_clients_answer_are_told_apart() -> None:
    assert Call("ping", {}, "a") == call_of({"jsonrpc": "2.0", "id": "a", "method": "ping"})
    assert not call_of({"jsonrpc": "2.0", "method": "notifications/initialized"}).expects_answer
    assert not call_of({"jsonrpc": "2.0", "id": 1, "result": {}}).expects_answer


@pytest.mark.parametrize(
    ("message", "code", "request_id"),
    [
        ([], INVALID_REQUEST, None),
        ("ping", INVALID_REQUEST, None),
        ({"id": 1, "method": "ping"}, INVALID_REQUEST, 1),
        ({"jsonrpc": "1.0", "id": 1, "method": "ping"}, INVALID_REQUEST, 1),
        ({"jsonrpc": "2.0", "id": 1}, INVALID_REQUEST, 1),
        ({"jsonrpc": "2.0", "id": 1, "method": 5}, INVALID_REQUEST, 1),
        ({"jsonrpc": "2.0", "id": None, "method": "ping"}, INVALID_REQUEST, None),
        ({"jsonrpc": "2.0", "id": True, "method": "ping"}, INVALID_REQUEST, None),
        ({"jsonrpc": "2.0", "id": 1.5, "method": "ping"}, INVALID_REQUEST, None),
        ({"jsonrpc": "2.0", "id": {}, "method": "ping"}, INVALID_REQUEST, None),
        ({"jsonrpc": "2.0", "id": 7, "method": "ping", "params": [1]}, INVALID_PARAMS, 7),
        ({"jsonrpc": "2.0", "id": 7, "method": "ping", "params": None}, INVALID_PARAMS, 7),
    ],
)
def test_what_is_no_message_is_refused_with_the_right_code(message: Any, code: int, request_id: Any) -> None:
    with pytest.raises(RpcError) as caught:
        call_of(message)
    assert (code, request_id) == (caught.value.code, caught.value.request_id)


@settings(max_examples=100)
@given(ANYTHING | MESSAGES)
def test_no_json_does_anything_but_be_a_call_or_an_error(message: Any) -> None:
    try:
        call = call_of(message)
    except RpcError as error:
        answer = json.loads(json.dumps(failure(error)))
        assert {"jsonrpc", "id", "error"} == set(answer)
        return
    assert isinstance(call.params, dict)
    assert (call.request_id is not None) == call.expects_answer


def test_a_request_without_the_header_speaks_the_version_before_it() -> None:
    assert "2025-03-26" == version_of(None) == version_of("")
