"""What grows and what does not, in counts."""

import pytest

from bench.generated import Generated
from bench.scale import one, page
from evidence.model import Query


@pytest.mark.parametrize("documents", [100, 1_000, 50_000])
def test_calls_before_the_answer_do_not_grow_with_the_documents(documents: int) -> None:
    row = one(documents, 1)
    assert row["cold"]["right"]
    assert row["warm"]["right"]
    assert row["cold"]["calls"] <= 14
    assert row["cold"]["retrieves"] <= 4
    assert row["warm"]["calls"] <= 14


def test_a_small_base_is_read_whole_behind_the_answer_and_a_large_one_is_not() -> None:
    assert one(100, 1)["behind"]["calls"] >= 80
    assert one(1_000, 1)["behind"]["calls"] <= 2


def test_with_many_datasets_the_one_that_holds_the_named_document_is_found_once_all_are_listed() -> None:
    row = one(400, 20)
    assert row["cold"]["calls"] <= 14
    assert row["warm"]["right"]


def test_generated_documents_are_the_same_every_time_and_found_by_a_part_of_their_name() -> None:
    server, again = Generated(1_000, 2), Generated(1_000, 2)
    (first, second) = server.datasets(1).items
    assert 500 == server.documents(first, 1).total == server.documents(second, 5).total
    (found,) = server.documents(second, 1, "000777").items
    assert server.name(777) == found.name
    assert server.segments(found, 1) == again.segments(found, 1)
    best = server.retrieve(second, Query(f"notice in {server.name(777)}"), 3).passages
    assert found == best[0].segment.document
    assert 3 == len(best)


def test_the_page_of_scale_draws_every_size() -> None:
    drawn = page({"growth": [one(100, 1), one(200, 4)]})
    assert ("| " not in drawn, 1) == (True, drawn.count("```text"))
    assert all(len(line) <= 120 for line in drawn.splitlines())
