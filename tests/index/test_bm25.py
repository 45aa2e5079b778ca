"""BM25, held against its formula written out plainly."""

import math
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.index.bm25 import LexicalIndex, Postings, Vocabulary

WORD = st.sampled_from("abcdef")
SEGMENTS = st.lists(st.lists(WORD, max_size=8), max_size=8)
QUERY = st.dictionaries(st.sampled_from("abcdefgh"), st.floats(0, 4), max_size=6)


def _index(segments: Sequence[Sequence[str]]) -> LexicalIndex:
    vocabulary = Vocabulary()
    return LexicalIndex([Postings.of(segments, vocabulary)], vocabulary)


def _naive(segments: Sequence[Sequence[str]], query: Mapping[str, float]) -> list[float]:
    """Robertson and Zaragoza's formula, one segment and one term at a time; k1 = 1.2, b = 0.75."""
    size = len(segments)
    mean = max(sum(len(words) for words in segments) / size, 1.0) if size else 1.0
    scores = []
    for words in segments:
        score = 0.0
        for term, weight in query.items():
            held = sum(term in each for each in segments)
            idf = math.log(1 + (size - held + 0.5) / (held + 0.5))
            frequency = words.count(term)
            norm = 1.2 * (1 - 0.75 + 0.75 * len(words) / mean)
            score += weight * idf * frequency * 2.2 / (frequency + norm)
        scores.append(score)
    return scores


@given(SEGMENTS, QUERY)
def test_scores_equal_the_formula(segments: list[list[str]], query: dict[str, float]) -> None:
    assert pytest.approx(_naive(segments, query)) == _index(segments).scores(query).tolist()


@pytest.mark.parametrize("batch", [0, 3, 1_000])
@given(first=SEGMENTS, second=SEGMENTS, query=QUERY)
def test_parts_score_like_one_whole_joined_or_in_batches(
    first: list[list[str]], second: list[list[str]], query: dict[str, float], batch: int
) -> None:
    vocabulary = Vocabulary()
    parts = [
        Postings.of(second[:0], vocabulary),
        *(Postings.of(each, vocabulary) for each in (first, second)),
    ]
    expected = pytest.approx(_naive([*first, *second], query))
    assert expected == LexicalIndex(parts, vocabulary, batch).scores(query).tolist()
    assert expected == LexicalIndex([Postings.joined(parts)], vocabulary).scores(query).tolist()


@given(SEGMENTS)
def test_postings_say_where_a_term_stands_and_how_often(segments: list[list[str]]) -> None:
    index = _index(segments)
    for term in "abcdefgh":
        places, counts = index.postings(term)
        expected = [(at, words.count(term)) for at, words in enumerate(segments) if term in words]
        assert expected == list(zip(places.tolist(), counts.tolist(), strict=True))


def test_a_term_that_another_caches_text_taught_the_vocabulary_scores_nothing_here() -> None:
    vocabulary = Vocabulary()
    vocabulary.learn(["elsewhere"])
    index = LexicalIndex([Postings.of([["here"]], vocabulary)], vocabulary)
    vocabulary.learn(["later"])
    assert [0.0] == index.scores({"elsewhere": 1, "later": 1, "never": 1}).tolist()


def test_an_empty_index_has_no_scores() -> None:
    index = LexicalIndex([], Vocabulary())
    assert (0, []) == (index.size, index.scores({"a": 1.0}).tolist())


def test_rarer_terms_weigh_more() -> None:
    index = _index([["a", "b"], ["a"], ["a"]])
    assert index.idf("b") > index.idf("a") > 0


def test_a_vocabulary_gives_each_term_one_number_under_eight_threads() -> None:
    vocabulary = Vocabulary()
    wanted = [[f"word {(at * 7 + turn) % 500}" for at in range(500)] for turn in range(8)]
    with ThreadPoolExecutor(8) as pool:
        numbers = list(pool.map(vocabulary.learn, wanted))
    for words, found in zip(wanted, numbers, strict=True):
        assert words == [vocabulary.term(number) for number in found]
        assert found == [vocabulary.number(word) for word in words]


def test_a_full_vocabulary_takes_no_new_term_and_still_knows_the_old() -> None:
    vocabulary = Vocabulary(2)
    index = LexicalIndex([Postings.of([["a", "b", "c"], ["c", "a"]], vocabulary)], vocabulary)
    assert vocabulary.full
    assert (2, -1) == (len(vocabulary), vocabulary.number("c"))
    assert [0.0, 0.0] == index.scores({"c": 1.0}).tolist()
    assert all(index.scores({"a": 1.0}) > 0)
    assert [3, 2] == index.lengths.tolist()


def test_a_term_counts_in_a_segment_as_often_as_two_bytes_can_tell() -> None:
    vocabulary = Vocabulary()
    terms, often = Postings.of([["a"] * 70_000, ["a", "b"]], vocabulary).row(0)
    assert ([vocabulary.number("a")], [65_535]) == (terms.tolist(), often.tolist())


def test_a_posting_takes_six_bytes() -> None:
    postings = Postings.of([[str(number) for number in range(1_000)]] * 10, Vocabulary())
    assert 6.0 == round(postings.size / 10_000, 1)
