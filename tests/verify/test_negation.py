"""A duty that is turned round or weakened is named; what merely says it in other words is not."""

import pytest

from evidence.verify.negation import contradicted

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
    assert () == contradicted(sentence, (quote,))


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
    assert () == contradicted(text, (text,))
