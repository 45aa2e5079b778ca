"""Refusals of the agent knowledge bases: code, message and status, with a failure or the violations of a body."""

from typing import Any

from pydantic import ValidationError

from standalone.knowledge.errors import Refusal, json_answer

_CODES = {
    400: ("invalid_request", "validation", "never"),
    401: ("invalid_credential", "authorization", "after_configuration"),
    403: ("access_denied", "authorization", "after_configuration"),
    404: ("resource_not_found", "not_found", "never"),
    409: ("conflict", "conflict", "automatic"),
    413: ("request_too_large", "validation", "never"),
    422: ("request_rejected", "validation", "never"),
    429: ("rate_limit_exceeded", "rate_limit", "automatic"),
    502: ("upstream_unavailable", "dependency", "automatic"),
    503: ("operation_unavailable", "configuration", "after_configuration"),
    504: ("timeout", "timeout", "automatic"),
}
_MOST_VIOLATIONS = 20


def agent_refusal(status: int, **more: Any) -> Refusal:
    """The refusal of a status; `more` are fields of the body."""
    code, category, retry = _CODES[status]
    failure = {
        "category": category,
        "code": code.upper(),
        "message": "The request was refused.",
        "retryPolicy": retry,
    }
    body = {"code": f"knowledge_fs_{code}", "message": "Refused.", "status": status, "failure": failure}
    return Refusal(json_answer(body | more, status))


def violated(error: ValidationError) -> Refusal:
    """A body that is not as it must be, field by field."""
    violations = [
        {"field": [str(part) for part in each["loc"]], "type": each["type"]} for each in error.errors()
    ]
    return agent_refusal(400, violations=violations[:_MOST_VIOLATIONS])
