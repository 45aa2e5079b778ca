"""The index on disk: what one process has read, another answers from; what is damaged is begun anew."""

import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from evidence import pipeline
from evidence.cache import STORED_LIFE, Cache
from evidence.corpus.fetch import all_datasets
from evidence.errors import Misconfigured
from evidence.model import Outcome, Question
from evidence.settings import Settings
from evidence.store.database import FILE, Database
from evidence.store.disk import DiskStore
from evidence.store.opensearch import OpenSearchStore
from host.wiring import store_of
from tests.fakes import FakeKnowledge, HandClock, degraded, holding, metered

LEASES = holding(
    "Leases",
    {
        f"Lease of the {name}.txt": [
            f"# Notice\nNotice of the {name} lease is {days} days.",
            "The rent is due.",
        ]
        for days, name in enumerate(("mill", "barn", "boathouse", "orchard", "forge", "quarry"), 31)
    },
)
MILL = next(iter(LEASES[1]))
NOTICE = Question("How many days of notice has the lease of the boathouse?")


class _Process:
    """A plugin process: a cache of its own over the index in a folder."""

    def __init__(self, folder: Path, scope: str = "one", wall: HandClock | None = None) -> None:
        self.clock = wall or HandClock()
        self.store = DiskStore(Database(str(folder)), scope, self.clock)
        self.cache = Cache(store=self.store, clock=self.clock, wall=self.clock)
        self.knowledge = FakeKnowledge(LEASES)
        self.told: Sequence[str] = ()

    def ask(self) -> Outcome:
        self.knowledge.calls.clear()
        ctx = metered(self.knowledge, cache=self.cache)
        outcome = pipeline.ask(NOTICE, Settings.of("extractive"), ctx)
        self.told = degraded(ctx)
        return outcome

    def read_all(self) -> None:
        ctx = metered(self.knowledge, cache=self.cache)
        all_datasets(ctx)
        pipeline.discover(NOTICE, Settings.of("extractive"), ctx)
        for document, segments in LEASES[1].items():
            self.cache.keep_reading(document, segments, len(segments))


def _shown(outcome: Outcome) -> tuple[str, list[str]]:
    return (
        outcome.answer.text if outcome.answer else "",
        [passage.segment.segment_id for passage in outcome.pool.passages],
    )


def test_a_cold_process_with_an_index_answers_as_a_warm_one_and_reads_no_document(tmp_path: Path) -> None:
    warm = _Process(tmp_path)
    warm.read_all()
    expected = _shown(warm.ask())
    assert "33 days" in expected[0]
    cold = _Process(tmp_path)
    assert expected == _shown(cold.ask())
    assert [] == cold.knowledge.asked("segments") == cold.knowledge.asked("retrieve")
    assert {"datasets", "segment", "document"} == {call[0] for call in cold.knowledge.calls}
    assert () == tuple(reason for reason in cold.told if "index" in reason)


def test_a_text_of_the_index_is_what_was_read(tmp_path: Path) -> None:
    one, other = _Process(tmp_path), _Process(tmp_path)
    expected = one.cache.keep_reading(MILL, LEASES[1][MILL], 7, 3, ("a warning",))
    restored = other.cache.reading(MILL, 900)
    assert restored is not None
    for field in ("document", "segments", "total", "pages", "warnings", "lead", "intact"):
        assert getattr(expected, field) == getattr(restored, field)
    for column in ("frequencies", "starts", "lengths"):
        assert getattr(expected.postings, column).tolist() == getattr(restored.postings, column).tolist()
    words = [
        [reading.vocabulary.term(number) for number in text.postings.terms]
        for reading, text in ((one.cache, expected), (other.cache, restored))
    ]
    assert words[0] == words[1]


def test_what_one_key_has_read_no_other_key_finds(tmp_path: Path) -> None:
    _Process(tmp_path).read_all()
    other = _Process(tmp_path, "another key, or another allow-list")
    assert other.cache.reading(MILL, 900) is None
    assert {} == other.store.states()


def test_a_text_leaves_the_index_with_its_documents_version_and_with_its_age(tmp_path: Path) -> None:
    process = _Process(tmp_path)
    process.read_all()
    assert _Process(tmp_path).cache.reading(replace(MILL, version="2"), 900) is None
    later = HandClock()
    later.forward(STORED_LIFE)
    assert _Process(tmp_path, wall=later).cache.reading(MILL, 900) is not None
    later.forward(1)
    assert _Process(tmp_path, wall=later).cache.reading(MILL, 900) is None


def test_a_document_that_is_gone_from_the_list_is_gone_from_the_index(tmp_path: Path) -> None:
    process = _Process(tmp_path)
    process.read_all()
    left = [document for document in LEASES[1] if document != MILL]
    process.store.keep_list(LEASES[0], left)
    state = process.store.states()[LEASES[0].dataset_id]
    assert (5, 5, "built") == (state.documents, state.read, state.name)
    assert _Process(tmp_path).cache.reading(MILL, 900) is None


