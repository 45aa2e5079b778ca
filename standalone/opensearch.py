"""OpenSearch's minimal distribution on the loopback, for tests and measurements: `python -m standalone.opensearch`.

Maven fetches it by its coordinate, once; it runs as nobody where we are root, which it refuses to be.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import threading
import zipfile
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from standalone.cli.failures import Failed

COORDINATE = "org.opensearch.distribution.integ-test-zip:opensearch:2.19.1:zip"
_HOME = Path(__file__).resolve().parents[1] / ".venv" / "opensearch"
_NOBODY = 65_534
_READY = "recovered ["
_SECONDS = 180.0


def fetched() -> Path:
    """The zip file; fetched by Maven where it is not there. Raises Failed."""
    target = _HOME / "opensearch-2.19.1.zip"
    if not target.exists():
        command = [
            "mvn",
            "-q",
            "-B",
            "dependency:copy",
            f"-Dartifact={COORDINATE}",
            f"-DoutputDirectory={_HOME}",
        ]
        ended = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own arguments
        if ended.returncode or not target.exists():
            raise Failed(f"Maven could not fetch {COORDINATE}: {ended.stdout[-500:]}")
    return target


@contextmanager
def running(port: int = 9_277) -> Iterator[str]:
    """Its address, once it answers; it ends, and what it stored goes, with the context. Raises Failed."""
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(fetched()) as archive:
            archive.extractall(folder)
        home = next(Path(folder).glob("opensearch-*"))
        _given_away(Path(folder))
        with _started(home, port) as process:
            lines, ready = deque[str](maxlen=20), threading.Event()
            reading = threading.Thread(target=_read, args=(process, lines, ready))
            reading.start()
            try:
                if not ready.wait(_SECONDS) or process.poll() is not None:
                    raise Failed(f"OpenSearch did not start: {' '.join(lines)[-500:]}")
                yield f"http://127.0.0.1:{port}"
            finally:
                process.terminate()
                reading.join(60)


def _given_away(folder: Path) -> None:
    for path in (folder, *folder.rglob("*")):
        if os.getuid() == 0:
            os.chown(path, _NOBODY, _NOBODY)
    for script in folder.glob("*/bin/*"):
        script.chmod(0o755)


def _started(home: Path, port: int) -> "subprocess.Popen[str]":
    java = shutil.which("java")
    if java is None:
        raise Failed("OpenSearch needs Java 17, and there is no java on the path")
    settings = {
        "discovery.type": "single-node",
        "http.port": str(port),
        "network.host": "127.0.0.1",
        "path.data": str(home / "data"),
        "path.logs": str(home / "logs"),
        "cluster.routing.allocation.disk.threshold_enabled": "false",
    }
    options = [part for name, value in settings.items() for part in ("-E", f"{name}={value}")]
    environment = {
        "PATH": os.defpath,
        "HOME": str(home),
        "OPENSEARCH_JAVA_HOME": str(Path(java).resolve().parents[1]),
        "OPENSEARCH_JAVA_OPTS": "-Xms512m -Xmx512m",
    }
    nobody = _NOBODY if os.getuid() == 0 else None
    return subprocess.Popen(  # noqa: S603 - our own arguments
        ["/bin/bash", str(home / "bin" / "opensearch"), *options],  # it has no shebang that is everywhere
        cwd=home,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        user=nobody,
        group=nobody,
        extra_groups=None if nobody is None else [],
    )


def _read(process: "subprocess.Popen[str]", lines: deque[str], ready: threading.Event) -> None:
    """Read what it says until its end, so that it is never held up; `ready` once it is, or has ended."""
    for line in process.stdout or ():
        lines.append(line)
        if _READY in line:
            ready.set()
    ready.set()


def main() -> int:
    """Serve until the end of input or an interrupt."""
    try:
        with running() as address:
            print(f"OpenSearch: {address} (Ctrl-C ends it)", flush=True)
            threading.Event().wait()
    except Failed as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        pass
    return 0


if __name__ == "__main__":
    sys.exit(main())
