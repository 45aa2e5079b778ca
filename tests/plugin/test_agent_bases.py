"""Agent knowledge bases through the plugin's process: named in the credentials, beside datasets, one of them down."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from conftest import DOCUMENTS, KEY, Plugin

from standalone.cli.sources import credentials_of
from standalone.knowledge import Fault, KnowledgeServer, load_folder

ACROSS = "How long may we keep the interview notes of applicants whom we did not hire?"
IN_MINUTES = "What did Project Kestrel decide about the launch date?"


@pytest.fixture(scope="module")
def both() -> Iterator[KnowledgeServer]:
    """The sample documents as datasets and as agent knowledge bases."""
    with KnowledgeServer(load_folder(DOCUMENTS), "1.18", KEY) as running:
        yield running


@pytest.fixture
def dify(both: KnowledgeServer) -> Iterator[KnowledgeServer]:
    both.clear_requests()
    yield both
    both.agent_states.clear()
    both.faults = None


def agent(server: KnowledgeServer, *names: str, **more: Any) -> dict[str, Any]:
    """Credentials with these agent knowledge bases."""
    named = ", ".join(f"{name}={server.agent_bases[name]}" for name in names)
    return {"dify_base_url": server.base_url, "dify_api_key": KEY, "agent_knowledge_bases": named} | more


def ids(dify: KnowledgeServer, *names: str) -> str:
    return ", ".join(f"agent:{dify.agent_bases[name]}" for name in names)


def places(result: Mapping[str, Any]) -> set[tuple[str, bool]]:
    """Dataset names of citations, and whether each is an agent knowledge base."""
    return {(each["dataset_name"], each["dataset_id"].startswith("agent:")) for each in result["citations"]}


def test_an_answer_over_agent_bases_quotes_their_chunks_word_by_word(
    plugin: Plugin, dify: KnowledgeServer
) -> None:
    credentials = agent(dify, "policies", "minutes")
    result = plugin.run(
        "quote", credentials=credentials, query=ACROSS, datasets=ids(dify, "policies", "minutes")
    )
    assert result.json["citations"]
    assert {("policies", True)} == places(result.json)
    for citation in result.json["citations"]:
        name, document, start, end = dify.source_of(citation["segment_id"])
        assert ("policies", citation["document_name"]) == (name, document)
        text = next(each.text for each in dify.corpus.collections[2].documents if each.name == document)
        assert start is not None
        assert citation["quote"] == text[start:end][citation["start"] : citation["end"]]
        assert (citation["revision"], citation["freshness"]) == (1, "verified")
    steps = [
        each["facts"] for each in result.json["receipt"]["steps"] if each["name"] == "knowledge.retrieve"
    ]
    assert [{"fast"}, {result.json["verdict"]["status"]}] == [
        {facts[name] for facts in steps} for name in ("depth", "verdict")
    ]
    assert {"answerable", "not-enough-evidence"} >= {facts["evidence_state"] for facts in steps}
    assert all(facts["publication"] for facts in steps)


def test_a_warm_question_is_one_list_and_the_query_stream(plugin: Plugin, dify: KnowledgeServer) -> None:
    credentials, place = agent(dify, "policies"), ids(dify, "policies")
    plugin.run("quote", credentials=credentials, query=ACROSS, datasets=place)
    plugin.run(
        "quote", credentials=credentials, query="How quickly is a stolen laptop reported?", datasets=place
    )
    dify.clear_requests()
    result = plugin.run(
        "quote", credentials=credentials, query="How long are interview notes kept?", datasets=place
    )
    asked = [each.path for each in dify.requests]
    streamed = [path for path in asked if path.endswith(("/queries/admission", "/query-stream"))]
    again = [path for path in asked if "/chunks/" in path]
    assert len(streamed) == 2
    assert len(again) <= len(result.json["citations"])
    assert len(asked) - len(streamed) - len(again) <= 3


@pytest.mark.parametrize("state", ["closed", "unpublished", "deleting"])
def test_of_mixed_bases_one_that_fails_is_a_warning_beside_the_others(
    plugin: Plugin, dify: KnowledgeServer, state: Any
) -> None:
    credentials = agent(dify, "policies", "minutes", llm_model=state)  # nothing is known of it yet
    dify.agent_states["minutes"] = state
    mixed = f"agreements, {ids(dify, 'policies')}"
    result = plugin.run("quote", credentials=credentials, query=ACROSS)
    assert result.json["status"] in {"answered", "partial"}
    assert result.json["citations"]
    assert any("minutes" in line or dify.agent_bases["minutes"] in line for line in result.json["degraded"])
    named = plugin.run(
        "quote", credentials=credentials, query=ACROSS, datasets=ids(dify, "policies", "minutes")
    )
    assert {("policies", True)} == places(named.json)
    assert any("minutes" in line for line in named.json["degraded"])
    fine = plugin.run("quote", credentials=credentials, query=ACROSS, datasets=mixed)
    assert {("policies", True)} == places(fine.json)


def test_a_base_that_fails_alone_is_the_error_of_the_question(plugin: Plugin, dify: KnowledgeServer) -> None:
    dify.agent_states["minutes"] = "closed"
    credentials = agent(dify, "policies", "minutes", rerank_model="alone")
    said = plugin.failure("quote", credentials=credentials, query=ACROSS, datasets=ids(dify, "minutes"))
    assert "forbids this agent knowledge base" in said


def test_nothing_found_while_a_base_is_down_is_not_called_nothing(
    plugin: Plugin, dify: KnowledgeServer
) -> None:
    dify.agent_states["minutes"] = "closed"
    credentials = agent(dify, "policies", "minutes", rerank_model="nothing")
    place = ids(dify, "policies", "minutes")
    result = plugin.run("quote", credentials=credentials, query="Who won the chess cup?", datasets=place)
    assert result.json["reason"] == "knowledge_unavailable"
    assert "minutes" in result.json["searched"]["unreached"]


def test_datasets_that_fail_are_a_warning_beside_agent_bases(plugin: Plugin, dify: KnowledgeServer) -> None:
    dify.faults = lambda _method, path: Fault(403) if path.startswith("/v1/datasets/") else None
    result = plugin.run("quote", credentials=agent(dify, "policies", agent_depth="deep"), query=ACROSS)
    assert ("policies", True) in places(result.json)


def test_an_edited_chunk_is_answered_for_as_it_stands_now(plugin: Plugin) -> None:
    with KnowledgeServer(plugin.server.corpus, "1.18", KEY) as dify:
        credentials, place = agent(dify, "policies"), ids(dify, "policies")
        first = plugin.run("quote", credentials=credentials, query=ACROSS, datasets=place)
        old = next(each for each in first.json["citations"] if "6 months" in each["quote"])
        edited = next(each for each in dify.segments("policies") if old["quote"] in each.source.content)
        content = edited.source.content.replace("6 months", "9 months")
        dify.owner.edit_segment(edited.id, content)
        again = plugin.run("quote", credentials=credentials, query=ACROSS, datasets=place)
        quotes = [(each["revision"], each["quote"]) for each in again.json["citations"]]
        assert any(revision == 2 and "9 months" in quote for revision, quote in quotes)
        assert not any("6 months" in quote for _, quote in quotes)
        dify.owner.enable(edited.document.id, enabled=False)
        gone = plugin.run("quote", credentials=credentials, query=ACROSS, datasets=place)
        assert old["document_name"] not in {each["document_name"] for each in gone.json["citations"]}


def test_authorize_passes_with_agent_bases_alone(plugin: Plugin) -> None:
    bound = ("agent:policies", "agent:minutes")
    with KnowledgeServer(plugin.server.corpus, "1.18", KEY, bound_to=bound) as dify:
        right = agent(dify, "policies", "minutes")
        plugin.process.validate(right)
        dify.agent_states["minutes"] = "unpublished"
        plugin.process.validate(right)
        result = plugin.run("quote", credentials=right, query=ACROSS)
        assert {("policies", True)} == places(result.json)
        assert "list datasets (403)" in plugin.refusal(right | {"agent_knowledge_bases": ""})
        said = plugin.refusal(agent(dify, "policies", "agreements"))
        assert said.startswith('Agent knowledge bases: "agreements": ')
        assert "forbids this agent knowledge base" in said


@pytest.mark.parametrize(
    ("entry", "advice"),
    [
        ("Handbook=two words", "holds no id"),
        (
            "https://elsewhere.example/v1/knowledge-fs/spaces/0f7a3c52-9a41-4d0e-b6c8-2f5d1e9a7b60",
            "not at the Dify",
        ),
        ("0f7a3c52-9a41-4d0e-b6c8-2f5d1e9a7b60", "no agent knowledge base of this id"),
    ],
)
def test_authorize_refuses_what_names_no_base(
    plugin: Plugin, dify: KnowledgeServer, entry: str, advice: str
) -> None:
    assert advice in plugin.refusal(agent(dify, agent_knowledge_bases=entry))


def test_a_base_is_named_by_its_address_and_read_with_a_key_of_its_own(plugin: Plugin) -> None:
    with KnowledgeServer(plugin.server.corpus, "1.18", KEY) as dify:
        url = f"{dify.base_url}/knowledge-fs/spaces/{dify.agent_bases['policies']}"
        right = agent(dify, agent_knowledge_bases=f"Rules={url}")
        plugin.process.validate(right)
        plugin.process.validate(right | {"agent_api_key": KEY})
        assert "does not accept the key" in plugin.refusal(right | {"agent_api_key": "dataset-another"})
        listed = plugin.run("list_datasets", credentials=right).json["datasets"]
        mine = next(each for each in listed if each["dataset_name"] == "Rules")
        assert (ids(dify, "policies"), "agent", 7) == (
            mine["dataset_id"],
            mine["provider"],
            mine["document_count"],
        )


def test_a_base_that_nobody_entered_is_not_found(plugin: Plugin, dify: KnowledgeServer) -> None:
    said = plugin.failure(
        "quote", credentials=agent(dify, "policies"), query=ACROSS, datasets=ids(dify, "minutes")
    )
    assert "There is no dataset" in said


def test_the_same_answer_over_a_dataset_and_over_the_agent_base_of_the_same_documents(
    plugin: Plugin, dify: KnowledgeServer
) -> None:
    credentials = credentials_of(dify)
    for question in (ACROSS, IN_MINUTES):
        quotes = []
        stored = ", ".join(dify.dataset_id(name) for name in ("policies", "minutes"))
        for place in (stored, ids(dify, "policies", "minutes")):
            result = plugin.run("quote", credentials=credentials, query=question, datasets=place)
            result = plugin.run("quote", credentials=credentials, query=question, datasets=place)
            quotes.append([each["quote"] for each in result.json["citations"]])
        assert quotes[0] == quotes[1] != []
