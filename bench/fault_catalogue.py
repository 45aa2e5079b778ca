"""What can be wrong with an answer: of a knowledge server, of a chat or rerank API, of a model of the workspace."""

from collections.abc import Sequence
from typing import Any

from bench.fault import CANARY, Fault, Http, Objects, Reverse, said
from bench.fault_proxy import Exchange
from bench.fault_transport import TRANSPORT
from bench.fault_values import VALUES
from standalone.daemon import ReverseError

# --- statuses ----------------------------------------------------------------------------------------------


def _status(status: int, code: str, message: str = "", **headers: str) -> Http:
    body = {"code": code, "message": f"{message} {CANARY}", "status": status}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda exchange: exchange.reply(status, body, headers=named)


def _page(status: int) -> Http:
    page = f"<!doctype html><title>{CANARY}</title><h1>Sign in</h1>".encode()
    return lambda exchange: exchange.reply(status, page, "text/html")


def _refused(message: str) -> Reverse:
    def refuse(_true: Objects) -> Objects:
        raise ReverseError(f"{message} {CANARY}")
        yield {}

    return refuse


_SQL = "(psycopg2.errors.UndefinedTable) relation does not exist [SQL: SELECT * FROM tenants]"
_PROVIDER = "[models] {}: provider answered"
_STATUSES = (
    Fault(
        "401",
        _status(401, "unauthorized", "Access token is invalid"),
        reverse=_refused(_PROVIDER.format("InvokeAuthorizationError")),
    ),
    Fault("403", _status(403, "forbidden", "no")),
    Fault(
        "403, limit of the plan",
        _status(403, "forbidden", "you have reached the request rate limit"),
        lasts=True,
    ),
    Fault("404 in JSON", _status(404, "not_found", "Dataset not found.")),
    Fault("404 as a page", _page(404)),
    Fault(
        "400 of the model provider",
        _status(400, "invalid_param", _PROVIDER.format("InvokeConnectionError")),
        reverse=_refused(_PROVIDER.format("InvokeConnectionError")),
    ),
    Fault(
        "400, no model provider",
        _status(400, "invalid_param", "Failed to request plugin daemon, url: plugin/x"),
        reverse=_refused("Failed to request plugin daemon"),
    ),
    Fault(
        "400 of the caller",
        _status(400, "invalid_param", "1 validation error for Query"),
        reverse=_refused(_PROVIDER.format("InvokeBadRequestError")),
    ),
    Fault("409", _status(409, "dataset_in_use")),
    Fault("413", _status(413, "file_too_large")),
    Fault("415", _status(415, "unsupported_media_type")),
    Fault(
        "429, ask again in 1 s",
        _status(429, "too_many_requests", Retry_After="1"),
        reverse=_refused(_PROVIDER.format("InvokeRateLimitError")),
        lasts=True,
    ),
    Fault("429, ask again tomorrow", _status(429, "too_many_requests", Retry_After="86400"), lasts=True),
    Fault("500 with SQL", _status(500, "internal_server_error", _SQL), reverse=_refused(_SQL)),
    Fault("502 as a page", _page(502)),
    Fault(
        "503",
        _status(503, "unavailable"),
        reverse=_refused(_PROVIDER.format("InvokeServerUnavailableError")),
    ),
    Fault("504 as a page", _page(504)),
    Fault("204 without a body", lambda exchange: exchange.reply(204)),
    Fault("304", lambda exchange: exchange.reply(304)),
    Fault(
        "redirect to another host",
        lambda exchange: exchange.reply(307, headers={"Location": _elsewhere(exchange)}),
    ),
)


def _elsewhere(exchange: Exchange) -> str:
    """The same server by its other name: whoever follows is counted."""
    port = exchange.connection.connection.getsockname()[1]
    return f"http://localhost:{port}/{exchange.tenant.name}/elsewhere"


# --- bodies ------------------------------------------------------------------------------------------------


def _body(content: bytes, content_type: str = "application/json") -> Http:
    return lambda exchange: exchange.reply(200, content, content_type)


def _nothing(true: Objects) -> Objects:
    _ = [*true]
    return iter(())


def _as_it_stands(value: Any) -> Reverse:
    def say(true: Objects) -> Objects:
        _ = [*true]
        yield value

    return say


def _null(exchange: Exchange) -> None:
    value = exchange.json()
    exchange.reply(200, dict.fromkeys(value) if isinstance(value, dict) else None)


_RESPONSES = (
    Fault("a page with 200", _page(200), reverse=said(f"<!doctype html><h1>{CANARY}</h1>")),
    Fault("empty body", _body(b""), reverse=said("")),
    Fault("no JSON", _body(f"OK {CANARY}".encode()), reverse=said(f"As a model I would rather not {CANARY}")),
    Fault("JSON cut off", lambda exchange: exchange.reply(200, exchange.true().body[:-9])),
    Fault("JSON of another shape", _body(b'{"result": "success"}'), reverse=_as_it_stands({"ok": True})),
    Fault("a list", _body(b"[]"), reverse=said("[]")),
    Fault("a number", _body(b"204"), reverse=said("204")),
    Fault("null", _body(b"null"), reverse=_nothing),
    Fault("every field null", _null, reverse=lambda true: (dict.fromkeys(each) for each in true)),
    Fault("invalid UTF-8", _body(b'{"data": "\xff\xfe\xc3"}')),
    Fault("nested 100,000 deep", _body(b"[" * 100_000), reverse=said("[" * 100_000), weight="heavy"),
    Fault(
        "JSON sent as a page",
        lambda exchange: exchange.reply(200, exchange.true().body, "text/html; charset=utf-16"),
    ),
)


FAULTS: Sequence[Fault] = (*_STATUSES, *_RESPONSES, *VALUES, *TRANSPORT)
