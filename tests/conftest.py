"""Property tests have no time limit for one example: a busy machine is no bug. And the canary sings at the end."""

import os
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings

from standalone.daemon.child import TRANSCRIPTS
from tests.canary import leaks

settings.register_profile("patient", deadline=None)
settings.load_profile("patient")


class Canary:
    """Of the session that collects what all workers report: plugins write down what they hear and say for it."""

    def __init__(self) -> None:
        self._transcripts = Path(tempfile.mkdtemp())
        self._printed: dict[str, str] = {}
        self._leaks: list[str] = []
        os.environ[TRANSCRIPTS] = str(self._transcripts)  # noqa: TID251 - for the processes that the tests start

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        printed = "".join(text for _, text in report.sections)
        if printed and report.passed:  # what failed shows its values, keys included
            self._printed[report.nodeid] = printed

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        self._leaks = leaks(self._transcripts, self._printed)
        shutil.rmtree(self._transcripts)
        if self._leaks:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        for leak in self._leaks:
            terminalreporter.write_line(f"A key was shown: {leak}", red=True)


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Canary())
