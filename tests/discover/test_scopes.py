"""A collection's own name in a question bounds the search where it is said as a bound, and nowhere else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.discover.scopes import named_scopes

BOUNDS = [
    ("List all notice periods in all agreements.", "Agreements"),
    ("List all notice periods in our agreements", "Agreements"),
    ("In every agreement, who signs? List them.", "Agreements"),
    ("Which agreements contain a non-solicitation clause?", "Agreements"),
    ("List the fees across the supplier contracts.", "Supplier contracts"),
    ("Across all of the supplier contracts, list the fees.", "Supplier_contracts"),
    ("List the decisions in the minutes.", "Minutes"),
    ("List all decisions in the Minutes collection that cost money.", "Minutes"),
    ("列出所有供应商合同中的通知期。", "供应商合同"),
    ("供应商合同中有哪些违约金条款？", "供应商合同"),
    ("すべての取引契約書で定める通知期間を列挙してください。", "取引契約書"),
    ("取引契約書における通知期間を一覧にしてください。", "取引契約書"),
]
NO_BOUNDS = [
    ("List all duties in the agreement between Acme and Globex.", "Agreements"),
    ("List everything that must be done in the minutes before departure.", "Minutes"),
    ("List all delays of more than ten minutes.", "Minutes"),
    ("List all supplier agreements.", "Supplier contracts"),
    ("List all changes that the agreements committee made.", "Agreements"),
    ("Which harbours are in agreement with the port rules?", "Agreements"),
    ("List all parts of the policies' preambles.", "Policies"),
    ("List all house rules.", "House"),
    ("List the colours of all houses.", ""),
    ("列出与供应商合同管理有关的职责。", "供应商合同"),
    ("取引契約書式の一覧をください。", "取引契約書"),
]


@pytest.mark.parametrize(("text", "name"), BOUNDS)
def test_a_name_that_is_said_as_a_bound_is_one(text: str, name: str) -> None:
    assert (0,) == named_scopes(text, [name])


@pytest.mark.parametrize(("text", "name"), NO_BOUNDS)
def test_a_name_that_only_occurs_is_none(text: str, name: str) -> None:
    assert () == named_scopes(text, [name])


def test_two_collections_may_be_named() -> None:
    names = ["Minutes", "Agreements", "Policies"]
    assert (0, 1) == named_scopes("List the deadlines in all minutes and in all agreements.", names)


@given(st.text(max_size=60), st.text(max_size=20))
def test_nothing_is_ever_raised(text: str, name: str) -> None:
    assert named_scopes(text, [name]) in {(), (0,)}
