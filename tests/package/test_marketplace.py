"""The checks of the marketplace find what each of them is for, and the package passes them."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from declared import ROOT

from standalone.marketplace import CHECKS, Candidate, Line, checked

CHEAP = [
    name for name in CHECKS if name not in {"repackaging", "installation"}
]  # make check-package runs all
PACKAGE = Candidate.read(ROOT)
FILLED = {
    "author": "evidence",
    "repository": "https://github.com/evidence/plugin",
    "contact": "help@example.com",
    "documentation": "https://github.com/evidence/plugin",
    "support": "https://github.com/evidence/plugin/issues",
}


def test_the_package_passes_and_what_the_publisher_left_open_is_named() -> None:
    lines = checked(PACKAGE, CHEAP)
    assert [] == [line for line in lines if line.state == "failed"]
    opened = {line.message for line in lines if line.state == "open"}
    assert {f"publisher.yaml: {name}" for name in FILLED} | {
        "CHANGELOG.md: the date of the release"
    } == opened


def said(check: str, files: Mapping[str, bytes], manifest: Mapping[str, Any]) -> list[Line]:
    spoiled = replace(
        PACKAGE, files={**PACKAGE.files, **files}, manifest={**PACKAGE.manifest, **manifest}, publisher={}
    )
    return [line for line in checked(spoiled, [check]) if line.state == "failed"]


@pytest.mark.parametrize(
    ("check", "files", "manifest", "message"),
    [
        ("package contents", {".env.local": b""}, {}, ".env.local may not ship"),
        ("package contents", {"host/__pycache__/a.txt": b""}, {}, "may not ship"),
        ("package contents", {"big.txt": b"x" * 16_000_000}, {}, "MB are more"),
        ("secrets", {"a.txt": b"key = sk-" + b"abcd1234" * 3}, {}, "a.txt holds what looks like a key"),
        ("binaries", {"a.txt": b"\x7fELF\x02"}, {}, "a.txt is a binary"),
        ("manifest", {}, {"privacy": ""}, "no privacy"),
        ("manifest", {}, {"author": "dify-friends"}, "neither dify nor langgenius"),
        ("manifest", {}, {"version": "1.0"}, "three numbers"),
        ("manifest", {}, {"tags": ["magic"]}, "unknown tags: magic"),
        ("manifest", {}, {"author": "other"}, "different authors"),
        ("README, privacy, release notes", {"README.md": "说明".encode()}, {}, "Chinese or Japanese"),
        ("README, privacy, release notes", {"PRIVACY.md": b"# Privacy"}, {}, "no content"),
        ("README, privacy, release notes", {}, {"version": "9.9.9"}, "no release notes for 9.9.9"),
        ("icons", {"_assets/icon.svg": b"<svg viewBox=''><text>A</text></svg>"}, {}, "needs a font"),
        ("dependencies", {"requirements.txt": b"httpx>=0.28"}, {}, "lower and an upper bound"),
        ("dependencies", {"requirements.txt": b"dify_plugin>=0.8.0,<1"}, {}, "0.9.0 or newer"),
        ("code", {"host/a.py": b"def f(:\n"}, {}, "host/a.py does not compile (line 1)"),
    ],
)
def test_what_the_marketplace_would_refuse_is_found(
    check: str, files: Mapping[str, bytes], manifest: Mapping[str, Any], message: str
) -> None:
    assert any(message in line.message for line in said(check, files, manifest))


def test_what_the_publisher_filled_in_must_stand_where_the_marketplace_looks_for_it() -> None:
    filled = replace(PACKAGE, publisher=FILLED)
    told = [line.message for line in checked(filled, ["publisher"])]
    assert 3 == len(told)
    assert [True] * 3 == [
        word in " ".join(told) for word in ("repo must be", "name the repository", "contact must be")
    ]
    manifest = {**PACKAGE.manifest, "repo": FILLED["repository"], "contact": FILLED["contact"]}
    readme = PACKAGE.files["README.md"] + FILLED["repository"].encode()
    whole = replace(filled, manifest=manifest, files={**PACKAGE.files, "README.md": readme})
    assert [Line("ok", "publisher", "")] == checked(whole, ["publisher"])
