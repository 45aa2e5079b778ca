"""Every automated check of Dify's marketplace, here: `python -m standalone.marketplace [--release]`.

A line a check: ok, warning (a reviewer may ask), open (only the publisher knows), failed (it would be refused).
Exit status 1 where something failed, and with --release where something is open.
"""

import argparse
import ast
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import httpx
import yaml

from evidence.language.scripts import has_cjk
from standalone.package import LARGEST, PackageError, checksum, read_files

ROOT = Path(__file__).resolve().parent.parent
PUBLISHER = "publisher.yaml"
type State = Literal["ok", "warning", "open", "failed"]

_MB = 1024 * 1024
_MOST_FILES = 5_000
_STARTS_WITHIN, _PAUSE = 20.0, 0.2  # seconds
_FOLDERS = frozenset(
    ".git .venv venv env __pycache__ .pytest_cache .ruff_cache .mypy_cache .idea .vscode node_modules".split()
)
_ENDINGS = (
    ".key",
    ".pem",
    ".p12",
    ".pfx",
    ".pyc",
    ".log",
    ".tmp",
    ".bak",
    ".swp",
    ".so",
    ".pyd",
    ".sh",
    ".zip",
    ".gz",
)
_SECRET = re.compile(
    rb"\bsk-[A-Za-z0-9_-]{16,}|\bghp_[A-Za-z0-9]{20,}|\bAKIA[A-Z0-9]{16}|\bxox[abpr]-[A-Za-z0-9-]{10,}"
    rb"|\beyJ[A-Za-z0-9_-]{10,}\.eyJ|-----BEGIN [A-Z ]{0,30}PRIVATE KEY"
)
_BINARY = (b"\x7fELF", b"MZ\x90", b"\xcf\xfa\xed\xfe", b"PK\x03\x04")
_TEMPLATE_ICON = b"DIFY_MARKETPLACE_TEMPLATE_ICON_DO_NOT_USE"
_TAGS = frozenset(
    "search image videos weather finance design travel social news medical productivity education business "
    "entertainment utilities agent rag other trigger".split()
)
_NAME = re.compile(r"[a-z0-9_-]{1,64}")
_VERSION = re.compile(r"\d{1,4}(?:\.\d{1,4}){2}(?:-\w{1,16})?")
_REQUIREMENT = re.compile(r"([A-Za-z0-9_.-]+)>=([\d.]+),<([\d.]+)")
_HOSTS = re.compile(
    r"https://(?:github\.com|gitlab\.com|bitbucket\.org|gitee\.com|codeberg\.org|git\.sr\.ht)/\S+/\S+"
)
_E_MAIL = re.compile(r"[^@\s]{1,64}@[^@\s]{1,190}\.[a-z]{2,20}")
_FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_README_WORDS = ("install", "credential", "workflow", "cost", "fail")
_SENSITIVE = frozenset({"open", "eval", "exec", "compile", "__import__"})
_SENSITIVE_MODULES = frozenset("subprocess pickle socket sqlite3 httpx requests ctypes shutil".split())


@dataclass(frozen=True, slots=True)
class Line:
    """What a check says."""

    state: State
    check: str
    message: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """A package that is to be published: its files, its manifest, and what the publisher filled in."""

    files: Mapping[str, bytes]
    manifest: Mapping[str, Any]
    publisher: Mapping[str, str]

    @classmethod
    def read(cls, root: Path) -> "Candidate":
        """The package of a working tree; raises PackageError."""
        files = read_files(root)
        publisher = yaml.safe_load((root / PUBLISHER).read_text(encoding="utf-8"))
        return cls(files, yaml.safe_load(files["manifest.yaml"]), publisher)

    def text(self, name: str) -> str:
        return self.files.get(name, b"").decode("utf-8", "replace")


type Found = Iterator[tuple[State, str]]
"""What a check has to say; nothing where all is well."""


def contents(package: Candidate) -> Found:
    size = sum(map(len, package.files.values()))
    if size > LARGEST:
        yield "failed", f"{size / _MB:.1f} MB are more than Dify takes by default"
    if len(package.files) > _MOST_FILES:
        yield "failed", f"{len(package.files)} files are more than {_MOST_FILES}"
    for name in package.files:
        if _FOLDERS.intersection(name.split("/")) or name.endswith(_ENDINGS) or "/.env" in f"/{name}":
            yield "failed", f"{name} may not ship"


def secrets(package: Candidate) -> Found:
    yield from (
        ("failed", f"{name} holds what looks like a key")
        for name, body in package.files.items()
        if _SECRET.search(body)
    )


