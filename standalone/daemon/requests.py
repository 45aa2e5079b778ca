"""The daemon's requests, as the plugin's SDK expects them on its standard input."""

from collections.abc import Mapping
from typing import Any

_USER = "standalone"


def envelope(session_id: str, data: Mapping[str, Any], caller: Mapping[str, str]) -> dict[str, Any]:
    """The frame around every request. `caller` may name app_id, message_id, conversation_id."""
    nowhere = dict.fromkeys(("conversation_id", "message_id", "app_id", "endpoint_id", "context"))
    return nowhere | dict(caller) | {"session_id": session_id, "event": "request", "data": data}


def tool_invocation(
    provider: str, tool: str, parameters: Mapping[str, Any], credentials: Mapping[str, Any]
) -> dict[str, Any]:
    return {
        "type": "tool",
        "action": "invoke_tool",
        "user_id": _USER,
        "provider": provider,
        "tool": tool,
        "credentials": dict(credentials),
        "credential_type": "api-key",
        "tool_parameters": dict(parameters),
    }


def validation(provider: str, credentials: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "tool",
        "action": "validate_tool_credentials",
        "user_id": _USER,
        "provider": provider,
        "credentials": dict(credentials),
    }


def endpoint_invocation(http: bytes, settings: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "endpoint",
        "action": "invoke_endpoint",
        "settings": dict(settings),
        "raw_http_request": http.hex(),
    }


def http_request(method: str, path: str, headers: Mapping[str, str], body: bytes) -> bytes:
    """An HTTP/1.1 request in one piece, as the daemon forwards it."""
    lines = [f"{method} {path} HTTP/1.1", "Host: dify.local"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    lines += [f"Content-Length: {len(body)}", "", ""]
    return "\r\n".join(lines).encode() + body
