"""The commands that the guides and `make serve-plugin` show, typed as they stand. They need bash and curl."""

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from standalone.daemon import PluginProcess
from standalone.front import Front
from standalone.front.serving import said
from standalone.knowledge import KnowledgeServer, load_folder

ROOT = Path(__file__).resolve().parents[2]
KEY = "endpoint-key-for-curl"


@pytest.fixture(scope="module")
def front() -> Iterator[Front]:
    documents = load_folder(ROOT / "standalone" / "documents")
    with KnowledgeServer(documents) as knowledge, PluginProcess() as process:
        dify = {"dify_base_url": knowledge.base_url, "dify_api_key": knowledge.api_key}
        with Front(process, {**dify, "endpoint_key": KEY}) as running:
            yield running


def typed(command: str) -> Any:
    """What the command prints, which is JSON."""
    ended = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True, timeout=60)
    return json.loads(ended.stdout)


def commands(text: str) -> list[str]:
    """Those that begin with curl, up to the last line that a backslash continues."""
    return re.findall(r"^curl (?:.*\\\n)*.*$", text, re.MULTILINE)


def test_what_serve_plugin_prints_to_be_typed_finds_records(front: Front) -> None:
    (command,) = commands(said(front.base_url, KEY))
    assert "Security Desk" in typed(command)["records"][0]["content"]


def test_what_the_guide_for_mcp_shows_to_be_typed_lists_the_tools(front: Front) -> None:
    guide = (ROOT / "docs" / "guides" / "mcp-clients.md").read_text(encoding="utf-8")
    (command,) = commands(guide)
    meant = command.replace("https://dify.example.com/e/<hook>", front.base_url).replace(
        "<endpoint key>", KEY
    )
    listed = {tool["name"] for tool in typed(meant)["result"]["tools"]}
    assert {"ask", "quote", "search"} <= listed
