"""The doorway of the tool `doctor`."""

from collections.abc import Generator
from typing import Any

from dify_plugin import Tool
from dify_plugin.entities.tool import ToolInvokeMessage

from host.messages import respond


class DoctorTool(Tool):
    """What works, what does not, and what to do about it; it only reads."""

    def _invoke(self, tool_parameters: dict[str, Any]) -> Generator[ToolInvokeMessage]:
        yield from respond(self, "doctor", tool_parameters)
