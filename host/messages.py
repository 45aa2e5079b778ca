"""Replies become Dify's messages."""

from collections.abc import Callable, Generator, Iterator, Mapping
from typing import Any

from dify_plugin import Tool
from dify_plugin.config.logger_format import plugin_logger_handler
from dify_plugin.entities.tool import ToolInvokeMessage
from dify_plugin.errors.model import InvokeBadRequestError

from host.boundary import boundary, logger
from host.replies import Reply, quietly
from host.wiring import Caller

_RESERVED = frozenset({"text", "json", "files"})

logger.addHandler(plugin_logger_handler)
logger.propagate = False  # the SDK's handler writes the daemon's own form; a second one would not


class QuietJson(ToolInvokeMessage.JsonMessage):
    """JSON that the agent app does not put before its model: the text says the same in fewer words."""

    suppress_output: bool = True


def respond(
    tool: Tool, job: Callable[[Mapping[str, Any], Caller], Reply], parameters: Mapping[str, Any]
) -> Generator[ToolInvokeMessage]:
    """Do the job and send its reply.

    Raises InvokeBadRequestError, one line: Dify passes it on as it is, and wraps every exception that it does not
    know in "please contact the author".
    """
    with boundary(InvokeBadRequestError):
        reply = job(parameters, Caller(tool.runtime.credentials, tool.session))
        yield from _messages(tool, reply)
        quietly(reply.afterwards)


def _messages(tool: Tool, reply: Reply) -> Iterator[ToolInvokeMessage]:
    """Dify's agent app sets a message id and writes variables and JSON as text before its model."""
    in_agent_app = bool(tool.session.message_id)
    yield tool.create_text_message(reply.text)
    if in_agent_app and not reply.json_is_input:
        kind = ToolInvokeMessage.MessageType.JSON
        yield ToolInvokeMessage(type=kind, message=QuietJson(json_object=reply.json))
    else:
        yield tool.create_json_message(reply.json)
    if not in_agent_app:
        for name, value in reply.variables.items():
            if name not in _RESERVED and value is not None:
                yield tool.create_variable_message(name, value)
