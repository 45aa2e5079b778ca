"""A figure that says something else than the quote's is named; one that says the same in another form is not."""

import pytest

from evidence.verify.grounding_check import doubts

RENT = "The rent is EUR 900 a month. Notice of at least 60 days is given before moving out."


def flagged(sentence: str, *quotes: str, question: str = "") -> tuple[str, ...]:
    return tuple(sentence[start:end] for start, end, _ in doubts(sentence, quotes, question))


@pytest.mark.parametrize(
    ("sentence", "quote", "expected"),
    [
        ("Notice of at most 60 days is given.", RENT, "60 days"),
        ("Notice may be given no more than 60 days before.", RENT, "60 days"),
        ("Bags over 23 kg are free.", "Bags of less than 23 kg are free.", "23 kg"),
        (
            "Orders can be changed in the last 3 days.",
            "Orders can be changed until 3 days before.",
            "3 days",
        ),
        ("Der Abstand beträgt höchstens 5 cm.", "Der Abstand beträgt mindestens 5 cm.", "5 cm"),
        ("每人最多领取3份。", "每人至少领取3份。", "3"),
        ("利用は30分以内です。", "利用は30分以上です。", "30分"),
    ],
)
def test_at_least_and_at_most_are_told_apart(sentence: str, quote: str, expected: str) -> None:
    assert (expected,) == flagged(sentence, quote)


@pytest.mark.parametrize(
    ("sentence", "quote"),
    [
        ("Notice of 60 days or more is given.", RENT),
        ("Notice is given no later than 60 days before.", RENT),
        ("A stay of up to three weeks is free.", "No stay of more than three weeks is free."),
        ("Members under 18 cannot vote.", "Members who are over the age of 18 can vote."),
        ("参会者不少于5人。", "参会者至少5人。"),
        ("Mindestens 5 cm sind frei zu lassen.", "Lassen Sie wenigstens 5 cm frei."),
    ],
)
def test_the_same_bound_in_other_words_is_no_conflict(sentence: str, quote: str) -> None:
    assert () == flagged(sentence, quote)


@pytest.mark.parametrize(
    ("sentence", "quote", "expected"),
    [
        ("The rent is EUR 900 a week.", RENT, "EUR 900"),
        ("Parking costs EUR 2 per day.", "Parking costs EUR 2 per hour.", "EUR 2"),
        (
            "Claims lapse two years after delivery.",
            "Claims lapse two years after the invoice date.",
            "two years",
        ),
        ("保修期自交付之日起12个月。", "保修期自购买之日起12个月。", "12个月"),
        ("The cable is 5 mm thick.", "The cable is 5 cm thick.", "5 mm"),
        ("The tank holds 40 gallons.", "The tank holds 40 litres.", "40 gallons"),
    ],
)
def test_another_unit_rate_or_starting_point_is_named(sentence: str, quote: str, expected: str) -> None:
    assert (expected,) == flagged(sentence, quote)


def test_two_figures_that_are_exchanged_are_named() -> None:
    quote = "Lunch lasts 40 minutes; the break at 4 p.m. lasts 15 minutes."
    sentence = "Lunch lasts 15 minutes, the break 40 minutes."
    assert "15 minutes" in flagged(sentence, quote)
    assert () == flagged("Lunch lasts 40 minutes, the break 15 minutes.", quote)


@pytest.mark.parametrize(
    ("sentence", "quote"),
    [
        ("It opens at 7 p.m.", "Doors open at 19:00."),
        ("It takes half an hour.", "It takes 30 minutes."),
        ("Es dauert eine Dreiviertelstunde.", "Es dauert 45 Minuten."),
        ("保修一年半。", "保修期为18个月。"),
        ("出席率は8割です。", "出席率は80%です。"),
        ("利率为万分之五。", "利率为0.05%。"),
        ("The bottle holds 1500 ml.", "The bottle holds 1.5 l."),
        ("About 4 million people live there.", "4,050,000 people live there."),
        ("Three quarters of the seats are taken.", "76 % of the seats are taken."),
        ("It has two and a half million readers.", "It has 2,500,000 readers."),
        ("Each costs ten US dollars.", "The price is USD 10."),
    ],
)
def test_a_figure_in_another_form_is_the_same(sentence: str, quote: str) -> None:
    assert () == flagged(sentence, quote)


def test_a_figure_of_the_question_may_be_repeated_but_not_affirmed() -> None:
    quote, question = "The fee is paid within 10 days.", "Is it enough to pay after 12 days?"
    assert () == flagged("No, it is paid within 10 days, so 12 days are too long.", quote, question=question)
    assert ("12 days",) == flagged("No, it is paid within 12 days.", quote, question=question)
    assert ("12 days",) == flagged("Yes, 12 days are fine.", quote, question=question)


@pytest.mark.parametrize(
    ("sentence", "quotes", "expected"),
    [
        ("The lease ends on 30 April 2027.", ("It begins on 1 May 2025 and lasts 24 months.",), ()),
        (
            "The lease ends on 30 April 2028.",
            ("It begins on 1 May 2025 and lasts 24 months.",),
            ("30 April 2028",),
        ),
        ("In total there are 31 rooms.", ("There are 12 rooms upstairs and 19 rooms downstairs.",), ()),
        ("In total there are 33 rooms.", ("There are 12 rooms upstairs and 19 rooms downstairs.",), ("33",)),
        ("EUR 1,200 are left.", ("Of EUR 5,000 the club has spent EUR 3,800.",), ()),
        ("EUR 1,300 are left.", ("Of EUR 5,000 the club has spent EUR 3,800.",), ("EUR 1,300",)),
        ("Three tickets cost EUR 24.", ("A ticket is EUR 8. Groups are 3 or more.",), ()),
        (
            "The bridge was closed for seven years.",
            ("It was closed in 1951.", "It was reopened in 1958."),
            (),
        ),
        ("He gave four concerts.", ("He gave concerts in 1990, 1992, 1995 and 1999.",), ()),
        ("Notice is three months.", ("Notice is 90 days.",), ()),
        ("Leave is four weeks.", ("Leave is 20 working days.",), ()),
    ],
)
def test_a_calculation_is_checked(sentence: str, quotes: tuple[str, ...], expected: tuple[str, ...]) -> None:
    assert expected == flagged(sentence, *quotes)
