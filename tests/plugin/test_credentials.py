"""Credentials are proven with one real request, and every cause has its own advice."""

from collections.abc import Iterator

import pytest
from conftest import KEY, QUESTION, SELECTOR, Plugin

from standalone.knowledge import Collection, Corpus, Fault, KnowledgeServer, SourceDocument

NOTE = SourceDocument("Note.txt", "A note.")
TWINS = Corpus(tuple(Collection(name, (NOTE,)) for name in ("twin", "other", "twin")))


@pytest.mark.parametrize("ending", ["", "/", "/v1", "/v1/", "/v1/datasets"])
def test_right_credentials_are_accepted_however_the_url_was_typed(
    plugin: Plugin, crooked: KnowledgeServer, ending: str
) -> None:
    url = f" {crooked.base_url.removesuffix('/v1')}{ending} "
    plugin.process.validate({"dify_base_url": url, "dify_api_key": f" {KEY} "})
    assert [("GET", "/v1/datasets", 200)] == [
        (each.method, each.path, each.status) for each in crooked.requests
    ]


def test_a_wrong_key_shows_one_readable_line_at_authorize(plugin: Plugin) -> None:
    said = plugin.refusal(plugin.credentials | {"dify_api_key": "app-some-other-key"})
    host = plugin.server.base_url.removeprefix("http://").removesuffix("/v1")
    expected = f"Dify at {host} does not accept the key; it must be a knowledge (dataset) API key"
    assert expected == said


def test_an_unreachable_server_is_told_with_a_hint_for_containers(plugin: Plugin) -> None:
    said = plugin.refusal({"dify_base_url": "http://127.0.0.1:9", "dify_api_key": KEY})
    assert "cannot be reached" in said
    assert "http://api:5001/v1" in said


@pytest.mark.parametrize(
    ("name", "value", "advice"),
    [
        ("dify_base_url", "", "the Dify API URL is missing"),
        ("dify_base_url", None, "the Dify API URL is missing"),
        ("dify_base_url", "dify.example.com", "must begin with http:// or https://"),
        ("dify_base_url", "http://user:pass@127.0.0.1/v1", "user names or passwords"),
        ("dify_api_key", "  ", "the knowledge API key is missing"),
        ("dify_api_key", "dataset-größe-and-more", "characters that no key has"),
        ("allowed_datasets", ",,", "holds no id or name"),
        ("llm_base_url", "http://127.0.0.1:9/v1", "no model"),
        ("rerank_base_url", "ftp://127.0.0.1", "must begin with http:// or https://"),
    ],
)
def test_a_malformed_credential_is_told_before_anybody_is_asked(
    plugin: Plugin, crooked: KnowledgeServer, name: str, value: str | None, advice: str
) -> None:
    right = {"dify_base_url": crooked.base_url, "dify_api_key": KEY}
    assert advice in plugin.refusal(right | {name: value})
    assert crooked.requests == ()


def test_a_web_page_is_told_from_an_api(plugin: Plugin, crooked: KnowledgeServer) -> None:
    crooked.faults = lambda _method, _path: Fault(200, b"<!doctype html><p>Sign in", "text/html")
    said = plugin.refusal({"dify_base_url": crooked.base_url, "dify_api_key": KEY})
    assert "web page" in said


def test_a_key_that_sees_no_dataset_is_told(plugin: Plugin) -> None:
    with KnowledgeServer(Corpus(()), api_key=KEY) as empty:
        said = plugin.refusal({"dify_base_url": empty.base_url, "dify_api_key": KEY})
    assert "sees no dataset" in said


def test_a_workspace_without_a_model_provider_is_told(plugin: Plugin) -> None:
    with KnowledgeServer(plugin.server.corpus, api_key=KEY, no_model_provider=True) as bare:
        said = plugin.refusal({"dify_base_url": bare.base_url, "dify_api_key": KEY})
    assert "no working model provider" in said


def seen(plugin: Plugin, allowed: str, server: KnowledgeServer | None = None) -> str:
    """What saving says of an allow-list."""
    url = (server or plugin.server).base_url
    return plugin.refusal({"dify_base_url": url, "dify_api_key": KEY, "allowed_datasets": allowed})


@pytest.mark.parametrize("entry", ["policies", "minutes, policies", '"agreements"'])
def test_an_allow_list_of_datasets_that_exist_is_accepted(plugin: Plugin, entry: str) -> None:
    with KnowledgeServer(plugin.server.corpus, api_key=KEY) as server:
        right = {"dify_base_url": server.base_url, "dify_api_key": KEY}
        for allowed in (entry, server.dataset_id("policies")):
            plugin.process.validate(right | {"allowed_datasets": allowed})
        assert {("GET", 200)} == {(each.method, each.status) for each in server.requests}


