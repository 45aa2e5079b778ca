"""The doorway of the tool `discover`."""

from collections.abc import Generator
from typing import Any

from dify_plugin import Tool
from dify_plugin.entities.tool import ToolInvokeMessage

from host.messages import respond


class DiscoverTool(Tool):
    """Ranked documents with reasons."""

    def _invoke(self, tool_parameters: dict[str, Any]) -> Generator[ToolInvokeMessage]:
        yield from respond(self, "discover", tool_parameters)
