"""The command line as a person uses it: what it prints, and how it ends."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import httpx
import pytest

from standalone.knowledge import KnowledgeServer, load_folder
from standalone.models import ChatServer
from standalone.models.reader import truthful

ROOT = Path(__file__).resolve().parents[2]
KEY = "dataset-of-the-shell"
LLM_KEY = "key-of-the-model"
RULES = "5.1 A reader may borrow five books at once. 5.2 Books are lent for twenty-eight days."
QUESTION = "For how many days are books lent?"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    documents = tmp_path / "library"
    documents.mkdir()
    (documents / "LoanRules.txt").write_text(RULES, encoding="utf-8")
    (documents / "RoomRules.md").write_text("The reading room opens at nine.", encoding="utf-8")
    return documents


def _command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "standalone", *arguments]


def _environment(extra: Mapping[str, str]) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LLM_", "DIFY_"))}  # noqa: TID251 - the command's environment
    return kept | dict(extra)


def _run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        _command(*arguments),
        cwd=ROOT,
        env=_environment(environment),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def _one_line(ended: subprocess.CompletedProcess[str]) -> str:
    """The complaint of a command that printed nothing else."""
    assert "" == ended.stdout
    assert 1 == len(ended.stderr.splitlines())
    assert ended.stderr.startswith("standalone: ")
    return ended.stderr


def test_run_answers_the_sample_question_and_ends() -> None:
    ended = _run("run", "--documents", "standalone/documents")
    assert (0, "") == (ended.returncode, ended.stderr)
    lines = ended.stdout.splitlines()
    assert lines[0] == "15 documents in agreements, minutes, policies · embedded server (Dify 1.10.1)"
    assert "(LLM_BASE_URL and LLM_MODEL are not set)" in lines[1]
    assert "6 months" in ended.stdout
    assert "24 months" in ended.stdout
    assert any(line.startswith("[1] ") and "segment" in line for line in lines)
    assert ["Quotes", "Verdict", "Receipt"] == [line.split()[0] for line in lines[-4:] if line[0] != " "]
    assert "0 model calls" in lines[-1]
    assert "\x1b" not in ended.stdout
    assert 96 >= max(len(line) for line in lines)
    assert lines == [line.rstrip() for line in lines]


def test_a_folder_is_asked_and_the_json_can_be_read_and_the_page_too(folder: Path, tmp_path: Path) -> None:
    page = tmp_path / "answer.html"
    ended = _run("ask", QUESTION, "--documents", str(folder), "--json", "--html", str(page))
    result = json.loads(ended.stdout)
    assert (0, "", "1", QUESTION) == (ended.returncode, ended.stderr, result["schema"], result["question"])
    quotes = [each["quote"] for each in result["citations"]]
    assert any("twenty-eight days" in quote for quote in quotes)
    assert all(quote in RULES for quote in quotes)
    assert f'<mark id="c1">{quotes[0]}</mark>' in page.read_text(encoding="utf-8")


def test_what_no_document_says_ends_with_3_and_the_timeline_is_drawn(folder: Path) -> None:
    ended = _run("ask", "Which rocket fuel do astronauts use?", "--documents", str(folder), "--timeline")
    assert (3, "") == (ended.returncode, ended.stderr)
    assert "Not found." in ended.stdout
    assert any(
        line.startswith("knowledge.datasets") and line.endswith(" ms") for line in ended.stdout.splitlines()
    )


def test_a_model_of_the_environment_writes_the_answer(folder: Path) -> None:
    with ChatServer(truthful, api_key=LLM_KEY) as chat:
        model = {"LLM_BASE_URL": chat.base_url, "LLM_API_KEY": LLM_KEY, "LLM_MODEL": "reader"}
        ended = _run("ask", QUESTION, "--documents", str(folder), "--effort", "fast", **model)
        assert (0, "") == (ended.returncode, ended.stderr)
        assert ["reader"] == [call.model for call in chat.log]
    assert "model: reader" in ended.stdout
    assert "1 model call " in ended.stdout
    assert LLM_KEY not in ended.stdout


def test_a_real_server_is_asked_and_a_wrong_key_is_told(folder: Path) -> None:
    with KnowledgeServer(load_folder(folder), api_key=KEY) as server:
        url = server.base_url
        right = _run("ask", QUESTION, "--base-url", url, DIFY_API_KEY=KEY)
        wrong = _run("ask", QUESTION, "--base-url", url, "--api-key", "dataset-wrong")
    assert (0, "") == (right.returncode, right.stderr)
    assert f"Dify at {url}" == right.stdout.splitlines()[0]
    assert 1 == wrong.returncode
    assert "key" in _one_line(wrong)
    assert "dataset-wrong" not in wrong.stderr


def test_a_server_that_is_down_is_told_in_one_line() -> None:
    ended = _run("ask", QUESTION, "--base-url", "http://127.0.0.1:9", "--api-key", KEY)
    assert 1 == ended.returncode
    assert "127.0.0.1:9" in _one_line(ended)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "command"),
        (("ask",), "question"),
        (("ask", " "), "empty"),
        (("run", "--documents", "tests"), "a question is needed"),
        (("ask", "x", "--top-k", "500"), "1 to 50"),
        (("ask", "x", "--effort", "heroic"), "heroic"),
        (("ask", "x", "--documents", "no/such/folder"), "no/such/folder"),
        (("ask", "x", "--base-url", "http://127.0.0.1:9"), "--api-key"),
    ],
)
def test_wrong_usage_ends_with_2_and_one_line(arguments: tuple[str, ...], told: str) -> None:
    ended = _run(*arguments)
    assert 2 == ended.returncode
    assert told in _one_line(ended)


def test_half_a_model_is_wrong_usage() -> None:
    ended = _run("run", LLM_BASE_URL="http://127.0.0.1:9")
    assert 2 == ended.returncode
    assert "LLM_MODEL" in _one_line(ended)


def test_serve_answers_until_it_is_told_to_end(folder: Path) -> None:
    command = _command("serve", "--documents", str(folder), "--port", "0", "--api-key", KEY)
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as served:
        assert served.stdout
        url = served.stdout.readline().split()[-1]
        answer = httpx.get(f"{url}/datasets", headers={"Authorization": f"Bearer {KEY}"})
        served.send_signal(signal.SIGTERM)
        served.stdout.read()
        assert 0 == served.wait(10)
    assert ["library"] == [each["name"] for each in answer.json()["data"]]


def test_a_port_that_is_taken_is_told(folder: Path) -> None:
    with KnowledgeServer(load_folder(folder)) as server:
        port = server.base_url.removesuffix("/v1").rsplit(":", maxsplit=1)[-1]
        ended = _run("serve", "--documents", str(folder), "--port", port)
    assert 1 == ended.returncode
    assert port in _one_line(ended)


def test_serve_plugin_says_where_a_folder_that_is_not_there_was_looked_for(tmp_path: Path) -> None:
    done = _run("serve-plugin", "--documents", str(tmp_path / "nowhere"), "--port", "0")
    assert (1, 1) == (done.returncode, len(done.stderr.splitlines()))
    assert "nowhere" in done.stderr