@pytest.mark.parametrize(
    ("allowed", "named"),
    [
        ("Polices", '"Polices"'),
        ("policies, Contracts", '"Contracts"'),
        ("Policies", '"Policies"'),
        ("00000000-0000-0000-0000-000000000000", '"00000000-0000-0000-0000-000000000000"'),
        ("A, B", '"A" or "B"'),
        (", ".join("ABCDEFGHI"), '"A", "B", "C", "D", "E", "F" and 3 more'),
    ],
)
def test_saving_refuses_an_allow_list_that_names_what_does_not_exist_and_says_which(
    plugin: Plugin, allowed: str, named: str
) -> None:
    expected = f"Allowed datasets: this key sees no dataset {named}; it sees: agreements, minutes, policies"
    assert expected == seen(plugin, allowed)


def test_saving_refuses_a_name_that_two_datasets_bear(plugin: Plugin) -> None:
    with KnowledgeServer(TWINS, api_key=KEY) as server:
        expected = 'Allowed datasets: several datasets are named "twin"; enter the ids of those meant'
        assert expected == seen(plugin, "other, twin", server)
        ids = f"{server.dataset_id('twin')}, {server.dataset_id('other')}"
        credentials = {"dify_base_url": server.base_url, "dify_api_key": KEY, "allowed_datasets": ids}
        plugin.process.validate(credentials)


def test_the_datasets_that_are_seen_are_cut_with_an_ellipsis(plugin: Plugin) -> None:
    many = Corpus(tuple(Collection(f"set {number}", (NOTE,)) for number in range(8)))
    with KnowledgeServer(many, api_key=KEY) as server:
        assert seen(plugin, "Ghost", server).endswith(
            "; it sees: set 0, set 1, set 2, set 3, set 4, set 5, …"
        )


@pytest.fixture
def bound(plugin: Plugin) -> Iterator[KnowledgeServer]:
    """A Dify whose key is bound to two of its datasets."""
    with KnowledgeServer(plugin.server.corpus, "1.13.3", KEY, bound_to=("policies", "minutes")) as server:
        yield server


def test_a_key_bound_to_single_datasets_is_told_to_name_them(plugin: Plugin, bound: KnowledgeServer) -> None:
    said = seen(plugin, "", bound)
    assert "does not let this key list datasets (403)" in said
    assert "needs their ids under the allowed datasets" in said
    said = seen(plugin, f"policies, {bound.dataset_id('minutes')}", bound)
    assert (
        '"policies": this key is bound to single knowledge bases and cannot look names up; enter ids' in said
    )


def test_validation_asks_a_bound_key_for_each_dataset_it_is_to_read(
    plugin: Plugin, bound: KnowledgeServer
) -> None:
    ids = [bound.dataset_id(name) for name in ("policies", "minutes")]
    credentials = {"dify_base_url": bound.base_url, "dify_api_key": KEY, "allowed_datasets": ", ".join(ids)}
    plugin.process.validate(credentials)
    listing, *named = [(each.path, each.status) for each in bound.requests]
    assert ("/v1/datasets", 403) == listing
    assert {(f"/v1/datasets/{each}", 200) for each in ids} == set(named)
    outside = bound.dataset_id("agreements")
    expected = f'Allowed datasets: this key may not read "{outside}"'
    assert expected == seen(plugin, f"{ids[0]}, {outside}", bound)


def test_with_a_bound_key_and_ids_everything_works_without_listing(
    plugin: Plugin, bound: KnowledgeServer
) -> None:
    ids = ", ".join(bound.dataset_id(name) for name in ("policies", "minutes"))
    credentials = {"dify_base_url": bound.base_url, "dify_api_key": KEY, "allowed_datasets": ids}
    quoted = plugin.run("quote", query=QUESTION, credentials=credentials).json
    assert any("within 2 hours" in cited["quote"] for cited in quoted["citations"])
    assert [] == [line for line in quoted["degraded"] if "looks like an instruction" not in line]
    for tool in ("ask", "discover", "boost", "search"):
        given = {"query": QUESTION} | ({"model": SELECTOR} if tool == "ask" else {})
        assert plugin.run(tool, **given, datasets="policies", credentials=credentials).json["documents"]
    listed = plugin.run("list_datasets", credentials=credentials).json["datasets"]
    assert {"policies", "minutes"} == {each["dataset_name"] for each in listed}
    documents = plugin.run("list_documents", credentials=credentials).json["documents"]
    assert {"policies", "minutes"} == {each["dataset_name"] for each in documents}
    assert {"/v1/datasets"} == {each.path for each in bound.requests if each.status != 200}
