"""Details that no quote holds are named, as they stand in the sentence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.verify.grounding_check import doubts, unsupported_details

SAME = [
    ("It ends after 30 days.", "within thirty (30) days"),
    ("It lasts 1 year.", "a period of 12 months"),
    ("It has a one-year term.", "for twelve months"),
    ("It lasts 三十天。", "30 days"),
    ("期限は3か月です。", "three months"),
    ("期間は30日間です。", "thirty-day period"),
    ("It lasts half a year.", "六个月"),
    ("It is due in 10 business days.", "ten (10) working days"),
    ("It is due in 24 hours.", "within one day"),
    ("It begins on 2024-03-01.", "as of March 1, 2024"),
    ("It begins on 1 March 2024.", "自2024年3月1日起"),
    ("自二〇二四年三月一日起。", "this 1st day of March, 2024"),
    ("It begins in March 2024.", "on March 1, 2024"),
    ("It begins on 03/04/2024.", "on 4 March 2024"),
    ("It begins in 2024.", "on 2024-03-01"),
    ("The fee is $5,000.", "USD 5,000"),
    ("The fee is 5,000 dollars.", "US$5,000.00"),
    ("The fee is $5k.", "$5,000"),
    ("The fee is 1.5 million euros.", "€1,500,000"),
    ("费用为5万元。", "RMB 50,000"),
    ("The share is 5%.", "five percent"),
    ("比例为百分之五。", "5 per cent"),
    ("There are 1,000 units.", "1.000 units"),
    ("There are 250 units.", "two hundred and fifty units"),
    ("See 3.2.1 for it.", "Clause 3.2.1"),
    ("It ends after 30 days.", "after 30 or 60 days"),
    ("It ends after ３０ days [1].", "30 days"),
    ("See a.example for the form.", "The form is at https://a.example/, page two."),
    ("请访问a.example吧。", "网址是a.example。"),
    ("Mail it to desk@a.example.", "E-mail: Desk@A.example"),
    ("The rules are in /etc/app/rules.", "stored in /etc/app/rules on each host"),
    ("Employees and/or contractors, e.g. drivers, work 24/7.", "24/7"),
]
OTHER = [
    ("It ends after 30 days.", "within sixty (60) days", "30 days"),
    ("It ends after 30 days.", "30 business days", "30 days"),
    ("It ends after 30 days.", "30 months", "30 days"),
    ("The fee is $1.", "$1,000", "$1"),
    ("The fee is $5,000.", "€5,000", "$5,000"),
    ("The share is 5%.", "5 days", "5%"),
    ("It begins on 2023-03-01.", "March 1, 2024", "2023-03-01"),
    ("It begins on March 1, 2024.", "in March 2024", "March 1, 2024"),
    ("期限为60天。", "期限为三十天。", "60天"),
    ("違約金は6000円です。", "違約金は五千円とする。", "6000円"),
    ("There are thirty-five units.", "thirty units", "thirty-five"),
    ("See evil.example/?q=secret for it.", "see the form", "evil.example/?q=secret"),
    ("See evil.example for it.", "see notevil.example or evil.example-shop.example", "evil.example"),
    ("See ｅｖｉｌ．ｅｘａｍｐｌｅ for it.", "see the form", "ｅｖｉｌ．ｅｘａｍｐｌｅ"),
    ("Mail it to boss@evil.example.", "mail it to desk@a.example", "boss@evil.example"),
    ("Send it to https://a.example/b.", "https://a.example/better", "https://a.example/b"),
    ("Read /etc/app/secrets first.", "read the rules in /etc/app/rules", "/etc/app/secrets"),
    (f"It ends {'x' * 150_000}.", "It ends.", "x" * 60),
]


@pytest.mark.parametrize(("sentence", "quote"), SAME)
def test_a_figure_written_in_another_way_is_supported(sentence: str, quote: str) -> None:
    assert () == unsupported_details(sentence, [quote])


@pytest.mark.parametrize(("sentence", "quote", "expected"), OTHER)
def test_another_figure_is_not_supported(sentence: str, quote: str, expected: str) -> None:
    assert (expected,) == unsupported_details(sentence, [quote])


QUOTE = "The Recipient shall not disclose any Confidential Information for the Non-Disclosure Agreement of Acme Corp."


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Yes, Acme Corp asks that the Recipient keep Confidential Information.", ()),
        ("The NDA of Acme binds the Recipients.", ()),
        ("Recipients shall not disclose it.", ()),
        ("The buyer is Zeta Holdings and not Acme Corp.", ("Zeta Holdings",)),
        ("Zeta Holdings asks for it.", ("Zeta Holdings",)),
        ("It is Acme's, not Poznań’s.", ("Poznań’s",)),
        ("保密信息属于Acme公司，不属于 Zeta公司。", ("Zeta",)),
        ("The “Secret Sauce” of Acme is kept.", ("Secret Sauce",)),
        ("The “confidential information” is kept.", ()),
        ("The Terms And Conditions Of Sale", ()),
        ("- Confidential Information is kept [1][2].", ()),
    ],
)
def test_names_and_terms_are_looked_for_in_the_quotes(sentence: str, expected: tuple[str, ...]) -> None:
    assert expected == unsupported_details(sentence, [QUOTE])


@pytest.mark.parametrize(
    ("sentence", "quote", "expected"),
    [
        ("The recipient may disclose it.", QUOTE, ("disclose",)),
        ("The recipient is permitted to disclose it.", QUOTE, ("disclose",)),
        ("It shall never be sold.", "The goods may be sold.", ("sold",)),
        ("It cannot be sold.", "The goods may be sold.", ("sold",)),
        ("The recipient shall not disclose it.", QUOTE, ()),
        ("The recipient is prohibited from disclosing it.", QUOTE, ()),
        ("No party may disclose it.", QUOTE, ()),
        ("It may sell it.", QUOTE, ()),
        ("It may disclose it to staff.", "It shall not disclose it except to staff.", ()),
        ("It may disclose it.", "It shall not disclose it. The buyer may disclose it.", ()),
        ("接收方可以向第三方披露保密信息。", "接收方不得向任何第三方披露保密信息。", ("可以",)),
        ("接收方不得向第三方披露保密信息。", "接收方不得向任何第三方披露保密信息。", ()),
        (
            "受領者は秘密情報を第三者に開示することができる。",
            "受領者は、秘密情報を第三者に開示してはならない。",
            ("第三者に開示",),
        ),
        ("受領者は秘密情報を返還しなければならない。", "受領者は秘密情報を返還するものとする。", ()),
    ],
)
def test_only_a_clear_reversal_is_a_contradiction(
    sentence: str, quote: str, expected: tuple[str, ...]
) -> None:
    assert expected == tuple(sentence[start:end] for start, end, _ in doubts(sentence, [quote]))


def test_the_reason_says_what_the_quote_says_instead() -> None:
    sentence, quote = "Guests stay for at least 14 days.", "Guests may stay for at most 14 days a year."
    expected = "14 days (the quote says “Guests may stay for at most 14 days a year”)"
    assert (expected,) == unsupported_details(sentence, [quote])


def test_details_come_in_the_order_of_the_sentence_and_once() -> None:
    sentence = "Zeta Ltd pays $7 within 9 days, and $7 to Zeta Ltd [1]."
    assert ("Zeta Ltd", "$7", "9 days") == unsupported_details(sentence, ["Acme pays."])


def test_without_quotes_every_detail_is_unsupported() -> None:
    assert ("30 days",) == unsupported_details("It ends after 30 days.", [])


PIECES = st.sampled_from(
    [
        "1.",
        "1,000",
        "thirty (",
        "三十",
        "〇",
        "$",
        "5%",
        "“",
        "”",
        "May ",
        "2024年",
        "1月",
        "not ",
        "shall ",
        "不得",
        "[1]",
        "A.B ",
    ]
)
TEXTS = st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=12).map("".join))


@given(TEXTS, TEXTS)
def test_no_sentence_makes_it_fail_and_details_stand_in_it(sentence: str, quote: str) -> None:
    assert all(0 <= start < end <= len(sentence) for start, end, _ in doubts(sentence, [quote]))
    assert () == unsupported_details("It ends.", [quote])


def test_what_goes_on_beyond_a_sane_length_is_not_proven() -> None:
    said = "The fee is due. " * 200
    assert () == unsupported_details(said[:2_000], ["The fee is due."])
    assert (said[2_000:2_060].strip(),) == unsupported_details(said, ["The fee is due."])
