"""The doorway of the tool `ask`."""

from collections.abc import Generator
from typing import Any

from dify_plugin import Tool
from dify_plugin.entities.tool import ToolInvokeMessage

from host.messages import respond


class AskTool(Tool):
    """A cited answer."""

    def _invoke(self, tool_parameters: dict[str, Any]) -> Generator[ToolInvokeMessage]:
        yield from respond(self, "ask", tool_parameters)
