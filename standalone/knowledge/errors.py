"""Answers that are no success, in the shapes Dify gives them."""

import json
from dataclasses import dataclass
from typing import Any

_TENANT = "0d4b2c8e-51a7-5c63-8f2e-7a9d3b6c1e05"
_HTML_NOT_FOUND = (
    "<!doctype html>\n<html lang=en>\n<title>404 Not Found</title>\n<h1>Not Found</h1>\n"
    "<p>The requested URL was not found on the server. If you entered the URL manually please check your "
    "spelling and try again.</p>\n"
)


@dataclass(frozen=True, slots=True)
class Answer:
    """What goes over the wire, headers of the connection aside."""

    status: int
    body: bytes
    content_type: str = "application/json"
    headers: tuple[tuple[str, str], ...] = ()


class Refusal(Exception):
    """The request ends here with this answer."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(answer.status)
        self.answer = answer


def json_answer(value: Any, status: int = 200) -> Answer:
    return Answer(status, json.dumps(value).encode() + b"\n")


def refusal(status: int, code: str, message: str) -> Refusal:
    """Give the common shape: code, message, status."""
    return Refusal(json_answer({"code": code, "message": message, "status": status}, status))


def invalid_param(message: str) -> Refusal:
    return refusal(400, "invalid_param", message)


def not_found(what: str) -> Refusal:
    return refusal(404, "not_found", f"{what} not found.")


def internal_error(message: str) -> Refusal:
    return refusal(500, "internal_server_error", message)


def method_not_allowed() -> Refusal:
    return refusal(405, "method_not_allowed", "The method is not allowed for the requested URL.")


_FORBIDDEN = (
    "You don't have the permission to access the requested resource. "
    "It is either read-protected or not readable by the server."
)


def forbidden(message: str = _FORBIDDEN) -> Refusal:
    return refusal(403, "forbidden", message)


def unauthorized(message: str) -> Refusal:
    body = json.dumps({"code": "unauthorized", "message": message, "status": 401}).encode() + b"\n"
    return Refusal(Answer(401, body, headers=(("WWW-Authenticate", 'Bearer realm="api"'),)))


def unknown_url() -> Refusal:
    """HTML, not JSON: an unknown route or an id that is no UUID."""
    return Refusal(Answer(404, _HTML_NOT_FOUND.encode(), "text/html; charset=utf-8"))


def invalid_payload(field: str, message: str) -> Refusal:
    """Give 1.10.1's other shape: no code, no status."""
    body = {"errors": {field: message}, "message": "Input payload validation failed"}
    return Refusal(json_answer(body, 400))


def no_model_provider() -> Refusal:
    return invalid_param(f"Failed to request plugin daemon, url: plugin/{_TENANT}/management/models")


def no_vector_table(dataset_id: str, times: int = 1) -> Refusal:
    """What pgvector says about a dataset that has no vectors; hybrid search says it twice."""
    name = f"embedding_vector_index_{dataset_id.replace('-', '_')}_nod"
    line = f'relation "{name}" does not exist\nLINE 1: ... AS distance FROM embedding_...\n'
    return invalid_param(";\n".join([line] * times))
