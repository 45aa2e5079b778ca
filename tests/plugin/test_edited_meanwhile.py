"""Through the plugin's process: what was edited since it was read is quoted as it stands, and says when it was read."""

import json
from collections.abc import Iterator

import pytest

from standalone.knowledge import KnowledgeServer, load_folder
from tests.plugin.conftest import DOCUMENTS, KEY, SELECTOR, Plugin

QUESTION = "How long may we keep the interview notes of applicants whom we did not hire?"


@pytest.fixture
def edited(plugin: Plugin) -> Iterator[Plugin]:
    """A server of its own that was asked and read, and whose clause was edited then."""
    with KnowledgeServer(load_folder(DOCUMENTS), "1.13.3", api_key=KEY) as server:
        other = Plugin(plugin.process, server, plugin.workspace)
        before = other.run("quote", query=QUESTION).json
        assert any("6 months" in each["quote"] for each in before["citations"])
        clause = next(key for key, text in server.owner.segments().items() if "are kept for 6 months" in text)
        content = server.owner.segments()[clause]
        server.owner.edit_segment(clause, content.replace("6 months", "5 months"))
        yield other


def test_a_quote_is_the_text_of_now_and_tells_when_it_was_read(edited: Plugin) -> None:
    after = edited.run("quote", query=QUESTION).json
    quotes = [each["quote"] for each in after["citations"]]
    assert any("5 months" in quote for quote in quotes), after["answer"]
    assert not any("6 months" in quote for quote in quotes)
    assert {"verified"} == {each["freshness"] for each in after["citations"]}
    assert all(each["read_at"].endswith("Z") for each in after["citations"])


def test_passages_handed_on_are_read_again_before_they_are_quoted(edited: Plugin) -> None:
    stale = edited.run("search", query=QUESTION).json
    for passage in stale["passages"]:
        passage["text"] = passage["text"].replace("5 months", "6 months")
    said = edited.run(
        "aggregate", query=QUESTION, passages=json.dumps(stale), model=SELECTOR, effort="extractive"
    ).json
    assert any("5 months" in each["quote"] for each in said["citations"])
    assert not any("6 months" in each["quote"] for each in said["citations"])
