"""What is turned round, denied or weakened is named; what merely says it in other words is not."""

import pytest

from evidence.verify.grounding_check import contradicted

INCIDENT = "Every incident must be reported to the board within 30 days."


@pytest.mark.parametrize(
    ("sentence", "quote"),
    [
        ("Incidents need not be reported.", INCIDENT),
        ("An incident does not have to be reported.", INCIDENT),
        ("Nobody has to report an incident.", "Each employee shall report an incident."),
        ("Reporting is optional.", "Each employee shall report an incident."),
        ("Each employee may report an incident.", "Each employee shall report an incident."),
        ("Each employee must report an incident.", "Each employee may report an incident."),
        ("Every incident must be reported to the board after 30 days.", INCIDENT),
        ("Reporting is mandatory.", "Nobody has to report an incident."),
    ],
)
def test_a_duty_that_is_reversed_or_weakened_is_flagged(sentence: str, quote: str) -> None:
    assert contradicted(sentence, (quote,))


@pytest.mark.parametrize(
    ("sentence", "quote"),
    [
        ("Every incident has to be reported no later than 30 days.", INCIDENT),
        ("It ends after 30 days.", INCIDENT),
        ("The tenant may use the garden solely for parties.", "The tenant shall use the garden for parties."),
        ("The tenant may use the garden.", "The tenant may use the garden and shall use the front door."),
        ("The tenant need not disclose it.", "The tenant is not required to disclose it."),
        ("The employer may inspect it.", "The employee must report an incident."),
        ("The lease ends after 30 days.", "The lease ends after 30 days; notice is given within 30 days."),
    ],
)
def test_the_same_duty_in_other_words_is_not_flagged(sentence: str, quote: str) -> None:
    assert not contradicted(sentence, (quote,))


@pytest.mark.parametrize(
    ("sentence", "quote"),
    [
        (
            "Mieter dürfen Haustiere in der Wohnung halten.",
            "Mieter dürfen keine Haustiere in der Wohnung halten.",
        ),
        ("Der Vertrag ist nicht kündbar für den Mieter.", "Der Vertrag ist kündbar für den Mieter."),
        ("O inquilino não pode sublocar o imóvel.", "O inquilino pode sublocar o imóvel."),
        ("El inquilino no puede subarrendar el inmueble.", "El inquilino puede subarrendar el inmueble."),
        ("Le locataire ne peut pas sous-louer le logement.", "Le locataire peut sous-louer le logement."),
    ],
)
def test_a_negation_is_found_in_every_language_of_the_tables(sentence: str, quote: str) -> None:
    both = (sentence, quote), (quote, sentence)
    assert [True, True, False] == [
        *(bool(contradicted(a, (b,))) for a, b in both),
        bool(contradicted(quote, (quote,))),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "It must be reported and may be reported within 30 days, or after 30 days; nobody has to report it.",
        "Reporting is optional, yet it shall be reported. It need not be reported.",
        INCIDENT,
    ],
)
def test_no_text_contradicts_itself(text: str) -> None:
    assert not contradicted(text, (text,))


@pytest.mark.parametrize(
    ("sentence", "quote"),
    [
        ("The test comes after the lecture.", "The test comes before the lecture."),
        ("The east gate is locked at night.", "The west gate is locked at night."),
        ("The first applicant gets the flat.", "The last applicant gets the flat."),
        ("Breakfast costs extra.", "Breakfast is free of charge for guests."),
        ("The warranty covers glass.", "The warranty excludes glass."),
        ("The manual counts as proof.", "The manual does not count as proof."),
        ("The report was verified by the clerk.", "The report was not verified by the clerk."),
        ("Members need the board's consent to sell.", "No consent of the board is needed to sell."),
        ("He has to show proof of loss.", "He is paid without having to show proof of loss."),
        ("Die Prüfung findet nach dem Kurs statt.", "Die Prüfung findet vor dem Kurs statt."),
        ("Der Eintritt ist kostenlos.", "Der Eintritt ist kostenpflichtig."),
        ("安装服务收费。", "安装服务免费。"),
        ("该计划得到了证据支持。", "几乎没有证据支持该计划。"),
        ("参加費は有料です。", "参加費は無料です。"),
        ("電話での申込みも認めます。", "電話での申込みは認めない。"),
    ],
)
def test_an_opposite_or_a_lost_denial_is_a_contradiction(sentence: str, quote: str) -> None:
    assert contradicted(sentence, (quote,))


@pytest.mark.parametrize(
    ("sentence", "quote"),
    [
        ("The test is written before anything else.", "First comes the test, then the lecture."),
        ("Guests pay nothing for breakfast.", "Breakfast is free for guests."),
        ("The warranty does not cover glass.", "The warranty excludes glass."),
        ("The cups may be washed, the pump not.", "The pump may not be washed. The cups may be washed."),
        ("The lease does not grant any rights to the garden.", "The lease grants no rights to the garden."),
        ("He is not only a member but a founder.", "He is a member and a founder."),
        ("No, the report was never verified.", "The report was not verified."),
        ("It must not be stored outside the vault.", "It may be stored in the vault only."),
        ("South Korea joined in 1990.", "The north coast belongs to another country that joined in 1990."),
        ("会员不得转让会员卡。", "会员卡不能转让。"),
        ("書面で届け出る必要があります。", "書面で届け出なければならない。"),
    ],
)
def test_a_denial_or_an_opposite_that_says_the_same_is_none(sentence: str, quote: str) -> None:
    assert not contradicted(sentence, (quote,))
