"""The plugin's storage in the workspace: missing is no failure, silence is, and no error shows its own words."""

import threading

import pytest

from evidence.errors import StoreUnavailable
from host.session_store import SessionStore


class Storage:
    """Answers as the SDK's does; `refusal` is the message of the daemon, whatever is asked."""

    def __init__(self, refusal: str = "") -> None:
        self.values: dict[str, bytes] = {}
        self.done: list[str] = []
        self._refusal = refusal

    def get(self, key: str) -> bytes:
        self._note("get")
        if key not in self.values:
            raise Exception("load data failed, please check if the key is correct")  # noqa: TRY002 - as the SDK
        return self.values[key]

    def set(self, key: str, val: bytes) -> None:
        self._note("set")
        self.values[key] = val

    def delete(self, key: str) -> None:
        self._note("delete")
        if key not in self.values:
            raise Exception("delete data failed: no such file")  # noqa: TRY002 - as the SDK
        del self.values[key]

    def _note(self, operation: str) -> None:
        self.done.append(operation)
        if self._refusal:
            raise Exception(self._refusal)  # noqa: TRY002 - as the SDK


class Session:
    def __init__(self, storage: object) -> None:
        self.storage = storage


def test_what_is_put_is_got_and_what_is_dropped_is_gone() -> None:
    store = SessionStore(Session(Storage()))
    assert store.get("a", 2) is None
    store.put("a", b"one", 2)
    assert b"one" == store.get("a", 2)
    store.drop("a", 2)
    store.drop("a", 2)
    assert store.get("a", 2) is None


def test_putting_is_one_call_and_dropping_another() -> None:
    storage = Storage()
    store = SessionStore(Session(storage))
    store.put("a", b"one", 2)
    store.drop("a", 2)
    store.put("a", b"two", 2)
    assert ["set", "delete", "set"] == storage.done
    assert b"two" == store.get("a", 2)


REFUSALS = {
    "permission denied, you need to enable storage access in plugin manifest": "not permitted",
    "save data failed: allocated size is greater than max storage size": "is full",
    "topsecret": "failed",
}


@pytest.mark.parametrize(("refusal", "said"), REFUSALS.items())
def test_a_failure_is_said_in_our_words(refusal: str, said: str) -> None:
    store = SessionStore(Session(Storage(refusal)))
    for call in (lambda: store.get("a", 2), lambda: store.put("a", b"one", 2)):
        with pytest.raises(StoreUnavailable, match=said) as caught:
            call()
        assert "topsecret" not in str(caught.value)


def test_a_storage_that_is_silent_is_left_in_time() -> None:
    told = threading.Event()

    class Silent(Storage):
        def _note(self, operation: str) -> None:
            told.wait(30)

    store = SessionStore(Session(Silent()))
    with pytest.raises(StoreUnavailable, match="in time"):
        store.get("a", 0.03)
    with pytest.raises(StoreUnavailable, match="in time"):
        store.put("a", b"one", 0.03)
    told.set()
