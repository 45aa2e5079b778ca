"""A sentence that says more than its quote is named: "all", "only", a condition that is left out."""

import pytest

from evidence.verify.grounding_check import doubts

POOL = "Guests with a day card may use the pool, provided that they are over 14. Most lockers are free."


def flagged(sentence: str, *quotes: str, question: str = "") -> tuple[str, ...]:
    return tuple(sentence[start:end] for start, end, _ in doubts(sentence, quotes, question))


@pytest.mark.parametrize(
    ("sentence", "quote", "expected"),
    [
        ("All lockers are free.", POOL, "All"),
        ("Lockers are always free.", "Lockers are usually free.", "always"),
        ("All letters are kept for ten years.", "Letters signed by the board are kept for ten years.", "All"),
        ("Every guest may bring a dog.", "Guests who live nearby may bring a dog.", "Every"),
        ("所有会员都可以借书。", "部分会员可以借书。", "所有"),
        ("Alle Zimmer haben einen Balkon.", "Einige Zimmer haben einen Balkon.", "Alle"),
        ("全員が参加できる。", "一部の社員が参加できる。", "全員"),
        ("Only guests may park here.", "Guests may park here.", "Only"),
        ("Only guests may use the lift.", "Guests or staff may use the lift.", "Only"),
    ],
)
def test_all_for_some_and_an_only_that_nobody_says_are_named(
    sentence: str, quote: str, expected: str
) -> None:
    assert flagged(sentence, quote)[0].startswith(expected)


@pytest.mark.parametrize(
    ("sentence", "quote"),
    [
        ("All guests get a towel.", "Each guest gets a towel."),
        ("All guests must sign the book.", "Guests must sign the book."),
        ("Every change is made in writing.", "No change is valid unless made in writing."),
        ("The filter is cleaned every two weeks.", "Clean the filter once in two weeks."),
        ("Only staff may enter.", "Nobody but staff may enter."),
        ("Only staff may enter.", "Entry is limited to staff."),
        (
            "The lift is not for all guests, only for staff.",
            "Guests shall not use the lift, which is for staff.",
        ),
    ],
)
def test_what_a_quote_says_of_all_or_of_one_alone_is_not_named(sentence: str, quote: str) -> None:
    assert () == flagged(sentence, quote)


@pytest.mark.parametrize(
    ("sentence", "quote"),
    [
        ("Guests may use the pool.", "Guests may use the pool, provided that they are supervised."),
        ("Tickets are refunded.", "Tickets are refunded only with a doctor's note."),
        (
            "The hall may be rented on Sundays.",
            "The hall may be rented on Sundays unless a concert takes place.",
        ),
        ("Dogs may be brought in any case.", "Dogs may be brought if they are on a leash."),
        ("Hunde dürfen auch ohne Leine mit.", "Hunde dürfen mit, sofern sie an der Leine sind."),
        ("会员可以随意带客人。", "会员如提前登记，可以带客人。"),
        ("誰でも自由に撮影できる。", "撮影は許可を得た場合に限りできる。"),
    ],
)
def test_a_condition_that_is_left_out_is_named(sentence: str, quote: str) -> None:
    assert flagged(sentence, quote)


@pytest.mark.parametrize(
    ("sentence", "quote", "question"),
    [
        (
            "Supervised guests may use the pool.",
            "Guests may use the pool, provided that they are supervised.",
            "",
        ),
        (
            "Tickets are refunded.",
            "Tickets are refunded only with a doctor's note.",
            "I have a doctor's note.",
        ),
        ("Some guests may use the pool.", "Guests may use the pool, provided that they are supervised.", ""),
        ("Tickets are not refunded otherwise.", "Tickets are refunded only with a doctor's note.", ""),
        (
            "The club is named Harbour.",
            "Unless the context requires otherwise, the club is named Harbour.",
            "",
        ),
        ("Hunde dürfen nur mit Leine mit.", "Hunde dürfen mit, sofern sie an der Leine sind.", ""),
    ],
)
def test_a_condition_that_is_told_asked_about_or_idle_is_not_missed(
    sentence: str, quote: str, question: str
) -> None:
    assert () == flagged(sentence, quote, question=question)
