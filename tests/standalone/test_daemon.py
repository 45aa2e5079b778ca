"""The stand-in for the plugin daemon, tried on a throw-away plugin run by the real SDK."""

import json
import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from standalone.daemon import (
    EndpointResult,
    MemoryStorage,
    PluginError,
    PluginProcess,
    ReverseError,
    ToolResult,
    first_of,
)
from standalone.daemon.child import TRANSCRIPTS
from standalone.models import ScriptedModel, reverse_embedding, reverse_llm, reverse_rerank

PARROT = Path(__file__).with_name("parrot.txt")  # files, each after a line "=== path"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("parrot")
    for part in PARROT.read_text(encoding="utf-8").split("=== ")[1:]:
        name, _, text = part.partition("\n")
        path = directory / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return directory


ALL_HERE = threading.Barrier(20, timeout=30)
GO_ON = threading.Event()


def repeat(messages: Any) -> str:
    """Waits, for whoever says so, until twenty have come, or until it may go on."""
    said = str(messages[-1]["content"])
    if said.startswith("together"):
        ALL_HERE.wait()
    if said == "wait" and not GO_ON.wait(30):
        raise ReverseError("nobody let it go on")
    return f"you said {said}"


@pytest.fixture(scope="module")
def plugin(root: Path) -> Iterator[PluginProcess]:
    models = first_of(reverse_llm(ScriptedModel(repeat)), reverse_rerank(), reverse_embedding())
    with PluginProcess(root, on_invoke=models, env={"GREETING": "world"}, timeout=30) as running:
        yield running


def say(plugin: PluginProcess, do: str, words: str = "", timeout: float = 30) -> ToolResult:
    return plugin.invoke_tool("say", {"do": do, "words": words}, {"key": "right"}, "parrot", timeout=timeout)


def failure(action: Callable[[], object]) -> tuple[str, str]:
    with pytest.raises(PluginError) as caught:
        action()
    return caught.value.error_type, caught.value.message


def test_a_tool_gives_text_json_and_variables_and_may_ask_a_model(plugin: PluginProcess) -> None:
    result = say(plugin, "ask", "good morning")
    assert result.text == "heard: you said good morning"
    assert list(result.json) == ["tokens"]
    assert result.json["tokens"] > 0
    assert result.variables == {"reply": "you said good morning", "slow": "ab"}
    assert [message["type"] for message in result.raw] == ["text", "text", "json", *["variable"] * 3]


def test_a_raised_error_keeps_its_type_and_message(plugin: PluginProcess) -> None:
    assert failure(lambda: say(plugin, "fail", "no such page")) == ("LookupError", "no such page")


def test_an_exception_that_dify_does_not_know_is_shown_as_dify_shows_it(plugin: PluginProcess) -> None:
    with pytest.raises(PluginError) as failed:
        say(plugin, "fail", "no such page")
    assert "please contact the author" in failed.value.shown
    with pytest.raises(PluginError) as refused:
        plugin.validate({"key": "wrong"}, "parrot")
    assert "Traceback" in refused.value.shown_when_saving


@pytest.mark.parametrize("name", ["CredentialsValidateFailedError", "InvokeBadRequestError", "Timeout"])
def test_an_exception_that_dify_knows_is_shown_as_its_line(name: str) -> None:
    error = PluginError(name, "the key does not fit", {"traceback": "Traceback"})
    assert "the key does not fit" == error.shown == error.shown_when_saving


def test_an_unknown_tool_is_an_error(plugin: PluginProcess) -> None:
    kind, message = failure(lambda: plugin.invoke_tool("sing", {}, provider="parrot"))
    assert (kind, "sing" in message) == ("ValueError", True)


def test_credentials_are_validated_by_the_provider(plugin: PluginProcess) -> None:
    plugin.validate({"key": "right"}, "parrot")
    expected = ("ToolProviderCredentialValidationError", "the key does not fit")
    assert failure(lambda: plugin.validate({"key": "wrong"}, "parrot")) == expected


