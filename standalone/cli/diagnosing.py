"""`doctor`: whether the plugin can work with a Dify server, line by line."""

import argparse
from typing import Any, get_args

from rich.markdown import Markdown

from host.parameters import Language
from standalone.cli.printing import lines, print_json
from standalone.cli.sources import add_documents, add_server, credentials_of_models, plugin_process, source_of


def register(commands: Any) -> None:
    """Add `doctor`."""
    doctor = commands.add_parser("doctor", help="check address, key, version, models and clock; only reads")
    add_server(doctor)
    add_documents(doctor)
    doctor.add_argument("--allowed", metavar="NAMES", default="", help="the allow-list to check")
    doctor.add_argument("--language", choices=get_args(Language.__value__), default="en_US")
    doctor.add_argument("--json", action="store_true", help="the lines as JSON")
    doctor.set_defaults(run=_examine)


def _examine(options: argparse.Namespace) -> int:
    with source_of(options) as source, plugin_process() as plugin:
        credentials = {**source.credentials, **credentials_of_models(), "allowed_datasets": options.allowed}
        result = plugin.invoke_tool("doctor", {"language": options.language}, credentials)
    if options.json:
        print_json(result.json)
    else:
        print("\n".join(lines(source.told, Markdown(result.text))))
    return 1 if "failed" in {check["state"] for check in result.json["checks"]} else 0
