"""The doorway of the tool `reflect`."""

from collections.abc import Generator
from typing import Any

from dify_plugin import Tool
from dify_plugin.entities.tool import ToolInvokeMessage

from host.messages import respond


class ReflectTool(Tool):
    """A verdict on an answer handed in with its passages."""

    def _invoke(self, tool_parameters: dict[str, Any]) -> Generator[ToolInvokeMessage]:
        yield from respond(self, "reflect", tool_parameters)
