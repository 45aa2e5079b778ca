"""Large requests of one workspace at once: as many are answered as fit, and another workspace does not notice."""

import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from conftest import QUESTION, SELECTOR, Plugin

from host.admission import MOST_AT_ONCE

TEXT = "The laptop {0} is reported within {0} hours. " * 50
PASSAGES = json.dumps([{"text": TEXT.format(each), "document_name": f"d{each}.txt"} for each in range(100)])
FIT = MOST_AT_ONCE // len(PASSAGES)
SENT = FIT + 3


class SlowModel:
    """A model that answers nobody before it may, and counts who waits for it."""

    def __init__(self) -> None:
        self.may = threading.Event()
        self.enough = threading.Event()
        self.most = 0
        self._inside = 0
        self._lock = threading.Lock()

    def __call__(self, _messages: Any) -> str:
        with self._lock:
            self._inside += 1
            self.most = max(self.most, self._inside)
            if self._inside >= FIT:
                self.enough.set()
        self.may.wait()
        with self._lock:
            self._inside -= 1
        return "no JSON"


@pytest.fixture
def slow(plugin: Plugin) -> Iterator[SlowModel]:
    model = SlowModel()
    plugin.workspace.model = model
    yield model
    model.may.set()


def test_large_requests_are_answered_in_turn_and_small_ones_between(plugin: Plugin, slow: SlowModel) -> None:
    def aggregate(passages: str, **given: Any) -> str:
        return str(plugin.run("aggregate", query=QUESTION, passages=passages, **given).json["status"])

    with ThreadPoolExecutor(SENT) as pool:
        begun = [pool.submit(aggregate, PASSAGES, model=SELECTOR, effort="fast") for _ in range(SENT)]
        slow.enough.wait()
        small = json.dumps([{"text": "A stolen laptop is reported within 4 hours."}])
        assert "answered" == aggregate(small, effort="extractive")
        assert FIT == slow.most
        slow.may.set()
        assert SENT == len([each.result() for each in begun])
    assert FIT == slow.most
