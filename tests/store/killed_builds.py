"""Builds an index in a folder, killed twenty times on the way: `python -m tests.store.killed_builds DIR`.

Prints, as JSON, in which call or write each was killed, and what one undisturbed build then had left to read.
"""

import json
import os
import random
import signal
import sys
from pathlib import Path

from evidence.cache import Cache
from evidence.corpus.building import build
from evidence.limits import Limits
from evidence.model import Document, Page, Segment
from evidence.store.database import Database
from evidence.store.disk import DiskStore
from tests.fakes import FakeKnowledge, Holding, holding, metered

KILLS = 20
BASE: Holding = holding(
    "Base", {f"Paper {at}.txt": [f"Paper {at} says {at * part}." for part in range(9)] for at in range(250)}
)


class Mortal(FakeKnowledge):
    """Kills its process, as a machine that runs out of memory does, after so many documents."""

    def __init__(self, life: int) -> None:
        super().__init__(BASE)
        self._life = life

    def segments(self, document: Document, page: int, keyword: str = "", limit: int = 100) -> Page[Segment]:
        if len(self.asked("segments")) >= self._life:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().segments(document, page, keyword, limit)


def built(folder: Path, knowledge: FakeKnowledge) -> DiskStore:
    store = DiskStore(Database(str(folder)), "one")
    limits = Limits(knowledge_calls=10_000, workers=3)
    build([BASE[0]], metered(knowledge, cache=Cache(store=store), limits=limits))
    return store


def main(folder: Path) -> None:
    lives = random.Random(7)
    ended = []
    for _ in range(KILLS):
        child = os.fork()
        if not child:
            built(folder, Mortal(lives.randrange(1, 12)))
            os._exit(0)
        lives.random()
        ended.append(os.WTERMSIG(os.waitpid(child, 0)[1]))
    last = FakeKnowledge(BASE)
    store = built(folder, last)
    texts = store.texts(list(BASE[1]))
    same = {key: [segment.text for segment in text.segments] for key, text in texts.items()}
    whole = {document.document_id: [s.text for s in segments] for document, segments in BASE[1].items()}
    json.dump({"ended": ended, "left": len(last.asked("segments")), "same": same == whole}, sys.stdout)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
