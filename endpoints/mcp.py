"""The doorway of MCP clients."""

from collections.abc import Mapping
from typing import Any

from dify_plugin import Endpoint
from werkzeug import Request, Response

from host.mcp.answering import answer_mcp
from host.web import request_of, response_of
from host.wiring import Caller


class McpEndpoint(Endpoint):
    """The tools, for programs that speak MCP."""

    def _invoke(self, r: Request, _values: Mapping[str, Any], settings: Mapping[str, Any]) -> Response:
        return response_of(answer_mcp(request_of(r), Caller(settings, self.session)))
