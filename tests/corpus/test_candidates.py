"""What a server's ranking is worth at the places of its segments."""

import pytest

from evidence.corpus.candidates import SurveyReport, candidates_of, server_scores
from evidence.model import Passage, Query, Retrieved, SignalName
from tests.fakes import FakeKnowledge, holding, metered

HOLDING = holding("Diary", {"Diary.txt": [f"Day {number}." for number in range(25)]})


def _worth(signal: SignalName, scores: list[float]) -> list[float]:
    ((diary, segments),) = HOLDING[1].items()
    passages = (Passage(segments[at], score, at + 1) for at, score in enumerate(scores))
    retrieved = Retrieved(Query("day"), signal, tuple(passages))
    candidates = candidates_of([diary], [retrieved], SurveyReport(), metered(FakeKnowledge(HOLDING)))
    ((_, worth),) = server_scores(candidates)
    return [round(float(value), 2) for value in worth]


def test_likenesses_of_a_deep_ranking_count_between_its_lowest_and_its_best() -> None:
    assert [1.0, 0.4, *[0.0] * 23] == _worth("semantic", [0.9, 0.6, *[0.4] * 23])


@pytest.mark.parametrize(
    ("signal", "scores"),
    [("keyword", [0.9, 0.6, *[0.4] * 23]), ("semantic", [0.9, 0.6]), ("semantic", [0.5] * 25)],
)
def test_scores_that_tell_nothing_count_by_rank(signal: SignalName, scores: list[float]) -> None:
    assert [1.0, 0.91] == _worth(signal, scores)[:2]


def test_likenesses_in_several_datasets_are_of_one_scale() -> None:
    holdings = [
        holding(name, {f"{name}.txt": [f"Day {number}." for number in range(25)]}) for name in ("Near", "Far")
    ]
    documents = [document for each in holdings for document in each[1]]
    retrieved = [
        Retrieved(Query("day"), "semantic", tuple(map(Passage, segments, scores, range(1, 26))))
        for each, scores in zip(holdings, ([0.9, 0.7, *[0.5] * 23], [0.6, *[0.3] * 24]), strict=True)
        for segments in each[1].values()
    ]
    candidates = candidates_of(documents, retrieved, SurveyReport(), metered(FakeKnowledge(*holdings)))
    near, far = (worth.max() for _, worth in server_scores(candidates))
    assert (1.0, 0.25) == (round(float(near), 2), round(float(far), 2))
