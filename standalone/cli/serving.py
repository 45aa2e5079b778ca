"""`serve`: the embedded knowledge server alone, until it is interrupted."""

import argparse
import signal
import threading
from typing import Any

from standalone.cli.failures import Failed
from standalone.cli.sources import add_documents, corpus_of
from standalone.knowledge import KnowledgeServer


def register(commands: Any) -> None:
    """Add `serve`."""
    serve = commands.add_parser("serve", help="the embedded knowledge server alone")
    add_documents(serve)
    serve.add_argument("--port", type=int, default=8765, help="0 takes a free one (default 8765)")
    serve.add_argument("--api-key", default="dataset-sample", metavar="KEY", help="the key to accept")
    serve.set_defaults(run=_serve)


def _serve(options: argparse.Namespace) -> int:
    corpus = corpus_of(options)
    over = threading.Event()
    for wanted in (signal.SIGINT, signal.SIGTERM):
        signal.signal(wanted, lambda *_: over.set())
    server = KnowledgeServer(corpus, profile=options.profile, port=options.port, api_key=options.api_key)
    try:
        server.start()
    except (OSError, OverflowError) as error:
        raise Failed(f"port {options.port} cannot be used: {error}") from error
    try:
        print(f"Dify's datasets API (like {options.profile}): {server.base_url}")
        print(f"key: {server.api_key}")
        for each in corpus.collections:
            agent = f", agent:{server.agent_bases[each.name]}" if each.name in server.agent_bases else ""
            print(f"  {each.name}: {len(each.documents)} documents, {each.technique}{agent}")
        print("Ctrl-C ends it.", flush=True)
        over.wait()
    finally:
        server.close()
    return 0
