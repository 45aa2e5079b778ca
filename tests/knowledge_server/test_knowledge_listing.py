from collections.abc import Iterator

import pytest
from knowledge_samples import PROFILES, Reader, reading, sample_corpus

from standalone.knowledge import Collection, Corpus, KnowledgeServer, SourceDocument

_DATASET_KEYS = set(
    """id name description provider permission data_source_type indexing_technique app_count document_count
    word_count created_by author_name created_at updated_by updated_at embedding_model
    embedding_model_provider embedding_available retrieval_model_dict tags doc_form external_knowledge_info
    external_retrieval_model doc_metadata built_in_field_enabled pipeline_id runtime_mode chunk_structure
    icon_info is_published total_documents total_available_documents enable_api is_multimodal""".split()
)
_ROW_KEYS = set(
    """id position data_source_type data_source_info data_source_detail_dict dataset_process_rule_id name
    created_from created_by created_at tokens indexing_status error enabled disabled_at disabled_by archived
    display_status word_count hit_count doc_form doc_metadata""".split()
)
_DETAIL_KEYS = (_ROW_KEYS - {"word_count", "data_source_detail_dict"}) | set(
    """dataset_process_rule document_process_rule completed_at updated_at indexing_latency doc_type
    segment_count average_segment_length doc_language""".split()
)
_SEGMENT_KEYS = set(
    """id position document_id content sign_content answer word_count tokens keywords index_node_id
    index_node_hash hit_count enabled disabled_at disabled_by status created_by created_at updated_at
    updated_by indexing_at completed_at error stopped_at child_chunks attachments""".split()
)
# What 1.13.3 adds.
_SUMMARY_OF_DATASET = {"summary_index_setting"}
_SUMMARY_OF_DOCUMENT = {"summary_index_status", "need_summary"}


@pytest.fixture(params=PROFILES)
def reader(request: pytest.FixtureRequest) -> Iterator[Reader]:
    with reading(KnowledgeServer(sample_corpus(), profile=request.param)) as opened:
        yield opened


def _added(reader: Reader, keys: set[str]) -> set[str]:
    return keys if reader.server.profile == "1.13.3" else set()


def _many(count: int) -> Corpus:
    text = "\n\n".join(f"Paragraph {number} of the long paper." for number in range(count))
    return Corpus((Collection("long", (SourceDocument("long.txt", text),), segment_characters=40),))


def test_datasets_come_newest_first_with_every_key(reader: Reader) -> None:
    page = reader.get("/datasets")
    names = ["nothing", "elsewhere", "handbook", "questions", "office"]
    assert names == [dataset["name"] for dataset in page["data"]]
    assert {"has_more": False, "limit": 20, "total": 5, "page": 1} == {
        key: value for key, value in page.items() if key != "data"
    }
    wanted = _DATASET_KEYS | _added(reader, _SUMMARY_OF_DATASET)
    assert all(wanted == set(dataset) for dataset in page["data"])


def test_a_dataset_counts_all_its_documents_and_the_available_ones(reader: Reader) -> None:
    dataset = reader.get(reader.dataset("office"))
    assert (7, 7, 4) == (
        dataset["document_count"],
        dataset["total_documents"],
        dataset["total_available_documents"],
    )
    assert ["kind", "year"] == [field["name"] for field in dataset["doc_metadata"]]


def test_datasets_are_found_by_a_keyword_in_any_case(reader: Reader) -> None:
    assert ["handbook"] == [one["name"] for one in reader.get("/datasets", keyword="HAND")["data"]]


def test_only_one_economy_dataset_says_how_it_is_searched() -> None:
    """The list claims semantic search; the single dataset tells the method that works."""
    with reading(KnowledgeServer(sample_corpus("economy"))) as reader:
        listed = reader.get("/datasets", keyword="office")["data"][0]
        single = reader.get(reader.dataset("office"))
        assert ("semantic_search", "keyword_search") == (
            listed["retrieval_model_dict"]["search_method"],
            single["retrieval_model_dict"]["search_method"],
        )
        assert (None, "economy") == (single["embedding_model"], single["indexing_technique"])


def test_an_external_dataset_has_no_technique_and_no_documents(reader: Reader) -> None:
    dataset = reader.get(reader.dataset("elsewhere"))
    assert ("external", None, None) == (
        dataset["provider"],
        dataset["indexing_technique"],
        dataset["doc_form"],
    )
    assert 0 == reader.get(f"{reader.dataset('elsewhere')}/documents")["total"]


