"""What is sent back: records that Dify keeps, and scores that mean something."""

import json

from evidence.model import Document, Outcome, Passage, Pool, Provenance, Segment, Understanding
from host.view.records import records_of, scores_of

CRANE = Document("d-1", "o-1", "Crane rules.txt", "harbour", metadata={"year": 2021})
FERRY = Document("d-1", "o-2", "Ferry timetable.txt", "harbour")


def passage(text: str, score: float, document: Document = FERRY, question: str = "") -> Passage:
    segment = Segment(document, f"s-{len(text)}", 4, text, question)
    why = (Provenance("crane inspection", "semantic", 2), Provenance("crane", "semantic", 2))
    return Passage(segment, score, 1, why)


def outcome(*passages: Passage, question: str = "How often is the crane inspected?") -> Outcome:
    return Outcome(question, Understanding(question), pool=Pool(passages))


INSPECTED = passage("The crane is inspected often.", 0.9, CRANE)
BICYCLES = passage("Bicycles travel free of charge.", 0.4)


def test_a_record_has_the_text_of_the_segment_and_where_it_comes_from() -> None:
    (record,) = records_of(outcome(INSPECTED), 8, 0.0, 0.0)
    assert {"content", "score", "title", "metadata"} == set(record)
    assert ("The crane is inspected often.", "Crane rules.txt") == (record["content"], record["title"])
    expected = {
        "document_id": "o-1",
        "document_name": "Crane rules.txt",
        "segment_id": "s-29",
        "position": 4,
        "dataset_id": "d-1",
        "dataset_name": "harbour",
        "read_at": "",
        "freshness": "verified",
        "found_by": ["semantic 2"],
        "doc_metadata": {"year": 2021},
    }
    assert expected == record["metadata"]


def test_a_question_and_its_answer_are_joined_as_dify_joins_them() -> None:
    (record,) = records_of(outcome(passage("Every ninety days.", 0.9, CRANE, "How often?")), 8, 0.0, 0.0)
    assert "question:How often? \nanswer:Every ninety days." == record["content"]


def test_scores_never_rise_and_stay_between_nought_and_one() -> None:
    scores = scores_of(
        "How often is the crane inspected?", [BICYCLES, INSPECTED, passage("Ten.", 3.0), BICYCLES]
    )
    assert sorted(scores, reverse=True) == scores
    assert 0.0 <= scores[-1] <= scores[0] <= 1.0


def test_a_passage_that_holds_the_words_of_the_question_scores_higher_than_one_that_does_not() -> None:
    inspected, bicycles = scores_of("How often is the crane inspected?", [INSPECTED, BICYCLES])
    assert inspected > 0.8
    assert bicycles < 0.1


def test_the_threshold_is_applied_before_the_cut() -> None:
    assert ["o-1"] == [
        each["metadata"]["document_id"] for each in records_of(outcome(INSPECTED, BICYCLES), 8, 0.5, 0.0)
    ]
    assert 1 == len(records_of(outcome(INSPECTED, BICYCLES), 1, 0.0, 0.0))
    assert [] == records_of(outcome(BICYCLES), 8, 0.99, 0.0)


def test_passages_without_text_are_no_records() -> None:
    assert [] == records_of(outcome(passage("", 0.9)), 8, 0.0, 0.0)


def test_records_stay_below_what_one_line_of_the_daemon_can_carry() -> None:
    long = [passage(f"{number} crane " + "长" * 20_000, 0.9) for number in range(50)]
    records = records_of(outcome(*long), 50, 0.0, 0.0)
    assert 1 <= len(records) < 50
    assert len(json.dumps(records)) < 1_500_001


def test_what_json_cannot_hold_is_replaced() -> None:
    broken = Document("d", "o", "bad\ud800.txt", metadata={"x": float("nan")})
    (record,) = records_of(outcome(passage("The crane \udfff.", 0.5, broken)), 8, 0.0, 0.0)
    assert "The crane ?." == record["content"]
    assert {"x": 0.0} == record["metadata"]["doc_metadata"]
    assert 0.0 <= record["score"] <= 1.0
