from collections.abc import Iterator
from typing import Any

import pytest
from knowledge_samples import PROFILES, Reader, condition, model, reading, sample_corpus

from standalone.knowledge import Collection, Corpus, KnowledgeServer, SourceDocument
from standalone.knowledge.economy import document_keywords


@pytest.fixture
def reader() -> Iterator[Reader]:
    with reading(KnowledgeServer(sample_corpus("economy"))) as opened:
        yield opened


def _alike(count: int) -> Corpus:
    documents = tuple(SourceDocument(f"{number}.txt", "Same zebra.") for number in range(count))
    return Corpus((Collection("alike", documents, "economy"),))


def test_a_segment_has_at_most_ten_keywords_that_keep_their_case() -> None:
    text = "Rent rent the of zebra one two three four five six seven eight nine ten eleven twelve"
    (keywords,) = document_keywords((text,))
    assert 10 == len(keywords)
    assert ("Rent", "rent", "zebra") == keywords[:3]


def test_words_that_set_a_segment_apart_in_its_document_come_first() -> None:
    common, rare = document_keywords(("lease lease clause", "lease roof"))
    assert (("lease", "clause"), ("roof", "lease")) == (common, rare)


def test_chinese_keywords_are_pairs_of_characters() -> None:
    assert (("会议", "议预", "预算"),) == document_keywords(("会议预算",))


def test_the_rank_is_the_number_of_matching_keywords(reader: Reader) -> None:
    found = reader.found("office", "landlord repairs roof rent", model("keyword_search"))
    assert [("Lease.txt", 2), ("Lease.txt", 1)] == found


def test_chinese_is_found(reader: Reader) -> None:
    assert [("minutes.txt", 1)] == reader.found("office", "会议讨论租金", model("keyword_search"))


@pytest.mark.parametrize("query", ["the of and to", "xylophone", "   ", "LANDLORD"])
def test_stop_words_strangers_blanks_and_another_case_find_nothing(reader: Reader, query: str) -> None:
    assert [] == reader.found("office", query, model("keyword_search"))


@pytest.mark.parametrize(("profile", "score"), [("1.10.1", None), ("1.13.3", 0.0)])
def test_there_is_no_score_and_a_threshold_is_ignored(profile: Any, score: float | None) -> None:
    given = model("keyword_search") | {"score_threshold_enabled": True, "score_threshold": 0.99}
    with reading(KnowledgeServer(sample_corpus("economy"), profile=profile)) as reader:
        records = reader.retrieve("office", "tenant rent", given).json()["records"]
        assert [score] == [record["score"] for record in records]


def test_equals_are_ordered_by_the_seed_alone() -> None:
    def order(seed: int) -> list[tuple[str, int]]:
        with reading(KnowledgeServer(_alike(20), seed=seed)) as reader:
            return reader.found("alike", "zebra", model("keyword_search", top_k=100))

    assert order(1) == order(1)
    assert order(1) != order(2)
    assert sorted(order(1)) == sorted(order(2))


@pytest.mark.parametrize(("top_k", "count"), [(0, 0), (3, 3), (-1, 19), (None, 20), (100_000, 20)])
def test_top_k_is_a_slice(top_k: Any, count: int) -> None:
    with reading(KnowledgeServer(_alike(20))) as reader:
        assert count == len(reader.found("alike", "zebra", model("keyword_search", top_k)))


@pytest.mark.parametrize("top_k", ["3", 2.5])
def test_a_top_k_that_is_no_integer_is_refused(reader: Reader, top_k: Any) -> None:
    response = reader.retrieve("office", "rent", model("keyword_search", top_k))
    message = "slice indices must be integers or None or have an __index__ method"
    assert (400, message) == (response.status_code, response.json()["message"])


def test_a_top_k_in_quotes_is_a_number_for_the_new_version() -> None:
    with reading(KnowledgeServer(_alike(5), profile="1.13.3")) as reader:
        assert 3 == len(reader.found("alike", "zebra", model("keyword_search") | {"top_k": "3"}))


def test_filters_are_applied_after_the_cut() -> None:
    with reading(KnowledgeServer(_alike(20))) as reader:
        first, last = (reader.found("alike", "zebra", model("keyword_search", 20))[at] for at in (0, -1))
        kept = condition("document_name", "is", last[0])
        assert [] == reader.found("alike", "zebra", model("keyword_search", 5, **kept))
        assert [last] == reader.found("alike", "zebra", model("keyword_search", 100_000, **kept))
        assert [first] == reader.found(
            "alike", "zebra", model("keyword_search", 5, **condition("document_name", "is", first[0]))
        )


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("method", [None, "semantic_search", "full_text_search", "hybrid_search"])
def test_every_other_method_misses_its_table(profile: Any, method: str | None) -> None:
    with reading(KnowledgeServer(sample_corpus("economy"), profile=profile)) as reader:
        response = reader.retrieve("office", "rent", method and model(method))
        table = reader.server.dataset_id("office").replace("-", "_")
        start = f'relation "embedding_vector_index_{table}_nod" does not exist'
        assert (400, "invalid_param") == (response.status_code, response.json()["code"])
        assert (2 if method == "hybrid_search" else 1) == response.json()["message"].count(start)


def test_segments_show_their_keywords_and_cost_no_tokens(reader: Reader) -> None:
    segment = reader.get(f"{reader.document('office', 'Lease.txt')}/segments")["data"][0]
    assert (["tenant", "pays", "rent", "first", "day", "month"], 0) == (
        segment["keywords"],
        segment["tokens"],
    )
