"""`serve-plugin`: the plugin's endpoints behind a local HTTP front, until it is interrupted."""

import argparse
from pathlib import Path
from typing import Any

from standalone.cli.failures import Failed
from standalone.cli.sources import model_of_environment
from standalone.daemon import PluginError
from standalone.front import serve


def register(commands: Any) -> None:
    """Add `serve-plugin`."""
    front = commands.add_parser(
        "serve-plugin", help="the plugin's endpoints over HTTP, and a page to try them"
    )
    front.add_argument("--documents", type=Path, required=True, metavar="DIR")
    front.add_argument("--port", type=int, default=8765, help="0 takes a free one (default 8765)")
    front.set_defaults(run=_serve)


def _serve(options: argparse.Namespace) -> int:
    try:
        serve(options.documents, options.port, model_of_environment())
    except (OSError, OverflowError, ValueError, PluginError) as error:
        raise Failed(f"the plugin cannot be served: {error}") from error
    return 0
