"""The endpoints to try out by hand: knowledge server, plugin and front, until Ctrl-C."""

import json
import secrets
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from standalone.cli.sources import SAMPLES, ChatModel
from standalone.daemon import PluginProcess, ToolResult
from standalone.front.server import HOOK, Front
from standalone.knowledge import KnowledgeServer, load_folder
from standalone.page.trying import TryPage

EXAMPLES = (  # of the sample documents: two that disagree, a comparison, a figure, and two in other languages
    "How long may we keep the interview notes of applicants whom we did not hire?",
    "Compare the notice periods for termination in the Halden and Tessaly agreements",
    "How fast must a lost laptop be reported?",
    "员工生育可以享受多少天产假？",
    "購買の承認が必要な金額はいくらからですか？",
)


def serve(documents: Path, port: int, model: ChatModel | None = None) -> None:
    """Serve the documents of a folder until Ctrl-C. Raises what `load_folder` raises, OSError and PluginError."""
    knowledge = KnowledgeServer(load_folder(documents), api_key=secrets.token_hex(8))
    with knowledge, PluginProcess(on_invoke=model.handler) if model else PluginProcess() as process:
        settings = settings_before(knowledge, secrets.token_hex(8))
        examples = EXAMPLES if documents.resolve() == SAMPLES else ()
        with Front(process, settings, port, TryPage(asking(process, settings, model), examples)) as front:
            settings["proof_url"] = front.base_url
            print(said(front.base_url, settings["endpoint_key"]), flush=True)
            with suppress(KeyboardInterrupt):
                threading.Event().wait()


def settings_before(knowledge: KnowledgeServer, key: str) -> dict[str, str]:
    """Settings of the endpoints before a knowledge server; the key also signs the links to proofs."""
    server = {"dify_base_url": knowledge.base_url, "dify_api_key": knowledge.api_key}
    return server | {"endpoint_key": key, "proof_key": f"proofs of {key}"}


def asking(
    process: PluginProcess, settings: Mapping[str, str], model: ChatModel | None
) -> Callable[[str], ToolResult]:
    """Asks a question: with a model the tool `ask`, without one `quote`."""
    tool, chosen = ("ask", {"model": model.selector}) if model else ("quote", {})
    return lambda question: process.invoke_tool(tool, {"query": question, **chosen}, settings)


def said(address: str, key: str) -> str:
    """What to type, once both servers run."""
    question = {"knowledge_id": "auto", "query": "How fast must a lost laptop be reported?"}
    body = json.dumps(question | {"retrieval_setting": {"top_k": 3, "score_threshold": 0.0}})
    return "\n".join(
        (
            f"Page to try it:                  {address.removesuffix(f'e/{HOOK}')}",
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
