"""The doorway of the tool `list_documents`."""

from collections.abc import Generator
from typing import Any

from dify_plugin import Tool
from dify_plugin.entities.tool import ToolInvokeMessage

from host.messages import respond


class ListDocumentsTool(Tool):
    """One page of the documents whose name holds `name`."""

    def _invoke(self, tool_parameters: dict[str, Any]) -> Generator[ToolInvokeMessage]:
        yield from respond(self, "list_documents", tool_parameters)
