"""The doorway of the tool `evaluate`."""

from collections.abc import Generator
from typing import Any

from dify_plugin import Tool
from dify_plugin.entities.tool import ToolInvokeMessage

from host.messages import respond


class EvaluateTool(Tool):
    """Questions held to what is expected of their answers; it only reads."""

    def _invoke(self, tool_parameters: dict[str, Any]) -> Generator[ToolInvokeMessage]:
        yield from respond(self, "evaluate", tool_parameters)
