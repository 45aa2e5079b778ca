"""Counting without a network, and filling a budget without cutting."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import tiktoken
from hypothesis import given
from hypothesis import strategies as st

from evidence.language import tokens


@pytest.fixture(autouse=True)
def tables(tmp_path: Path) -> Iterator[Path]:
    """An empty place for tables, whatever the machine has."""
    tokens.use_tables(str(tmp_path))
    yield tmp_path
    tokens.use_tables(str(tmp_path / "none"))


def test_without_the_table_counts_are_estimates() -> None:
    assert "estimate" == tokens.counter_name()
    assert tokens.estimate("The fee is due.") == tokens.count("The fee is due.")


def test_a_damaged_table_is_not_used(tables: Path) -> None:
    (tables / "9b5ad71b2ce5302211f9c61530b329a4922fc6a4").write_bytes(b"IQ== 0\n")
    tokens.use_tables(f"{tables}/")
    assert "estimate" == tokens.counter_name()


def test_a_table_counts_long_text_piece_by_piece() -> None:
    single = {bytes([code]): code for code in range(256)}
    encoding = tiktoken.Encoding("bytes", pat_str=r"\s|\S+", mergeable_ranks=single, special_tokens={})
    assert 50_001 == tokens.count_with(encoding, "a" * 50_001)
    assert 3 == tokens.count_with(encoding, "保")
    assert 0 == tokens.count_with(encoding, "")


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [  # what cl100k_base says, and a quarter more
        ("The Receiving Party shall not disclose any Confidential Information to any third party.", 14, 18),
        ("接收方不得向任何第三方披露保密信息，期限为三十天。", 27, 36),
        ("受領者は、秘密情報を第三者に開示してはならない。期間は2024年3月1日から3年間とする。", 42, 54),
        ("", 0, 0),
    ],
)
def test_an_estimate_lies_between_the_count_and_a_quarter_more(text: str, least: int, most: int) -> None:
    assert least <= tokens.estimate(text) <= most


@given(st.text(max_size=200), st.text(max_size=200))
def test_an_estimate_grows_with_the_text(first: str, second: str) -> None:
    assert 0 <= tokens.estimate(first) <= tokens.estimate(first + "\n" + second) + 1


def test_the_most_valuable_items_are_kept_in_their_order() -> None:
    items = [("one two three", 0.2), ("one two three four five six", 0.9), ("one two", 0.5), ("one", 0.1)]
    assert (1, 2, 3) == tokens.fill(items, 9)


def test_an_item_that_does_not_fit_is_passed_over_whole() -> None:
    assert (1,) == tokens.fill([("one two three four", 0.9), ("one two", 0.5)], 3)


@pytest.mark.parametrize("budget", [0, -5])
def test_without_a_budget_nothing_is_kept(budget: int) -> None:
    assert () == tokens.fill([("one", 1.0)], budget)


@given(st.lists(st.tuples(st.text(max_size=30), st.floats(0, 1)), max_size=8), st.integers(-1, 60))
def test_what_is_kept_fits_the_budget(items: list[tuple[str, float]], budget: int) -> None:
    kept = tokens.fill(items, budget)
    assert sum(tokens.count(items[index][0]) for index in kept) <= max(budget, 0)
    assert sorted(set(kept)) == list(kept)
