"""The endpoints to try out by hand: knowledge server, plugin and front, until Ctrl-C."""

import json
import secrets
import threading
from contextlib import suppress
from pathlib import Path

from standalone.daemon import PluginProcess
from standalone.front.server import Front
from standalone.knowledge import KnowledgeServer, load_folder


def serve(documents: Path, port: int) -> None:
    """Serve the documents of a folder until Ctrl-C. Raises what `load_folder` raises, OSError and PluginError."""
    knowledge = KnowledgeServer(load_folder(documents), api_key=secrets.token_hex(8))
    with knowledge, PluginProcess() as process:
        settings = {
            "dify_base_url": knowledge.base_url,
            "dify_api_key": knowledge.api_key,
            "endpoint_key": secrets.token_hex(8),
        }
        with Front(process, settings, port) as front:
            print(said(front.base_url, settings["endpoint_key"]), flush=True)
            with suppress(KeyboardInterrupt):
                threading.Event().wait()


def said(address: str, key: str) -> str:
    """What to type, once both servers run."""
    question = {"knowledge_id": "auto", "query": "How fast must a lost laptop be reported?"}
    body = json.dumps(question | {"retrieval_setting": {"top_k": 3, "score_threshold": 0.0}})
    return "\n".join(
        (
            f"External Knowledge API endpoint: {address}",
            f"MCP server (streamable HTTP):    {address}/mcp",
            f"Key of both (Bearer):            {key}",
            "",
            f"curl -s {address}/retrieval -H 'Authorization: Bearer {key}' \\",
            f"  -H 'Content-Type: application/json' -d '{body}'",
            "",
            "Ctrl-C stops.",
        )
    )
