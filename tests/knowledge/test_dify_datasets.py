"""What is sent to Dify, and what is made of answers that the embedded server never gives."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.errors import KnowledgeError, KnowledgeUnavailable, Misconfigured, RateLimited
from evidence.http.client import Client
from evidence.knowledge.dify.datasets import DifyDatasets
from evidence.knowledge.dify.retrieval import ALL, MANY, Capabilities
from evidence.model import EVERYTHING, Condition, Dataset, Document, MetadataFilter, Query, Retrieved

NAMES = {"embedding_provider_name": "acme/embed", "embedding_model_name": "small"}
WEIGHTS = {
    "weight_type": "customized",
    "vector_setting": {"vector_weight": 0.6, **NAMES},
    "keyword_setting": {"keyword_weight": 0.4},
}
RULES = MetadataFilter((Condition("kind", "is", "rules"),))
RULES_SENT = {
    "logical_operator": "and",
    "conditions": [{"name": "kind", "comparison_operator": "is", "value": "rules"}],
}
NEWER = MetadataFilter((Condition("year", ">", 2020),))


def dataset_row(**changed: Any) -> dict[str, Any]:
    return {
        "id": "d1",
        "name": "harbour",
        "description": None,
        "provider": "vendor",
        "indexing_technique": "high_quality",
        "doc_form": None,
        "document_count": 2,
        "word_count": 300,
        "updated_at": 1795199395,
        "embedding_model": None,
        "embedding_model_provider": None,
        "retrieval_model_dict": {"search_method": "semantic_search", "weights": None},
        "doc_metadata": [],
        "built_in_field_enabled": True,
        "a_field_of_the_future": {"x": 1},
    } | changed


def document_row(**changed: Any) -> dict[str, Any]:
    return {
        "id": "o1",
        "name": "Harbour rules.txt",
        "enabled": True,
        "archived": False,
        "indexing_status": "completed",
        "word_count": 120,
        "hit_count": 0,
        "created_at": 1795199000,
        "data_source_info": {"upload_file_id": "u1"},
        "doc_metadata": None,
    } | changed


def record(**changed: Any) -> dict[str, Any]:
    segment = {
        "id": "s1",
        "position": 1,
        "content": "Dogs stay on a lead.",
        "answer": None,
        "enabled": True,
        "status": "completed",
        "document": {
            "id": "o1",
            "name": "Harbour rules.txt",
            "doc_metadata": {"kind": "rules", "year": 2024},
        },
    }
    return {"segment": segment | changed, "score": None, "child_chunks": None}


class Dify:
    """Answers as told and keeps what it was asked."""

    def __init__(self, dataset: Any = None, answer: Callable[[Any], Any] | None = None) -> None:
        self.bodies: list[Any] = []
        self._dataset = dataset or dataset_row()
        self._answer = answer or (lambda body: {"records": [record()]})
        self.knowledge = DifyDatasets(
            Client("http://dify/v1", "dataset-sample", transport=httpx.MockTransport(self._handle))
        )

    def _handle(self, request: httpx.Request) -> httpx.Response:
        if request.url.path == "/v1/datasets":
            return httpx.Response(200, json={"data": [self._dataset], "total": 1})
        body = json.loads(request.content) if request.content else dict(request.url.params)
        self.bodies.append(body)
        answer = self._answer(body)
        return answer if isinstance(answer, httpx.Response) else httpx.Response(200, json=answer)

    def retrieve(
        self, text: str = "dogs", metadata_filter: MetadataFilter = EVERYTHING, top_k: int = 3
    ) -> Retrieved:
        place = self.knowledge.datasets(1).items[0]
        return self.knowledge.retrieve(place, Query(text), top_k, metadata_filter)

    @property
    def models(self) -> list[Any]:
        return [body["retrieval_model"] for body in self.bodies]


def own(method: str, weights: Any = None, **changed: Any) -> dict[str, Any]:
    return dataset_row(retrieval_model_dict={"search_method": method, "weights": weights}, **changed)


@pytest.mark.parametrize(
    ("method", "signal", "dataset"),
    [
        ("keyword_search", "keyword", own("semantic_search", indexing_technique="economy")),
        ("keyword_search", "keyword", own("hybrid_search", WEIGHTS, indexing_technique="economy")),
        ("keyword_search", "keyword", own("semantic_search", indexing_technique=None)),
        ("semantic_search", "semantic", own("semantic_search")),
        ("full_text_search", "full_text", own("full_text_search")),
        ("hybrid_search", "hybrid", own("hybrid_search", WEIGHTS)),
        ("semantic_search", "semantic", own("hybrid_search", None)),
        ("semantic_search", "semantic", own("hybrid_search", 0.5)),
        ("semantic_search", "semantic", own("hybrid_search", {"vector_setting": {"vector_weight": 1}})),
        ("semantic_search", "semantic", own("keyword_search")),
        ("semantic_search", "semantic", own("a_search_of_the_future")),
        ("semantic_search", "semantic", dataset_row(retrieval_model_dict=None)),
    ],
)
def test_the_search_method_follows_the_dataset(method: str, signal: str, dataset: Any) -> None:
    dify = Dify(dataset)
    assert signal == dify.retrieve().signal
    assert [method] == [model["search_method"] for model in dify.models]


def test_a_plain_request_holds_what_both_versions_require_and_no_more() -> None:
    dify = Dify()
    dify.retrieve()
    required = {
        "search_method": "semantic_search",
        "reranking_enable": False,
        "top_k": 3,
        "score_threshold_enabled": False,
    }
    assert dify.bodies == [{"query": "dogs", "retrieval_model": required}]


def test_hybrid_search_sends_whole_weights() -> None:
    dify = Dify(own("hybrid_search", WEIGHTS))
    dify.retrieve()
    assert (dify.models[0]["reranking_mode"], dify.models[0]["weights"]) == ("weighted_score", WEIGHTS)


def test_weights_without_names_take_the_names_of_the_dataset() -> None:
    nameless = WEIGHTS | {"vector_setting": {"vector_weight": 0.6}}
    dataset = own("hybrid_search", nameless, embedding_model="small", embedding_model_provider="acme/embed")
    dify = Dify(dataset)
    dify.retrieve()
    assert dify.models[0]["weights"] == WEIGHTS


def test_a_dataset_never_listed_is_asked_by_its_technique() -> None:
    dify = Dify()
    for technique in ("high_quality", "economy"):
        dify.knowledge.retrieve(Dataset("d9", "x", technique=technique), Query("dogs"), 3)
    assert ["semantic_search", "keyword_search"] == [model["search_method"] for model in dify.models]


def test_a_long_query_is_fitted_and_quotes_are_not_escaped_into_words() -> None:
    dify = Dify(own("semantic_search", indexing_technique="economy"))
    dify.retrieve('"Harbour" rules ' + "please consider the whole " * 40)
    assert len(dify.bodies[0]["query"]) <= 250
    assert dify.bodies[0]["query"].startswith("Harbour rules")
    assert '"' not in dify.bodies[0]["query"]


def test_a_semantic_query_keeps_its_quotes() -> None:
    dify = Dify()
    dify.retrieve('the "lead"')
    assert dify.bodies[0]["query"] == 'the "lead"'


def test_economy_with_a_filter_is_asked_for_everything() -> None:
    dify = Dify(dataset_row(indexing_technique="economy"))
    assert dify.retrieve(metadata_filter=RULES).filtered
    assert (dify.models[0]["top_k"], dify.models[0]["metadata_filtering_conditions"]) == (ALL, RULES_SENT)


def stranger(body: Any) -> Any:
    other = {"id": "o2", "name": "Timetable.txt", "doc_metadata": {"kind": "timetable"}}
    return {"records": [record(id="s2", document=other), record()]}


def test_what_a_dropped_filter_lets_through_is_removed_and_remembered() -> None:
    dify = Dify(dataset_row(indexing_technique="economy"), stranger)
    for _ in range(2):
        found = dify.retrieve(metadata_filter=RULES)
        assert ["s1"] == [each.segment.segment_id for each in found.passages]
        assert [1] == [each.rank for each in found.passages]
        assert not found.filtered
    assert [ALL, MANY] == [model["top_k"] for model in dify.models]


def test_another_filter_may_still_be_applied() -> None:
    known = Capabilities()
    known.learn_dropped(frozenset({"in"}))
    assert known.drops(frozenset({"in", "is"}))
    assert not known.drops(frozenset({"is"}))


def test_a_filter_that_breaks_the_server_is_left_to_us_from_then_on() -> None:
    def answer(body: Any) -> Any:
        if "metadata_filtering_conditions" in body["retrieval_model"]:
            return httpx.Response(500, json={"code": "internal_server_error", "message": "SELECT"})
        return {"records": [record()]}

    dify = Dify(answer=answer)
    with pytest.raises(KnowledgeUnavailable, match="status 500"):
        dify.retrieve(metadata_filter=NEWER)
    assert len(dify.retrieve(metadata_filter=NEWER).passages) == 1
    assert dify.models[1]["top_k"] == 100


def test_a_fault_of_the_server_blames_the_very_filter_and_none_like_it() -> None:
    """1.16 ends in status 500 where a filter matches nothing: then it is left to us."""
    dify = Dify(answer=lambda body: httpx.Response(500))
    for wanted in (RULES, RULES, replace(RULES, joined_by="or")):
        with pytest.raises(KnowledgeUnavailable):
            dify.retrieve(metadata_filter=wanted)
    assert [True, False, True] == ["metadata_filtering_conditions" in model for model in dify.models]


def test_built_in_fields_that_are_off_are_not_sent() -> None:
    dify = Dify(dataset_row(built_in_field_enabled=False))
    wanted = MetadataFilter((Condition("document_name", "is", "Harbour rules.txt"),))
    assert len(dify.retrieve(metadata_filter=wanted).passages) == 1
    assert "metadata_filtering_conditions" not in dify.models[0]


def test_an_answer_too_large_is_asked_for_smaller_the_next_time() -> None:
    def answer(body: Any) -> Any:
        if body["retrieval_model"]["top_k"] == ALL:
            return httpx.Response(200, content=(b" " * 2**20 for _ in range(40)))
        return {"records": [record()]}

    dify = Dify(dataset_row(indexing_technique="economy"), answer)
    with pytest.raises(KnowledgeUnavailable, match="more than 8 MB"):
        dify.retrieve(metadata_filter=RULES)
    assert len(dify.retrieve(metadata_filter=RULES).passages) == 1


def test_more_records_than_asked_for_are_cut_and_repeats_and_unusable_ones_left_out() -> None:
    records = [
        record(),
        record(),
        record(id="s2", enabled=False),
        record(id="s3", status="indexing"),
        *(record(id=f"t{n}", position=n) for n in range(9)),
    ]
    found = Dify(answer=lambda body: {"records": records}).retrieve()
    assert ["s1", "t0", "t1"] == [each.segment.segment_id for each in found.passages]


@pytest.mark.parametrize(
    ("expected", "score"), [(0.0, "null"), (0.25, "0.25"), (0.0, "NaN"), (0.0, "Infinity")]
)
def test_a_score_that_is_none_is_zero(expected: float, score: str) -> None:
    text = json.dumps({"records": [record()]}).replace('"score": null', f'"score": {score}')
    found = Dify(answer=lambda body: httpx.Response(200, text=text)).retrieve()
    assert [expected] == [each.score for each in found.passages]


def test_metadata_of_a_list_and_of_an_object_are_one() -> None:
    listed = [
        {"id": "1", "name": "kind", "type": "string", "value": "7"},
        {"id": "2", "name": "year", "type": "number", "value": "2024"},
        {"id": "3", "name": "upload_date", "type": "time", "value": "1795198819.5"},
        {"id": "4", "name": "last_update_date", "type": "time", "value": "2026-11-20 18:50:10"},
        {"id": "5", "name": "nothing", "type": "string", "value": None},
        "not a field",
    ]
    expected = {
        "kind": "7",
        "year": 2024,
        "upload_date": 1795198819.5,
        "last_update_date": "2026-11-20 18:50:10",
    }
    assert expected == listed_document(document_row(doc_metadata=listed)).metadata
    assert expected == listed_document(document_row(doc_metadata={**expected, "nothing": None})).metadata


def listed_document(row: dict[str, Any]) -> Document:
    knowledge = Dify(answer=lambda body: {"data": [row], "total": 1}).knowledge
    return knowledge.documents(Dataset("d1", "harbour"), 1).items[0]


def version(row: dict[str, Any]) -> str:
    return listed_document(row).version


@pytest.mark.parametrize(
    "change",
    [
        {"name": "Other.txt"},
        {"word_count": 121},
        {"enabled": False},
        {"archived": True},
        {"indexing_status": "indexing"},
        {"data_source_info": {"upload_file_id": "u2"}},
    ],
)
def test_what_shows_a_change_changes_the_version(change: dict[str, Any]) -> None:
    assert version(document_row()) != version(document_row(**change))


def test_being_read_does_not_change_the_version() -> None:
    assert version(document_row()) == version(document_row(hit_count=9, display_status="x"))


def test_unusable_segments_are_left_out_of_a_page_and_order_is_restored() -> None:
    rows = [
        {"id": "s3", "position": 3, "content": "three", "enabled": True, "status": "completed"},
        {"id": "s2", "position": 2, "content": "two", "enabled": False, "status": "completed"},
        {"id": "s1", "position": 1, "content": None, "answer": "", "keywords": None},
    ]
    knowledge = Dify(answer=lambda body: {"data": rows, "total": 3}).knowledge
    page = knowledge.segments(Document("d1", "o1", "x"), 1, "t")
    assert (["", "three"], 3) == ([each.text for each in page.items], page.total)


STRANGE = [
    [],
    {},
    "text",
    7,
    None,
    {"data": [], "records": []},
    {"total": 1, "records": None},
    {"data": {}, "total": 0, "records": {}},
    {"data": [1], "total": 1, "records": [1]},
    {"data": [{"id": 7}], "total": 1, "records": [{"segment": {"id": 7}}]},
    {"data": [{"id": None, "name": None}], "total": "many", "records": [{"segment": None}]},
    {"data": [document_row(name=["x"])], "total": 1, "records": [record(content={"x": 1})]},
]


@pytest.mark.parametrize("answer", [*STRANGE[:5], *STRANGE[6:]])
def test_an_answer_of_another_form_is_said_to_be_one(answer: Any) -> None:
    knowledge = Dify(answer=lambda body: answer).knowledge
    calls: list[Callable[[], Any]] = [
        lambda: knowledge.documents(Dataset("d1", "x"), 1),
        lambda: knowledge.segments(Document("d1", "o1", "x"), 1),
        lambda: knowledge.retrieve(Dataset("d1", "x"), Query("dogs"), 3),
    ]
    for call in calls:
        with pytest.raises(KnowledgeUnavailable) as raised:
            call()
        assert str(raised.value) == "Dify at dify returned an unexpected response format"
        assert raised.value.__cause__ is None


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from([*document_row(), *record(), "data", "total", "records"]), inner)
    ),
    max_leaves=15,
)


@given(JSON, st.sampled_from(["data", "records", "segment", "doc_metadata", "document"]))
def test_no_answer_whatever_raises_anything_but_ours(value: Any, place: str) -> None:
    answers = {
        "data": {"data": value, "total": 1},
        "records": {"records": value},
        "segment": {"records": [{"segment": value, "score": 1}]},
        "doc_metadata": {"data": [document_row(doc_metadata=value, data_source_info=value)], "total": 1},
        "document": {"records": [record(document=value)]},
    }
    text = json.dumps(answers[place])
    knowledge = Dify(answer=lambda body: httpx.Response(200, text=text)).knowledge
    said = "Dify at dify returned an unexpected response format"
    try:
        knowledge.documents(Dataset("d1", "x"), 1)
        knowledge.retrieve(Dataset("d1", "x"), Query("dogs"), 3, RULES)
    except KnowledgeUnavailable as error:
        said = str(error)
    assert said == "Dify at dify returned an unexpected response format"


def probing(status: int, answer: Any) -> DifyDatasets:
    transport = httpx.MockTransport(lambda request: httpx.Response(status, json=answer))
    return DifyDatasets(Client("http://dify/v1", "dataset-sample", transport=transport))


def test_the_probe_counts_what_the_key_sees() -> None:
    assert probing(200, {"data": [dataset_row()], "total": 7, "has_more": True}).probe() == 7


@pytest.mark.parametrize(
    ("words", "status", "answer"),
    [
        ("does not accept the key", 401, {"code": "unauthorized", "message": "Access token is invalid"}),
        ("usually ends in /v1", 404, {"detail": "Not Found"}),
        ("not as Dify", 200, {"status": "ok"}),
        ("not as Dify", 200, ["x"]),
        ("sees no dataset", 200, {"data": [], "total": 0}),
        (
            "no working model provider",
            400,
            {"code": "invalid_param", "message": "Failed to request plugin daemon"},
        ),
        ("too old", 200, {"data": [{"id": "d1", "name": "x"}], "total": 1}),
        ("too old", 200, {"data": ["x"], "total": 1}),
        ("too old", 200, {"data": [dataset_row()]}),
    ],
)
def test_the_probe_tells_what_is_wrong(words: str, status: int, answer: Any) -> None:
    with pytest.raises(Misconfigured, match=words):
        probing(status, answer).probe()


def test_what_forbids_a_dataset_is_told_apart_by_the_words_of_the_server() -> None:
    """Dify 1.14 to 1.18 has one status and one code for all three."""
    for message, kind, words in (
        ("Dataset api access is not enabled.", KnowledgeError, "API access of this knowledge base is off"),
        (
            "You don't have the permission to access the requested resource.",
            KnowledgeError,
            "bound to others",
        ),
        (
            "Sorry, you have reached the knowledge base request rate limit of your subscription.",
            RateLimited,
            "request limit",
        ),
    ):
        body = {"code": "forbidden", "message": message, "status": 403}
        with pytest.raises(kind, match=words):
            probing(403, body).dataset("set-1")
