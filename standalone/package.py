"""Pack the plugin for Dify: `python -m standalone.package [--out dist]`.

What ships is a list, not what happens to lie about; `.difyignore` says the same to Dify's own command line.
The same files give the same bytes: sorted names, one fixed date, files only, as Dify's decoder demands.
"""

import argparse
import hashlib
import re
import sys
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import yaml

FILES = (
    ".difyignore",
    "CHANGELOG.md",
    "LICENSE",
    "PRIVACY.md",
    "README.md",
    "main.py",
    "manifest.yaml",
    "pyproject.toml",
    "requirements.txt",
)
DIRECTORIES = ("_assets", "endpoints", "evidence", "group", "host", "provider", "readme", "tools")
SUFFIXES = frozenset({".css", ".html", ".json", ".md", ".py", ".svg", ".txt", ".yaml"})
CACHE = "__pycache__"

# The oldest date that a zip file can hold; what is packed must not depend on the clock.
DATE = (1980, 1, 1, 0, 0, 0)
MODE = 0o644 << 16
UNIX = 3

# Dify refuses an upload above 15 MiB unless it is configured otherwise.
LARGEST = 15 * 1024 * 1024

KEYS = re.compile(rb"\b(?:sk|dataset|app)-(?:proj-)?[A-Za-z0-9]{20,}|-----BEGIN [A-Z ]*PRIVATE KEY-----")


class PackageError(Exception):
    """The plugin cannot be packed as it stands; the message names the file."""


def read_files(root: Path) -> Mapping[str, bytes]:
    """What ships, by path with `/`, in bytewise order of the paths.

    Raises PackageError for a listed file that is missing, a file of a kind that does not ship
    (hidden files, keys, archives …) inside a listed directory, or a content that looks like a key.
    """
    missing = [name for name in (*FILES, *DIRECTORIES) if not (root / name).exists()]
    if missing:
        raise PackageError(f"{missing[0]} is missing")
    found = [root / name for name in FILES]
    for directory in DIRECTORIES:
        found += _shipped(root / directory)
    contents = {path.relative_to(root).as_posix(): path.read_bytes() for path in found}
    for name, content in contents.items():
        if KEYS.search(content):
            raise PackageError(f"{name} holds what looks like a key")
    return dict(sorted(contents.items(), key=lambda item: item[0].encode()))


def _shipped(directory: Path) -> list[Path]:
    """Every file below a listed directory; a kind that is not listed is an error."""
    files = [path for path in directory.rglob("*") if path.is_file() and CACHE not in path.parts]
    for path in files:
        if path.name.startswith(".") or path.suffix not in SUFFIXES:
            raise PackageError(
                f"{path.relative_to(directory.parent).as_posix()} is of a kind that does not ship"
            )
    return files


def checksum(contents: Mapping[str, bytes]) -> str:
    """Dify's checksum of a package, in hex; the order of the mapping does not matter.

    SHA-256 over, for each path in bytewise order, SHA-256(path) and SHA-256(content)
    (dify-plugin-daemon, pkg/plugin_packager/decoder/checksum.go).
    """
    whole = hashlib.sha256()
    for name in sorted(contents, key=str.encode):
        whole.update(hashlib.sha256(name.encode()).digest())
        whole.update(hashlib.sha256(contents[name]).digest())
    return whole.hexdigest()


def identifier(contents: Mapping[str, bytes]) -> str:
    """The plugin's unique identifier, `author/name:version@checksum`."""
    manifest = yaml.safe_load(contents["manifest.yaml"])
    return f"{manifest['author']}/{manifest['name']}:{manifest['version']}@{checksum(contents)}"


def write_package(contents: Mapping[str, bytes], target: Path) -> None:
    """Write the files as a `.difypkg` (a zip file). Raises PackageError when it is too large for Dify."""
    size = sum(map(len, contents.values()))
    if size > LARGEST:
        raise PackageError(f"{size} bytes are more than the {LARGEST} that Dify accepts")
    target.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(target, "w", compression=zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(contents, key=str.encode):
            entry = zipfile.ZipInfo(name, DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = UNIX
            entry.external_attr = MODE
            archive.writestr(entry, contents[name], compresslevel=9)


def main(arguments: Sequence[str] | None = None) -> int:
    """Pack, and print the path, the size in bytes and the unique identifier. 0 packed, 1 refused."""
    root = Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(
        prog="python -m standalone.package", description="Pack the plugin for Dify."
    )
    parser.add_argument("--out", type=Path, default=root / "dist", help="directory of the package (dist)")
    parser.add_argument("--root", type=Path, default=root, help="directory of the plugin (this one)")
    options = parser.parse_args(arguments)
    try:
        contents = read_files(options.root)
        target = options.out / f"{yaml.safe_load(contents['manifest.yaml'])['name']}.difypkg"
        write_package(contents, target)
    except PackageError as error:
        print(f"not packed: {error}", file=sys.stderr)
        return 1
    print(target)
    print(f"{target.stat().st_size} bytes, {len(contents)} files")
    print(identifier(contents))
    return 0


if __name__ == "__main__":
    sys.exit(main())
