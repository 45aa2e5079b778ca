"""Write what Dify reads of the tools, the credentials and the endpoints: `python -m standalone.declarations`.

Rows, parameters and their bounds are those of `host/tools.py` and `host/parameters.py`; the words are in `texts.yaml`.
"""

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from host.parameters import ANY, Choice, Number, Parameter
from host.tools import TOOLS, ToolRow

ROOT = Path(__file__).resolve().parent.parent
LANGUAGES = ("en_US", "zh_Hans", "ja_JP", "pt_BR")  # the order of every text in texts.yaml
PROVIDER, GROUP = "provider/context_aware_retriever.yaml", "group/retrieval.yaml"
_SPOKEN = frozenset({"label", "help", "placeholder"})

type Texts = Mapping[str, Any]


def declarations() -> dict[str, str]:
    """The files by path; raises KeyError for a tool or a parameter without words."""
    texts, manifest = _read(ROOT / "standalone" / "texts.yaml"), _read(ROOT / "manifest.yaml")
    files = {f"tools/{row.name}.yaml": _tool(row, manifest["author"], texts) for row in TOOLS.values()}
    files |= {PROVIDER: _provider(manifest, texts), GROUP: _group(texts)}
    return {path: _written(value) for path, value in files.items()}


def _tool(row: ToolRow[Any], author: str, texts: Texts) -> dict[str, Any]:
    own = texts["tools"][row.name]
    words = {
        name: texts["parameters"][name] | own.get("parameters", {}).get(name, {}) for name in row.parameters
    }
    shapes = {
        name: texts["variables"][name] | own.get("variables", {}).get(name, {}) for name in row.variables
    }
    return {
        "identity": {"name": row.name, "author": author, "label": _four(own["label"])},
        "description": {"human": _four(own["human"]), "llm": own["llm"]},
        "parameters": [_parameter(each, words[each.name]) for each in row.takes],
        "output_schema": {"type": "object", "properties": shapes},
        "extra": {"python": {"source": f"tools/{row.name}.py"}},
    }


def _parameter(parameter: Parameter, words: Texts) -> dict[str, Any]:
    declared: dict[str, Any] = {"name": parameter.name, "type": parameter.type}
    if parameter.type == "model-selector":
        declared["scope"] = "llm"
    declared |= {"required": parameter.required, "form": parameter.form}
    if isinstance(parameter, Number):
        declared |= {"default": parameter.default, "min": parameter.lowest}
        declared |= {"max": parameter.highest} if parameter.highest < ANY else {}
    if isinstance(parameter, Choice):
        declared["default"] = parameter.default
    declared |= {name: _four(words[name]) for name in ("label", "human_description")}
    declared["llm_description"] = words["llm_description"]
    return declared | (_options(parameter.choices, words["options"]) if isinstance(parameter, Choice) else {})


def _provider(manifest: Mapping[str, Any], texts: Texts) -> dict[str, Any]:
    shared = ("author", "name", "label", "description", "icon", "icon_dark", "tags")
    fields = (name for name, field in texts["fields"].items() if not field.get("endpoint"))
    return {
        "identity": {name: manifest[name] for name in shared},
        "credentials_for_provider": {name: _field(name, texts) for name in fields},
        "tools": [f"tools/{name}.yaml" for name in TOOLS],
        "extra": {"python": {"source": PROVIDER.replace(".yaml", ".py")}},
    }


def _group(texts: Texts) -> dict[str, Any]:
    """An endpoint does not see the credentials: it has the same fields, and some of its own."""
    settings = [{"name": name} | _field(name, texts) for name in texts["fields"]]
    return {"settings": settings, "endpoints": [f"endpoints/{name}.yaml" for name in texts["endpoints"]]}


def _field(name: str, texts: Texts) -> dict[str, Any]:
    field: dict[str, Any] = {}
    for key, value in texts["fields"][name].items():
        if key == "options":
            field |= _options(
                value, value if isinstance(value, dict) else texts["parameters"][name]["options"]
            )
        elif key != "endpoint":
            field[key] = _four(value) if key in _SPOKEN else value
    return field


def _options(values: Iterable[str], words: Texts) -> dict[str, Any]:
    return {"options": [{"value": value, "label": _four(words[value])} for value in values]}


def _four(text: str | Sequence[str]) -> dict[str, str]:
    """A text in each language; one that is written once reads the same in all."""
    each = [text] * len(LANGUAGES) if isinstance(text, str) else text
    return dict(zip(LANGUAGES, each, strict=True))


class _Plain(yaml.SafeDumper):
    """Lists stand below their names, indented; nothing is an alias of anything."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002 - as its base has it
        super().increase_indent(flow, indentless=False)

    def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002 - as its base has it
        return True


def _written(value: Mapping[str, Any]) -> str:
    return yaml.dump(value, Dumper=_Plain, allow_unicode=True, sort_keys=False, width=10**9)


def _read(path: Path) -> dict[str, Any]:
    value: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return value


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the files that differ, and print their paths; 1 where a tool or a parameter has no words yet."""
    parser = argparse.ArgumentParser(prog="python -m standalone.declarations", description=__doc__)
    parser.parse_args(arguments)
    try:
        files = declarations()
    except KeyError as error:
        print(f"standalone/texts.yaml has no words for {error}", file=sys.stderr)
        return 1
    for path, text in files.items():
        if not (ROOT / path).exists() or (ROOT / path).read_text(encoding="utf-8") != text:
            (ROOT / path).write_text(text, encoding="utf-8")
            print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
