"""Credentials are proven with one real request, and every cause has its own advice."""

import pytest
from conftest import KEY, Plugin

from standalone.knowledge import Corpus, Fault, KnowledgeServer


@pytest.mark.parametrize("ending", ["", "/", "/v1", "/v1/", "/v1/datasets"])
def test_right_credentials_are_accepted_however_the_url_was_typed(plugin: Plugin, ending: str) -> None:
    plugin.server.clear_requests()
    url = f" {plugin.credentials['dify_base_url']}{ending} "
    plugin.process.validate({"dify_base_url": url, "dify_api_key": f" {KEY} "})
    assert [("GET", "/v1/datasets", 200)] == [
        (each.method, each.path, each.status) for each in plugin.server.requests
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
    plugin: Plugin, name: str, value: str | None, advice: str
) -> None:
    plugin.server.clear_requests()
    assert advice in plugin.refusal(plugin.credentials | {name: value})
    assert plugin.server.requests == ()


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
