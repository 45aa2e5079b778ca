"""The plugin's process and a knowledge server, shared by all tests of the endpoints."""

from collections.abc import Iterator

import pytest
from endpoint_samples import DIFY_KEY, KEY, WORLD, Endpoints

from standalone.daemon import PluginProcess
from standalone.knowledge import KnowledgeServer


@pytest.fixture(scope="session")
def endpoints() -> Iterator[Endpoints]:
    with KnowledgeServer(WORLD, api_key=DIFY_KEY) as server, PluginProcess() as process:
        yield Endpoints(process, server)
        assert process.stray_output == ()
        said = "".join(process.logs) + process.stderr
        assert KEY not in said
        assert DIFY_KEY not in said


@pytest.fixture
def fresh() -> Iterator[KnowledgeServer]:
    """A knowledge server that nothing was read from yet, for a test that counts or slows its calls."""
    with KnowledgeServer(WORLD, api_key=DIFY_KEY) as server:
        yield server
