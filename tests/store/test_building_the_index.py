"""Building by command: all is read once, what changed again, and a build that was killed goes on."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from evidence.cache import Cache
from evidence.corpus.building import IndexReport, build, report_of, store_in
from evidence.errors import KnowledgeUnavailable, Misconfigured
from evidence.limits import Limits
from evidence.store.database import Database
from evidence.store.disk import DiskStore
from tests.fakes import FakeKnowledge, degraded, holding, metered

ROOT = Path(__file__).resolve().parents[2]
BASE = holding("Base", {f"Paper {at}.txt": [f"Paper {at} says so.", "No more."] for at in range(620)})


def _built(folder: Path, knowledge: FakeKnowledge, **options: bool) -> IndexReport:
    store = DiskStore(Database(str(folder)), "one")
    ctx = metered(knowledge, cache=Cache(store=store), limits=Limits(knowledge_calls=10_000))
    return build([BASE[0]], ctx, **options)


def test_a_build_reads_all_documents_and_the_next_one_nothing(tmp_path: Path) -> None:
    knowledge = FakeKnowledge(BASE)
    report = _built(tmp_path, knowledge)
    assert (620, 0, 0, "built") == (report.read, report.failed, report.unread, report.state(BASE[0]).name)
    assert (7, 620) == (len(knowledge.asked("documents")), len(knowledge.asked("segments")))
    again = FakeKnowledge(BASE)
    assert (0, 0) == ((report := _built(tmp_path, again)).read, report.unread)
    assert 7 == len(again.calls)


def test_a_refresh_of_young_texts_reads_what_changed_alone(tmp_path: Path) -> None:
    _built(tmp_path, FakeKnowledge(BASE))
    changed = holding("Base", {f"Paper {at}.txt": [f"Paper {at} says so."] for at in range(1, 621)})
    report = _built(tmp_path, knowledge := FakeKnowledge(changed), again=True)
    assert (1, 620) == (report.read, report.state(BASE[0]).read)
    assert [("segments", "Base/Paper 620.txt", 1, "")] == knowledge.asked("segments")


def test_documents_that_fail_are_counted_and_read_by_the_next_build(tmp_path: Path) -> None:
    failing = {("segments", "Base/Paper 3.txt"): KnowledgeUnavailable("down")}
    report = _built(tmp_path, FakeKnowledge(BASE, failing=failing))
    assert (619, 1, 1, "partial") == (report.read, report.failed, report.unread, report.state(BASE[0]).name)
    assert 1 == _built(tmp_path, FakeKnowledge(BASE)).read


def test_a_build_that_has_no_more_to_spend_says_how_much_is_left(tmp_path: Path) -> None:
    store = DiskStore(Database(str(tmp_path)), "one")
    ctx = metered(FakeKnowledge(BASE), cache=Cache(store=store), limits=Limits(knowledge_calls=107))
    report = build([BASE[0]], ctx)
    assert (100, 520) == (report.read, report.unread)
    assert report.seconds_left > 0


def test_a_second_builder_leaves_the_work_to_the_first(tmp_path: Path) -> None:
    store = DiskStore(Database(str(tmp_path)), "one")
    store.keep_list(BASE[0], list(BASE[1]))
    with store.building():
        report = _built(tmp_path, knowledge := FakeKnowledge(BASE))
    assert (True, 620) == (report.busy, report.unread)
    assert [] == knowledge.calls


def test_a_home_that_fails_ends_a_build_and_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    store = DiskStore(Database(str(tmp_path / "file" / "below")), "one")
    ctx = metered(knowledge := FakeKnowledge(BASE), cache=Cache(store=store))
    report = build([BASE[0]], ctx)
    assert (0, 620, False) == (report.read, report.unread, report.busy)
    assert [] == knowledge.asked("segments")
    assert any("cannot be written" in reason for reason in degraded(ctx))


def test_an_index_in_memory_is_not_built() -> None:
    ctx = metered(FakeKnowledge(BASE))
    assert "memory" == report_of([BASE[0]], ctx).home
    with pytest.raises(Misconfigured, match="choose another home"):
        store_in(ctx)


def test_a_build_that_is_killed_twenty_times_ends_as_one_that_is_not(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.store.killed_builds", str(tmp_path)]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=120)
    report = json.loads(ended.stdout)
    assert [9] * 20 == report["ended"]
    assert report["same"]
    assert 0 < report["left"] < 250
