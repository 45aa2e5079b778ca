"""JSON-RPC 2.0 as MCP speaks it. Pure.

Source: https://modelcontextprotocol.io/specification, revisions 2024-11-05 to 2025-11-25.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from host.boundary import one_line

VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
LATEST = VERSIONS[-1]
LINKS_SINCE = "2025-06-18"  # the version that knows links to resources in results
ASSUMED = "2025-03-26"  # of a request without the header, which came with the version after

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND = -32700, -32600, -32601
INVALID_PARAMS, INTERNAL_ERROR = -32602, -32603

type Id = str | int | None


class RpcError(Exception):
    """A request that is answered with an error; the message is safe to show."""

    def __init__(self, code: int, message: str, request_id: Id = None) -> None:
        super().__init__(message)
        self.code, self.message, self.request_id = code, message, request_id


@dataclass(frozen=True, slots=True)
class Call:
    """A request, or a notification where `expects_answer` is False (so is a client's own answer)."""

    method: str
    params: Mapping[str, Any] = field(default_factory=dict)
    request_id: Id = None
    expects_answer: bool = True


def call_of(given: Any) -> Call:
    """One message; raises RpcError."""
    if not isinstance(given, dict):
        raise RpcError(INVALID_REQUEST, "a message must be a JSON object")
    request_id = given.get("id")
    known = request_id if _is_id(request_id) else None
    if given.get("jsonrpc") != "2.0":
        raise RpcError(INVALID_REQUEST, 'a message must say "jsonrpc": "2.0"', known)
    method, params = given.get("method"), given.get("params", {})
    if method is None and ("result" in given or "error" in given):
        return Call("", expects_answer=False)
    if not isinstance(method, str) or not method:
        raise RpcError(INVALID_REQUEST, "a message must name its method", known)
    if "id" not in given:
        return Call(method, params if isinstance(params, dict) else {}, expects_answer=False)
    if known is None:
        raise RpcError(INVALID_REQUEST, "the id of a request must be a text or a whole number")
    if not isinstance(params, dict):
        raise RpcError(INVALID_PARAMS, "params must be an object", known)
    return Call(method, params, known)


def _is_id(value: Any) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)


def version_of(header: str | None) -> str:
    """The version that a client says it agreed on; raises RpcError."""
    version = (header or "").strip() or ASSUMED
    if version not in VERSIONS:
        known = ", ".join(VERSIONS)
        raise RpcError(INVALID_REQUEST, f"Unsupported protocol version; supported are {known}")
    return version


def negotiated(params: Mapping[str, Any]) -> str:
    """The version asked for, where we speak it, else the newest that we speak; raises RpcError."""
    requested = params.get("protocolVersion")
    if not isinstance(requested, str):
        raise RpcError(INVALID_PARAMS, "initialize needs a protocolVersion")
    return requested if requested in VERSIONS else LATEST


def result(request_id: Id, value: Mapping[str, Any]) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": request_id, "result": dict(value)}


def failure(error: RpcError) -> dict[str, Any]:
    details = {"code": error.code, "message": one_line(error.message)}
    return {"jsonrpc": "2.0", "id": error.request_id, "error": details}
