"""One process serves all workspaces: what one of them stores or asks does not keep the others waiting."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from conftest import KEY, QUESTION, Plugin

from standalone.knowledge import Collection, Corpus, KnowledgeServer, SourceDocument, SourceSegment

SIZE = 100_000  # characters
HOSTILE = (
    "1 " * (SIZE // 2),
    "x" * 4 * SIZE,
    f"A stolen laptop{' ' * SIZE}is reported.",
    "7" * SIZE,
    "的" * SIZE,
    "[(" * (SIZE // 2),
    "12 March 2024, USD 1,000.50, 10% of " * (SIZE // 36),
    "A stolen\nlaptop\n" * (SIZE // 16),
)
DOCUMENTS = 300
NAME = "1.1." * 62
ENOUGH = 5  # answers


@pytest.fixture
def hostile() -> Iterator[KnowledgeServer]:
    """A megabyte in one document, among many of long names."""
    texts = [HOSTILE, *[("A laptop.",)] * (DOCUMENTS - 1)]
    documents = tuple(
        SourceDocument(f"{NAME}{number}", segments=tuple(map(SourceSegment, parts)))
        for number, parts in enumerate(texts)
    )
    with KnowledgeServer(Corpus((Collection("hostile", documents, "economy"),)), api_key=KEY) as running:
        yield running


def test_a_megabyte_of_hostile_texts_keeps_no_other_workspace_waiting(
    plugin: Plugin, hostile: KnowledgeServer
) -> None:
    delivered, answered = threading.Event(), threading.Event()

    def watch(_method: str, path: str) -> None:
        if path.endswith("/segments"):
            delivered.set()

    def ask() -> None:
        credentials = {"dify_base_url": hostile.base_url, "dify_api_key": KEY}
        plugin.run("quote", query=QUESTION, documents=f"{NAME}0", credentials=credentials)
        answered.set()

    hostile.faults = watch
    plugin.run("list_datasets")
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(ask)
        delivered.wait()
        served = 0
        while served < ENOUGH and not answered.is_set():
            plugin.run("list_datasets")
            served += not answered.is_set()
        asked.result()
    assert ENOUGH == served
