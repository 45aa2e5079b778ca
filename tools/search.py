"""The doorway of the tool `search`."""

from collections.abc import Generator
from typing import Any

from dify_plugin import Tool
from dify_plugin.entities.tool import ToolInvokeMessage

from host.messages import respond


class SearchTool(Tool):
    """Fused passages with provenance."""

    def _invoke(self, tool_parameters: dict[str, Any]) -> Generator[ToolInvokeMessage]:
        yield from respond(self, "search", tool_parameters)