def test_documents_come_newest_first_with_every_key(reader: Reader) -> None:
    rows = reader.get(f"{reader.dataset('office')}/documents")["data"]
    assert [7, 6, 5, 4, 3, 2, 1] == [row["position"] for row in rows]
    wanted = _ROW_KEYS | _added(reader, _SUMMARY_OF_DOCUMENT)
    assert all(wanted == set(row) for row in rows)
    states = ["error", "disabled", "archived", "available", "available", "available", "available"]
    assert states == [row["display_status"] for row in rows]


@pytest.mark.parametrize(
    ("status", "names"),
    [
        ("error", ["broken.pdf"]),
        ("DISABLED", ["hidden.txt"]),
        ("archived", ["old lease.txt"]),
        ("enabled", ["empty.txt", "minutes.txt", "policy.md", "Lease.txt"]),
        ("indexing", []),
    ],
)
def test_documents_are_found_by_status(reader: Reader, status: str, names: list[str]) -> None:
    page = reader.get(f"{reader.dataset('office')}/documents", status=status)
    assert (names, len(names)) == ([row["name"] for row in page["data"]], page["total"])


def test_an_unknown_status_filters_nothing(reader: Reader) -> None:
    assert 7 == reader.get(f"{reader.dataset('office')}/documents", status="completed")["total"]


@pytest.mark.parametrize(
    ("keyword", "names"), [("ease", ["old lease.txt", "Lease.txt"]), ("Lease", ["Lease.txt"])]
)
def test_document_names_are_searched_with_case(reader: Reader, keyword: str, names: list[str]) -> None:
    page = reader.get(f"{reader.dataset('office')}/documents", keyword=keyword)
    assert names == [row["name"] for row in page["data"]]


def test_lists_show_metadata_as_text_and_one_document_keeps_numbers(reader: Reader) -> None:
    row = reader.get(f"{reader.dataset('office')}/documents", keyword="Lease")["data"][0]
    detail = reader.get(reader.document("office", "Lease.txt"))
    assert ["2021"] == [field["value"] for field in row["doc_metadata"] if field["name"] == "year"]
    assert [2021] == [field["value"] for field in detail["doc_metadata"] if field["name"] == "year"]
    built_in = [field["name"] for field in detail["doc_metadata"] if field["id"] == "built-in"]
    assert ["document_name", "uploader", "upload_date", "last_update_date", "source"] == built_in
    assert _DETAIL_KEYS | _added(reader, _SUMMARY_OF_DOCUMENT) == set(detail)


def test_metadata_can_be_asked_for_alone_or_left_out(reader: Reader) -> None:
    path = reader.document("office", "Lease.txt")
    assert {"id", "doc_type", "doc_metadata"} == set(reader.get(path, metadata="only"))
    assert not {"doc_type", "doc_metadata"} & set(reader.get(path, metadata="without"))


def test_segments_come_by_position_with_every_key(reader: Reader) -> None:
    page = reader.get(f"{reader.document('office', 'Lease.txt')}/segments")
    assert [1, 2, 3] == [segment["position"] for segment in page["data"]]
    assert (3, "text_model", False) == (page["total"], page["doc_form"], page["has_more"])
    wanted = _SEGMENT_KEYS | _added(reader, {"summary"})
    assert all(wanted == set(segment) for segment in page["data"])


def test_an_empty_document_is_completed_and_has_no_segment(reader: Reader) -> None:
    path = reader.document("office", "empty.txt")
    assert ("completed", 0) == (reader.get(path)["indexing_status"], reader.get(path)["segment_count"])
    assert 0 == reader.get(f"{path}/segments")["total"]


@pytest.mark.parametrize(("keyword", "positions"), [("ROOF", [2]), ("%", [1, 2, 3]), ("zebra", [])])
def test_segments_are_found_by_a_keyword_in_any_case(
    reader: Reader, keyword: str, positions: list[int]
) -> None:
    page = reader.get(f"{reader.document('office', 'Lease.txt')}/segments", keyword=keyword)
    assert positions == [segment["position"] for segment in page["data"]]


