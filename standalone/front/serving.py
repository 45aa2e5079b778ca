"""The endpoints to try out by hand: knowledge server, plugin and front, until Ctrl-C."""

import json
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
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
    """Serve the documents of a folder until Ctrl-C. Raises what `fronted` raises."""
    with fronted(documents, port, model) as front:
        print(said(front.base_url, front.settings["endpoint_key"]), flush=True)
        with suppress(KeyboardInterrupt):
            threading.Event().wait()


@contextmanager
def fronted(documents: Path, port: int = 0, model: ChatModel | None = None) -> Iterator[Front]:
    """The endpoints over the documents of a folder, and the page to try them.

    Raises what `load_folder` raises, OSError and PluginError.
    """
    knowledge = KnowledgeServer(load_folder(documents), api_key=secrets.token_hex(8))
    with knowledge, PluginProcess(on_invoke=model.handler) if model else PluginProcess() as process:
        key = secrets.token_hex(8)
        settings = {"dify_base_url": knowledge.base_url, "dify_api_key": knowledge.api_key}
        settings |= {"endpoint_key": key, "proof_key": f"proofs of {key}"}
        tool, chosen = ("ask", {"model": model.selector}) if model else ("quote", {})

        def ask(question: str) -> ToolResult:
            return process.invoke_tool(tool, {"query": question, **chosen}, settings)

        examples = EXAMPLES if documents.resolve() == SAMPLES else ()
        with Front(process, settings, port, TryPage(ask, examples)) as front:
            settings["proof_url"] = front.base_url
            yield front


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
