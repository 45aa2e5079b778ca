"""What computes steps back for whoever is ready; each script runs patched as the plugin's process is."""

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


def run(script: str) -> str:
    """What a script prints; raises CalledProcessError where it does not end well."""
    command = [sys.executable, "-c", PATCHED + script]
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


def test_a_process_that_ends_late_ends_well() -> None:
    assert "" == run("sys = __import__('sys')\nsys.held = [[number] for number in range(2_000_000)]\n")