def test_segments_are_found_by_any_of_several_statuses(reader: Reader) -> None:
    path = f"{reader.document('office', 'Lease.txt')}/segments"
    assert 3 == reader.get(path, status=["error", "completed"])["total"]
    assert 0 == reader.get(path, status="error")["total"]


def test_a_segment_is_found_through_another_document(reader: Reader) -> None:
    segment = reader.get(f"{reader.document('office', 'Lease.txt')}/segments")["data"][0]
    answer = reader.get(f"{reader.document('office', 'policy.md')}/segments/{segment['id']}")
    assert {"data": segment, "doc_form": "text_model"} == answer


def test_a_question_and_its_answer_are_one_segment(reader: Reader) -> None:
    page = reader.get(f"{reader.document('questions', 'faq.csv')}/segments", limit=1)
    assert ("When is the rent due?", "On the first day of the month.", "qa_model", True) == (
        page["data"][0]["content"],
        page["data"][0]["answer"],
        page["doc_form"],
        page["has_more"],
    )


def test_children_of_a_parent_are_paged_and_searched(reader: Reader) -> None:
    parents = f"{reader.document('handbook', 'handbook.txt')}/segments"
    parent = reader.get(parents)["data"][0]
    page = reader.get(f"{parents}/{parent['id']}/child_chunks", limit=1000)
    assert ["The rent is due monthly.", "Repairs of the roof."] == [one["content"] for one in page["data"]]
    assert (2, 1, 1, 100) == (page["total"], page["total_pages"], page["page"], page["limit"])
    assert parent["child_chunks"] == page["data"]
    assert 1 == reader.get(f"{parents}/{parent['id']}/child_chunks", keyword="ROOF")["total"]


@pytest.mark.parametrize(
    ("asked", "given", "has_more"),
    [(100, 100, True), (150, 100, False), (0, 20, False), (-1, 20, False)],
)
def test_a_limit_is_kept_within_bounds_but_echoed(asked: int, given: int, has_more: bool) -> None:
    with reading(KnowledgeServer(_many(150))) as reader:
        page = reader.get(f"{reader.document('long', 'long.txt')}/segments", limit=asked)
        assert (given, has_more, asked, 150) == (
            len(page["data"]),
            page["has_more"],
            page["limit"],
            page["total"],
        )


def test_a_page_before_the_first_is_the_first_and_one_after_the_last_is_empty() -> None:
    with reading(KnowledgeServer(_many(30))) as reader:
        path = f"{reader.document('long', 'long.txt')}/segments"
        assert (0, 1) == (reader.get(path, page=0)["page"], reader.get(path, page=0)["data"][0]["position"])
        assert ([], 30) == (reader.get(path, page=9)["data"], reader.get(path, page=9)["total"])


def test_metadata_fields_are_listed_with_their_use(reader: Reader) -> None:
    answer = reader.get(f"{reader.dataset('office')}/metadata")
    fields = [(field["name"], field["type"], field["count"]) for field in answer["doc_metadata"]]
    assert ([("kind", "string", 3), ("year", "number", 2)], True) == (
        fields,
        answer["built_in_field_enabled"],
    )
    built_in = reader.get(f"{reader.dataset('office')}/metadata/built-in")["fields"]
    assert {"name": "document_name", "type": "string"} == built_in[0]


def test_there_is_one_embedding_model_and_no_rerank_model(reader: Reader) -> None:
    kinds = "/workspaces/current/models/model-types"
    assert ["bm25-embed"] == [
        model["model"]
        for provider in reader.get(f"{kinds}/text-embedding")["data"]
        for model in provider["models"]
    ]
    assert [] == reader.get(f"{kinds}/rerank")["data"]


def test_documents_of_one_name_are_two_documents_and_ids_are_reproducible() -> None:
    twins = (SourceDocument("a.txt", "One."), SourceDocument("a.txt", "Two."))
    corpus = Corpus((Collection("twins", twins), Collection("twins", twins)))
    seen = []
    for _ in range(2):
        with reading(KnowledgeServer(corpus)) as reader:
            datasets = [dataset["id"] for dataset in reader.get("/datasets")["data"]]
            seen.append(
                [row["id"] for one in datasets for row in reader.get(f"/datasets/{one}/documents")["data"]]
            )
    assert (4, seen[0]) == (len(set(seen[0])), seen[1])
