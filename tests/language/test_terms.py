"""Words made alike for matching."""

import pytest

from evidence.language.terms import terms, terms_of


@pytest.mark.parametrize(
    ("past", "verb"),
    [("kept", "keeps"), ("held", "holding"), ("Paid", "pay"), ("written", "writes"), ("chosen", "choose")],
)
def test_an_irregular_past_form_is_matched_by_its_verb(past: str, verb: str) -> None:
    assert terms_of(verb) == terms_of(past)


def test_what_only_looks_like_a_past_form_stays_itself() -> None:
    assert ["keeper", "foundat", "leaflet"] == terms("keeper foundation leaflet")


def test_the_plural_of_an_abbreviation_is_the_abbreviation() -> None:
    assert terms("NDA PDF CVE") == terms("NDAs PDFs CVEs")