def test_the_plugin_is_ready_at_its_first_heartbeat(plugin: PluginProcess) -> None:
    assert plugin.heartbeats >= 1
    assert plugin.first_heartbeat_seconds is not None
    assert 0 < plugin.first_heartbeat_seconds < 30
    assert 10 < plugin.resident_megabytes() < 500
    assert plugin.manifest["name"] == "parrot"
    assert "Installed tool: parrot" in plugin.logs


def test_the_child_sees_the_given_environment_and_none_of_pythons_own(plugin: PluginProcess) -> None:
    assert plugin.stray_output == ("hello world None",)


def test_twenty_invocations_at_once_do_not_mix(plugin: PluginProcess) -> None:
    words = [f"together {number}" for number in range(20)]
    with ThreadPoolExecutor(20) as threads:
        results = list(threads.map(lambda word: say(plugin, "ask", word).text, words))
    assert results == [f"heard: you said {word}" for word in words]


def test_the_sdk_accepts_the_shapes_of_streamed_replies_ranks_and_vectors(plugin: PluginProcess) -> None:
    assert say(plugin, "stream", "one two").json == {"pieces": ["you", " said", " one", " two"]}
    assert say(plugin, "rerank", "a stone,a pear").json == {"best": [[1, "a pear", 1.0]]}
    assert say(plugin, "embed", "a pear").json == {"same": True, "length": 64}


def test_a_prompt_of_a_megabyte_goes_there_and_back(plugin: PluginProcess) -> None:
    words = "word " * 200_000
    assert say(plugin, "ask", words).text == f"heard: you said {words}"


def test_the_caller_is_named_to_the_tool(plugin: PluginProcess) -> None:
    def who(caller: Mapping[str, str]) -> Mapping[str, Any]:
        return plugin.invoke_tool("say", {"do": "who"}, provider="parrot", caller=caller).json

    assert who({"app_id": "a"}) == {"app": "a", "message": None}
    assert who({"app_id": "a", "message_id": "m"}) == {"app": "a", "message": "m"}


def test_a_permission_the_manifest_lacks_is_denied(plugin: PluginProcess) -> None:
    expected = "permission denied, you need to enable moderation access in plugin manifest"
    assert failure(lambda: say(plugin, "moderate", "a")) == ("Exception", expected)


def test_a_tool_that_says_nothing_gives_empty_values() -> None:
    silent = ToolResult(())
    assert (silent.text, silent.json, silent.variables) == ("", {}, {})


def test_storage_keeps_bytes_and_knows_what_is_missing(plugin: PluginProcess) -> None:
    assert say(plugin, "keep", "Grüße").json == {"there": [True, False], "got": "Grüße"}
    assert plugin.storage.values == {}
    kind, message = failure(lambda: say(plugin, "fetch", "nothing"))
    assert (kind, message) == ("Exception", "load data failed, the key is wrong or was never set")


def test_an_endpoint_answers_with_status_headers_and_body(plugin: PluginProcess) -> None:
    answer = plugin.endpoint("POST", "/echo", {"X-Said": "yes"}, "größer".encode(), {"before": "> "})
    assert (answer.status, answer.body.decode()) == (418, "> größer")
    assert answer.headers["X-Heard"] == "yes"
    assert plugin.endpoint("GET", "/echo").status == 404


def test_a_streaming_endpoint_is_seen_piece_by_piece(plugin: PluginProcess) -> None:
    coming = plugin.endpoint_pieces("POST", "/echo", {"X-Slow": "1"})
    pieces = [next(coming), next(coming)]
    GO_ON.set()
    pieces += coming
    assert [piece.body for piece in pieces] == [b"", b" ", b"done"]
    assert {piece.status for piece in pieces} == {200}
    assert EndpointResult.joined(pieces).body == b" done"


def test_a_request_that_takes_too_long_is_given_up_and_the_next_one_works(plugin: PluginProcess) -> None:
    assert failure(lambda: say(plugin, "sleep", "2", timeout=0.2)) == ("Timeout", "no end after 0.2 seconds")
    assert say(plugin, "sleep", "0").text == "awake"


