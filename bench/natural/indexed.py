"""The product with an index on disk, and vectors of a sentence model in it, as a user's embedding API makes them."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from tempfile import TemporaryDirectory

from bench.rig import Bench
from host.tools import TOOLS
from host.wiring import Caller
from standalone.cli.sources import credentials_of
from standalone.knowledge import KnowledgeServer
from standalone.knowledge.sentence_model import SentenceModel
from standalone.models.servers import EmbeddingServer

_SECONDS = 240


@contextmanager
def indexed(bench: Bench, model: SentenceModel) -> Iterator[Bench]:
    """The same with an index of its own."""
    with TemporaryDirectory() as folder, EmbeddingServer(model.vectors) as api:
        index = {"index_home": "disk", "index_path": folder}
        vectors = {"embedding_base_url": api.base_url, "embedding_model": model.name}
        yield replace(bench, credentials={**bench.credentials, **index, **vectors})


def build(server: KnowledgeServer, bench: Bench) -> None:
    """Build the index to its end."""
    caller = Caller({**credentials_of(server), **bench.credentials})
    while True:
        work = TOOLS["index"].reply({"action": "build", "seconds": _SECONDS}, caller).json["work"]
        print(f"index: {work['unread']} to read, {work['unembedded']} to embed", file=sys.stderr, flush=True)
        if not work["unread"] and not work["unembedded"]:
            return
