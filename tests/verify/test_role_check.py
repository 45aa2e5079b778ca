"""A sentence that exchanges who does what to whom is named."""

import pytest

from evidence.verify.grounding_check import doubts


@pytest.mark.parametrize(
    ("sentence", "quote", "expected"),
    [
        (
            "Corda may audit the books of Velm.",
            "Velm may audit, once a year, the books and files of Corda.",
            "Corda",
        ),
        (
            "The seller must insure the goods.",
            "The buyer must insure the goods. The seller packs them.",
            "seller",
        ),
        ("甲方应在三天内支付定金。", "乙方应在三天内支付定金。", "甲方"),
        (
            "On Monday Ravenia attacked Istor.",
            "Istor, with its allies, attacked Ravenia on Monday.",
            "attacked",
        ),
    ],
)
def test_an_exchange_of_roles_is_named(sentence: str, quote: str, expected: str) -> None:
    assert expected in [sentence[start:end] for start, end, _ in doubts(sentence, [quote])]


@pytest.mark.parametrize(
    ("sentence", "quote"),
    [
        ("Ravenia was attacked by Istor on Monday.", "Istor, with its allies, attacked Ravenia on Monday."),
        ("The renter must insure the flat.", "The tenant must insure the flat."),
        ("Velm may audit the books of Corda.", "Velm may audit, once a year, the books and files of Corda."),
        ("The buyer may inspect the goods.", "The seller may send the goods. The buyer may inspect them."),
    ],
)
def test_the_same_roles_in_another_order_are_none(sentence: str, quote: str) -> None:
    assert () == doubts(sentence, [quote])
