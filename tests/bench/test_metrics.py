"""The metrics on four documents that can be checked by hand, and what always holds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.metrics import (
    Place,
    characters,
    document_hit,
    mean,
    merged,
    overlap,
    passage_hit,
    precision,
    quantile,
    recall,
)

GOLD = (Place("a", 10, 20), Place("a", 40, 50), Place("b", 0, 20))
FOUND = (
    Place("c", 0, 100),  # no gold here
    Place("a", 0, 30),  # all of the first
    Place("a", 45, 95),  # half of the second
    Place("b", 100, 200),  # the right document, the wrong place
    Place("d", 0, 10),
)

places = st.builds(
    lambda file, start, length: Place(file, start, start + length),
    st.sampled_from("abcd"),
    st.integers(0, 60),
    st.integers(0, 30),
)
many = st.lists(places, max_size=8)


@pytest.mark.parametrize(("depth", "share"), [(1, 0.0), (2, 10 / 40), (3, 15 / 40), (5, 15 / 40)])
def test_recall_is_the_share_of_gold_characters_found(depth: int, share: float) -> None:
    assert share == pytest.approx(recall(FOUND[:depth], GOLD))


@pytest.mark.parametrize(("depth", "share"), [(1, 0.0), (2, 10 / 130), (3, 15 / 180), (5, 15 / 290)])
def test_precision_is_the_share_of_found_characters_that_is_gold(depth: int, share: float) -> None:
    assert share == pytest.approx(precision(FOUND[:depth], GOLD))


@pytest.mark.parametrize(("most", "hit"), [(1, False), (2, True), (10, True)])
def test_a_document_is_hit_when_it_is_among_the_first_different_ones(most: int, hit: bool) -> None:
    assert hit is document_hit(["c", "c", "c", "b", "d"], GOLD, most)


@pytest.mark.parametrize(("most", "hit"), [(1, False), (2, True)])
def test_a_passage_is_hit_when_it_overlaps_gold(most: int, hit: bool) -> None:
    assert hit is passage_hit(FOUND, GOLD, most)


def test_a_question_without_an_answer_counts_nothing() -> None:
    assert (0.0, 0.0) == (recall((), GOLD), precision((), GOLD))
    assert not passage_hit((), GOLD, 5)


def test_without_gold_nothing_is_found() -> None:
    assert (0.0, 0.0) == (recall(FOUND, ()), precision(FOUND, ()))


def test_overlapping_places_are_merged_file_by_file() -> None:
    apart = (Place("b", 5, 9), Place("a", 3, 8), Place("a", 0, 5), Place("a", 8, 9), Place("a", 20, 20))
    assert (Place("a", 0, 9), Place("b", 5, 9)) == merged(apart)
    assert 13 == characters(apart)


@given(many, many)
def test_finding_things_twice_changes_nothing(found: list[Place], gold: list[Place]) -> None:
    assert recall(found, gold) == recall([*found, *found], gold)
    assert precision(found, gold) == precision([*found, *found], [*gold, *gold])
    assert 0.0 <= recall(found, gold) <= 1.0
    assert 0.0 <= precision(found, gold) <= 1.0


@given(many, many, places)
def test_recall_never_falls_when_more_is_found(found: list[Place], gold: list[Place], more: Place) -> None:
    assert recall(found, gold) <= recall([*found, more], gold)


@given(many, many)
def test_overlap_is_what_counting_characters_gives(left: list[Place], right: list[Place]) -> None:
    def counted(listed: list[Place]) -> set[tuple[str, int]]:
        return {(each.file, at) for each in listed for at in range(each.start, each.end)}

    assert len(counted(left) & counted(right)) == overlap(left, right)
    assert len(counted(left)) == characters(left)


def test_means_and_quantiles_of_a_few_numbers() -> None:
    assert 2.5 == mean([1, 2, 3, 4])
    assert (2, 4, 1) == (quantile([4, 3, 2, 1], 0.5), quantile([4, 3, 2, 1], 0.95), quantile([1], 0.0))
    assert (0.0, 0.0) == (mean(()), quantile((), 0.5))
