"""What computes steps back for whoever is ready; each script runs patched as the plugin's process is."""

import ast
import re
import subprocess
import sys

import pytest

from tests.house.house_files import ROOT

PATCHED = """
from gevent import monkey

monkey.patch_all(sys=True)
import os, re, threading
from host.time_slices import share_the_processor

share_the_processor(0.001)
ended = threading.Event()


def end():
    ended.set()
    os.write(1, b"served")
    os._exit(0)


def compute(code, name):
    threading.Thread(target=end).start()
    exec(code, {"__name__": name, "ended": ended, "re": re})


"""
LOOP = "while True: pass"
PATTERN = "re.match('(a|a)*$', 'a' * 60 + 'b')"
REPLACED = "re.sub('a', lambda found: [each for each in iter(int, 1)], 'a')"
COUNTED = "for _ in range(3_000_000): pass\nassert not ended.is_set()"


# Computes under a deadline that has passed, inside one that never passes.
LATE = """
from evidence.limits import Deadline, interruptible

times = iter([0.0])
over = Deadline(3, lambda: next(times, 4.0))


def compute_late(code, name):
    def begin():
        interruptible(over, lambda: exec(code, {"__name__": name, "re": re, **HELD}))

    try:
        interruptible(Deadline(1e9), begin)
        os.write(1, b"ended by itself")
    except Exception as error:
        os.write(1, str(error).encode())
    os._exit(0)


"""


def run(script: str, patched: str = PATCHED) -> str:
    """What a script prints; raises CalledProcessError where it does not end well."""
    command = [sys.executable, "-c", patched + script]
    return subprocess.run(command, cwd=ROOT, capture_output=True, timeout=60, check=True).stdout.decode()


def served(code: str, name: str) -> str:
    """What is printed where code computes in a module of that name while another greenlet wants to say "served"."""
    return run(f"compute({code!r}, {name!r})\n")


@pytest.mark.parametrize("code", [LOOP, PATTERN, REPLACED])
@pytest.mark.parametrize("name", ["evidence.verify.quotes", "host.view.json"])
def test_a_computation_without_end_keeps_nobody_waiting(code: str, name: str) -> None:
    assert "served" == served(code, name)


@pytest.mark.parametrize("name", ["gevent.hub", "httpcore", "dify_plugin.core", "concurrent.futures.thread"])
def test_what_is_not_made_for_it_is_not_interrupted(name: str) -> None:
    assert "served" == served(f"{COUNTED}\nended.wait()", name)


def test_a_process_without_such_a_timer_serves_without_slices() -> None:
    script = """
import signal

for name in ("setitimer", "ITIMER_VIRTUAL", "SIGVTALRM"):
    delattr(signal, name)
from host.time_slices import share_the_processor

share_the_processor()
print("served")
"""
    assert "served\n" == run(script, patched="")


def test_a_process_that_ends_late_ends_well() -> None:
    assert "" == run("sys = __import__('sys')\nsys.held = [[number] for number in range(2_000_000)]\n")


def ended_late(code: str, name: str, held: str = "") -> str:
    """How a computation in a module of that name, which has imported what is `held`, ends after its deadline."""
    return run(f"HELD = {{{held}}}\n{LATE}compute_late({code!r}, {name!r})\n")


@pytest.mark.parametrize("code", [LOOP, PATTERN, REPLACED])
@pytest.mark.parametrize("name", ["evidence.verify.quotes", "evidence.answer.extract"])
def test_a_computation_without_end_ends_with_the_deadline_of_its_run(code: str, name: str) -> None:
    assert "limit of 3 seconds reached (needed 4)" == ended_late(code, name)


@pytest.mark.parametrize(
    ("name", "held"),
    [("evidence.cache", ""), ("evidence.index.bm25", "'threading': threading"), ("host.registry", "")],
)
def test_what_requests_share_is_changed_to_the_end(name: str, held: str) -> None:
    assert "ended by itself" == ended_late("for _ in range(3_000_000): pass", name, held)


def test_who_locks_something_shows_it_to_the_time_slices() -> None:
    locking = [path for path in (ROOT / "evidence").rglob("*.py") if "Lock()" in path.read_text("utf-8")]
    assert locking
    assert [] == [path for path in locking if "\nimport threading\n" not in path.read_text("utf-8")]


def test_every_run_of_a_tool_has_an_end() -> None:
    at_once = {"plan_ahead", "read_ahead", "refresh"}  # these only begin something, or have time of their own
    for path in (ROOT / "host").rglob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        ending = [
            ast.unparse(each)
            for each in ast.walk(tree)
            if _calls(each, "ending") or _calls(each, "interruptible")
        ]
        named = {name for end in ending for name in re.findall(r"ending\((\w+)\)$", end)}
        ending += [
            ast.unparse(each)
            for each in ast.walk(tree)
            if isinstance(each, ast.FunctionDef) and each.name in named
        ]
        runs = [each for each in ast.walk(tree) if _calls(each) and "pipeline." in ast.unparse(each)[:9]]
        partial = [ast.unparse(each) for each in runs if not any(ast.unparse(each) in end for end in ending)]
        assert [] == [call for call in partial if call[9:].partition("(")[0] not in at_once]


def _calls(node: ast.AST, method: str = "") -> bool:
    if not isinstance(node, ast.Call):
        return False
    return method in {"", ast.unparse(node.func).rpartition(".")[2]}