def binaries(package: Candidate) -> Found:
    yield from (
        ("failed", f"{name} is a binary") for name, body in package.files.items() if body.startswith(_BINARY)
    )


def manifest(package: Candidate) -> Found:
    given = package.manifest
    for field in (
        "author",
        "name",
        "version",
        "type",
        "icon",
        "plugins",
        "privacy",
        "label",
        "description",
        "meta",
    ):
        if not given.get(field):
            yield "failed", f"manifest.yaml has no {field}"
    if not _VERSION.fullmatch(str(given.get("version"))):
        yield "failed", "the version must be three numbers"
    if not _NAME.fullmatch(str(given.get("name"))) or not _NAME.fullmatch(str(given.get("author"))):
        yield "failed", "author and name may hold small letters, digits, - and _ only"
    if "dify" in str(given.get("author")) or "langgenius" in str(given.get("author")):
        yield "failed", "the author's name must hold neither dify nor langgenius"
    if {*given.get("tags", ())} - _TAGS:
        yield "failed", f"unknown tags: {', '.join(sorted({*given['tags']} - _TAGS))}"
    yield from _origin(package)


def _origin(package: Candidate) -> Found:
    """When and by whom."""
    given = package.manifest
    created = given.get("created_at")
    if not isinstance(created, datetime) or created > datetime.now(UTC):
        yield "failed", "created_at must be a moment in the past"
    provider = yaml.safe_load(package.text(given["plugins"]["tools"][0]))
    if provider["identity"]["author"] != given.get("author"):
        yield "failed", "manifest and provider name different authors: run make declarations"


def publisher(package: Candidate) -> Found:
    """What is open, and whether what was filled in stands where the marketplace looks for it."""
    filled = {name: str(value or "").strip() for name, value in package.publisher.items()}
    for name, value in filled.items():
        if not value:
            yield "open", f"{PUBLISHER}: {name}"
    author, repository, contact = (filled.get(name, "") for name in ("author", "repository", "contact"))
    if author and author != package.manifest.get("author"):
        yield (
            "failed",
            f"manifest.yaml names another author than {PUBLISHER}; run make declarations after changing it",
        )
    if repository and not _HOSTS.fullmatch(repository):
        yield "failed", "the repository must be an https address of a known host"
    if repository and package.manifest.get("repo") != repository:
        yield "failed", f"manifest.yaml: repo must be {repository}"
    if repository and repository not in package.text("README.md"):
        yield "failed", "README.md must name the repository"
    if contact and (not _E_MAIL.fullmatch(contact) or package.manifest.get("contact") != contact):
        yield "failed", "manifest.yaml: contact must be the e-mail address of the publisher"


def pages(package: Candidate) -> Found:
    readme, privacy = package.text("README.md"), package.text("PRIVACY.md")
    if has_cjk(_FENCE.sub("", readme)):
        yield "failed", "README.md holds Chinese or Japanese; translations belong into readme/"
    missing = [word for word in _README_WORDS if word not in readme.lower()]
    if missing:
        yield "warning", f"README.md says nothing of: {', '.join(missing)}"
    if len(privacy) < 500 or "fill in the privacy policy" in privacy.lower():
        yield "failed", "PRIVACY.md has no content of its own"
    section = f"## [{package.manifest.get('version')}]"
    notes = package.text("CHANGELOG.md").partition(section)[2].partition("\n## ")[0]
    if len(notes) < 100:
        yield "failed", f"CHANGELOG.md has no release notes for {package.manifest.get('version')}"
    elif "Unreleased" in notes.splitlines()[0]:
        yield "open", "CHANGELOG.md: the date of the release"


def icons(package: Candidate) -> Found:
    for field in ("icon", "icon_dark"):
        body = package.files.get(f"_assets/{package.manifest.get(field)}", b"")
        if b"<svg" not in body or b"viewBox" not in body:
            yield "failed", f"{field} is no SVG with a viewBox"
        if _TEMPLATE_ICON in body or b"<image" in body or b"<text" in body:
            yield "failed", f"{field} is a template, a bitmap or needs a font"


