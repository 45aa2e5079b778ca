"""`index`: builds, refreshes, shows or drops the index of a Dify server, through the plugin process."""

import argparse
import itertools
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from standalone.cli.failures import Failed
from standalone.cli.sources import add_documents, environment, source_of
from standalone.daemon import PluginError, PluginProcess

_SECONDS = 20  # between two lines of progress


def register(commands: Any) -> None:
    """Add `index`."""
    index = commands.add_parser("index", help="build, refresh, show or drop the index of a server on disk")
    index.add_argument("action", choices=("build", "refresh", "status", "drop"))
    index.add_argument("--path", type=Path, required=True, metavar="DIR", help="the folder of the index")
    index.add_argument("--base-url", metavar="URL", help="Dify's API, for example https://api.dify.ai/v1")
    index.add_argument(
        "--api-key", metavar="KEY", default=environment("DIFY_API_KEY"), help="knowledge API key"
    )
    index.add_argument("--datasets", metavar="NAMES", help="ids or names, separated by commas (default: all)")
    index.add_argument(
        "--allowed", metavar="NAMES", default="", help="the plugin's allow-list, if it has one"
    )
    add_documents(index)
    index.set_defaults(run=_index)


def _index(options: argparse.Namespace) -> int:
    """0 once all is built (or dropped), 1 where something could not be read or another process builds."""
    parameters = {"action": options.action, "datasets": options.datasets or "", "seconds": _SECONDS}
    with source_of(options) as source, PluginProcess(timeout=10 * _SECONDS) as plugin:
        own = {
            "index_home": "disk",
            "index_path": str(options.path.absolute()),
            "allowed_datasets": options.allowed,
        }
        try:
            for rounds in itertools.count():
                result = plugin.invoke_tool("index", parameters, {**source.credentials, **own})
                print(result.text if not rounds else _progress(result.json["work"]), flush=True)
                if not _goes_on(options.action, result.json):
                    break
        except PluginError as error:
            raise Failed(error.shown) from error
    return 0 if options.action in {"drop", "status"} or not result.json["work"]["unread"] else 1


def _goes_on(action: str, result: Mapping[str, Any]) -> bool:
    work = result["work"]
    return action in {"build", "refresh"} and bool(work["unread"] and work["read"]) and not work["busy"]


def _progress(work: Mapping[str, Any]) -> str:
    return f"{work['read']:,} documents more, {work['unread']:,} left, about {work['seconds_left']:.0f} s"
