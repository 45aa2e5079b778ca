from collections.abc import Iterator
from typing import Any

import pytest
from knowledge_samples import PROFILES, Reader, condition, model, reading, sample_corpus

from standalone.knowledge import Collection, Corpus, KnowledgeServer, SourceDocument
from standalone.knowledge.profiles import ProfileName

_RECORD_KEYS = {"segment", "child_chunks", "score", "tsne_position", "files"}
_SEGMENT_KEYS = set(
    """id position document_id content sign_content answer word_count tokens keywords index_node_id
    index_node_hash hit_count enabled disabled_at disabled_by status created_by created_at indexing_at
    completed_at error stopped_at document""".split()
)
_WEIGHTS = {
    "reranking_mode": "weighted_score",
    "weights": {
        "weight_type": "customized",
        "vector_setting": {
            "vector_weight": 0.7,
            "embedding_provider_name": "local/bm25/bm25",
            "embedding_model_name": "bm25-embed",
        },
        "keyword_setting": {"keyword_weight": 0.3},
    },
}
_RERANK = {
    "reranking_enable": True,
    "reranking_mode": "reranking_model",
    "reranking_model": {"reranking_provider_name": "local/no/no", "reranking_model_name": "no"},
}


@pytest.fixture(params=PROFILES)
def reader(request: pytest.FixtureRequest) -> Iterator[Reader]:
    with reading(KnowledgeServer(sample_corpus(), profile=request.param)) as opened:
        yield opened


@pytest.fixture
def old() -> Iterator[Reader]:
    with reading(KnowledgeServer(sample_corpus())) as opened:
        yield opened


def _scores(reader: Reader, dataset: str, query: str, given: Any) -> list[float]:
    return [record["score"] for record in reader.retrieve(dataset, query, given).json()["records"]]


def test_semantic_search_finds_inflected_words_and_scores_between_0_and_1(reader: Reader) -> None:
    given = model("semantic_search", 3)
    assert ("Lease.txt", 2) == reader.found("office", "Who is repairing the roofs?", given)[0]
    scores = _scores(reader, "office", "Who is repairing the roofs?", given)
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score < 1 for score in scores)


def test_semantic_search_always_gives_top_k_records(reader: Reader) -> None:
    assert 5 == len(reader.found("office", "xylophone", model("semantic_search", 5)))


def test_semantic_search_finds_chinese(reader: Reader) -> None:
    assert ("minutes.txt", 1) == reader.found("office", "董事会的预算", model("semantic_search"))[0]


def test_only_available_documents_are_searched(reader: Reader) -> None:
    names = {name for name, _ in reader.found("office", "rent", model("semantic_search", 1000))}
    assert {"Lease.txt", "policy.md", "minutes.txt"} == names


def test_records_have_every_key(reader: Reader) -> None:
    answer = reader.retrieve("office", "rent", model("semantic_search", 1)).json()
    (record,) = answer["records"]
    assert {"query": {"content": "rent"}} == {key: value for key, value in answer.items() if key != "records"}
    assert _RECORD_KEYS | ({"summary"} if reader.server.profile == "1.13.3" else set()) == set(record)
    assert _SEGMENT_KEYS == set(record["segment"])
    document = record["segment"]["document"]
    assert {"id", "data_source_type", "name", "doc_type", "doc_metadata"} == set(document)
    assert ("contract", 2021, "Lease.txt") == tuple(
        document["doc_metadata"][name] for name in ("kind", "year", "document_name")
    )
    assert (None, None) == (record["child_chunks"], record["segment"]["keywords"])


def test_without_a_retrieval_model_the_best_four_are_given(reader: Reader) -> None:
    assert reader.found("office", "rent", model("semantic_search", 4)) == reader.found("office", "rent")


def test_hit_testing_is_another_name_of_retrieve(reader: Reader) -> None:
    body = {"query": "rent", "retrieval_model": model("semantic_search")}
    answers = [
        reader.http.post(f"{reader.dataset('office')}/{name}", json=body).json()
        for name in ("retrieve", "hit-testing")
    ]
    assert answers[0] == answers[1]


def test_keyword_search_finds_nothing(reader: Reader) -> None:
    assert [] == reader.found("office", "rent", model("keyword_search"))


def test_an_empty_dataset_has_no_vectors(reader: Reader) -> None:
    response = reader.retrieve("nothing", "rent", model("semantic_search"))
    assert (400, "invalid_param") == (response.status_code, response.json()["code"])
    assert "does not exist" in response.json()["message"]


@pytest.mark.parametrize("top_k", [0, -1])
def test_top_k_must_be_positive(reader: Reader, top_k: int) -> None:
    response = reader.retrieve("office", "rent", model("semantic_search", top_k))
    assert (400, "top_k must be a positive integer") == (response.status_code, response.json()["message"])