def test_a_plugin_that_dies_is_an_error_for_all_who_wait_and_all_who_come(root: Path) -> None:
    expected = ("PluginDied", "the plugin ended with status 7: struck by lightning")
    with PluginProcess(root) as plugin, ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(lambda: failure(lambda: say(plugin, "sleep", "20")))
        time.sleep(0.3)
        assert failure(lambda: say(plugin, "die")) == expected
        assert waiting.result(timeout=5) == expected
        assert failure(lambda: say(plugin, "sleep", "0")) == expected
        assert "struck by lightning" in plugin.stderr


def test_a_message_too_long_for_the_daemon_kills_the_plugin(root: Path) -> None:
    with PluginProcess(root) as plugin:
        kind, _ = failure(lambda: say(plugin, "shout"))
    assert kind == "LineTooLong"


def test_close_leaves_no_zombie_and_no_thread_and_may_be_repeated(root: Path) -> None:
    before = set(threading.enumerate())
    with PluginProcess(root, on_invoke=reverse_llm(ScriptedModel(repeat))) as plugin:
        say(plugin, "ask", "hello")
        process_id = plugin.process_id
    plugin.close()
    with pytest.raises(ProcessLookupError):
        os.kill(process_id, 0)
    assert set(threading.enumerate()) <= before
    assert failure(lambda: say(plugin, "sleep", "0"))[0] == "PluginDied"


def test_a_directory_without_a_plugin_is_an_error_at_the_start(tmp_path: Path) -> None:
    kind, message = failure(lambda: PluginProcess(tmp_path).start())
    assert (kind, "No module named main" in message) == ("PluginDied", True)


def test_a_plugin_without_a_heartbeat_is_given_up(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text("import time\ntime.sleep(60)\n", encoding="utf-8")
    silent = PluginProcess(tmp_path, timeout=0.5)
    assert failure(silent.start) == ("Timeout", "no heartbeat after 0.5 seconds")


def test_a_process_that_was_not_started_says_so(tmp_path: Path) -> None:
    kind, _ = failure(lambda: PluginProcess(tmp_path).invoke_tool("say", {}))
    assert kind == "NotStarted"


def unruly(kind: str, request: Mapping[str, Any]) -> Any:
    words = request["prompt_messages"][-1]["content"]
    if words == "refuse":
        raise ReverseError("read llm model failed: 429 too many requests")
    if words == "bug":
        return {"answer": json.loads("{")}
    return None


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("refuse", "read llm model failed: 429 too many requests"),
        ("bug", "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
        ("nobody", "no stand-in answers reverse invocations of type llm"),
    ],
)
def test_a_failed_reverse_invocation_reaches_the_plugin_as_an_exception(
    root: Path, words: str, message: str
) -> None:
    with PluginProcess(root, on_invoke=unruly) as plugin:
        assert failure(lambda: say(plugin, "ask", words)) == ("Exception", message)


def test_storage_keys_beyond_256_characters_are_refused() -> None:
    storage = MemoryStorage()
    assert storage("storage", {"opt": "exist", "key": "k" * 256}) == {"data": False}
    with pytest.raises(ReverseError, match="not 257"):
        storage("storage", {"opt": "exist", "key": "k" * 257})


def test_all_that_is_said_to_and_by_a_plugin_can_be_written_down(root: Path, tmp_path: Path) -> None:
    models = reverse_llm(ScriptedModel(repeat))
    with PluginProcess(root, on_invoke=models, env={TRANSCRIPTS: str(tmp_path)}) as plugin:
        say(plugin, "ask", "good morning")
        failure(lambda: say(plugin, "die"))
    texts = {file.suffix: file.read_text(encoding="utf-8") for file in tmp_path.iterdir()}
    assert '"key": "right"' in texts[".asked"]
    assert "you said good morning" in texts[".said"]
    assert "struck by lightning" in texts[".complained"]
