"""The plugin's operating system process: lines in, lines out, and a tidy end."""

import os
import subprocess
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, cast

from standalone.daemon.results import PluginError

LONGEST_LINE = 5 * 1024 * 1024  # bytes; the daemon's scanner stops there and kills the plugin
TRANSCRIPTS = "PLUGIN_TRANSCRIPTS"  # names a directory that all that is said to and by plugins is written to
_PATIENCE = 5.0  # seconds from "please end" to "end"


def environment(extra: Mapping[str, str]) -> dict[str, str]:
    """Ours without Python's own variables: the plugin must run as on a foreign machine."""
    inherited = os.environ  # noqa: TID251 - a child process is given its environment here
    kept = {name: value for name, value in inherited.items() if not name.startswith("PYTHON")}
    return kept | {"INSTALL_METHOD": "local"} | dict(extra)


class Child:
    """`python -m main` in `root`. `on_line` hears each line, `on_end` once that there are no more."""

    def __init__(self, root: Path, python: str, env: Mapping[str, str]) -> None:
        surroundings = environment(env)
        self._process = subprocess.Popen(  # noqa: S603 - our own plugin, no shell
            [python, "-m", "main"],
            cwd=root,
            env=surroundings,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        # opened above, so none of the three is None
        self._input = cast("BinaryIO", self._process.stdin)
        self._output = cast("BinaryIO", self._process.stdout)
        self._errors = cast("BinaryIO", self._process.stderr)
        self._transcripts = Path(surroundings[TRANSCRIPTS]) if surroundings.get(TRANSCRIPTS) else None
        self._writing = threading.Lock()
        self._complaints: list[str] = []
        self._threads: tuple[threading.Thread, ...] = ()
        self._too_long = False

    def listen(self, on_line: Callable[[bytes], None], on_end: Callable[[PluginError], None]) -> None:
        """Start to read both pipes, each in a thread that ends with its pipe."""

        def read_output() -> None:
            try:
                while line := self._output.readline(LONGEST_LINE + 1):
                    self._note("said", line)
                    if len(line) > LONGEST_LINE:
                        self._too_long = True
                        self._process.kill()
                        break
                    on_line(line)
            finally:
                on_end(self._obituary())

        def read_complaints() -> None:
            for line in self._errors:
                self._note("complained", line)
                self._complaints.append(line.decode(errors="replace"))

        self._threads = (
            threading.Thread(target=read_complaints, name="plugin-stderr"),
            threading.Thread(target=read_output, name="plugin-stdout"),
        )
        for thread in self._threads:
            thread.start()

    @property
    def process_id(self) -> int:
        return self._process.pid

    @property
    def stderr(self) -> str:
        """All the plugin has written to its standard error so far."""
        return "".join(tuple(self._complaints))

    def write(self, line: bytes) -> None:
        """Send one line; raises PluginError where nobody reads any more."""
        with self._writing:
            self._note("asked", line + b"\n")
            try:
                self._input.write(line + b"\n")
                self._input.flush()
            except (OSError, ValueError) as error:
                raise PluginError("PluginDied", f"the plugin does not read any more ({error})") from error

    def resident_megabytes(self) -> float:
        """Memory in use, in MiB. Needs /proc; raises OSError on systems without it."""
        status = Path(f"/proc/{self.process_id}/status").read_text(encoding="ascii")
        line = next(line for line in status.splitlines() if line.startswith("VmRSS:"))
        return int(line.split()[1]) / 1024

    def close(self) -> None:
        """End the process, kindly at first; leaves no thread, no pipe and no zombie."""
        self._process.terminate()
        self._reap()
        for thread in self._threads:
            thread.join()
        for pipe in (self._input, self._output, self._errors):
            with suppress(BrokenPipeError):  # what was still to be flushed has no reader left
                pipe.close()

    def _note(self, what: str, line: bytes) -> None:
        """Each file has one writer at a time: the thread of its pipe, or who holds the lock."""
        if self._transcripts:
            with (self._transcripts / f"{self.process_id}.{what}").open("ab") as file:
                file.write(line)

    def _reap(self) -> int:
        try:
            return self._process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()

    def _obituary(self) -> PluginError:
        """Why the output ended. Its writer is gone or going: wait, so that the status is known."""
        status = self._reap()
        if self._too_long:
            return PluginError("LineTooLong", f"one message was longer than {LONGEST_LINE} bytes")
        self._threads[0].join(_PATIENCE)
        last_words = self.stderr.strip().splitlines()[-1:]
        return PluginError("PluginDied", f"the plugin ended with status {status}: {' '.join(last_words)}")
