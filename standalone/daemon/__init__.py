"""Stand-in for Dify's plugin daemon: runs the plugin as Dify does, over stdio, with no Dify.

`with PluginProcess() as plugin: plugin.invoke_tool("ask", {...}, {...}).json`
"""

from standalone.daemon.process import PluginProcess
from standalone.daemon.results import EndpointResult, PluginError, ToolResult
from standalone.daemon.reverse import Handler, ReverseError, first_of
from standalone.daemon.storage import MemoryStorage

__all__ = [
    "EndpointResult",
    "Handler",
    "MemoryStorage",
    "PluginError",
    "PluginProcess",
    "ReverseError",
    "ToolResult",
    "first_of",
]