def test_what_is_forgotten_is_forgotten_by_all_processes(tmp_path: Path) -> None:
    process = _Process(tmp_path)
    process.read_all()
    process.cache.forget(MILL)
    assert _Process(tmp_path).cache.reading(MILL, 900) is None


def test_drop_leaves_no_byte_of_a_text_on_the_disk(tmp_path: Path) -> None:
    process = _Process(tmp_path)
    process.store.keep_list(LEASES[0], list(LEASES[1]))
    assert any(b"boathouse" in path.read_bytes() for path in tmp_path.iterdir())
    assert process.store.drop()
    assert {} == process.store.states()
    process.store.database.close()
    assert not any(b"boathouse" in path.read_bytes() for path in tmp_path.iterdir())


@pytest.mark.parametrize("damage", [b"no database at all" * 100, b""], ids=["garbage", "empty"])
def test_a_damaged_index_is_noticed_begun_anew_and_said(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / FILE).write_bytes(damage)
    process = _Process(tmp_path)
    assert "33 days" in _shown(process.ask())[0]
    process.read_all()
    assert damage == b"" or "index: it was damaged, or of another format, and is built anew" in process.told
    assert _Process(tmp_path).cache.reading(MILL, 900) is not None


def test_an_index_with_a_hole_in_it_answers_as_none(tmp_path: Path) -> None:
    process = _Process(tmp_path)
    process.read_all()
    process.store.database.compact()
    process.store.database.close()
    stored = (tmp_path / FILE).read_bytes()
    middle = len(stored) // 8
    (tmp_path / FILE).write_bytes(stored[:middle] + bytes(len(stored) - middle))
    again = _Process(tmp_path)
    assert "33 days" in _shown(again.ask())[0]
    again.read_all()
    assert _Process(tmp_path).cache.reading(MILL, 900) is not None


def test_an_index_of_another_format_is_begun_anew(tmp_path: Path) -> None:
    process = _Process(tmp_path)
    process.read_all()
    process.store.database.close()
    connection = sqlite3.connect(tmp_path / FILE)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    again = _Process(tmp_path)
    assert again.cache.reading(MILL, 900) is None
    assert again.store.warnings() == ("index: it was damaged, or of another format, and is built anew",)
    again.read_all()
    assert _Process(tmp_path).cache.reading(MILL, 900) is not None


def test_an_index_begun_anew_by_another_process_is_written_to(tmp_path: Path) -> None:
    process = _Process(tmp_path)
    process.read_all()
    for path in tmp_path.iterdir():
        path.unlink()
    assert process.store.drop()
    process.read_all()
    assert _Process(tmp_path).cache.reading(MILL, 900) is not None


@pytest.mark.parametrize("folder", ["", "file/below"], ids=["unset", "not writable"])
def test_a_folder_that_cannot_be_written_is_said_and_answers_come_from_memory(
    tmp_path: Path, folder: str
) -> None:
    (tmp_path / "file").write_text("no folder")
    process = _Process(tmp_path / folder if folder else Path())
    process.store = DiskStore(Database(str(tmp_path / folder) if folder else ""), "one")
    process.cache = Cache(store=process.store)
    assert "33 days" in _shown(process.ask())[0]
    assert any(reason.endswith("what is read is kept in memory") for reason in process.told)


def test_a_full_disk_is_said_and_answers_come_from_memory(tmp_path: Path) -> None:
    process = _Process(tmp_path)
    process.ask()
    process.store.database.read(lambda connection: connection.execute("PRAGMA max_page_count = 1"), None)
    large = " ".join(map(str, range(20_000)))
    process.cache.keep_reading(MILL, [replace(LEASES[1][MILL][0], text=large)], 1)
    assert "33 days" in _shown(process.ask())[0]
    assert "index: the disk is full; what is read is kept in memory" in process.told


def test_only_one_process_builds_at_a_time(tmp_path: Path) -> None:
    one, two = _Process(tmp_path), _Process(tmp_path)
    one.read_all()
    with one.store.building() as mine, two.store.building() as theirs:
        assert (True, False) == (mine, theirs)
    with two.store.building() as theirs:
        assert theirs


def test_the_home_of_the_index_is_read_from_the_credentials(tmp_path: Path) -> None:
    assert store_of({}, ()) is None
    disk = {"index_home": "disk", "index_path": str(tmp_path)}
    assert isinstance(store_of(disk, ("url", "key")), DiskStore)
    assert store_of(disk | {"dify_base_url_hosts": object()}, ()) is None  # a server that a caller named
    there = {"index_home": "opensearch", "index_url": "http://search:9200"}
    assert isinstance(store_of(there, ("url", "key")), OpenSearchStore)
    with pytest.raises(Misconfigured, match="its URL is missing"):
        store_of({"index_home": "opensearch"}, ())
    with pytest.raises(Misconfigured, match="memory, disk, opensearch"):
        store_of({"index_home": "cloud"}, ())
