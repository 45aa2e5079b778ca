"""What each tool takes and gives, read from the files that declare it to Dify; MCP clients are told the same."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from host.tools import TOOLS

_PACKAGE = Path(__file__).resolve().parents[2]
SECONDS = 45  # clients wait 60 s
# The models are those of the endpoint's settings: nobody may choose the workspace's from outside.
_LEFT_OUT = frozenset({"model", "rerank_model"})
_TYPES = {"string": "string", "select": "string", "number": "number", "boolean": "boolean"}


@cache
def version() -> str:
    return str(_yaml("manifest.yaml")["version"])


def tool_list(defaults: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The tools as `tools/list` shows them; `defaults` win over those of the files."""
    return [_tool(name, defaults) for name in TOOLS]


def arguments_of(name: str) -> tuple[str, ...]:
    """The names of the arguments that a tool takes."""
    return tuple(parameter for parameter in TOOLS[name].parameters if parameter not in _LEFT_OUT)


def _tool(name: str, defaults: Mapping[str, Any]) -> dict[str, Any]:
    declared = _yaml(f"tools/{name}.yaml")
    title = declared["identity"]["label"]["en_US"]
    properties = {parameter["name"]: _property(parameter, defaults) for parameter in _parameters(name)}
    required = [parameter["name"] for parameter in _parameters(name) if parameter.get("required")]
    schema: dict[str, Any] = {"type": "object", "properties": properties, "additionalProperties": False}
    reads = "action" not in TOOLS[name].parameters
    return {
        "name": name,
        "title": title,
        "description": declared["description"]["llm"],
        "inputSchema": schema | ({"required": required} if required else {}),
        "outputSchema": _output(declared["output_schema"]),
        "annotations": {"title": title, "readOnlyHint": reads, "openWorldHint": False},
    }


def _parameters(name: str) -> list[dict[str, Any]]:
    parameters = _yaml(f"tools/{name}.yaml").get("parameters") or []
    return [parameter for parameter in parameters if parameter["name"] not in _LEFT_OUT]


def _property(parameter: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    name = parameter["name"]
    described = parameter.get("llm_description") or parameter["human_description"]["en_US"]
    schema: dict[str, Any] = {"type": _TYPES[parameter["type"]], "description": described}
    if parameter.get("options"):
        schema["enum"] = [option["value"] for option in parameter["options"]]
    for ours, theirs in (("min", "minimum"), ("max", "maximum"), ("default", "default")):
        if parameter.get(ours) is not None:
            schema[theirs] = parameter[ours]
    return schema | ({"default": defaults[name]} if name in defaults else {})


def _output(declared: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON object that Dify's workflows get too; `result` is a variable of Dify's only."""
    properties = {name: value for name, value in declared["properties"].items() if name != "result"}
    if "result" in declared["properties"]:
        about = "Passages, best first, where output is full; hand the whole object to aggregate or reflect."
        properties["passages"] = {"type": "array", "items": {"type": "object"}, "description": about}
    return {"type": "object", "properties": properties, "required": ["status", "receipt"]}


@cache
def _yaml(path: str) -> dict[str, Any]:
    value: dict[str, Any] = yaml.safe_load((_PACKAGE / path).read_text(encoding="utf-8"))
    return value
