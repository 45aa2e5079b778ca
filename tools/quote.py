"""The doorway of the tool `quote`."""

from collections.abc import Generator
from typing import Any

from dify_plugin import Tool
from dify_plugin.entities.tool import ToolInvokeMessage

from host.messages import respond


class QuoteTool(Tool):
    """Verbatim quotes that answer; no model is called."""

    def _invoke(self, tool_parameters: dict[str, Any]) -> Generator[ToolInvokeMessage]:
        yield from respond(self, "quote", tool_parameters)
