"""What comes back from a plugin: values, or one error."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

# The exceptions of the SDK that Dify knows by their names: it passes their message on as it is.
_PASSED_ON = frozenset(
    {
        "CredentialsValidateFailedError",
        "InvokeAuthorizationError",
        "InvokeBadRequestError",
        "InvokeConnectionError",
        "InvokeRateLimitError",
        "InvokeServerUnavailableError",
    }
)
_OWN = frozenset({"NotStarted", "Timeout", "PluginDied", "LineTooLong", "Refused", "EmptyAnswer"})
_PLUGIN = "currently running plugin"


class PluginError(Exception):
    """The plugin refused, failed, fell silent or died.

    `error_type` is the class name of the plugin's exception, or one of the daemon's own:
    `NotStarted`, `Timeout`, `PluginDied`, `LineTooLong`. `details` is what the SDK sends besides: the traceback.
    """

    def __init__(self, error_type: str, message: str, details: Mapping[str, Any] | None = None) -> None:
        super().__init__(f"{error_type}: {message}")
        self.error_type = error_type
        self.message = message
        self.details = dict(details or {})

    @property
    def shown(self) -> str:
        """What a person reads at a workflow's node that failed, and an agent's model as the tool's answer."""
        if self._passed_on:
            return self.message
        return (
            f"An error occurred in the {_PLUGIN}, please contact the author of {_PLUGIN} for help, "
            f"error type: {self.error_type}, error details: {self.message}"
        )

    @property
    def shown_when_saving(self) -> str:
        """What a person reads who saves credentials: an exception that Dify does not know comes with its traceback."""
        if self._passed_on:
            return self.message
        whole = {"error_type": self.error_type, "message": self.message, "args": self.details}
        return f"PluginInvokeError: {json.dumps(whole)}"

    @property
    def _passed_on(self) -> bool:
        return self.error_type in _PASSED_ON or self.error_type in _OWN


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The messages of one tool invocation, in the order they were sent.

    A message is `{"type": "text" | "json" | "variable" | "log" | …, "message": {…}}`.
    """

    raw: tuple[Mapping[str, Any], ...]

    def _messages(self, kind: str) -> list[Mapping[str, Any]]:
        return [message["message"] for message in self.raw if message["type"] == kind]

    @property
    def text(self) -> str:
        """All text messages, joined as Dify's tool node joins them."""
        return "".join(message["text"] for message in self._messages("text"))

    @property
    def json(self) -> dict[str, Any]:
        """The last json message; empty where the tool sent none."""
        objects = [message["json_object"] for message in self._messages("json")]
        return dict(objects[-1]) if objects else {}

    @property
    def variables(self) -> dict[str, Any]:
        """Variables by name; streamed pieces of one name are appended, as Dify does."""
        values: dict[str, Any] = {}
        for message in self._messages("variable"):
            name, value = message["variable_name"], message["variable_value"]
            values[name] = values.get(name, "") + value if message.get("stream") else value
        return values


@dataclass(frozen=True, slots=True)
class EndpointResult:
    """An HTTP answer of an endpoint, or one piece of it while it streams."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        """The body as JSON; raises ValueError where it is none."""
        return json.loads(self.body)

    @classmethod
    def joined(cls, pieces: Iterable["EndpointResult"]) -> "EndpointResult":
        """One answer out of its pieces; the first piece carries status and headers."""
        parts = list(pieces)
        if not parts:
            raise PluginError("EmptyAnswer", "the endpoint ended without an answer")
        return cls(parts[0].status, parts[0].headers, b"".join(part.body for part in parts))
