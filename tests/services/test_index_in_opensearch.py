"""The index in a real OpenSearch, as `make opensearch` starts it: the same answers as from disk, for several processes.

They need Java and OpenSearch's minimal distribution, which Maven fetches.
"""

import subprocess
from collections.abc import Iterator
from dataclasses import replace
from uuid import uuid4

import pytest

from evidence import pipeline
from evidence.cache import Cache
from evidence.context import Context
from evidence.corpus.building import IndexReport, build
from evidence.http.client import Client
from evidence.limits import Limits
from evidence.model import Outcome, Question
from evidence.settings import Settings
from evidence.store.opensearch import OpenSearchStore
from evidence.store.search_server import SearchServer
from standalone.opensearch import running
from tests.fakes import FakeEmbedder, FakeKnowledge, Holding, degraded, holding, metered

WORDS = ("anchor berth crane dock engine ferry gangway harbour islet jetty keel lantern mast").split()
NEEDLE = Question("Where does the sextant of Ivarsen lie?")


def _base(documents: int, needle: int) -> Holding:
    texts = {
        f"Paper {at:04}.txt": [f"The {WORDS[at % 13]} of paper {at} is painted.", "No more."]
        for at in range(documents)
    }
    texts[f"Paper {needle:04}.txt"].append("The sextant of Ivarsen lies in the cedar chest.")
    dataset, held = holding("Base", texts)
    return dataset, {replace(key, version=str(len(value))): value for key, value in held.items()}


BASE = _base(410, 333)
SMALL = _base(12, 7)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with running() as address:
        yield address


@pytest.fixture
def scope() -> str:
    """Of a test alone."""
    return uuid4().hex


@pytest.fixture(scope="module")
def server(address: str) -> Iterator[SearchServer]:
    with Client(address, service="index") as client:
        yield SearchServer(client)


def _store(server: SearchServer, scope: str) -> OpenSearchStore:
    """As another process has it: it knows nothing of the indices that are there."""
    return OpenSearchStore(SearchServer(server.client), scope)


def _context(store: OpenSearchStore, base: Holding) -> Context:
    return metered(FakeKnowledge(base), cache=Cache(store=store), limits=Limits(knowledge_calls=10_000))


def _built(store: OpenSearchStore, base: Holding) -> IndexReport:
    return build([base[0]], _context(store, base))


def _asked(store: OpenSearchStore, base: Holding) -> tuple[Outcome, list[str]]:
    """What a process of its own answers, and the ports that it asked."""
    knowledge = FakeKnowledge(base)
    ctx = metered(knowledge, cache=Cache(store=store))
    outcome = pipeline.ask(NEEDLE, Settings.of("extractive"), ctx)
    return outcome, sorted({str(call[0]) for call in knowledge.calls})


def _quoted(outcome: Outcome) -> list[str]:
    return (
        [citation.quote.segment.document.name for citation in outcome.answer.citations]
        if outcome.answer
        else []
    )


@pytest.mark.parametrize("base", [SMALL, BASE], ids=["small", "large"])
def test_three_processes_answer_from_what_one_has_built(
    server: SearchServer, scope: str, base: Holding
) -> None:
    report = _built(_store(server, scope), base)
    assert (len(base[1]), 0, "built") == (report.read, report.unread, report.state(base[0]).name)
    again = _built(_store(server, scope), base)
    assert (0, 0) == (again.read, again.unread)
    for _ in range(3):
        outcome, ports = _asked(_store(server, scope), base)
        assert "cedar chest" in next(iter(outcome.answer.citations if outcome.answer else ())).quote.text
        assert not {"segments", "retrieve"} & {*ports}


def test_another_key_finds_nothing_and_drop_removes_all(server: SearchServer, scope: str) -> None:
    store = _store(server, scope)
    _built(store, SMALL)
    other = _store(server, "another " + scope)
    assert {} == other.states() == other.texts(list(SMALL[1]))
    assert other.drop()
    assert 12 == store.states()[SMALL[0].dataset_id].read
    assert store.drop()
    assert {} == store.states() == store.texts(list(SMALL[1]))
    assert store.ranked(SMALL[0], {"sextant": 1.0}) is None


def test_what_changed_is_ranked_once_and_what_is_gone_not_at_all(server: SearchServer, scope: str) -> None:
    store = _store(server, scope)
    _built(store, SMALL)
    moved = _base(11, 3)
    assert 2 == _built(store, moved).read
    ranking = store.ranked(moved[0], {"sextant": 1.0, "ivarsen": 1.0})
    assert ranking is not None
    assert [("Base/Paper 0003.txt", 2)] == [segment[:2] for segment in ranking.segments]


def test_vectors_are_made_once(server: SearchServer, scope: str) -> None:
    store = _store(server, scope)
    for expected in (25, 0):
        embedder = FakeEmbedder("sextant astrolabe")
        report = build([SMALL[0]], replace(_context(store, SMALL), embedder=embedder))
        assert (expected, 0) == (len(embedder.texts), report.unembedded)
    assert 12 == len(store.vectors(list(SMALL[1]), "fake"))


def test_one_builds_at_a_time_until_it_leaves_or_its_lease_is_over(server: SearchServer, scope: str) -> None:
    one, two = _store(server, scope), _store(server, scope)
    with one.building() as mine, two.building() as theirs:
        assert (True, False) == (mine, theirs)
    with two.building() as theirs:
        assert theirs
    late = replace(two, clock=lambda: one.clock() + 301)
    with one.building(), late.building() as theirs:
        assert theirs


def test_a_server_that_is_gone_is_said_and_answers_come_from_memory(scope: str) -> None:
    with Client("http://127.0.0.1:9", service="index") as client:
        ctx = metered(FakeKnowledge(SMALL), cache=Cache(store=OpenSearchStore(SearchServer(client), scope)))
        outcome = pipeline.ask(NEEDLE, Settings.of("extractive"), ctx)
    assert "Paper 0007.txt" == _quoted(outcome)[0]
    assert any("what is read is kept in memory" in reason for reason in degraded(ctx))


def test_make_opensearch_is_what_these_tests_start() -> None:
    told = subprocess.run(
        ["make", "-n", "opensearch"], capture_output=True, text=True, check=True, timeout=60
    ).stdout
    assert "standalone.opensearch" in told
