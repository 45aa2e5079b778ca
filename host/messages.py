"""Replies become Dify's messages."""

from collections.abc import Generator, Iterator, Mapping
from typing import Any

from dify_plugin import Tool
from dify_plugin.config.logger_format import plugin_logger_handler
from dify_plugin.entities.tool import ToolInvokeMessage
from dify_plugin.errors.model import InvokeBadRequestError

from host.admission import LARGE_REQUESTS, size_of
from host.boundary import boundary, logger
from host.parameters import SECONDS, number
from host.replies import Reply, quietly
from host.tools import TOOLS, ToolRow
from host.view.compact import brief
from host.view.links import for_models
from host.wiring import Caller

logger.addHandler(plugin_logger_handler)
logger.propagate = False  # the SDK's handler writes the daemon's own form; a second one would not


class QuietJson(ToolInvokeMessage.JsonMessage):
    """JSON that an agent app does not put before its model: the text says the same in fewer words."""

    suppress_output: bool = True


def respond(tool: Tool, name: str, parameters: Mapping[str, Any]) -> Generator[ToolInvokeMessage]:
    """Do the job of the tool of that name and send its reply.

    Raises InvokeBadRequestError, one line: Dify passes it on as it is, and wraps every exception that it does not
    know in "please contact the author".
    """
    row = TOOLS[name]
    with boundary(InvokeBadRequestError):
        with LARGE_REQUESTS.admitted(size_of(parameters), number(parameters, SECONDS)) as waited:
            reply = row.reply(parameters, Caller(tool.runtime.credentials, tool.session, waited))
        if read_by_a_model(tool.session, row, parameters):
            yield from _for_a_model(tool, reply)
        else:
            yield from _for_a_workflow(tool, reply)
        quietly(reply.afterwards)


def read_by_a_model(session: Any, row: ToolRow[Any], parameters: Mapping[str, Any]) -> bool:
    """Whether the messages are written before an agent's model, as Dify 1.10 to 1.13 do.

    An agent app names the message that it answers. An Agent node invokes a tool as another plugin would, from no app,
    and fills in the whole form, which a workflow's node does not; a form with one field tells nothing.
    """
    if session.message_id or session.app_id:
        return bool(session.message_id)
    form = {
        parameter.name for parameter in row.takes if parameter.form == "form" and parameter.name != "model"
    }
    return len(form) > 1 and form <= parameters.keys()


def _for_a_model(tool: Tool, reply: Reply) -> Iterator[ToolInvokeMessage]:
    """The text and little else: an agent's model would read every variable and the whole JSON besides."""
    yield tool.create_text_message(for_models(reply.text))
    kind = ToolInvokeMessage.MessageType.JSON
    yield ToolInvokeMessage(type=kind, message=QuietJson(json_object=brief(reply.json)))


def _for_a_workflow(tool: Tool, reply: Reply) -> Iterator[ToolInvokeMessage]:
    yield tool.create_text_message(reply.text)
    yield tool.create_json_message(reply.json)
    for name, value in reply.variables.items():
        yield tool.create_variable_message(name, value)
