"""The JSON of the contract, and the shape of Dify's knowledge-retrieval node."""

import hashlib
import json
from dataclasses import replace

import pytest
from host_samples import (
    DATASET_ID,
    SEGMENT_ID,
    TEXT,
    answered,
    comparison,
    json_of,
    not_found,
    passage,
    receipt,
    segment,
)

from evidence.limits import Limits
from evidence.model import Outcome, Passage, Shortlist, Understanding, Unreached, Verdict
from host.tools import TOOLS
from host.view.json import result_items

FIELDS = frozenset(
    "schema question status reason intent answer citations claims facets comparison documents searched passages "
    "verdict degraded receipt".split()
)
LOST = Unreached("dataset", "d-9", "Archive", "knowledge_unavailable")


@pytest.mark.parametrize("tool", ["search", "discover"])
def test_a_search_that_did_not_see_all_is_partial_and_says_what_it_lacks(tool: str) -> None:
    run = replace(not_found(), answer=None)
    lost = replace(run, shortlist=replace(run.shortlist, unreached=(LOST,)))
    values = json_of(tool, lost, receipt())
    assert ("partial", "knowledge_unavailable") == (values["status"], values["reason"])
    assert {
        "datasets": ["Contracts"],
        "documents": ["Lease | 2024.txt"],
        "unreached": ["Archive"],
    } == values["searched"]


def test_every_field_of_the_contract_is_there_even_when_nothing_was_found() -> None:
    empty = json_of("search", Outcome("q", Understanding("q")), receipt())
    assert set(empty) >= FIELDS
    assert (empty["status"], empty["answer"], empty["comparison"]) == ("not_found", "", None)


def test_a_citation_is_the_verbatim_span_of_its_segment() -> None:
    cited = json_of("ask", answered(), receipt())["citations"][0]
    expected = {
        "marker": 1,
        "quote": "Notice is 30 days.",
        "match": "exact",
        "start": 29,
        "end": 47,
        "dataset_id": DATASET_ID,
        "dataset_name": "Contracts",
        "document_id": "d-1",
        "document_name": "Lease | 2024.txt",
        "segment_id": SEGMENT_ID,
        "position": 4,
        "segment_sha256": hashlib.sha256(TEXT.encode()).hexdigest(),
        "read_at": "2025-11-21T08:30:00Z",
        "freshness": "verified",
        "revision": None,
        "proof": None,
    }
    assert expected == cited
    assert TEXT[cited["start"] : cited["end"]] == cited["quote"]


def test_documents_and_passages_carry_rank_score_and_reasons() -> None:
    values = json_of("ask", answered(), receipt("half of it"))
    assert (1, 0.93, ["name: 0.81"]) == tuple(
        values["documents"][0][name] for name in ("rank", "score", "why")
    )
    assert values["passages"][0]["text"] == TEXT
    assert values["passages"][0]["why"] == [{"query": "notice", "list": "keyword", "rank": 2}]
    assert values["degraded"] == ["half of it"]
    assert values["queries"] == [{"text": "notice", "origin": "topic", "weight": 0.5}]
    assert values["keywords"][0]["keywords"] == ["notice", "leave"]


def test_the_receipt_names_what_was_spent_and_what_was_granted() -> None:
    spent = json_of("ask", answered(), receipt(), Limits(seconds=9))["receipt"]
    assert (1.94, 5, 1, 0, 1200, 34) == tuple(
        spent[name]
        for name in (
            "seconds",
            "knowledge_calls",
            "model_calls",
            "rerank_calls",
            "prompt_tokens",
            "completion_tokens",
        )
    )
    assert spent["limits"]["seconds"] == 9
    assert spent["token_counter"]
    assert spent["steps"] == [{"name": "search", "began": 0.1, "seconds": 0.25, "facts": {"items": 8}}]


def test_an_empty_cell_says_what_was_searched() -> None:
    run = answered()
    assert run.answer
    compared = replace(run, answer=replace(run.answer, comparison=comparison()))
    table = json_of("ask", compared, receipt())["comparison"]
    assert table["dimensions"] == ["notice", "cap"]
    expected = [{"text": "30 days", "markers": [1]}, {"text": None, "queries": ["liability cap"]}]
    assert expected == table["rows"][0]["cells"]


def test_a_result_item_has_the_shape_of_the_knowledge_retrieval_node() -> None:
    expected = {
        "metadata": {
            "_source": "knowledge",
            "position": 1,
            "dataset_id": DATASET_ID,
            "dataset_name": "Contracts",
            "document_id": "d-1",
            "document_name": "Lease | 2024.txt",
            "data_source_type": "upload_file",
            "segment_id": SEGMENT_ID,
            "retriever_from": "workflow",
            "score": 0.5,
            "child_chunks": [],
            "segment_hit_count": 0,
            "segment_word_count": len(TEXT),
            "segment_position": 4,
            "segment_index_node_hash": hashlib.sha256(TEXT.encode()).hexdigest(),
            "doc_metadata": {"year": 2024},
        },
        "title": "Lease | 2024.txt",
        "content": TEXT,
        "files": None,
    }
    assert [expected] == result_items([passage()])


@pytest.mark.parametrize("segment_id", ["passage-1", "", "0B7E6A523C1F4F0C9B522F6F0D9C1E77"])
def test_a_segment_id_that_is_no_uuid_is_left_out(segment_id: str) -> None:
    assert "segment_id" not in result_items([passage(segment_id=segment_id)])[0]["metadata"]


def test_a_question_stands_before_its_answer_as_dify_joins_them() -> None:
    found = Passage(segment("30 days.", question="How long?"), 1.0, 1)
    assert result_items([found])[0]["content"] == "question:How long? \nanswer:30 days."


@pytest.mark.parametrize(
    ("tool", "outcome", "expected"),
    [
        ("ask", answered(), "answered"),
        ("ask", not_found(), "not_found"),
        ("reflect", answered(), "answered"),
        ("reflect", replace(answered(), verdict=Verdict("unknown")), "partial"),
        ("reflect", replace(answered(), verdict=Verdict("unsettled")), "partial"),
        ("discover", replace(answered(), answer=None), "answered"),
        ("discover", replace(answered(), answer=None, shortlist=Shortlist(())), "not_found"),
        ("search", replace(not_found(), answer=None), "not_found"),
        ("boost", replace(answered(), answer=None, shortlist=Shortlist(())), "answered"),
        (
            "search",
            replace(answered(), answer=None, shortlist=Shortlist((), verdict="ambiguous")),
            "ambiguous",
        ),
    ],
)
def test_the_status_says_how_the_tool_ended(tool: str, outcome: Outcome, expected: str) -> None:
    assert expected == TOOLS[tool].view.status(outcome)


def test_the_payload_is_json() -> None:
    for outcome in (answered(), not_found()):
        values = json_of("ask", outcome, receipt())
        assert values == json.loads(json.dumps(values))