def dependencies(package: Candidate) -> Found:
    for line in package.text("requirements.txt").split():
        found = _REQUIREMENT.fullmatch(line)
        if found is None:
            yield "failed", f"requirements.txt: {line} needs a lower and an upper bound"
        elif found[1] == "dify_plugin" and _numbers(found[2]) < (0, 9, 0):
            yield "failed", "dify_plugin must be 0.9.0 or newer"
    if "[build-system]" in package.text("pyproject.toml"):
        yield "failed", "pyproject.toml must not name a build system: uv would build the plugin"


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def code(package: Candidate) -> Found:
    """Python compiles; what a reviewer will ask about is named for the pull request."""
    uses: dict[str, list[str]] = {}
    for name, body in package.files.items():
        if not name.endswith(".py"):
            continue
        try:
            tree = ast.parse(body)
        except SyntaxError as error:
            yield "failed", f"{name} does not compile (line {error.lineno})"
            continue
        for word in sorted({*_capabilities(tree)}):
            uses.setdefault(word, []).append(name)
    for word, names in sorted(uses.items()):
        yield "warning", f"say in the pull request why {word} is used: {', '.join(names[:4])}"


def _capabilities(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in _SENSITIVE:
                yield f"{name}()"
            case ast.Import(names=names):
                yield from (each.name for each in names if each.name.partition(".")[0] in _SENSITIVE_MODULES)
            case ast.ImportFrom(module=str(module)) if module.partition(".")[0] in _SENSITIVE_MODULES:
                yield module


def repackaging(package: Candidate) -> Found:
    """What is unpacked packs to the same identifier."""
    with tempfile.TemporaryDirectory() as folder:
        _unpacked(package, Path(folder))
        try:
            again = checksum(read_files(Path(folder)))
        except PackageError as error:
            yield "failed", str(error)
            return
    if again != checksum(package.files):
        yield "failed", "packing what was unpacked gives another package"


def install(package: Candidate) -> Found:
    """The requirements are met, and the plugin answers over HTTP, started as the marketplace starts it."""
    with tempfile.TemporaryDirectory() as folder:
        _unpacked(package, Path(folder))
        met = [sys.executable, "-m", "pip", "install", "--dry-run", "--quiet", "-r", "requirements.txt"]
        if subprocess.run(met, cwd=folder, capture_output=True, timeout=120, check=False).returncode:  # noqa: S603 - our own Python
            yield "failed", "the requirements cannot be installed"
        problem = _started(Path(folder))
        if problem:
            yield "failed", problem


def _unpacked(package: Candidate, folder: Path) -> None:
    for name, body in package.files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(body)


def _started(folder: Path) -> str:
    """What is wrong with the plugin as a web server, empty where it answers with 200 or 404."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = {"INSTALL_METHOD": "serverless", "SERVERLESS_HOST": "127.0.0.1", "SERVERLESS_PORT": str(port)}
    with (folder / "started.txt").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "main"],
            cwd=folder,
            env={**settings, "PATH": "/usr/bin:/bin"},
            stdout=log,
            stderr=log,
        )
    try:
        for _ in range(int(_STARTS_WITHIN / _PAUSE)):
            time.sleep(_PAUSE)
            if "Serving Flask app" not in (folder / "started.txt").read_text(
                encoding="utf-8", errors="replace"
            ):
                continue
            with suppress(httpx.TransportError):
                status = httpx.get(f"http://127.0.0.1:{port}", trust_env=False).status_code
                return "" if status in {200, 404} else f"the plugin answers with status {status}"
        return f"the plugin does not answer within {_STARTS_WITHIN:.0f} s of its start"
    finally:
        process.kill()
        process.wait()


CHECKS: Mapping[str, Callable[[Candidate], Found]] = {
    "package contents": contents,
    "secrets": secrets,
    "binaries": binaries,
    "manifest": manifest,
    "publisher": publisher,
    "README, privacy, release notes": pages,
    "icons": icons,
    "dependencies": dependencies,
    "code": code,
    "repackaging": repackaging,
    "installation": install,
}


def checked(package: Candidate, names: Sequence[str] = tuple(CHECKS)) -> list[Line]:
    """The lines of these checks, each at least one."""
    lines: list[Line] = []
    for name in names:
        said = [Line(state, name, message) for state, message in CHECKS[name](package)]
        lines += said or [Line("ok", name, "")]
    return lines


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the lines; 1 where something failed, or with --release is open."""
    parser = argparse.ArgumentParser(prog="python -m standalone.marketplace", description=__doc__)
    parser.add_argument("--release", action="store_true", help="what is open fails too")
    options = parser.parse_args(arguments)
    try:
        lines = checked(Candidate.read(ROOT))
    except PackageError as error:
        lines = [Line("failed", "package contents", str(error))]
    for line in lines:
        print(f"{line.state:8} {line.check}{': ' if line.message else ''}{line.message}")
    refused = {"failed", "open"} if options.release else {"failed"}
    return 1 if refused & {line.state for line in lines} else 0


if __name__ == "__main__":
    sys.exit(main())