def test_a_threshold_counts_for_semantic_search_when_enabled(old: Reader) -> None:
    best = _scores(old, "office", "tenant rent", model("semantic_search", 20))[0]
    threshold = {"score_threshold_enabled": True, "score_threshold": str(best)}
    assert [best] == _scores(old, "office", "tenant rent", model("semantic_search", 20) | threshold)
    off = threshold | {"score_threshold_enabled": False}
    assert 7 == len(_scores(old, "office", "tenant rent", model("semantic_search", 20) | off))


def test_a_threshold_that_is_no_number_is_refused(old: Reader) -> None:
    given = model("semantic_search") | {"score_threshold_enabled": True, "score_threshold": "high"}
    response = old.retrieve("office", "rent", given)
    assert (400, "could not convert string to float: 'high'") == (
        response.status_code,
        response.json()["message"],
    )


def test_full_text_search_wants_every_word_and_ignores_a_threshold(reader: Reader) -> None:
    given = model("full_text_search") | {"score_threshold_enabled": True, "score_threshold": 0.99}
    assert [("Lease.txt", 2)] == reader.found("office", "repair of the roof", given)
    assert [] == reader.found("office", "repair of the roof in Shanghai", given)
    assert [] == reader.found("office", "the of and", given)


@pytest.mark.parametrize("profile", PROFILES)
def test_hybrid_search_without_weights_is_unsorted_and_longer_than_top_k(profile: ProfileName) -> None:
    long = "The roof is old, and so is much of what else stands there since long ago; it costs a rent."
    texts = ["roof", long, *["rent"] * 8]
    documents = tuple(SourceDocument(f"{number}.txt", text) for number, text in enumerate(texts))
    corpus = Corpus((Collection("roofs", documents),))
    with reading(KnowledgeServer(corpus, profile=profile)) as reader:
        assert [("0.txt", 1)] == reader.found("roofs", "roof rent", model("semantic_search", 1))
        given = model("hybrid_search", 1)
        assert [("0.txt", 1), ("1.txt", 1)] == reader.found("roofs", "roof rent", given)
        first, second = _scores(reader, "roofs", "roof rent", given)
        assert first < second
        given = model("hybrid_search", 1, **_WEIGHTS)
        assert 1 == len(reader.found("roofs", "roof rent", given))


def test_a_segment_found_twice_keeps_its_first_or_its_better_score() -> None:
    scores = {}
    for profile in PROFILES:
        with reading(KnowledgeServer(sample_corpus(), profile=profile)) as reader:
            given = (model("semantic_search", 1), model("full_text_search", 1), model("hybrid_search", 1))
            scores[profile] = [_scores(reader, "office", "repair roof", one)[0] for one in given]
    for semantic, full_text, _ in scores.values():
        assert semantic < full_text
    assert scores["1.10.1"][0] == scores["1.10.1"][2]
    assert scores["1.13.3"][1] == scores["1.13.3"][2]


def test_hybrid_search_with_weights_is_sorted_and_cut(reader: Reader) -> None:
    given = model("hybrid_search", 2, **_WEIGHTS)
    scores = _scores(reader, "office", "when is a refund paid", given)
    assert (2, scores) == (len(scores), sorted(scores, reverse=True))
    assert ("policy.md", 3) == reader.found("office", "when is a refund paid", given)[0]


def test_an_unknown_rerank_model_is_refused(reader: Reader) -> None:
    for method in ("semantic_search", "hybrid_search"):
        response = reader.retrieve("office", "rent", model(method) | _RERANK)
        assert (400, "Provider local/no/no does not exist.") == (
            response.status_code,
            response.json()["message"],
        )


def test_broken_weights_are_a_server_error(old: Reader) -> None:
    given = model("hybrid_search") | {"reranking_mode": "weighted_score", "weights": 0.5}
    assert 500 == old.retrieve("office", "rent", given).status_code


def test_filters_are_applied_before_the_cut(old: Reader) -> None:
    kept = condition("document_name", "is", "policy.md")
    for method in ("semantic_search", "hybrid_search"):
        found = old.found("office", "rent of the tenant", model(method, 2, **kept))
        assert ["policy.md", "policy.md"] == [name for name, _ in found]
    assert [] == old.found("office", "repair roof", model("full_text_search", 2, **kept))


def test_a_question_is_found_and_comes_with_its_answer(reader: Reader) -> None:
    records = reader.retrieve("questions", "who repairs roofs", model("semantic_search", 1)).json()["records"]
    assert [("Who repairs the roof?", "The landlord.")] == [
        (record["segment"]["content"], record["segment"]["answer"]) for record in records
    ]


def test_parents_are_found_through_children_and_top_k_counts_children(reader: Reader) -> None:
    records = reader.retrieve("handbook", "rent", model("semantic_search", 2)).json()["records"]
    children = [[child["content"] for child in record["child_chunks"]] for record in records]
    assert [["The rent is due monthly."], ["Rent a bicycle where you can."]] == children
    assert ["Rent and repairs.", "Travel."] == [record["segment"]["content"] for record in records]
    assert all(record["score"] == record["child_chunks"][0]["score"] for record in records)
    everything = reader.retrieve("handbook", "rent", model("semantic_search", 100)).json()["records"]
    assert [2, 2] == [len(record["child_chunks"]) for record in everything]
