"""What the README shows is what the commands do."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def _timeless(text: str) -> str:
    return re.sub(r"\d+\.\d+ s\b", "0.0 s", text).strip()


def test_the_answer_in_the_readme_is_what_the_command_prints() -> None:
    shown = re.search(r"```text\n(.*?)```", README, re.DOTALL)
    assert shown is not None
    command = [sys.executable, "-m", "standalone", "run"]
    clean = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
    printed = subprocess.run(
        command, cwd=ROOT, env=clean, capture_output=True, text=True, check=True, timeout=60
    )
    assert _timeless(shown[1]) == _timeless(printed.stdout)


def test_every_command_in_the_readme_is_in_the_makefile() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    named = set(re.findall(r"`make ([a-z-]+)", README))
    assert {
        "run",
        "test",
        "test-services",
        "test-versions",
        "bench",
        "declarations",
        "package",
        "check-package",
        "pictures",
        "serve",
        "serve-plugin",
    } == named
    assert [] == [name for name in named if not re.search(rf"^{name}:", makefile, re.MULTILINE)]


def test_every_file_that_the_readme_links_to_exists() -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)\)", README)
    assert [] == [link for link in links if not (ROOT / link).exists()]
