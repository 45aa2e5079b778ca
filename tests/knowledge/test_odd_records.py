"""One record that cannot be read takes no other along; what is too long is cut where it enters; both are said."""

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from test_dify_datasets import dataset_row, document_row, record

from evidence.errors import KnowledgeError, KnowledgeUnavailable
from evidence.http.client import Client
from evidence.knowledge.dify.datasets import DifyDatasets
from evidence.knowledge.shapes import LONGEST_NAME, LONGEST_PAGE, LONGEST_TEXT, MOST_FIELDS
from evidence.model import Dataset, Document, Page, Query, Retrieved

HARBOUR, RULES = Dataset("d1", "harbour"), Document("d1", "o1", "Harbour rules.txt")
ODD_COUNTS = ["NaN", "Infinity", "-Infinity", "1e400", "1" + "0" * 400, '"inf"', "-1", '"many"', "[]", "{}"]
ODD_IDS = ['""', '" "', '"a/b"', '"../x"', f'"{"a" * 65}"', "7", "null", "[]", r'"\ud800"']
UNREAD = "was left out: the records cannot be read"


def segment_row(**changed: Any) -> dict[str, Any]:
    return dict(record(**changed)["segment"])


def answering(answer: Any) -> DifyDatasets:
    text = answer if isinstance(answer, str) else json.dumps(answer)
    transport = httpx.MockTransport(lambda request: httpx.Response(200, text=text))
    return DifyDatasets(Client("http://dify/v1", "dataset-sample", transport=transport))


def listing(*rows: Any, total: int = 0) -> dict[str, Any]:
    return {"data": list(rows), "total": total or len(rows)}


type Listed = Callable[[dict[str, Any], dict[str, Any]], Page[Any]]


def datasets(good: dict[str, Any], odd: dict[str, Any]) -> Page[Any]:
    return answering(_with(listing(dataset_row(**good), dataset_row(**odd)))).datasets(1)


def documents(good: dict[str, Any], odd: dict[str, Any]) -> Page[Any]:
    return answering(_with(listing(document_row(**good), document_row(**odd)))).documents(HARBOUR, 1)


def segments(good: dict[str, Any], odd: dict[str, Any]) -> Page[Any]:
    return answering(_with(listing(segment_row(**good), segment_row(**odd)))).segments(RULES, 1)


def found(good: dict[str, Any], odd: dict[str, Any]) -> Retrieved:
    return answering(_with({"records": [record(**good), record(**odd)]})).retrieve(HARBOUR, Query("dogs"), 9)


def _with(answer: dict[str, Any]) -> str:
    """JSON in which a text "raw: …" is written as it stands, so that it may be no JSON of Python's."""
    text = json.dumps(answer)
    for part in text.split('"raw: ')[1:]:
        raw = part.split(' :raw"')[0]
        text = text.replace(f'"raw: {raw} :raw"', json.loads(f'"{raw}"'))
    return text


def raw(value: str) -> str:
    return f"raw: {value} :raw"


@pytest.mark.parametrize("value", ODD_COUNTS)
@pytest.mark.parametrize(
    ("listed", "field", "what"),
    [
        (datasets, "document_count", "datasets"),
        (datasets, "word_count", "datasets"),
        (datasets, "updated_at", "datasets"),
        (documents, "word_count", "documents of harbour"),
        (documents, "created_at", "documents of harbour"),
        (segments, "position", "segments of Harbour rules.txt"),
    ],
)
def test_a_record_with_an_odd_number_is_left_out_and_said(
    listed: Listed, field: str, what: str, value: str
) -> None:
    page = listed({"id": "good"}, {"id": "odd", field: raw(value)})
    assert (1, 2, 1) == (len(page.items), page.total, page.lost)
    assert (f"1 of the {what} {UNREAD}",) == page.warnings


@pytest.mark.parametrize("value", ODD_IDS)
@pytest.mark.parametrize("listed", [datasets, documents, segments])
def test_a_record_with_an_odd_id_is_left_out_and_said(listed: Listed, value: str) -> None:
    page = listed({"id": "good"}, {"id": raw(value)})
    assert (1, 1) == (len(page.items), page.lost)
    assert page.warnings[0].endswith(UNREAD)


