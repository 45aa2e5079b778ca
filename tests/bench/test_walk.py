"""The walk of one question counts files and changes of room."""

import json
import subprocess
import sys
from pathlib import Path

from bench.imports import ROOT, lodgers
from bench.walk import Walk
from evidence.index.names import unpack


def test_a_walk_through_a_cold_question_is_counted(tmp_path: Path) -> None:
    """In a process of its own: the SDK patches the process that imports it."""
    file = tmp_path / "report.json"
    command = [sys.executable, "-m", "bench", "walk", "--json", str(file)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (0, "") == (ended.returncode, ended.stderr)
    report = json.loads(file.read_text(encoding="utf-8"))
    assert report["calls"] > report["changes"] > report["files"] > 0
    assert f"{report['changes']:,} changes of room" in ended.stdout
    assert [str(path.relative_to(ROOT)) for path, _ in lodgers()] == report["single"]


def test_a_call_from_one_room_into_another_is_a_change_and_one_within_a_room_is_none() -> None:
    walk = Walk()
    sys.setprofile(walk)
    try:
        unpack("NDA-AcmeCorp%20v2.pdf")
    finally:
        sys.setprofile(None)
    assert ({str(ROOT / "evidence" / "index" / "names.py")}, 1, 0) == (walk.files, walk.calls, walk.changes)
