"""Sentences of everyday texts, right and wrong, beside the quote that they lean on: what passes, and what is named."""

import pytest

from evidence.verify.grounding_check import unsupported_details

RIGHT = [
    ("Members can borrow up to six books at once.", "A member may borrow at most 6 books at a time."),
    ("The library is shut on public holidays.", "The library is not open on public holidays."),
    (
        "You need not register if you only want to read in the hall.",
        "Registration is not required for reading in the hall.",
    ),
    ("Anyone over 16 can get a card.", "Persons who are 16 years of age or older may apply for a card."),
    ("The kitchen may be used from 8 a.m. until 10 p.m.", "The kitchen is open between 08:00 and 22:00."),
    (
        "Smoking is banned everywhere in the building.",
        "Smoking is not permitted in any part of the building.",
    ),
    (
        "The river is 1,230 km long, of which 400 km are navigable.",
        "Of its 1,230 kilometres, 400 kilometres are navigable.",
    ),
    (
        "The treaty was signed by France before Spain joined.",
        "France signed the treaty in 1990; Spain joined in 1994.",
    ),
    (
        "The bridge was finished two years later than planned, in 1932.",
        "Planned for 1930, the bridge was completed in 1932.",
    ),
    (
        "Employees must wear a helmet unless they are in the office.",
        "Helmets shall be worn at all times except in the office.",
    ),
    ("No, pets are not allowed; only guide dogs are.", "Only guide dogs are allowed in the building."),
    (
        "The supplier has to replace faulty parts for free.",
        "Defective parts shall be replaced by the supplier free of charge.",
    ),
    (
        "A contract ends automatically unless it is renewed.",
        "The contract expires at the end of the term unless it has been renewed.",
    ),
    ("Most visitors come from abroad.", "About 70 % of the visitors are foreigners."),
    ("Half of the costs are borne by the city.", "The city bears 50 % of the costs."),
    (
        "The deposit is paid back within two weeks after the keys are returned.",
        "The deposit will be refunded no later than 14 days after the return of the keys.",
    ),
    ("Without a ticket nobody gets in.", "Entry is only possible with a ticket."),
    (
        "The data is kept for as long as the law requires it.",
        "Data are stored for the period required by law.",
    ),
    (
        "Staff may work from home on two days a week at most.",
        "Employees are entitled to work from home for up to two days per week.",
    ),
    (
        "He was born in Vienna in 1899 and died at the age of 60.",
        "He was born in Vienna in 1899 and died in 1959.",
    ),
    (
        "Applications that arrive late are not considered.",
        "Applications must be received by 31 May. Late applications will be rejected.",
    ),
    ("The warranty does not cover damage caused by water.", "Water damage is excluded from the warranty."),
    ("The committee rejected the proposal.", "The proposal was not accepted by the committee."),
    (
        "Die Miete ist spätestens am dritten Werktag fällig.",
        "Die Miete ist bis zum dritten Werktag des Monats zu zahlen.",
    ),
    (
        "Haustiere sind nur mit Erlaubnis des Vermieters gestattet.",
        "Das Halten von Haustieren bedarf der Zustimmung des Vermieters.",
    ),
    (
        "Der Rasen darf zwischen 13 und 15 Uhr nicht gemäht werden.",
        "Rasenmähen ist in der Zeit von 13 bis 15 Uhr verboten.",
    ),
    ("图书最多可以借六本。", "每位读者借书不得超过6本。"),
    ("会员卡丢失后补办需要20元。", "会员卡遗失的，补办费为人民币20元。"),
    ("周一闭馆。", "除周一外，每天开放。"),
    ("未满18岁的人不能申请。", "申请人须年满18岁。"),
    ("図書館は月曜日が休みです。", "開館日は火曜日から日曜日までとし、月曜日は休館とする。"),
    ("会議室は前日までに予約しなければなりません。", "会議室の利用は、前日までの予約を要する。"),
    ("学生は無料で入場できます。", "学生の入場料は無料とする。"),
]
WRONG = [
    ("Members can borrow at least six books at once.", "A member may borrow at most 6 books at a time."),
    ("The library is open on public holidays.", "The library is not open on public holidays."),
    (
        "Registration is required for reading in the hall.",
        "Registration is not required for reading in the hall.",
    ),
    (
        "Smoking is allowed in every part of the building.",
        "Smoking is not permitted in any part of the building.",
    ),
    (
        "The bridge was completed earlier than planned.",
        "Planned for 1930, the bridge was completed later than planned in 1932.",
    ),
    ("All dogs are allowed in the building.", "Only guide dogs are allowed in the building."),
    (
        "The supplier replaces faulty parts at the customer's cost.",
        "Defective parts shall be replaced by the supplier free of charge.",
    ),
    (
        "The deposit is refunded 14 days before the return of the keys.",
        "The deposit will be refunded no later than 14 days after the return of the keys.",
    ),
    ("Entry is possible without a ticket.", "Entry is only possible with a ticket."),
    (
        "Employees must work from home two days per week.",
        "Employees are entitled to work from home for up to two days per week.",
    ),
    (
        "Late applications will be accepted.",
        "Applications must be received by 31 May. Late applications will be rejected.",
    ),
    ("Water damage is covered by the warranty.", "Water damage is excluded from the warranty."),
    ("The committee accepted the proposal.", "The proposal was not accepted by the committee."),
    ("Adults pay EUR 4 and children EUR 9.", "The ticket costs EUR 9 for adults and EUR 4 for children."),
    ("The fee is EUR 30 a month.", "The fee is EUR 30 per quarter."),
    ("Guests may use the sauna.", "Guests may use the sauna only if they have booked it in advance."),
    ("The seller bears the costs of shipping.", "The buyer bears the costs of shipping."),
    ("Kinder unter sechs Jahren zahlen den vollen Preis.", "Für Kinder bis 5 Jahre ist die Fahrt gratis."),
    ("Rasenmähen ist von 13 bis 15 Uhr erlaubt.", "Rasenmähen ist in der Zeit von 13 bis 15 Uhr verboten."),
    (
        "Die Miete ist frühestens am dritten Werktag fällig.",
        "Die Miete ist spätestens am dritten Werktag fällig.",
    ),
    ("每位读者至少要借6本书。", "每位读者借书不得超过6本。"),
    ("所有读者都可以进入书库。", "部分读者可以进入书库。"),
    ("会员可以转让会员卡。", "会员卡不得转让。"),
    ("补办会员卡免费。", "会员卡遗失的，补办收费。"),
    ("会議室は予約なしで使えます。", "会議室の利用は、前日までの予約を要する。"),
    ("学生の入場料は有料です。", "学生の入場料は無料とする。"),
    ("会議室は終了後に予約する。", "会議室は利用開始前に予約する。"),
]


@pytest.mark.parametrize(("sentence", "quote"), RIGHT)
def test_a_sentence_that_says_what_its_quote_says_passes(sentence: str, quote: str) -> None:
    assert () == unsupported_details(sentence, [quote])


@pytest.mark.parametrize(("sentence", "quote"), WRONG)
def test_a_sentence_that_says_something_else_than_its_quote_is_named(sentence: str, quote: str) -> None:
    assert unsupported_details(sentence, [quote])
