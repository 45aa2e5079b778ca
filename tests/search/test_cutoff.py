"""How many passages are handed on: never none of some, fewer where scores fall steeply."""

from hypothesis import given
from hypothesis import strategies as st

from evidence.search.cutoff import LEAST, above, steep

SCORES = st.lists(st.floats(0, 1), max_size=20).map(lambda scores: sorted(scores, reverse=True))


def test_what_reaches_the_threshold_is_kept() -> None:
    assert [0, 2] == above([0.9, 0.4, 0.6], 0.5)


def test_the_best_one_is_kept_where_none_reaches_the_threshold() -> None:
    assert [1] == above([0.2, 0.4, 0.3], 0.5)
    assert [] == above([], 0.5)


def test_passages_behind_a_steep_fall_are_dropped() -> None:
    assert 4 == steep([0.9, 0.88, 0.86, 0.85, 0.3, 0.29, 0.28])


def test_a_fall_among_the_first_passages_drops_nothing() -> None:
    assert 5 == steep([0.9, 0.3, 0.29, 0.28, 0.27])


def test_scores_that_fall_evenly_are_all_kept() -> None:
    assert 6 == steep([0.9, 0.8, 0.7, 0.6, 0.5, 0.4])


def test_the_scores_behind_tell_how_deep_a_fall_is() -> None:
    assert 3 == steep([0.9, 0.89, 0.88, 0.8])
    assert 4 == steep([0.9, 0.89, 0.88, 0.8], [0.7, 0.5, 0.3, 0.1])


@given(SCORES, SCORES)
def test_a_cut_leaves_the_best_and_never_fewer_than_the_least(
    scores: list[float], behind: list[float]
) -> None:
    kept = steep(scores, behind)
    assert min(LEAST, len(scores)) <= kept <= len(scores)


@given(st.lists(st.floats(0, 1), max_size=20), st.floats(0, 1))
def test_a_threshold_leaves_what_reaches_it_in_its_order(scores: list[float], threshold: float) -> None:
    kept = above(scores, threshold)
    assert sorted(kept) == kept
    assert bool(scores) == bool(kept)
    assert len(kept) == 1 or all(scores[at] >= threshold for at in kept)
