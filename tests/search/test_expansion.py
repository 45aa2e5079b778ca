"""Feedback: weights that sum to one, and trust that fades where other documents do not answer."""

from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.index.bm25 import Floats, Integers
from evidence.search.expansion import Expansion, FeedbackOptions, best_elsewhere, expand, guard

OPTIONS = FeedbackOptions()
SCORED = st.lists(st.tuples(st.floats(0, 50), st.integers(0, 6)), max_size=30)
QUERY = st.dictionaries(st.sampled_from(["rent", "fee", "term"]), st.floats(0.1, 5), min_size=1)


def _arrays(scored: Sequence[tuple[float, int]]) -> tuple[Floats, Integers]:
    scores = np.asarray([score for score, _ in scored], dtype=np.float64)
    return scores, np.asarray([owner for _, owner in scored], dtype=np.int32)


def _expand(
    query: Mapping[str, float], scored: Sequence[tuple[float, int]], own: frozenset[int]
) -> Expansion:
    """An expansion where every wording scores the segments alike."""
    return expand(query, _Segments(scored), own, OPTIONS)


class _Segments:
    """Segments that hold the word "shared" and twice one of their own; number 0 is the shared one."""

    def __init__(self, scored: Sequence[tuple[float, int]], words: int = 2) -> None:
        self.scored, self.owners = _arrays(scored)
        self._words = words

    def scores(self, weights: Mapping[str, float]) -> Floats:
        return self.scored

    def telling(self, places: Sequence[int]) -> tuple[Integers, Integers, Integers]:
        rows = [
            (at, *word) for at, place in enumerate(places) for word in ((0, 1), (place + 1, 2))[: self._words]
        ]
        owners, terms, counts = np.asarray(rows, dtype=np.int32).reshape(-1, 3).T
        return owners, terms, counts

    def rarities(self, numbers: Integers) -> Floats:
        return np.full(len(numbers), 1.5)

    def term(self, number: int) -> str:
        return f"word{number - 1}" if number else "shared"


@given(QUERY, SCORED, st.frozensets(st.integers(0, 6), max_size=3))
def test_weights_sum_to_one_and_trust_is_a_share(
    query: dict[str, float], scored: list[tuple[float, int]], own: frozenset[int]
) -> None:
    found = _expand(query, scored, own)
    assert pytest.approx(1.0) == sum(found.weights.values())
    assert 0.0 <= found.trust <= 1.0
    assert all(weight >= 0 for weight in found.weights.values())
    assert set(query) <= set(found.weights)


@given(SCORED, st.frozensets(st.integers(0, 6), max_size=3), st.integers(1, 9))
def test_each_other_document_gives_its_best_segment_once(
    scored: list[tuple[float, int]], own: frozenset[int], most: int
) -> None:
    scores, owners = _arrays(scored)
    chosen = best_elsewhere(scores, owners, own, most)
    givers = [int(owners[place]) for place in chosen]
    assert len(set(givers)) == len(givers) <= most
    assert not set(givers) & own
    for place in chosen:
        assert scores[place] == max(score for score, owner in scored if owner == owners[place])


def test_feedback_fades_in_a_collection_of_unlike_documents() -> None:
    def trust(elsewhere: float) -> float:
        scored = [(10.0, 0), *((elsewhere, owner) for owner in range(1, 6))]
        return _expand({"rent": 1.0}, scored, frozenset({0})).trust

    trusts = [trust(elsewhere) for elsewhere in (9.0, 7.5, 6.5, 6.0, 4.0, 1.0)]
    assert sorted(trusts, reverse=True) == trusts
    assert (1.0, 0.0) == (trusts[0], trusts[-1])
    assert 0 < trusts[2] < 1


def test_where_it_faded_the_query_is_what_was_asked() -> None:
    scored = [(10.0, 0), *((1.0, owner) for owner in range(1, 6))]
    found = _expand({"rent": 3.0, "fee": 1.0}, scored, frozenset({0}))
    assert {"rent": 0.75, "fee": 0.25} == found.weights


def test_fewer_than_three_other_documents_teach_nothing() -> None:
    scored = [(10.0, 0), (9.0, 1), (9.0, 2)]
    assert 0.0 == _expand({"rent": 1.0}, scored, frozenset({0})).trust


def test_words_that_many_others_share_weigh_most() -> None:
    scored = [(10.0, 0), *((9.0, owner) for owner in range(1, 6))]
    found = _expand({"rent": 1.0}, scored, frozenset({0}))
    learned = {term: weight for term, weight in found.weights.items() if term != "rent"}
    assert "shared" == max(learned, key=lambda term: learned[term])


def test_segments_that_the_first_feedback_finds_teach_too() -> None:
    class Renewed(_Segments):
        def scores(self, weights: Mapping[str, float]) -> Floats:
            return super().scores(weights) + np.where(self.owners == 6, 30.0 * ("shared" in weights), 0.0)

    segments = Renewed([(10.0, 0), *((9.0, owner) for owner in range(1, 6)), (0.0, 6)])
    found = expand({"rent": 1.0}, segments, frozenset({0}), FeedbackOptions(rounds=2, support=1))
    assert "word6" in found.weights
    assert pytest.approx(1.0) == sum(found.weights.values())


def test_a_term_of_one_segment_alone_is_not_learned() -> None:
    scored = [(10.0, 0), *((9.0, owner) for owner in range(1, 6))]
    found = _expand({"rent": 1.0}, scored, frozenset({0}))
    assert "shared" in found.weights
    assert not [term for term in found.weights if term.startswith("word")]


def test_an_empty_query_stays_empty() -> None:
    found = _expand({}, [(0.0, 0), (0.0, 1)], frozenset())
    assert ({}, 0.0) == (found.weights, found.trust)


def test_weights_sum_to_one_where_the_others_hold_no_telling_word() -> None:
    scored = [(10.0, 0), *((9.0, owner) for owner in range(1, 6))]
    found = expand({"rent": 1.0}, _Segments(scored, words=0), frozenset({0}), OPTIONS)
    assert pytest.approx(1.0) == sum(found.weights.values())


def test_the_guard_compares_with_the_best_of_all_where_nothing_was_named() -> None:
    scores, owners = _arrays([(10.0, 1), (10.0, 2), (10.0, 3)])
    assert 1.0 == guard(scores, owners, frozenset(), [0, 1, 2], OPTIONS)
