"""The doorway of the tool `list_datasets`."""

from collections.abc import Generator
from typing import Any

from dify_plugin import Tool
from dify_plugin.entities.tool import ToolInvokeMessage

from host.messages import respond


class ListDatasetsTool(Tool):
    """The datasets that the key and the allow-list permit."""

    def _invoke(self, tool_parameters: dict[str, Any]) -> Generator[ToolInvokeMessage]:
        yield from respond(self, "list_datasets", tool_parameters)
