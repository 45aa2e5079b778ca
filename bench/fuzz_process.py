"""The same inputs through the plugin's process: what the doorways, the SDK and the boundary make of them."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from bench.fault_proxy import Tenant
from bench.fuzz_border import Border, must
from bench.fuzz_inputs import Inputs
from bench.fuzz_values import make_mcp, make_parameters, make_retrieval, schemas
from bench.judging import unclear
from bench.stand import Heard, Stand, Tool
from standalone.daemon import PluginError

_NOT_HERE = {"model", "rerank_model", "seconds"}  # there are no models, and all the time that is needed
_STATUSES = {200, 202, 400, 403, 404, 413, 503}


def borders(stand: Stand) -> Sequence[Border]:
    """Over one tenant whose server answers truly."""
    tenant = stand.tenant()
    return (
        Border("tools of the process", 8, make_parameters, lambda made: _tool(stand, tenant, made)),
        Border(
            "External Knowledge of the process", 8, make_retrieval, lambda made: _post(stand, tenant, made)
        ),
        Border("MCP of the process", 8, _make_call, lambda made: _post(stand, tenant, made, "/mcp")),
    )


def _make_call(inputs: Inputs) -> Any:
    """Mostly a call of a tool."""
    if inputs.chance(0.3):
        return make_mcp(inputs)["body"]
    made = make_parameters(inputs)
    known = {each["name"] for each in schemas()[made["tool"]]}
    arguments = {name: value for name, value in made["given"].items() if name in known}
    params = {"name": made["tool"], "arguments": arguments}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    return json.dumps(body)


def _tool(stand: Stand, tenant: Tenant, made: Mapping[str, Any]) -> None:
    tool: Tool = made["tool"]
    given = {name: value for name, value in made["given"].items() if name not in _NOT_HERE}
    _mind(stand.call(tool, tenant, **_as_sent(given)))


def _as_sent(given: Mapping[str, Any]) -> Any:
    """As Dify's daemon sends it: half a character becomes a question mark, which the SDK would not read."""
    return json.loads(json.dumps(given, ensure_ascii=False).encode("utf-8", "replace"))


def _post(stand: Stand, tenant: Tenant, made: str, path: str = "/retrieval") -> None:
    try:
        answer = stand.post(path, made.encode("latin-1", "replace"), tenant)
    except PluginError as error:
        _mind(Heard(0.0, error.message, error.error_type))
        return
    must(answer.status in _STATUSES, f"status {answer.status}")
    _mind(Heard(0.0, messages=(json.loads(answer.body),) if answer.body else ()))


def _mind(heard: Heard) -> None:
    must(
        heard.error_type not in {"Timeout", "PluginDied", "LineTooLong"},
        f"{heard.error_type} {heard.error[:100]}",
    )
    for why in unclear(heard):
        must(False, why)
