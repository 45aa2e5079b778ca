"""Fusion by rank: nothing is lost, the order of the lists changes nothing, weights count."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.index.fusion import Ranking, interleave, reciprocal_rank_fusion

ITEMS = st.lists(st.sampled_from("abcdefgh"), max_size=8)
RANKINGS = st.lists(
    st.builds(lambda items, weight: Ranking(tuple(items), weight), ITEMS, st.floats(0.1, 5)), max_size=5
)


@given(RANKINGS)
def test_fusion_never_loses_an_item_and_never_invents_one(rankings: list[Ranking[str]]) -> None:
    assert {item for each in rankings for item in each.items} == set(reciprocal_rank_fusion(rankings))


@given(RANKINGS.flatmap(lambda given: st.tuples(st.just(given), st.permutations(given))))
def test_the_order_of_the_lists_changes_nothing(
    both: tuple[list[Ranking[str]], list[Ranking[str]]],
) -> None:
    expected, turned = (list(reciprocal_rank_fusion(rankings).items()) for rankings in both)
    assert expected == turned


@given(st.lists(ITEMS, min_size=3, max_size=3))
def test_every_permutation_of_three_lists_fuses_alike(lists: list[list[str]]) -> None:
    rankings = [Ranking(tuple(items), 1 + at / 7) for at, items in enumerate(lists)]
    fused = {tuple(reciprocal_rank_fusion(turned).items()) for turned in permutations(rankings)}
    assert 1 == len(fused)


@given(RANKINGS)
def test_scores_descend(rankings: list[Ranking[str]]) -> None:
    scores = list(reciprocal_rank_fusion(rankings).values())
    assert sorted(scores, reverse=True) == scores


@given(ITEMS, st.floats(0.1, 5))
def test_one_list_alone_keeps_its_order(items: list[str], weight: float) -> None:
    fused = reciprocal_rank_fusion([Ranking(tuple(items), weight)])
    assert list(dict.fromkeys(items)) == list(fused)


@given(RANKINGS)
def test_a_list_of_twice_the_weight_is_the_same_list_twice(rankings: list[Ranking[str]]) -> None:
    twice = reciprocal_rank_fusion([*rankings, *rankings])
    heavy = reciprocal_rank_fusion([Ranking(each.items, 2 * each.weight) for each in rankings])
    assert twice == pytest.approx(heavy)


def test_a_score_is_the_sum_of_weight_by_k_and_rank() -> None:
    fused = reciprocal_rank_fusion([Ranking(("a", "b")), Ranking(("b",), 2.0)], k=10)
    assert {"b": 1 / 12 + 2 / 11, "a": 1 / 11} == pytest.approx(fused)
    assert ["b", "a"] == list(fused)


def test_the_heavier_list_wins() -> None:
    assert ["b", "a"] == list(reciprocal_rank_fusion([Ranking(("a", "b")), Ranking(("b", "a"), 1.5)]))


def test_an_item_that_stands_twice_in_a_list_counts_once_at_its_better_rank() -> None:
    assert reciprocal_rank_fusion([Ranking(("a", "b"))]) == reciprocal_rank_fusion([Ranking(("a", "b", "a"))])


def test_nothing_fuses_to_nothing() -> None:
    assert {} == reciprocal_rank_fusion([])


@given(st.lists(ITEMS, max_size=4))
def test_interleaving_loses_nothing_and_repeats_nothing(lists: list[list[str]]) -> None:
    turns = interleave(lists)
    assert sorted({item for items in lists for item in items}) == sorted(turns)


def test_interleaving_takes_the_first_of_each_then_the_second_of_each() -> None:
    assert ["a", "x", "b", "y", "c"] == interleave([["a", "b", "c"], ["x", "y"]])
