"""The package: what ships, what is refused, the same bytes twice, the identifier that Dify computes."""

import hashlib
import tomllib
import zipfile
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from declared import ROOT

from standalone.package import (
    DIRECTORIES,
    FILES,
    PackageError,
    checksum,
    identifier,
    main,
    read_files,
    write_package,
)

MANIFEST = "author: evidence\nname: sample\nversion: 1.2.3\n"


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    """A whole plugin in small: each listed file, one file in each listed directory."""
    root = tmp_path / "plugin"
    for name in (*FILES, *(f"{directory}/one.py" for directory in DIRECTORIES)):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(MANIFEST if name == "manifest.yaml" else f"# {name}\n", encoding="utf-8")
    return root


def ignored(path: str) -> bool:
    """Whether `.difyignore` leaves a path out; the patterns in use are names, `*.x`, `name/` and `/name/`."""
    lines = (ROOT / ".difyignore").read_text(encoding="utf-8").splitlines()
    patterns = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    parts = path.split("/")
    for pattern in patterns:
        candidates = parts[:1] if pattern.startswith("/") else parts
        candidates = candidates[: len(parts) - 1] if pattern.endswith("/") else candidates
        if any(fnmatchcase(part, pattern.strip("/")) for part in candidates):
            return True
    return False


def test_two_packages_of_the_same_files_have_the_same_bytes(plugin: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "a" / "p.difypkg", tmp_path / "b" / "p.difypkg"
    write_package(read_files(plugin), first)
    for path in plugin.rglob("*.py"):
        path.touch()
    write_package(dict(reversed(list(read_files(plugin).items()))), second)
    assert first.read_bytes() == second.read_bytes()


def test_a_package_holds_the_listed_files_sorted_deflated_and_without_directories(
    plugin: Path, tmp_path: Path
) -> None:
    target = tmp_path / "p.difypkg"
    write_package(read_files(plugin), target)
    with zipfile.ZipFile(target) as archive:
        entries = archive.infolist()
        assert archive.testzip() is None
    names = [entry.filename for entry in entries]
    assert sorted([*FILES, *(f"{directory}/one.py" for directory in DIRECTORIES)]) == names
    assert {((1980, 1, 1, 0, 0, 0), zipfile.ZIP_DEFLATED, False, 0o644 << 16)} == {
        (e.date_time, e.compress_type, e.is_dir(), e.external_attr) for e in entries
    }


def test_caches_of_python_do_not_ship(plugin: Path) -> None:
    before = read_files(plugin)
    (plugin / "evidence" / "__pycache__").mkdir()
    (plugin / "evidence" / "__pycache__" / "one.cpython-312.pyc").write_bytes(b"\x00")
    assert before == read_files(plugin)


def test_what_is_not_listed_does_not_ship(plugin: Path) -> None:
    before = read_files(plugin)
    for name in (".env", "uv.lock", "notes.txt", "tests/test_one.py", "standalone/package.py"):
        (plugin / name).parent.mkdir(exist_ok=True)
        (plugin / name).write_text("no", encoding="utf-8")
    assert before == read_files(plugin)


@pytest.mark.parametrize("name", ["tools/.env", "host/server.pem", "evidence/uv.lock", "_assets/.DS_Store"])
def test_a_file_that_may_not_ship_inside_a_listed_directory_is_refused(plugin: Path, name: str) -> None:
    (plugin / name).write_text("no", encoding="utf-8")
    with pytest.raises(PackageError, match=f"^{name} is of a kind that does not ship$"):
        read_files(plugin)


@pytest.mark.parametrize(
    "key", ["s" + "k-" + "a1B2" * 8, "data" + "set-" + "a1B2" * 6, "-----BEGIN RSA " + "PRIVATE KEY-----"]
)
def test_a_content_that_looks_like_a_key_is_refused(plugin: Path, key: str) -> None:
    (plugin / "host" / "one.py").write_text(f"KEY = '{key}'\n", encoding="utf-8")
    with pytest.raises(PackageError, match=r"^host/one\.py holds what looks like a key$"):
        read_files(plugin)


def test_a_missing_file_is_named(plugin: Path) -> None:
    (plugin / "PRIVACY.md").unlink()
    with pytest.raises(PackageError, match=r"^PRIVACY\.md is missing$"):
        read_files(plugin)


def test_a_package_that_dify_would_not_take_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PackageError, match="more than the 15728640 that Dify accepts"):
        write_package({"evidence/large.txt": b"x" * 15728641}, tmp_path / "p.difypkg")
    assert not list(tmp_path.iterdir())


