"""The doorway of the tool `aggregate`."""

from collections.abc import Generator
from typing import Any

from dify_plugin import Tool
from dify_plugin.entities.tool import ToolInvokeMessage

from host.messages import respond


class AggregateTool(Tool):
    """An answer from passages handed in."""

    def _invoke(self, tool_parameters: dict[str, Any]) -> Generator[ToolInvokeMessage]:
        yield from respond(self, "aggregate", tool_parameters)