@pytest.mark.parametrize(
    "odd",
    [
        {"id": raw('"a/b"')},
        {"position": raw("NaN")},
        {"content": 7},
        {"document": None},
        {"document": {"id": "a/b", "name": "x"}},
        {"document": {"id": "o2", "name": None}},
    ],
)
def test_an_odd_record_of_a_retrieve_is_left_out_and_said(odd: dict[str, Any]) -> None:
    answer = found({"id": "good"}, {"id": "odd"} | odd)
    assert ["good"] == [each.segment.segment_id for each in answer.passages]
    assert (f"1 of the segments found in harbour {UNREAD}",) == answer.warnings


@pytest.mark.parametrize("item", [None, 7, "text", [], {}, {"id": "x"}])
@pytest.mark.parametrize("kind", ["datasets", "documents", "segments"])
def test_an_item_of_another_type_is_left_out_and_said(kind: str, item: Any) -> None:
    good = {"datasets": dataset_row, "documents": document_row, "segments": segment_row}[kind]()
    knowledge = answering(listing(item, good))
    pages = {
        "datasets": lambda: knowledge.datasets(1),
        "documents": lambda: knowledge.documents(HARBOUR, 1),
        "segments": lambda: knowledge.segments(RULES, 1),
    }
    page = pages[kind]()
    assert (1, 1, 1) == (len(page.items), page.lost, len(page.warnings))


def test_a_list_of_which_nothing_can_be_read_is_a_failure_and_not_empty() -> None:
    with pytest.raises(KnowledgeUnavailable, match="unexpected response format"):
        answering(listing({"id": "x/y"}, 7)).datasets(1)


def test_deep_json_in_one_document_leaves_the_others() -> None:
    deep = "[" * 900 + "]" * 900
    page = documents({"id": "good"}, {"id": "deep", "data_source_info": raw(deep), "doc_metadata": raw(deep)})
    assert "good" in [each.document_id for each in page.items]


@pytest.mark.parametrize("value", ["NaN", "1e400", "1" + "0" * 400, "[]", '{"a": 1}'])
def test_an_odd_metadata_value_is_no_value(value: str) -> None:
    fields = [
        {"name": "kind", "type": "string", "value": "rules"},
        {"name": "odd", "type": "number", "value": raw(value)},
    ]
    page = documents({"id": "other"}, {"doc_metadata": fields})
    assert {"kind": "rules"} == page.items[1].metadata
    metadata = found(
        {"id": "other"}, {"document": {"id": "o2", "name": "x", "doc_metadata": {"odd": raw(value)}}}
    )
    assert {} == metadata.passages[1].segment.document.metadata


def test_half_characters_in_a_name_are_replaced_and_in_a_text_kept() -> None:
    page = datasets({"id": "good"}, {"id": "half", "name": raw(r'"a\ud800b"')})
    assert "a\ufffdb" == page.items[1].name
    texts = segments({"id": "good"}, {"id": "half", "content": raw(r'"a\ud800b"')})
    assert "a\ud800b" == texts.items[-1].text


def test_what_is_too_long_is_cut_and_said() -> None:
    page = datasets({"name": "n" * 31_000}, {"id": "d2", "description": "x" * 5_000})
    assert ("n" * (LONGEST_NAME - 1) + "…", 2_000) == (page.items[0].name, len(page.items[1].description))
    assert ("2 of the datasets were cut: a name may have 255 characters, a segment 100,000",) == page.warnings
    many = [{"name": f"f{number}", "type": "string", "value": "v"} for number in range(MOST_FIELDS + 1)]
    listed = documents({"id": "o2", "name": "n" * 256}, {"doc_metadata": many})
    assert MOST_FIELDS == len(listed.items[1].metadata)
    assert listed.warnings[0].startswith("2 of the documents of harbour were cut")


def test_of_a_text_that_is_too_long_the_beginning_is_read() -> None:
    text = "".join(f"Sentence {number}. " for number in range(20_000))
    page = segments({"content": text}, {"id": "s2", "content": text[:LONGEST_TEXT]})
    assert [text[:LONGEST_TEXT]] * 2 == [each.text for each in page.items]
    assert (
        "1 of the segments of Harbour rules.txt was cut: a name may have 255 characters, a segment 100,000",
    ) == (page.warnings)
    answer = found({"content": text}, {"id": "s2", "answer": text, "content": text})
    assert [LONGEST_TEXT, 2 * LONGEST_TEXT] == [
        len(each.segment.text + each.segment.question) for each in answer.passages
    ]


