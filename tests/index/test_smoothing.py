"""Neighbours lend each other weight, within one document only."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.index.smoothing import smooth

DOCUMENTS = st.lists(st.lists(st.floats(0, 100), min_size=1, max_size=6), min_size=1, max_size=5)


def _smoothed(documents: list[list[float]]) -> list[list[float]]:
    scores = np.asarray([score for each in documents for score in each])
    owners = np.repeat(np.arange(len(documents), dtype=np.int32), [len(each) for each in documents])
    ends = np.cumsum([len(each) for each in documents])[:-1]
    return [part.tolist() for part in np.split(smooth(scores, owners), ends)]


@given(DOCUMENTS)
def test_smoothing_never_crosses_documents(documents: list[list[float]]) -> None:
    alone = [_smoothed([each])[0] for each in documents]
    assert [pytest.approx(each) for each in alone] == _smoothed(documents)


@given(DOCUMENTS)
def test_no_score_falls_and_none_gains_more_than_its_neighbours_lend(documents: list[list[float]]) -> None:
    for before, after in zip(documents, _smoothed(documents), strict=True):
        most = max(before)
        assert all(a >= b for a, b in zip(after, before, strict=True))
        assert all(a <= b + 0.3 * most + 1e-9 for a, b in zip(after, before, strict=True))


def test_each_neighbour_lends_a_share() -> None:
    assert [[1.5, 10.0, 1.5], [0.0]] == _smoothed([[0.0, 10.0, 0.0], [0.0]])


def test_what_was_given_is_not_changed() -> None:
    scores = np.asarray([1.0, 2.0])
    smooth(scores, np.zeros(2, dtype=np.int32))
    assert [1.0, 2.0] == scores.tolist()
