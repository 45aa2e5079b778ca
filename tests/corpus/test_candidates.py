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
