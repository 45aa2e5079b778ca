"""The doctor tells each cause apart, with its remedy, and only reads."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml
from conftest import KEY, Plugin

from evidence.language.scripts import has_cjk
from host.doctor import Finding, apart_by, known_of
from standalone.daemon import ToolResult
from standalone.knowledge import Fault, KnowledgeServer
from standalone.models import ChatServer, ScriptedModel

ROOT = Path(__file__).resolve().parents[2]
TEXTS = yaml.safe_load((ROOT / "host" / "doctor.yaml").read_text(encoding="utf-8"))
LANGUAGES = ("en_US", "zh_Hans", "ja_JP", "pt_BR")


def examined(plugin: Plugin, server: KnowledgeServer, language: str = "en_US", **changed: str) -> ToolResult:
    credentials = {"dify_base_url": server.base_url, "dify_api_key": KEY} | changed
    return plugin.run("doctor", language=language, credentials=credentials)


def lines(result: ToolResult) -> Mapping[str, str]:
    """The lines that are not ok, with their messages."""
    return {check["line"]: check["message"] for check in result.json["checks"] if check["state"] != "ok"}


def test_a_healthy_server_is_examined_in_a_handful_of_calls_that_only_read(
    plugin: Plugin, crooked: KnowledgeServer
) -> None:
    result = examined(plugin, crooked)
    assert ["version_arrays"] == list(lines(result))  # of the 1.10.1 that it is like
    assert {*TEXTS["checks"]} == {check["check"] for check in result.json["checks"]}
    sent = [(each.method, each.path.rpartition("/")[2]) for each in crooked.requests]
    assert [*[("GET", "datasets")] * 3, ("POST", "retrieve")] == sent
    assert len(sent) == result.json["receipt"]["knowledge_calls"]


@pytest.mark.parametrize(
    ("changed", "line", "said"),
    [
        ({"dify_base_url": "dify.example.com"}, "address_wrong", "must begin with http:// or https://"),
        ({"dify_base_url": "http://127.0.0.1:9"}, "server_silent", "cannot be reached"),
        ({"dify_api_key": "dataset-of-another"}, "key_refused", "does not accept the key"),
        ({"allowed_datasets": "policies, letters"}, "scope_wrong", "letters"),
        ({"llm_base_url": "http://127.0.0.1:9", "llm_model": "m"}, "model_failed", "cannot be reached"),
        ({"llm_base_url": "http://127.0.0.1:9"}, "model_failed", "no model"),
        ({"rerank_base_url": "http://127.0.0.1:9"}, "reranker_failed", "cannot be reached"),
        ({"index_home": "cloud"}, "index_failed", "must be one of memory, disk"),
        ({"proof_url": "http://127.0.0.1:9/e/x", "proof_key": "k" * 40}, "endpoint_silent", "127.0.0.1:9"),
    ],
)
def test_what_is_wrong_is_told_by_its_cause(
    plugin: Plugin, crooked: KnowledgeServer, changed: Mapping[str, str], line: str, said: str
) -> None:
    told = lines(examined(plugin, crooked, **changed))
    assert said in told[line]
    assert {line} == told.keys() - {"version_arrays"}


def test_every_line_that_is_not_ok_has_a_remedy_in_every_language_and_every_line_is_used() -> None:
    for name, line in TEXTS["lines"].items():
        texts = [text for text in (line["says"], line.get("remedy", "")) if isinstance(text, list)]
        assert [len(LANGUAGES)] * len(texts) == [len(text) for text in texts]
        assert (line["state"] != "ok") == ("remedy" in line), name
        assert [] == [text[0] for text in texts if has_cjk(text[0] + text[3])]
    used = re.findall(
        r'"((?:' + "|".join(TEXTS["checks"]) + r')_[a-z]+)"', (ROOT / "host" / "doctor.py").read_text()
    )
    assert {*used} - {"proof_url", "proof_key"} == {*TEXTS["lines"]}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_lines_come_in_the_language_that_is_asked_for(
    plugin: Plugin, crooked: KnowledgeServer, language: str
) -> None:
    result = examined(plugin, crooked, language, dify_api_key="dataset-of-another")
    place = LANGUAGES.index(language)
    assert TEXTS["checks"]["key"][place] in result.text
    assert TEXTS["lines"]["key_refused"]["remedy"][place] in result.text


def test_a_server_that_drops_filters_is_told_by_what_it_answers(plugin: Plugin) -> None:
    with KnowledgeServer(plugin.server.corpus, api_key=KEY, profile="1.13.3") as newer:
        assert ["filters_dropped", "version_filters"] == list(lines(examined(plugin, newer)))


def test_a_key_that_is_bound_to_single_datasets_is_examined_by_the_allow_list(
    plugin: Plugin,
    crooked: KnowledgeServer,
) -> None:
    only = crooked.dataset_id("policies")
    with KnowledgeServer(crooked.corpus, api_key=KEY, bound_to=("policies",)) as bound:
        result = examined(plugin, bound, allowed_datasets=only)
        assert "key_bound" in {check["line"] for check in result.json["checks"]}
        assert ["version_arrays"] == list(lines(result))
        assert "key_refused" in lines(examined(plugin, bound))


def test_agent_knowledge_bases_are_opened_each(plugin: Plugin) -> None:
    bound = ("agent:policies", "agent:minutes")
    with KnowledgeServer(plugin.server.corpus, "1.18", KEY, bound_to=bound) as newer:
        named = {name: newer.agent_bases[name] for name in ("policies", "minutes", "agreements")}
        newer.agent_states["minutes"] = "unpublished"
        entries = ", ".join(f"{name}={base_id}" for name, base_id in named.items())
        told = examined(plugin, newer, agent_knowledge_bases=entries)
        assert ["agents_unpublished", "agents_refused"] == list(lines(told))
        assert "minutes" in lines(told)["agents_unpublished"]
        assert "forbids this agent knowledge base" in lines(told)["agents_refused"]
        assert {"agents_ok", "key_bound"} <= {check["line"] for check in told.json["checks"]}


def test_a_dataset_that_cannot_be_searched_is_told_apart_from_one_that_may_not_be_seen(
    plugin: Plugin,
    crooked: KnowledgeServer,
) -> None:
    crooked.faults = lambda method, path: Fault(503) if path.endswith("/retrieve") else None
    assert ["filters_failed", "version_arrays"] == list(lines(examined(plugin, crooked)))


def test_the_address_of_proof_links_is_opened_without_a_link(
    plugin: Plugin, crooked: KnowledgeServer
) -> None:
    """Any page will do, and a server behind it that is down will not."""
    given = {"proof_url": crooked.base_url, "proof_key": "k" * 40}
    assert ["version_arrays"] == list(lines(examined(plugin, crooked, **given)))
    crooked.faults = lambda _method, path: Fault(502) if path.endswith("/proof") else None
    assert "status 502" in lines(examined(plugin, crooked, **given))["endpoint_silent"]


def test_a_chat_api_is_asked_for_one_word(plugin: Plugin, crooked: KnowledgeServer) -> None:
    with ChatServer(ScriptedModel(["ok"])) as chat:
        result = examined(plugin, crooked, llm_base_url=chat.base_url, llm_model="m")
    assert 1 == result.json["receipt"]["model_calls"]
    assert "model_ok" in {check["line"] for check in result.json["checks"]}


@pytest.mark.parametrize(
    ("told", "line"),
    [
        ("", "version_untold"),
        ("fork", "version_untold"),
        ("1.9.2", "version_old"),
        ("1.11.4", "version_arrays"),
        ("1.13.3-fix1", "version_filters"),
        ("1.18.0", "version_ok"),
    ],
)
def test_a_version_is_known_by_its_quirks(told: str, line: str) -> None:
    assert line == known_of(told).line


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ("Thu, 01 Jan 1970 00:16:40 GMT", Finding("clock_ok", {"seconds": "30"})),
        ("Thu, 01 Jan 1970 00:00:00 GMT", Finding("clock_off", {"seconds": "1030"})),
        ("yesterday", Finding("clock_untold")),
    ],
)
def test_two_clocks_are_compared(told: str, expected: Finding) -> None:
    assert expected == apart_by(told, 1_030.0)