def test_the_checksum_is_the_one_of_the_daemon() -> None:
    def sha(data: bytes) -> bytes:
        return hashlib.sha256(data).digest()

    expected = hashlib.sha256(sha(b"a.py") + sha(b"one") + sha(b"b/c.py") + sha(b"two")).hexdigest()
    assert expected == checksum({"a.py": b"one", "b/c.py": b"two"})


def test_the_checksum_does_not_depend_on_the_order_of_the_files() -> None:
    assert checksum({"a": b"1", "B": b"2", "é": b"3"}) == checksum({"é": b"3", "B": b"2", "a": b"1"})


def test_the_checksum_changes_with_a_name_and_with_a_content() -> None:
    sums = {checksum({"a": b"1"}), checksum({"a": b"2"}), checksum({"b": b"1"})}
    expected_sums = 3
    assert expected_sums == len(sums)


def test_the_identifier_names_author_plugin_version_and_checksum(plugin: Path) -> None:
    contents = read_files(plugin)
    assert f"evidence/sample:1.2.3@{checksum(contents)}" == identifier(contents)


def test_the_command_prints_path_size_and_identifier(
    plugin: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = main(["--root", str(plugin), "--out", str(tmp_path)])
    assert not done
    package = tmp_path / "sample.difypkg"
    count = len(FILES) + len(DIRECTORIES)
    expected = f"{package}\n{package.stat().st_size} bytes, {count} files\n{identifier(read_files(plugin))}\n"
    assert expected == capsys.readouterr().out


def test_the_command_says_why_it_refuses(plugin: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (plugin / "LICENSE").unlink()
    expected = (1, "not packed: LICENSE is missing\n")
    status = main(["--root", str(plugin), "--out", str(plugin / "dist")])
    assert expected == (status, capsys.readouterr().err)


def test_the_ignore_file_leaves_out_what_the_list_leaves_out() -> None:
    """Dify's command line packs what `.difyignore` leaves; it must be the same files."""
    left = [entry.name for entry in ROOT.iterdir() if not ignored(entry.name + "/x" * entry.is_dir())]
    assert set(left) <= {*FILES, *DIRECTORIES}
    inside = [p for directory in DIRECTORIES for p in (ROOT / directory).rglob("*") if p.is_file()]
    for path in inside:
        assert ("__pycache__" in path.parts) == ignored(path.relative_to(ROOT).as_posix())


@pytest.mark.parametrize("name", FILES)
def test_the_ignore_file_lets_every_listed_file_through(name: str) -> None:
    assert not ignored(name)


@pytest.mark.parametrize(
    "path",
    [".git", ".git/config", ".env", "uv.lock", "tools/__pycache__/ask.pyc", "tests/fakes.py", ".venv/x"],
)
def test_the_ignore_file_stops_what_must_never_ship(path: str) -> None:
    assert ignored(path)


def test_the_ignore_file_never_tries_to_bring_a_file_back() -> None:
    lines = (ROOT / ".difyignore").read_text(encoding="utf-8").splitlines()
    assert not [line for line in lines if line.startswith("!")]


def test_the_plugin_itself_packs_and_stays_small(tmp_path: Path) -> None:
    contents = read_files(ROOT)
    write_package(contents, tmp_path / "p.difypkg")
    assert (tmp_path / "p.difypkg").stat().st_size < 1024 * 1024
    assert not [name for name in contents if name.endswith((".lock", ".pyc"))]


def test_both_lists_of_dependencies_are_one() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    written = (ROOT / "requirements.txt").read_text(encoding="utf-8").split()
    assert project["project"]["dependencies"] == written
    assert "build-system" not in project


def test_every_dependency_has_a_lower_and_an_upper_bound() -> None:
    for line in (ROOT / "requirements.txt").read_text(encoding="utf-8").split():
        assert ">=" in line
        assert ",<" in line