def test_of_a_page_that_is_longer_than_asked_for_the_first_hundred_are_read() -> None:
    page = answering(listing(*(dataset_row(id=f"d{number}") for number in range(1_000)))).datasets(1)
    assert (100, 1_000) == (len(page.items), page.total)
    assert ("900 of the datasets were left out: too much was sent at once",) == page.warnings


def test_the_texts_of_one_page_are_bounded_together() -> None:
    rows = (segment_row(id=f"s{number}", content="x" * LONGEST_TEXT) for number in range(30))
    page = answering(listing(*rows)).segments(RULES, 1)
    assert LONGEST_PAGE == sum(len(each.text) for each in page.items)
    assert (
        "10 of the segments of Harbour rules.txt were left out: too much was sent at once",
    ) == page.warnings


def test_of_a_retrieve_no_more_is_looked_at_than_is_taken() -> None:
    rows = [record(id=f"s{number}") for number in range(50)]
    answer = answering({"records": [*rows, *[7] * 50_000]}).retrieve(HARBOUR, Query("dogs"), 5)
    assert (5, ()) == (len(answer.passages), answer.warnings)


def test_an_odd_score_is_no_score() -> None:
    row = record() | {"score": raw("NaN")}
    answer = answering(_with({"records": [row]})).retrieve(HARBOUR, Query("dogs"), 5)
    assert [0.0] == [each.score for each in answer.passages]


@pytest.mark.parametrize("total", ["NaN", "-1", "1e400", '"x"', "null", "1" + "0" * 400])
def test_a_total_that_is_none_is_a_failure(total: str) -> None:
    with pytest.raises(KnowledgeUnavailable, match="unexpected response format"):
        answering(f'{{"data": [], "total": {total}}}').datasets(1)


def test_a_metadata_field_whose_type_is_no_text_is_read_as_it_stands() -> None:
    fields = [{"name": "kind", "type": {"odd": 1}, "value": "rules"}]
    assert {"kind": "rules"} == documents({"id": "other"}, {"doc_metadata": fields}).items[1].metadata


def test_a_total_below_what_is_shown_is_what_is_shown() -> None:
    rows = [dataset_row(id="one"), dataset_row(id="two")]
    for total in (0, 1, 2):
        page = answering({"data": rows, "total": total}).datasets(1)
        assert (2, ()) == (page.total, page.warnings)


def test_a_page_that_ends_before_it_is_said_to_is_said() -> None:
    page = answering(listing(document_row(), total=1_000_000_000)).documents(HARBOUR, 1)
    said = "the server counts 1,000,000,000 documents of harbour, and shows 1"
    assert (1_000_000_000, (said,)) == (page.total, page.warnings)


def test_an_empty_page_of_which_more_is_said_to_be_there_is_a_failure_and_not_empty() -> None:
    promised = answering({"data": [], "has_more": True, "total": 50})
    for ask in (
        lambda: promised.datasets(1),
        lambda: promised.documents(HARBOUR, 1),
        lambda: promised.segments(RULES, 1),
    ):
        with pytest.raises(KnowledgeUnavailable, match="unexpected response format"):
            ask()
    assert 100 == answering({"data": [], "total": 250}).datasets(2).total
    assert (0, 150) == (len((page := answering({"data": [], "total": 150}).datasets(3)).items), page.total)


def test_a_segment_is_gone_where_dify_says_so_and_unknown_where_a_page_is_sent() -> None:
    def server(text: str) -> DifyDatasets:
        transport = httpx.MockTransport(lambda request: httpx.Response(404, text=text))
        return DifyDatasets(Client("http://dify/v1", "dataset-sample", transport=transport))

    assert server('{"code": "not_found", "message": "Segment not found."}').segment(RULES, "s1") is None
    with pytest.raises(KnowledgeError, match="no address for that segment"):
        server("<!doctype html><title>404 Not Found</title>").segment(RULES, "s1")
