"""`tools/call`: a tool is done for an MCP client, with the endpoint's settings as its credentials."""

from collections.abc import Mapping
from typing import Any

from evidence.errors import InvalidRequest
from host.boundary import boundary
from host.mcp.declared import SECONDS, arguments_of
from host.mcp.messages import INVALID_PARAMS, LINKS_SINCE, RpcError
from host.parameters import text
from host.replies import quietly
from host.tools import TOOLS
from host.view.links import for_models
from host.web import EndpointFailure
from host.wiring import Caller


def defaults_of(settings: Mapping[str, Any]) -> dict[str, Any]:
    """What an argument is where the client leaves it out."""
    effort = text(settings, "effort")
    return {"seconds": SECONDS} | ({"effort": effort} if effort else {})


def called(params: Mapping[str, Any], caller: Caller, version: str) -> dict[str, Any]:
    """The result of a tool, with links to its proofs where the version knows them.

    What a tool refuses is told to the model (`isError`), so that it can do better. Raises RpcError for a tool that does
    not exist, or arguments that are no object.
    """
    name, given = params.get("name"), params.get("arguments")
    if not isinstance(name, str) or name not in TOOLS:
        raise RpcError(INVALID_PARAMS, f"Unknown tool: {str(name)[:60]}; there are {', '.join(TOOLS)}")
    if given is not None and not isinstance(given, dict):
        raise RpcError(INVALID_PARAMS, "the arguments of a tool must be an object")
    try:
        with boundary(EndpointFailure):
            reply = TOOLS[name].reply(_parameters(name, given or {}, caller.credentials), caller)
    except EndpointFailure as error:
        return {"content": [{"type": "text", "text": str(error)}], "isError": True}
    quietly(reply.afterwards)
    content = [{"type": "text", "text": for_models(reply.text)}]
    if version >= LINKS_SINCE:
        content += [_link(name, url) for name, url in reply.links]
    return {"content": content, "structuredContent": reply.json, "isError": False}


def _link(name: str, url: str) -> dict[str, str]:
    return {"type": "resource_link", "uri": url, "name": name, "mimeType": "text/html"}


def _parameters(name: str, given: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, Any]:
    taken = arguments_of(name)
    strange = sorted(given.keys() - set(taken))
    if strange:
        known = ", ".join(taken) or "nothing"
        raise InvalidRequest(f"{name} takes no `{strange[0][:60]}`; it takes {known}")
    defaults = {key: value for key, value in defaults_of(settings).items() if key in taken}
    return defaults | {key: value for key, value in given.items() if value is not None}
